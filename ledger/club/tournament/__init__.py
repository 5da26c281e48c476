"""A tournament: the book `tournament:<id>`, and what follows from its entries alone.

    entries.py     what may stand in the book; what is refused
    state.py       what the entries come to
    founding.py    what a tournament is made with, checked, with its defaults
    writing.py     what may be written next: players, rounds, tables
    deciding.py    ... and what is said of a table's end: results, forfeits, the close of a round
    pairing.py     who plays whom: a draw that anybody can repeat from its seed
    standings.py   points and tie-breaks, each figure with what it is the sum of
    audit.py       the same again from the entries and the logs of the matches

Players have numbers here, and tables and rounds too, each from 1 on. A person's id stands with the
entry of a player and nowhere else. A seat is a place in the list of a table's players, from 0 on.
"""
