"""Chapter 3, Play: mark a cell in turn; three in a line win."""

from __future__ import annotations

import itertools

import pytest

from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Drew, Mark, Marked, Won
from ledger.games.tictactoe.state import LINES
from tests.support.given import given, match_of
from tests.support.tictactoe.positions import DRAWN, NAME, marked

PRINTED_LINES = {
    "top": (0, 1, 2), "middle": (3, 4, 5), "bottom": (6, 7, 8),
    "left": (0, 3, 6), "centre": (1, 4, 7), "right": (2, 5, 8),
    "falling": (0, 4, 8), "rising": (2, 4, 6),
}  # fmt: skip


@pytest.mark.rule("play.turn")
def test_the_seats_alternate():
    sentence = given(match_of(NAME)).asks(0, key="turn/1")
    sentence.when(0, Mark(4)).then(Marked(0, 4)).asks(1, key="turn/2")
    sentence.when(1, Mark(0)).then(Marked(1, 0)).asks(0, key="turn/3")


@pytest.mark.rule("play.turn")
def test_every_empty_cell_is_offered_and_no_other():
    given(marked(4, 0, 8)).offers(1, *(Mark(cell) for cell in (1, 2, 3, 5, 6, 7))).offers(0)


@pytest.mark.rule("play.turn")
@pytest.mark.parametrize("cell", [-1, 9, 1 << 40])
def test_a_cell_that_the_board_does_not_have_is_refused(cell: int):
    given(match_of(NAME)).when(0, Mark(cell)).refused(
        "no_such_cell", "play.turn", cell=cell, cells="0..8"
    )


@pytest.mark.rule("play.turn")
def test_a_marked_cell_is_refused_and_its_owner_named():
    given(marked(4)).when(1, Mark(4)).refused("cell_taken", "play.turn", cell=4, owner=0)


@pytest.mark.rule("play.turn")
def test_a_seat_out_of_turn_is_refused():
    given(marked(4)).when(0, Mark(0)).refused("not_asked", "play.turn", asked=[1], seat=0)


@pytest.mark.rule("play.turn")
def test_a_stranger_is_refused():
    given(match_of(NAME)).when(7, Mark(0)).refused("not_asked", "play.turn", asked=[0], seat=7)


@pytest.mark.rule("play.turn")
def test_writing_is_no_answer_to_a_turn():
    given(match_of(NAME)).when(0, Write(0)).refused(
        "wrong_answer", "play.turn", given="opening.write", wanted="play.mark"
    )


def test_the_lines_are_the_eight_that_are_printed():
    match = match_of(NAME)
    assert {line.id: line.cells for line in LINES.of(match.state).values()} == PRINTED_LINES


@pytest.mark.rule("play.turn")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("line", "cells"), PRINTED_LINES.items())
def test_three_in_a_line_win(line: str, cells: tuple[int, int, int], seat: int):
    others = _harmless(cells, seat)
    mine = list(cells)
    order = [c for pair in itertools.zip_longest(mine, others) for c in pair if c is not None]
    if seat == 1:
        order = [c for pair in itertools.zip_longest(others, mine) for c in pair if c is not None]
    match = marked(*order[:-1])
    reason = f"line {line}"
    scores = (1, 0) if seat == 0 else (0, 1)
    given(match).when(seat, Mark(order[-1])).then(Marked(seat, order[-1]), Won(seat, line)).ends(
        winners=(seat,), scores=scores, reason=reason
    )
    assert (match.state.winner, match.state.line) == (seat, line)


def _harmless(cells: tuple[int, int, int], seat: int) -> tuple[int, ...]:
    """Marks of the other seat that make no line: two before a first seat wins, else three."""
    free = [cell for cell in range(9) if cell not in cells]
    for chosen in itertools.combinations(free, 2 + seat):
        if not any(set(line) <= set(chosen) for line in PRINTED_LINES.values()):
            return chosen
    raise AssertionError("there always are such cells")


@pytest.mark.rule("play.turn")
def test_nine_marks_and_no_line_are_a_draw():
    match = marked(*DRAWN[:-1])
    given(match).when(0, Mark(DRAWN[-1])).then(Marked(0, DRAWN[-1]), Drew()).ends(
        winners=(0, 1), scores=(0, 0), reason="draw"
    )


@pytest.mark.rule("play.turn")
def test_a_line_with_the_ninth_mark_is_a_win_and_no_draw():
    match = marked(0, 1, 2, 4, 7, 3, 5, 6)
    given(match).when(0, Mark(8)).then(Marked(0, 8), Won(0, "right")).ends(
        winners=(0,), scores=(1, 0)
    )


@pytest.mark.rule("play.turn")
def test_of_two_lines_at_once_the_first_that_is_printed_is_told():
    match = marked(0, 3, 1, 4, 5, 6, 8, 7)
    given(match).when(0, Mark(2)).then(Marked(0, 2), Won(0, "top"))


@pytest.mark.rule("play.turn")
def test_after_the_end_nobody_decides():
    sentence = given(marked(0, 3, 1, 4, 2))
    sentence.when(1, Mark(8)).refused("match_over", "").offers(0).offers(1).asks()
