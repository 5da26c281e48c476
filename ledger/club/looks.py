"""Looks at secrets: an organizer who does not sit at the table may have one.

The table's book records it, and a person who has looked cannot sit there afterwards.
"""

from __future__ import annotations

from ledger.log.books import Entry


class Looked(Entry, tag="looked"):
    """The entry's author has seen what every seat sees, up to an event."""

    knew: int
    at_what: str = ""  # the match itself, unless it says what
