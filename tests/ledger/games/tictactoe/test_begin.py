"""Chapter 1, Beginning: stakes first, then who begins, then the first marks."""

from __future__ import annotations

import pytest

from ledger.games.tictactoe.begin import PURSE_CHIPS, FirstNamed, RollForFirst
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write, WriteFirst
from ledger.games.tictactoe.play import Mark, Turn
from ledger.kernel.accounts import Transferred
from ledger.kernel.chance import Rolled
from ledger.kernel.records import CHANCE
from ledger.kernel.refusals import Refused
from tests.support.given import given, match_of
from tests.support.tictactoe.positions import NAME, SEALED


def staked(amount: int) -> list[Transferred]:
    return [
        transfer
        for seat in ("seat.0", "seat.1")
        for transfer in (
            Transferred("chips", "bank", seat, PURSE_CHIPS, "begin.stakes"),
            Transferred("chips", seat, "pot", amount, "begin.stakes"),
        )
    ]


@pytest.mark.rule("begin")
def test_stakes_come_before_the_die_and_the_die_before_the_first_mark():
    match = match_of(NAME, options={"begin.stake": 1, "begin.first": "rolled"})
    given(match).then(*staked(1)).asks(CHANCE).rolled(2).then(FirstNamed(1)).asks(1)


@pytest.mark.rule("begin.stakes")
def test_nothing_is_moved_where_nothing_is_staked():
    given(match_of(NAME)).then(FirstNamed(0)).holds("chips", bank=0, pot=0, seat_0=0, seat_1=0)


@pytest.mark.rule("begin.stakes")
@pytest.mark.parametrize("stake", range(1, 10))
def test_each_seat_is_given_nine_chips_and_puts_its_stake_in_the_pot(stake: int):
    left = PURSE_CHIPS - stake
    given(match_of(NAME, options={"begin.stake": stake})).then(*staked(stake), FirstNamed(0)).holds(
        "chips", bank=-2 * PURSE_CHIPS, pot=2 * stake, seat_0=left, seat_1=left
    )


@pytest.mark.rule("begin.stakes")
@pytest.mark.parametrize("stake", [-1, 10, True, "2"])
def test_a_stake_is_a_number_from_none_to_nine(stake: int):
    with pytest.raises(Refused) as refusal:
        match_of(NAME, options={"begin.stake": stake})
    assert refusal.value.code == "bad_value"
    assert refusal.value.rule == "begin.stakes"
    assert refusal.value.evidence["values"] == "0..9"


@pytest.mark.rule("begin.first")
def test_the_first_seat_begins():
    given(match_of(NAME)).then(FirstNamed(0)).asks(0, key="turn/1")


@pytest.mark.rule("begin.first")
def test_who_begins_is_the_first_seat_or_rolled_for_and_nothing_else():
    with pytest.raises(Refused) as refusal:
        match_of(NAME, options={"begin.first": "second-seat"})
    assert refusal.value.code == "bad_value"
    assert refusal.value.evidence["values"] == "first-seat|rolled"


@pytest.mark.rule("begin.roll")
@pytest.mark.parametrize("face", [1, 2])
def test_a_die_of_two_sides_says_who_begins(face: int):
    first = face - 1
    match = match_of(NAME, options={"begin.first": "rolled"})
    sentence = (
        given(match).then().asks(CHANCE, key="begin").offers(CHANCE, Rolled((1,)), Rolled((2,)))
    )
    sentence.rolled(face).then(FirstNamed(first)).asks(first)
    assert match.agenda == [Turn(first, 1)]


@pytest.mark.rule("begin.roll")
@pytest.mark.parametrize("dice", [(), (0,), (3,), (1, 1)])
def test_a_die_that_cannot_fall_so_is_refused(dice: tuple[int, ...]):
    match = match_of(NAME, options={"begin.first": "rolled"})
    given(match).rolled(*dice).refused("not_allowed", "begin.roll", seat=CHANCE)


@pytest.mark.rule("begin.roll")
@pytest.mark.parametrize("decision", [Mark(0), Give(1), Write(0)])
def test_nobody_decides_before_the_die_has_fallen(decision):
    match = match_of(NAME, options={"begin.first": "rolled", "begin.stake": 1})
    assert match.agenda  # not begun yet
    sentence = given(match).when(0, decision).refused("chance_pending")
    sentence.rolled(1).asks(0)


@pytest.mark.rule("begin.roll")
def test_only_dice_answer_the_question_for_dice():
    match = match_of(NAME, options={"begin.first": "rolled"})
    given(match).when(CHANCE, Mark(0)).refused(
        "wrong_answer",
        "begin.roll",
        given="play.mark",
        wanted="chance.rolled, chance.drawn, chance.dealt",
    )
    assert match.chance() == RollForFirst()


@pytest.mark.rule("begin.marks")
def test_the_first_marks_are_turns():
    given(match_of(NAME)).asks(0).offers(0, *(Mark(cell) for cell in range(9)))


@pytest.mark.rule("begin.marks")
def test_in_a_sealed_opening_both_write_at_once():
    match = match_of(NAME, options=SEALED)
    given(match).then(FirstNamed(0)).asks(0, 1, key="opening")
    assert match.agenda == [WriteFirst((0, 1))]


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_two_play(seats: int):
    with pytest.raises(Refused) as refusal:
        match_of(NAME, seats=seats)
    assert refusal.value.code == "bad_seats"
    assert refusal.value.evidence == {"seats": seats, "from": 2, "to": 2}
