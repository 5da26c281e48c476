"""Lettering: measures and wraps text in the fonts that pictures use.

The fonts are in fonts/ with their licence. This module reads only the glyph of each character and
its width.
"""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FONTS: Final = Path(__file__).parent / "fonts"
SANS: Final = "DejaVuSans"
BOLD: Final = "DejaVuSans-Bold"
SERIF: Final = "DejaVuSerif-Bold"
ELLIPSIS: Final = "…"


class Face(NamedTuple):
    """The character widths of one font, as fractions of its size."""

    widths: dict[int, float]
    other: float  # of what it has no glyph for

    def width(self, text: str, size: float) -> float:
        return size * sum(self.widths.get(ord(one), self.other) for one in text)


@cache
def face(name: str) -> Face:
    """Reads a font's widths by the name of its file."""
    font = (FONTS / f"{name}.ttf").read_bytes()
    tables = {
        font[at : at + 4]: struct.unpack_from(">I", font, at + 8)[0]
        for at in range(12, 12 + 16 * struct.unpack_from(">H", font, 4)[0], 16)
    }
    units = struct.unpack_from(">H", font, tables[b"head"] + 18)[0]
    long = struct.unpack_from(">H", font, tables[b"hhea"] + 34)[0]  # with a width of their own

    def advance(glyph: int) -> float:
        at = tables[b"hmtx"] + 4 * min(glyph, long - 1)
        return float(struct.unpack_from(">H", font, at)[0] / units)

    glyphs = _glyphs(font, tables[b"cmap"])
    return Face({code: advance(glyph) for code, glyph in glyphs.items()}, advance(0))


def _glyphs(font: bytes, table: int) -> dict[int, int]:
    """Returns the glyph of each character, from the segments of a `cmap` of format 4."""
    count = struct.unpack_from(">H", font, table + 2)[0]
    starts = [struct.unpack_from(">I", font, table + 8 + 8 * one)[0] for one in range(count)]
    at = next(table + one for one in starts if font[table + one : table + one + 2] == b"\0\4")
    double = struct.unpack_from(">H", font, at + 6)[0]  # twice the number of segments
    found: dict[int, int] = {}
    for segment in range(0, double, 2):
        (end,) = struct.unpack_from(">H", font, at + 14 + segment)
        (first,) = struct.unpack_from(">H", font, at + 16 + double + segment)
        (delta,) = struct.unpack_from(">H", font, at + 16 + 2 * double + segment)
        where = at + 16 + 3 * double + segment
        (reach,) = struct.unpack_from(">H", font, where)
        for code in range(first, min(end, 0xFFFE) + 1):
            glyph = code
            if reach:
                (glyph,) = struct.unpack_from(">H", font, where + reach + 2 * (code - first))
            if not reach or glyph:
                found[code] = (glyph + delta) & 0xFFFF
    return found


def wrap_text(text: str, name: str, size: float, width: float, lines_max: int) -> list[str]:
    """Wraps a text to lines that fit; a text that is too long ends in three dots."""
    letters, lines = face(name), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and letters.width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    if len(lines) > lines_max:
        lines = [*lines[: lines_max - 1], " ".join(lines[lines_max - 1 :])]
    return [shorten_text(line, name, size, width) for line in lines]


def shorten_text(text: str, name: str, size: float, width: float) -> str:
    """Shortens a text to one line, with three dots if something is cut."""
    letters = face(name)
    if letters.width(text, size) <= width:
        return text
    while text and letters.width(text + ELLIPSIS, size) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS
