"""The tree over all events, in a folder: takes leaves, gives roots, proofs and signed heads.

    heads/tile/...      the hashes                        (tiles.py)
    heads/match/...     the leaf of each event            (places.py)
    heads/tree          the number of leaves, the root, and how far the segments were read
    heads/checkpoint    the last signed head

`tree` is written last and atomically. Readers ignore anything beyond it in the other files.
They need no lock, because the part that counts never changes.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from ledger.anchors.notes import leaf_of
from ledger.anchors.trees import EMPTY_ROOT, consistency_proof, inclusion_proof, root
from ledger.log.stores.disk import own_folder, write_whole

from .places import Place, TreePlaces
from .tiles import DamagedTiles, Tiles

HEADS: Final = "heads"
STATE: Final = "tree"
CHECKPOINT: Final = "checkpoint"


class TreeState(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the folder that counts: its size, its root and the positions read."""

    size: int = 0
    root: bytes = EMPTY_ROOT
    read: dict[str, int] = {}  # by shard: the position of the last record that was taken


class TreeInUse(Exception):
    """Another process is writing to this folder."""


class Tree:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tiles = Tiles(folder)
        self.places = TreePlaces(folder)

    @property
    def state(self) -> TreeState:
        try:
            return msgspec.json.decode((self.folder / STATE).read_bytes(), type=TreeState)
        except FileNotFoundError:
            return TreeState()
        except msgspec.MsgspecError as reason:
            raise DamagedTiles(f"{self.folder / STATE} is damaged: {reason}") from None

    def checkpoint(self) -> str | None:
        try:
            return (self.folder / CHECKPOINT).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def signed_size(self) -> int:
        """Returns the number of events under the last signed head."""
        note = self.checkpoint()
        return 0 if note is None else int(note.split("\n", 2)[1])

    def signed_at(self) -> float | None:
        """Returns when the last head was signed, in seconds."""
        try:
            return (self.folder / CHECKPOINT).stat().st_mtime
        except FileNotFoundError:
            return None

    def root(self, size: int) -> bytes:
        """Returns the root over the first `size` leaves, from the files."""
        return root(self.tiles.hash, size)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Returns the proof that a leaf is in the tree of `size` leaves."""
        return inclusion_proof(self.tiles.hash, index, size)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Returns the proof that the tree of `new` leaves extends the one of `old`."""
        return consistency_proof(self.tiles.hash, old, new)


class TreeWriter(Tree):
    """The tree as its only writer has it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        own_folder(folder)
        self._lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise TreeInUse(
                f"the signed heads in {folder} are written by another process"
            ) from None
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
            raise DamagedTiles(f"the tiles in {self.folder} no longer give their root")

    def close(self) -> None:
        """Releases the lock, so that another process can write."""
        os.close(self._lock)

    def add(self, events: Sequence[Place], read: dict[str, int]) -> None:
        """Appends events at their given places. All of them count, or none."""
        size = self.now.size
        assert [place.leaf for place in events] == list(range(size, size + len(events)))
        self.tiles.add(size, [leaf_of(place.match, place.tip) for place in events])
        self.places.add(events)
        grown = size + len(events)
        state = TreeState(size=grown, root=self.root(grown), read=read)
        write_whole(self.folder / STATE, msgspec.json.encode(state))
        self.now = state

    def publish(self, note: str) -> None:
        """Publishes a signed head in the folder."""
        write_whole(self.folder / CHECKPOINT, note.encode())
