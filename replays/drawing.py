"""Drawing: a scene as text, for terminals, screen readers and everybody without a picture."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.scene import Scene

_CELL_WIDTH = 4


def scene_text(scene: Scene) -> str:
    """A scene as lines of text."""
    return "\n".join(line.rstrip() for line in _lines(scene))


def _lines(scene: Scene) -> Iterator[str]:
    yield scene.title
    yield from _board(scene)
    for card in scene.cards:
        name = card.name or "face down"
        whose = "" if card.seat is None else f" of seat {card.seat}"
        yield f"  {card.place}{whose}: {name}"
    for track in scene.tracks:
        reach = f"of {track.high}" if track.low == 0 else f"({track.low} to {track.high})"
        yield f"  {track.name}: {track.value} {reach}"
    for counter in scene.counters:
        yield f"  {counter.name}: {counter.value}"


def _board(scene: Scene) -> Iterator[str]:
    if not scene.cells:
        return
    signs: dict[str, list[str]] = {}
    for piece in scene.pieces:
        sign = piece.sign if piece.count == 1 else f"{piece.count}{piece.sign}"
        signs.setdefault(piece.cell, []).append(sign)
    rows: dict[int, list[tuple[int, str]]] = {}
    for cell in scene.cells:
        text = "".join(signs.get(cell.id, [])) or "."
        if cell.marked:
            text = f"[{text}]"
        # Axial hexes: each row begins half a cell further to the right.
        half_cells = 2 * cell.x + (cell.y if scene.grid == "hex" else 0)
        rows.setdefault(cell.y, []).append((half_cells, text))
    first = min(place for row in rows.values() for place, _ in row)
    for _, row in sorted(rows.items()):
        line = ""
        for place, text in sorted(row):
            column = (place - first) * _CELL_WIDTH // 2
            line = line.ljust(column) + text.center(_CELL_WIDTH)
        yield "  " + line
