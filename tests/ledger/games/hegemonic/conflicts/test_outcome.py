"""Step 4: who wins, what falls, gates, draws."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.facts import PowerAdded, UnitSaved
from ledger.games.hegemonic.conflicts.outcome import (
    ChooseGates,
    Compared,
    DestroyUnit,
    GatesChosen,
    PieceLost,
)
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.support import LendSupport
from ledger.games.hegemonic.map.placing import BaseReturned, GateReturned, UnitReturned
from ledger.parts.battle import Contribution, Lost
from tests.support.hegemonic.conflicts import (
    BLUE,
    EVEN,
    GREEN,
    INVADE,
    LEVERAGE,
    RED,
    SABOTAGE,
    SIEGE,
    YELLOW,
    draws,
    fight,
    invasion,
    leverage,
    play,
    sabotage,
    siege,
    survives,
    the,
)
from tests.support.hegemonic.positions import Position, house, told


def even(spot: Position, *seats: int) -> Position:
    """Each plays a card worth 3 of every type, and has another."""
    for seat, card, other in zip(seats, EVEN, ("M3a-1", "M3b-1"), strict=False):
        spot.hand(seat, card, other)
    return spot


def evenly(sentence, *seats: int):
    return play(sentence, dict(zip(seats, EVEN, strict=False)))


def tied_leverage(**terms):
    """V14b: Yellow 7 + 3, Blue 5 + 5."""
    spot = leverage(**terms).hand(YELLOW, "I1a-3", "M3a-1").hand(BLUE, "P1a-1", "M3b-1")
    return play(fight(spot, LEVERAGE), {YELLOW: "I1a-3", BLUE: "P1a-1"})


def tied_sabotage(**terms):
    """V15b: Blue 8 + 3, Red 8 + 3."""
    sentence = draws(fight(even(sabotage(**terms), BLUE, RED), SABOTAGE), BLUE, "orange")
    return evenly(sentence, BLUE, RED)


def tied_siege(**terms):
    """V17a: Red 8 + 3; Blue 6, Yellow's two sectors, and 3."""
    sentence = draws(fight(even(siege(**terms), RED, BLUE), SIEGE, "S4e"), RED, "S4b")
    draws(sentence, BLUE, "orange").when(YELLOW, LendSupport(BLUE, 2))
    return evenly(sentence, RED, BLUE)


# --- wins -----------------------------------------------------------------------------------------


@pytest.mark.rule("step4.compare", "step4.attacker-destroy", "step4.returned", "step4.draw-bases")
def test_v15a_the_attacker_wins_and_all_that_was_targeted_is_destroyed():
    spot = even(sabotage(), BLUE, RED).tile("S5a", faction="orange").has(GREEN, embassies=["S5a"])
    sentence = draws(fight(spot, SABOTAGE), BLUE, "orange").when(GREEN, LendSupport(BLUE, 1))
    evenly(sentence, BLUE, RED)
    assert the(sentence, Compared) == Compared(BLUE, 12, RED, 11, BLUE, "step4.compare")
    assert told(sentence, BaseReturned) == [BaseReturned(RED, "outpost", "S3d")] * 3
    assert told(sentence, UnitReturned) == [UnitReturned(RED, "fleet", 0, "S3d")]
    rule = "step4.attacker-destroy"
    assert told(sentence, PieceLost) == [
        PieceLost(RED, "outpost", "S3d", 3, rule), PieceLost(RED, "fleet", "S3d", 1, rule, 0),
    ]  # fmt: skip
    red = sentence.state.houses[RED]
    assert red.outposts == {"S3b": 2, "S4a": 1, "S1d": 1}
    assert red.fleets == ["", "S1d", ""]
    assert red.built("martial") == 4
    assert sentence.state.houses[BLUE].agents[0] == "S3d"
    assert sentence.state.contest.losses[0] == Lost(RED, "outpost", "S3d", 3)


@pytest.mark.rule("err.03", "step4.compare")
def test_v15a_with_err_03_the_support_counts_more_and_the_winner_is_the_same():
    terms = {"overlay": house(support__value="location-power")}
    spot = even(sabotage(**terms), BLUE, RED).tile("S5a", faction="orange", political=3)
    spot.has(GREEN, embassies=["S5a"])
    sentence = draws(fight(spot, SABOTAGE), BLUE, "orange").when(GREEN, LendSupport(BLUE, 1))
    evenly(sentence, BLUE, RED)
    assert the(sentence, Compared) == Compared(BLUE, 14, RED, 11, BLUE, "step4.compare")


@pytest.mark.rule("step4.defender-wins")
@pytest.mark.parametrize(("example", "lost"), [("agent", "agent"), ("fleet", "fleet")])
def test_if_the_defender_wins_the_attacking_unit_is_destroyed(example: str, lost: str):
    if example == "agent":
        sentence = draws(fight(sabotage(), SABOTAGE), BLUE)
        seat, sector = BLUE, "S3d"
    else:
        sentence = draws(fight(invasion(), INVADE, "S5d"), RED)
        seat, sector = RED, "S5d"
    assert told(sentence, UnitReturned) == [UnitReturned(seat, lost, 0, sector)]
    assert the(sentence, PieceLost) == PieceLost(seat, lost, sector, 1, "step4.defender-wins", 0)
    assert told(sentence, BaseReturned) == []


@pytest.mark.rule("step4.defender-wins")
def test_if_the_defender_wins_attacking_complexes_are_unharmed():
    spot = leverage().hand(BLUE, "P1a-1")
    sentence = fight(spot, LEVERAGE)
    assert the(sentence, Compared) == Compared(YELLOW, 7, BLUE, 10, BLUE, "step4.compare")
    assert told(sentence, PieceLost) == []
    assert sentence.state.houses[YELLOW].complexes["S2b"] == 3


@pytest.mark.rule("tech.psionic-ecology")
def test_psionic_ecology_pays_for_an_embassy_that_is_destroyed_or_taken_over():
    fight(leverage().advanced(BLUE, "P2b-1"), LEVERAGE).holds("caps", seat_1=12)
    fight(leverage(), LEVERAGE).holds("caps", seat_1=9)
    raid = ("assault.industrial-political", LEVERAGE[1])
    spot = leverage().advanced(BLUE, "P2b-1").turn(YELLOW, "assault")
    fight(spot, raid).holds("caps", seat_1=12)
    spot = sabotage().advanced(RED, "P2b-1")
    spot.galaxy.houses[RED].outposts["S3d"] = 1
    draws(fight(spot, SABOTAGE), BLUE, "orange").holds("caps", seat_0=9)


# --- draws ----------------------------------------------------------------------------------------


@pytest.mark.rule("step4.compare", "step4.draw-bases", "step4.draw-defenders", "err.01")
def test_v14b_in_a_draw_the_embassy_stays_and_the_agent_falls():
    sentence = tied_leverage()
    assert the(sentence, Compared) == Compared(YELLOW, 10, BLUE, 10, None, "step4.compare")
    lost = PieceLost(BLUE, "agent", "S4a", 1, "step4.draw-defenders", 0)
    assert told(sentence, PieceLost) == [lost]
    assert sentence.state.houses[BLUE].embassies == ["S4a", "S5d", "S4d"]
    assert sentence.state.houses[YELLOW].complexes["S2b"] == 3
    assert sentence.state.contest.drawn
    spared = tied_leverage(overlay=survives("draw.defending-units"))
    assert told(spared, PieceLost) == []


@pytest.mark.rule("step4.draw-attackers", "step4.draw-defenders", "step4.draw-bases", "err.01")
def test_v15b_in_a_draw_the_agent_and_the_fleet_fall_and_the_outposts_stay():
    sentence = tied_sabotage()
    assert told(sentence, PieceLost) == [
        PieceLost(BLUE, "agent", "S3d", 1, "step4.draw-attackers", 0),
        PieceLost(RED, "fleet", "S3d", 1, "step4.draw-defenders", 0),
    ]
    assert sentence.state.houses[RED].outposts["S3d"] == 3
    spared = tied_sabotage(overlay=survives("draw.defending-units"))
    assert [one.piece for one in told(spared, PieceLost)] == ["agent"]
    both = {"fates": {"draw.attacking-units": {"fate": "survive"}}}
    assert [one.piece for one in told(tied_sabotage(overlay=both), PieceLost)] == ["fleet"]
    bases = {"fates": {"draw.bases": {"fate": "destroyed"}}}
    fallen = told(tied_sabotage(overlay=bases), PieceLost)
    assert [(one.piece, one.count) for one in fallen] == [
        ("outpost", 3), ("agent", 1), ("fleet", 1),
    ]  # fmt: skip


@pytest.mark.rule("step4.draw-attackers", "err.01", "err.03")
def test_v17a_support_makes_it_a_draw_and_by_location_power_a_defence():
    sentence = tied_siege()
    assert the(sentence, Compared) == Compared(RED, 11, BLUE, 11, None, "step4.compare")
    assert [one.piece for one in told(sentence, PieceLost)] == ["fleet", "agent"]
    spared = tied_siege(overlay=survives("draw.defending-units"))
    assert [one.piece for one in told(spared, PieceLost)] == ["fleet"]
    read = tied_siege(overlay=house(support__value="location-power"))
    assert the(read, Compared) == Compared(RED, 11, BLUE, 12, BLUE, "step4.compare")
    assert [one.piece for one in told(read, PieceLost)] == ["fleet"]


@pytest.mark.rule("step4.compare")
@pytest.mark.parametrize(("winner", "seat"), [("defender", BLUE), ("attacker", YELLOW)])
def test_by_a_reading_equal_totals_have_a_winner(winner: str, seat: int):
    sentence = tied_leverage(overlay=house(draw__winner=winner))
    assert the(sentence, Compared) == Compared(YELLOW, 10, BLUE, 10, seat, "step4.compare")


@pytest.mark.rule("tech.polymorphic-matter")
def test_polymorphic_matter_wins_what_ends_equal_for_the_attacker_if_both_have_it():
    def tied(*owners: int):
        spot = leverage().hand(YELLOW, "I1a-3", "M3a-1").hand(BLUE, "P1a-1", "M3b-1")
        for owner, card in zip(owners, ("I3a-1", "I3a-2"), strict=False):
            spot.advanced(owner, card)
        sentence = play(fight(spot, LEVERAGE), {YELLOW: "I1a-3", BLUE: "P1a-1"})
        return the(sentence, Compared)

    rule = "tech.polymorphic-matter"
    assert tied(BLUE) == Compared(YELLOW, 10, BLUE, 10, BLUE, rule)
    assert tied(YELLOW) == Compared(YELLOW, 10, BLUE, 10, YELLOW, rule)
    assert tied(BLUE, YELLOW) == Compared(YELLOW, 10, BLUE, 10, YELLOW, rule)
    assert tied(RED).winner is None


# --- gates ----------------------------------------------------------------------------------------


def gated(**terms) -> Position:
    """V16 with two gates of Yellow's at S5d."""
    return invasion(**terms).has(YELLOW, gates=[("S5d", "S5b"), ("S4d", "S5d"), ("S5a", "S5e")])


@pytest.mark.rule("gates.destroy", "gates.both-halves", "step4.attacker-destroy")
def test_the_winner_destroys_any_gates_of_a_side_that_lost_with_industrial_power():
    sentence = draws(fight(gated(), INVADE, "S5d"), RED, "S6a")
    sentence.asks(RED, key="r2/p3/s0/a1/gates")
    sentence.when(RED, ChooseGates((2,))).refused("no_such_gates", "gates.destroy")
    sentence.when(RED, ChooseGates((0, 0))).refused("no_such_gates", "gates.destroy")
    sentence.offers(
        RED, ChooseGates((0, 1)), ChooseGates((0,)), ChooseGates((1,)), ChooseGates()
    ).when(RED, ChooseGates((1,)))
    assert told(sentence, GatesChosen, GateReturned) == [
        GatesChosen(YELLOW, (1,)), GateReturned(YELLOW, 1),
    ]  # fmt: skip
    assert told(sentence, PieceLost)[0] == PieceLost(YELLOW, "gate", "S5d", 1, "gates.destroy", 1)
    assert not sentence.state.houses[YELLOW].gates[1].placed
    assert sentence.state.houses[YELLOW].gates[0].placed
    spared = draws(fight(gated(), INVADE, "S5d"), RED, "S6a").when(RED, ChooseGates())
    assert [one.piece for one in told(spared, PieceLost)] == ["complex"]


@pytest.mark.rule("gates.destroy")
def test_by_readings_all_gates_fall_or_none():
    auto = gated(overlay=house(gates__destroy="auto"))
    sentence = draws(fight(auto, INVADE, "S5d"), RED, "S6a")
    assert told(sentence, GateReturned) == [GateReturned(YELLOW, 0), GateReturned(YELLOW, 1)]
    never = gated(overlay=house(gates__destroy="never"))
    sentence = draws(fight(never, INVADE, "S5d"), RED, "S6a")
    assert told(sentence, GateReturned, GatesChosen) == []


@pytest.mark.rule("gates.attacker-too")
def test_the_gates_of_a_losing_attacker_stand_to_be_destroyed_as_well():
    sentence = fight(leverage().hand(BLUE, "P1a-1"), LEVERAGE)
    sentence.asks(BLUE, key="r2/p3/s2/a1/gates").when(BLUE, ChooseGates((0,)))
    assert told(sentence, GateReturned) == [GateReturned(YELLOW, 0)]
    won = fight(leverage(), LEVERAGE)
    assert told(won, GateReturned, GatesChosen) == []


@pytest.mark.rule("step4.draw-gates")
def test_in_a_draw_gates_stay_or_by_a_reading_fall():
    def tied(**terms):
        spot = gated(**terms).hand(RED, "M3a-2", "I1a-1").hand(YELLOW, "I1b-1", "I1b-2")
        sentence = draws(fight(spot, INVADE, "S5d"), RED, "S6a")
        return play(sentence, {RED: "I1a-1", YELLOW: "I1b-1"})

    sentence = tied()
    assert the(sentence, Compared).winner is None
    assert told(sentence, GateReturned) == []
    fallen = tied(overlay=house(draw__gates="destroyed"))
    assert told(fallen, GateReturned) == [GateReturned(YELLOW, 0), GateReturned(YELLOW, 1)]


@pytest.mark.rule("gates.destroy")
def test_gates_alone_can_be_destroyed():
    spot = gated().turn(RED, "assault")
    spot.galaxy.houses[YELLOW].complexes = {"S3d": 1}
    raze = ("assault.raze-industrial", Declare(YELLOW, "S5d", units=(0,)))
    sentence = draws(fight(spot, raze, "S5d"), RED, "S6a").when(RED, ChooseGates((0, 1)))
    assert [one.piece for one in told(sentence, PieceLost)] == ["gate", "gate"]
    assert told(sentence, BaseReturned) == []


# --- sequence, and what leaders may change --------------------------------------------------------


@pytest.mark.rule("step4.reaction-order")
def test_gates_come_before_what_is_removed():
    sentence = draws(fight(gated(), INVADE, "S5d"), RED, "S6a").when(RED, ChooseGates((0,)))
    kinds = [type(one).__name__ for one in sentence.facts]
    order = ("GatesChosen", "GateReturned", "BaseReturned", "BasePlaced", "ContestEnded")
    places = [kinds.index(one) for one in order]
    assert places == sorted(places)


@pytest.mark.rule("step4.returned")
def test_a_unit_that_was_saved_or_is_elsewhere_is_not_destroyed():
    sentence = fight(even(sabotage(), BLUE, RED), SABOTAGE)
    galaxy = sentence.state
    fall = DestroyUnit(BLUE, "agent", 0, "S3d", "step4.defender-wins")
    assert len(list(fall.run(galaxy))) == 2
    UnitSaved(BLUE, "agent", 0).apply(galaxy)
    assert list(fall.run(galaxy)) == []
    assert list(DestroyUnit(RED, "fleet", 0, "S1d", "x").run(galaxy)) == []


@pytest.mark.rule("step4.compare")
def test_power_that_was_added_counts():
    spot = leverage().hand(YELLOW, "I1a-3", "M3a-1").hand(BLUE, "P1a-1", "M3b-1")
    sentence = fight(spot, LEVERAGE)
    added = Contribution("leader.anytime", "LD12", 1, "S4a", 0, 2)
    PowerAdded(BLUE, added).apply(sentence.state)
    play(sentence, {YELLOW: "I1a-3", BLUE: "P1a-1"})
    assert the(sentence, Compared).defense == 12


@pytest.mark.rule("action.conflict-now")
def test_after_the_conflict_the_turn_goes_on():
    sentence = draws(fight(sabotage(), SABOTAGE), BLUE)
    sentence.asks(BLUE, key="r2/p3/s1/a2")
    sentence.when(BLUE, StartConflict("assault.sabotage-martial")).refused("nothing_possible")
