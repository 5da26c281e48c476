"""Disputes: joins the table's book and the match's log.

The claim's words go into the book first, then the act into the log. A claim that the log
does not have was never filed. A ruling and what it orders go into the log together.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from ledger.club import claims
from ledger.club.claims import Claim, ClaimFiled, RulingRested, State
from ledger.club.table import MatchTable, TableEntry
from ledger.club.talk import TALK
from ledger.kernel.audience import Viewer, view
from ledger.kernel.records import Decision, Seat, tag_of
from ledger.kernel.refusals import Refused
from ledger.kernel.story import ConflictBegun, ConflictEnded, ConflictStep
from ledger.log.format.acts import Disputed, Paused, Remedy, Ruled
from ledger.log.format.bodies import ActBody, Submitter
from ledger.log.read.history import History
from ledger.log.write.lifecycle import check_started, make_refusal
from replays.deals.verdicts import JudgedDeal
from replays.story.rulebook import list_cited_rules

from .cache import OpenMatch, until_first

SALT_TAG: Final = b"hegemon/claim/1"


class Ruling(NamedTuple):
    version: int
    at: int
    by: str  # a person
    act: Ruled


class Dispute(NamedTuple):
    """A dispute in the log, with its rulings and its claim in the book."""

    version: int
    at: int
    act: Disputed
    rulings: tuple[Ruling, ...]
    claim: Claim | None  # none of one that was filed where there is no book

    @property
    def name(self) -> str:
        return self.act.dispute

    def state(self, *, appealable: bool) -> State:
        """Returns the claim's state, or the state by the rulings if there is no claim."""
        if self.claim is not None:
            return self.claim.state(len(self.rulings), appealable=appealable)
        return "final" if self.rulings else "open"


def disputes_in(history: History, table: MatchTable, last: int | None = None) -> list[Dispute]:
    """Returns the disputes filed up to an event, in order."""
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


def dispute_of(history: History, table: MatchTable, name: str, last: int | None = None) -> Dispute:
    for one in disputes_in(history, table, last):
        if one.name == name:
            return one
    raise make_refusal("no_such_dispute", {"dispute": name[:80]})


# --- filing ---------------------------------------------------------------------------------------


class Subject(NamedTuple):
    """The subject of a claim, as its filer states it."""

    words: str
    first: int | None = None
    last: int | None = None
    deal: str = ""
    conflict: int = 0
    parties: tuple[Seat, ...] = ()


def file_claim(
    opened: OpenMatch, subject: Subject, by: Submitter, viewer: Viewer, known: int
) -> Dispute:
    """Files a dispute about events that its filer may know of: those up to `known`."""
    history, journal = opened.history, opened.journal
    if not history.life.started:
        raise make_refusal("not_started")
    first, last, seats = range_of(opened, subject, viewer, known)
    parties = subject.parties or seats or tuple(range(history.created.seats))
    seat = by.seat
    ruled = {one.name for one in disputes_in(history, opened.table) if one.rulings}

    def follows(table: MatchTable) -> list[TableEntry]:
        in_log = history.life.disputes
        mine = [one for one in table.claims.values() if one.dispute in in_log]
        claims.check_room(mine, ruled, seat)
        name = claims.next_name(table.claims, in_log)
        about = SALT_TAG + f"{opened.match}/{name}".encode()
        filed = ClaimFiled(
            dispute=name,
            seat=seat,
            words=subject.words,
            first=first,
            last=last,
            parties=tuple(sorted(set(parties))),
            deal=subject.deal,
            conflict=subject.conflict,
            talk=opened.store.tip(opened.match + TALK).version,
            salt=hmac.digest(journal.secrets.salt_key, about, "sha256"),
        )
        return [filed]

    [filed] = opened.book.write(by.name, follows)
    assert isinstance(filed, ClaimFiled), "it is what follows"
    act = Disputed(dispute=filed.dispute, first=first, last=last, dossier=claims.words_hash(filed))
    until_first(lambda: journal.record(act, by))
    return dispute_of(opened.history, opened.book.read(), filed.dispute)


def range_of(
    opened: OpenMatch, subject: Subject, viewer: Viewer, known: int
) -> tuple[int, int, tuple[Seat, ...]]:
    """Returns the first and last event that a claim is about, and the seats concerned."""
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
        raise make_refusal("no_such_event", {"from": first, "to": last, "first": 1, "last": known})
    return first, last, seats


def _deal(opened: OpenMatch, name: str, known: int) -> JudgedDeal:
    opened.story.came(known)
    for deal in opened.story.deals:
        if deal.offer.deal == name and deal.proposed <= known:
            return deal
    raise claims.make_refusal("no_such_deal", {"deal": name[:80]})


def _last_of(deal: JudgedDeal, known: int) -> int:
    """Returns a deal's last event among those that everybody sees."""
    return max(n for n in (deal.proposed, *(step.n for step in deal.steps)) if n <= known)


def _conflict(opened: OpenMatch, begun: int, viewer: Viewer, known: int) -> tuple[int, int]:
    """Returns a conflict's first and last event, as a viewer sees them."""
    running: ConflictBegun | None = None
    for version in range(begun, known + 1):
        for step in _steps(opened, version, viewer, running):
            if running is None and isinstance(step, ConflictBegun):
                running = step
            elif running is not None and isinstance(step, ConflictEnded):
                return begun, version
        if running is None:
            break
    if running is None:
        raise claims.make_refusal("no_such_conflict", {"conflict": begun})
    return begun, known


def _steps(
    opened: OpenMatch, version: int, viewer: Viewer, running: ConflictBegun | None
) -> Iterator[ConflictStep]:
    came = opened.story.came(version)
    if came.terms is None:
        return
    beats = came.terms.rules.shown.story.by_tag
    for fact in came.facts:
        beat = beats.get(tag_of(fact))
        if beat is not None and beat.conflict is not None:
            shown: dict[str, Any] = view(fact, viewer)
            named = {**shown, "called": came.called} if came.called else shown
            yield from beat.conflict(named, came.terms.silent, running)


# --- ruling ---------------------------------------------------------------------------------------


class OrganizerFinding(NamedTuple):
    """An organizer's ruling, and what it orders."""

    act: Ruled
    seat: Seat | None = None  # who pays, where the remedy is that somebody does
    to: Seat | None = None
    amount: int = 0
    dossier: str = ""  # the name of the one that it rests on
    goes_on: bool = True  # what was paused for the dispute goes on


def rule_on(opened: OpenMatch, verdict: OrganizerFinding, by: Submitter) -> Dispute:
    """Writes a ruling, and carries out what it orders."""
    act = verdict.act
    check_rules(opened.history, act.rules)
    decided = None
    if act.remedy is not None and act.remedy.kind == "annul-deal":
        _deal(opened, act.remedy.text, opened.history.tip.version)
    if act.remedy is not None and act.remedy.kind == "decision":
        decided = payment(opened.history, verdict)
    # In a pause nobody pays; where another dispute stops the match, it stops again at once.
    others, resumes = list_blocking_disputes(opened, act.dispute), ""
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


def check_waits(opened: OpenMatch, name: str) -> None:
    """Refuses a ruling on a dispute that does not wait for one: an appeal allows a second, never a
    third.
    """
    dispute = dispute_of(opened.history, opened.table, name)
    if not _waits(dispute):
        state = dispute.state(appealable=True)
        raise claims.make_refusal("dispute_over", {"dispute": name, "state": state})


def check_rules(history: History, cited: Sequence[str]) -> None:
    """Refuses rules that the game does not have."""
    if unknown := sorted(set(cited) - list_cited_rules(history.rules).keys()):
        raise Refused("unknown_rule", "", "The ruleset has no such rule.", {"rules": unknown[:10]})


def payment(history: History, verdict: OrganizerFinding) -> tuple[Seat, Decision]:
    """Returns the decision that makes a seat pay, made in its place."""
    check_started(history)
    pacts, seats = history.rules.audit.pacts, range(history.created.seats)
    if pacts is None or pacts.pays is None:
        raise claims.make_refusal("no_transfers", {"ruleset": history.rules.name})
    seat, to = verdict.seat, verdict.to
    if seat is None or to is None or seat not in seats or to not in seats:
        evidence = {"seat": seat, "to": to, "seats": len(seats)}
        raise Refused("no_such_seat", "", "The match has no such seat.", evidence)
    return seat, pacts.pays(to, verdict.amount)


def transfer(seat: Seat, to: Seat, amount: int) -> Remedy:
    """Returns the remedy that a seat pays another. The event that does it follows the ruling."""
    return Remedy(kind="decision", text=f"seat {seat} pays seat {to} {amount}")


def list_blocking_disputes(opened: OpenMatch, name: str) -> list[str]:
    """Returns the other waiting disputes that stop the match, if disputes stop its table."""
    if not _stops(opened.table):
        return []
    every = disputes_in(opened.history, opened.table)
    return [one.name for one in every if one.name != name and _waits(one)]


def paused_for(opened: OpenMatch, name: str) -> bool:
    """Returns whether a match is paused for this dispute, or for any if disputes stop its table."""
    history = opened.history
    if not history.life.paused:
        return False
    acts = (history.act(version) for version in range(history.tip.version, 0, -1))
    reason = next((act.reason for act in acts if isinstance(act, Paused)), "")
    names = history.life.disputes if _stops(opened.table) else (name,)
    return reason in [pause_reason(one) for one in names]


def _stops(table: MatchTable) -> bool:
    return table.laid is not None and table.laid.pauses


def _waits(dispute: Dispute) -> bool:
    return dispute.state(appealable=True) in ("open", "appealed")


def pause_reason(dispute: str) -> str:
    """Returns the reason that the log gives for a pause because of a dispute."""
    return f"dispute {dispute} waits for its ruling"


def pause_for(opened: OpenMatch, dispute: str, by: Submitter) -> None:
    """Stops the clocks until a ruling, if they run."""
    life = opened.history.life
    if not (life.paused or life.over):
        until_first(lambda: opened.journal.pause(by, pause_reason(dispute)))


# --- in the book ----------------------------------------------------------------------------------


def write_to(
    opened: OpenMatch, name: str, by: str, follows: Callable[[Claim], Sequence[TableEntry]]
) -> Dispute:
    """Appends to the table's book the entries that follow from a dispute's claim."""
    claim_of(dispute_of(opened.history, opened.table, name))
    opened.book.write(by, lambda table: follows(table.claims[name]))
    return dispute_of(opened.history, opened.book.read(), name)


def claim_of(dispute: Dispute) -> Claim:
    """Returns a dispute's claim in the book; refuses if there is none."""
    if dispute.claim is None:
        raise make_refusal("no_such_dispute", {"dispute": dispute.name})
    return dispute.claim
