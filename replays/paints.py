"""Paints: the colours and shapes by which seats and kinds of cells are told apart.

A class names each for a stylesheet (`seat-0`, `hue-red`, `fill-2`), and the values here are for
where there is none. A game whose players have colours says so, and they are drawn in them; seats
differ in shape in any case.
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
FILLS: Final = ("#ffffff", "#e1efda", "#f3e6d0", "#dde8f3", "#efdde6", "#e2e4e2", "#f4f5f4")
NOBODY: Final = "#59615c"
LINE: Final = "#9aa69f"
INK: Final = "#17211c"
MARK: Final = "#ffdf80"
EDGE: Final = "#4c5852"  # around a region
# The token of each seat: corners (none is a circle) and how far the first one is turned.
SHAPES: Final = ((0, 0), (4, 45), (4, 0), (6, 30), (3, -90), (5, -90))


def seat_class(scene: Scene | None, seat: int | None) -> str:
    """The classes of what belongs to a seat."""
    if seat is None:
        return "nobody"
    hue = _hue(scene, seat)
    return f"seat-{seat % len(SEAT_COLOURS)}" + (f" hue-{hue}" if hue else "")


def seat_colour(scene: Scene, seat: int | None) -> str:
    """The colour of what belongs to a seat."""
    if seat is None:
        return NOBODY
    return HUES.get(_hue(scene, seat), SEAT_COLOURS[seat % len(SEAT_COLOURS)])


def _hue(scene: Scene | None, seat: int) -> str:
    """The colour that the seat's player has, as far as it is one that is known here."""
    if scene is None or not 0 <= seat < len(scene.players):
        return ""
    hue = scene.players[seat].hue
    return hue if hue in HUES else ""


def seat_name(scene: Scene, seat: int) -> str:
    """What a seat goes by in a sentence about the scene."""
    return scene.players[seat].name if 0 <= seat < len(scene.players) else f"seat {seat}"
