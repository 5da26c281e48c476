"""Whole matches of bots that tests look at, fold by fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Fact
from tests.support.hegemonic.positions import terms_of

DECISIONS_MAX: Final = 5_000


def play(
    seats: int, seed: int, bots: Sequence[Any], options: Mapping[str, Any] | None = None
) -> Iterator[tuple[Match, list[Fact]]]:
    """The match after each decision, with its facts; the bots sit in turn."""
    terms = terms_of(options)
    match, stream = terms.open_match(seats), Stream.named(bytes([seed]), "bots")
    yield match, begin(match)
    for _ in range(DECISIONS_MAX):
        if match.ended:
            return
        question = match.chance()
        if question is not None:
            wish, address = question.wish(match.state), question.address(match.state)
            yield match, fold(match, CHANCE, wish.answer(stream.take(32), 0, address))
            continue
        seat = match.asked()[0]
        bot, look = bots[seat % len(bots)], partial(match.view, seat)
        decision = bot(terms, look, match.options(seat), stream)
        yield match, fold(match, seat, decision)
    raise AssertionError("no end")
