"""Games of the greedy bot, folded and nothing else: how they end, and how long they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial

from ledger.games import ruleset
from ledger.games.galactic_hegemony.state.board import Board
from ledger.kernel.bots import greedy_bot
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.records import CHANCE
from ledger.kernel.terms import Terms
from tests.support.galactic_hegemony.positions import NAME

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
            fold(match, 0, greedy_bot(terms, partial(match.view, 0), match.options(0), bot))
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
