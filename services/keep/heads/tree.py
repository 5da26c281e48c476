"""The tree over all events, in a folder: leaves go in, roots, proofs and signed heads come out.

    heads/tile/...      the hashes                        (tiles.py)
    heads/match/...     where each event stands           (places.py)
    heads/tree          how many leaves count, the root, and how far the segments were read
    heads/checkpoint    the last signed head

`tree` is written last and whole: what lies beyond it in the other files was never there. Readers
need no lock, for what counts never changes.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from ledger.anchors.checkpoints import leaf_of
from ledger.anchors.trees import EMPTY_ROOT, consistency_proof, inclusion_proof, root
from ledger.log.stores.segments.files import own_folder, write_whole

from .places import Place, Places
from .tiles import DamagedTiles, Tiles

HEADS: Final = "heads"
STATE: Final = "tree"
CHECKPOINT: Final = "checkpoint"


class TreeState(msgspec.Struct, frozen=True, kw_only=True):
    """What of the folder counts."""

    size: int = 0
    root: bytes = EMPTY_ROOT
    read: dict[str, int] = {}  # by shard: the position of the last record that was taken


class InUse(Exception):
    """Another process writes this folder."""


class Tree:
    """The tree as its readers see it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tiles = Tiles(folder)
        self.places = Places(folder)

    @property
    def state(self) -> TreeState:
        """What counts now."""
        try:
            return msgspec.json.decode((self.folder / STATE).read_bytes(), type=TreeState)
        except FileNotFoundError:
            return TreeState()
        except msgspec.MsgspecError as reason:
            raise DamagedTiles(f"{self.folder / STATE} is damaged: {reason}") from None

    def checkpoint(self) -> str | None:
        """The last signed head, if there is one."""
        try:
            return (self.folder / CHECKPOINT).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def signed_size(self) -> int:
        """How many events are under the last signed head."""
        note = self.checkpoint()
        return 0 if note is None else int(note.split("\n", 2)[1])

    def signed_at(self) -> float | None:
        """When the last head was signed, in seconds."""
        try:
            return (self.folder / CHECKPOINT).stat().st_mtime
        except FileNotFoundError:
            return None

    def root(self, size: int) -> bytes:
        """The root over the first so many leaves, from the files."""
        return root(self.tiles.hash, size)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """What shows that a leaf is in the tree of so many."""
        return inclusion_proof(self.tiles.hash, index, size)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """What shows that the tree of `new` leaves goes on from the one of `old`."""
        return consistency_proof(self.tiles.hash, old, new)


class TreeWriter(Tree):
    """The tree as its one writer has it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        own_folder(folder)
        self._lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise InUse(f"the signed heads in {folder} are written by another process") from None
        self.now = self.state
        try:
            self.tiles.cut(self.now.size)
            self._check()
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        self.tiles.check(self.now.size)
        if self.root(self.now.size) != self.now.root:
            raise DamagedTiles(f"the tiles in {self.folder} do not come to the root they came to")

    def close(self) -> None:
        """Let another process write."""
        os.close(self._lock)

    def add(self, events: Sequence[Place], read: dict[str, int]) -> None:
        """Take events in, at the places that were given to them; all of it counts, or nothing."""
        size = self.now.size
        assert [place.leaf for place in events] == list(range(size, size + len(events)))
        self.tiles.add(size, [leaf_of(place.match, place.tip) for place in events])
        self.places.add(events)
        grown = size + len(events)
        state = TreeState(size=grown, root=self.root(grown), read=read)
        write_whole(self.folder / STATE, msgspec.json.encode(state))
        self.now = state

    def publish(self, note: str) -> None:
        """Put a signed head where everybody finds it."""
        write_whole(self.folder / CHECKPOINT, note.encode())
