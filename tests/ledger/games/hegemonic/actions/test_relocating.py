"""Relocating bases: with none left to build, or by a technology."""

from __future__ import annotations

import itertools

import pytest

from ledger.games.hegemonic.actions.building import FinishBuild, PlaceOutpost, StartBuild
from ledger.games.hegemonic.actions.items import ItemDone
from ledger.games.hegemonic.actions.relocating import RelocateBase, check_relocation
from ledger.games.hegemonic.map.placing import BaseMoved
from ledger.kernel.accounts import Transferred
from ledger.kernel.refusals import Refused
from ledger.parts.prices import Part
from tests.support.hegemonic.positions import Position, allowed, house, position, told


def build(spot: Position, card: str = "martialize", caps: int = 50):
    return spot.caps(caps).turn(0, card).given().when(0, StartBuild())


def moves(origin: str, sector: str, basis: str = "empty-supply") -> RelocateBase:
    return RelocateBase("martial", origin, sector, basis)


def all_out(**terms) -> Position:
    """Twelve outposts: nine far away, two at home, one at S1c; room at S1a, S1e and S4d."""
    spot = position(4, **terms).home(0, "S1d").home(1, "S5e").tile("S1c", "S1a", martial=2)
    spot.tile("S1e", "S4d", martial=1).has(0, outposts={"S1d": 2, "S1c": 1})
    return spot.has(0, outposts={"S3c": 2, "S3d": 2, "S3e": 2, "K5": 1, "K6": 1, "S3a": 1})


@pytest.mark.rule("build.relocate", "build.relocate-cost", "build.relocate-home")
def test_with_none_left_to_build_a_base_goes_from_anywhere_to_a_location_in_range():
    sentence = build(all_out())
    sentence.when(0, PlaceOutpost("S1a")).refused("none_left", "general.piece-limits")
    sentence.when(0, moves("S3c", "S1a")).then(
        Transferred("caps", "seat.0", "bank", 2, "build.relocate-cost"),
        BaseMoved(0, "outpost", "S3c", "S1a"),
        ItemDone(0, "outpost", True, 2, (Part("build.relocate-cost", 2),)),
    )
    assert sentence.state.houses[0].built("martial") == 12
    sentence.when(0, moves("S1d", "S1e"))  # out of the own home
    sentence.when(0, moves("S3c", "S1d"))  # and back into it
    assert told(sentence, BaseMoved) == [BaseMoved(0, "outpost", "S3c", "S1d")]
    sentence.when(0, FinishBuild()).asks(0)


@pytest.mark.rule("build.relocate", "build.relocate-range", "build.relocate-home")
def test_what_a_relocation_asks_for():
    sentence = build(all_out(), caps=1)
    sentence.when(0, moves("S1a", "S1e")).refused("no_own_base", "build.relocate")
    sentence.when(0, moves("S1d", "S1d")).refused("same_place", "build.relocate")
    sentence.when(0, moves("S3c", "S5e")).refused("foreign_home", "build.relocate-home")
    sentence.when(0, moves("S3c", "S1d")).refused("location_taken", "build.outpost-stack")
    sentence.when(0, moves("S3c", "S4d")).refused("out_of_range", "build.relocate-range")
    sentence.when(0, moves("S3c", "S1a")).refused("unaffordable", "build.relocate-cost", needed=2)
    sentence.when(0, moves("S3c", "S1a", "magic")).refused("no_such_basis", "build.relocate")


@pytest.mark.rule("build.relocate")
def test_with_bases_left_there_is_no_relocation():
    spot = position(4).home(0, "S1d").has(0, outposts={"S1d": 2}).tile("S1a", martial=1)
    sentence = build(spot).when(0, moves("S1d", "S1a"))
    sentence.refused("bases_left", "build.relocate", left=10)


@pytest.mark.rule("build.relocate-range")
def test_by_a_reading_the_moving_base_gives_no_range():
    """The two at home reach S1a; one that stays behind would not."""
    sentence = build(all_out()).when(0, moves("S1d", "S1e"))
    assert told(sentence, BaseMoved) == [BaseMoved(0, "outpost", "S1d", "S1e")]
    other = {"overlay": house(relocate__self_range=False)}
    sentence = build(all_out(**other)).when(0, moves("S1d", "S1e"))
    sentence.refused("out_of_range", "build.relocate-range")
    sentence.when(0, moves("S3c", "S1e"))
    assert told(sentence, BaseMoved) == [BaseMoved(0, "outpost", "S3c", "S1e")]


@pytest.mark.rule("build.relocate-cost")
def test_the_price_of_a_relocation_is_content():
    cells = {"figures": {"build.relocate-cost": {"value": 4}}}
    sentence = build(all_out(overlay=cells)).when(0, moves("S3c", "S1a"))
    assert told(sentence, ItemDone)[0].price == 4


# --- technologies ---------------------------------------------------------------------------------


def embassies(*cards: str, **terms) -> Position:
    spot = position(4, **terms).home(0, "S1d").home(1, "S4d").advanced(0, *cards)
    spot.tile("S2a", "S4a", "S1a", faction="green").tile("S4b", martial=1, faction=None)
    return spot.has(0, embassies=["S1d", "S2a"]).has(1, embassies=["S4c"])


@pytest.mark.rule("tech.transcendency-routine")
def test_transcendent_embassies_go_to_any_open_location_for_3_caps_each():
    def goes(origin: str, sector: str) -> RelocateBase:
        return RelocateBase("political", origin, sector, "transcendency")

    sentence = build(embassies("P3b-1"), "politicize")
    sentence.when(0, goes("S2a", "S4d")).refused("foreign_home", "build.relocate-home")
    sentence.when(0, goes("S2a", "S4c")).refused("location_taken", "build.embassy-location")
    sentence.when(0, goes("S2a", "S4b")).refused("no_location", "build.location")
    sentence.when(0, goes("S1a", "S4a")).refused("no_own_base", "build.relocate")
    rule = "tech.transcendency-routine"
    sentence.when(0, goes("S2a", "S4a")).then(
        Transferred("caps", "seat.0", "bank", 3, rule),
        BaseMoved(0, "embassy", "S2a", "S4a"),
        ItemDone(0, "embassy", True, 3, (Part(rule, 3),)),
    )
    sentence.when(0, goes("S1d", "S1a")).holds("caps", seat_0=44)
    sentence = build(embassies(), "politicize")
    sentence.when(0, goes("S2a", "S4a")).refused("not_advanced", "tech.transcendency-routine")
    figures = {"figures": {"tech.transcend": {"value": 1}}}
    sentence = build(embassies("P3b-1", overlay=figures), "politicize")
    sentence.when(0, goes("S2a", "S4a")).holds("caps", seat_0=49)


@pytest.mark.rule("tech.brane-manipulation")
def test_outposts_go_through_branes_to_open_locations_in_range_for_2_caps_each():
    def spot(*cards: str) -> Position:
        spot = position(4).home(0, "S1d").home(1, "S1c").advanced(0, *cards)
        spot.tile("S1a", martial=3).tile("S4b", martial=1).has(1, outposts={"S1e": 1})
        return spot.has(0, outposts={"S1d": 2, "K4": 1, "S1a": 1})

    sentence = build(spot("M3b-1"))
    sentence.when(0, moves("K4", "S4b", "brane"))
    sentence.refused("out_of_range", "build.relocate-range")
    sentence.when(0, moves("K4", "S1c", "brane")).refused("foreign_home", "build.relocate-home")
    sentence.when(0, moves("K4", "S1e", "brane")).refused("foreign_outposts")
    wrong = RelocateBase("martial", "K4", "S1a", "transcendency")
    sentence.when(0, wrong).refused("no_such_basis", "tech.transcendency-routine")
    sentence.when(0, moves("K4", "S1a", "brane"))  # a free level of an own stack is open
    assert told(sentence, BaseMoved) == [BaseMoved(0, "outpost", "K4", "S1a")]
    assert sentence.state.houses[0].outposts == {"S1d": 2, "S1a": 2}
    sentence.holds("caps", seat_0=48)
    sentence = build(spot()).when(0, moves("K4", "S1a", "brane"))
    sentence.refused("not_advanced", "tech.brane-manipulation")


# --- what leaders use, and options ----------------------------------------------------------------


@pytest.mark.rule("build.relocate")
def test_a_relocation_can_be_checked_whatever_it_costs():
    spot = position(4).home(0, "S1d").tile("S1a", martial=1).has(0, outposts={"S1d": 2})
    check_relocation(spot.galaxy, 0, "martial", "S1d", "S1a")
    with pytest.raises(Refused, match="same_place"):
        check_relocation(spot.galaxy, 0, "martial", "S1d", "S1d")


@pytest.mark.rule("build.relocate")
@pytest.mark.parametrize("cards", [(), ("M3b-1",)])
def test_the_options_are_all_relocations_that_are_allowed(cards: tuple[str, ...]):
    sentence = build(all_out().advanced(0, *cards))
    pairs = itertools.product(sentence.state.sectors, repeat=2)
    bases = ("empty-supply", "transcendency", "brane")
    every = [moves(*pair, basis) for pair in pairs for basis in bases]
    expected = {one for one in every if allowed(sentence, 0, one)}
    options = [one for one in sentence.match.options(0) if isinstance(one, RelocateBase)]
    assert len(options) == len(expected) > 10
    assert set(options) == expected
