"""How the board looks, what is said of it, and who plays it."""

from __future__ import annotations

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe import RULES
from ledger.games.tictactoe.bots import sample, score
from ledger.games.tictactoe.errata import TurnOffCentre
from ledger.games.tictactoe.opening import CellWritten, Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.audience import view
from ledger.kernel.bots import pending
from ledger.kernel.chance import Stream
from ledger.kernel.records import tag_of
from ledger.kernel.terms import Terms
from tests.support.given import given, match_of
from tests.support.tictactoe.positions import DRAWN, NAME, SEALED, STAKED, marked, written


def told(fact, viewer: int | None) -> str:
    return RULES.shown.story.by_tag[tag_of(fact)].told(
        view(fact, viewer), Terms(ruleset(NAME)).silent
    )


# --- scene ----------------------------------------------------------------------------------------


def test_the_scene_has_nine_squares_and_a_piece_for_each_mark():
    scene = marked(4, 0).scene(None)
    assert [(cell.x, cell.y) for cell in scene.cells] == [
        (x, y) for y in range(3) for x in range(3)
    ]
    assert [(piece.cell, piece.sign, piece.name) for piece in scene.pieces] == [
        ("c0", "O", "nought"), ("c4", "X", "cross"),
    ]  # fmt: skip


def test_every_option_is_a_target_for_the_seat_that_is_asked_and_for_nobody_else():
    match = marked(4)
    targets = match.scene(1).targets
    assert [target.on for target in targets] == [f"c{cell}" for cell in range(9) if cell != 4]
    rules = ruleset(NAME)
    assert [rules.decision(target.decision) for target in targets] == match.options(1)
    assert match.scene(0).targets == ()
    assert match.scene(None).targets == ()


def test_what_may_be_written_is_a_target_too():
    match = given(match_of(NAME, options=SEALED)).match
    assert [target.decision for target in match.scene(0).targets] == [
        {"type": "opening.write", "cell": cell} for cell in range(9)
    ]


def test_a_note_lies_face_down_for_all_but_its_writer():
    match = given(match_of(NAME, options=SEALED)).when(0, Write(4)).match
    assert [(card.name, card.seat) for card in match.scene(0).cards] == [("cell 4", 0)]
    for viewer in (1, None):
        assert [(card.name, card.seat) for card in match.scene(viewer).cards] == [("", 0)]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_notes_that_have_been_shown_lie_on_the_table_no_more(viewer: int | None):
    assert written(0, 1).scene(viewer).cards == ()


def test_chips_are_counted_beside_the_board():
    counters = given(match_of(NAME, options=STAKED)).match.scene(None).counters
    assert {counter.id: counter.value for counter in counters} == {
        "pot": 4, "seat.0": 7, "seat.1": 7,
    }  # fmt: skip


def test_a_match_that_has_ended_has_no_targets():
    match = marked(*DRAWN)
    assert [match.scene(viewer).targets for viewer in (0, 1, None)] == [(), (), ()]


# --- telling --------------------------------------------------------------------------------------


def test_a_note_is_told_in_full_to_its_writer_alone():
    fact = CellWritten(1, 8)
    assert told(fact, 1) == "O writes down a cell: the bottom right."
    assert told(fact, 0) == told(fact, None) == "O writes down a cell."


def test_a_match_is_told_in_sentences():
    sentence = given(match_of(NAME, options=STAKED))
    assert [told(fact, None) for fact in sentence.facts] == [
        "9 chips from the bank to X.",
        "2 chips from X to the pot.",
        "9 chips from the bank to O.",
        "2 chips from O to the pot.",
        "X begins.",
    ]
    sentence = given(marked(0, 3, 1, 4, options={"begin.stake": 1})).when(0, Mark(2))
    assert [told(fact, 1) for fact in sentence.facts] == [
        "X marks the top right.",
        "X wins with the top line.",
        "2 chips from the pot to X.",
    ]


# --- bots -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_sample_fits_what_the_seat_sees(viewer: int):
    match = given(match_of(NAME, options=SEALED | STAKED)).when(1, Write(2)).match
    seen = match.view(viewer)
    state = sample(seen, Stream(b"sample"), match.terms.silent)
    agenda = pending(seen, RULES.agenda)
    imagined = match.terms.match(seen["version"], state, agenda)
    assert imagined.view(viewer) == seen


def test_a_sample_guesses_a_note_that_it_cannot_see():
    match = given(match_of(NAME, options=SEALED)).when(1, Write(2)).match
    stream = Stream(b"guess")
    seen, lookup = match.view(0), match.terms.silent
    guesses = {sample(seen, stream, lookup).notes[1].cell for _ in range(100)}
    assert guesses == set(range(9))


def test_a_sampled_turn_is_the_one_in_force_once_it_has_been_bytes():
    match = given(match_of(NAME, edition="e3")).match
    state = sample(match.view(0), Stream(b"e3"), match.terms.silent)
    agenda = pending(match.view(0), RULES.agenda)
    held = match.terms.snapshot(match.terms.match(1, state, agenda))
    assert type(match.terms.restore(held).agenda[0]) is TurnOffCentre


def test_a_win_scores_above_all_and_a_loss_below():
    assert score(marked(0, 3, 1, 4, 2).state, 0) == 1000
    assert score(marked(0, 3, 1, 4, 2).state, 1) == -1000


def test_a_line_the_other_could_finish_weighs_more_than_one_s_own():
    board = marked(0, 3, 1, 4).state  # both are one mark short
    assert score(board, 0) < 0
    assert score(board, 1) < 0
