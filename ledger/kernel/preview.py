"""Preview: tries a decision on a copy, and shows its facts unless they would reveal something.

    match ──copy──▶ fold ──▶ Tried(facts)   the seat may take all of it back at once
                         └─▶ Tried(None)    something is revealed, drawn, rolled or asked of others

A preview shows no more than the seat would learn by deciding and taking it back at once.
Any seat may do that, so a preview is no way to peek. The price of a decision is always
shown: the transfers before anything is revealed. A preview refuses what the match would
refuse, for the same reason.
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
    """The outcome of a preview."""

    facts: tuple[Fact, ...] | None  # None: that is told when it is done
    first: tuple[Fact, ...] = ()  # what comes of it before anybody learns anything

    @property
    def told(self) -> bool:
        """Returns whether its facts may be shown and the preview continued."""
        return self.facts is not None


def copy_of(match: Match) -> Match:
    """Returns a copy of the position to try decisions on."""
    return match.terms.restore(match.terms.snapshot(match))


def try_out(copy: Match, seat: Seat, decision: Decision) -> Tried:
    """Applies a decision to a copy, or refuses it as the match itself would."""
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
    """Returns each decision's change to a seat's accounts; None where it would be refused."""
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
    """Returns the net amount that facts move to a seat's accounts, by currency."""
    moved: dict[str, int] = {}
    for fact in facts:
        if isinstance(fact, Transferred):
            gain = (holder(fact.target) == seat) - (holder(fact.source) == seat)
            moved[fact.currency] = moved.get(fact.currency, 0) + gain * fact.amount
    return {currency: amount for currency, amount in moved.items() if amount}
