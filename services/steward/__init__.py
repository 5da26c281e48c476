"""The steward: a process that tends the tables of live matches.

    bots.py        a bot's decisions, and its answers to offers
    loop.py        does what waits in a match; woken by the feeds and by deadlines
    heartbeat.py   when the service was running, so that no clock is charged for an outage
    __main__.py    the process

It lets bots decide, acts for seats whose time is over, carries out standing orders, and
finishes what another process left half done. It is no part of the rules: it writes through
a match's journal like any player.

Two stewards may run. Neither owns anything: a decision names the question it answers, a
question is answered once on a line, and the command's id is made from both. The second
learns that the first has decided. That is simpler than a lease: no lease must expire before
another can go on, and a steward that was stopped for a minute and wakes up does no harm.
The price is that both compute the same decisions. The second is there to take over, not to
share the work.
"""
