"""Whole matches with leaders, played at random: they end, and nothing is lost or asked twice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.leaders.activation import Activate, ActivateLeader
from ledger.games.hegemonic.setup.sequence import ChooseLeader
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision
from tests.support.hegemonic.positions import terms_of

DECISIONS_MAX = 4_000
ALL = tuple(f"LD{number:02}" for number in range(1, 13))
MATCHES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (ALL[:6], {}),
    (ALL[6:], {"opt.draft": True}),
    (ALL[3:5], {"learning": True}),
    (("LD10", "LD11", "LD12"), {"opt.piles": True, "opt.long": True}),
]


def unasked(match: Match, stream: Stream, seats: int) -> tuple[int, Any, Decision] | None:
    """Now and then somebody uses its leader without being asked."""
    if stream.below(12) or not match.state.phase:
        return None
    seat = stream.below(seats)
    for question in match.standing(seat):
        ways = list(question.options(match.state, seat))
        if isinstance(question, ActivateLeader) and ways:
            return seat, question, stream.choose(ways)
    return None


def asked(match: Match, stream: Stream, leaders: tuple[str, ...]) -> tuple[int, Any, Decision]:
    """Returns an answer; each kind of answer is equally likely."""
    seat = stream.choose(match.asked())
    kinds: dict[str, list[Decision]] = {}
    for option in match.options(seat):
        if isinstance(option, ChooseLeader) and option.leader != leaders[seat]:
            continue
        kinds.setdefault(type(option).__name__, []).append(option)
    assert kinds, f"{match.question} has no answer"
    return seat, match.question, stream.choose(kinds[stream.choose(sorted(kinds))])


@pytest.mark.rule("leader.anytime", "leader.reset", "general.chance", "general.piece-limits")
@pytest.mark.parametrize(("leaders", "options"), MATCHES)
def test_matches_with_leaders_end_and_facts_alone_change_the_table(leaders, options):
    seats = len(leaders)
    terms = terms_of(options={"opt.leaders": "chosen", **options})
    match, table = terms.open_match(seats), terms.open_match(seats).state
    stream = Stream.named(bytes([seats]), "leaders")
    facts, keys, used = begin(match), set(), Counter[str]()
    for _ in range(DECISIONS_MAX):
        for fact in facts:
            fact.apply(table)
        assert table == match.state
        assert set(RULES.audit.conserved(match.state).values()) == {0}
        assert all(not one.leading for one in match.state.houses) or not match.ended
        if match.ended:
            break
        question = match.chance()
        if question is not None:
            wish = question.wish(match.state)
            address = question.address(match.state)
            facts = fold(match, CHANCE, wish.answer(stream.take(32), 0, address))
            continue
        seat, answered, decision = unasked(match, stream, seats) or asked(match, stream, leaders)
        key = (seat, answered.key(match.state, seat))
        assert key not in keys, f"asked twice: {key}"
        keys.add(key)
        if isinstance(decision, Activate):
            used[match.state.houses[seat].leader] += 1
        facts = fold(match, seat, decision)
    assert match.ended
    assert used
    assert {one.leader for one in match.state.houses} == set(leaders)
    held = terms.snapshot(match)
    assert terms.snapshot(terms.restore(held, match.used)) == held
