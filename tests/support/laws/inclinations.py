"""Random play makes offers that no list could hold, and seldom goes back.

Drawn from all options alike, a match of Hegemonic has less than one conflict and no deal at all.
"""

from __future__ import annotations

from ledger.games.hegemonic.actions.basic import BasicCollect, BasicDraw
from ledger.games.hegemonic.actions.building import FinishBuild
from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import CancelAction
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.reactions import Decline
from ledger.games.hegemonic.conflicts.sequence import SkipConflict
from ledger.games.hegemonic.conflicts.support import DeclineSupport
from ledger.games.hegemonic.deals.agreement import Promise, Terms
from ledger.games.hegemonic.deals.negotiation import Deals, Propose
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.leaders.activation import Pass
from ledger.kernel.chance import Stream
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Question, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.deals.agreement import Payment
from ledger.parts.deals.answers import StateOutcome

# Chosen three times in four only where nothing else is offered.
TIMID: frozenset[type[Decision]] = frozenset({
    BasicCollect, BasicDraw, CancelAction, Decline, DeclineSupport, EndTurn, FinishBuild, MoveUnit,
    Pass, SkipConflict, StateOutcome, Transfer,
})  # fmt: skip


def unlisted(
    match: Match, question: Question, seat: Seat, seats: int, stream: Stream
) -> list[Decision]:
    """Decisions that the question allows and cannot list: offers of deals."""
    if not isinstance(question, Deals):
        return []
    made = offer(seat, seats, match.state.round, stream)
    try:
        return [made] if question.allows(match.state, seat, made) else []
    except Refused:
        return []


def offer(seat: Seat, seats: int, round_: int, stream: Stream) -> Propose:
    """CAPs now for a promise, to one or two others; for them alone to read, or for all."""
    others = [other for other in range(seats) if other != seat]
    first = stream.choose(others)
    rest = [other for other in others if other != first and not stream.below(4)]
    given = Payment(seat=seat, to=first, amount=1 + stream.below(4))
    terms = Terms(
        text=f"word {stream.below(1000)}",
        payments=(given,) if stream.below(2) else (),
        promises=(Promise(seat=first, to=seat, what="pay", amount=1 + stream.below(3)),),
    )
    expires = (round_ + stream.below(2), 1 + stream.below(6)) if stream.below(2) else None
    parties = (seat, first, *rest[:1])
    if stream.below(3):
        return Propose(parties, private=terms, expires=expires)
    return Propose(parties, terms, expires=expires)
