"""What a club keeps beside its matches, each in a book of its own (ledger/log/books.py).

    people.py    who there is, their roles, and what opens the door to them
    texts.py     what may stand in a text that people write

Pure as the rules are: no clock, no entropy, no I/O. Who writes in a book hands in the time, ids
and hashes; what is not allowed is refused with a code, and nothing is written.
"""
