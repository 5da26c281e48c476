"""A moment as one picture: what stands on it, in letters of ours, on every machine the same."""

from __future__ import annotations

import hashlib
import re
import struct
from html import unescape

import pytest

from ledger.kernel.audience import ALL_SEATS
from replays.document.card import HEIGHT, WIDTH, CardMoment, card_svg
from replays.drawing.lettering import (
    BOLD,
    ELLIPSIS,
    FONTS,
    SANS,
    SERIF,
    face,
    shorten_text,
    wrap_text,
)
from replays.drawing.png import MAGIC, moment_png
from replays.story.moments import moment_of
from tests.support.replays.one_file import sample, small

LONG = "W" * 300
BARE = CardMoment(
    match="abc",
    title="A <title> & more",
    ruleset="A game, edition printed",
    at=3,
    last=1_234,
    viewer="a spectator",
    seat=None,
    who="",
    sentences=(),
    players=("Ann", "Bob"),
    scene=None,
)


def texts(moment: CardMoment) -> list[str]:
    return [unescape(one) for one in re.findall(r"<text [^>]*>([^<]*)</text>", card_svg(moment))]


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(MAGIC)
    return struct.unpack(">II", png[16:24])


def test_each_face_is_the_one_that_its_table_names():
    readme = (FONTS / "README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([^`]+)` .* `([0-9a-f]{64})` \|$", readme, re.MULTILINE))
    assert set(told) == {path.name for path in FONTS.glob("*.ttf")}
    for name, digest in told.items():
        assert hashlib.sha256((FONTS / name).read_bytes()).hexdigest() == digest, name
    assert "Bitstream Vera Fonts Copyright" in (FONTS / "LICENSE-DejaVu.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "widths"),
    [
        (SANS, {"a": 1255, "W": 2025, " ": 651, "0": 1303}),
        (BOLD, {"a": 1382, "i": 702, "M": 2038, ".": 778}),
        (SERIF, {"m": 2167, "A": 1589, "0": 1425}),
    ],
)
def test_letters_are_as_wide_as_their_face_says(name, widths):
    for letter, units in widths.items():
        assert face(name).width(letter, 2048) == units
    assert face(name).width("Öß", 10) > face(name).width("i", 10)


def test_a_text_is_broken_between_words_and_ends_in_dots_where_it_is_too_long():
    lines = wrap_text("one two three four five six seven eight nine ten", SANS, 20, 120, 3)
    assert len(lines) == 3
    assert lines[-1].endswith(ELLIPSIS)
    assert all(face(SANS).width(line, 20) <= 120 for line in lines)
    assert shorten_text("short", SANS, 20, 500) == "short"
    assert shorten_text(LONG, BOLD, 20, 100).endswith(ELLIPSIS)


def test_it_says_which_match_which_event_and_whose_eyes():
    moment = moment_of(sample(), 368, 1)
    said = texts(moment)
    assert "Sample match: Hegemonic" in said
    assert "Event 368 of 737" in said
    assert any(one.startswith("Seen by Yellow: greedy bot 1") for one in said)
    assert "Yellow: greedy bot 1" in said
    assert "Yellow offers a deal to" in " ".join(said)
    assert any(
        "seen by all seats".casefold() in one.casefold()
        for one in texts(moment_of(sample(), 368, ALL_SEATS))
    )


def test_of_a_fork_it_says_so():
    assert "Fork of xyz from event 7" in texts(BARE._replace(fork="Fork of xyz from event 7"))


def test_what_players_write_is_text_and_fits():
    said = texts(BARE)
    assert "A <title> & more" in said
    assert "Event 3 of 1,234" in said
    assert "There is no board yet." in said
    long = BARE._replace(title=LONG, who=LONG, sentences=(LONG, LONG), players=(LONG,) * 9)
    for one in texts(long._replace(fork=LONG)):
        assert face(SANS).width(one, 18) < WIDTH


@pytest.mark.parametrize("at", [1, 4, 7, 10])
def test_it_is_a_png_of_1200_by_630_at_any_event(at):
    png = moment_png(moment_of(small(), at, None))
    assert size_of(png) == (WIDTH, HEIGHT) == (1200, 630)
    assert png == moment_png(moment_of(small(), at, None))


def test_letters_are_really_drawn():
    # Were the face not found, a title would leave no trace.
    assert moment_png(BARE) != moment_png(BARE._replace(title="Another"))
    assert moment_png(BARE) != moment_png(BARE._replace(sentences=("It says something.",)))


def test_what_a_viewer_may_not_see_is_not_on_it():
    assert "Yellow is dealt 5 cards." in " ".join(texts(moment_of(sample(), 13, None)))
    own = " ".join(texts(moment_of(sample(), 13, 1)))
    assert "Nano-Accelerants" in own
    assert "Nano-Accelerants" not in " ".join(texts(moment_of(sample(), 13, 2)))
