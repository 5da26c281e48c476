"""Copies signed heads into a backup and back, so that no later signer contradicts them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ledger.log.stores.disk import own_folder, write_whole

from .tree import CHECKPOINT, STATE, Tree


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
