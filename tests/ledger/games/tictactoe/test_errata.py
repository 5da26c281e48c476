"""The published corrections: a reading is flipped, content is overlaid, a class is replaced."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.games.tictactoe.errata import TurnOffCentre
from ledger.games.tictactoe.opening import Clash, RollForCell
from ledger.games.tictactoe.play import Mark, Marked, Turn, Won
from ledger.games.tictactoe.state import LINES
from ledger.kernel.records import CHANCE
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import move_to_terms
from tests.support.given import given, match_of, terms_of
from tests.support.tictactoe.positions import NAME, allowed, marked, written

RISING = (2, 0, 4, 1)  # the first seat then has two of the rising diagonal


def test_the_editions_are_as_printed_and_one_after_each_erratum():
    assert terms_of(NAME).rules.editions == ("printed", "e1", "e2", "e3")


@pytest.mark.rule("opening.clash")
@pytest.mark.parametrize(("edition", "asked"), [("printed", 0), ("e1", CHANCE), ("e3", CHANCE)])
def test_e1_has_a_clash_rolled_for(edition: str, asked: int):
    given(written(4, 4, edition=edition)).asks(asked)


def test_as_printed_the_rising_diagonal_wins():
    given(marked(*RISING)).when(0, Mark(6)).then(Marked(0, 6), Won(0, "rising"))


@pytest.mark.parametrize("edition", ["e2", "e3"])
def test_e2_takes_the_rising_diagonal_away(edition: str):
    order = (2, 0, 4, 1)
    match = marked(*order, edition=edition)
    given(match).when(0, Mark(6)).then(Marked(0, 6)).asks(1)
    assert "rising" not in LINES.of(match.state)


@pytest.mark.rule("play.turn")
def test_e3_forbids_the_centre_as_the_very_first_mark():
    match = match_of(NAME, edition="e3")
    sentence = given(match).offers(0, *(Mark(cell) for cell in range(9) if cell != 4))
    sentence.when(0, Mark(4)).refused("centre_first", "play.turn", cell=4, erratum="e3")
    sentence.when(0, Mark(0)).when(1, Mark(4)).then(Marked(1, 4))


@pytest.mark.rule("play.turn")
def test_under_e3_the_other_refusals_are_as_printed():
    sentence = given(match_of(NAME, edition="e3"))
    sentence.when(0, Mark(9)).refused("no_such_cell", "play.turn")
    sentence.when(0, Mark(0)).when(1, Mark(0)).refused("cell_taken", "play.turn")


def test_e3_says_nothing_of_notes():
    """The sealed opening marks by notes, and a note may name the centre."""
    match = written(4, 0, edition="e3")
    assert match.state.cells[4] == 0
    given(match).asks(0).offers(0, *(Mark(cell) for cell in (1, 2, 3, 5, 6, 7, 8)))


@pytest.mark.rule("opening.clash")
@pytest.mark.parametrize(
    "house",
    [
        {"options": {"opening.clash": "nobody"}},
        {"overlay": {"readings": {"values": {"opening.clash": "nobody"}}}},
    ],
    ids=["by an option", "by an overlay"],
)
def test_a_house_may_still_play_a_clash_as_printed(house: dict[str, Any]):
    given(written(4, 4, edition="e1", **house)).asks(0, key="turn/1")


@pytest.mark.parametrize("edition", ["e1", "e2", "e3"])
def test_a_match_can_move_to_an_edition_and_back_at_any_point(edition: str):
    match = marked(edition="printed")
    moved = move_to_terms(match, terms_of(NAME, edition=edition))
    assert [type(item) for item in moved.agenda] == [TurnOffCentre if edition == "e3" else Turn]
    assert allowed(moved, 4) is (edition != "e3")
    back = move_to_terms(moved, match.terms)
    assert back.agenda == match.agenda == [Turn(0, 1)]
    assert back.terms.snapshot(back) == match.terms.snapshot(match)


def test_a_roll_that_is_pending_stays_pending_under_the_printed_edition():
    match = written(4, 4, edition="e1")
    moved = move_to_terms(match, terms_of(NAME, options=match.terms.options))
    assert moved.agenda == [RollForCell(4)]
    assert Clash(4) not in moved.agenda
    given(moved).rolled(2).then(Marked(1, 4)).asks(0, key="turn/2")


def test_an_overlay_that_fits_the_types_and_not_the_board_is_refused():
    """Not in the middle of somebody's match, when the line is first looked at."""
    with pytest.raises(Refused) as refusal:
        match_of("tictactoe", overlay={"lines": {"rising": {"cells": [0, 1, 93]}}})
    assert refusal.value.code == "bad_value"
    assert refusal.value.evidence["row"] == "rising"
