"""Erratum files: what an organizer writes is read, or every mistake is named where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.games import GAMES, ruleset
from ledger.kernel.terms import Terms
from replays.reproject.erratum_file import BadErratum, read_erratum

HEAD: Mapping[str, str] = {
    "id": '"club.01"',
    "ruleset": '"hegemonic"',
    "date": '"2027-01-01"',
    "scope": '"from-now-on"',
    "text": '"Four points each."',
}
FOUR = '[content.figures."score.tie-first"]\nvalue = 4'


def written(*body: str, **head: str | None) -> str:
    lines = [f"{name} = {value}" for name, value in {**HEAD, **head}.items() if value is not None]
    return "\n".join([*lines, *(body or (FOUR,))])


def read(text: str) -> Any:
    return read_erratum(text, ruleset, GAMES)


def troubles(text: str) -> list[str]:
    with pytest.raises(BadErratum) as bad:
        read(text)
    return [str(one) for one in bad.value.troubles]


def test_readings_and_content_are_read():
    text = written('[readings]\n"support.value" = "location-power"', FOUR, source='"a meeting"')
    found = read(text)
    assert (found.id, found.scope, found.source) == ("club.01", "from-now-on", "a meeting")
    terms = Terms(ruleset("hegemonic"), "err.01", behind=[found.erratum])
    assert terms.values["support.value"] == "location-power"
    assert terms.tables["figures"]["score.tie-first"].value == 4
    assert terms.tables["fates"]["draw.defending-units"].fate == "survive"  # err.01 holds too


def test_rows_are_added_and_taken_away():
    bent = "[content.lines.bent]\ncells = [0, 1, 3]"
    found = read(written(bent, ruleset='"tictactoe"', remove='["lines/rising"]'))
    lines = Terms(ruleset("tictactoe"), behind=[found.erratum]).tables["lines"]
    assert "bent" in lines
    assert "rising" not in lines


@pytest.mark.parametrize("letter", ["\\u202e", "\\u200b", "\\u0007"])
def test_letters_that_cannot_be_seen_are_named_with_their_key(letter: str):
    [trouble] = troubles(written(text=f'"Four{letter} points."'))
    assert trouble.startswith("line 5, text: it has a letter that is invisible")
    assert "content" in troubles(written(f'[content.figures."a{letter}"]\nvalue = 4'))[0]


def test_two_that_say_the_same_have_the_same_mark():
    one = read(written(FOUR))
    assert read(written("# a remark", FOUR)).mark == one.mark
    assert read(written(FOUR, id='"club.02"')).mark != one.mark


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "line 1, the file: Invalid value"),
        (written(FOUR, txet='"x"'), "line 6, txet: there is no such key; expected: text"),
        (written(FOUR, date=None), "date: it is missing; expected: a day"),
        (written(FOUR, id='"Club 1"'), "line 1, id: it cannot be 'Club 1'; expected: up to 40"),
        (written(FOUR, id='"err.02"'), "line 1, id: err.02 is an edition of hegemonic itself"),
        (written(FOUR, ruleset='"hegemon"'), "there is no game 'hegemon'; expected: hegemonic"),
        (written(FOUR, ruleset="3"), "line 2, ruleset: it cannot be 3"),
        (written(FOUR, date='"2027-02-30"'), "line 3, date: it cannot be '2027-02-30'"),
        (written(FOUR, date="2027-02-03"), "in quotes"),
        (written(FOUR, scope='"soon"'), "expected: from-now-on or retroactive"),
        (
            written(FOUR, date="2027-01-01"),
            "line 3, date: it cannot be 2027-01-01; expected: a day",
        ),
        (
            written('[readings]\n"opt.wild" = 3'),
            "opt.wild: it cannot be 3; expected: true or false",
        ),
        (written(FOUR, text='""'), "line 5, text: it cannot be ''"),
        (written(FOUR, readings="3"), "line 6, readings: it is no table"),
        (written('[readings]\n"support.valu" = 1'), "no such reading; expected: support.value"),
        (
            written('[readings]\n"score.core-who" = "x"'),
            "line 7, readings.score.core-who: it cannot be 'x'; expected: all|controller",
        ),
        (
            written("[content]\nfigurs = 1"),
            "content.figurs: there is no such table; expected: fi",
        ),
        (written("[content]\nfigures = 1"), "it has no rows"),
        (written("[content.figures]\nx = 1"), "line 7, content.figures.x: it has no cells"),
        (
            written('[content.figures."score.tie-first"]\nvalu = 4'),
            "line 7, content.figures.score.tie-first.valu: the row has no such cell; expected: v",
        ),
        (
            written('[content.figures."score.tie-first"]\n\nvalue = "4"'),
            "line 8, content.figures.score.tie-first.value: Expected `int",
        ),
        (written("[content.orders.nothing]\nnumber = 4"), "a whole row of"),
        (written(FOUR, remove="3"), "remove: it is no list of rows"),
        (written(FOUR, remove='["figures/nix"]'), "there is no row 'figures/nix'"),
        (written(FOUR, remove='["figures/score.tie-first"]'), "is changed as well"),
        (written(""), "the file: it changes nothing"),
        (written("a = [" * 2_000), "the file: "),
    ],
)
def test_every_mistake_is_named_with_its_line_and_what_is_expected(text: str, said: str):
    assert any(said in one for one in troubles(text)), troubles(text)


def test_what_fits_its_type_and_not_the_game_is_refused():
    hooked = "[content.lines.bent]\ncells = [0, 1, 99]"
    (said,) = troubles(written(hooked, ruleset='"tictactoe"'))
    assert "Tic-tac-toe" in said


def test_all_mistakes_are_told_at_once():
    text = written("[readings]\nx = 1\ny = 2", date=None, scope='"soon"')
    assert len(troubles(text)) == 4


@given(st.text(max_size=300) | st.sampled_from(["=", "[a]", "a.b=1", '"']).map(lambda x: x * 50))
def test_whatever_is_written_is_read_or_refused(text: str):
    for whole in (text, written(text), written(f"[content.{text}]\n{text}")):
        try:
            read(whole)
        except BadErratum as bad:
            assert bad.troubles  # noqa: PT017 - both ways are right
