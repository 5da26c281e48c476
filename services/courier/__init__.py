"""The courier tells people's programs what concerns them, by signed webhooks.

    attempt.py     one attempt: bounded in time and bytes, whatever the other side does
    notices.py     which people an event or a reminder concerns; the text of a delivery
    reader.py      turns feeds into deliveries in the mailbox
    sender.py      sends from the mailbox, to many receivers at a time
    services/webhooks/   what pages and API share with it: addresses, signatures, mailbox, retries

The courier is its own process and not an rq job. A slow receiver would occupy a worker,
since a worker does one job at a time, and would delay clocks and backups. Here hundreds of
slow receivers wait in one thread, each with its own bounds, and nothing else waits with
them. Nothing else waits for the courier either: it reads the feeds after the fact.

    ledger: feeds ─▶ reader ─┐ one step: deliveries and position   ┌─▶ sender ─▶ receivers
                             └──────▶ mailbox (jobs' server) ──────┘      │
                                            ▲──── came, failed, given up ─┘

After kill -9 it continues from the position that was written together with the deliveries,
so it misses none. A delivery interrupted in sending is sent again, under the same id. If
the jobs' server has lost its data, the courier reads the last hour of the feeds again. Ids
are derived from the content, so a receiver that remembers them can drop repeats.
"""
