"""Looks at what is secret: who runs the club and sits nowhere at a table may have one.

It stands in the table's book, and who has looked cannot sit there afterwards.
"""

from __future__ import annotations

from ledger.log.books import Entry


class Looked(Entry, tag="looked"):
    """Who writes this has seen what every seat sees, up to an event."""

    knew: int
    at_what: str = ""  # the match itself, unless it says what
