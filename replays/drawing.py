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
    labels = {cell.id: cell.label or cell.id for cell in scene.cells}
    for link in scene.links:
        yield f"  {link.name}: {labels.get(link.one)} - {labels.get(link.other)}"
    for card in scene.cards:
        name = card.name or "face down"
        whose = "" if card.seat is None else f" of seat {card.seat}"
        count = "" if card.count == 1 else f"{card.count} "
        yield f"  {card.place}{whose}: {count}{name}"
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
    if any(cell.note for cell in scene.cells):
        yield from _list(scene, signs)
        return
    yield from _grid(scene, {cell.id: "".join(signs.get(cell.id, [])) for cell in scene.cells})


def _list(scene: Scene, signs: dict[str, list[str]]) -> Iterator[str]:
    """Where a place says more of itself than fits: a plan of the labels, and a line for each."""
    yield from _grid(scene, {cell.id: cell.label for cell in scene.cells})
    for cell in scene.cells:
        lying = signs.get(cell.id, [])
        if cell.note or lying:
            note = f" ({cell.note})" if cell.note else ""
            yield f"  {cell.label or cell.id}{note}: {' '.join(lying) or '-'}"


def _grid(scene: Scene, texts: dict[str, str]) -> Iterator[str]:
    rows: dict[int, list[tuple[int, str]]] = {}
    for cell in scene.cells:
        text = texts[cell.id] or "."
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
