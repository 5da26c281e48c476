"""Marks the cells of a scene that an event changed, for a reader of that event alone."""

from __future__ import annotations

import msgspec

from ledger.kernel.scene import Cell, Scene


def with_changes(before: Scene, now: Scene) -> Scene:
    """Returns the scene with every cell marked whose pieces changed, unless the game marks
    cells itself.
    """
    if any(cell.marked for cell in now.cells):
        return now  # the game marks what matters itself
    was, is_now = _lying(before), _lying(now)
    cells = tuple(
        msgspec.structs.replace(cell, marked=was.get(cell.id) != is_now.get(cell.id))
        for cell in now.cells
    )
    return msgspec.structs.replace(now, cells=cells)


def _lying(scene: Scene) -> dict[str, set[tuple[object, ...]]]:
    lying: dict[str, set[tuple[object, ...]]] = {}
    for piece in scene.pieces:
        lying.setdefault(piece.cell, set()).add((piece.id, piece.sign, piece.seat, piece.count))
    return lying


def empty_scene(scene: Scene) -> Scene:
    """Returns only the outline of the board."""
    cells = tuple(Cell(id=cell.id, x=cell.x, y=cell.y, region=cell.region) for cell in scene.cells)
    return Scene(title=scene.title, grid=scene.grid, cells=cells)
