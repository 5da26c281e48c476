"""The rules of a game let seats see some hidden things; these are no leaks.

Where an answer is shown whole its fact says so (`discloses`). Here is the rest: cards that are laid
open one by one, and hidden ones that are passed on or looked at.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import structs

from ledger.games.hegemonic.actions.piles import TopCardDrawn
from ledger.games.hegemonic.conflicts.committing import TechnologyRevealed, TopCardTurned
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.deals.transfers import CapsGiven
from ledger.games.hegemonic.leaders.minds import HandSeen
from ledger.games.hegemonic.setup.dealing import LastDiscarded, PacketsPassed, TilePooled
from ledger.kernel.records import Decision, Fact, Seat
from ledger.parts.deals.answers import StateOutcome

# Each lays something open for everybody: a card of a hand, a dealt tile, CAPs of a private deal.
SHOWING: Final = (CapsGiven, LastDiscarded, TechnologyRevealed, TilePooled, TopCardTurned)


def shows(facts: list[Fact], others: list[Fact]) -> bool:
    """Whether the two differ in what they lay open for everybody."""
    shown, shown_there = (
        [fact for fact in one if isinstance(fact, SHOWING)] for one in (facts, others)
    )
    return shown != shown_there


def shown_to(fact: Fact, owner: Seat, passed: int, seats: int) -> Collection[Seat]:
    """Returns the seats to which a fact shows what `owner` hid, after it was passed on so often."""
    if isinstance(fact, HandSeen) and fact.of == owner:
        return (fact.seat,)
    if isinstance(fact, TopCardDrawn):
        return (fact.seat,)
    return ((owner + passed) % seats,) if isinstance(fact, PacketsPassed) else ()


def passes(fact: Fact) -> bool:
    """Whether all hand on what they hold."""
    return isinstance(fact, PacketsPassed)


def other_words(decision: Decision) -> list[Decision]:
    """Returns other words for a private offer or statement."""
    if isinstance(decision, Propose) and decision.private is not None:
        terms = decision.private
        more = tuple(structs.replace(one, amount=one.amount + 1) for one in terms.payments)
        return [
            structs.replace(decision, private=structs.replace(terms, text="other words")),
            structs.replace(decision, private=structs.replace(terms, promises=(), payments=more)),
        ]
    if isinstance(decision, StateOutcome) and decision.private is not None:
        said = structs.replace(decision.private, kept=not decision.private.kept)
        return [structs.replace(decision, private=said)]
    return []
