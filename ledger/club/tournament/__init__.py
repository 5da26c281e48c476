"""A tournament: the book `tournament:<id>`, and everything that its entries alone determine.

    entries.py     the entries of the book; the refusals
    state.py       the state after the entries
    terms.py       the settings of a new tournament, checked, with defaults
    commands.py    the next entries that are allowed: players, rounds, tables
    results.py     entries about a table's end: results, forfeits, the close of a round
    pairing.py     the draw of a round, which anyone can repeat from its seed
    standings.py   points and tie-breaks, each figure with the items of its sum
    audit.py       checks all of it again from the entries and the logs of the matches

Players, tables and rounds have numbers from 1 on. Only the entry of a player holds the person's id.
A seat is a place in the list of a table's players, from 0 on.
"""
