"""Setup: the galaxy is generated, the home planet set up, the tracks set."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.actions.spacecraft import Move
from ledger.games.galactic_hegemony.phases.tracks import TurnBegun
from ledger.games.galactic_hegemony.setup import HomeTurnedUp, TileBlocked, TileLaid, TileRowRolled
from ledger.kernel.chance import Drawn, Roll
from ledger.kernel.records import CHANCE
from tests.support.galactic_hegemony.positions import (
    FAR,
    HOME,
    NAME,
    drawn,
    hexed,
    house,
    laid_out,
    shown,
    through,
    told,
)
from tests.support.given import given, match_of

RANDOM = {"random-home": True}


@pytest.mark.rule("setup.tiles-shuffled")
@pytest.mark.parametrize("place", [1, 7, 12])
def test_the_home_planet_lies_face_up_wherever_it_has_been_shuffled_to(place: int):
    sentence = given(match_of(NAME)).asks(CHANCE, key="setup/order").rolled(place)
    for number, where in enumerate(FAR.values(), 1):
        sentence.asks(CHANCE, key=f"setup/place/{number}/1/row")
        hexed(sentence, where)
        planets = [laid.planet for laid in told(sentence, TileLaid)]
        assert planets == [1 if number == place else None]
    assert sentence.state.hex_of(1) == FAR[place]


@pytest.mark.rule("setup.place-roll", "map.size")
def test_a_d6_names_the_row_and_a_d10_the_column():
    sentence = given(match_of(NAME)).rolled(3)
    assert sentence.match.chance().wish(sentence.state) == Roll(sides=6)
    sentence.rolled(6).then(TileRowRolled(1, 6)).asks(CHANCE, key="setup/place/1/1/col")
    assert sentence.match.chance().wish(sentence.state) == Roll(sides=10)
    sentence.rolled(10).then(TileLaid(1, (6, 10), None))


@pytest.mark.rule("setup.place-roll")
@pytest.mark.parametrize("face", [0, 7, 11])
def test_a_face_that_a_d6_has_not_is_refused(face: int):
    given(match_of(NAME)).rolled(1).rolled(face).refused("not_allowed", "setup.place-roll")


@pytest.mark.rule("setup.place-roll")
def test_with_the_first_column_read_for_a_0_every_face_is_one_further():
    sentence = given(match_of(NAME, overlay=house(d10_zero="first-column"))).rolled(3)
    hexed(sentence, (2, 10)).then(TileLaid(1, (2, 1), None))
    hexed(sentence, (2, 9)).then(TileLaid(2, (2, 10), None))


@pytest.mark.rule("setup.place-collision")
def test_v05_placement_collision():
    sentence = hexed(given(match_of(NAME)).rolled(1), (3, 5)).then(TileLaid(1, (3, 5), 1))
    hexed(sentence, (3, 5)).then(TileBlocked(2, (3, 5))).asks(CHANCE, key="setup/place/2/2/row")
    hexed(sentence, (3, 6)).then(TileLaid(2, (3, 6), None)).asks(CHANCE, key="setup/place/3/1/row")


@pytest.mark.rule("setup.place-collision")
def test_both_dice_are_rolled_as_often_as_needed():
    sentence = hexed(given(match_of(NAME)).rolled(1), (1, 1))
    for attempt in range(1, 5):
        sentence.asks(CHANCE, key=f"setup/place/2/{attempt}/row")
        hexed(sentence, (1, 1)).then(TileBlocked(2, (1, 1)))
    assert len(sentence.state.tiles) == 1


@pytest.mark.rule(
    "setup.explored", "setup.saboteurs-aside", "setup.home-card", "setup.home-infrastructure",
    "setup.home-morale", "setup.home-spacecraft", "setup.home-colony", "setup.tracks", "setup",
)  # fmt: skip
def test_v04_start():
    sentence = laid_out()
    board = sentence.state
    assert (board.size(), board.stock, board.token) == (1, 4, 10)
    assert [one.planet for one in board.colonies] == [1]
    assert shown(sentence, 1) == (1, "CFS")
    assert board.spacecraft == [HOME]
    status = [(one.status, one.hex) for one in board.saboteurs]
    assert status == [("active", None)] * 3 + [("aside", None)]
    assert [tile.explored for tile in board.tiles].count(False) == 11
    assert all(tile.planet is None for tile in board.tiles if not tile.explored)
    assert board.face_down.size() == 11
    assert told(sentence, TurnBegun) == [TurnBegun(1)]


@pytest.mark.rule("variant.random-home", "variant.random-home-infra")
@pytest.mark.parametrize("planet", [1, 6, 12])
def test_the_last_tile_laid_is_the_home_planet_whichever_it_is(planet: int):
    sentence = laid_out(options=RANDOM).asks(CHANCE, key="setup/home")
    assert not any(tile.explored for tile in sentence.state.tiles)
    drawn(sentence, planet)
    assert told(sentence, HomeTurnedUp) == [HomeTurnedUp(planet, 0)]
    board = sentence.state
    assert board.hex_of(planet) == list(FAR.values())[11]
    assert shown(sentence, planet) == (1, "CFS")
    assert board.spacecraft == [board.hex_of(planet)]
    assert (board.size(), board.stock, board.home) == (1, 4, planet)


@pytest.mark.rule("variant.random-home-infra")
def test_ert_is_then_a_planet_like_any_other():
    sentence = through(drawn(laid_out(options=RANDOM), 6), 1)
    sentence.state.spacecraft[0] = (2, 5)
    drawn(sentence.when(0, Move((2, 5), (3, 5))).asks(CHANCE, key="explore/3,5"), 1)
    assert sentence.state.colony(1) is None
    assert sentence.state.tile_of(1).explored


@pytest.mark.rule("setup.explored")
def test_tiles_named_at_setup_are_known_and_not_explored():
    sentence = given(match_of(NAME, overlay=house(entered_tiles="at-setup"))).rolled(1)
    hexed(sentence, FAR[1]).asks(CHANCE, key="setup/place/2/1/row")
    for planet in range(2, 13):
        hexed(sentence, FAR[planet]).asks(CHANCE, key=f"setup/tile/{planet}")
        drawn(sentence, planet)
    board = through(sentence, 2).state
    assert [tile.planet for tile in board.tiles] == list(range(1, 13))
    assert [tile.explored for tile in board.tiles] == [True] + [False] * 11
    board.spacecraft[0] = (1, 2)
    sentence.when(0, Move((1, 2), (1, 1))).asks(0)
    assert board.tile_of(2).explored


@pytest.mark.rule("setup.explored", "variant.random-home")
def test_a_random_home_that_was_named_at_setup_is_not_drawn_again():
    options, overlay = RANDOM, house(entered_tiles="at-setup")
    sentence = given(match_of(NAME, options=options, overlay=overlay))
    for planet in range(1, 13):
        hexed(sentence, FAR[planet])
        drawn(sentence, planet)
    assert sentence.state.home == 12
    assert told(sentence, HomeTurnedUp) == [HomeTurnedUp(12, 0)]


@pytest.mark.rule("setup.explored")
def test_a_tile_that_has_been_turned_up_cannot_be_entered_again():
    sentence = laid_out(options=RANDOM)
    drawn(sentence, 5)
    through(sentence, 3)
    sentence.state.spacecraft[0] = (2, 5)
    sentence.when(0, Move((2, 5), (3, 5))).when(CHANCE, Drawn(0, ("5",)))
    sentence.refused("not_allowed", "move.explore")
    sentence.when(CHANCE, Drawn(0, ("13",))).refused("not_allowed", "move.explore")
