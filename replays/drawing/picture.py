"""Pictures: a scene as SVG, for pages and reports. The code knows grids, but no game.

Each element has a class for a stylesheet, and plain attributes for use without one: `seat-0` to
`seat-5` and the hues of paints.py, `fill-0` and so on for the kinds of cells, `marked`. A piece
has the form that the scene gives it, with a letter for its seat; or else the shape of its seat,
with its sign. The board is drawn on a night sky, so the picture needs a dark background.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final, TypeAlias

from ledger.kernel.scene import Cell, Link, Piece, Scene

from .backgrounds import ground
from .outlines import OUTLINES, Outline
from .paints import (
    CELL_LINE,
    CELL_MARK,
    FILLS,
    GOLD,
    NIGHT,
    NIGHT_INK,
    REGION,
    SHAPES,
    WORDS,
    colour_of,
    seat_class,
    seat_name,
    shade,
)
from .places import (
    HEX_NOTE,
    OFFER_HIGH,
    OFFER_WIDE,
    SHOWN_MAX,
    SQUARE_NOTE,
    UNIT,
    Point,
    bounds,
    centre,
    corners,
    note_lines,
    number,
    offer_places,
    room,
    slots,
)

Standing: TypeAlias = tuple[Piece, Point, float]  # a piece, where it stands, and its radius

# The six directions of axial coordinates, in the order of a hex's edges from the right one on.
AROUND: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
SIGN_SIZES: Final = (1.15, 1.15, 0.85, 0.66)  # of a radius, by the number of letters
MARK_SIZES: Final = (1, 1, 0.84, 0.62)  # of a form's own size, by the number of letters
HALO: Final = f'stroke="{NIGHT}" stroke-width="2.5" stroke-opacity="0.75" paint-order="stroke"'
BEND: Final = 0.1  # of its length, that a link goes aside: two gates between two places are two


def scene_svg(scene: Scene, name: str = "scene") -> str:
    """Draws the board as one SVG element. Two on one page need different names."""
    left, top, right, bottom = bounds(scene)
    size = f"{number(left)} {number(top)} {number(right - left)} {number(bottom - top)}"
    named = f'role="img" aria-labelledby="{name}-title {name}-desc"'
    classes = f'class="scene {scene.grid}" font-family="system-ui, sans-serif"'
    standing, more = _standing(scene)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {classes} {named}>',
            f'<title id="{name}-title">{escape(scene.title)}</title>',
            f'<desc id="{name}-desc">{escape(scene_words(scene))}</desc>',
            *_cells(scene),
            *_regions(scene),
            *_links(scene, standing),
            *_texts(scene),
            *(line for one in standing for line in _token(scene, *one)),
            *_counts(scene, standing),
            *more,
            "</svg>",
        )
    )


def scene_words(scene: Scene) -> str:
    names = {cell.id: cell.label or cell.id for cell in scene.cells}
    words = [
        f"{_piece_words(scene, piece)} on {names[piece.cell]}"
        for piece in scene.pieces
        if piece.cell in names
    ]
    joined = _find_links(scene)
    words += [f"{link.name} from {names[one]} to {names[other]}" for link, one, other in joined]
    on_it = "; ".join(words) if words else "it is empty"
    marked = [names[cell.id] for cell in scene.cells if cell.marked]
    also = f" Marked: {', '.join(marked)}." if marked else ""
    return f"A board of {len(scene.cells)} cells: {on_it}.{also}"


def _piece_words(scene: Scene, piece: Piece) -> str:
    count = f"{piece.count} " if piece.count != 1 else ""
    owner = "" if piece.seat is None else f" of {seat_name(scene, piece.seat)}"
    return f"{count}{piece.name}{owner}"


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


# --- cells ----------------------------------------------------------------------------------------


def _cells(scene: Scene) -> Iterator[str]:
    others = {cell.kind for cell in scene.cells} - set(scene.kinds)
    kinds = [*scene.kinds, *sorted(others)]
    for cell in scene.cells:
        kind = kinds.index(cell.kind) % len(FILLS)
        classes = f"cell fill-{kind}" + (" marked" if cell.marked else "")
        fill, line = (CELL_MARK, GOLD) if cell.marked else (FILLS[kind], CELL_LINE)
        paint = f'class="{classes}" fill="{fill}" stroke="{line}" stroke-width="2"'
        yield _outline(scene, cell, paint)
        yield from ground(cell, centre(scene, cell))


def _texts(scene: Scene) -> Iterator[str]:
    for cell in scene.cells:
        if cell.label:
            yield _label(scene, cell)
        if cell.note:
            yield from _note(scene, cell)
        for offer, place in offer_places(scene, cell):
            yield from _offer(offer, place)


def _outline(scene: Scene, cell: Cell, paint: str) -> str:
    x, y = centre(scene, cell)
    if scene.grid == "hex":
        edge = corners((x, y), UNIT / math.sqrt(3) - 2, 6, 30)
        return f'<polygon points="{_points(edge)}" {paint}/>'
    side = UNIT - 4
    corner = f'x="{number(x - side / 2)}" y="{number(y - side / 2)}"'
    return f'<rect {corner} width="{number(side)}" height="{number(side)}" rx="6" {paint}/>'


def _label(scene: Scene, cell: Cell) -> str:
    x, y = centre(scene, cell)
    if scene.grid == "hex":
        where = f'x="{number(x)}" y="{number(y - 38)}" text-anchor="middle"'
    else:
        where = f'x="{number(x - 41)}" y="{number(y - 31)}"'
    return _lettering(cell.label, where, "label", 12)


def _note(scene: Scene, cell: Cell) -> Iterator[str]:
    """Draws a cell's note above the lower corner, where a hex is narrow; a long one takes two
    lines.
    """
    x, y = centre(scene, cell)
    lines = note_lines(cell.note, HEX_NOTE if scene.grid == "hex" else SQUARE_NOTE)
    if cell.offers:
        lines, first = [cell.note], 28
    else:
        first = 35 if len(lines) > 1 else 38 if scene.grid == "hex" else 41
    for line_number, line in enumerate(lines):
        where = f'x="{number(x)}" y="{number(y + first + 11 * line_number)}" text-anchor="middle"'
        yield _lettering(line, where, "label note", 10)


def _lettering(text: str, where: str, kind: str, size: int) -> str:
    paint = f'class="{kind}" fill="{WORDS}" font-size="{size}" {HALO}'
    return f"<text {where} {paint}>{escape(text)}</text>"


def _offer(offer: str, place: Point) -> Iterator[str]:
    x, y = place[0] - OFFER_WIDE / 2, place[1] - OFFER_HIGH / 2
    box = f'x="{number(x)}" y="{number(y)}" width="{number(OFFER_WIDE)}"'
    paint = (
        f'class="plate" fill="{NIGHT}" fill-opacity="0.6" stroke="{WORDS}" stroke-opacity="0.35"'
    )
    yield f'<rect {box} height="{number(OFFER_HIGH)}" rx="3.5" {paint}/>'
    yield _text(offer, place, 9, "offer", WORDS)


def _regions(scene: Scene) -> Iterator[str]:
    if scene.grid != "hex":
        return
    region = {(cell.x, cell.y): cell.region for cell in scene.cells}
    for cell in scene.cells:
        edge = [*corners(centre(scene, cell), UNIT / math.sqrt(3), 6, -30)]
        for side, (across, down) in enumerate(AROUND):
            if not cell.region or region.get((cell.x + across, cell.y + down)) == cell.region:
                continue
            (x, y), (u, v) = edge[side], edge[(side + 1) % 6]
            ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(u)}" y2="{number(v)}"'
            cap = 'stroke-linecap="round"'
            yield f'<line class="edge" {ends} stroke="{REGION}" stroke-width="3.5" {cap}/>'


# --- links ----------------------------------------------------------------------------------------


def _find_links(scene: Scene) -> Iterator[tuple[Link, str, str]]:
    """Yields the links whose cells are both on the board."""
    cells = {cell.id for cell in scene.cells}
    for link in scene.links:
        if {link.one, link.other} <= cells:
            yield link, link.one, link.other


def _links(scene: Scene, standing: list[Standing]) -> Iterator[str]:
    """Draws each link from piece to piece, or from cell to cell, in the seat's colour."""
    cells = {cell.id: centre(scene, cell) for cell in scene.cells}
    ends = {(piece.link, piece.cell): place for piece, place, _ in standing if piece.link}
    for link, one, other in _find_links(scene):
        line = bow(ends.get((link.id, one), cells[one]), ends.get((link.id, other), cells[other]))
        colour, owner = colour_of(scene, link.seat).lit, seat_class(scene, link.seat)
        drawn = f'd="{line}" fill="none" stroke-linecap="round"'
        yield f'<g class="link {owner}"><title>{escape(link.name)}</title>'
        casing = f'stroke="{NIGHT}" stroke-opacity="0.7" stroke-width="7"'
        yield f'<path class="casing" {drawn} {casing}/>'
        dashes = 'stroke-width="3.5" stroke-dasharray="1 7"'
        yield f'<path class="dots" {drawn} stroke="{colour}" {dashes}/></g>'


def bow(one: Point, other: Point) -> str:
    """Returns the path of a link, slightly bent."""
    (x, y), (u, v) = one, other
    across, down = (x + u) / 2 - (v - y) * BEND, (y + v) / 2 + (u - x) * BEND
    bend = f"Q{number(across)} {number(down)} {number(u)} {number(v)}"
    return f"M{number(x)} {number(y)}{bend}"


# --- pieces ---------------------------------------------------------------------------------------


def _standing(scene: Scene) -> tuple[list[Standing], list[str]]:
    """Returns the pieces to show with their places, and the labels that sum up the others."""
    cells: Mapping[str, Cell] = {cell.id: cell for cell in scene.cells}
    lying: dict[str, list[Piece]] = {}
    for piece in scene.pieces:
        if piece.cell in cells:
            lying.setdefault(piece.cell, []).append(piece)
    standing: list[Standing] = []
    more: list[str] = []
    for name, pieces in lying.items():
        cell = cells[name]
        places, step = slots(centre(scene, cell), room(scene, cell), len(pieces))
        radius = step * (0.4125 if len(places) == 1 else 0.45)
        shown = pieces if len(pieces) <= SHOWN_MAX else pieces[: SHOWN_MAX - 1]
        standing += [(piece, place, radius) for piece, place in zip(shown, places, strict=False)]
        if len(shown) < len(pieces):
            said = f"+{len(pieces) - len(shown)}"
            more.append(_text(said, places[-1], radius * 0.9, "more", WORDS))
    return standing, more


def _token(scene: Scene, piece: Piece, place: Point, radius: float) -> Iterator[str]:
    colour = colour_of(scene, piece.seat).lit
    yield f'<g class="piece {seat_class(scene, piece.seat)}">'
    yield f"<title>{escape(_piece_words(scene, piece))}</title>"
    if piece.form:
        yield from _draw_form(piece, OUTLINES[piece.form], place, radius, colour)
    else:
        paint = f'class="token" fill="{colour}" stroke="{colour}"'
        yield token_shape(piece.seat, place, radius, paint)
        size = radius * SIGN_SIZES[min(len(piece.sign), len(SIGN_SIZES) - 1)]
        yield _text(piece.sign, place, size, "sign", NIGHT_INK)
    yield "</g>"


def _draw_form(
    piece: Piece, outline: Outline, place: Point, radius: float, colour: str
) -> Iterator[str]:
    """Draws a piece in its form, like a wooden one: a face with a letter, and a side below."""
    x, y = place
    scale = radius / 10
    for name, down, fill in (("under", 1.4, shade(colour)), ("face", 0.0, colour)):
        at = f"translate({number(x)} {number(y + (down - 0.4) * scale)}) scale({scale:.4f})"
        paint = f'class="{name}" fill="{fill}" stroke="{NIGHT}" stroke-width="0.9"'
        rule = 'fill-rule="evenodd" stroke-linejoin="round"'
        yield f'<path d="{outline.path}" transform="{at}" {paint} {rule}/>'
    if piece.mark:
        if outline.hollow:
            hole = (x, y - 0.4 * scale)
            yield token_shape(None, hole, 6 * scale, f'class="hole" fill="{NIGHT}"')
        size = outline.size * MARK_SIZES[min(len(piece.mark), len(MARK_SIZES) - 1)] * scale
        kind, ink = ("sign hollow", colour) if outline.hollow else ("sign", NIGHT_INK)
        yield _text(piece.mark, (x, y + (outline.down - 0.4) * scale), size, kind, ink)


def _counts(scene: Scene, standing: list[Standing]) -> Iterator[str]:
    """Draws counts on the pieces that stand for several, above all tokens."""
    for piece, place, radius in standing:
        if piece.count == 1:
            continue
        colour = colour_of(scene, piece.seat).lit
        corner = (place[0] + radius * 0.78, place[1] - radius * 0.62)
        disc = f'class="badge" fill="{NIGHT}" stroke="{colour}" stroke-width="1.5"'
        size = radius * (0.75 if piece.count < 10 else 0.55)
        yield f'<g class="number {seat_class(scene, piece.seat)}">'
        yield token_shape(None, corner, radius * 0.48, disc)
        yield _text(str(piece.count), corner, size, "count", "#ffffff")
        yield "</g>"


def token_shape(seat: int | None, place: Point, radius: float, paint: str) -> str:
    """Draws the shape that identifies a seat, in addition to its colour."""
    many, turned = SHAPES[(seat or 0) % len(SHAPES)]
    if not many:
        x, y = place
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" {paint}/>'
    reach = radius * (1.2 if many == 3 else 1.1)  # as much area as the circle, or nearly
    down = radius * 0.15 if many == 3 else 0.0  # a triangle is wider below
    points = _points(corners((place[0], place[1] + down), reach, many, turned))
    soft = f'stroke-linejoin="round" stroke-width="{number(radius / 5)}"'  # round its corners
    return f'<polygon points="{points}" {soft} {paint}/>'


def _text(text: str, place: Point, size: float, kind: str, colour: str) -> str:
    x, y = place
    where = f'x="{number(x)}" y="{number(y)}" dy=".36em" text-anchor="middle"'
    paint = f'class="{kind}" fill="{colour}" font-size="{number(size)}" font-weight="700"'
    return f"<text {where} {paint}>{escape(text)}</text>"
