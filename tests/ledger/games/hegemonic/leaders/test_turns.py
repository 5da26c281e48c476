"""Leaders in turns and phases: LD06 at the order of cards and the count of actions, LD12."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance, Keep
from ledger.games.hegemonic.actions.basic import BasicCollect
from ledger.games.hegemonic.actions.choosing import (
    ActionPhase,
    ChooseStarter,
    StarterNamed,
    order_number,
)
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import TurnEnded
from ledger.games.hegemonic.leaders.activation import Activate, Pass
from ledger.games.hegemonic.rounds.arbitration import Confirm, Retain
from ledger.games.hegemonic.rounds.sequence import Round
from ledger.games.hegemonic.state.tracks import Retention
from tests.support.hegemonic.leading import led
from tests.support.hegemonic.positions import committed, house, position, told


def waiting(name: str = "x"):
    return DiscardOrAdvance(0, name, optional=True)


# --- LD12 The Entombed ----------------------------------------------------------------------------


def arbitrated():
    """Both have 20 CAPs, and one base: a limit of 12."""
    spot = led(position(2).at(6), {1: ("LD12", 3)}).caps(20, 20)
    spot.has(0, complexes={"S1a": 1}).has(1, complexes={"S1b": 1})
    return spot.doing(Retain(), waiting()).given()


@pytest.mark.rule("LD12", "leader.choose", "board.retention")
def test_ld12_level_1_retains_three_more_in_this_round():
    sentence = arbitrated().asks(0, 1).when(0, Confirm()).when(1, Confirm())
    sentence.asks(1, key="r2/p6/leader/before-retention/s1").when(1, Activate(1))
    sentence.holds("caps", seat_0=12, seat_1=15)
    passed = arbitrated().when(0, Confirm()).when(1, Confirm()).when(1, Pass())
    passed.holds("caps", seat_0=12, seat_1=12)
    early = arbitrated().when(1, Activate(1)).when(0, Confirm()).when(1, Confirm())
    early.holds("caps", seat_0=12, seat_1=15)


@pytest.mark.rule("LD12", "leader.anytime")
def test_ld12_level_1_is_for_the_arbitration_phase():
    spot = led(position(2).at(2), {1: ("LD12", 1)}).has(1, complexes={"S1a": 1})
    spot.caps(0, 20).doing(waiting()).given().when(1, Activate(1)).refused(
        "not_the_moment", "leader.anytime"
    )


@pytest.mark.rule("leader.choose")
def test_what_ld12_level_1_adds_is_for_one_round():
    spot = led(position(2).at(6), {1: ("LD12", 3)}).has(1, complexes={"S1b": 1})
    sentence = spot.doing(waiting(), Round(), waiting("y")).given().when(1, Activate(1))
    assert Retention.limit(sentence.state, 1) == 15
    sentence.when(0, Keep())
    assert (sentence.state.round, Retention.limit(sentence.state, 1)) == (3, 12)


# --- LD06 The Consultant: the order of cards ------------------------------------------------------


def chosen(level: int, *cards: str, **terms):
    """Player 1 has LD06; everybody has chosen a card, the arbiter is player 0."""
    spot = led(position(len(cards), **terms).at(2), {1: ("LD06", level)})
    return committed(spot.doing(ActionPhase(3), waiting()).given(), *cards)


@pytest.mark.rule("LD06", "leader.choose", "action.ties")
def test_ld06_level_1_names_who_goes_first_instead_of_the_arbiter():
    cards = ("industrialize", "politicize", "martialize")
    sentence = chosen(1, *cards).asks(1, key="r2/p3/leader/tied/s1")
    sentence.when(1, Activate(1, seat=5)).refused("no_such_target", "leader.choose", seat=5)
    sentence.offers(1, *(Activate(1, seat=n) for n in range(3)), Pass(), Pass(not_again=True))
    sentence.when(1, Activate(1, seat=2)).asks(2, key="r2/p3/s2/a1")
    assert told(sentence, StarterNamed) == [StarterNamed(2, 2)]
    sentence.when(2, EndTurn()).asks(0).when(0, EndTurn()).asks(1)
    passed = chosen(1, *cards).when(1, Pass()).asks(0, key="r2/p3/tie/2")
    passed.when(0, ChooseStarter(2, 1)).asks(1)
    random = chosen(1, *cards, overlay=house(order__tie="random"))
    random.when(1, Activate(1, seat=2)).asks(2)


@pytest.mark.rule("LD06", "leader.anytime")
def test_ld06_level_1_is_for_a_tie_of_the_own_number():
    chosen(1, "industrialize", "assault", "martialize").asks(1, key="r2/p3/s1/a1")


@pytest.mark.rule("LD06", "leader.choose", "action.order")
def test_ld06_level_2_is_first_in_this_phase_and_no_longer():
    sentence = chosen(2, "assault", "discover").asks(1, key="r2/p3/leader/revealed/s1")
    sentence.when(1, Activate(2)).asks(1, key="r2/p3/s1/a1")
    assert order_number(sentence.state, 1) == 0
    sentence.when(1, EndTurn()).asks(0)
    chosen(2, "assault", "discover").when(1, Pass()).asks(0, key="r2/p3/s0/a1")


@pytest.mark.rule("LD06", "leader.choose", "action.two")
def test_ld06_level_3_takes_a_third_action():
    spot = led(position(2), {0: ("LD06", 3), 1: ("LD06", 3)}).turn(0, "assault")
    sentence = spot.given()
    sentence.when(1, Activate(3)).refused("not_the_moment", "leader.anytime")
    sentence.when(0, BasicCollect()).when(0, Activate(3)).asks(0, key="r2/p3/s0/a2")
    sentence.when(0, BasicCollect()).asks(0, key="r2/p3/s0/a3").when(0, BasicCollect())
    assert told(sentence, TurnEnded) == [TurnEnded(0)]
    sentence.holds("caps", seat_0=6)
