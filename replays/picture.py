"""Pictures: a scene as SVG, for pages and reports. It knows grids and no game.

Everything has a class for a stylesheet and a plain attribute for where there is none: `seat-0` to
`seat-5`, `fill-0` to `fill-5` for the kinds of cells, `marked`. Seats differ in shape as well as in
colour, and every piece carries its sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import Final, TypeAlias

from ledger.kernel.scene import Cell, Link, Piece, Scene

Point: TypeAlias = tuple[float, float]

UNIT: Final = 100.0  # the side of a square, and the distance of two hexes
SEAT_COLOURS: Final = ("#2b5fa8", "#b4451c", "#7a3f98", "#1d7a6b", "#8a6a00", "#a02860")
FILLS: Final = ("#ffffff", "#e6efe2", "#efe8d8", "#dfe8f0", "#eee0e6", "#e4e4e4")
NOBODY: Final = "#59615c"
LINE: Final = "#9aa69f"
INK: Final = "#17211c"
MARK: Final = "#ffdf80"
# The token of each seat: corners (none is a circle) and how far the first one is turned.
SHAPES: Final = ((0, 0), (4, 45), (4, 0), (6, 30), (3, -90), (5, -90))
SHOWN_MAX: Final = 9  # tokens on one cell; more are summed up in the last
EDGE: Final = "#4c5852"  # around a region
# The six directions of axial coordinates, in the order of a hex's edges from the right one on.
AROUND: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def scene_svg(scene: Scene) -> str:
    """The board of a scene as one SVG element."""
    left, top, right, bottom = _bounds(scene)
    size = f"{_number(left)} {_number(top)} {_number(right - left)} {_number(bottom - top)}"
    named = 'role="img" aria-labelledby="scene-title scene-desc"'
    classes = f'class="scene {scene.grid}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {classes} {named}>',
            f'<title id="scene-title">{escape(scene.title)}</title>',
            f'<desc id="scene-desc">{escape(scene_words(scene))}</desc>',
            *_cells(scene),
            *_regions(scene),
            *_links(scene),
            *_pieces(scene),
            "</svg>",
        )
    )


def scene_words(scene: Scene) -> str:
    """What lies on the board, in a sentence."""
    names = {cell.id: cell.label or cell.id for cell in scene.cells}
    words = [_piece_words(piece, names) for piece in scene.pieces if piece.cell in names]
    joined = _joined(scene)
    words += [f"{link.name} from {names[one]} to {names[other]}" for link, one, other in joined]
    on_it = "; ".join(words) if words else "nothing lies on it"
    marked = [names[cell.id] for cell in scene.cells if cell.marked]
    also = f" Marked: {', '.join(marked)}." if marked else ""
    return f"A board of {len(scene.cells)} cells: {on_it}.{also}"


def _piece_words(piece: Piece, names: dict[str, str]) -> str:
    count = f"{piece.count} " if piece.count != 1 else ""
    owner = "" if piece.seat is None else f" of seat {piece.seat}"
    return f"{count}{piece.name}{owner} on {names[piece.cell]}"


# --- places ---------------------------------------------------------------------------------------


def _centre(scene: Scene, cell: Cell) -> Point:
    if scene.grid == "hex":
        return (cell.x + cell.y / 2) * UNIT, cell.y * UNIT * math.sqrt(3) / 2
    return cell.x * UNIT, cell.y * UNIT


def _bounds(scene: Scene) -> tuple[float, float, float, float]:
    centres = [_centre(scene, cell) for cell in scene.cells] or [(0.0, 0.0)]
    across = UNIT / 2 + 4
    down = UNIT / math.sqrt(3) + 4 if scene.grid == "hex" else across
    columns, rows = [x for x, _ in centres], [y for _, y in centres]
    return min(columns) - across, min(rows) - down, max(columns) + across, max(rows) + down


def _corners(centre: Point, radius: float, corners: int, turned: float) -> str:
    """The points of a regular polygon."""
    x, y = centre
    angles = (math.radians(turned + 360 * corner / corners) for corner in range(corners))
    points = ((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)
    return " ".join(f"{_number(one)},{_number(two)}" for one, two in points)


def _number(value: float) -> str:
    """A coordinate to a tenth, written in one way only."""
    rounded = round(value, 1) + 0.0  # no minus zero
    return f"{rounded:.1f}".removesuffix(".0")


# --- what is drawn --------------------------------------------------------------------------------


def _cells(scene: Scene) -> Iterator[str]:
    others = {cell.kind for cell in scene.cells} - set(scene.kinds)
    kinds = [*scene.kinds, *sorted(others)]
    for cell in scene.cells:
        number = kinds.index(cell.kind) % len(FILLS)
        classes = f"cell fill-{number}" + (" marked" if cell.marked else "")
        fill = MARK if cell.marked else FILLS[number]
        paint = f'class="{classes}" fill="{fill}" stroke="{LINE}" stroke-width="2"'
        yield _outline(scene, cell, paint)
        if cell.label:
            yield _label(scene, cell)
        if cell.note:
            yield _note(scene, cell)


def _outline(scene: Scene, cell: Cell, paint: str) -> str:
    x, y = _centre(scene, cell)
    if scene.grid == "hex":
        return f'<polygon points="{_corners((x, y), UNIT / math.sqrt(3) - 2, 6, 30)}" {paint}/>'
    side = UNIT - 4
    corner = f'x="{_number(x - side / 2)}" y="{_number(y - side / 2)}"'
    return f'<rect {corner} width="{_number(side)}" height="{_number(side)}" rx="6" {paint}/>'


def _label(scene: Scene, cell: Cell) -> str:
    x, y = _centre(scene, cell)
    if scene.grid == "hex":
        where = f'x="{_number(x)}" y="{_number(y - 38)}" text-anchor="middle"'
    else:
        where = f'x="{_number(x - 41)}" y="{_number(y - 31)}"'
    paint = f'class="label" fill="{NOBODY}" font-size="12"'
    return f"<text {where} {paint}>{escape(cell.label)}</text>"


def _note(scene: Scene, cell: Cell) -> str:
    x, y = _centre(scene, cell)
    where = f'x="{_number(x)}" y="{_number(y + 41)}" text-anchor="middle"'
    paint = f'class="label note" fill="{NOBODY}" font-size="10"'
    return f"<text {where} {paint}>{escape(cell.note)}</text>"


def _regions(scene: Scene) -> Iterator[str]:
    """The outline of every region: the edges of hexes that lead out of it."""
    if scene.grid != "hex":
        return
    region = {(cell.x, cell.y): cell.region for cell in scene.cells}
    for cell in scene.cells:
        corners = _corners(_centre(scene, cell), UNIT / math.sqrt(3), 6, -30).split()
        for number, (across, down) in enumerate(AROUND):
            if not cell.region or region.get((cell.x + across, cell.y + down)) == cell.region:
                continue
            one, other = corners[number].split(","), corners[(number + 1) % 6].split(",")
            ends = f'x1="{one[0]}" y1="{one[1]}" x2="{other[0]}" y2="{other[1]}"'
            yield f'<line class="edge" {ends} stroke="{EDGE}" stroke-width="4"/>'


def _joined(scene: Scene) -> Iterator[tuple[Link, str, str]]:
    """The links whose cells are both there."""
    cells = {cell.id for cell in scene.cells}
    for link in scene.links:
        if {link.one, link.other} <= cells:
            yield link, link.one, link.other


def _links(scene: Scene) -> Iterator[str]:
    """A line from cell to cell, in the colour of the seat."""
    cells = {cell.id: cell for cell in scene.cells}
    for link, one, other in _joined(scene):
        (x, y), (u, v) = _centre(scene, cells[one]), _centre(scene, cells[other])
        seat = None if link.seat is None else link.seat % len(SEAT_COLOURS)
        colour = NOBODY if seat is None else SEAT_COLOURS[seat]
        owner = "nobody" if seat is None else f"seat-{seat}"
        ends = f'x1="{_number(x)}" y1="{_number(y)}" x2="{_number(u)}" y2="{_number(v)}"'
        paint = f'stroke="{colour}" stroke-width="5" stroke-dasharray="3 7" stroke-linecap="round"'
        yield f'<g class="link {owner}"><line {ends} {paint}/></g>'


def _pieces(scene: Scene) -> Iterator[str]:
    cells = {cell.id: cell for cell in scene.cells}
    lying: dict[str, list[Piece]] = {}
    for piece in scene.pieces:
        if piece.cell in cells:
            lying.setdefault(piece.cell, []).append(piece)
    for cell_id, pieces in lying.items():
        cell = cells[cell_id]
        yield from _pile(_centre(scene, cell), pieces, 0.66 if cell.note else 0.8)


def _pile(centre: Point, pieces: list[Piece], share: float) -> Iterator[str]:
    """The pieces of one cell side by side, smaller the more there are."""
    shown = pieces if len(pieces) <= SHOWN_MAX else pieces[: SHOWN_MAX - 1]
    slots = min(len(pieces), SHOWN_MAX)
    columns = math.ceil(math.sqrt(slots))
    rows = math.ceil(slots / columns)
    step = UNIT * share / columns
    places = [
        (
            centre[0] + (slot % columns - (columns - 1) / 2) * step,
            centre[1] + (slot // columns - (rows - 1) / 2) * step,
        )
        for slot in range(slots)
    ]
    radius = step * (0.4125 if slots == 1 else 0.46)
    for piece, place in zip(shown, places, strict=False):
        yield from _token(piece, place, radius)
    if len(shown) < len(pieces):
        rest = len(pieces) - len(shown)
        yield _text(f"+{rest}", places[-1], radius * 0.9, "more", INK)


def _token(piece: Piece, place: Point, radius: float) -> Iterator[str]:
    seat = None if piece.seat is None else piece.seat % len(SEAT_COLOURS)
    colour = NOBODY if seat is None else SEAT_COLOURS[seat]
    owner = "nobody" if seat is None else f"seat-{seat}"
    yield f'<g class="piece {owner}">'
    yield _shape(seat, place, radius, f'class="token" fill="{colour}" stroke="{colour}"')
    size = radius * (1.15 if len(piece.sign) == 1 else 0.8)
    yield _text(piece.sign, place, size, "sign", "#ffffff")
    if piece.count != 1:
        corner = (place[0] + radius * 0.78, place[1] + radius * 0.78)
        yield _shape(None, corner, radius * 0.42, f'class="badge" fill="#ffffff" stroke="{colour}"')
        yield _text(str(piece.count), corner, radius * 0.5, "count", INK)
    yield "</g>"


def _shape(seat: int | None, place: Point, radius: float, paint: str) -> str:
    corners, turned = SHAPES[seat or 0]
    if not corners:
        x, y = place
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" {paint}/>'
    reach = radius * (1.3 if corners == 3 else 1.15)  # as much area as the circle, or nearly
    points = _corners(place, reach, corners, turned)
    soft = f'stroke-linejoin="round" stroke-width="{_number(radius / 5)}"'  # round its corners
    return f'<polygon points="{points}" {soft} {paint}/>'


def _text(text: str, place: Point, size: float, kind: str, colour: str) -> str:
    x, y = place
    where = f'x="{_number(x)}" y="{_number(y)}" dy=".36em" text-anchor="middle"'
    paint = f'class="{kind}" fill="{colour}" font-size="{_number(size)}" font-weight="700"'
    return f"<text {where} {paint}>{escape(text)}</text>"
