"""The journal: one match opened for writing. Everything that is appended to a log goes through it.

    decide ─▶ fold on the match in memory ─▶ write (scribe) ─▶ chance that it calls for, the same
           ─▶ append as one batch ─▶ the store's answer; on a conflict the match is read again

It does no I/O but through the store it is handed, and takes time and entropy from its caller.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from ledger.kernel.chance import nonce_commitment, seed_commitment
from ledger.kernel.content import Overlay
from ledger.kernel.fold import answered, begin, fold
from ledger.kernel.match import Match
from ledger.kernel.readings import Value
from ledger.kernel.records import CHANCE, Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import PRINTED
from ledger.kernel.terms import Terms, moved_to

from .acts import (
    FULL,
    Abandoned,
    AnyAct,
    Created,
    EditionChanged,
    Joined,
    Origin,
    Paused,
    Policy,
    Resumed,
    Rewound,
    Started,
)
from .acts import Closed as ClosedAct
from .bodies import AnyBody, Submitter
from .canonical import KEPT_BYTES_MAX, encode
from .history import OVERLAY, SNAPSHOT_EVERY, History, RulesOf
from .life import check_decidable, check_not_closed, check_rewind, check_startable, refused
from .scribe import Draft, Written, opened_by, write_act, write_answer
from .secrets import KEPT_AS, Entropy, Secrets
from .store import Answer, Appended, Batch, Changed, Closed, Command, Conflict, Duplicate, Store

SERVICE: Final = Submitter(role="service")
LIVE: Final = Origin(kind="live")
DICE: Final = Submitter(role="dice")


class Stale(Exception):
    """Somebody else was first; the journal has read what they did."""

    def __init__(self, conflict: Conflict) -> None:
        super().__init__(f"the log goes on to event {conflict.tip.version}")
        self.conflict = conflict


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a match is created with."""

    ruleset: str
    seats: int
    edition: str = PRINTED
    options: tuple[tuple[str, Value], ...] = ()
    overlay: Overlay | None = None
    discloses: tuple[Policy, ...] = FULL
    origin: Origin = LIVE
    entered: bool = False  # dice and cards are typed in from a real table
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What a journal needs from outside."""

    store: Store
    rules_of: RulesOf
    clock: Callable[[], int]  # milliseconds
    entropy: Entropy


class Journal:
    """One match, opened for writing."""

    def __init__(self, around: Surroundings, match: str) -> None:
        self.around = around
        self.match_id = match
        self.history = History.of(around.store, match, around.rules_of)
        if not self.history.events:
            raise refused("no_such_match", {"match": match[:80]})
        kept = around.store.kept(match, KEPT_AS)
        assert kept is not None, f"the secrets of {match} are missing beside its log"
        self.secrets = Secrets.read(kept)
        self._match: Match | None = None
        self._match_at = 0
        self._copying = False

    # --- the life of a match -------------------------------------------------------------------

    @classmethod
    def create(cls, around: Surroundings, plan: Plan, by: Submitter = SERVICE) -> Journal:
        """A new match: event 1 pins everything its fold depends on."""
        rules = around.rules_of(plan.ruleset)
        rules.check_seats(plan.seats)
        Terms(rules, plan.edition, dict(plan.options), plan.overlay)  # refuses what does not fit
        match = new_id(around.entropy)
        secrets = Secrets.drawn(around.entropy, plan.seats)
        overlay = None if not plan.overlay else encode(plan.overlay, KEPT_BYTES_MAX)
        domains = () if plan.entered else rules.domains
        created = Created(
            match=match,
            ruleset=rules.name,
            edition=plan.edition,
            source=rules.source,
            seats=plan.seats,
            options=dict(plan.options),
            overlay=None if overlay is None else hashlib.sha256(overlay).digest(),
            chance="entered" if plan.entered else "keys",
            domains={d: seed_commitment(secrets.seed(d), d) for d in domains},
            discloses=plan.discloses,
            origin=plan.origin,
            title=plan.title,
        )
        # Secrets first: a log whose secrets are lost could never be opened.
        around.store.keep(match, KEPT_AS, secrets.kept())
        if overlay is not None:
            around.store.keep(match, OVERLAY, overlay)
        draft = Draft.after(History(match, around.rules_of), secrets.salt_key)
        write_act(draft, created, by, around.clock())
        answer = around.store.append(match, _batch(History(match, around.rules_of), draft))
        assert isinstance(answer, Appended), f"a new id was not new: {match}"
        return cls(around, match)

    def join(self, seat: Seat, name: str, by: Submitter = SERVICE) -> None:
        """Take a seat."""
        self._refresh()
        check_startable(self.history)
        taken = self.history.life.joined
        if seat in taken or not 0 <= seat < self.history.created.seats:
            raise refused("seat_taken", {"seat": seat, "taken": sorted(taken)})
        nonce = nonce_commitment(seat, self.secrets.nonces[seat])
        self._act(Joined(seat=seat, name=name, nonce=nonce), by)

    def start(self, by: Submitter = SERVICE) -> list[Fact]:
        """Begin the fold; what it asks chance for at once is answered in the same batch."""
        self._refresh()
        check_startable(self.history)
        created = self.history.created
        free = sorted(set(range(created.seats)) - self.history.life.joined.keys())
        if free:
            raise refused("seats_free", {"free": free})
        match = self.history.terms(created.edition).open_match(created.seats)
        draft = Draft.after(self.history, self.secrets.salt_key)
        facts = begin(match, draft.next_version)
        act = Started(nonces=self.secrets.nonces)
        write_act(draft, act, by, self.around.clock(), facts=facts)
        facts = facts + self._answer_chance(match, draft)
        self._append(draft)
        self._settle(match)
        return facts

    def decide(
        self,
        seat: Seat,
        decision: Decision,
        by: Submitter | None = None,
        *,
        command: Command | None = None,
        clock: tuple[int, int] | None = None,
    ) -> list[Fact]:
        """Fold a decision and append it with the chance it calls for; or refuse it."""
        match = self.match()
        by = Submitter(role="seat") if by is None else by
        check_decidable(self.history, seat, by)
        question = answered(match, seat, decision)
        key = question.key(match.state, seat)
        draft = Draft.after(self.history, self.secrets.salt_key)
        self._match = None  # until it is in the log, the match in memory is nobody's
        try:
            facts = fold(match, seat, decision, draft.next_version)
        except Refused:
            self._settle(match)
            raise
        answer = Written(draft.next_version, question, key, seat, decision)
        opens = opened_by(self._line(draft), answer, facts)
        write_answer(draft, answer, facts, by, self.around.clock(), opens=opens, clock=clock)
        facts = facts + self._answer_chance(match, draft)
        self._append(draft, command=command)
        self._settle(match)
        return facts

    @contextmanager
    def copying(self) -> Iterator[None]:
        """While the events of another log are copied, chance is copied too."""
        self._copying = True
        try:
            yield
        finally:
            self._copying = False

    def let_chance_fall(self) -> list[Fact]:
        """Answer dice and cards that are asked for at the tip: after a rewind, or a fork."""
        match = self.match()
        draft = Draft.after(self.history, self.secrets.salt_key)
        self._match = None
        facts = self._answer_chance(match, draft)
        if draft.events:
            self._append(draft)
        self._settle(match)
        return facts

    def rewind(self, to: int, by: Submitter, reason: str, consents: Sequence[Seat] = ()) -> None:
        """Go on from an earlier event of the line; what came since stays readable."""
        self._refresh()
        check_rewind(self.history, to, by, consents)
        self._act(Rewound(to=to, reason=reason, consents=tuple(consents)), by, parent=to)
        self.let_chance_fall()

    def change_edition(
        self, edition: str, by: Submitter, reason: str, consents: Sequence[Seat] = ()
    ) -> None:
        """Put another edition in force from here on."""
        self._refresh()
        check_not_closed(self.history)
        moved_to(self.match(), self.history.terms(edition))  # refuses an edition there is not
        self._act(EditionChanged(edition=edition, reason=reason, consents=tuple(consents)), by)

    def pause(self, by: Submitter, reason: str) -> None:
        """Stop the clocks; decisions wait."""
        self._refresh()
        check_not_closed(self.history)
        self._act(Paused(reason=reason), by)

    def resume(self, by: Submitter, reason: str = "") -> None:
        """Go on."""
        self._refresh()
        check_not_closed(self.history)
        self._act(Resumed(reason=reason), by)

    def close(self, by: Submitter = SERVICE) -> None:
        """Approve the result and disclose what the policy says; the log takes nothing more."""
        self._refresh()
        check_not_closed(self.history)
        match = self.match()
        if not match.ended:
            raise refused("not_ended", {"asked": list(match.asked())})
        result = msgspec.to_builtins(match.terms.rules.result(match.state))
        self._close(result, by)

    def abandon(self, by: Submitter, reason: str) -> None:
        """Stop without a result, and close."""
        self._refresh()
        check_not_closed(self.history)
        self._act(Abandoned(reason=reason), by)
        self._close(None, by)

    # --- reading -------------------------------------------------------------------------------

    def match(self) -> Match:
        """The match at the tip of the line that play goes on. Not to be changed by the caller."""
        self._refresh()
        if self._match is None or self._match_at != self.history.tip.version:
            self._match = self.history.at()
            self._match_at = self.history.tip.version
        if self._match is None:
            raise refused("not_started")
        return self._match

    # --- writing -------------------------------------------------------------------------------

    def _act(self, act: AnyAct, by: Submitter, parent: int | None = None) -> None:
        draft = Draft.after(self.history, self.secrets.salt_key)
        write_act(draft, act, by, self.around.clock(), parent=parent)
        self._append(draft)

    def _close(self, result: dict[str, Any] | None, by: Submitter) -> None:
        created = self.history.created
        opened = created.domains if "chance" in created.discloses else {}
        act = ClosedAct(
            result=result,
            seeds={domain: self.secrets.seed(domain) for domain in opened},
            discloses=created.discloses,
        )
        draft = Draft.after(self.history, self.secrets.salt_key)
        write_act(draft, act, by, self.around.clock())
        self._append(draft, closes=True)

    def _answer_chance(self, match: Match, draft: Draft) -> list[Fact]:
        """Dice and cards for as long as the rules ask for them, one event a question."""
        facts: list[Fact] = []
        if self._copying or self.history.created.chance != "keys":
            return facts
        # Rewinds are acts of their own, so a whole draft lies in one epoch.
        epoch = self.history.lines.epoch(self.history.tip.version)
        while question := match.chance():
            wish = question.wish(match.state)
            key = self.secrets.key(wish.domain, self.secrets.nonces)
            address = question.address(match.state)
            fallen = wish.answer(key, epoch, address)
            answer = Written(draft.next_version, question, address, CHANCE, fallen)
            fell = fold(match, CHANCE, fallen, draft.next_version)
            opens = opened_by(self._line(draft), answer, fell)
            write_answer(draft, answer, fell, DICE, self.around.clock(), opens=opens)
            facts += fell
        return facts

    def _line(self, draft: Draft) -> Iterator[tuple[int, AnyBody]]:
        """The events of the line so far, those of the draft included."""
        for version in self.history.lines.line(self.history.tip.version):
            yield version, self.history.body(version)
        yield from enumerate(draft.bodies, self.history.tip.version + 1)

    def _append(
        self, draft: Draft, *, command: Command | None = None, closes: bool = False
    ) -> None:
        batch = _batch(self.history, draft, command=command, closes=closes)
        answer: Answer = self.around.store.append(self.match_id, batch)
        match answer:
            case Appended():
                self.history.know(draft.openings)
                for event, body in zip(draft.events, draft.bodies, strict=True):
                    self.history.add(event, body)
            case Duplicate():
                self._refresh()
            case Conflict():
                self._refresh()
                raise Stale(answer)
            case Closed():
                raise refused("match_closed", {"version": answer.tip.version})
            case Changed():
                raise refused("command_changed", {"command": answer.command})

    def _settle(self, match: Match) -> None:
        """Keep a match that stands where the log ends."""
        if match.broken or match.version != self.history.tip.version:
            return
        self._match, self._match_at = match, match.version
        if match.version % SNAPSHOT_EVERY == 0:
            self.history.hold(match.version, match)

    def _refresh(self) -> None:
        self.history.catch_up(self.around.store)


def _batch(
    history: History, draft: Draft, *, command: Command | None = None, closes: bool = False
) -> Batch:
    return Batch(
        expect=history.tip,
        events=tuple(draft.events),
        openings=tuple(draft.openings),
        command=command,
        closes=closes,
    )


_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # 31, none of which looks like another


def new_id(entropy: Entropy) -> str:
    """A match's id: 16 letters, some 79 bits."""
    letters: list[str] = []
    while len(letters) < 16:
        byte = entropy(1)[0]
        if byte < 8 * len(_LETTERS):  # the rest would favour the first letters
            letters.append(_LETTERS[byte % len(_LETTERS)])
    return "".join(letters)
