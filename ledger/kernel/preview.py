"""Trying a decision out: what would come of it, told as far as nobody learns anything by it.

    match ──copy──▶ fold ──▶ Tried(facts)   the seat may take all of it back at once
                         └─▶ Tried(None)    something is revealed, drawn, rolled or asked of others

Who tries is told no more than who decides so and takes it back at once, which is theirs to do; so
a trial is no way to peek. The price of a decision is told all the same: it is what moved before
anything was revealed. What would be refused is refused here, and for the same reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from .accounts import Transferred, holder
from .fold import fold
from .match import Match
from .records import Decision, Fact, Seat
from .refusals import Refused


class Tried(NamedTuple):
    """What came of a decision that was tried."""

    facts: tuple[Fact, ...] | None  # None: that is told when it is done
    first: tuple[Fact, ...] = ()  # what comes of it before anybody learns anything

    @property
    def told(self) -> bool:
        """Whether it may be told, and others tried after it."""
        return self.facts is not None


def copy_of(match: Match) -> Match:
    """The same position, to be tried on."""
    return match.terms.restore(match.terms.snapshot(match))


def try_out(copy: Match, seat: Seat, decision: Decision) -> Tried:
    """Change a copy by a decision; or refuse it, as the match itself would."""
    before = copy.question
    asked = copy.asked()
    facts = tuple(fold(copy, seat, decision))
    learned = copy.chance() is not None or any(fact.irrevocable for fact in facts)
    mine = copy.asked() == (seat,) and asked == (seat,)  # before and after it is one's own turn
    unchanged = copy.question is before  # it answered what stands open at any time
    first = tuple(takewhile(lambda fact: not fact.irrevocable, facts))
    if learned or copy.ended or not (mine or unchanged):
        return Tried(None, first)
    return Tried(facts, first)


def prices_of(
    match: Match, seat: Seat, decisions: Sequence[Decision]
) -> list[Mapping[str, int] | None]:
    """What each takes from a seat's accounts or brings there; None where it would be refused."""
    held = match.terms.snapshot(match)
    found: list[Mapping[str, int] | None] = []
    for decision in decisions:
        try:
            tried = try_out(match.terms.restore(held), seat, decision)
        except Refused:
            found.append(None)
            continue
        found.append(moves_of(tried.first, seat))
    return found


def moves_of(facts: Iterable[Fact], seat: Seat) -> Mapping[str, int]:
    """What came to a seat's accounts, less what left them, by currency."""
    moved: dict[str, int] = {}
    for fact in facts:
        if isinstance(fact, Transferred):
            gain = (holder(fact.target) == seat) - (holder(fact.source) == seat)
            moved[fact.currency] = moved.get(fact.currency, 0) + gain * fact.amount
    return {currency: amount for currency, amount in moved.items() if amount}
