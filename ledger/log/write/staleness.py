"""Independence: which events may come between composing a decision and receiving it.

A player composes a decision after looking at a version. If the match has gone on since, the
decision is accepted only if no new event could matter to it, by the rules' own declaration:

- acts that leave the position unchanged: pauses, seats given, disputes, rulings without a remedy;
- the other seats' sealed answers to the same question;
- decisions that disturb no other seat, such as offers, or only those whose accounts they change.

The seat must see everything else before it decides, dice and cards above all.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.kernel.accounts import Transferred, holder
from ledger.kernel.records import CHANCE, Disturbs, Seat
from ledger.log.format.acts import Disputed, Paused, Resumed, Ruled, SeatGiven
from ledger.log.format.bodies import ActBody, SealedBody
from ledger.log.read.history import History, Moment

from .lifecycle import make_refusal

_HARMLESS: Final = (Disputed, Paused, Resumed, SeatGiven)


class Composed(NamedTuple):
    """The question that a decision was composed for, and the version that its player saw."""

    at: int | None = None
    question: str | None = None

    def check(self, history: History, seat: Seat) -> None:
        """Refuses a decision if an event since its version may matter to it."""
        version = history.tip.version
        if self.at is None or self.at == version:
            return
        if not history.life.started <= self.at < version:
            raise make_refusal("no_such_event", {"at": self.at, "last": version})
        if because := disturbing(history, self.at, seat, self.question):
            evidence = {"composed_at": self.at, "version": version, "because": because}
            raise make_refusal("stale", evidence)


ANYTIME: Final = Composed()  # whatever has happened since


def disturbing(history: History, since: int, seat: Seat, question: str | None) -> int:
    """Returns the first event after `since` that the seat's decision may depend on, or 0."""
    if since not in history.lines.line(history.tip.version):
        return since + 1  # what was looked at has been undone
    for moment in history.replay_after(since):
        if not _is_independent(moment, seat, question):
            return moment.version
    return 0


def _is_independent(moment: Moment, seat: Seat, question: str | None) -> bool:
    body, decision = moment.body, moment.decision
    if isinstance(body, ActBody):
        act = body.act
        return isinstance(act, _HARMLESS) or (isinstance(act, Ruled) and act.remedy is None)
    if body.seat in (CHANCE, seat):
        return False
    if isinstance(body, SealedBody):
        return body.question == question
    assert decision is not None, "an answer was folded"
    if decision.disturbs is Disturbs.TOUCHED:
        touched = {
            holder(account)
            for fact in moment.facts
            if isinstance(fact, Transferred)
            for account in (fact.source, fact.target)
        }
        return seat not in touched
    return decision.disturbs is Disturbs.NOBODY
