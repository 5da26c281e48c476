"""The tree over all events, in a folder: takes leaves, gives roots, proofs and signed heads.

    heads/tile/<level>/<number>   256 hashes of one level; a whole tile never changes
    heads/match/<xx>/<match>      the leaf of each event of a match: one row per event
    heads/tree                    the number of leaves, the root, how far the segments were read
    heads/checkpoint              the last signed head

Level 0 of the tiles holds the leaves, level 1 the roots over 256 of them, and so on. The number
is written in groups of three digits, all but the last with an `x`: `x001/x234/067`.

    row = the leaf's index (8 bytes) ‖ the event's head (32)      at (version - 1) * 40

`tree` is written last and atomically. Readers ignore anything beyond it in the other files: a row
is valid only if its index is below the tree's size. They need no lock, because the part that counts
never changes.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ledger.anchors.notes import leaf_of
from ledger.anchors.trees import EMPTY_ROOT, consistency_proof, inclusion_proof, node_hash, root
from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.disk import own_folder, write_at, write_whole

HEADS: Final = "heads"
STATE: Final = "tree"
CHECKPOINT: Final = "checkpoint"
ROW: Final = 40
WIDTH: Final = 256
HASH: Final = 32
LEVELS: Final = 8  # of tiles: 2^64 leaves


class DamagedTiles(Exception):
    """The files no longer hold what was written."""


def tile_path(level: int, number: int) -> str:
    digits = f"{number:03d}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return "/".join([f"tile/{level}", *(f"x{group}" for group in groups[:-1]), groups[-1]])


class Tiles:
    """The tiles of one folder. Not safe with two writers: the folder's lock prevents that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def tile(self, level: int, number: int) -> bytes:
        """Returns the hashes that a tile has so far."""
        try:
            return (self._folder / tile_path(level, number)).read_bytes()
        except FileNotFoundError:
            return b""

    def hash(self, level: int, index: int) -> bytes:
        """Returns the hash of a whole subtree of `2^level` leaves."""
        tiles, within = divmod(level, 8)
        first = index << within
        number, place = divmod(first, WIDTH)
        held = self.tile(tiles, number)
        part = held[place * HASH : (place + (1 << within)) * HASH]
        if len(part) != HASH << within:
            raise DamagedTiles(f"{tile_path(tiles, number)} lacks hashes that were written")
        return _fold_hashes(part)

    def check(self, size: int) -> None:
        """Compares every whole tile with the hash above it, since a root uses the highest tiles
        only.
        """
        for level in range(LEVELS - 1):
            for number in range((size >> (8 * level)) // WIDTH):
                above, place = divmod(number, WIDTH)
                held = self.tile(level + 1, above)[place * HASH : (place + 1) * HASH]
                tile = self.tile(level, number)
                if len(tile) != WIDTH * HASH or held != _fold_hashes(tile):
                    path = tile_path(level, number)
                    raise DamagedTiles(f"{path} does not match the hash above it")

    def cut(self, size: int) -> None:
        """Keeps the first `size` leaves and the hashes over them; removes everything beyond."""
        for level in range(LEVELS):
            whole, rest = divmod(size >> (8 * level), WIDTH)
            number = whole
            while (path := self._folder / tile_path(level, number)).is_file():
                if number == whole and rest:
                    os.truncate(path, min(path.stat().st_size, rest * HASH))
                else:
                    path.unlink()
                number += 1

    def add(self, size: int, leaves: Sequence[bytes]) -> None:
        """Appends leaves after the first `size`. They are on the disk when this returns."""
        level, first, hashes = 0, size, list(leaves)
        while hashes:
            self._write(level, first, hashes)
            begin, end = first // WIDTH, (first + len(hashes)) // WIDTH
            hashes = [self._root_of(level, number) for number in range(begin, end)]
            level, first = level + 1, begin

    def _root_of(self, level: int, number: int) -> bytes:
        held = self.tile(level, number)
        assert len(held) == WIDTH * HASH, "only whole tiles have a hash"
        return _fold_hashes(held)

    def _write(self, level: int, first: int, hashes: Sequence[bytes]) -> None:
        at = 0
        while at < len(hashes):
            number, place = divmod(first + at, WIDTH)
            part = hashes[at : at + WIDTH - place]
            path = self._folder / tile_path(level, number)
            if place and not (path.is_file() and path.stat().st_size >= place * HASH):
                raise DamagedTiles(f"{path} lacks hashes that were written")
            write_at(path, place * HASH, b"".join(part))
            at += len(part)


def _fold_hashes(held: bytes) -> bytes:
    """Returns the root over the lowest hashes of a whole subtree."""
    found = [held[at : at + HASH] for at in range(0, len(held), HASH)]
    while len(found) > 1:
        found = [node_hash(found[at], found[at + 1]) for at in range(0, len(found), 2)]
    return found[0]


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
            rows = self._path(match).stat().st_size // ROW
        except FileNotFoundError:
            return EMPTY
        for version in range(rows, 0, -1):
            if place := self.find(match, version, size):
                return place.tip
        return EMPTY

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
            message = f"the signed heads in {folder} are written by another process"
            raise TreeInUse(message) from None
        try:
            self.now = self.state
            self.tiles.cut(self.now.size)
            self.tiles.check(self.now.size)
            if self.root(self.now.size) != self.now.root:
                raise DamagedTiles(f"the tiles in {self.folder} no longer give their root")
        except BaseException:
            self.close()
            raise

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


def carry_heads(source: Path, target: Path) -> bool:
    """Copies the tree of one folder to another; returns whether there was one.

    The source may grow meanwhile: its state is read first, and the next writer cuts off
    everything beyond it. A target that holds an older copy of the same tree is extended.
    """
    tree = Tree(source)
    note = tree.checkpoint()
    try:
        state = (source / STATE).read_bytes()
    except FileNotFoundError:
        return False
    own_folder(target)
    parts = [*(source / "tile").rglob("*"), *(source / "match").rglob("*")]
    for path in filter(Path.is_file, parts):
        copied = target / path.relative_to(source)
        if not copied.is_file() or copied.stat().st_size != path.stat().st_size:
            own_folder(copied.parent)
            write_whole(copied, path.read_bytes())
    write_whole(target / STATE, state)
    if note is not None:
        write_whole(target / CHECKPOINT, note.encode())
    return True
