"""Every match of tic-tac-toe there is, each position of it through a snapshot."""

from __future__ import annotations

from collections import Counter

import pytest

from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from tests.support.given import match_of
from tests.support.tictactoe.positions import NAME

pytestmark = pytest.mark.long


def count(match: Match, ends: Counter[str]) -> None:
    """Count how all matches end that go on from here."""
    if match.ended:
        winner = match.state.winner
        ends["drawn" if winner is None else "XO"[winner]] += 1
        return
    terms = match.terms
    seat = match.asked()[0]
    held = terms.snapshot(match)
    for option in match.options(seat):
        after = terms.restore(held)
        fold(after, seat, option)
        count(after, ends)


@pytest.mark.parametrize(
    ("first", "known"),
    [
        (4, {"X": 15_648, "O": 5_616, "drawn": 4_608}),
        pytest.param(None, {"X": 131_184, "O": 77_904, "drawn": 46_080}, marks=pytest.mark.full),
    ],
    ids=["after the centre is marked", "all"],
)
def test_all_matches_end_as_often_as_is_known(first: int | None, known: dict[str, int]):
    match = match_of(NAME)
    begin(match)
    if first is not None:
        fold(match, 0, match.options(0)[first])
    ends: Counter[str] = Counter()
    count(match, ends)
    assert ends == known
