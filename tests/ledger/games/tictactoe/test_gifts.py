"""Chapter 5, Gifts: at any time a seat may give chips away."""

from __future__ import annotations

import pytest

from ledger.games.tictactoe.gifts import GiftMade, Gifts, Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.accounts import Transferred
from tests.support.given import given, match_of
from tests.support.tictactoe.positions import DRAWN, NAME, SEALED, STAKED, marked


@pytest.mark.rule("gifts.give")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_gives_in_its_own_turn_and_in_the_other_s_and_the_turn_stays(seat: int):
    given(match_of(NAME, options=STAKED)).when(seat, Give(3)).then(
        GiftMade(seat, 3),
        Transferred("chips", f"seat.{seat}", f"seat.{1 - seat}", 3, "gifts.give"),
    ).asks(0, key="turn/1")


@pytest.mark.rule("gifts.give")
def test_more_than_one_has_is_refused_with_the_account():
    given(match_of(NAME, options=STAKED)).when(1, Give(8)).refused(
        "overdrawn", "gifts.give", account="seat.1", currency="chips", needed=8, has=7
    )


@pytest.mark.rule("gifts.give")
@pytest.mark.parametrize("amount", [0, -1])
def test_less_than_one_chip_is_no_gift(amount: int):
    given(match_of(NAME, options=STAKED)).when(0, Give(amount)).refused(
        "not_allowed", "gifts.give", seat=0, decision="gifts.give"
    )


@pytest.mark.rule("gifts.give")
def test_every_amount_that_a_seat_has_is_offered():
    match = given(match_of(NAME, options=STAKED)).when(0, Give(5)).match
    question = Gifts()
    assert question.options(match.state, 0) == [Give(1), Give(2)]
    assert question.options(match.state, 1) == [Give(amount) for amount in range(1, 13)]


@pytest.mark.rule("gifts.give")
def test_one_with_nothing_gives_nothing():
    sentence = given(match_of(NAME, options=STAKED)).when(0, Give(7))
    assert Gifts().options(sentence.state, 0) == []
    sentence.when(0, Give(1)).refused("overdrawn", "gifts.give", needed=1, has=0)


@pytest.mark.rule("gifts.give")
def test_gifts_are_counted_for_each_seat():
    sentence = given(match_of(NAME, options=STAKED))
    assert Gifts().key(sentence.state, 0) == "gift/s0/1"
    sentence.when(0, Give(1)).when(0, Give(1)).when(1, Give(1))
    assert sentence.state.gifts == [2, 1]
    assert Gifts().key(sentence.state, 0) == "gift/s0/3"
    assert Gifts().key(sentence.state, 1) == "gift/s1/2"


@pytest.mark.rule("gifts.give")
def test_where_nothing_is_staked_there_is_nothing_to_give():
    """The question does not stand; so the refusal is that of the question on top."""
    sentence = given(match_of(NAME))
    sentence.when(0, Give(1)).refused("wrong_answer", "play.turn", given="gifts.give")
    sentence.when(1, Give(1)).refused("not_asked", "play.turn", asked=[0])


@pytest.mark.rule("gifts.give")
@pytest.mark.parametrize("cells", [(0, 3, 1, 4, 2), DRAWN])
def test_after_a_line_or_nine_marks_nothing_is_given(cells: tuple[int, ...]):
    given(marked(*cells, options=STAKED)).when(0, Give(1)).refused("match_over")


@pytest.mark.rule("gifts.give")
def test_no_gift_while_a_die_is_asked_for():
    match = match_of(NAME, options=STAKED | {"begin.first": "rolled"})
    given(match).when(0, Give(1)).refused("chance_pending", "gifts.give")


@pytest.mark.rule("gifts.give")
def test_a_gift_between_two_sealed_notes_discloses_nothing():
    sentence = given(match_of(NAME, options=STAKED | SEALED)).when(0, Write(4))
    sentence.when(0, Give(1)).then(
        GiftMade(0, 1), Transferred("chips", "seat.0", "seat.1", 1, "gifts.give")
    ).asks(1, key="opening")
    sentence.when(1, Write(0)).asks(0, key="turn/3")


@pytest.mark.rule("gifts.give")
def test_what_was_given_stays_given_when_the_pot_is_paid():
    sentence = given(marked(0, 3, 1, 4, options=STAKED)).when(0, Give(4)).when(0, Mark(2))
    sentence.holds("chips", pot=0, seat_0=7, seat_1=11)


@pytest.mark.rule("gifts.give")
def test_a_stranger_gives_nothing():
    given(match_of(NAME, options=STAKED)).when(2, Give(1)).refused("not_asked", "play.turn", seat=2)
