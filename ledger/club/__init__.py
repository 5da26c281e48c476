"""Everything a club stores outside its matches, each kind in its own book (ledger/log/books.py).

    people.py    the people, their roles, and the passes that let them in
    texts.py     the rules for text that people write

Like the rules, this package has no clock, no entropy and no I/O. The caller passes in time, ids and
hashes. A request that is not allowed is refused with a code, and nothing is written.
"""
