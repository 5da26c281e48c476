"""The leaf of each event of a match: one file per match, one row per event.

    row = the leaf's index (8 bytes) ‖ the event's head (32)      at (version - 1) * 40

A row is written before its leaf counts, so a crash may leave rows beyond the tree. A row is
valid only if its index is below the tree's size.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.disk import write_at

ROW: Final = 40


class Place(NamedTuple):
    match: str
    tip: Tip
    leaf: int


class TreePlaces:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, match: str, version: int, size: int) -> Place | None:
        """Returns an event's place in a tree of `size` leaves, or None if it is not in
        there yet.
        """
        if version < 1:
            return None
        try:
            with self._path(match).open("rb") as file:
                file.seek((version - 1) * ROW)
                row = file.read(ROW)
        except FileNotFoundError:
            return None
        index = int.from_bytes(row[:8], "big")
        if len(row) != ROW or index >= size:
            return None
        return Place(match, Tip(version, row[8:]), index)

    def end(self, match: str, size: int) -> Tip:
        """Returns the last event of a match in a tree of `size` leaves."""
        try:
            version = self._path(match).stat().st_size // ROW
        except FileNotFoundError:
            return EMPTY
        while version and (place := self.find(match, version, size)) is None:
            version -= 1
        return place.tip if version and place is not None else EMPTY

    def add(self, places: Iterable[Place]) -> None:
        """Records the places of events. They are on the disk when this returns."""
        by_match: dict[str, list[Place]] = {}
        for place in places:
            by_match.setdefault(place.match, []).append(place)
        for match, mine in by_match.items():
            rows = (one.leaf.to_bytes(8, "big") + one.tip.head for one in mine)
            write_at(self._path(match), (mine[0].tip.version - 1) * ROW, b"".join(rows))

    def _path(self, match: str) -> Path:
        # Ids are safe as names; the folders only keep each other short.
        return self._folder / "match" / hashlib.sha256(match.encode()).hexdigest()[:2] / match
