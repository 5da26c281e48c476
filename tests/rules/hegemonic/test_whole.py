"""What holds in any play of Hegemonic as far as it is written: facts alone, bytes, counts."""

from __future__ import annotations

import msgspec
import pytest

from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.records import CHANCE
from ledger.rules.hegemonic import RULES
from tests.rules.hegemonic.positions import terms_of

PLAYS = [
    (2, {}), (3, {"opt.long": True}), (3, {"learning": True}), (4, {"opt.draft": True}),
    (5, {"layout": "free", "opt.piles": True}), (6, {}),
]  # fmt: skip


@pytest.mark.rule("general.chance", "general.piece-limits")
@pytest.mark.parametrize(("seats", "options"), PLAYS)
def test_facts_alone_change_the_table_and_nothing_is_lost(seats: int, options):
    terms = terms_of(options=options)
    match, table = terms.open_match(seats), terms.open_match(seats).state
    stream = Stream.named(bytes([seats]), "whole")
    facts = begin(match)
    while match.state.phase < 5:
        for fact in facts:
            fact.apply(table)
        assert table == match.state
        assert msgspec.msgpack.encode(table) == msgspec.msgpack.encode(match.state)
        assert set(RULES.conserved(match.state).values()) == {0}
        assert match.state.accounts.out_of_balance() == {}
        held = terms.snapshot(match)
        match = terms.restore(held, match.used)
        assert terms.snapshot(match) == held
        question = match.chance()
        if question is not None:
            wish = question.wish(match.state)
            seat = CHANCE
            decision = wish.answer(stream.take(32), 0, question.address(match.state))
        else:
            seat = stream.choose(match.asked())
            decision = stream.choose(match.options(seat))
        facts = fold(match, seat, decision)
