"""Player boards: what a track costs, brings, lets retain, and which tier it has reached."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.state.tracks import Cost, Income, Retention, Tier, Track
from tests.support.hegemonic.positions import Position, house, position

TYPES = ("industrial", "political", "martial")
EMBASSIES = ("S3a", "S3b", "S3c", "S3d")


def board(complexes: int, embassies: int, outposts: int, **terms) -> Position:
    """A player of whom so many bases are on the map."""
    spot = position(4, **terms)
    filled = {"S1a": 3, "S1b": 3, "S1c": 3, "S1d": 3}
    for sector in filled:
        spot.tile(sector, industrial=3)
    for sector in EMBASSIES[:embassies]:
        spot.tile(sector, faction="orange")
    for sector in ("S2a", "S2b", "S2c"):
        spot.tile(sector, martial=3)
    standing = spot.galaxy.houses[0]
    for type_, count, sectors in (
        ("industrial", complexes, list(filled)),
        ("political", embassies, EMBASSIES),
        ("martial", outposts, ("S2a", "S2b", "S2c")),
    ):
        for number in range(count):
            each = number if type_ == "political" else number // 3
            standing.add_base(type_, sectors[each])
    return spot


@pytest.mark.rule("board.cost", "board.income", "board.retention", "board.tier")
def test_v01_player_board():
    galaxy = board(3, 4, 8).galaxy
    assert [Cost.of_next(galaxy, 0, type_) for type_ in TYPES] == [2, 5, 5]
    assert [Income.of(galaxy, 0, type_) for type_ in TYPES] == [4, 5, 7]
    assert Income.total(galaxy, 0) == 16
    assert Retention.limit(galaxy, 0) == 4
    assert [Tier.of(galaxy, 0, type_) for type_ in TYPES] == [1, 2, 2]


@pytest.mark.rule("board.income", "board.retention", "board.tier", "board.cost")
def test_v02_start_position():
    galaxy = board(1, 1, 1).galaxy
    assert Income.total(galaxy, 0) == 6
    assert Retention.limit(galaxy, 0) == 12
    assert [Tier.of(galaxy, 0, type_) for type_ in TYPES] == [1, 1, 1]
    assert [Cost.of_next(galaxy, 0, type_) for type_ in TYPES] == [2, 3, 2]


@pytest.mark.rule("board.build-order", "board.return-order", "general.piece-limits")
def test_a_track_is_one_number():
    galaxy = board(3, 4, 8).galaxy
    assert [Track.left(galaxy, 0, type_) for type_ in TYPES] == [12, 5, 4]
    galaxy.houses[0].remove_base("political", "S3a")
    assert Cost.of_next(galaxy, 0, "political") == 4
    assert Income.of(galaxy, 0, "political") == 4


@pytest.mark.rule("board.zero")
def test_a_track_without_a_base_shows_nothing():
    galaxy = board(1, 1, 0).galaxy
    assert Income.of(galaxy, 0, "martial") == 0
    assert Retention.limit(galaxy, 0) == 12
    assert Tier.of(galaxy, 0, "martial") == 1
    assert Tier.by_bases(galaxy, 0, "martial") == 0
    assert Retention.limit(board(0, 0, 0).galaxy, 0) is None


@pytest.mark.rule("board.zero")
def test_by_a_reading_a_track_without_a_base_has_no_tier():
    galaxy = board(1, 1, 0, overlay=house(board__zero_tier=0)).galaxy
    assert Tier.of(galaxy, 0, "martial") == 0


@pytest.mark.rule("tech.emergent-economics")
def test_emergent_economics_lets_retain_six_more():
    galaxy = board(3, 4, 8).advanced(0, "I3b-1").galaxy
    assert (Retention.printed(galaxy, 0), Retention.limit(galaxy, 0)) == (4, 10)
