"""Backgrounds: draws the ground of cells beneath their pieces, and the stars between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.kernel.scene import Cell

from .places import Point, number

WORLD: Final = 34  # the radius of a world
SHINE: Final = "M28.1 -19.1A34 34 0 1 0 -19.1 28.1A34 34 0 0 1 28.1 -19.1Z"  # light falls on it
GLOW: Final = (40, 30, 20)  # the radii of a star and of what shines around it
_DOTS: Final = (1.4, 1.0, 0.8)  # the radii of stars far away
_REACH: Final = 36  # how far from the middle of a cell they may be
_UP: Final = 3  # the ground's middle lies so far above the cell's


def stars(cell: Cell) -> Iterator[tuple[Point, float]]:
    """Yields stars around a cell's middle with their sizes; always the same for the same cell."""
    first = 37 * cell.x + 61 * cell.y
    for dot, radius in enumerate(_DOTS):
        x = (first * (3 + dot) + 29 * dot) % (2 * _REACH) - _REACH
        y = (first * (7 - dot) + 17 * dot) % (2 * _REACH) - _REACH
        yield (x, y), radius


def ground(cell: Cell, middle: Point) -> Iterator[str]:
    """Draws the ground of a cell, without its pieces."""
    x, y = middle[0], middle[1] - _UP
    at = f'transform="translate({number(x)} {number(y)})"'
    if cell.ground == "world":
        yield f'<g class="ground" {at}><circle r="{WORLD}" fill="#ffffff" fill-opacity="0.07"/>'
        yield f'<path class="shine" d="{SHINE}" fill="#ffffff" fill-opacity="0.1"/></g>'
    elif cell.ground == "star":
        glow = (f'<circle r="{radius}" fill="#fff3cf" fill-opacity="0.07"/>' for radius in GLOW)
        yield f'<g class="ground" {at}>{"".join(glow)}</g>'
    elif cell.ground == "stars":
        dots = (
            f'<circle cx="{u}" cy="{v}" r="{radius}" fill="#dfeaf0" fill-opacity="0.5"/>'
            for (u, v), radius in stars(cell)
        )
        yield f'<g class="ground" {at}>{"".join(dots)}</g>'
