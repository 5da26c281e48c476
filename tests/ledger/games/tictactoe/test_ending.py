"""Chapter 4, Ending: what becomes of the pot."""

from __future__ import annotations

import pytest

from ledger.games.tictactoe.begin import PURSE_CHIPS
from ledger.games.tictactoe.play import Drew, Mark, Marked, Won
from ledger.kernel.accounts import Transferred
from tests.support.given import given
from tests.support.tictactoe.positions import DRAWN, marked


@pytest.mark.rule("end.win")
@pytest.mark.parametrize("stake", range(1, 10))
def test_the_winner_takes_the_pot(stake: int):
    match = marked(0, 3, 1, 4, options={"begin.stake": stake})
    given(match).when(0, Mark(2)).then(
        Marked(0, 2),
        Won(0, "top"),
        Transferred("chips", "pot", "seat.0", 2 * stake, "end.win"),
    ).holds("chips", pot=0, seat_0=PURSE_CHIPS + stake, seat_1=PURSE_CHIPS - stake)


@pytest.mark.rule("end.win")
def test_the_second_seat_takes_the_pot_when_it_wins():
    match = marked(8, 3, 0, 4, 1, options={"begin.stake": 3})
    given(match).when(1, Mark(5)).holds("chips", pot=0, seat_0=6, seat_1=12).ends(
        winners=(1,), scores=(0, 1), reason="line middle"
    )


@pytest.mark.rule("end.draw")
def test_after_a_draw_each_seat_takes_its_stake_back():
    match = marked(*DRAWN[:-1], options={"begin.stake": 5})
    given(match).when(0, Mark(DRAWN[-1])).then(
        Marked(0, DRAWN[-1]),
        Drew(),
        Transferred("chips", "pot", "seat.0", 5, "end.draw"),
        Transferred("chips", "pot", "seat.1", 5, "end.draw"),
    ).holds("chips", pot=0, seat_0=PURSE_CHIPS, seat_1=PURSE_CHIPS)


@pytest.mark.rule("end.win", "end.draw")
@pytest.mark.parametrize("cells", [(0, 3, 1, 4, 2), DRAWN])
def test_where_nothing_was_staked_nothing_is_paid(cells: tuple[int, ...]):
    sentence = given(marked(*cells[:-1])).when(0, Mark(cells[-1]))
    assert not any(isinstance(fact, Transferred) for fact in sentence.facts)
    sentence.holds("chips", bank=0, pot=0, seat_0=0, seat_1=0)
