"""Chapter 2, The sealed opening: both write down a cell, and show it together."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.games.tictactoe.opening import CellShown, CellWritten, Write
from ledger.games.tictactoe.play import Mark, Marked
from ledger.kernel.audience import hidden, view
from ledger.kernel.chance import Rolled
from ledger.kernel.records import CHANCE
from tests.support.given import given, match_of
from tests.support.tictactoe.positions import NAME, SEALED, written


@pytest.mark.rule("opening.write")
@pytest.mark.parametrize("first", [0, 1])
def test_the_seats_write_in_either_order(first: int):
    second = 1 - first
    sentence = given(match_of(NAME, options=SEALED))
    sentence.when(first, Write(3)).then(CellWritten(first, 3)).asks(second, key="opening")
    sentence.when(second, Write(5))
    shown = {first: 3, second: 5}
    sentence.then(
        CellWritten(second, 5),
        *(CellShown(seat, shown[seat]) for seat in (0, 1)),
        *(Marked(seat, shown[seat]) for seat in (0, 1)),
    )


@pytest.mark.rule("opening.write")
def test_any_cell_may_be_written_also_the_one_that_the_other_wrote():
    sentence = given(match_of(NAME, options=SEALED))
    every = [Write(cell) for cell in range(9)]
    sentence.offers(0, *every).offers(1, *every)
    sentence.when(0, Write(4)).offers(0).offers(1, *every)


@pytest.mark.rule("opening.write")
@pytest.mark.parametrize("cell", [-1, 9])
def test_a_cell_that_is_not_on_the_board_is_not_written(cell: int):
    given(match_of(NAME, options=SEALED)).when(0, Write(cell)).refused(
        "not_allowed", "opening.write", seat=0, decision="opening.write"
    )


@pytest.mark.rule("opening.write")
def test_a_seat_writes_once():
    sentence = given(match_of(NAME, options=SEALED)).when(1, Write(0))
    sentence.when(1, Write(1)).refused("not_asked", "opening.write", asked=[0], seat=1)


@pytest.mark.rule("opening.write")
def test_nobody_marks_while_the_notes_are_written():
    sentence = given(match_of(NAME, options=SEALED))
    sentence.when(0, Mark(0)).refused(
        "wrong_answer", "opening.write", given="play.mark", wanted="opening.write"
    )


@pytest.mark.rule("opening.write")
def test_the_other_sees_that_a_seat_has_written_and_not_what():
    sentence = given(match_of(NAME, options=SEALED)).when(0, Write(7))
    (fact,) = sentence.facts
    assert view(fact, 0)["cell"] == 7
    assert hidden(view(fact, 1)["cell"])
    assert hidden(view(fact, None)["cell"])
    notes = {viewer: sentence.match.view(viewer)["state"]["notes"] for viewer in (0, 1, None)}
    assert notes[0][0] == {"seat": 0, "written": True, "cell": 7}
    for viewer in (1, None):
        assert notes[viewer][0] == {"seat": 0, "written": True, "cell": {"hidden": True}}


@pytest.mark.rule("opening.write")
def test_a_seat_sees_what_it_may_write():
    seen = given(match_of(NAME, options=SEALED)).match.view(1)
    assert seen["question"] == "opening"
    assert seen["options"] == [{"type": "opening.write", "cell": cell} for cell in range(9)]


@pytest.mark.rule("opening.show")
def test_two_different_cells_are_marked_and_the_third_mark_is_the_first_seat_s():
    match = written(0, 8)
    assert match.state.cells == [0, *[None] * 7, 1]
    given(match).asks(0, key="turn/3")


@pytest.mark.rule("opening.show")
def test_showing_discloses_both_answers_and_cannot_be_taken_back():
    match = match_of(NAME, options=SEALED)
    sentence = given(match).when(0, Write(1)).when(1, Write(2))
    shown = [fact for fact in sentence.facts if isinstance(fact, CellShown)]
    assert [list(fact.discloses()) for fact in shown] == [[("opening", 0)], [("opening", 1)]]
    assert all(fact.irrevocable for fact in shown)


@pytest.mark.rule("opening.clash")
def test_as_printed_a_clash_leaves_the_cell_empty_and_the_turns_begin():
    match = match_of(NAME, options=SEALED)
    given(match).when(0, Write(4)).when(1, Write(4)).then(
        CellWritten(1, 4), CellShown(0, 4), CellShown(1, 4)
    ).asks(0, key="turn/1")
    assert match.state.empty() == list(range(9))


@pytest.mark.rule("opening.clash", "opening.roll")
@pytest.mark.parametrize("terms", [{"edition": "e1"}, {"options": {"opening.clash": "rolled"}}])
@pytest.mark.parametrize("face", [1, 2])
def test_by_erratum_e1_or_by_choice_a_die_says_whose_the_clashing_cell_is(
    face: int, terms: dict[str, Any]
):
    """The seat that the die names has the cell; the other has the next turn."""
    match = written(4, 4, **terms)
    winner = face - 1
    sentence = given(match).asks(CHANCE, key="opening/clash")
    sentence.offers(CHANCE, Rolled((1,)), Rolled((2,)))
    sentence.rolled(face).then(Marked(winner, 4)).asks(1 - winner, key="turn/2")


@pytest.mark.rule("opening.clash")
def test_no_die_is_rolled_for_notes_that_do_not_clash():
    given(written(4, 5, edition="e1")).asks(0)


@pytest.mark.rule("opening.show")
def test_the_first_seat_as_rolled_has_the_third_mark():
    match = match_of(NAME, options=SEALED | {"begin.first": "rolled"})
    sentence = given(match).rolled(2).asks(0, 1)
    sentence.when(0, Write(0)).when(1, Write(1)).asks(1, key="turn/3")
