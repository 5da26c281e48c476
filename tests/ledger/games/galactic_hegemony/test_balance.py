"""The card set of the house: a plain player wins some standard games, and loses most."""

from __future__ import annotations

import pytest

from ledger.games import ruleset
from ledger.kernel.terms import Terms
from tests.support.galactic_hegemony.campaigns import campaign, campaigns
from tests.support.galactic_hegemony.positions import NAME

pytestmark = pytest.mark.long


def test_a_plain_player_wins_some_games_and_loses_most():
    ends, turns, _ = campaigns(range(20))
    assert 2 <= ends["won"] <= 9
    assert ends["time"] > ends["won"]
    assert ends["revolt"] <= 5
    assert 8 <= turns <= 10


def test_four_saboteurs_and_fewer_turns_are_harder():
    standard, four, seven = (
        sum(
            campaign(Terms(ruleset(NAME), options=options), seed)[0].controlled()
            for seed in range(15)
        )
        for options in ({}, {"saboteurs": 4}, {"turns": 7})
    )
    assert four < standard
    assert seven < standard


def test_play_to_win_ends_with_a_score_in_turns():
    terms = Terms(ruleset(NAME), options={"play-to-win": True})
    ended = [campaign(terms, seed)[0] for seed in range(6)]
    won = [board for board in ended if board.outcome == "won"]
    assert won
    assert all(board.score == board.turn == board.token + 1 for board in won)
    assert {board.outcome for board in ended} <= {"won", "revolt", "conceded"}
    assert all(board.turn > 40 for board in ended if board.outcome == "conceded")


@pytest.mark.full
@pytest.mark.timeout(1_800)
def test_a_thousand_standard_games():
    ends, turns, events = campaigns(range(1_000))
    print(f"{dict(ends)}, {turns:.1f} turns, {events:.0f} events a game")
    assert 200 <= ends["won"] <= 400
