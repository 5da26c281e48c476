"""Leaders: when they may be used, by whom first, what they interrupt, and how they rise again."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance, Keep
from ledger.games.hegemonic.actions.basic import BasicCollect
from ledger.games.hegemonic.actions.building import FinishBuild, PlaceComplex, StartBuild
from ledger.games.hegemonic.actions.choosing import ActionPhase, CommitCard
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import ActionTakenBack, CancelAction
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.support import DeclineSupport, LendSupport
from ledger.games.hegemonic.leaders.activation import (
    ActionInterrupted,
    ActionResumed,
    Activate,
    LeaderActivated,
    LeaderPassed,
    LeaderReset,
    Pass,
    Resume,
    Window,
)
from ledger.games.hegemonic.rounds.sequence import Collection
from tests.support.hegemonic.leading import (
    BLUE,
    FIGHT,
    GREEN,
    RED,
    YELLOW,
    attacking,
    led,
    sabotage,
)
from tests.support.hegemonic.positions import falling, position, told


def waiting(number: int = 0):
    """A question that asks nothing of interest, and changes nothing."""
    return DiscardOrAdvance(0, f"x{number}", optional=True)


# --- the card rises and goes back -----------------------------------------------------------------


def level(sentence) -> int:
    return sentence.state.houses[1].level


@pytest.mark.rule("leader.reset", "leader.advance", "leader.hold", "leader.choose")
def test_v23_leader_position():
    steps = [step for n in range(5) for step in (waiting(n), Collection())]
    spot = led(position(2), {1: ("LD02", 2)}).doing(*steps, waiting(5))
    sentence = spot.given().when(1, Activate(1)).asks(0)
    assert [type(fact) for fact in sentence.facts][::2] == [LeaderActivated, LeaderReset]
    seen = [level(sentence), *(level(sentence.when(0, Keep())) for _ in range(4))]
    assert seen == [0, 1, 2, 3, 3]
    assert level(sentence.when(1, Activate(1))) == 0
    assert level(sentence.when(0, Keep())) == 1


@pytest.mark.rule("leader.choose", "leader.start")
def test_any_ability_that_the_card_shows_may_be_used_and_no_other():
    sentence = led(position(2), {1: ("LD02", 2)}).doing(waiting(), waiting(1)).given()
    evidence = {"leader": "LD02", "level": 3, "position": 2}
    sentence.when(1, Activate(3)).refused("level_not_reached", "leader.choose", **evidence)
    sentence.when(1, Activate(0)).refused("level_not_reached", "leader.choose")
    options = [list(one.options(sentence.state, 1)) for one in sentence.match.standing(1)]
    assert [Activate(1), Activate(2)] in options
    sentence.when(1, Activate(2)).holds("caps", seat_1=4)
    sentence.when(1, Activate(1)).refused("level_not_reached", "leader.choose", position=0)


@pytest.mark.rule("leader.assign", "leader.choose")
def test_without_a_leader_there_is_no_ability_and_needless_words_are_refused():
    sentence = led(position(2), {1: ("LD02", 1)}).doing(waiting()).given()
    sentence.when(0, Activate(1)).refused("no_leader", "leader.assign")
    sentence.when(1, Activate(1, seat=0)).refused("not_needed", "leader.choose", field="seat")


@pytest.mark.rule("leader.reset")
def test_a_leader_that_is_acting_is_not_used_again():
    spot = led(position(2).at(2), {1: ("LD04", 3)}).hand(1, "I1a-1").discarded("M1a-1")
    sentence = spot.doing(waiting()).given().when(1, Activate(2)).asks(1, key="leader/s1/1/1/draw")
    sentence.when(1, Activate(1)).refused("leader_acting", "leader.reset", level=1)


@pytest.mark.rule("leader.anytime")
def test_each_use_is_a_question_of_its_own():
    sentence = led(position(2), {1: ("LD02", 3)}).doing(waiting(), Collection(), waiting(1)).given()
    keys = [[one.key(sentence.state, 1) for one in sentence.match.standing(1)]]
    sentence.when(1, Activate(1)).when(0, Keep())
    keys.append([one.key(sentence.state, 1) for one in sentence.match.standing(1)])
    assert ["leader/s1/1" in some for some in keys] == [True, False]
    assert "leader/s1/2" in keys[1]


# --- at any time ----------------------------------------------------------------------------------


@pytest.mark.rule("leader.anytime")
def test_a_leader_acts_at_any_time_but_not_between_a_choice_in_secret_and_its_reveal():
    spot = led(position(2).at(2), {0: ("LD04", 1), 1: ("LD02", 3)})
    sentence = spot.doing(ActionPhase(3), waiting()).given()
    # Cards are about to be chosen: what asks nothing further may be used, nothing else.
    sentence.when(0, Activate(1)).refused("not_the_moment", "leader.anytime", leader="LD04")
    sentence.when(0, CommitCard("assault"))
    sentence.when(1, Activate(3)).refused("not_the_moment", "leader.anytime", leader="LD02")
    sentence.when(1, CommitCard("subvert")).asks(0, key="r2/p3/s0/a1")
    sentence.when(1, Activate(3)).holds("caps", seat_1=7).asks(0, key="r2/p3/s0/a1")
    falling(sentence.when(0, Activate(1))).asks(0, key="leader/s0/1/order")


@pytest.mark.rule("leader.anytime")
def test_before_the_first_card_is_chosen_a_leader_may_act():
    spot = led(position(2).at(2), {1: ("LD02", 1)})
    spot.doing(ActionPhase(3), waiting()).given().when(1, Activate(1)).asks(0, 1)


@pytest.mark.rule("leader.anytime")
def test_most_abilities_wait_until_a_conflict_is_over_and_never_act_on_cards_chosen_in_it():
    spot = sabotage(yellow=("LD11", 3), green=("LD02", 3)).inactive(YELLOW, "I1a-1")
    sentence = attacking(spot).asks(YELLOW)
    sentence.when(YELLOW, Activate(1)).refused("not_the_moment", "leader.anytime")
    sentence.when(YELLOW, DeclineSupport()).when(GREEN, DeclineSupport())
    sentence.asks(BLUE, RED, key=f"{FIGHT}/card")
    options = sentence.match.options(BLUE)
    sentence.when(BLUE, options[0])
    sentence.when(GREEN, Activate(1)).refused("not_the_moment", "leader.anytime")
    assert sentence.state.houses[GREEN].level == 3


# --- windows --------------------------------------------------------------------------------------


@pytest.mark.rule("leader.simultaneous")
def test_of_two_leaders_that_may_act_at_once_the_player_whose_turn_it_is_is_first():
    sentence = attacking(sabotage(blue=("LD09", 1), red=("LD12", 2)))
    sentence.when(YELLOW, DeclineSupport()).when(GREEN, DeclineSupport())
    sentence.asks(BLUE, key=f"{FIGHT}/leader/before-cards/s0")
    sentence.when(BLUE, Pass()).asks(RED, key=f"{FIGHT}/leader/before-cards/s1")


@pytest.mark.rule("leader.simultaneous")
@pytest.mark.parametrize(("yellow", "green"), [("LD08", "LD01"), ("LD01", "LD08")])
def test_then_they_act_clockwise(yellow: str, green: str):
    sentence = attacking(sabotage(yellow=(yellow, 2), green=(green, 2)))
    sentence.when(YELLOW, LendSupport(BLUE, 1)).when(GREEN, LendSupport(BLUE, 1))
    sentence.asks(YELLOW, key=f"{FIGHT}/leader/support-answered/s2")
    sentence.when(YELLOW, Pass()).asks(GREEN, key=f"{FIGHT}/leader/support-answered/s3")


@pytest.mark.rule("leader.anytime")
def test_who_passes_keeps_its_leader_and_need_not_be_asked_again_in_the_phase():
    spot = led(position(2).at(3), {1: ("LD06", 2)}).turn(0, "assault")
    spot.galaxy.houses[1].played = "subvert"
    spot.doing(Window("revealed"), Window("revealed"), waiting())
    sentence = spot.given().asks(1, key="r2/p3/leader/revealed/s1")
    sentence.offers(1, Activate(2), Pass(), Pass(not_again=True))
    sentence.when(1, Pass()).asks(1)
    assert told(sentence, LeaderPassed) == [LeaderPassed(1, "revealed", not_again=False)]
    assert sentence.state.houses[1].level == 2
    spot = led(position(2).at(3), {1: ("LD06", 2)}).turn(0, "assault")
    spot.doing(Window("revealed"), Window("revealed"), waiting())
    sentence = spot.given().when(1, Pass(not_again=True)).asks(0, key="x0/finish")
    sentence.when(1, Pass()).refused("not_asked")


@pytest.mark.rule("leader.anytime")
@pytest.mark.parametrize("leader", [("LD06", 1), ("LD07", 3), ("LD02", 3)])
def test_no_window_is_opened_for_a_leader_that_has_nothing_to_do_in_it(leader):
    spot = led(position(2).at(3), {1: leader}).turn(0, "assault")
    spot.doing(Window("revealed"), waiting()).given().asks(0, key="x0/finish")


@pytest.mark.rule("leader.anytime")
def test_in_a_window_an_ability_for_any_time_may_be_used_as_well():
    spot = led(position(2).at(6), {1: ("LD12", 3)}).caps(0, 20)
    spot.has(1, complexes={"S1a": 1}, agents=["S1a"])
    sentence = spot.doing(Window("before-retention", 1), waiting()).given()
    sentence.when(1, Activate(2)).refused("not_the_moment", "leader.anytime", level=2)
    sentence.offers(1, Activate(1), Pass(), Pass(not_again=True))


# --- interrupted actions --------------------------------------------------------------------------


def industrialize():
    spot = led(position(2), {1: ("LD02", 3)}).has(0, complexes={"S1a": 1}).caps(20)
    spot.tile("S1b", "S1c", industrial=1)
    return spot.turn(0, "industrialize").given().when(0, StartBuild())


@pytest.mark.rule("leader.interrupt-unpaid")
def test_who_is_interrupted_before_paying_goes_on_with_the_action_or_drops_it():
    sentence = industrialize()
    sentence.when(0, Resume(go_on=True)).refused("not_interrupted", "leader.interrupt-unpaid")
    sentence.when(1, Activate(1)).asks(0, key="r2/p3/s0/a1/item/1")
    assert told(sentence, ActionInterrupted) == [ActionInterrupted(0)]
    assert [one for one in sentence.match.options(0) if isinstance(one, Resume)] == [
        Resume(go_on=True), Resume(go_on=False),
    ]  # fmt: skip
    dropped = industrialize().when(1, Activate(1)).when(0, Resume(go_on=False))
    assert told(dropped, ActionTakenBack) == [ActionTakenBack(0)]
    dropped.asks(0, key="r2/p3/s0/a2").when(0, BasicCollect())
    assert dropped.state.turn.used == 1
    sentence.when(0, Resume(go_on=True)).then(ActionResumed(0))
    sentence.asks(0, key="r2/p3/s0/a1/item/1/resumed/1")
    sentence.when(0, Resume(go_on=True)).refused("not_interrupted")
    sentence.when(0, PlaceComplex("S1b")).when(0, FinishBuild())
    assert sentence.state.turn.used == 1


@pytest.mark.rule("leader.interrupt-unpaid")
def test_a_conflict_action_is_dropped_likewise_before_anything_is_declared():
    spot = sabotage(red=("LD02", 1))
    sentence = spot.given().when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(RED, Activate(1)).when(BLUE, Resume(go_on=False))
    sentence.asks(BLUE, key="r2/p3/s0/a2").when(BLUE, EndTurn())


@pytest.mark.rule("leader.interrupt-paid")
def test_what_has_been_paid_for_is_completed():
    sentence = industrialize().when(0, PlaceComplex("S1b")).when(1, Activate(1))
    assert told(sentence, ActionInterrupted) == []
    sentence.when(0, Resume(go_on=False)).refused("action_begun", "leader.interrupt-paid")
    sentence.when(0, CancelAction()).refused("action_begun")
    sentence.when(0, PlaceComplex("S1c")).when(0, FinishBuild()).holds("caps", seat_1=2)


@pytest.mark.rule("leader.interrupt-paid")
def test_a_conflict_that_has_begun_goes_on():
    sentence = attacking(sabotage(red=("LD02", 1))).when(RED, Activate(1))
    assert told(sentence, ActionInterrupted) == []
    sentence.asks(YELLOW, key=f"{FIGHT}/support/s2")
    sentence.when(BLUE, Resume(go_on=False)).refused("not_asked")


@pytest.mark.rule("leader.interrupt-unpaid")
def test_nobody_is_interrupted_by_the_own_leader():
    spot = led(position(2), {0: ("LD02", 1)}).has(0, complexes={"S1a": 1}).turn(0, "industrialize")
    sentence = spot.given().when(0, StartBuild()).when(0, Activate(1))
    sentence.when(0, Resume(go_on=True)).refused("not_interrupted", "leader.interrupt-unpaid")
