"""Pictures as PNG: renders SVG with the project's own fonts, without libraries of the
machine.
"""

from __future__ import annotations

from typing import Final

from replays.document.card import HEIGHT, WIDTH, CardMoment, card_svg

from .lettering import BOLD, FONTS, SANS, SERIF

MAGIC: Final = b"\x89PNG\r\n\x1a\n"


def moment_png(moment: CardMoment) -> bytes:
    """Renders a moment as a picture of 1200 by 630 pixels, for link previews."""
    return png_of(card_svg(moment), WIDTH, HEIGHT)


def png_of(svg: str, width: int, height: int) -> bytes:
    """Renders an SVG as PNG: the same bytes on every machine."""
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
