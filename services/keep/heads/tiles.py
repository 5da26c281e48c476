"""The hashes of a tree in files: 256 of one level to a tile. A whole tile never changes.

`tile/<level>/<number>`: level 0 holds the leaves, level 1 the roots over 256 of them, and
so on. The number is written in groups of three digits, all but the last with an `x`:
`x001/x234/067`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ledger.anchors.trees import node_hash
from ledger.log.stores.disk import write_at

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
                if len(self.tile(level, number)) != WIDTH * HASH or (
                    held != self._root_of(level, number)
                ):
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
