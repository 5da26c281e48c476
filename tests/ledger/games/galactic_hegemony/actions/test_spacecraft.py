"""Spacecraft actions: moving and exploring, colonising, boosting morale."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.actions.spacecraft import (
    Boost,
    Colonise,
    MoraleBoosted,
    Move,
    PlanetColonised,
    PlanetExplored,
    SpacecraftMoved,
)
from ledger.games.galactic_hegemony.phases.revolt import RevoltBegun
from ledger.kernel.accounts import Transferred
from ledger.kernel.records import CHANCE
from tests.support.galactic_hegemony.positions import (
    HOME,
    acting,
    colony,
    drawn,
    house,
    shown,
    told,
)


def paid(amount: int, rule: str) -> Transferred:
    return Transferred("resources", "stockpile", "bank", amount, rule)


@pytest.mark.rule("move.cost")
def test_a_resource_moves_one_spacecraft_one_hex():
    sentence = acting(colony(1), ships=[HOME, HOME], stock=2)
    sentence.when(0, Move(HOME, (3, 6))).then(
        paid(1, "move.cost"), SpacecraftMoved(HOME, (3, 6), 1)
    )
    assert sorted(sentence.state.spacecraft) == [HOME, (3, 6)]
    sentence.when(0, Move(HOME, (3, 6), 2)).refused("no_spacecraft", "move.cost", spacecraft=1)


@pytest.mark.rule("move.cost")
def test_each_of_several_pays_for_itself_unless_it_is_read_otherwise():
    sentence = acting(colony(1), ships=[HOME, HOME], stock=2)
    sentence.when(0, Move(HOME, (3, 6), 2)).refused("one_at_a_time", "move.cost", spacecraft=2)
    together = acting(colony(1), ships=[HOME, HOME], stock=2, overlay=house(move_each="stack"))
    assert Move(HOME, (3, 6), 2) in together.match.options(0)
    together.when(0, Move(HOME, (3, 6), 2))
    assert together.state.spacecraft == [(3, 6), (3, 6)]
    assert together.state.stock == 1


@pytest.mark.rule("move.adjacent", "map.adjacency")
def test_a_move_is_to_a_neighbouring_hex_of_the_map():
    sentence = acting(colony(1), ships=[HOME, (1, 1), (6, 10)])
    sentence.when(0, Move(HOME, (3, 7))).refused("not_adjacent", "move.adjacent")
    sentence.when(0, Move(HOME, HOME)).refused("not_adjacent", "move.adjacent")
    sentence.when(0, Move((1, 1), (0, 1))).refused("off_map", "map.size")
    sentence.when(0, Move((6, 10), (6, 11))).refused("off_map", "map.size")
    sentence.when(0, Move((2, 2), (2, 3))).refused("no_spacecraft", "move.cost", spacecraft=0)
    sentence.when(0, Move(HOME, (2, 4)))


@pytest.mark.rule("move.adjacent")
def test_what_a_move_lacks_first_is_what_is_told():
    sentence = acting(colony(1), ships=[HOME], stock=0)
    sentence.when(0, Move((1, 1), (0, 0))).refused("no_spacecraft")
    sentence.when(0, Move(HOME, (9, 9))).refused("off_map")
    sentence.when(0, Move(HOME, (6, 6))).refused("not_adjacent")
    sentence.when(0, Move(HOME, (3, 6))).refused("unaffordable")


@pytest.mark.rule("move.explore")
def test_to_enter_an_unexplored_planet_turns_its_tile_up_for_nothing():
    sentence = acting(colony(1), ships=[(1, 2)], stock=1).when(0, Move((1, 2), (1, 1)))
    sentence.asks(CHANCE, key="explore/1,1")
    drawn(sentence, 9).then(PlanetExplored((1, 1), 9, 0)).asks(0)
    assert sentence.state.tile_of(9).hex == (1, 1)
    assert "9" not in sentence.state.face_down.deck.unseen
    assert sentence.state.stock == 0


@pytest.mark.rule("move.explore")
def test_an_explored_planet_is_not_turned_up_again():
    acting(colony(1), explored=[2], ships=[(1, 2)]).when(0, Move((1, 2), (1, 1))).asks(0)


@pytest.mark.rule("move.repeat")
def test_the_same_spacecraft_moves_as_often_as_it_is_paid_for():
    sentence = acting(colony(1), ships=[HOME], stock=3)
    for start, to in (((3, 5), (3, 6)), ((3, 6), (3, 7)), ((3, 7), (3, 8))):
        sentence.when(0, Move(start, to))
    assert sentence.state.spacecraft == [(3, 8)]
    sentence.when(0, Move((3, 8), (3, 7))).refused("unaffordable", "move.cost")


@pytest.mark.rule("move.saboteur-free", "map.stack")
def test_saboteurs_neither_stop_nor_attack_what_moves():
    sentence = acting(colony(1), ships=[HOME], saboteurs={1: HOME, 2: (3, 6)})
    sentence.when(0, Move(HOME, (3, 6))).when(0, Move((3, 6), (3, 7)))
    assert sentence.state.spacecraft == [(3, 7)]
    assert len(sentence.state.active()) == 2


@pytest.mark.rule("colonise.cost", "action.pay")
def test_v43_price_of_the_last_step():
    sentence = acting(
        colony(1), ships=[(1, 4)], stock=4, at={3: (6, 4), 7: (2, 9)}, turn=1, token=10
    )
    for start, to in (((1, 4), (1, 3)), ((1, 3), (1, 2)), ((1, 2), (1, 1))):
        sentence.when(0, Move(start, to))
    drawn(sentence, 2)
    assert sentence.state.stock == 1
    sentence.when(0, Colonise(2)).refused("unaffordable", "colonise.cost", price=2, resources=1)


# --- colonise -------------------------------------------------------------------------------------


@pytest.mark.rule(
    "colonise.where", "colonise.cost", "colonise.card", "colonise.token", "colonise.size",
    "colonise.bare", "track.hegemony",
)  # fmt: skip
def test_an_explored_planet_with_a_spacecraft_in_orbit_is_colonised():
    sentence = acting(colony(1), explored=[2], ships=[(1, 1)], stock=4)
    sentence.when(0, Colonise(2)).then(paid(2, "colonise.cost"), PlanetColonised(2))
    assert shown(sentence, 2) == (1, "")
    assert (sentence.state.size(), sentence.state.stock) == (2, 2)


@pytest.mark.rule("colonise.where", "action.orbit")
def test_v19_illegal_colonising():
    sentence = acting(colony(1), explored=[2], ships=[(1, 2)])
    sentence.when(0, Colonise(2)).refused("not_in_orbit", "action.orbit", planet=2)


@pytest.mark.rule("colonise.where")
def test_what_is_unexplored_or_colonised_cannot_be_colonised():
    sentence = acting(colony(1), ships=[(1, 1), HOME])
    sentence.when(0, Colonise(2)).refused("unexplored", "colonise.where", planet=2)
    sentence.when(0, Colonise(1)).refused("already_colonised", "colonise.where", planet=1)
    sentence.when(0, Colonise(99)).refused("unexplored", "colonise.where", planet=99)


@pytest.mark.rule("colonise.saboteur")
def test_a_saboteur_neither_forbids_a_colony_nor_incites_it():
    sentence = acting(colony(1), explored=[2], ships=[(1, 1)], saboteurs={1: (1, 1)})
    sentence.when(0, Colonise(2))
    assert shown(sentence, 2) == (1, "")


@pytest.mark.rule("colonise.saboteur")
def test_read_otherwise_it_does():
    where = {"explored": [2], "ships": [(1, 1)], "saboteurs": {1: (1, 1)}}
    barred = acting(colony(1), **where, overlay=house(colonise_saboteur="barred"))
    barred.when(0, Colonise(2)).refused("saboteur_in_orbit", "colonise.saboteur")
    incited = acting(colony(1), **where, overlay=house(colonise_saboteur="incited"))
    incited.when(0, Colonise(2))
    assert told(incited, RevoltBegun) == [RevoltBegun(2)]
    assert (shown(incited, 2)[0], incited.state.size()) == (-1, 1)


# --- boost ----------------------------------------------------------------------------------------


@pytest.mark.rule("boost.where", "boost.cost", "boost.effect")
def test_v20_boost():
    sentence = acting(
        colony(2, 0), colony(3, 1), colony(4, -1), ships=[(1, 1), (1, 4), (1, 7)], stock=3
    )
    sentence.when(0, Boost(3)).refused("morale_highest", "boost.effect", morale=1)
    sentence.when(0, Boost(4)).refused("in_revolt", "boost.where", morale=-1)
    sentence.when(0, Boost(2)).then(paid(1, "boost.cost"), MoraleBoosted(2, 1))
    assert (shown(sentence, 2)[0], sentence.state.stock) == (1, 2)


@pytest.mark.rule("boost.where", "action.orbit")
def test_a_boost_needs_a_colony_and_a_spacecraft_in_orbit():
    sentence = acting(colony(2, 0), explored=[3], ships=[(1, 4)])
    sentence.when(0, Boost(2)).refused("not_in_orbit", "action.orbit", planet=2)
    sentence.when(0, Boost(3)).refused("not_colonised", "boost.where", planet=3)


@pytest.mark.rule("boost.effect")
def test_read_as_two_steps_a_boost_still_stops_at_the_highest():
    sentence = acting(colony(2, 0), ships=[(1, 1)], overlay=house(boost_amount=2))
    sentence.when(0, Boost(2)).then(paid(1, "boost.cost"), MoraleBoosted(2, 1))
