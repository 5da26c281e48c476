"""Places: the positions of everything in a picture, in the picture's own units.

A cell has its label above, its note below, and between them room for pieces, which are as large
as their number allows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from ledger.kernel.scene import Cell, Scene

Point: TypeAlias = tuple[float, float]

UNIT: Final = 100.0  # the side of a square, and the distance of two hexes
SHOWN_MAX: Final = 12  # tokens on one cell; more are summed up in the last


class Room(NamedTuple):
    """The free space of a cell for its pieces, as seen from its centre."""

    down: float  # how far its middle lies below the centre
    width: float
    height: float


# With a label alone; with a note or offers below; with both.
HEX_ROOMS: Final = (Room(2, 84, 72), Room(-4, 88, 56), Room(-8, 92, 50))
SQUARE_ROOMS: Final = (Room(0, 80, 80), Room(1, 84, 60), Room(-5, 84, 48))
OFFER_WIDE: Final = 17.0
OFFER_HIGH: Final = 12.0
# The number of letters of a note that fit into each line of a cell, the upper one first.
HEX_NOTE: Final = (12, 9)
SQUARE_NOTE: Final = (18,)


def number(value: float) -> str:
    """Formats a coordinate to a tenth, always in the same way."""
    rounded = round(value, 1) + 0.0  # no minus zero
    return f"{rounded:.1f}".removesuffix(".0")


def centre(scene: Scene, cell: Cell) -> Point:
    if scene.grid == "hex":
        return (cell.x + cell.y / 2) * UNIT, cell.y * UNIT * math.sqrt(3) / 2
    return cell.x * UNIT, cell.y * UNIT


def bounds(scene: Scene) -> tuple[float, float, float, float]:
    centres = [centre(scene, cell) for cell in scene.cells] or [(0.0, 0.0)]
    across = UNIT / 2 + 4
    down = UNIT / math.sqrt(3) + 4 if scene.grid == "hex" else across
    columns, rows = [x for x, _ in centres], [y for _, y in centres]
    return min(columns) - across, min(rows) - down, max(columns) + across, max(rows) + down


def room(scene: Scene, cell: Cell) -> Room:
    rooms = HEX_ROOMS if scene.grid == "hex" else SQUARE_ROOMS
    return rooms[bool(cell.note) + bool(cell.offers)]


def offer_places(scene: Scene, cell: Cell) -> Iterator[tuple[str, Point]]:
    """Yields a cell's offers, each with the middle of its plate, in a row at the foot of the
    cell.
    """
    x, y = centre(scene, cell)
    offers = cell.offers.split()
    down = (40.0 if len(offers) < 3 else 36.0) if scene.grid == "hex" else 37.0
    for number, offer in enumerate(offers):
        yield offer, (x + (number - (len(offers) - 1) / 2) * (OFFER_WIDE + 1), y + down)


def slots(middle: Point, free: Room, number: int) -> tuple[list[Point], float]:
    """Returns places for a number of pieces side by side, and the distance between them."""
    shown = min(number, SHOWN_MAX)
    steps = [
        (min(free.width / columns, free.height / math.ceil(shown / columns)), -columns)
        for columns in range(1, shown + 1)
    ]
    step, columns = max(steps)[0], -max(steps)[1]
    rows = math.ceil(shown / columns)
    places = []
    for slot in range(shown):
        row = slot // columns
        in_row = min(columns, shown - row * columns)
        across = slot % columns - (in_row - 1) / 2
        down = row - (rows - 1) / 2
        places.append((middle[0] + across * step, middle[1] + free.down + down * step))
    return places, step


def note_lines(note: str, fitting: Sequence[int]) -> list[str]:
    """Wraps a note between words to lines that fit; the last line takes all that is left."""
    lines = [""]
    for word in note.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(longer) > fitting[len(lines) - 1] and len(lines) < len(fitting):
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def corners(middle: Point, radius: float, number: int, turned: float) -> Iterator[Point]:
    x, y = middle
    for corner in range(number):
        angle = math.radians(turned + 360 * corner / number)
        yield x + radius * math.cos(angle), y + radius * math.sin(angle)
