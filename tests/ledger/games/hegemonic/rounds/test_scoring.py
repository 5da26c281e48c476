"""Scoring: boards, places, ties, the core, exclusivity."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance
from ledger.games.hegemonic.rounds.scoring import Award, BoardScored, Scoring
from tests.support.hegemonic.positions import Position, house, position, told

RED, BLUE, YELLOW = 0, 1, 2
CONTROL, INFLUENCE, PRESENCE = "score.control", "score.influence", "score.presence"


def scored(spot: Position):
    """All boards are scored."""
    after = DiscardOrAdvance(0, "x", optional=True)
    return spot.at(6).doing(Scoring(), after).given()


def points(sentence, board: str) -> dict[int, int]:
    """Returns each player's points for a board."""
    fact = next(one for one in told(sentence, BoardScored) if one.board == board)
    found: dict[int, int] = {}
    for award in fact.awards:
        found[award.seat] = found.get(award.seat, 0) + award.points
    return found


def holding(powers: Mapping[int, int], board: str = "S2", **terms) -> Position:
    """A board on which players hold so much, in outposts and complexes."""
    spot = position(4, **terms)
    sectors = [one.id for one in spot.galaxy.sectors.values() if one.board == board]
    for seat, power in powers.items():
        sector, left = sectors.pop(), power
        spot.tile(sector, industrial=3) if power > 3 else spot.tile(sector, martial=power)
        if power > 3:
            spot.has(seat, complexes={sector: 3})
            left, sector = power - 3, sectors.pop()
            spot.tile(sector, martial=left)
        spot.has(seat, outposts={sector: left})
    return spot


# --- the worked example ---------------------------------------------------------------------------


def example() -> Position:
    """V19: board A is S1, B is S2, C is S3."""
    spot = position(4)
    spot.tile("S1a", industrial=3).tile("S1b", faction="orange", political=2)
    spot.has(RED, complexes={"S1a": 3}, embassies=["S1b"])
    spot.has(BLUE, outposts={"S1c": 3, "S1d": 1}).has(YELLOW, outposts={"S1e": 2})
    spot.tile("S2a", industrial=3).tile("S2b", faction="green", political=3)
    spot.has(YELLOW, complexes={"S2a": 3}, embassies=["S2b"], outposts={"S2c": 2})
    spot.tile("S3a", industrial=3).tile("S3b", faction="purple", political=3)
    spot.has(RED, complexes={"S3a": 3}, embassies=["S3b"], outposts={"S3c": 1})
    return spot.has(BLUE, outposts={"S3d": 2, "S3e": 2})


@pytest.mark.rule("score.when", "score.power", "score.control", "score.influence")
@pytest.mark.rule("score.presence", "score.exclusive")
def test_v19_scoring():
    sentence = scored(example())
    facts = told(sentence, BoardScored)
    assert facts == [
        BoardScored(
            "S1",
            ((RED, 5), (BLUE, 4), (YELLOW, 2)),
            (Award(RED, CONTROL, 6), Award(BLUE, INFLUENCE, 3), Award(YELLOW, PRESENCE, 1)),
        ),
        BoardScored(
            "S2", ((YELLOW, 8),), (Award(YELLOW, CONTROL, 6), Award(YELLOW, "score.exclusive", 2))
        ),
        BoardScored(
            "S3", ((RED, 7), (BLUE, 4)), (Award(RED, CONTROL, 6), Award(BLUE, INFLUENCE, 3))
        ),
    ]
    assert [one.score for one in sentence.state.houses] == [12, 6, 9, 0]


@pytest.mark.rule("score.track")
def test_scores_are_added_round_by_round_without_a_limit():
    spot = example()
    spot.galaxy.houses[RED].score = 95
    assert scored(spot).state.houses[RED].score == 107


@pytest.mark.rule("score.units")
def test_units_count_nothing():
    spot = position(4).tile("S2d", industrial=1).has(RED, outposts={"S2a": 1})
    spot.has(BLUE, agents=["S2a", "S2b"], fleets=["S2c"], gates=[("S2d", "S3a")])
    sentence = scored(spot)
    assert told(sentence, BoardScored)[0].powers == ((RED, 1),)
    assert points(sentence, "S2") == {RED: 8}


# --- home embassies -------------------------------------------------------------------------------


def homely(**terms) -> Position:
    """Red at home, and Blue with two outposts on the same board."""
    spot = position(4, **terms).home(RED, "S1d")
    spot.has(RED, complexes={"S1d": 1}, embassies=["S1d"], outposts={"S1d": 1})
    return spot.has(BLUE, outposts={"S1a": 2})


@pytest.mark.rule("score.home-embassy", "power.home-embassy")
def test_v08_a_home_embassy_counts_one_here():
    sentence = scored(homely())
    assert told(sentence, BoardScored)[0].powers == ((RED, 3), (BLUE, 2))


@pytest.mark.rule("score.home-embassy")
def test_without_it_control_of_a_home_board_may_change_hands():
    cell = {"figures": {"score.home-embassy": {"value": 0}}}
    sentence = scored(homely(overlay=cell))
    assert told(sentence, BoardScored)[0].powers == ((RED, 2), (BLUE, 2))
    assert points(sentence, "S1") == {RED: 3, BLUE: 3}


@pytest.mark.rule("score.presence", "score.home-embassy")
def test_a_base_worth_nothing_is_a_base():
    cell = {"figures": {"score.home-embassy": {"value": 0}}}
    spot = position(4, overlay=cell).home(RED, "S1d").has(RED, embassies=["S1d"])
    spot.has(BLUE, outposts={"S1a": 2}).has(YELLOW, outposts={"S1b": 1})
    assert points(scored(spot), "S1") == {BLUE: 6, YELLOW: 3, RED: 1}


# --- the core and ties ----------------------------------------------------------------------------


@pytest.mark.rule("score.core")
@pytest.mark.parametrize(
    ("value", "expected", "alone"), [("all", [7, 4, 2], 9), ("controller", [7, 3, 1], 9)]
)
def test_v20_core(value: str, expected: list[int], alone: int):
    spot = holding({RED: 3, BLUE: 2, YELLOW: 1}, "K", overlay=house(score__core_who=value))
    assert list(points(scored(spot), "K").values()) == expected
    spot = holding({RED: 3}, "K", overlay=house(score__core_who=value))
    assert points(scored(spot), "K") == {RED: alone}


TIES = [((5, 5, 2), (3, 3, 1)), ((5, 3, 3), (6, 1, 1)), ((3, 3, 3), (3, 3, 3))]


@pytest.mark.rule("score.tie-first", "score.tie-second", "score.after-tie-first", "score.core")
@pytest.mark.parametrize(("powers", "expected"), TIES)
def test_v21_ties(powers: tuple[int, ...], expected: tuple[int, ...]):
    held = dict(enumerate(powers))
    assert points(scored(holding(held)), "S2") == dict(enumerate(expected))
    core = points(scored(holding(held, "K")), "K")
    assert core == {seat: points + 1 for seat, points in enumerate(expected)}


@pytest.mark.rule("score.core")
@pytest.mark.parametrize(("powers", "expected"), [((5, 5, 2), (3, 3, 1)), ((5, 3, 3), (7, 1, 1))])
def test_by_a_reading_a_tie_on_the_core_has_no_controller(powers, expected):
    spot = holding(dict(enumerate(powers)), "K", overlay=house(score__core_who="controller"))
    assert points(scored(spot), "K") == dict(enumerate(expected))


@pytest.mark.rule("score.after-tie-first")
def test_by_a_reading_the_next_after_a_tie_for_first_is_second():
    terms = {"overlay": house(score__tie_first_blocks_second=False)}
    assert points(scored(holding({0: 5, 1: 5, 2: 2}, **terms)), "S2") == {0: 3, 1: 3, 2: 3}
    tied = {0: 2, 1: 2, 2: 1, 3: 1}
    assert points(scored(holding(tied, **terms)), "S2") == {0: 3, 1: 3, 2: 1, 3: 1}
    assert points(scored(holding({0: 2, 1: 2}, **terms)), "S2") == {0: 3, 1: 3}


@pytest.mark.rule("score.presence")
def test_everybody_beyond_the_second_place_has_presence():
    sentence = scored(holding({0: 1, 1: 3, 2: 2, 3: 1}))
    assert points(sentence, "S2") == {1: 6, 2: 3, 0: 1, 3: 1}


@pytest.mark.rule("score.control", "score.influence", "score.exclusive", "score.core")
def test_the_points_are_figures_that_a_table_may_change():
    found = []
    for name, value in (("score.control", 1), ("score.influence", 0), ("score.core", 4)):
        overlay = {"figures": {name: {"value": value}}}
        found.append(points(scored(holding({0: 3, 1: 2}, "K", overlay=overlay)), "K"))
    assert found == [{0: 2, 1: 4}, {0: 7, 1: 1}, {0: 10, 1: 7}]
    overlay = {"figures": {"score.exclusive": {"value": 0}, "score.presence": {"value": 9}}}
    assert points(scored(holding({0: 3}, overlay=overlay)), "S2") == {0: 6}
    three = holding({0: 3, 1: 2, 2: 1}, overlay=overlay)
    assert points(scored(three), "S2") == {0: 6, 1: 3, 2: 9}
