"""Action phases: choosing and revealing cards, their order, and turns of up to two actions."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance
from ledger.games.hegemonic.actions.basic import BasicCollect, BasicDraw
from ledger.games.hegemonic.actions.choosing import (
    ActionPhase,
    CardRevealed,
    CardsRecovered,
    ChooseStarter,
    CommitCard,
)
from ledger.games.hegemonic.actions.discover import Capitalize, Survey
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import TurnBegun, TurnEnded
from ledger.games.hegemonic.rounds.clock import PhaseBegun
from ledger.kernel.audience import view
from tests.support.hegemonic.playing import idle
from tests.support.hegemonic.positions import committed, falling, house, position, set_up, told

EXAMPLE = ("industrialize", "assault", "politicize", "industrialize", "discover")
ORANGE, RED, YELLOW, GREEN, BLUE = 1, 0, 2, 3, 4


def phase(seats: int = 5, **terms):
    """A match at the choice of action cards."""
    after = DiscardOrAdvance(0, "x", optional=True)
    return position(seats, **terms).at(2).doing(ActionPhase(3), after).given()


@pytest.mark.rule("action.choose", "action.reveal")
def test_all_choose_in_secret_and_reveal_together():
    sentence = phase(2).asks(0, 1, key="r2/p3/card")
    sentence.when(1, CommitCard("dance")).refused("not_allowed", "action.choose")
    sentence.when(1, CommitCard("assault"))
    assert view(sentence.facts[0], 0)["card"] == {"hidden": True}
    sentence.when(1, CommitCard("subvert")).refused("not_asked", "action.choose")
    sentence.when(0, CommitCard("discover"))
    shown = told(sentence, CardRevealed)
    assert [(one.seat, one.card) for one in shown] == [(0, "discover"), (1, "assault")]
    assert [list(one.discloses()) for one in shown] == [[("r2/p3/card", 0)], [("r2/p3/card", 1)]]


@pytest.mark.rule("action.order", "action.ties", "arbiter.ties", "card.assault", "card.discover")
@pytest.mark.rule("card.industrialize", "card.politicize")
@pytest.mark.parametrize(
    ("named", "order"),
    [
        (RED, [ORANGE, RED, YELLOW, GREEN, BLUE]),
        (YELLOW, [ORANGE, YELLOW, GREEN, RED, BLUE]),
        (GREEN, [ORANGE, GREEN, RED, YELLOW, BLUE]),
    ],
)
def test_v06_action_order(named: int, order: list[int]):
    sentence = committed(phase(), *EXAMPLE).asks(ORANGE)
    turns = [ORANGE]
    sentence.when(ORANGE, EndTurn()).asks(RED, key="r2/p3/tie/2")
    for other in (BLUE, ORANGE):
        sentence.when(RED, ChooseStarter(2, other)).refused("not_tied", "action.ties")
    sentence.when(RED, ChooseStarter(2, named))
    while sentence.state.turn is not None:
        (seat,) = sentence.match.asked()
        turns.append(seat)
        sentence.when(seat, EndTurn())
    assert turns == order


@pytest.mark.rule("action.ties")
def test_by_a_reading_a_die_says_who_is_first():
    sentence = committed(phase(overlay=house(order__tie="random")), *EXAMPLE)
    sentence.when(ORANGE, EndTurn()).asks(-1, key="r2/p3/tie/2").rolled(3)
    assert told(sentence, TurnBegun) == [TurnBegun(GREEN, "industrialize")]


@pytest.mark.rule("action.choose")
def test_by_a_reading_a_card_may_be_changed_until_all_have_chosen():
    phase(2).when(0, CommitCard("assault")).when(0, CommitCard("discover")).refused("not_asked")
    sentence = phase(2, overlay=house(action__recommit="on")).when(0, CommitCard("assault"))
    sentence.when(0, CommitCard("discover")).asks(1).when(1, CommitCard("assault"))
    shown = told(sentence, CardRevealed)
    assert shown[0] == CardRevealed(0, "discover", "r2/p3/card/changed")


@pytest.mark.rule("action.two", "action.any-order", "action.optional", "basic.collect")
def test_a_turn_has_up_to_two_actions_and_the_same_one_may_be_taken_twice():
    sentence = committed(phase(2), "assault", "subvert").asks(0, key="r2/p3/s0/a1")
    sentence.when(0, BasicCollect()).asks(0, key="r2/p3/s0/a2").when(0, BasicCollect())
    assert told(sentence, TurnEnded) == [TurnEnded(0)]
    sentence.holds("caps", seat_0=4).asks(1).when(1, EndTurn())
    assert [one.played for one in sentence.state.houses] == ["", ""]


@pytest.mark.rule("action.two", "basic.where", "card.discover")
def test_only_what_the_card_lists_can_be_done():
    sentence = committed(phase(2), "discover", "assault").asks(1)
    sentence.when(1, Survey()).refused("not_on_card", "action.two", card="assault")
    sentence.when(1, EndTurn()).when(0, BasicCollect()).refused("not_on_card", "action.two")


@pytest.mark.rule("basic.where")
@pytest.mark.parametrize(
    ("card", "listed"),
    [(card, True) for card in ("assault", "industrialize", "politicize", "martialize", "subvert")]
    + [("discover", False)],
)
def test_basic_is_on_every_card_but_discover(card: str, listed: bool):
    sentence = position(2).turn(0, card).given()
    offered = sentence.match.options(0)
    assert (BasicCollect() in offered, BasicDraw() in offered) == (listed, listed)


@pytest.mark.rule("basic.draw")
def test_basic_draws_a_card_and_one_is_discarded_or_advanced():
    sentence = committed(phase(2), "assault", "subvert").when(0, BasicDraw())
    falling(sentence).asks(0, key="r2/p3/s0/a1/finish")


@pytest.mark.rule("discover.capitalize")
def test_capitalize_brings_the_smallest_of_the_three_incomes():
    spot = position(2).home(0, "S1d").at(2)
    spot.has(0, complexes={"S1d": 2}, embassies=["S1d"], outposts={"S1d": 2})
    sentence = spot.turn(0, "discover").given().when(0, Capitalize())
    sentence.holds("caps", seat_0=2)


@pytest.mark.rule("discover.survey")
def test_survey_turns_a_tile_and_places_any_of_the_pool():
    sentence = position(2).turn(0, "discover").given().when(0, Survey())
    falling(sentence).asks(0, key="r2/p3/s0/a1/place")
    assert len(sentence.state.pool) == 1


@pytest.mark.rule("discover.survey")
def test_without_a_tile_there_is_nothing_to_survey():
    spot = position(2).turn(0, "discover")
    spot.galaxy.stack = 0
    spot.given().when(0, Survey()).refused("nothing_to_survey", "discover.survey")


@pytest.mark.rule("action.recover")
def test_all_cards_return_and_the_same_one_may_be_played_again():
    after = DiscardOrAdvance(0, "x", optional=True)
    sentence = position(2).at(2).doing(ActionPhase(3), ActionPhase(4), after).given()
    committed(sentence, "discover", "assault").asks(1).when(1, EndTurn())
    assert [house.played for house in sentence.state.houses] == ["discover", "assault"]
    sentence.when(0, EndTurn())
    assert told(sentence, CardsRecovered, PhaseBegun) == [CardsRecovered(), PhaseBegun(4)]
    assert [house.played for house in sentence.state.houses] == ["", ""]
    sentence.asks(0, 1, key="r2/p4/card")
    committed(sentence, "discover", "assault").asks(1)
    assert sentence.match.key(1).startswith("r2/p4/s1/")


@pytest.mark.rule("round.phases", "round.lockstep", "round.tracker")
def test_everybody_is_done_with_a_phase_before_the_marker_moves_on():
    sentence = set_up(2)
    shown, asked = [], []
    while sentence.state.round == 1:
        shown.append(sentence.state.phase)
        asked.append((sentence.state.phase, sentence.match.asked()[0]))
        idle(sentence)
    assert shown == sorted(shown), "no phase is gone back to"
    assert set(asked) == {(phase, seat) for phase in (2, 3, 4, 5, 6) for seat in (0, 1)}
    assert (sentence.state.round, sentence.state.phase) == (2, 2)
