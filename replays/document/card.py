"""One moment of a match as a picture with its text, for links and reports.

The card uses light colours and the letters of fonts/, and needs no stylesheet: picture.py writes
each colour out as an attribute.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

from ledger.kernel.scene import Scene
from replays.drawing.lettering import BOLD, SANS, SERIF, face, shorten_text, wrap_text
from replays.drawing.paints import INK, LINE, MARK, NIGHT, NOBODY, WORDS, colour_of
from replays.drawing.picture import scene_svg, token_shape
from replays.drawing.places import bounds

WIDTH: Final = 1200
HEIGHT: Final = 630
PAPER: Final = "#f4f6f3"
SHEET: Final = "#ffffff"
GREEN: Final = "#2f7a5c"
FAMILIES: Final = {  # as a picture names the faces of fonts/
    SANS: 'font-family="DejaVu Sans"',
    BOLD: 'font-family="DejaVu Sans" font-weight="700"',
    SERIF: 'font-family="DejaVu Serif" font-weight="700"',
}
_STRIP: Final = 104  # the title's, above all else
_MARGIN: Final = 40
_COLUMN: Final = 400  # of words, beside the board
_PLAYERS_MAX: Final = 6
_STARS: Final = 90


class CardMoment(NamedTuple):
    """One event as a viewer may know it."""

    match: str
    title: str
    ruleset: str  # and its edition
    at: int
    last: int
    viewer: str  # in words
    seat: int | None
    who: str
    sentences: tuple[str, ...]
    players: tuple[str, ...]
    scene: Scene | None
    fork: str = ""  # of a fork: where it comes from, in words


def card_svg(moment: CardMoment) -> str:
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
            *_strip(moment),
            *_words(moment),
            *_board(moment.scene),
            "</svg>",
        )
    )


def _text(
    text: str, x: float, y: float, size: float, name: str, fill: str = INK, anchor: str = "start"
) -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {where} {FAMILIES[name]} font-size="{size}" fill="{fill}">{escape(text)}</text>'


def _strip(moment: CardMoment) -> Iterator[str]:
    """Draws the strip at the top: the match, and which of its events this is."""
    yield f'<rect width="{WIDTH}" height="{_STRIP}" fill="{SHEET}"/>'
    yield f'<rect y="{_STRIP}" width="{WIDTH}" height="2" fill="{LINE}"/>'
    yield f'<g transform="translate({_MARGIN} 20)">{_mark()}</g>'
    counted = f"Event {moment.at:,} of {moment.last:,}"
    left, right = _MARGIN + 82, float(WIDTH - _MARGIN)
    room = right - left - face(BOLD).width(counted, 26) - 30
    yield _text(shorten_text(moment.title, SERIF, 32, room), left, 52, 32, SERIF)
    yield _text(counted, right, 52, 26, BOLD, anchor="end")
    below = f"Seen by {moment.viewer}  ·  {moment.ruleset}  ·  match {moment.match}"
    if moment.fork:
        label = shorten_text(moment.fork, BOLD, 17, 460)
        wide = face(BOLD).width(label, 17)
        box = f'x="{right - wide - 24:.1f}" y="64" width="{wide + 24:.1f}" height="30" rx="15"'
        yield f'<rect {box} fill="{MARK}"/>'
        yield _text(label, right - 12, 85, 17, BOLD, anchor="end")
        right -= wide + 44
    yield _text(shorten_text(below, SANS, 18, right - left), left, 85, 18, SANS, NOBODY.paper)


def _mark() -> str:
    return (
        f'<path d="M32 3 57.1 17.5v29L32 61 6.9 46.5v-29z" fill="{GREEN}"/>'
        '<path d="M19 23h26M19 32h18M19 41h10" stroke="#fff" stroke-width="5" '
        'stroke-linecap="round"/><circle cx="43" cy="41" r="4.5" fill="#ffd76a"/>'
    )


def _words(moment: CardMoment) -> Iterator[str]:
    scene = moment.scene or Scene(title="")
    y = _STRIP + 64.0
    if moment.who:
        seat, left = moment.seat, float(_MARGIN)
        if seat is not None and seat >= 0:
            yield _dot(scene, seat, _MARGIN + 14, y - 9, 13)
            left += 40
        name = shorten_text(moment.who, BOLD, 24, _COLUMN - 40)
        colour = colour_of(scene, seat if left > _MARGIN else None).paper
        yield _text(name, left, y, 24, BOLD, colour)
        y += 46
    said = " ".join(moment.sentences) or "No description for this event."
    for line in wrap_text(said, SANS, 26, _COLUMN, 8 - len(moment.players) // 3):
        yield _text(line, _MARGIN, y, 26, SANS)
        y += 36
    shown = moment.players[:_PLAYERS_MAX]
    y = HEIGHT - 36.0 - 34 * (len(shown) - 1)
    for seat, name in enumerate(shown):
        yield _dot(scene, seat, _MARGIN + 14, y - 7, 11)
        yield _text(
            shorten_text(name, SANS, 19, _COLUMN - 40), _MARGIN + 40, y, 19, SANS, NOBODY.paper
        )
        y += 34


def _dot(scene: Scene, seat: int, x: float, y: float, radius: float) -> str:
    colour = colour_of(scene, seat).paper
    shape = token_shape(seat, (x, y), radius, f'fill="{colour}" stroke="{colour}"')
    return shape + _text(str(seat), x, y + radius * 0.42, radius * 1.15, BOLD, "#ffffff", "middle")


def _board(scene: Scene | None) -> Iterator[str]:
    left, top = _MARGIN + _COLUMN + 36, _STRIP + 2
    width, height = WIDTH - left, HEIGHT - top
    yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{NIGHT}"/>'
    for star in range(_STARS):
        x, y = left + star * 197 % width, top + (star * star * 31 + star * 83) % height
        yield f'<circle cx="{x}" cy="{y}" r="{(1.2, 0.8, 0.6)[star % 3]}" fill="{WORDS}"/>'
    if scene is None or not scene.cells:
        middle = left + width / 2, top + height / 2
        yield _text("There is no board yet.", *middle, 22, SANS, WORDS, "middle")
        return
    one, two, three, four = bounds(scene)
    scale = min((width - 40) / (three - one), (height - 32) / (four - two))
    wide, high = (three - one) * scale, (four - two) * scale
    middle = left + (width - wide) / 2, top + (height - high) / 2
    place = f'x="{middle[0]:.1f}" y="{middle[1]:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    picture = scene_svg(scene).replace("<svg ", f"<svg {place} ", 1)
    yield picture.replace('"system-ui, sans-serif"', '"DejaVu Sans"', 1)
