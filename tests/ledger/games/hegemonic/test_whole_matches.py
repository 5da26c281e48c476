"""Matches from the setup to the winner: facts alone, bytes, counts, and what is said at the end."""

from __future__ import annotations

import msgspec
import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.rounds.ending import EndKnown, WinnersDeclared
from ledger.kernel.match import Match
from tests.support.hegemonic.positions import terms_of
from tests.support.laws.play import Party, played

PLAYS = [
    (2, {}), (3, {"opt.long": True}), (3, {"learning": True}), (4, {"opt.draft": True}),
    (4, {"opt.leaders": "dealt", "opt.wild": True}), (5, {"layout": "free", "opt.piles": True}),
    (6, {}),
]  # fmt: skip
THROUGH_BYTES = 7  # one in so many events


@pytest.mark.rule("general.chance", "general.piece-limits", "end.winner")
@pytest.mark.parametrize(("seats", "options"), PLAYS)
def test_facts_alone_change_the_table_and_nothing_is_lost(seats: int, options):
    party = Party(terms_of(options=options), seats)
    table, told = party.terms.open_match(seats).state, []
    for number, (match, event) in enumerate(played(party, seats)):
        for fact in event.facts:
            fact.apply(table)
        told += event.facts
        assert table == match.state
        assert set(RULES.audit.conserved(match.state).values()) == {0}
        assert match.state.accounts.out_of_balance() == {}
        if number % THROUGH_BYTES == 0 or match.ended:
            assert msgspec.msgpack.encode(table) == msgspec.msgpack.encode(match.state)
            held = party.terms.snapshot(match)
            assert party.terms.snapshot(party.terms.restore(held, match.used)) == held
    assert match.ended
    assert_told(match, told)


def assert_told(match: Match, told: list[object]) -> None:
    """The end was known before it came, and who has most points has won."""
    known = [fact for fact in told if isinstance(fact, EndKnown)]
    declared = [fact for fact in told if isinstance(fact, WinnersDeclared)]
    assert len(known) == len(declared) == 1
    assert match.state.last_round == match.state.round
    result = match.result()
    assert result.scores == tuple(house.score for house in match.state.houses)
    best = {seat for seat, score in enumerate(result.scores) if score == max(result.scores)}
    assert set(result.winners) <= best
    assert result.winners
