"""Drawing: a scene as text, for terminals, screen readers and everybody without a picture."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.scene import Cell, Scene

_CELL_WIDTH = 4


def scene_text(scene: Scene) -> str:
    """A scene as lines of text."""
    return "\n".join(line.rstrip() for line in _lines(scene))


def _lines(scene: Scene) -> Iterator[str]:
    yield scene.title
    yield from _board(scene)
    for card in scene.cards:
        name = card.name or "face down"
        yield f"  {card.place} of seat {card.seat}: {name}"
    for track in scene.tracks:
        yield f"  {track.name}: {track.value} of {track.high}"
    for counter in scene.counters:
        yield f"  {counter.name}: {counter.value}"


def _board(scene: Scene) -> Iterator[str]:
    if not scene.cells:
        return
    signs: dict[str, list[str]] = {}
    for piece in scene.pieces:
        sign = piece.sign if piece.count == 1 else f"{piece.count}{piece.sign}"
        signs.setdefault(piece.cell, []).append(sign)
    rows: dict[int, dict[int, Cell]] = {}
    for cell in scene.cells:
        rows.setdefault(cell.y, {})[cell.x] = cell
    left = min(cell.x for cell in scene.cells)
    right = max(cell.x for cell in scene.cells)
    for y, row in sorted(rows.items()):
        shift = " " * (_CELL_WIDTH // 2 * (y % 2)) if scene.grid == "hex" else ""
        texts = []
        for x in range(left, right + 1):
            here = row.get(x)
            text = "" if here is None else "".join(signs.get(here.id, [])) or "."
            texts.append(text.center(_CELL_WIDTH))
        yield "  " + shift + "".join(texts)
