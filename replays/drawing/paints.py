"""Paints: the colours and shapes that tell seats and kinds of cells apart.

A class names each for a stylesheet (`seat-0`, `hue-red`, `fill-2`); the values here are for
pictures without one. If a game's players have colours of their own, those are used. Seats always
differ by a letter or a shape as well. A board is drawn on a night sky, whatever the paper around
it, so its colours are lighter than those of words on paper.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.kernel.scene import Scene


class Colour(NamedTuple):
    """The colour of somebody's things on paper, dark enough for white signs, and on a board."""

    paper: str
    lit: str


SEATS: Final = (
    Colour("#2b5fa8", "#6aa5ff"),
    Colour("#b4451c", "#f28a5c"),
    Colour("#7a3f98", "#c58af0"),
    Colour("#1d7a6b", "#4fc8b4"),
    Colour("#8a6a00", "#dcb94a"),
    Colour("#a02860", "#f07fb0"),
)
HUES: Final = {  # the words of a game for its colours
    "blue": Colour("#2458a6", "#5c9dff"),
    "green": Colour("#2c7a34", "#56c266"),
    "orange": Colour("#c2570c", "#f59342"),
    "purple": Colour("#74389a", "#b583f2"),
    "red": Colour("#b51d2e", "#f2616b"),
    "yellow": Colour("#8d6e00", "#f2d24b"),
    "black": Colour("#2a302d", "#94a1aa"),
    "brown": Colour("#6e4526", "#c08d62"),
    "pink": Colour("#b03a78", "#f487bd"),
    "teal": Colour("#167a72", "#4fc8b4"),
    "grey": Colour("#5f6863", "#b3bdb7"),  # who has not taken a colour yet
}
NOBODY: Final = Colour("#59615c", "#93a4ae")
LINE: Final = "#9aa69f"
INK: Final = "#17211c"
MARK: Final = "#ffdf80"

# On a board.
NIGHT: Final = "#0c1a24"
NIGHT_INK: Final = "#0b141c"  # on what is lit
FILLS: Final = ("#2a3d50", "#1a4632", "#523a17", "#13202b", "#422857", "#1d3a5e", "#0f1a23")
CELL_LINE: Final = "#48606f"
CELL_MARK: Final = "#6e5713"
GOLD: Final = "#ffd76a"
WORDS: Final = "#bfd0d8"
REGION: Final = "#7b95a3"  # around it
# The token of each seat: corners (none is a circle) and how far the first one is turned.
SHAPES: Final = ((0, 0), (4, 45), (4, 0), (6, 30), (3, -90), (5, -90))


def seat_class(scene: Scene | None, seat: int | None) -> str:
    """Returns the CSS classes for things of a seat."""
    if seat is None:
        return "nobody"
    hue = _hue(scene, seat)
    return f"seat-{seat % len(SEATS)}" + (f" hue-{hue}" if hue else "")


def colour_of(scene: Scene, seat: int | None) -> Colour:
    if seat is None:
        return NOBODY
    return HUES.get(_hue(scene, seat), SEATS[seat % len(SEATS)])


def shade(colour: str) -> str:
    """Returns a darker colour, for the shadowed side of a piece."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{part // 2:02x}" for part in parts)


def _hue(scene: Scene | None, seat: int) -> str:
    """Returns the colour name of the seat's player, or "" if it is not known here."""
    if scene is None or not 0 <= seat < len(scene.players):
        return ""
    hue = scene.players[seat].hue
    return hue if hue in HUES else ""


def seat_name(scene: Scene, seat: int) -> str:
    """Returns a seat's name for sentences about the scene."""
    return scene.players[seat].name if 0 <= seat < len(scene.players) else f"seat {seat}"
