"""Scenes as text, for terminals, screen readers and all who cannot use a picture."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from ledger.kernel.scene import Card, Scene, Track

from .groups import Group, groups

WIDTH: Final = 80  # of a terminal; longer lines go on in the next one
_CELL_WIDTH: Final = 4  # at least


def scene_text(scene: Scene) -> str:
    """Renders a scene as lines of text: a plan of the board, then everything else in words."""
    entries = (part for line in _entries(scene) for part in _wrap_line(line))
    lines = (scene.title, *_plan(scene), *entries)
    return "\n".join(line.rstrip() for line in lines)


def _wrap_line(line: str) -> list[str]:
    """Wraps a long line, with the rest indented further."""
    margin = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=margin, break_on_hyphens=False, break_long_words=False
    )


def _entries(scene: Scene) -> Iterator[str]:
    if about := ". ".join(filter(None, (scene.signs, scene.legend))):
        yield f"  {about}"
    labels = {cell.id: cell.label or cell.id for cell in scene.cells}
    if _speaks(scene):
        yield from _places(scene)
    for link in scene.links:
        yield f"  {link.name}: {labels.get(link.one)} - {labels.get(link.other)}"
    for group in groups(scene):
        yield from _render_shared(group) if group.seat is None else _of_player(group)


def _render_shared(group: Group) -> Iterator[str]:
    """Renders everything shared; all there is if the scene names no players."""
    for lot in group.lots:
        for card in lot.cards:
            whose = "" if card.seat is None else f" of seat {card.seat}"
            yield f"  {card.place}{whose}: {_face(card)}"
    yield from (f"  {one.name}: {_reach(one)}" for one in group.tracks)
    yield from (f"  {one.name}: {one.value}" for one in group.counters)


def _of_player(group: Group) -> Iterator[str]:
    yield f"  {group.name} (seat {group.seat})"
    scales = [f"{one.name} {_reach(one)}" for one in group.tracks]
    figures = [f"{one.name} {one.value}" for one in group.figures]
    if scales or figures:
        yield f"    {', '.join((*scales, *figures))}"
    yield from (f"    {one.name}: {one.value}" for one in group.words)
    for lot in group.lots:
        yield from (f"    {lot.place}: {_face(card)}" for card in lot.cards)


def _face(card: Card) -> str:
    count = "" if card.count == 1 else f"{card.count} "
    return f"{count}{card.name or 'face down'}"


def _reach(track: Track) -> str:
    if track.endless:
        return f"{track.value}"
    return f"{track.value} " + (
        f"of {track.high}" if track.low == 0 else f"({track.low} to {track.high})"
    )


# --- the board ------------------------------------------------------------------------------------


def _speaks(scene: Scene) -> bool:
    """Tells if a cell says more than fits into the plan, so that each cell needs a line."""
    return any(cell.note or cell.offers for cell in scene.cells)


def _plan(scene: Scene) -> Iterator[str]:
    if scene.cells and _speaks(scene):
        yield from _grid(scene, {cell.id: cell.label for cell in scene.cells})
    elif scene.cells:
        signs = _signs(scene)
        yield from _grid(scene, {cell.id: "".join(signs.get(cell.id, ())) for cell in scene.cells})


def _signs(scene: Scene) -> dict[str, list[str]]:
    signs: dict[str, list[str]] = {}
    for piece in scene.pieces:
        sign = piece.sign if piece.count == 1 else f"{piece.count}{piece.sign}"
        signs.setdefault(piece.cell, []).append(sign)
    return signs


def _places(scene: Scene) -> Iterator[str]:
    signs = _signs(scene)
    for cell in scene.cells:
        lying = signs.get(cell.id, [])
        about = f"{cell.note} {cell.offers}".strip()
        if about or lying:
            note = f" ({about})" if about else ""
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
    longest = max(len(text) for row in rows.values() for _, text in row)
    width = max(_CELL_WIDTH, longest + longest % 2)
    for _, row in sorted(rows.items()):
        line = ""
        for place, text in sorted(row):
            line = line.ljust((place - first) * width // 2) + text.center(width)
        yield "  " + line
