"""Signed heads carried into a backup, and out of it: whoever goes on must know what was signed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ledger.log.stores.segments.files import own_folder, write_whole

from .tree import CHECKPOINT, STATE, Tree


def carry_heads(source: Path, target: Path) -> bool:
    """Copy the tree that lies in one folder to another; says whether there was one.

    It may grow meanwhile: what counts is read first, and what lies beyond it is cut off by the
    next writer. What the target has is gone on from where it is an older copy of the same.
    """
    tree = Tree(source)
    note = tree.checkpoint()
    try:
        state = (source / STATE).read_bytes()
    except FileNotFoundError:
        return False
    own_folder(target)
    for path in _files(source):
        copied = target / path.relative_to(source)
        if not copied.is_file() or copied.stat().st_size != path.stat().st_size:
            own_folder(copied.parent)
            write_whole(copied, path.read_bytes())
    write_whole(target / STATE, state)
    if note is not None:
        write_whole(target / CHECKPOINT, note.encode())
    return True


def _files(folder: Path) -> Iterator[Path]:
    for part in ("tile", "match"):
        yield from (path for path in sorted((folder / part).rglob("*")) if path.is_file())
