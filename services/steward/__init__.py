"""The steward: a process that tends the tables of live matches.

    attending.py   one match: what waits there for nobody at a screen
    thinking.py    what a bot decides, and what it says to offers
    loop.py        all matches: woken by the feeds and by deadlines
    alive.py       when the service was there, so that nobody is charged for when it was not
    __main__.py    the process

It lets bots decide where they are asked, acts for seats whose time has run down, carries out
standing orders, and finishes what another process left half done. It is no part of the rules: what
it does goes through a match's journal as anybody's decision does.

Two stewards may run. Neither owns anything: a decision names the question that it answers, a
question is answered once on a line, and the command's id is made from both. Who is second is told
that the first was there. That is simpler than a lease, nothing has to run out before another can
go on, and a steward that was stopped for a minute and wakes up does no harm. The price is that two
think about the same moves; the second is there to take over, not to share the work.
"""
