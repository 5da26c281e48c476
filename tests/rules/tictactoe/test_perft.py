"""Every match of tic-tac-toe there is, each position of it through a snapshot."""

from __future__ import annotations

from collections import Counter

from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from tests.given import match_of
from tests.rules.tictactoe.positions import NAME


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


def test_all_matches_end_as_often_as_is_known():
    match = match_of(NAME)
    begin(match)
    ends: Counter[str] = Counter()
    count(match, ends)
    assert ends == {"X": 131_184, "O": 77_904, "drawn": 46_080}
    assert ends.total() == 255_168
