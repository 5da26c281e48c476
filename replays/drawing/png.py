"""Pictures as PNG: SVG made to pixels, with letters of ours and no library of the machine."""

from __future__ import annotations

from typing import Final

from replays.document.card import HEIGHT, WIDTH, Moment, card_svg

from .lettering import BOLD, FONTS, SANS, SERIF

MAGIC: Final = b"\x89PNG\r\n\x1a\n"


def moment_png(moment: Moment) -> bytes:
    """A moment as a picture of 1200 to 630, as links show it."""
    return png_of(card_svg(moment), WIDTH, HEIGHT)


def png_of(svg: str, width: int, height: int) -> bytes:
    """An SVG as PNG; the same bytes on every machine."""
    from resvg_py import svg_to_bytes  # slow to load, and most commands need none of it

    return svg_to_bytes(
        svg_string=svg,
        width=width,
        height=height,
        skip_system_fonts=True,
        font_files=[str(FONTS / f"{name}.ttf") for name in (SANS, BOLD, SERIF)],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
        serif_family="DejaVu Serif",
    )
