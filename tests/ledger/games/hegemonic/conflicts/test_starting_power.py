"""Step 1: starting power, with every contribution; what agents and fleets draw on."""

from __future__ import annotations

from itertools import product

import pytest

from ledger.games.hegemonic.actions.choosing import ActionPhase
from ledger.games.hegemonic.actions.piles import DiscardAdvanced
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import (
    ChooseDraw,
    ChooseDrawSealed,
    DrawChosen,
    DrawSealed,
    StartingPowerCounted,
)
from ledger.kernel.audience import view
from ledger.parts.battle import Contribution
from tests.support.hegemonic.conflicts import (
    BLUE,
    INVADE,
    LEVERAGE,
    RED,
    SABOTAGE,
    SIEGE,
    YELLOW,
    cleaned,
    draws,
    fight,
    invasion,
    leverage,
    play,
    powers,
    sabotage,
    siege,
)
from tests.support.hegemonic.positions import Position, allowed, house, position, told


def holding(spot: Position) -> Position:
    """With cards in every hand, so that a conflict stops at step 3."""
    for seat, kind in enumerate(("I1a", "P1a", "M1a", "M1b")):
        spot.hand(seat, f"{kind}-1", f"{kind}-2")
    return spot


def counted(sentence) -> dict[int, tuple[Contribution, ...]]:
    return {one.seat: one.contributions for one in told(sentence, StartingPowerCounted)}


@pytest.mark.rule("step1.complex", "step1.embassy", "power.home-embassy", "step1.home")
def test_v14_industrial_against_political():
    sentence = fight(holding(leverage()), LEVERAGE)
    assert powers(sentence) == (7, 5)
    given = counted(sentence)
    assert given[YELLOW] == (
        Contribution("step1.complex", "complex", 3, "S2b", 0, 3),
        Contribution("step1.complex", "complex", 1, "S4a", 1, 1),
        Contribution("step1.complex", "complex", 2, "S2a", 1, 2),
        Contribution("step1.complex", "complex", 1, "S2d", 1, 1),
    )
    assert given[BLUE] == (
        Contribution("step1.embassy", "embassy", 1, "S4a", 0, 2),
        Contribution("step1.embassy", "embassy", 1, "S5d", 0, 2),
        Contribution("step1.embassy", "agent", 1, "S4a", 0, 1),
    )
    assert sentence.state.contest.attacker.given == list(given[YELLOW])


@pytest.mark.rule("step1.agent", "step1.outpost", "step1.home", "power.agent")
def test_v15_political_against_martial():
    sentence = fight(holding(sabotage()), SABOTAGE).asks(BLUE, key="r2/p3/s1/a1/draw/s1")
    draws(sentence, BLUE, "orange")
    assert powers(sentence) == (8, 8)
    defence = counted(sentence)[RED]
    assert [(one.piece, one.sector, one.distance, one.amount) for one in defence] == [
        ("outpost", "S3d", 0, 3), ("outpost", "S3b", 1, 2), ("outpost", "S4a", 2, 1),
        ("fleet", "S3d", 0, 2),
    ]  # fmt: skip


@pytest.mark.rule("step1.fleet", "power.fleet", "step1.fleet-no-double", "board.tier")
def test_v16_martial_against_industrial():
    sentence = fight(holding(invasion()), INVADE, "S5d").asks(RED, key="r2/p3/s0/a1/draw/s0")
    sentence.when(RED, ChooseDraw(("S2d",))).refused("cannot_draw_on", "step1.fleet")
    draws(sentence, RED, "S6a")
    assert powers(sentence) == (11, 8)
    assert [(one.piece, one.sector, one.amount) for one in counted(sentence)[RED]] == [
        ("fleet", "S5d", 2), ("outpost", "S6a", 3), ("outpost", "S6b", 2), ("outpost", "S6d", 1),
        ("outpost", "K6", 1), ("fleet", "S6a", 2),
    ]  # fmt: skip


@pytest.mark.rule("step1.fleet", "step1.agent", "step1.order", "target.units-only")
def test_v17_martial_against_political():
    sentence = fight(holding(siege()), SIEGE, "S4e").asks(RED)
    sentence.when(RED, ChooseDraw(("S3b",))).refused("cannot_draw_on", "step1.fleet")
    sentence.offers(RED, ChooseDraw(("S4b",)), ChooseDraw())
    draws(sentence, RED, "S4b").asks(BLUE, key="r2/p3/s0/a1/draw/s1")
    assert powers(sentence) == (8, 0)
    draws(sentence, BLUE, "orange")
    assert powers(sentence) == (8, 6)


# --- what may be drawn on -------------------------------------------------------------------------


@pytest.mark.rule("step1.agent-zero", "step1.fleet-none")
def test_a_side_may_draw_on_nothing_or_on_a_faction_that_lends_nothing():
    sentence = fight(holding(siege()), SIEGE, "S4e")
    sentence.when(RED, ChooseDraw(("orange",))).refused("cannot_draw_on", "step1.fleet")
    draws(sentence, RED)
    assert powers(sentence)[0] == 2
    sentence.when(BLUE, ChooseDraw(("grey",))).refused("cannot_draw_on", "step1.agent")
    sentence.offers(
        BLUE, ChooseDraw(("orange",)), ChooseDraw(("purple",)), ChooseDraw(("green",)), ChooseDraw()
    )
    draws(sentence, BLUE, "green")
    assert powers(sentence)[1] == 1
    assert sentence.state.houses[BLUE].drawn_on == ["green"]


@pytest.mark.rule("step1.fleet-none")
def test_a_fleet_that_no_stack_reaches_draws_on_none_without_a_question():
    spot = siege()
    spot.galaxy.houses[RED].outposts["S4b"] = 1
    sentence = fight(holding(spot), SIEGE, "S4e").asks(BLUE)
    assert told(sentence, DrawChosen) == [DrawChosen(RED, ())]


@pytest.mark.rule("step1.agent", "step1.fleet")
def test_nobody_draws_on_what_is_no_faction_or_no_stack():
    sentence = fight(holding(sabotage()), SABOTAGE)
    sentence.when(BLUE, ChooseDraw(("red",))).refused("cannot_draw_on", "step1.agent")
    sentence.when(RED, ChooseDraw()).refused("not_asked")


def drained(spot: Position, seat: int, *names: str) -> Position:
    """Adds what a player has drawn on in this phase."""
    spot.galaxy.houses[seat].drawn_on += names
    return spot


@pytest.mark.rule("step1.agent-limit")
def test_a_faction_lends_once_in_a_phase():
    sentence = fight(drained(holding(sabotage()), BLUE, "orange"), SABOTAGE)
    sentence.when(BLUE, ChooseDraw(("orange",))).refused("already_lent", "step1.agent-limit")
    assert ChooseDraw(("orange",)) not in sentence.match.options(BLUE)
    draws(sentence, BLUE, "green")
    twice = drained(holding(sabotage(overlay=house(agent__faction_uses=2))), BLUE, "orange")
    draws(fight(twice, SABOTAGE), BLUE, "orange")
    assert powers(draws(fight(holding(sabotage()), SABOTAGE), BLUE, "orange")) == (8, 8)


@pytest.mark.rule("step1.agent-limit")
def test_attack_and_defence_use_the_same_faction_up():
    sentence = draws(fight(holding(siege()), SIEGE, "S4e"), RED)
    draws(sentence, BLUE, "orange")
    assert sentence.state.houses[BLUE].drawn_on == ["orange"]
    spot = drained(holding(siege()), BLUE, "orange", "purple", "green")
    sentence = draws(fight(spot, SIEGE, "S4e"), RED)
    assert told(sentence, DrawChosen) == [DrawChosen(RED, ()), DrawChosen(BLUE, ())]


@pytest.mark.rule("tech.post-physical-array")
def test_the_post_physical_array_lifts_the_limit_of_factions():
    spot = drained(holding(sabotage()), BLUE, "orange").advanced(BLUE, "P3c-1")
    assert powers(draws(fight(spot, SABOTAGE), BLUE, "orange")) == (8, 8)


@pytest.mark.rule("step1.fleet-limit")
def test_a_stack_lends_once_in_a_phase():
    spot = drained(holding(invasion().has(RED, outposts={"K5": 3})), RED, "S6a")
    sentence = fight(spot, INVADE, "S5d")
    sentence.offers(RED, ChooseDraw(("K5",)), ChooseDraw())
    sentence.when(RED, ChooseDraw(("S6a",))).refused("already_lent", "step1.fleet-limit")
    uses = {"figures": {"fleet.outpost-uses": {"value": 2}}}
    again = drained(holding(invasion(overlay=uses)), RED, "S6a")
    assert powers(draws(fight(again, INVADE, "S5d"), RED, "S6a")) == (11, 8)


@pytest.mark.rule("step1.fleet-limit")
def test_to_be_counted_within_another_stack_is_no_use():
    sentence = draws(fight(holding(invasion()), INVADE, "S5d"), RED, "S6a")
    assert sentence.state.houses[RED].drawn_on == ["S6a"]


@pytest.mark.rule("tech.synergized-logistics")
def test_synergized_logistics_lift_the_limit_of_stacks():
    spot = drained(holding(invasion()), RED, "S6a").advanced(RED, "M3c-1")
    assert powers(draws(fight(spot, INVADE, "S5d"), RED, "S6a")) == (11, 8)


# --- several units --------------------------------------------------------------------------------


@pytest.mark.rule("step1.agents-many")
def test_several_agents_draw_on_one_faction_for_the_side():
    def beset(**terms) -> Position:
        spot = siege(**terms).tile("S3e", faction="purple", political=3)
        return holding(spot.has(BLUE, embassies=["S3e"], agents=["S4e", "S4e"]))

    sentence = draws(fight(beset(), SIEGE, "S4e"), RED)
    sentence.when(BLUE, ChooseDraw(("orange", "purple")))
    sentence.refused("too_many_draws", "step1.agents-many")
    draws(sentence, BLUE, "orange")
    assert powers(sentence)[1] == 2 + 5
    read = beset(overlay=house(conflict__draws_per_side="per-unit"))
    sentence = draws(fight(read, SIEGE, "S4e"), RED)
    sentence.when(BLUE, ChooseDraw(("purple", "orange"))).refused("cannot_draw_on")
    sentence.when(BLUE, ChooseDraw(("orange", "orange"))).refused("already_lent")
    draws(sentence, BLUE, "orange", "purple")
    assert powers(sentence)[1] == 2 + 5 + 3
    assert sentence.state.contest.defender.factions == ("orange", "purple")


def flotilla(**terms) -> Position:
    """Blue's two fleets at S4e, in range of two stacks, attacked by Red's agent."""
    spot = position(4, **terms).home(RED, "S1d").has(RED, agents=["S4e"])
    spot.has(BLUE, outposts={"S4b": 2, "S4d": 2}, fleets=["S4e", "S4e"])
    return holding(spot.caps(9, 9)).turn(RED, "assault")


@pytest.mark.rule("step1.fleets-many", "step1.count-once")
def test_several_fleets_draw_on_one_stack_or_by_a_reading_each_on_one():
    attack = ("assault.sabotage-martial", Declare(BLUE, "S4e", units=(0,)))
    sentence = draws(fight(flotilla(), attack), RED)
    sentence.when(BLUE, ChooseDraw(("S4b", "S4d"))).refused("too_many_draws", "step1.fleets-many")
    draws(sentence, BLUE, "S4b")
    assert powers(sentence)[1] == 2 + 4
    read = flotilla(overlay=house(conflict__draws_per_side="per-unit"))
    sentence = draws(fight(read, attack), RED)
    draws(sentence, BLUE, "S4b", "S4d")
    assert powers(sentence)[1] == 2 + 4, "both stacks reach each other and count once"
    assert sentence.state.houses[BLUE].drawn_on == ["S4b", "S4d"]


@pytest.mark.rule("step1.agent", "step1.fleet")
@pytest.mark.parametrize("way", ["1", "per-unit"])
def test_the_draws_offered_are_the_draws_allowed(way: str):
    attack = ("assault.sabotage-martial", Declare(BLUE, "S4e", units=(0,)))
    overlay = house(conflict__draws_per_side=way, agent__faction_uses=2)
    sentence = draws(fight(drained(flotilla(overlay=overlay), BLUE, "x"), attack), RED)
    places = ("S4b", "S4d", "S4e", "orange")
    thinkable = [ChooseDraw(on) for n in range(4) for on in product(places, repeat=n)]
    legal = {one for one in thinkable if allowed(sentence, BLUE, one)}
    assert set(sentence.match.options(BLUE)) == legal
    assert len(legal) == {"1": 3, "per-unit": 4}[way]


# --- both at once ---------------------------------------------------------------------------------


@pytest.mark.rule("step1.order")
def test_the_attacker_chooses_first_or_by_a_reading_both_at_once():
    first = fight(holding(siege()), SIEGE, "S4e").asks(RED)
    first.when(BLUE, ChooseDraw()).refused("not_asked")
    read = siege(overlay=house(step1__order="simultaneous"))
    sentence = fight(holding(read), SIEGE, "S4e").asks(RED, BLUE, key="r2/p3/s0/a1/draw")
    sentence.when(BLUE, ChooseDrawSealed(("red",))).refused("cannot_draw_on", "step1.agent")
    sentence.when(BLUE, ChooseDrawSealed(("orange",))).asks(RED)
    (sealed,) = told(sentence, DrawSealed)
    assert view(sealed, RED)["on"] == {"hidden": True}
    assert view(sentence.state, RED)["contest"]["defender"]["sealed"] == {"hidden": True}
    assert ChooseDrawSealed(("S4b",)) in sentence.match.options(RED)
    sentence.when(RED, ChooseDrawSealed(("S4b",)))
    key = "r2/p3/s0/a1/draw"
    chosen = told(sentence, DrawChosen)
    assert chosen == [DrawChosen(RED, ("S4b",), key), DrawChosen(BLUE, ("orange",), key)]
    assert [list(one.discloses()) for one in chosen] == [[(key, RED)], [(key, BLUE)]]
    assert powers(sentence) == (8, 6)


# --- technologies ---------------------------------------------------------------------------------


@pytest.mark.rule("step1.tech", "tech.dyson-sphere-assembly", "tech.nano-accelerants")
@pytest.mark.rule("tech.hyper-cannon-batteries")
def test_technologies_that_add_to_starting_power_are_listed():
    spot = holding(leverage()).advanced(YELLOW, "I2a-1").advanced(BLUE, "P2a-1")
    sentence = fight(spot, LEVERAGE)
    assert powers(sentence) == (8, 6)
    assert counted(sentence)[YELLOW][-1].rule == "tech.dyson-sphere-assembly"
    assert counted(sentence)[BLUE][-1].rule == "tech.nano-accelerants"
    spot = holding(invasion()).advanced(RED, "M2b-1")
    assert powers(draws(fight(spot, INVADE, "S5d"), RED, "S6a")) == (13, 8)


@pytest.mark.rule("advance.discard-anytime", "step1.tech")
def test_what_has_been_counted_stays_counted():
    spot = holding(leverage()).advanced(YELLOW, "I2a-1")
    sentence = fight(spot, LEVERAGE).when(YELLOW, DiscardAdvanced("I2a-1"))
    assert powers(sentence) == (8, 5)


@pytest.mark.rule("step1.gate", "power.gate")
def test_a_gate_alone_is_defended_by_the_complexes_in_range():
    spot = holding(leverage())
    spot.has(RED, agents=["S4a"]).turn(RED, "assault")
    spot.galaxy.houses[YELLOW].complexes.pop("S4a")
    attack = ("assault.sabotage-industrial", Declare(YELLOW, "S4a", units=(0,)))
    sentence = draws(fight(spot, attack), RED)
    assert powers(sentence) == (1, 3)
    assert sentence.state.contest.cost == 0


@pytest.mark.rule("opt.wild-conflict")
def test_a_wild_home_embassy_adds_to_a_draw_and_the_faction_is_used_up_all_the_same():
    spot = holding(sabotage(options={"opt.wild": True}))
    sentence = draws(fight(spot, SABOTAGE), BLUE, "green")
    assert powers(sentence) == (2, 8)
    assert sentence.state.houses[BLUE].drawn_on == ["green"]
    assert powers(draws(fight(holding(sabotage()), SABOTAGE), BLUE, "green")) == (1, 8)


@pytest.mark.rule("step1.agent-limit")
def test_a_new_phase_forgets_what_was_drawn_on():
    spot = drained(position(2), RED, "orange")
    assert spot.doing(ActionPhase(4)).given().state.houses[RED].drawn_on == []


@pytest.mark.rule("target.once-per-phase", "step1.fleet-limit")
def test_two_fleets_of_a_turn_cannot_draw_on_the_same_stack():
    spot = holding(invasion()).has(RED, fleets=["S5c", "S5d"]).hand(RED, "M2a-1")
    sentence = draws(fight(spot, INVADE, "S5d"), RED, "S6a")
    cleaned(play(sentence, {RED: "I1a-1", YELLOW: "M1a-1"}))
    assert sentence.state.houses[RED].fleets[:2] == ["", "S5d"]
    sentence.when(RED, StartConflict("subvert.invade-industrial"))
    sentence.when(RED, Declare(YELLOW, "S5d", units=(1,)))
    assert told(sentence, DrawChosen) == [DrawChosen(RED, ())]
