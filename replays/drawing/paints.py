"""Paints: the colours and shapes that tell seats and kinds of cells apart.

A class names each for a stylesheet (`seat-0`, `hue-red`, `fill-2`); the values here are for
pictures without one. If a game's players have colours of their own, those are used. Seats always
differ by a letter or a shape as well. A board is drawn on a night sky, whatever the paper around
it, so its colours are lighter than those of words on paper.
"""

from __future__ import annotations

from typing import Final

from ledger.kernel.scene import Scene

SEAT_COLOURS: Final = ("#2b5fa8", "#b4451c", "#7a3f98", "#1d7a6b", "#8a6a00", "#a02860")
# What the words of a game for its colours look like: dark enough for white signs on them.
HUES: Final = {
    "blue": "#2458a6",
    "green": "#2c7a34",
    "orange": "#c2570c",
    "purple": "#74389a",
    "red": "#b51d2e",
    "yellow": "#8d6e00",
    "black": "#2a302d",
    "brown": "#6e4526",
    "pink": "#b03a78",
    "teal": "#167a72",
    "grey": "#5f6863",  # who has not taken a colour yet
}
NOBODY: Final = "#59615c"
LINE: Final = "#9aa69f"
INK: Final = "#17211c"
MARK: Final = "#ffdf80"

# On a board.
LIT_SEATS: Final = ("#6aa5ff", "#f28a5c", "#c58af0", "#4fc8b4", "#dcb94a", "#f07fb0")
LIT_HUES: Final = {
    "blue": "#5c9dff",
    "green": "#56c266",
    "orange": "#f59342",
    "purple": "#b583f2",
    "red": "#f2616b",
    "yellow": "#f2d24b",
    "black": "#94a1aa",
    "brown": "#c08d62",
    "pink": "#f487bd",
    "teal": "#4fc8b4",
    "grey": "#b3bdb7",
}
LIT_NOBODY: Final = "#93a4ae"
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
    return f"seat-{seat % len(SEAT_COLOURS)}" + (f" hue-{hue}" if hue else "")


def seat_colour(scene: Scene, seat: int | None) -> str:
    if seat is None:
        return NOBODY
    return HUES.get(_hue(scene, seat), SEAT_COLOURS[seat % len(SEAT_COLOURS)])


def lit_colour(scene: Scene, seat: int | None) -> str:
    if seat is None:
        return LIT_NOBODY
    return LIT_HUES.get(_hue(scene, seat), LIT_SEATS[seat % len(LIT_SEATS)])


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
