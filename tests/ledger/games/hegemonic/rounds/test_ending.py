"""The end: when it comes, final scoring, and who wins."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance
from ledger.games.hegemonic.rounds.clock import RoundBegun
from ledger.games.hegemonic.rounds.ending import (
    ARBITER_ORDER,
    INCOME,
    MOST_CAPS,
    POINTS,
    SHARED,
    CheckEnd,
    DeclareWinners,
    EndKnown,
    FinalScored,
    RoundEnded,
    WinnersDeclared,
)
from ledger.games.hegemonic.rounds.sequence import NextRound
from tests.support.hegemonic.playing import idle_round
from tests.support.hegemonic.positions import Position, house, position, set_up, told


def round_end(spot: Position, round_: int = 6):
    """A round has been scored."""
    after = DiscardOrAdvance(0, "x", optional=True)
    return spot.at(6, round_=round_).doing(CheckEnd(), after).given()


def filled(spot: Position) -> Position:
    """No empty hex is left."""
    tiles = iter(spot.galaxy.tiles.unseen)
    for sector in spot.galaxy.empty_sectors():
        spot.galaxy.sectors[sector].tile = next(tiles)
    return spot


def stacked(spot: Position, stack: int, *pool: str) -> Position:
    """So many tiles in the stack, these in the pool."""
    spot.galaxy.stack, spot.galaxy.pool = stack, list(pool)
    return spot


# --- the conditions -------------------------------------------------------------------------------


@pytest.mark.rule("end.stack", "end.when")
def test_v04_four_players_without_survey_play_six_rounds():
    sentence = set_up(4)
    # 24 and 4 after the setup; the first tile of round 1 is turned already.
    assert (sentence.state.stack, len(sentence.state.pool)) == (24 - 1, 4 + 1)
    for number in range(1, 7):
        assert sentence.state.round == number
        idle_round(sentence)
    assert sentence.match.ended
    assert sentence.state.stack == 0
    assert len(sentence.state.pool) == 4
    placed = [s for s in sentence.state.sectors.values() if not s.empty and s.home_of is None]
    assert (len(placed), len(sentence.state.empty_sectors())) == (28, 4)
    assert told(sentence, EndKnown) == [EndKnown("end.stack", 6)]
    # Everybody alone on its home board: 8 points a round, and nothing tells them apart.
    sentence.ends(winners=(0, 1, 2, 3), scores=(48, 48, 48, 48), reason=SHARED)


@pytest.mark.rule("end.when")
def test_with_tiles_and_hexes_left_the_game_goes_on():
    spot = stacked(position(2), 1, "T01").at(6, round_=4)
    sentence = spot.doing(CheckEnd(), NextRound()).given()
    assert sentence.facts[:2] == [RoundEnded(4, (0, 0)), RoundBegun(5)]
    assert sentence.facts[0].checkpoint
    assert not sentence.state.over


@pytest.mark.rule("end.hexes")
def test_it_ends_when_no_hex_is_left():
    sentence = round_end(stacked(filled(position(2)), 3, "T01"))
    assert told(sentence, EndKnown) == [EndKnown("end.hexes", 6)]
    assert sentence.state.over


@pytest.mark.rule("end.stack", "end.hexes")
@pytest.mark.parametrize("name", ["end.stack", "end.hexes"])
def test_either_condition_can_be_out_of_force(name: str):
    overlay = {"switches": {name: {"on": False}}}
    spot = stacked(position(2, overlay=overlay), 0, "T01")
    other = stacked(filled(position(2, overlay=overlay)), 3, "T01")
    ends = [round_end(one).state.over for one in (spot, other)]
    assert ends == ([False, True] if name == "end.stack" else [True, False])


@pytest.mark.rule("opt.long-end", "opt.long")
def test_in_the_longer_game_an_empty_stack_ends_nothing():
    long = {"options": {"opt.long": True}}
    assert not round_end(stacked(position(2, **long), 0, "T01")).state.over
    sentence = round_end(stacked(filled(position(2, **long)), 0, "T01"))
    assert told(sentence, EndKnown) == [EndKnown("opt.long-end", 6)]
    sentence = round_end(stacked(position(2, **long), 0))
    assert told(sentence, EndKnown) == [EndKnown("opt.long-end", 6)]


@pytest.mark.rule("end.when")
def test_by_a_figure_more_rounds_are_played_once_the_end_is_known():
    overlay = {"figures": {"end.extra-rounds": {"value": 2}}}
    spot = stacked(position(2, overlay=overlay), 0, "T01")
    sentence = round_end(spot, 6)
    assert told(sentence, EndKnown) == [EndKnown("end.stack", 8)]
    assert not sentence.state.over
    assert not round_end(spot, 7).state.over
    last = round_end(spot, 8)
    assert told(last, EndKnown) == []
    assert last.state.over


# --- final scoring and the winner -----------------------------------------------------------------


@pytest.mark.rule("end.final-tech")
def test_v22_advanced_technologies_of_tiers_one_two_three():
    spot = stacked(position(2), 0).advanced(0, "I1a-1", "P2a-1", "M3a-1").hand(1, "I3a-1")
    sentence = round_end(spot)
    assert told(sentence, FinalScored) == [
        FinalScored(0, (("I1a-1", 2), ("P2a-1", 4), ("M3a-1", 6)), 12)
    ]
    assert told(sentence, WinnersDeclared) == [WinnersDeclared((0,), POINTS, (12, 0))]


@pytest.mark.rule("end.final-tech")
def test_the_points_a_tier_are_a_figure():
    spot = position(2, overlay={"figures": {"final.vp-per-tier": {"value": 3}}})
    sentence = round_end(stacked(spot, 0).advanced(0, "M3a-1"))
    assert told(sentence, FinalScored) == [FinalScored(0, (("M3a-1", 9),), 9)]


def tied(*scores: int, **terms) -> Position:
    """Player 0 has an income of 16, 1 of 15, 2 of 16."""
    spot = position(3, **terms).home(0, "S1d").home(1, "S3d").home(2, "S5d")
    for seat, score in enumerate(scores):
        spot.galaxy.houses[seat].score = score
    spot.has(0, complexes={"S1a": 3}, embassies=["S1b", "S1d", "S2a", "S2b"])
    spot.has(0, outposts={"S2c": 3, "S2d": 3, "S2e": 1, "S1d": 1})
    spot.has(1, complexes={"S3a": 2, "K1": 1}, embassies=["S3b", "S3c", "S3d"])
    spot.has(1, outposts={"S3e": 2, "S4a": 2, "K2": 1, "K3": 1, "K4": 1, "K5": 1})
    for sector in ("S5a", "S5b", "S5c", "S5d"):
        spot.galaxy.houses[2].embassies.append(sector)
    spot.galaxy.houses[2].complexes["S5e"] = 3
    spot.galaxy.houses[2].outposts["S4b"] = 8
    return spot


def declared(spot: Position):
    """The winner is declared."""
    return spot.doing(DeclareWinners()).given()


@pytest.mark.rule("end.winner", "game.objective")
def test_most_points_win_whatever_the_incomes():
    declared(tied(20, 21, 20)).then(WinnersDeclared((1,), POINTS, (20, 21, 20)))


@pytest.mark.rule("end.tiebreak")
def test_v22_of_equal_points_the_higher_income_wins():
    sentence = declared(tied(21, 21, 20))
    sentence.then(WinnersDeclared((0,), INCOME, (21, 21, 20), (16, 15, 16)))
    sentence.ends(winners=(0,), scores=(21, 21, 20), reason=INCOME)


@pytest.mark.rule("end.tiebreak-rest")
@pytest.mark.parametrize(
    ("last", "caps", "winners", "reason"),
    [
        ("shared", (3, 0, 5), (0, 2), SHARED),
        ("caps", (3, 9, 5), (2,), MOST_CAPS),
        ("caps", (5, 9, 5), (0, 2), SHARED),
        ("arbiter-order", (9, 0, 0), (2,), ARBITER_ORDER),
    ],
)
def test_still_tied_they_share_or_as_a_table_reads_it(last, caps, winners, reason):
    spot = tied(21, 21, 21, overlay=house(tiebreak__last=last)).caps(*caps)
    spot.galaxy.arbiter = 1
    declared(spot).then(WinnersDeclared(winners, reason, (21, 21, 21), (16, 15, 16)))
