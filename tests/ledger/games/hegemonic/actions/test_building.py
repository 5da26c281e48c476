"""BUILD: what can be built where, at what price, and in what order."""

from __future__ import annotations

import itertools

import pytest

from ledger.games.hegemonic.actions.building import (
    FinishBuild,
    PlaceAgent,
    PlaceComplex,
    PlaceEmbassy,
    PlaceFleet,
    PlaceOutpost,
    StartBuild,
    check_base,
)
from ledger.games.hegemonic.actions.items import ItemDone
from ledger.games.hegemonic.actions.relocating import RelocateBase
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import ActionTakenBack, ActionUsed, CancelAction
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.map.gates import PlaceGate, RelocateGate
from ledger.games.hegemonic.map.placing import BasePlaced, GatePlaced, UnitPlaced
from ledger.kernel.accounts import Transferred
from ledger.kernel.refusals import Refused
from ledger.parts.prices import Part
from tests.support.hegemonic.positions import Position, allowed, house, position, told

BLUE, RED, YELLOW = 0, 0, 0


def build(spot: Position, card: str, caps: int = 50):
    """The first player's turn, in which a BUILD action has been opened."""
    return spot.caps(caps).turn(0, card).given().when(0, StartBuild())


def spent(sentence, caps: int = 50) -> int:
    return caps - sentence.state.accounts.balance("caps", "seat.0")


# --- the worked examples --------------------------------------------------------------------------


def politicize(agent: str = "S2a") -> Position:
    """V10: Blue's embassy at home, its agent moved or not."""
    spot = position(4).home(BLUE, "S1d").tile("S2a", "S2b", "S2d", faction="green")
    return spot.has(BLUE, embassies=["S1d"], agents=[agent])


def after_a_move(spot: Position, card: str, pattern: str, moved: MoveUnit):
    """A BUILD as the second action, after one that moved a unit and found nothing to attack."""
    sentence = spot.caps(50).turn(0, card).given().when(0, StartConflict(pattern))
    return sentence.when(0, moved).when(0, StartBuild())


@pytest.mark.rule("card.politicize", "build.chain", "build.agent", "build.any-quantity")
@pytest.mark.rule("action.chain", "general.immediate")
def test_v10_politicize_moves_and_builds():
    moved = MoveUnit("agent", 0, ("S2a",))
    sentence = after_a_move(politicize("S1d"), "politicize", "politicize.infiltrate", moved)
    assert spent(sentence) == 2
    for sector in ("S2a", "S2b", "S2d"):
        sentence.when(0, PlaceEmbassy(sector))
    sentence.when(0, PlaceAgent(1, "S2d"))
    assert told(sentence, UnitPlaced) == [UnitPlaced(0, "agent", 1, "S2d")]
    assert spent(sentence) == 2 + 3 + 4 + 4 + 3
    assert sentence.state.houses[0].built("political") == 4
    sentence.asks(0, key="r2/p3/s0/a2/item/5").when(0, FinishBuild())
    assert told(sentence, ActionUsed) == [ActionUsed(0)]


@pytest.mark.rule("build.range")
def test_v10_without_the_move_the_sector_is_out_of_range():
    sentence = build(politicize("S1d"), "politicize")
    sentence.when(0, PlaceEmbassy("S2a")).refused("out_of_range", "build.range", sector="S2a")


def industrialize(*cards: str, far: str = "S6a") -> Position:
    """V11: Yellow's one complex at S4d, industrial locations at S4b, K6 and S6a."""
    spot = position(4).tile("S4b", "K6", far, industrial=1).advanced(YELLOW, *cards)
    return spot.has(YELLOW, complexes={"S4d": 1})


@pytest.mark.rule("card.industrialize", "build.chain", "gate.pair", "gate.adjacency")
def test_v11_industrialize_builds_through_a_new_gate():
    sentence = build(industrialize(), "industrialize").when(0, PlaceComplex("S4b"))
    sentence.when(0, PlaceGate(0, "S4b", "K6")).then(
        Transferred("caps", "seat.0", "bank", 4, "build.unit-cost"),
        GatePlaced(0, 0, "S4b", "K6"),
        ItemDone(0, "gate", False, 4, (Part("build.unit-cost", 4),)),
    )
    sentence.when(0, PlaceComplex("K6")).when(0, PlaceComplex("S6a"))
    assert spent(sentence) == 2 + 4 + 2 + 2
    assert sentence.state.houses[0].built("industrial") == 4
    sentence.when(0, FinishBuild()).then(ActionUsed(0))


@pytest.mark.rule("build.range", "gate.distance", "tech.mass-translation-relay")
def test_v11_what_comes_too_early_and_what_is_too_far():
    sentence = build(industrialize(), "industrialize").when(0, PlaceComplex("S4b"))
    sentence.when(0, PlaceComplex("K6")).refused("out_of_range", "build.range")
    far = PlaceGate(0, "S4b", "S6a")
    sentence.when(0, far).refused("too_far_apart", "gate.distance", distance=3, limit=2)
    sentence = build(industrialize("I1b-1"), "industrialize").when(0, PlaceComplex("S4b"))
    sentence.when(0, far)
    assert told(sentence, GatePlaced) == [GatePlaced(0, 0, "S4b", "S6a")]


def martialize(fleet: str = "S1b") -> Position:
    """V12: Red's outpost at home, its fleet moved or not; martial locations of 3, 2 and 1."""
    spot = position(4).home(RED, "S1d").tile("S1b", martial=3).tile("K3", martial=2)
    return spot.tile("K4", martial=1).has(RED, outposts={"S1d": 1}, fleets=[fleet])


@pytest.mark.rule("card.martialize", "build.range", "build.outpost-stack", "build.base-cost")
def test_v12_martialize_moves_and_builds_as_far_as_its_stacks_reach():
    moved = MoveUnit("fleet", 0, ("S1b",))
    sentence = after_a_move(martialize("S1d"), "martialize", "martialize.strike", moved)
    assert spent(sentence) == 1
    for sector in ("S1b", "S1b", "S1b", "K3", "K3", "K4"):
        sentence.when(0, PlaceOutpost(sector))
    assert spent(sentence) == 1 + (2 + 3 + 3) + (3 + 4) + 4
    assert sentence.state.houses[0].built("martial") == 7
    sentence.when(0, PlaceOutpost("S1b")).refused("location_taken", "build.outpost-stack")


@pytest.mark.rule("build.range")
def test_v12_a_stack_of_two_does_not_reach_two_sectors_far():
    sentence = build(martialize(), "martialize")
    sentence.when(0, PlaceOutpost("S1b")).when(0, PlaceOutpost("S1b"))
    sentence.when(0, PlaceOutpost("K3")).refused("out_of_range", "build.range")
    sentence = build(martialize("S1d"), "martialize")
    sentence.when(0, PlaceOutpost("S1b")).refused("out_of_range", "build.range")


@pytest.mark.rule("build.range")
def test_by_a_reading_units_give_no_range():
    spot = position(4, overlay=house(build__from_units=False)).tile("S2a", faction="green")
    spot.home(0, "S1d").has(0, embassies=["S1d"], agents=["S2a"])
    sentence = build(spot, "politicize")
    sentence.when(0, PlaceEmbassy("S2a")).refused("out_of_range", "build.range")
    sentence = build(politicize(), "politicize").when(0, PlaceEmbassy("S2a"))
    assert told(sentence, BasePlaced) == [BasePlaced(0, "embassy", "S2a")]


# --- locations ------------------------------------------------------------------------------------


@pytest.mark.rule("build.location", "build.complex-location", "build.foreign-home")
def test_a_complex_needs_a_free_industrial_location_outside_of_foreign_homes():
    spot = position(4).home(0, "S1d").home(1, "S1a").has(0, complexes={"S1d": 1})
    spot.tile("S1b", industrial=0, martial=1, faction=None).tile("S1c", industrial=1)
    spot.has(1, complexes={"S1c": spot.galaxy.tile_at("S1c").industrial})
    sentence = build(spot, "industrialize")
    sentence.when(0, PlaceComplex("S9z")).refused("no_such_sector", "build.location")
    sentence.when(0, PlaceComplex("S1e")).refused("no_tile", "build.location")
    sentence.when(0, PlaceComplex("S1a")).refused("foreign_home", "build.foreign-home")
    sentence.when(0, PlaceComplex("S1c")).refused("location_taken", "build.complex-location")
    sentence.when(0, PlaceComplex("S1d"))
    assert sentence.state.houses[0].complexes == {"S1d": 2}
    sentence.when(0, PlaceComplex("S1d")).refused("location_taken", "build.complex-location")


@pytest.mark.rule("build.location", "build.complex-location")
def test_several_players_share_a_sector_on_different_locations():
    spot = position(4).tile("S1a", industrial=3).has(0, complexes={"S1a": 1})
    sentence = build(spot.has(1, complexes={"S1a": 1}), "industrialize")
    sentence.when(0, PlaceComplex("S1a"))
    sentence.when(0, PlaceComplex("S1a")).refused("location_taken")
    spot = position(4).tile("S1b", faction=None, political=0).home(0, "S1d")
    sentence = build(spot.has(0, embassies=["S1d"]), "politicize")
    sentence.when(0, PlaceEmbassy("S1b")).refused("no_location", "build.location")


@pytest.mark.rule("build.embassy-location")
def test_one_embassy_a_political_location():
    spot = position(4).home(0, "S1d").has(0, embassies=["S1d"]).has(1, embassies=["S1a"])
    sentence = build(spot, "politicize")
    sentence.when(0, PlaceEmbassy("S1a")).refused("location_taken", "build.embassy-location")


@pytest.mark.rule("build.outpost-single-owner")
def test_where_another_player_has_an_outpost_nobody_else_builds_one():
    spot = position(4).home(0, "S1d").tile("S1a", martial=3).has(1, outposts={"S1a": 1})
    sentence = build(spot.has(0, outposts={"S1d": 2}), "martialize")
    sentence.when(0, PlaceOutpost("S1a"))
    sentence.refused("foreign_outposts", "build.outpost-single-owner")


@pytest.mark.rule("general.piece-limits")
def test_with_no_base_left_on_the_player_board_none_is_built():
    sectors = {"S1a": 3, "S2a": 3, "S3a": 3, "S4a": 2, "S4b": 1}
    spot = position(4).tile("S1b", martial=1).has(0, outposts=sectors)
    sentence = build(spot, "martialize")
    sentence.when(0, PlaceOutpost("S1b")).refused("none_left", "general.piece-limits")


# --- units ----------------------------------------------------------------------------------------


@pytest.mark.rule("build.agent", "build.unit-limit", "build.unit-cost", "build.foreign-home")
def test_agents_are_built_at_own_embassies():
    spot = position(4).home(0, "S1d").home(1, "S4d").tile("S1a")
    spot.has(0, embassies=["S1d"], agents=["S1a"])
    sentence = build(spot, "politicize")
    sentence.when(0, PlaceAgent(1, "S1a")).refused("no_own_base", "build.agent", needs="embassy")
    sentence.when(0, PlaceAgent(1, "S4d")).refused("foreign_home", "build.foreign-home")
    sentence.when(0, PlaceAgent(0, "S1d")).refused("unit_placed", "build.unit-limit", left=2)
    for number in (-1, 3):
        sentence.when(0, PlaceAgent(number, "S1d")).refused("no_such_unit", "build.unit-limit")
    sentence.when(0, PlaceAgent(2, "S1d")).when(0, PlaceAgent(1, "S1d"))
    assert spent(sentence) == 6
    sentence.when(0, PlaceAgent(1, "S1d")).refused("unit_placed", "build.unit-limit", left=0)


@pytest.mark.rule("build.fleet", "build.units-no-location", "board.units-supply")
def test_fleets_are_built_at_own_outposts_and_take_up_no_location():
    spot = position(4).home(0, "S1d").has(0, outposts={"S1d": 2})
    sentence = build(spot.tile("S1a", martial=2), "martialize")
    sentence.when(0, PlaceFleet(0, "S1a")).refused("no_own_base", "build.fleet", needs="outpost")
    for number in range(3):
        sentence.when(0, PlaceFleet(number, "S1d"))
    assert sentence.state.houses[0].fleets == ["S1d"] * 3
    sentence.when(0, PlaceOutpost("S1a")).when(0, PlaceFleet(0, "S1a"))
    sentence.refused("unit_placed", "build.unit-limit", left=0)


# --- the card, the price, the end -----------------------------------------------------------------


@pytest.mark.rule("build.by-card")
@pytest.mark.parametrize(
    ("card", "others"),
    [
        ("industrialize", [PlaceEmbassy("S1d"), PlaceAgent(0, "S1d"), PlaceFleet(0, "S1d")]),
        ("politicize", [PlaceComplex("S1d"), PlaceOutpost("S1d"), PlaceGate(0, "S1d", "S1a")]),
        ("martialize", [PlaceAgent(0, "S1d"), RelocateGate(0, "S1d", "S1a")]),
        ("martialize", [RelocateBase("political", "S1d", "S1a"), RelocateBase("x", "S1d", "S1a")]),
    ],
)
def test_a_card_builds_one_type_and_nothing_else(card: str, others):
    spot = position(4).home(0, "S1d")
    spot.has(0, complexes={"S1d": 1}, embassies=["S1d"], outposts={"S1d": 1})
    sentence = build(spot, card)
    for other in others:
        sentence.when(0, other).refused("not_built_by_card", "build.by-card", card=card)


@pytest.mark.rule("build.by-card")
def test_other_cards_do_not_build():
    sentence = position(4).turn(0, "assault").given()
    sentence.when(0, StartBuild()).refused("not_on_card", "action.two")


@pytest.mark.rule("build.base-cost", "general.pay-first")
def test_what_cannot_be_paid_is_not_built():
    spot = position(4).home(0, "S1d").has(0, complexes={"S1d": 1})
    sentence = build(spot, "industrialize", caps=1)
    sentence.when(0, PlaceComplex("S1d"))
    sentence.refused("unaffordable", "build.base-cost", needed=2, has=1)
    sentence.offers(0, CancelAction())


@pytest.mark.rule("build.any-quantity")
def test_an_action_in_which_nothing_is_built_is_taken_back_and_one_in_which_something_is_not():
    spot = position(4).home(0, "S1d").has(0, complexes={"S1d": 1})
    sentence = build(spot, "industrialize")
    sentence.when(0, FinishBuild()).refused("nothing_done", "build.any-quantity")
    sentence.when(0, CancelAction()).then(ActionTakenBack(0)).asks(0, key="r2/p3/s0/a2")
    sentence.when(0, StartBuild()).when(0, PlaceComplex("S1d"))
    sentence.when(0, CancelAction()).refused("action_begun", "build.any-quantity", done=1)
    sentence.when(0, EndTurn()).refused("wrong_answer")
    sentence.when(0, FinishBuild()).asks(0, key="r2/p3/s0/a3")


@pytest.mark.rule("build.any-quantity")
def test_who_does_not_answer_builds_nothing_more():
    sentence = build(position(4).home(0, "S1d").has(0, complexes={"S1d": 1}), "industrialize")
    question = sentence.match.question
    assert question.default(sentence.state, 0) == CancelAction()
    sentence.when(0, PlaceComplex("S1d"))
    assert question.default(sentence.state, 0) == FinishBuild()


@pytest.mark.rule("build.any-quantity")
def test_a_limit_of_items_ends_the_action():
    figures = {"figures": {"build.max-items": {"value": 2}}}
    spot = position(4, overlay=figures).home(0, "S1d").has(0, outposts={"S1d": 1})
    sentence = build(spot, "martialize")
    sentence.when(0, PlaceOutpost("S1d")).when(0, PlaceFleet(0, "S1d"))
    assert told(sentence, ActionUsed) == [ActionUsed(0)]


@pytest.mark.rule("build.unit-cost", "build.base-cost")
def test_prices_are_content():
    cells = {"pieces": {"agent": {"cost": 5}}, "spaces": {"political-2": {"cost": 1}}}
    spot = position(4, overlay=cells).home(0, "S1d").tile("S1a", faction="green")
    sentence = build(spot.has(0, embassies=["S1d"]), "politicize")
    sentence.when(0, PlaceEmbassy("S1a"))
    assert spent(sentence) == 1
    sentence.when(0, PlaceAgent(0, "S1a"))
    assert spent(sentence) == 6


# --- technologies ---------------------------------------------------------------------------------


@pytest.mark.rule("tech.quantum-tunnel-lattice")
def test_with_quantum_tunnels_complexes_are_built_in_range_of_any_piece():
    def spot():
        return position(4).tile("S3b", "S3a", industrial=1).has(0, fleets=["S3b"])

    sentence = build(spot(), "industrialize")
    sentence.when(0, PlaceComplex("S3b")).refused("out_of_range", "build.range")
    sentence = build(spot().advanced(0, "I3c-1"), "industrialize")
    sentence.when(0, PlaceComplex("S3a")).refused("out_of_range", "build.range")
    sentence.when(0, PlaceComplex("S3b")).when(0, PlaceComplex("S3a"))
    sentence = build(spot().advanced(0, "I3c-1").tile("S3d", martial=1), "martialize")
    sentence.when(0, PlaceOutpost("S3d")).refused("out_of_range", "build.range")


# --- what leaders use -----------------------------------------------------------------------------


@pytest.mark.rule("build.location", "build.range")
def test_a_base_can_be_checked_whatever_it_costs():
    spot = position(4).home(0, "S1d").has(0, outposts={"S1d": 1})
    check_base(spot.galaxy, 0, "martial", "S1d")
    with pytest.raises(Refused, match="out_of_range"):
        check_base(spot.tile("S4d", martial=1).galaxy, 0, "martial", "S4d")


# --- options --------------------------------------------------------------------------------------


def everything(state) -> list:
    """Every decision of a BUILD that names sectors and units that there are."""
    sectors, numbers, types = list(state.sectors), range(3), ("industrial", "political", "martial")
    found = [kind(at) for kind in (PlaceComplex, PlaceEmbassy, PlaceOutpost) for at in sectors]
    for kind in (PlaceAgent, PlaceFleet):
        found += [kind(number, at) for number in numbers for at in sectors]
    pairs = list(itertools.product(sectors, sectors))
    for kind in (PlaceGate, RelocateGate):
        found += [kind(number, *pair) for number in numbers for pair in pairs]
    for type_, basis in itertools.product(types, ("empty-supply", "transcendency", "brane")):
        found += [RelocateBase(type_, *pair, basis) for pair in pairs]
    return [*found, FinishBuild(), CancelAction()]


def crowded() -> Position:
    """Two players, pieces of all types, foreign homes, a gate, a full track, technologies."""
    spot = position(2).home(0, "S1d").home(1, "S3d").advanced(0, "P3b-1", "M3b-1")
    spot.tile("S1a", industrial=2, martial=1).tile("K3", industrial=3).tile("S2a", martial=3)
    spot.tile("S2b", faction="green").tile("S3a", faction="orange").tile("K2", industrial=1)
    spot.has(0, complexes={"S1d": 1, "S1a": 1, "K3": 2}, embassies=["S1d", "S2b"])
    spot.has(0, outposts={"S1d": 2, "S1c": 1}, agents=["S2b"], fleets=["S2a"])
    spot.has(0, gates=[("S1a", "K3")]).has(1, complexes={"S3d": 1}, outposts={"S2a": 1})
    return spot


@pytest.mark.rule("build.any-quantity")
@pytest.mark.parametrize("card", ["industrialize", "politicize", "martialize"])
@pytest.mark.parametrize("caps", [3, 50])
def test_the_options_are_all_that_is_allowed(card: str, caps: int):
    sentence = build(crowded(), card, caps)
    expected = [one for one in everything(sentence.state) if allowed(sentence, 0, one)]
    options = sentence.match.options(0)
    assert len(options) == len(set(map(repr, options)))
    assert set(map(repr, options)) == set(map(repr, expected))
    assert len(options) > 1
