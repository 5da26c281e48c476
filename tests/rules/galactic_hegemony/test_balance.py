"""The card set of the house: a plain player wins some standard games, and loses most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from ledger.kernel.bots import greedy_bot
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.records import CHANCE
from ledger.kernel.terms import Terms
from ledger.rules import ruleset
from ledger.rules.galactic_hegemony.state import Board
from tests.rules.galactic_hegemony.positions import NAME

EVENTS_MAX = 2_000


def campaign(terms: Terms, seed: int) -> tuple[Board, int]:
    """The board at the end of a game of the greedy bot, and how many decisions and dice it took."""
    key = Stream.named(seed.to_bytes(8, "big"), "keys").take(32)
    bot = Stream.named(seed.to_bytes(8, "big"), "bot")
    match = terms.open_match(1)
    begin(match)
    for events in range(EVENTS_MAX):
        if match.ended:
            board: Board = match.state
            return board, events
        question = match.chance()
        if question is None:
            fold(match, 0, greedy_bot(terms, match.view(0), match.options(0), bot))
        else:
            address = question.address(match.state)
            fold(match, CHANCE, question.wish(match.state).answer(key, 0, address))
    raise AssertionError(f"the game of seed {seed} does not end")


def campaigns(seeds: Iterable[int], **options: int | bool) -> tuple[Counter[str], float, float]:
    """How the games ended, their mean length in turns, and in events."""
    terms = Terms(ruleset(NAME), options=options)
    ends: Counter[str] = Counter()
    turns = events = 0
    for seed in seeds:
        board, length = campaign(terms, seed)
        assert board.outcome is not None
        ends[board.outcome] += 1
        turns, events = turns + board.turn, events + length
    return ends, turns / ends.total(), events / ends.total()


def test_a_plain_player_wins_some_games_and_loses_most():
    ends, turns, _ = campaigns(range(60))
    assert 5 <= ends["won"] <= 30
    assert ends["time"] > ends["won"]
    assert ends["revolt"] <= 15
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
