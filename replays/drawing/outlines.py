"""Forms: outlines for the pieces of any game, by the form names that a scene uses.

Each form is one path around (0, 0), 10 up and 10 down, so that a transform puts it anywhere. The
script has the same forms (services/web/static/board/forms.js), and a test compares the two.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Outline(NamedTuple):
    """A form: its path, and where on it a sign is written."""

    path: str
    down: float = 0.0  # of the middle of the writing
    size: float = 9.0  # of one letter
    hollow: bool = False  # the writing stands in a hole


_RING: Final = "A9.6 9.6 0 1 1 9.6 0A9.6 9.6 0 1 1 -9.6 0Z"
OUTLINES: Final = {
    "works": Outline("M-9.5 9.5V-9H-5.5L-5 -1.5L0.5 -5.5V-1.5L6 -5.5V-1.5H9.5V9.5Z", 4.1, 10.5),
    "hall": Outline("M0 -10L10 -3.8V-1.2H8.6V6.8H10V9.8H-10V6.8H-8.6V-1.2H-10V-3.8Z", 3.2, 10.5),
    "fort": Outline(
        "M-9.6 -9.5H-5.6V-6.4H-2V-9.5H2V-6.4H5.6V-9.5H9.6V-1.6L7.8 0.6V9.5H-7.8V0.6L-9.6 -1.6Z",
        2.4,
        11.0,
    ),
    "person": Outline(
        "M0 -10A4 4 0 0 1 3.5 -4.1C7.4 -3.4 10 -1 10 1C10 2.8 8 3.2 6 2.6C6.6 5 8.1 7.4 8.8 9.8"
        "H-8.8C-8.1 7.4 -6.6 5 -6 2.6C-8 3.2 -10 2.8 -10 1"
        "C-10 -1 -7.4 -3.4 -3.5 -4.1A4 4 0 0 1 0 -10Z",
        3.6,
        9.0,
    ),
    "ship": Outline(
        "M0 -10.5C4.4 -7 5.8 -3 5.8 0.8L10 6V9.8L5 7.6H-5L-10 9.8V6L-5.8 0.8"
        "C-5.8 -3 -4.4 -7 0 -10.5Z",
        2.0,
        9.5,
    ),
    "ring": Outline(
        f"M-9.6 0{_RING}M-6.2 0A6.2 6.2 0 1 0 6.2 0A6.2 6.2 0 1 0 -6.2 0Z", 0.0, 8.0, True
    ),
    "disc": Outline(f"M-9.6 0{_RING}", 0.0, 10.0),
    "cross": Outline(
        "M-9.5 -6L-6 -9.5L0 -3.5L6 -9.5L9.5 -6L3.5 0L9.5 6L6 9.5L0 3.5L-6 9.5L-9.5 6L-3.5 0Z"
    ),
}
