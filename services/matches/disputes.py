"""Disputes: what the table's book says of them and what the log says, brought together.

Words go into the book first and the act into the log after it: a claim that the log does not know
of has never been filed. A ruling and what it orders go into the log in one.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from ledger.club import claims
from ledger.club.claims import Claim, ClaimFiled, RulingRested, State
from ledger.club.table import Table, TableEntry
from ledger.club.talk import TALK
from ledger.kernel.audience import Viewer, view
from ledger.kernel.records import Decision, Seat, tag_of
from ledger.kernel.refusals import Refused
from ledger.kernel.story import ConflictBegun, ConflictEnded, ConflictStep
from ledger.log.format.acts import Disputed, Paused, Remedy, Ruled
from ledger.log.format.bodies import ActBody, Submitter
from ledger.log.read.history import History
from ledger.log.write.lifecycle import check_started, refused
from replays.deals.verdicts import Deal
from replays.story.rulebook import cited_rules

from .tables import Opened, until_first

SALT_TAG: Final = b"hegemon/claim/1"


class Ruling(NamedTuple):
    """A ruling in the log."""

    version: int
    at: int
    by: str  # a person
    act: Ruled


class Dispute(NamedTuple):
    """A dispute in the log, with its rulings, and what the book has of it."""

    version: int
    at: int
    act: Disputed
    rulings: tuple[Ruling, ...]
    claim: Claim | None  # none of one that was filed where there is no book

    @property
    def name(self) -> str:
        """Its name."""
        return self.act.dispute

    def state(self, *, appealable: bool) -> State:
        """How far it has come."""
        if self.claim is not None:
            return self.claim.state(len(self.rulings), appealable=appealable)
        return "final" if self.rulings else "open"


def disputes_in(history: History, table: Table, last: int | None = None) -> list[Dispute]:
    """The disputes that have been filed up to an event, in their order."""
    found: dict[str, Dispute] = {}
    for version in range(1, (history.tip.version if last is None else last) + 1):
        body = history.body(version)
        act = body.act if isinstance(body, ActBody) else None
        if isinstance(act, Disputed):
            claim = table.claims.get(act.dispute)
            found.setdefault(act.dispute, Dispute(version, body.at, act, (), claim))
        elif isinstance(act, Ruled) and act.dispute in found:
            one = found[act.dispute]
            ruling = Ruling(version, body.at, body.by.name, act)
            found[act.dispute] = one._replace(rulings=(*one.rulings, ruling))
    return list(found.values())


def dispute_of(history: History, table: Table, name: str, last: int | None = None) -> Dispute:
    """A dispute by its name."""
    for one in disputes_in(history, table, last):
        if one.name == name:
            return one
    raise refused("no_such_dispute", {"dispute": name[:80]})


# --- filing ---------------------------------------------------------------------------------------


class Subject(NamedTuple):
    """What somebody claims something about, as they say it."""

    words: str
    first: int | None = None
    last: int | None = None
    deal: str = ""
    conflict: int = 0
    parties: tuple[Seat, ...] = ()


def file_claim(
    opened: Opened, subject: Subject, by: Submitter, viewer: Viewer, known: int
) -> Dispute:
    """File a dispute about what its filer may know of: events up to `known`."""
    history, journal = opened.history, opened.journal
    if not history.life.started:
        raise refused("not_started")
    first, last, seats = range_of(opened, subject, viewer, known)
    parties = subject.parties or seats or tuple(range(history.created.seats))
    seat = by.seat
    ruled = {one.name for one in disputes_in(history, opened.table) if one.rulings}

    def follows(table: Table) -> list[TableEntry]:
        in_log = history.life.disputes
        mine = [one for one in table.claims.values() if one.dispute in in_log]
        claims.check_room(mine, ruled, seat)
        name = claims.next_name(table.claims, in_log)
        return [
            ClaimFiled(
                dispute=name,
                seat=seat,
                words=subject.words,
                first=first,
                last=last,
                parties=tuple(sorted(set(parties))),
                deal=subject.deal,
                conflict=subject.conflict,
                talk=opened.store.tip(opened.match + TALK).version,
                salt=hmac.digest(
                    journal.secrets.salt_key, SALT_TAG + f"{opened.match}/{name}".encode(), "sha256"
                ),
            )
        ]

    [filed] = opened.book.write(by.name, follows)
    assert isinstance(filed, ClaimFiled), "it is what follows"
    act = Disputed(dispute=filed.dispute, first=first, last=last, dossier=claims.words_hash(filed))
    until_first(lambda: journal.record(act, by))
    return dispute_of(opened.history, opened.book.read(), filed.dispute)


def range_of(
    opened: Opened, subject: Subject, viewer: Viewer, known: int
) -> tuple[int, int, tuple[Seat, ...]]:
    """The events that a claim is about, and the seats that they concern."""
    first, last = subject.first, subject.last
    seats: tuple[Seat, ...] = ()
    if subject.deal:
        deal = _deal(opened, subject.deal, known)
        seats = deal.offer.parties
        first = deal.proposed if first is None else first
        last = _last_of(deal, known) if last is None else last
    elif subject.conflict:
        begun, ended = _conflict(opened, subject.conflict, viewer, known)
        first, last = begun if first is None else first, ended if last is None else last
    if first is None:
        first = known if last is None else last
    last = first if last is None else last
    if not 1 <= first <= last <= known:
        raise refused("no_such_event", {"from": first, "to": last, "first": 1, "last": known})
    return first, last, seats


def _deal(opened: Opened, name: str, known: int) -> Deal:
    opened.chronicle.came(known)
    for deal in opened.chronicle.deals:
        if deal.offer.deal == name and deal.proposed <= known:
            return deal
    raise claims.refused("no_such_deal", {"deal": name[:80]})


def _last_of(deal: Deal, known: int) -> int:
    """The last event that has a part in a deal, of those that everybody sees."""
    return max(n for n in (deal.proposed, *(step.n for step in deal.steps)) if n <= known)


def _conflict(opened: Opened, begun: int, viewer: Viewer, known: int) -> tuple[int, int]:
    """Where a conflict begins and ends, as a viewer is told."""
    running: ConflictBegun | None = None
    for version in range(begun, known + 1):
        for step in _steps(opened, version, viewer, running):
            if running is None and isinstance(step, ConflictBegun):
                running = step
            elif running is not None and isinstance(step, ConflictEnded):
                return begun, version
        if running is None:
            raise claims.refused("no_such_conflict", {"conflict": begun})
    if running is None:
        raise claims.refused("no_such_conflict", {"conflict": begun})
    return begun, known


def _steps(
    opened: Opened, version: int, viewer: Viewer, running: ConflictBegun | None
) -> Iterator[ConflictStep]:
    came = opened.chronicle.came(version)
    if came.terms is None:
        return
    fought = came.terms.rules.retelling.conflicts
    for fact in came.facts:
        tag = tag_of(fact)
        if tag in fought:
            shown: dict[str, Any] = view(fact, viewer)
            named = {**shown, "called": came.called} if came.called else shown
            yield from fought[tag](named, came.terms.silent, running)


# --- ruling ---------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """What an organizer has come to."""

    act: Ruled
    seat: Seat | None = None  # who pays, where the remedy is that somebody does
    to: Seat | None = None
    amount: int = 0
    dossier: str = ""  # the name of the one that it rests on
    goes_on: bool = True  # what was paused for the dispute goes on


def rule_on(opened: Opened, verdict: Verdict, by: Submitter) -> Dispute:
    """Rule, and carry out what the ruling orders."""
    act = verdict.act
    check_rules(opened.history, act.rules)
    decided = None
    if act.remedy is not None and act.remedy.kind == "annul-deal":
        _deal(opened, act.remedy.text, opened.history.tip.version)
    if act.remedy is not None and act.remedy.kind == "decision":
        decided = payment(opened.history, verdict)
    # In a pause nobody pays; where another dispute stops the match, it stops again at once.
    others, resumes = stopped_by(opened, act.dispute), ""
    if verdict.goes_on and (decided is not None or not others) and paused_for(opened, act.dispute):
        resumes = f"dispute {act.dispute} has been ruled on"

    def carry_out() -> None:
        last = opened.history.tip.version
        check_waits(opened, act.dispute)
        opened.journal.rule(act, by, decided=decided, resumes=resumes, at=last)

    until_first(carry_out)
    if resumes and others:
        pause_for(opened, others[0], by)
    found = dispute_of(opened.history, opened.table, act.dispute)
    if verdict.dossier:
        rested = RulingRested(
            dispute=act.dispute, version=found.rulings[-1].version, dossier=verdict.dossier
        )
        opened.book.write(by.name, lambda _: [rested])
    return dispute_of(opened.history, opened.book.read(), act.dispute)


def check_waits(opened: Opened, name: str) -> None:
    """Refuse a second ruling that nobody has appealed for, and a third."""
    dispute = dispute_of(opened.history, opened.table, name)
    if not _waits(dispute):
        state = dispute.state(appealable=True)
        raise claims.refused("dispute_over", {"dispute": name, "state": state})


def check_rules(history: History, cited: Sequence[str]) -> None:
    """Refuse rules that the game does not have."""
    if unknown := sorted(set(cited) - cited_rules(history.rules).keys()):
        raise Refused("unknown_rule", "", "The ruleset has no such rule.", {"rules": unknown[:10]})


def payment(history: History, verdict: Verdict) -> tuple[Seat, Decision]:
    """What is decided in the place of a seat that has to pay."""
    check_started(history)
    pacts, seats = history.rules.pacts, range(history.created.seats)
    if pacts is None or pacts.pays is None:
        raise claims.refused("no_transfers", {"ruleset": history.rules.name})
    seat, to = verdict.seat, verdict.to
    if seat is None or to is None or seat not in seats or to not in seats:
        evidence = {"seat": seat, "to": to, "seats": len(seats)}
        raise Refused("no_such_seat", "", "The match has no such seat.", evidence)
    return seat, pacts.pays(to, verdict.amount)


def transfer(seat: Seat, to: Seat, amount: int) -> Remedy:
    """The remedy that somebody pays; the event that does it follows the ruling."""
    return Remedy(kind="decision", text=f"seat {seat} pays seat {to} {amount}")


def stopped_by(opened: Opened, name: str) -> list[str]:
    """The other disputes for which a match stands still: all that wait, if any stops its table."""
    if not _stops(opened.table):
        return []
    every = disputes_in(opened.history, opened.table)
    return [one.name for one in every if one.name != name and _waits(one)]


def paused_for(opened: Opened, name: str) -> bool:
    """Whether a match is paused because of a dispute: this one, if not any stops its table."""
    history = opened.history
    if not history.life.paused:
        return False
    acts = (history.act(version) for version in range(history.tip.version, 0, -1))
    reason = next((act.reason for act in acts if isinstance(act, Paused)), "")
    names = history.life.disputes if _stops(opened.table) else (name,)
    return reason in [pause_reason(one) for one in names]


def _stops(table: Table) -> bool:
    return table.laid is not None and table.laid.pauses


def _waits(dispute: Dispute) -> bool:
    return dispute.state(appealable=True) in ("open", "appealed")


def pause_reason(dispute: str) -> str:
    """What the log says where a match is paused because of a dispute."""
    return f"dispute {dispute} waits for its ruling"


def pause_for(opened: Opened, dispute: str, by: Submitter) -> None:
    """Stop the clocks until somebody has ruled, if they run."""
    life = opened.history.life
    if not (life.paused or life.over):
        until_first(lambda: opened.journal.pause(by, pause_reason(dispute)))


# --- in the book ----------------------------------------------------------------------------------


def write_to(
    opened: Opened, name: str, by: str, follows: Callable[[Claim], Sequence[TableEntry]]
) -> Dispute:
    """Add to a dispute what follows from how it stands in the book."""
    claim_of(dispute_of(opened.history, opened.table, name))

    def entries(table: Table) -> Sequence[TableEntry]:
        return follows(table.claims[name])

    opened.book.write(by, entries)
    return dispute_of(opened.history, opened.book.read(), name)


def claim_of(dispute: Dispute) -> Claim:
    """What the book has of a dispute; refused where that is nothing."""
    if dispute.claim is None:
        raise refused("no_such_dispute", {"dispute": dispute.name})
    return dispute.claim
