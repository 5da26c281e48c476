"""Whole matches of bots: something happens in them, and who weighs what it does wins.

Over all seats and five seeds, and twenty matches against random bots (measured, see
docs/measurements/hegemonic-bots.md):
    pytest -m full tests/ledger/games/hegemonic/bots/test_whole_matches.py
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ledger.kernel.bots import greedy_bot, random_bot
from ledger.kernel.match import Match
from ledger.kernel.records import Fact, tag_of
from tests.support.hegemonic.matches import play

pytestmark = pytest.mark.long


def played(seats: int, seed: int, bots: list[Any]) -> tuple[Match, Counter[str]]:
    """A match, and how often each fact, and each effect of a technology, was in it."""
    counted: Counter[str] = Counter()
    for after, facts in play(seats, seed, bots):
        match = after
        counted.update(name for fact in facts for name in names_in(fact))
    return match, counted


def names_in(fact: Fact) -> Iterator[str]:
    """Yields the names that a fact counts for: its tag, its effects, CAPs of a deal, support."""
    tag = tag_of(fact)
    yield tag
    texts = set(_texts(msgspec.to_builtins(fact)))
    yield from ("effect" for text in sorted(texts) if text.startswith("tech."))
    if tag == "accounts.transferred" and "deal.caps" in texts:
        yield "CAPs of a deal"
    if tag == "deal.proposed" and "support" in texts:
        yield "support asked for"


def _texts(value: Any) -> Iterator[str]:
    """All texts in a record but for its tag, which may look like the id of a rule."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from () if name == "type" else _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def least(seats: int) -> dict[str, int]:
    """Returns the least counts for a match of greedy bots."""
    return {
        "conflict.begun": 12, "piece.base-placed": 10 * seats, "tech.advanced": 2 * seats,
        "deal.proposed": 1, "deal.accepted": 1, "CAPs of a deal": 1,
    }  # fmt: skip


WHOLE = {"conflict.supported": 1, "support asked for": 1, "piece.gate-placed": 1, "effect": 1}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_random_bots_come_to_an_end(seats: int):
    match, counted = played(seats, seats, [random_bot])
    assert match.result().winners
    assert counted["end.winners"] == 1


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (4, 2)])
def test_greedy_bots_build_fight_support_trade_and_advance(seats: int, seed: int):
    match, counted = played(seats, seed, [greedy_bot])
    assert match.result().winners
    wanted = least(seats) | (WHOLE if seats == 4 else {})
    assert {name: counted[name] for name in wanted if counted[name] < wanted[name]} == {}


@pytest.mark.full
def test_greedy_bots_do_so_with_any_number_of_seats():
    for seats in (2, 3, 4, 5, 6):
        together: Counter[str] = Counter()
        for seed in range(1, 6):
            _, counted = played(seats, seed, [greedy_bot])
            wanted = least(seats)
            missing = {name: counted[name] for name in wanted if counted[name] < wanted[name]}
            assert missing == {}, (seats, seed)
            together += counted
            print(seats, seed, {name: counted[name] for name in (*wanted, *WHOLE)})
        # With two seats there is no third player who could support.
        whole = {name for name in WHOLE if seats > 2 or "support" not in name}
        assert {name for name in whole if not together[name]} == set(), seats


@pytest.mark.parametrize("seed", [0, 1])
def test_a_greedy_bot_beats_a_random_one(seed: int):
    match, _ = played(2, seed, [greedy_bot, random_bot])
    assert match.result().winners == (0,)


@pytest.mark.full
def test_a_greedy_bot_beats_random_ones_wherever_it_sits():
    won = 0
    for seats in (2, 3, 4, 6):
        for seed in range(5):
            bots: list[Any] = [random_bot] * seats
            bots[seed % seats] = greedy_bot
            match, _ = played(seats, seed, bots)
            won += match.result().winners == (seed % seats,)
    assert won >= 18
