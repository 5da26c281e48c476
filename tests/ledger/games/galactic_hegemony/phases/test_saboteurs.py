"""Phase 1, Move saboteurs."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.actions.choosing import EndActions
from ledger.games.galactic_hegemony.actions.fights import Attack
from ledger.games.galactic_hegemony.phases.revolt import MoraleSet, RevoltBegun
from ledger.games.galactic_hegemony.phases.saboteurs import (
    MoveSaboteurs,
    SaboteurLanded,
    SaboteursLifted,
    SaboteurTurnedAway,
)
from ledger.games.galactic_hegemony.phases.tracks import PhaseBegun, TokenLowered
from ledger.kernel.accounts import Transferred
from ledger.kernel.records import CHANCE
from tests.support.galactic_hegemony.positions import (
    HOME,
    acting,
    colony,
    hexed,
    house,
    laid_out,
    shown,
    table,
    told,
)
from tests.support.given import given


def moving(*colonies, saboteurs=None, **rest):
    """The phase begins, with one saboteur unless others are named."""
    there = {1: None} if saboteurs is None else saboteurs
    return given(table(*colonies, saboteurs=there, agenda=[MoveSaboteurs()], **rest))


@pytest.mark.rule("saboteur.skip", "saboteur.removed")
def test_v37_no_saboteurs_left():
    sentence = acting(colony(1), ships=[HOME])
    for saboteur in sentence.state.saboteurs[:3]:
        saboteur.status = "destroyed"
    sentence.when(0, EndActions()).asks(CHANCE, key="morale/3/1")
    assert PhaseBegun(1) not in sentence.facts


@pytest.mark.rule("saboteur.lift", "saboteur.roll", "map.stack")
def test_all_leave_the_map_before_the_first_is_rolled_for():
    sentence = moving(colony(1), saboteurs={1: HOME, 3: (2, 2)})
    sentence.then(PhaseBegun(1), SaboteursLifted()).asks(CHANCE, key="sab/2/1/1/row")
    assert [one.hex for one in sentence.state.active()] == [None, None]
    hexed(sentence, (4, 4)).asks(CHANCE, key="sab/2/3/1/row")
    hexed(sentence, (4, 4)).asks()
    assert [one.hex for one in sentence.state.active()] == [(4, 4), (4, 4)]


@pytest.mark.rule("saboteur.incite")
@pytest.mark.parametrize("morale", [1, 0])
def test_a_planet_falls_to_minus_1_at_once(morale: int):
    hexed(moving(colony(1, morale)), HOME).then(
        SaboteurLanded(1, HOME, 1), MoraleSet(1, -1), RevoltBegun(1), *trimmed(2)
    )


def trimmed(amount: int):
    return [Transferred("resources", "stockpile", "bank", amount, "revolt.enter-trim")]


@pytest.mark.rule("saboteur.worsen", "saboteur.floor")
@pytest.mark.parametrize(("before", "after"), [(-1, -2), (-2, -3), (-3, -3)])
def test_a_planet_in_revolt_falls_by_one_and_not_below_minus_3(before: int, after: int):
    assert shown(hexed(moving(colony(1, before)), HOME), 1)[0] == after


@pytest.mark.rule("saboteur.sequential", "saboteur.worsen", "revolt.once")
def test_v08_two_saboteurs_on_one_planet():
    colonies = [colony(planet) for planet in (1, 2, 3, 4)]
    sentence = moving(*colonies, saboteurs={1: None, 2: None}, stock=10)
    hexed(sentence, HOME)
    assert (shown(sentence, 1)[0], sentence.state.size(), sentence.state.stock) == (-1, 3, 8)
    hexed(sentence, HOME).then(SaboteurLanded(2, HOME, 1), MoraleSet(1, -2))
    assert (shown(sentence, 1)[0], sentence.state.size(), sentence.state.stock) == (-2, 3, 8)


@pytest.mark.rule("saboteur.sequential")
def test_read_as_once_a_phase_the_second_does_nothing():
    overlay = house(sab_sequential="once-a-phase")
    sentence = moving(colony(1), colony(2), saboteurs={1: None, 2: None}, overlay=overlay)
    hexed(sentence, HOME)
    hexed(sentence, HOME).then(SaboteurLanded(2, HOME, 1))
    assert shown(sentence, 1)[0] == -1


@pytest.mark.rule("saboteur.no-effect")
def test_v10_no_colony():
    unexplored = moving(colony(1))
    hexed(unexplored, (1, 1)).then(SaboteurLanded(1, (1, 1), None))
    assert not unexplored.state.tile_at((1, 1)).explored
    explored = moving(colony(1), explored=[2])
    hexed(explored, (1, 1)).then(SaboteurLanded(1, (1, 1), None))
    empty = moving(colony(1))
    hexed(empty, (2, 2)).then(SaboteurLanded(1, (2, 2), None))


@pytest.mark.rule("revolt.enter-trim", "revolt.enter-hegemony")
def test_v38_double_trimming():
    colonies = [colony(planet) for planet in (1, 2, 3)]
    sentence = moving(*colonies, saboteurs={1: None, 2: None}, stock=8)
    hexed(sentence, HOME)
    assert (sentence.state.size(), sentence.state.stock) == (2, 6)
    hexed(sentence, (1, 1))
    assert (sentence.state.size(), sentence.state.stock) == (1, 4)


@pytest.mark.rule("saboteur.first-turn-home", "turn.first")
def test_in_the_first_turn_no_saboteur_lands_on_the_home_planet():
    sentence = laid_out().asks(CHANCE, key="sab/1/1/1/row")
    for attempt in range(1, 4):
        sentence.asks(CHANCE, key=f"sab/1/1/{attempt}/row")
        hexed(sentence, HOME).then(SaboteurTurnedAway(1, HOME))
    hexed(sentence, (3, 6)).then(SaboteurLanded(1, (3, 6), None))
    assert shown(sentence, 1)[0] == 1


@pytest.mark.rule("saboteur.first-turn-home")
def test_the_column_alone_is_rolled_again_where_it_is_read_so():
    sentence = laid_out(overlay=house(first_turn_reroll="column-die"))
    hexed(sentence, HOME).asks(CHANCE, key="sab/1/1/2/col").rolled(9)
    sentence.then(SaboteurLanded(1, (3, 9), None))


@pytest.mark.rule("saboteur.first-turn-home")
def test_read_as_once_a_second_hit_stays():
    sentence = laid_out(overlay=house(first_turn_reroll="once"))
    hexed(sentence, HOME).then(SaboteurTurnedAway(1, HOME))
    hexed(sentence, HOME)
    assert shown(sentence, 1)[0] == -1


@pytest.mark.rule("saboteur.first-turn-home")
def test_from_the_second_turn_on_the_home_planet_is_as_any_other():
    assert shown(hexed(moving(colony(1)), HOME), 1)[0] == -1


@pytest.mark.rule("saboteur.stays")
def test_a_saboteur_stays_and_incites_only_when_it_lands():
    sentence = acting(colony(1), colony(2), saboteurs={1: None}).when(0, EndActions())
    hexed(sentence, HOME)
    assert shown(sentence, 1)[0] == -1
    sentence.rolled(4, 4).rolled(4, 4).asks(0, key="turn/3/act/1")
    assert (shown(sentence, 1)[0], sentence.state.saboteurs[0].hex) == (-1, HOME)
    sentence.when(0, EndActions())
    assert SaboteursLifted() in sentence.facts, "until it moves"


@pytest.mark.rule("sabfight.win", "saboteur.removed")
def test_v41_which_saboteur():
    where = (2, 2)
    sentence = acting(colony(1), ships=[where], saboteurs={1: where, 2: (5, 5), 3: where})
    sentence.when(0, Attack(where, 1)).rolled(6, 3).rolled(5, 4)
    assert sentence.state.saboteurs[0].status == "destroyed"
    assert sentence.state.spacecraft == []
    sentence.when(0, EndActions()).asks(CHANCE, key="sab/3/2/1/row")
    hexed(sentence, (5, 5)).asks(CHANCE, key="sab/3/3/1/row")
    hexed(sentence, (5, 5)).asks(CHANCE, key="morale/3/1")


@pytest.mark.rule("revolt.once")
def test_read_as_every_hit_the_hegemony_token_falls_again():
    overlay = house(revolt_once="every-hit")
    sentence = moving(colony(1, -1), colony(2), colony(3), stock=6, overlay=overlay)
    hexed(sentence, HOME)
    assert told(sentence, TokenLowered) == [TokenLowered(1)]
    assert (sentence.state.size(), sentence.state.stock) == (1, 4)
    assert sentence.state.controlled() == 2
