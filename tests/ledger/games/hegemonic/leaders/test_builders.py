"""Leaders on the map: LD03 and LD10 build, survey and relocate, LD05 moves and attacks again."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance
from ledger.games.hegemonic.actions.building import FinishBuild, PlaceComplex, StartBuild
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.leaders.activation import Activate, Leading
from ledger.games.hegemonic.leaders.turns import AttackAllowed
from ledger.games.hegemonic.map.placing import BaseMoved, BasePlaced, UnitMoved
from ledger.games.hegemonic.map.tiles import PlaceFromPool, PlaceTile
from ledger.kernel.refusals import Refused
from tests.support.hegemonic.leading import BLUE, YELLOW, attacking, fought, led, sabotage
from tests.support.hegemonic.positions import falling, position, told


def waiting(name: str = "x"):
    return DiscardOrAdvance(0, name, optional=True)


def legal(sentence, seat: int, every) -> set[Activate]:
    """By brute force: all that is allowed of these."""
    found = set()
    for one in every:
        try:
            Leading.check(sentence.state, seat, one, None)
        except Refused:
            continue
        found.add(one)
    return found


def offered(sentence, seat: int) -> list[Activate]:
    (standing,) = (one for one in sentence.match.standing(seat) if Activate in type(one).answers)
    return list(standing.options(sentence.state, seat))


# --- LD03 The Prefects ----------------------------------------------------------------------------


def complexes(level: int, count: int = 1, **terms):
    """Player 1 has LD03 and complexes at S1a; free industrial locations are at S1b and S1c."""
    spot = led(position(2, **terms).at(2), {1: ("LD03", level)}).home(0, "S3d")
    spot.tile("S1b", "S1c", industrial=2)
    spot.tile("S1d", faction="green", political=3)
    more = {"S1a": 1, "S3a": 2, "S3b": 2, "S3c": 2, "S3e": 2}
    for sector, many in more.items():
        if count > 0:
            spot.has(1, complexes={sector: min(count, many)})
            count -= many
    return spot


def building(level: int = 1, card: str = "industrialize", **terms):
    spot = complexes(level, **terms).caps(20, 20).turn(1, card)
    return spot.given().when(1, StartBuild())


@pytest.mark.rule("LD03", "leader.choose")
def test_ld03_level_1_takes_one_off_the_next_complex_of_the_build_and_off_no_other():
    sentence = building().when(1, Activate(1)).asks(1, key="r2/p2/s1/a1/item/1")
    sentence.when(1, PlaceComplex("S1b")).holds("caps", seat_1=19)
    sentence.when(1, PlaceComplex("S1b")).holds("caps", seat_1=17)


@pytest.mark.rule("LD03", "leader.choose")
def test_ld03_level_1_does_not_make_a_price_negative_and_ends_with_the_build():
    overlay = {"leaders": {"LD03": {"amount_1": 5}}}
    building(overlay=overlay).when(1, Activate(1)).when(1, PlaceComplex("S1b")).holds(
        "caps", seat_1=20
    )
    sentence = building().when(1, PlaceComplex("S1b")).when(1, Activate(1))
    sentence.when(1, FinishBuild()).when(1, StartBuild()).when(1, PlaceComplex("S1c"))
    sentence.holds("caps", seat_1=16)


@pytest.mark.rule("LD03", "leader.anytime")
def test_ld03_level_1_is_for_the_own_build_of_complexes():
    spot = complexes(1).doing(waiting())
    spot.given().when(1, Activate(1)).refused("not_the_moment", "leader.anytime")
    other = complexes(1).has(0, complexes={"S3d": 1}).caps(9).turn(0, "industrialize")
    sentence = other.given().when(0, StartBuild())
    sentence.when(1, Activate(1)).refused("not_the_moment", "leader.anytime")
    sentence = building(card="politicize")
    sentence.when(1, Activate(1)).refused("not_the_moment", "leader.anytime")


@pytest.mark.rule("LD03", "leader.choose", "build.range")
@pytest.mark.parametrize(("level", "price"), [(2, 1), (3, 0)])
def test_ld03_levels_2_and_3_build_a_complex_at_any_time_for_less_or_nothing(level, price):
    spot = complexes(level, count=5).caps(0, 1).doing(waiting())  # the sixth costs 3
    sentence = spot.given().when(1, Activate(level, piece="complex", sector="S1b")).asks(0)
    assert told(sentence, BasePlaced) == [BasePlaced(1, "complex", "S1b")]
    sentence.holds("caps", seat_1=1 - price)


@pytest.mark.rule("LD03", "leader.choose")
def test_ld03_level_2_costs_no_less_than_nothing():
    spot = complexes(2).caps(0, 1).doing(waiting())
    sentence = spot.given().when(1, Activate(2, piece="complex", sector="S1b"))
    sentence.holds("caps", seat_1=1)


@pytest.mark.rule("leader.choose", "build.range", "build.location")
def test_what_a_leader_builds_stands_where_a_build_could_put_it():
    sentence = complexes(3).tile("S3c", industrial=1).doing(waiting()).given()
    cases = {
        ("complex", "S3c"): "out_of_range", ("complex", "S1d"): "no_location",
        ("complex", "K1"): "no_tile", ("complex", "S9z"): "no_such_sector",
        ("complex", "S3d"): "foreign_home", ("embassy", "S1d"): "no_such_target",
    }  # fmt: skip
    for (piece, sector), code in cases.items():
        sentence.when(1, Activate(3, piece=piece, sector=sector)).refused(code)
    poor = complexes(2, count=5).doing(waiting()).given()
    dear = Activate(2, piece="complex", sector="S1b")
    poor.when(1, dear).refused("unaffordable", "leader.choose", needed=1, has=0)
    pieces, sectors = ("complex", "embassy", "outpost", "gate"), sentence.state.sectors
    every = [
        Activate(level, piece=piece, sector=sector)
        for level in (2, 3)
        for piece in pieces
        for sector in sectors
    ]
    listed = offered(sentence, 1)
    assert set(listed) == legal(sentence, 1, every)
    assert len(listed) == len(set(listed)) > 1


# --- LD10 The Gardener ----------------------------------------------------------------------------


@pytest.mark.rule("LD10", "leader.choose", "discover.survey")
def test_ld10_level_1_surveys_without_an_action():
    spot = led(position(2).at(6), {1: ("LD10", 1)}).doing(waiting())
    sentence = falling(spot.given().when(1, Activate(1))).asks(1, key="leader/s1/1/place")
    (tile,) = sentence.state.pool
    sentence.when(1, PlaceTile(tile, "K1")).asks(0)
    assert (sentence.state.stack, sentence.state.houses[1].level) == (7, 0)


@pytest.mark.rule("LD10", "leader.choose", "expansion.place")
def test_ld10_level_1_leaves_a_tile_and_a_hex_to_who_is_placing_one():
    spot = led(position(2).at(2), {1: ("LD10", 1)}).doing(PlaceFromPool(0, "x"), waiting("y"))
    spot.galaxy.stack, spot.galaxy.pool = 0, ["T01"]
    sentence = spot.given().asks(0, key="x/place")
    sentence.when(1, Activate(1)).refused("nothing_to_survey", "expansion.place")
    spot.galaxy.stack, spot.galaxy.pool = 1, ["T01"]
    falling(spot.given().when(1, Activate(1))).asks(1)
    empty = led(position(2).at(2), {1: ("LD10", 1)}).doing(waiting())
    empty.galaxy.stack = 0
    empty.given().when(1, Activate(1)).refused("nothing_to_survey", "discover.survey")


def relocating(card: str = "industrialize"):
    spot = led(position(2).at(3), {0: ("LD10", 2)}).tile("S1b", industrial=1)
    spot.tile("S3a", industrial=1).has(0, complexes={"S1a": 1, "S1c": 1}, embassies=["S1d"])
    return spot.turn(0, card).given().when(0, StartBuild())


@pytest.mark.rule("LD10", "leader.choose", "build.relocate-range")
def test_ld10_level_2_relocates_a_base_for_nothing_even_with_bases_left():
    sentence = relocating()
    move = Activate(2, piece="complex", path=("S1c", "S1b"))
    every = [
        Activate(2, piece=piece, path=(origin, to))
        for piece in ("complex", "embassy")
        for origin in sentence.state.sectors
        for to in sentence.state.sectors
    ]
    assert set(offered(sentence, 0)) - {Activate(1)} == legal(sentence, 0, every)
    sentence.when(0, move).asks(0, key="r2/p3/s0/a1/item/2")
    assert told(sentence, BaseMoved) == [BaseMoved(0, "complex", "S1c", "S1b")]
    sentence.holds("caps", seat_0=0)


@pytest.mark.rule("leader.choose")
def test_what_ld10_level_2_may_not_relocate():
    sentence = relocating()
    cases = {
        ("complex", ("S1c", "S3a")): "out_of_range", ("complex", ("S1c",)): "no_such_target",
        ("complex", ("S1c", "S1c")): "same_place", ("complex", ("K1", "S1b")): "no_own_base",
        ("embassy", ("S1d", "S1b")): "not_built_by_card",
        ("complex", ("S1c", "S9z")): "no_such_target",
    }  # fmt: skip
    for (piece, path), code in cases.items():
        sentence.when(0, Activate(2, piece=piece, path=path)).refused(code)
    spot = led(position(2).at(3), {0: ("LD10", 2)}).has(0, complexes={"S1a": 1, "S1b": 1})
    idle = spot.turn(0, "industrialize").given()
    move = Activate(2, piece="complex", path=("S1a", "S1b"))
    idle.when(0, move).refused("not_the_moment", "leader.anytime")


@pytest.mark.rule("leader.choose", "build.base-cost")
@pytest.mark.parametrize(
    ("piece", "sector", "price"),
    [("complex", "S1b", 1), ("embassy", "S1d", 2), ("outpost", "S1e", 1)],
)  # fmt: skip
def test_ld10_level_3_builds_a_base_of_any_type_at_half_cost_rounded_up(piece, sector, price):
    spot = led(position(2).at(2), {1: ("LD10", 3)}).caps(0, 2).tile("S1b", industrial=1)
    spot.tile("S1d", political=1, faction="green").tile("S1e", martial=2)
    spot.has(1, complexes={"S1a": 1}, embassies=["S1c"], outposts={"S1e": 1})
    sentence = spot.doing(waiting()).given()
    sentence.when(1, Activate(3, piece=piece, sector=sector)).holds("caps", seat_1=2 - price)
    assert told(sentence, BasePlaced) == [BasePlaced(1, piece, sector)]


# --- LD05 Eadrom ----------------------------------------------------------------------------------


def moving():
    spot = led(position(2).at(2), {1: ("LD05", 2)}).home(0, "S3d").home(1, "S1d")
    spot.tile("S2a", "S3a").has(1, agents=["S1d"], fleets=["S1d"])
    return spot.doing(waiting()).given()


@pytest.mark.rule("LD05", "leader.choose", "move.agent", "move.fleet")
def test_ld05_level_1_moves_an_own_unit_by_the_normal_rules_for_nothing():
    sentence = moving().when(1, Activate(1, piece="agent", number=0, path=("S3a",))).asks(0)
    assert told(sentence, UnitMoved) == [UnitMoved(1, "agent", 0, ("S1d", "S3a"))]
    fleet = moving()
    paths = [one.path for one in offered(fleet, 1) if one.piece == "fleet"]
    way = next(path for path in paths if path[-1] == "S2a")
    fleet.when(1, Activate(1, piece="fleet", number=0, path=way)).holds("caps", seat_1=0)
    assert told(fleet, UnitMoved) == [UnitMoved(1, "fleet", 0, ("S1d", *way))]


@pytest.mark.rule("LD05", "leader.choose", "move.end-on-tile", "move.foreign-home")
def test_ld05_level_1_moves_nothing_that_could_not_move_so():
    sentence = moving()
    cases = {
        ("agent", 0, ("K1",)): "no_tile", ("agent", 0, ("S3d",)): "foreign_home",
        ("agent", 1, ("S3a",)): "no_such_unit", ("gate", 0, ("S3a",)): "no_such_unit",
        ("agent", None, ("S3a",)): "no_such_target", ("fleet", 0, ("S3a",)): "not_a_path",
        ("agent", 0, ()): "not_a_path",
    }  # fmt: skip
    for (piece, number, path), code in cases.items():
        sentence.when(1, Activate(1, piece=piece, number=number, path=path)).refused(code)
    ends = [
        Activate(1, piece="agent", number=number, path=(sector,))
        for number in range(3)
        for sector in sentence.state.sectors
    ]
    listed = {one for one in offered(sentence, 1) if one.piece == "agent"}
    assert listed == legal(sentence, 1, ends)


@pytest.mark.rule("LD05", "leader.choose", "target.once-per-phase")
def test_ld05_level_2_lets_what_has_attacked_attack_once_more():
    spot = sabotage(blue=("LD05", 2)).has(YELLOW, fleets=["S3d"])
    sentence = fought(attacking(spot)).asks(BLUE, key="r2/p3/s0/a2")
    again = Declare(YELLOW, "S3d", units=(0,))
    wrong = Activate(2, piece="agent", number=1)
    sentence.when(BLUE, wrong).refused("no_such_target", "leader.choose", attacker="agent 1")
    sentence.when(BLUE, Activate(2, piece="complex", sector="S5d")).refused("no_such_target")
    sentence.when(BLUE, Activate(2, piece="outpost", sector="S5d")).refused("no_such_target")
    sentence.when(YELLOW, Activate(2)).refused("no_leader")
    assert Activate(2, piece="agent", number=0) in offered(sentence, BLUE)
    sentence.when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(BLUE, again).refused("has_attacked", "target.once-per-phase")
    sentence.when(BLUE, Activate(2, piece="agent", number=0))
    assert told(sentence, AttackAllowed) == [AttackAllowed(BLUE, "agent 0")]
    sentence.when(BLUE, again)
    assert sentence.state.contest is not None
