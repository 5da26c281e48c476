"""Leaders in conflicts: LD01, LD05, LD07, LD08, LD09 and LD12 at their moments of the five steps.

The conflict is that of leading.py: Blue's agent, 1 + 5 with Orange, against Red's stack of 3.
"""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.conflicts.committing import (
    CardExchanged,
    CommitTechnology,
    TopCardTurned,
)
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.facts import (
    PowerAdded,
    SupportBarred,
    SupportCanceled,
    UnitSaved,
)
from ledger.games.hegemonic.conflicts.outcome import Compared
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.conflicts.support import DeclineSupport, LendSupport
from ledger.games.hegemonic.leaders.activation import Activate, Pass
from ledger.games.hegemonic.leaders.minds import OrderDeck
from ledger.games.hegemonic.leaders.power import FactionFreed, SupportRaised
from ledger.games.hegemonic.map.placing import UnitMoved, UnitReturned
from ledger.parts.battle import Contribution
from tests.support.given import Given
from tests.support.hegemonic.leading import (
    BLUE,
    FIGHT,
    GREEN,
    RED,
    YELLOW,
    attacking,
    fought,
    sabotage,
)
from tests.support.hegemonic.positions import falling, house, position, told

RULE = "leader.choose"


def unsupported(sentence: Given) -> Given:
    """Yellow and Green support nobody."""
    return sentence.when(YELLOW, DeclineSupport()).when(GREEN, DeclineSupport())


def shown(sentence: Given, blue: str = "P1a-1", red: str = "M1a-1") -> Given:
    """Both choose a card: by default 5 against 5."""
    return sentence.when(BLUE, CommitTechnology(blue)).when(RED, CommitTechnology(red))


def powers(sentence: Given) -> tuple[int, int]:
    contest = sentence.state.contest
    return contest.attacker.power, contest.defender.power


# --- LD07 Izanagi, LD09 Occulus Magnus, LD12 The Entombed -----------------------------------------


@pytest.mark.rule("LD07", "LD09", "LD12", "leader.choose")
@pytest.mark.parametrize(
    ("side", "leader", "level", "power"),
    [
        (BLUE, "LD09", 1, (7, 3)), (BLUE, "LD09", 2, (8, 3)), (BLUE, "LD09", 3, (9, 3)),
        (RED, "LD07", 1, (6, 4)), (RED, "LD07", 2, (6, 5)), (RED, "LD07", 3, (6, 6)),
        (RED, "LD12", 2, (6, 5)), (RED, "LD12", 3, (6, 7)),
    ],
)  # fmt: skip
def test_power_is_added_before_cards_are_chosen(side, leader, level, power):
    name = {BLUE: "blue", RED: "red"}[side]
    sentence = unsupported(attacking(sabotage(**{name: (leader, 3)})))
    sentence.asks(side, key=f"{FIGHT}/leader/before-cards/s{side}")
    sentence.when(side, Activate(level)).asks(BLUE, RED, key=f"{FIGHT}/card")
    assert powers(sentence) == power
    added = power[side] - (6, 3)[side]
    expected = PowerAdded(side, Contribution(RULE, leader, 1, "S3d", 0, added))
    assert told(sentence, PowerAdded) == [expected]
    assert sentence.state.houses[side].level == 0


@pytest.mark.rule("leader.anytime")
@pytest.mark.parametrize(
    "leaders", [{"blue": ("LD07", 3)}, {"red": ("LD09", 3)}, {"blue": ("LD12", 3)},
                {"yellow": ("LD09", 3)}, {"red": ("LD12", 1)}],
)  # fmt: skip
def test_each_adds_only_to_the_side_and_the_type_that_it_is_for(leaders):
    unsupported(attacking(sabotage(**leaders))).asks(BLUE, RED, key=f"{FIGHT}/card")


@pytest.mark.rule("leader.anytime")
def test_power_is_added_at_that_moment_and_at_no_other():
    sentence = attacking(sabotage(blue=("LD09", 3))).asks(YELLOW)
    sentence.when(BLUE, Activate(1)).refused("not_the_moment", "leader.anytime", level=1)
    unsupported(sentence).when(BLUE, Pass()).asks(BLUE, RED)
    sentence.when(BLUE, Activate(1)).refused("not_the_moment", "leader.anytime")


@pytest.mark.rule("LD09", "leader.choose", "step1.agent-limit")
def test_ld09_level_3_leaves_the_faction_free_for_another_agent():
    spot = sabotage(blue=("LD09", 3)).has(YELLOW, fleets=["S3d"]).has(BLUE, agents=["S3d", "S3d"])
    sentence = unsupported(attacking(spot)).when(BLUE, Activate(3))
    assert told(sentence, FactionFreed) == [FactionFreed(BLUE, "orange")]
    again = Declare(YELLOW, "S3d", units=(1,))
    fought(shown(sentence)).when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(BLUE, again).when(BLUE, ChooseDraw(("orange",)))
    assert powers(sentence)[0] == 6


@pytest.mark.rule("LD09", "leader.choose", "step1.agent-limit")
def test_ld09_level_2_does_not():
    spot = sabotage(blue=("LD09", 3)).has(YELLOW, fleets=["S3d"]).has(BLUE, agents=["S3d", "S3d"])
    sentence = unsupported(attacking(spot)).when(BLUE, Activate(2))
    fought(shown(sentence)).when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(BLUE, Declare(YELLOW, "S3d", units=(1,)))
    sentence.when(BLUE, ChooseDraw(("orange",))).refused("already_lent", "step1.agent-limit")


# --- LD08 The Speaker -----------------------------------------------------------------------------


@pytest.mark.rule("LD08", "leader.choose")
def test_ld08_level_1_supports_with_one_more():
    sentence = attacking(sabotage(yellow=("LD08", 1)))
    sentence.when(YELLOW, Activate(1)).refused("not_the_moment", "leader.anytime")
    sentence.when(YELLOW, LendSupport(BLUE, 2)).asks(GREEN)
    early = attacking(sabotage(yellow=("LD08", 1))).when(YELLOW, LendSupport(BLUE, 2))
    early.when(YELLOW, Activate(1)).asks(GREEN)
    assert powers(early) == (9, 3)
    sentence.when(GREEN, DeclineSupport())
    sentence.asks(YELLOW, key=f"{FIGHT}/leader/support-answered/s2")
    sentence.when(YELLOW, Activate(1)).asks(BLUE, RED)
    assert powers(sentence) == (9, 3)
    added = Contribution(RULE, "LD08", 1, "S3d", 0, 1)
    assert told(sentence, SupportRaised) == [SupportRaised(YELLOW, BLUE, added)]
    (lent, _) = sentence.state.contest.support
    assert (lent.count, lent.amount) == (2, 3)
    unsupported(attacking(sabotage(yellow=("LD08", 1)))).asks(BLUE, RED, key=f"{FIGHT}/card")


@pytest.mark.rule("LD08", "leader.choose", "general.pay-first")
def test_ld08_level_2_takes_the_cost_of_a_lost_attack_back():
    def lost(spot):
        sentence = spot.given().when(BLUE, StartConflict("assault.sabotage-martial"))
        sentence.when(BLUE, Declare(RED, "S3d", units=(0,))).when(BLUE, ChooseDraw())
        return shown(sentence.holds("caps", seat_0=7))

    sentence = lost(sabotage(blue=("LD08", 3)).caps(0))
    sentence.asks(BLUE, key=f"{FIGHT}/leader/attack-lost/s0").when(BLUE, Activate(2))
    sentence.holds("caps", seat_0=10)
    other = lost(sabotage(red=("LD08", 1), blue=("LD02", 1)))
    assert "leader" not in other.match.key(other.match.asked()[0])


@pytest.mark.rule("LD08", "leader.anytime")
def test_ld08_level_2_is_not_for_an_attack_that_was_won_or_ended_in_a_draw():
    won = shown(unsupported(attacking(sabotage(blue=("LD08", 2)))))
    assert told(won, Compared)[0].winner == BLUE
    assert "leader" not in won.match.key(won.match.asked()[0])
    drawn = unsupported(attacking(sabotage(red=("LD07", 3), blue=("LD08", 2))))
    shown(drawn.when(RED, Activate(3)))
    assert told(drawn, Compared)[0].winner is None
    assert "leader" not in drawn.match.key(drawn.match.asked()[0])


@pytest.mark.rule("LD08", "leader.choose")
def test_ld08_level_3_bars_all_others_from_supporting():
    sentence = attacking(sabotage(red=("LD08", 3)))
    sentence.asks(RED, key=f"{FIGHT}/leader/support-begins/s1").when(RED, Activate(3))
    assert told(sentence, SupportBarred) == [SupportBarred(YELLOW), SupportBarred(GREEN)]
    sentence.asks(BLUE, RED, key=f"{FIGHT}/card")
    owner = attacking(sabotage(yellow=("LD08", 3))).when(YELLOW, Activate(3)).asks(YELLOW)
    assert told(owner, SupportBarred) == [SupportBarred(GREEN)]
    owner.when(YELLOW, LendSupport(BLUE, 1)).asks(BLUE, RED)
    passed = attacking(sabotage(red=("LD08", 3))).when(RED, Pass()).asks(YELLOW)
    assert passed.state.contest.barred == []


# --- LD01 The Envoy -------------------------------------------------------------------------------


@pytest.mark.rule("LD01", "leader.choose")
def test_ld01_level_2_cancels_the_support_of_one_player():
    sentence = attacking(sabotage(red=("LD01", 2), yellow=("LD08", 1)))
    sentence.when(YELLOW, LendSupport(BLUE, 2)).when(YELLOW, Activate(1))
    sentence.when(GREEN, LendSupport(BLUE, 1))
    assert powers(sentence) == (10, 3)
    sentence.asks(RED, key=f"{FIGHT}/leader/support-answered/s1")
    sentence.when(RED, Activate(2, seat=BLUE)).refused("no_such_target", RULE, seat=BLUE)
    offered = [one for one in sentence.match.options(RED) if getattr(one, "level", 0) == 2]
    assert offered == [Activate(2, seat=YELLOW), Activate(2, seat=GREEN)]
    sentence.when(RED, Activate(2, seat=YELLOW)).asks(BLUE, RED)
    assert told(sentence, SupportCanceled) == [SupportCanceled(YELLOW)]
    assert powers(sentence) == (7, 3)  # what the Speaker added is gone with it


@pytest.mark.rule("LD01", "leader.anytime")
def test_ld01_level_2_is_not_for_a_conflict_without_support():
    unsupported(attacking(sabotage(red=("LD01", 2)))).asks(BLUE, RED, key=f"{FIGHT}/card")


@pytest.mark.rule("LD01", "leader.choose", "step3.value")
def test_ld01_level_3_takes_the_revealed_card_back_and_shows_another():
    sentence = shown(unsupported(attacking(sabotage(red=("LD01", 3)))), red="M1b-1")
    sentence.asks(RED, key=f"{FIGHT}/leader/cards-revealed/s1")
    assert powers(sentence) == (6 + 5, 3 + 4)
    sentence.when(RED, Activate(3, card="P1a-1")).refused("card_not_in_hand", RULE)
    levels = [one for one in sentence.match.options(RED) if getattr(one, "level", 0) == 3]
    assert levels == [Activate(3, card="M1a-1")]
    sentence.when(RED, Activate(3, card="M1a-1"))
    (fact,) = told(sentence, CardExchanged)
    assert (fact.seat, fact.back, fact.card) == (RED, "M1b-1", "M1a-1")
    (compared,) = told(sentence, Compared)
    assert (compared.attack, compared.defense) == (6 + 5, 3 + 5)
    assert "M1b-1" in sentence.state.houses[RED].hand
    third = shown(unsupported(attacking(sabotage(yellow=("LD01", 3)))))
    assert told(third, Compared)


# --- LD05 Eadrom ----------------------------------------------------------------------------------


def losing(**leaders) -> Given:
    """Blue draws on nothing: 1 + 5 against 3 + 5."""
    spot = sabotage(**leaders)
    sentence = spot.given().when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(BLUE, Declare(RED, "S3d", units=(0,))).when(BLUE, ChooseDraw())
    return shown(sentence)


@pytest.mark.rule("LD05", "leader.choose", "step4.defender-wins")
def test_ld05_level_3_puts_a_unit_that_would_be_destroyed_at_home():
    sentence = losing(blue=("LD05", 3)).asks(BLUE, key=f"{FIGHT}/leader/unit-falls/s0/agent/0")
    sentence.when(BLUE, Activate(3))
    assert told(sentence, UnitMoved) == [UnitMoved(BLUE, "agent", 0, ("S3d", "S4d"))]
    assert told(sentence, UnitSaved) == [UnitSaved(BLUE, "agent", 0)]
    assert told(sentence, UnitReturned) == []
    assert sentence.state.houses[BLUE].agents[0] == "S4d"
    passed = losing(blue=("LD05", 3)).when(BLUE, Pass())
    assert told(passed, UnitReturned) == [UnitReturned(BLUE, "agent", 0, "S3d")]
    assert told(losing(red=("LD05", 3)), UnitReturned) == [UnitReturned(BLUE, "agent", 0, "S3d")]


@pytest.mark.rule("LD05", "leader.choose", "step4.attacker-destroy")
def test_ld05_level_3_saves_one_of_the_fleets_that_stand_by_a_stack():
    spot = sabotage(red=("LD05", 3)).has(RED, fleets=["S3d", "S3d"])
    sentence = attacking(spot).when(YELLOW, LendSupport(BLUE, 2)).when(GREEN, DeclineSupport())
    sentence = shown(sentence, red="M1b-1")
    sentence.asks(RED, key=f"{FIGHT}/leader/unit-falls/s1/fleet/0").when(RED, Activate(3))
    assert sentence.state.houses[RED].fleets[:2] == ["S1d", ""]


@pytest.mark.rule("LD05", "leader.choose", "tech.sentient-propaganda")
def test_ld05_level_3_leaves_a_unit_that_falls_at_home_where_it_is():
    spot = position(4).home(BLUE, "S4d").home(RED, "S1d").tile("S4c", martial=2)
    spot.has(BLUE, agents=["S4d"], embassies=["S4d"]).has(RED, outposts={"S4c": 2})
    spot.advanced(BLUE, "P3a-1").hand(BLUE, "P1a-1", "P1b-1").hand(RED, "M1a-1", "M1b-1")
    spot.galaxy.houses[BLUE].leader, spot.galaxy.houses[BLUE].level = "LD05", 3
    sentence = spot.caps(9, 9).turn(BLUE, "assault").given()
    sentence.when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(BLUE, Declare(RED, "S4c", units=(0,))).when(BLUE, ChooseDraw())
    shown(sentence).when(BLUE, Activate(3))
    assert told(sentence, UnitMoved, UnitReturned) == []
    assert sentence.state.houses[BLUE].agents[0] == "S4d"


# --- LD04 The Chair -------------------------------------------------------------------------------


@pytest.mark.rule("leader.choose", "learn.step3")
def test_in_the_learning_game_the_cards_that_were_looked_at_are_turned_first():
    spot = sabotage(options={"learning": True}, green=("LD04", 1))
    sentence = falling(spot.given().when(GREEN, Activate(1)))
    order = tuple(sentence.state.on_top[::-1])
    sentence.when(GREEN, OrderDeck(order)).when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(BLUE, Declare(RED, "S3d", units=(0,))).when(BLUE, ChooseDraw(("orange",)))
    turned = [(one.seat, one.card) for one in told(sentence, TopCardTurned)]
    assert turned == [(BLUE, order[0]), (RED, order[1])]
    assert sentence.state.on_top == [order[2]]


@pytest.mark.rule("leader.anytime")
def test_in_a_conflict_ld04_looks_at_the_pile_but_not_while_cards_are_chosen():
    sentence = attacking(sabotage(green=("LD04", 1))).asks(YELLOW)
    looking = unsupported(attacking(sabotage(green=("LD04", 1)))).asks(BLUE, RED)
    looking.when(GREEN, Activate(1)).refused("not_the_moment", "leader.anytime")
    falling(sentence.when(GREEN, Activate(1))).asks(GREEN, key="leader/s3/1/order")
    sentence.when(GREEN, sentence.match.options(GREEN)[0]).asks(YELLOW)


@pytest.mark.rule("leader.anytime")
@pytest.mark.parametrize("reading", ["step1__order", "support__order"])
def test_by_a_reading_all_choose_at_once_and_no_leader_acts_on_that_either(reading: str):
    spot = sabotage(
        overlay=house(**{reading: "simultaneous"}), red=("LD02", 1), blue=("LD04", 1)
    ).has(RED, fleets=["S3d"])
    del spot.galaxy.houses[RED].outposts["S3d"]
    spot.has(RED, outposts={"S3b": 2}, fleets=["S3d"])
    sentence = spot.given().when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(BLUE, Declare(RED, "S3d", units=(0,)))
    if reading == "support__order":
        sentence.when(BLUE, ChooseDraw(("orange",))).when(RED, ChooseDraw())
    asked = sentence.match.asked()
    assert len(asked) == 2
    sentence.when(BLUE, Activate(1)).refused("not_the_moment", "leader.anytime", leader="LD04")
    sentence.when(asked[0], sentence.match.options(asked[0])[0])
    sentence.when(RED, Activate(1)).refused("not_the_moment", "leader.anytime", leader="LD02")
