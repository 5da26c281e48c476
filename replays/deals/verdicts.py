"""Promises: follows the deals of a match and judges if their promises were kept.

    history ─▶ walk (folded once) ─▶ Judge ─▶ deals, with a verdict on each promise

The code knows no game: the ruleset says which facts are about deals, and what a promise means. The
result is the same event by event or all at once, in a worker or on the command line. A rewind
restores the deals as they were; deals that it undid are still listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, cast

import msgspec

from ledger.kernel.audience import ALL_SEATS, Viewer, view
from ledger.kernel.match import Match
from ledger.kernel.pacts import (
    Agreed,
    Ended,
    Given,
    Offered,
    Pacts,
    PactStep,
    Paid,
    Pattern,
    Spoken,
)
from ledger.kernel.records import Fact, tag_of
from ledger.log.format.acts import Abandoned, Act, Ruled
from ledger.log.read.history import History, Moment
from replays.walk import Progress, walk

from .promise import (
    ABANDONED,
    ANNULLED,
    BROKEN,
    IN_WORDS,
    KEPT,
    OPEN,
    PERSON,
    UNDONE,
    VOID,
    Promised,
    PromiseProof,
    close_if_late,
    closing,
    open_promise,
    passed,
    weigh_fact,
)

PROPOSED: Final = "proposed"
ACCEPTED: Final = "accepted"
COUNTERED: Final = "countered"
ANNULLED_DEAL: Final = "annulled"

# The words of the story for each verdict.
SAID: Final[Mapping[str, str]] = {
    KEPT: "A promise is kept",
    BROKEN: "A promise is broken",
    VOID: "A promise is void",
    PERSON: "People have to judge a promise",
}

Change: TypeAlias = Callable[[Promised], Promised]


class JudgedStep(NamedTuple):
    n: int
    what: str
    seat: int | None = None


class JudgedDeal(NamedTuple):
    """A deal with its steps and the state of its promises."""

    offer: Offered
    proposed: int  # the event
    status: str
    steps: tuple[JudgedStep, ...]
    promises: tuple[Promised, ...]
    made: int = 0  # the event with which the last party agreed
    paid: tuple[tuple[int, Paid], ...] = ()
    spoken: tuple[tuple[int, Spoken], ...] = ()
    undone_by: int = 0  # the rewind that took it back

    @property
    def is_running(self) -> bool:
        """Tells if facts may still decide one of its promises."""
        return any(one.is_open for one in self.promises)

    def is_open_to(self, viewer: Viewer) -> bool:
        """Tells if a viewer may read its terms."""
        return not self.offer.private or viewer == ALL_SEATS or viewer in self.offer.parties

    def each(self, change: Change) -> JudgedDeal:
        """Returns the deal with a change applied to every promise."""
        return self._replace(promises=tuple(change(one) for one in self.promises))


class _Line(NamedTuple):
    """The immutable state of the deals on a line."""

    deals: Mapping[str, JudgedDeal]
    now: int  # the game's clock


NO_DEALS: Final = _Line({}, 0)


class NewVerdict(NamedTuple):
    """A verdict that is new with the last event."""

    deal: JudgedDeal
    promise: Promised

    def told(self, viewer: Viewer) -> str:
        """Describes the verdict to a viewer who may know it.

        Returns "" for others, and for a promise in words, which only people can judge.
        """
        one = self.promise
        if one.verdict is None or one.why == IN_WORDS or not self.deal.is_open_to(viewer):
            return ""
        return f"{SAID[one.verdict]}: {one.words} (deal {self.deal.offer.deal})."


class Judge:
    """Follows the deals of a match event by event; the log may still grow."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._pacts: Pacts | None = None  # of the game, once it has begun
        self._line = NO_DEALS
        self._held: dict[int, _Line] = {}  # after each event
        self._undone: dict[tuple[str, int], JudgedDeal] = {}
        self._chances: set[tuple[str, int]] = set()  # in the decision that comes next
        self._heard: tuple[Any, Mapping[str, Sequence[tuple[str, int]]]] = (None, {})
        self._idle = False  # no promise is open, and none was since
        self.news: list[NewVerdict] = []  # verdicts that came with the last event
        self.last = 0
        self.lost = 0  # the first event of which nothing can be known, or none

    @property
    def deals(self) -> tuple[JudgedDeal, ...]:
        """Returns all deals in the order of their offers, including undone ones."""
        here = {(name, deal.proposed) for name, deal in self._line.deals.items()}
        gone = [deal for key, deal in self._undone.items() if key not in here]
        deals = (*self._line.deals.values(), *gone)
        return tuple(sorted(deals, key=lambda deal: (deal.proposed, deal.offer.deal)))

    def before(self, version: int, match: Match) -> None:
        """Notes which promises the next decision could keep."""
        self._chances.clear()
        if self._idle:
            return
        seat = getattr(self._history.body(version), "seat", None)
        due = [
            (name, number, one)
            for name, deal in self._line.deals.items()
            for number, one in enumerate(deal.promises)
            if one.pledge.seat == seat and one.is_due and one.meaning and one.meaning.chances
        ]
        if not due or seat not in match.asked():
            return
        options = [msgspec.to_builtins(option) for option in match.options(seat)]
        for name, number, one in due:
            chances = one.meaning.chances if one.meaning else ()
            if any(chance.fits(option) for chance in chances for option in options):
                self._chances.add((name, number))

    def take(self, moment: Moment) -> None:
        """Takes an event. While no promise is open, only rewinds and facts about deals matter."""
        self.last = version = moment.version
        if self._idle and self._is_about_nothing(moment):
            self._held[version], self.news = self._line, []
            return
        if moment.parent != version - 1:
            self._go_back(moment.parent, version)
        known = self._line.deals
        if moment.lost:
            self.lost = self.lost or version
        elif moment.match is not None:
            self._pacts = moment.match.terms.rules.audit.pacts
            if self._pacts is not None:
                self._follow(moment, moment.match, self._pacts)
            act = self._history.act(version)
            if act is not None:
                self._heed(version, act)
        self._held[version] = self._line
        self.news = [] if self._line.deals is known else _news(known, self._line.deals)
        self._idle = not any(deal.is_running for deal in self._line.deals.values())

    def _is_about_nothing(self, moment: Moment) -> bool:
        """Tells if an event is the next decision of its line and says nothing about deals."""
        if moment.seat is None or moment.parent != moment.version - 1:
            return False
        pacts = self._pacts
        return pacts is None or not any(
            tag_of(fact) in pacts.reads or tag_of(fact) in pacts.clock for fact in moment.facts
        )

    def _go_back(self, parent: int, version: int) -> None:
        # A log that lies may go back to before its start, of which nothing was told.
        there = self._held.get(parent, NO_DEALS)
        for name, deal in self._line.deals.items():
            if name not in there.deals or there.deals[name].proposed != deal.proposed:
                gone = deal._replace(undone_by=version)
                if deal.made:
                    gone = gone.each(lambda one: one.settle(VOID, version, UNDONE))
                self._undone[name, deal.proposed] = gone
        self._line = there

    def _put(self, deal: JudgedDeal) -> None:
        self._line = self._line._replace(deals={**self._line.deals, deal.offer.deal: deal})

    # --- facts ---------------------------------------------------------------------------------

    def _follow(self, moment: Moment, match: Match, pacts: Pacts) -> None:
        proofs = [PromiseProof(moment.version, fact) for fact in moment.facts]
        for name, number in sorted(self._chances):
            self._change(name, number, lambda one: passed(one, proofs))
        self._chances.clear()
        for fact in moment.facts:
            self._fact(moment, fact, match, pacts)
        if match.ended:
            self._all(lambda one: closing(one, moment.version))

    def _fact(self, moment: Moment, fact: Fact, match: Match, pacts: Pacts) -> None:
        tag, proof = tag_of(fact), PromiseProof(moment.version, fact)
        heard = self._listening().get(tag, ())
        if heard:
            deals, seen = self._line.deals, cast("dict[str, Any]", view(fact, None))
            by, spent = moment.seat, dict[Pattern, int]()
            for name, number in heard:
                if deals[name].made != moment.version:  # what is paid with it keeps no promise
                    self._change(name, number, lambda one: weigh_fact(one, proof, seen, by, spent))
        if tag in pacts.clock:
            now = pacts.clock[tag](self._line.now, fact)
            self._line = self._line._replace(now=now)
            self._all(lambda one: close_if_late(one, now, proof))
        if tag in pacts.reads:
            for step in pacts.reads[tag](fact):
                self._step(moment.version, step, match, pacts)

    def _listening(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Returns the open promises by the types of facts that may matter to them.

        Within a deal, promises that are due first come first.
        """
        if self._heard[0] is not self._line.deals:
            found: dict[str, list[tuple[str, int]]] = {}
            for name, deal in self._line.deals.items():
                for number, one in sorted(enumerate(deal.promises), key=_when_due):
                    for tag in one.hears:
                        found.setdefault(tag, []).append((name, number))
            self._heard = self._line.deals, found
        return self._heard[1]

    def _change(self, name: str, number: int, change: Change) -> None:
        deal = self._line.deals[name]
        before = deal.promises[number]
        after = change(before)
        if after is not before:
            promises = (*deal.promises[:number], after, *deal.promises[number + 1 :])
            self._put(deal._replace(promises=promises))

    def _all(self, change: Change) -> None:
        for name, deal in self._line.deals.items():
            if deal.is_running:
                for number in range(len(deal.promises)):
                    self._change(name, number, change)

    # --- steps of deals ------------------------------------------------------------------------

    def _step(self, version: int, step: PactStep, match: Match, pacts: Pacts) -> None:
        deals = self._line.deals
        match step:
            case Offered():
                self._offer(version, step, match, pacts)
            case Agreed(deal=name, seat=seat, made=made):
                deal = _with(deals[name], JudgedStep(version, ACCEPTED, seat))
                self._put(self._make(deal, version, match, pacts) if made else deal)
            case Ended(deal=name, what=what, seat=seat):
                self._put(_with(deals[name], JudgedStep(version, what, seat))._replace(status=what))
            case Given(deal=name, paid=paid):
                deal = _with(deals[name], JudgedStep(version, "paid", paid.seat))
                self._put(deal._replace(paid=(*deal.paid, (version, paid))))
            case Spoken(deal=name, seat=seat):
                deal = _with(deals[name], JudgedStep(version, "spoken of", seat))
                self._put(deal._replace(spoken=(*deal.spoken, (version, step))))

    def _offer(self, version: int, offer: Offered, match: Match, pacts: Pacts) -> None:
        deals, called = self._line.deals, match.called()
        if offer.counters:
            countered = _with(deals[offer.counters], JudgedStep(version, COUNTERED, offer.seat))
            self._put(countered._replace(status=COUNTERED))
        promises = tuple(
            Promised(
                pledge,
                pacts.words(pledge.record, called),
                pacts.meaning(match.state, offer.deal, pledge.record),
            )
            for pledge in offer.pledges
        )
        steps = (JudgedStep(version, PROPOSED, offer.seat),)
        self._put(JudgedDeal(offer, version, PROPOSED, steps, promises))

    def _make(self, deal: JudgedDeal, version: int, match: Match, pacts: Pacts) -> JudgedDeal:
        """Makes a deal. The meaning of a promise depends on the position at that moment."""
        now, name = self._line.now, deal.offer.deal
        made = _with(deal, JudgedStep(version, "made"))._replace(made=version)
        made = made.each(
            lambda one: open_promise(
                one, pacts.meaning(match.state, name, one.pledge.record), version, now
            )
        )
        if deal.status == ANNULLED_DEAL:  # as an offer: whoever accepts it binds nobody
            return made.each(lambda one: one.settle(VOID, version, ANNULLED))
        return made._replace(status=ACCEPTED)

    # --- acts ----------------------------------------------------------------------------------

    def _heed(self, version: int, act: Act) -> None:
        if isinstance(act, Abandoned):
            self._all(lambda one: one.settle(VOID, version, ABANDONED) if one.is_open else one)
        if not isinstance(act, Ruled) or act.remedy is None or act.remedy.kind != "annul-deal":
            return
        deal = self._line.deals.get(act.remedy.text.strip())
        if deal is not None:
            annulled = _with(deal, JudgedStep(version, ANNULLED_DEAL))._replace(
                status=ANNULLED_DEAL
            )
            if deal.made:
                annulled = annulled.each(lambda one: one.settle(VOID, version, ANNULLED))
            self._put(annulled)


def judge_deals(history: History, progress: Progress | None = None) -> Judge:
    """Judges all deals of a match up to its newest event."""
    judge = Judge(history)
    for moment in walk(history, judge.before, progress):
        judge.take(moment)
    return judge


def _when_due(promise: tuple[int, Promised]) -> tuple[bool, int]:
    meaning = promise[1].meaning
    until = None if meaning is None else meaning.window.until
    return until is None, until or 0


def _with(deal: JudgedDeal, step: JudgedStep) -> JudgedDeal:
    return deal._replace(steps=(*deal.steps, step))


def _news(before: Mapping[str, JudgedDeal], after: Mapping[str, JudgedDeal]) -> list[NewVerdict]:
    found = []
    for name, deal in after.items():
        known = before.get(name)
        if known is deal:
            continue
        for number, one in enumerate(deal.promises):
            was = None if known is None else known.promises[number].verdict
            if one.verdict not in (was, OPEN):
                found.append(NewVerdict(deal, one))
    return found
