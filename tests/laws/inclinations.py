"""What random play is inclined to: offers that no list could hold, and seldom a way back.

Drawn from all options alike, a match of Hegemonic has less than one conflict and no deal at all.
"""

from __future__ import annotations

from ledger.kernel.chance import Stream
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Question, Seat
from ledger.kernel.refusals import Refused
from ledger.rules.hegemonic.basic import BasicCollect, BasicDraw
from ledger.rules.hegemonic.building import FinishBuild
from ledger.rules.hegemonic.conflict import SkipConflict
from ledger.rules.hegemonic.deal import Payment, Promise, Terms
from ledger.rules.hegemonic.deals import Deals
from ledger.rules.hegemonic.leaders import Pass
from ledger.rules.hegemonic.moving import MoveUnit
from ledger.rules.hegemonic.offers import Propose, StateOutcome
from ledger.rules.hegemonic.reactions import Decline
from ledger.rules.hegemonic.resolving import EndTurn
from ledger.rules.hegemonic.support import DeclineSupport
from ledger.rules.hegemonic.transfers import Transfer
from ledger.rules.hegemonic.turn import CancelAction

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
