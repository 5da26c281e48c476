"""Pieces that several games share: records' bodies, checks and generators without rule ids.

A game subclasses what it uses: the docstring of its class cites the rule, and ClassVars carry the
rule ids, currencies and record types that the part needs. A module of records that are finished,
with no rule to cite, is a chapter of the game as it is: the game names it among its own.
"""
