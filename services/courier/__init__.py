"""The courier: tells people's programs what concerns them, by signed webhooks.

    addresses.py   which addresses may be spoken to, and by which numbers
    signing.py     the service's key, secrets that follow from it, signatures
    posting.py     one attempt: bounded in time and bytes, whatever the other side does
    notices.py     who is to be told of what an event brought; what a delivery says
    reminders.py   who is to be told that they are waited for in a tournament
    mailbox.py     what waits, what came of it, and how far the feeds were read: on the jobs' server
    rounds.py      which delivery is tried next, and when (pure)
    reading.py     feeds in, deliveries into the mailbox
    sending.py     the mailbox to the world, many receivers at a time
    webhooks.py    the club's webhooks: the book, ids, secrets

It is a process of its own and no job of rq. A receiver that takes its time takes a worker's time,
for a worker does one job at a time, and clocks and backups wait behind it. Here hundreds of slow
receivers wait side by side in one thread, each bounded by itself, and nothing else waits with them.
Nothing else waits for the courier either: it reads the feeds after the fact.

    ledger: feeds ─▶ reading ─┐ one step: deliveries and position   ┌─▶ sending ─▶ receivers
                              └──────▶ mailbox (jobs' server) ──────┘       │
                                             ▲──── came, failed, given up ──┘

After kill -9 it goes on from the position that was written together with the deliveries: none is
missed. One that was sent just then is sent again, under the same id. Where the jobs' server has
forgotten, the last hour of the feeds is read again; ids follow from what they tell, so whoever
remembers them is told nothing twice.
"""
