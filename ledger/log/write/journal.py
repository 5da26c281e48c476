"""The journal: one match opened for writing. Every append to a match's log goes through it.

    check (lifecycle.py) ─▶ draft ─▶ fold ─▶ seal ─▶ append ─▶ settle (writer.py)

Each act is checked here and handed to the writer. After a conflict, the journal has read
the other events and a decision is tried again. All I/O goes through the given store, and
the caller provides time and entropy.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ledger.kernel.chance import nonce_commitment
from ledger.kernel.fold import begin
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import decision_bytes
from ledger.log.format.acts import (
    Abandoned,
    Closed,
    Disputed,
    EditionChanged,
    Joined,
    Paused,
    Resumed,
    Rewound,
    Ruled,
    SeatGiven,
    Started,
    domains_disclosed,
)
from ledger.log.format.bodies import Submitter
from ledger.log.format.chain import Tip
from ledger.log.format.published import Brought, Published, edition_of
from ledger.log.format.secrets import SECRET_BYTES, Secrets, nonce_name
from ledger.log.read.history import History
from ledger.log.stores.protocol import Changed, Command, Conflict, Duplicate, Unavailable

from .founding import Plan, Surroundings, create_match
from .lifecycle import (
    ANYTIME,
    Composed,
    check_decidable,
    check_edition,
    check_may,
    check_not_closed,
    check_rewind,
    check_ruling,
    check_startable,
    check_started,
    make_refusal,
    opens_again,
    remedy_act_of,
)
from .writer import Draft, Stale, Writer, write_act

__all__ = ["Composed", "Journal", "Plan", "Stale", "Surroundings"]

SERVICE: Final = Submitter(role="service")
REQUEST_TAG: Final = b"hegemon/request/1"
ATTEMPTS_MAX: Final = 32  # to be first with a decision; whoever loses so often is told


class Carried(NamedTuple):
    """The place of a decision in the log: its first event, and the tip after its last one."""

    first: int
    tip: Tip
    again: bool = False  # it had been carried out before


class Journal:
    """A match opened for writing."""

    def __init__(self, around: Surroundings, match: str) -> None:
        self.around = around
        self.match_id = match
        self.carried: Carried | None = None  # what became of the last decision
        self._writer = Writer(around, match)

    @property
    def history(self) -> History:
        """Returns the log as far as it was read."""
        return self._writer.history

    @property
    def secrets(self) -> Secrets:
        return self._writer.secrets

    def match(self) -> Match:
        """Returns the match at the tip. The caller must not change it."""
        self._writer.follow()
        return self._writer.match()

    def let_chance_fall(self) -> None:
        """Answers the chance questions at the tip, if any: in a fork, or after a crash."""
        self._writer.follow()
        self._writer.let_chance_fall()

    # --- the life of a match -------------------------------------------------------------------

    @classmethod
    def create(cls, around: Surroundings, plan: Plan, by: Submitter = SERVICE) -> Journal:
        """Creates a match: event 1 pins everything its fold depends on."""
        return cls(around, create_match(around, plan, by))

    def join(
        self, seat: Seat, name: str, by: Submitter = SERVICE, *, nonce: bytes | None = None
    ) -> None:
        """Takes a seat, with the player's own nonce or, if it is None, one from the service."""
        check_startable(self._latest())
        taken = self.history.life.joined
        if seat in taken or not 0 <= seat < self.history.created.seats:
            raise make_refusal("seat_taken", {"seat": seat, "taken": sorted(taken)})
        if nonce is None:
            nonce = self.secrets.nonces[seat]
        if len(nonce) != SECRET_BYTES:
            raise Refused("bad_value", "", "A nonce has 32 bytes.", {"bytes": len(nonce)})
        committed = nonce_commitment(seat, nonce)
        # Kept under its commitment: if this joining does not come to be, the next is not bound.
        self.around.store.keep(self.match_id, nonce_name(committed), nonce)
        self._writer.write(Joined(seat=seat, name=name, nonce=committed), by)

    def start(self, by: Submitter = SERVICE) -> list[Fact]:
        """Begins the fold, and answers the chance questions that come first."""
        check_startable(self._latest())
        created = self.history.created
        free = sorted(set(range(created.seats)) - self.history.life.joined.keys())
        if free:
            raise make_refusal("seats_free", {"free": free})
        match = self.history.terms(created.edition).open_match(created.seats)
        draft = self._writer.draft()
        facts = begin(match, draft.next_version)
        act = Started(nonces=self._writer.nonces())
        write_act(draft, act, by, self.around.clock(), facts=facts)
        if not _copies(by):
            facts += self._writer.answer_chance(draft, match)
        self._writer.append(draft, in_parts=True)
        self._writer.settle(draft, match)
        return facts

    def decide(
        self,
        seat: Seat,
        decision: Decision,
        by: Submitter | None = None,
        *,
        command: Command | None = None,
        clock: tuple[int, int] | None = None,
        composed: Composed = ANYTIME,
    ) -> list[Fact]:
        """Folds a decision and appends it with the chance that follows; or refuses it.

        A command that was carried out before gets its first answer again, even if the decision
        itself would be refused by now. On a conflict the journal reads the other events and tries
        again.
        """
        by = Submitter(role="seat") if by is None else by
        for _ in range(ATTEMPTS_MAX):
            try:
                return self._decide(seat, decision, by, command, clock, composed)
            except Stale as stale:
                late = stale
            except Refused:
                known = self._known(command)
                if known:
                    return self._answer_again(known)
                if not self._writer.follow():
                    raise
        raise late

    def _known(self, command: Command | None) -> Duplicate | Changed | None:
        """Returns the result of a command that was carried out before, or None."""
        if command is None:
            return None
        try:
            return self.around.store.answered(self.match_id, command)
        except Unavailable as failure:
            raise Unavailable(str(failure), unknown=True) from None

    def command(self, id: str, seat: Seat, decision: Decision) -> Command:
        """Returns a decision's command: the client's id and a keyed hash of the request."""
        asked = REQUEST_TAG + str(seat).encode() + b"\0" + decision_bytes(decision)
        return Command(id, hmac.digest(self.secrets.salt_key, asked, "sha256"))

    def _decide(
        self,
        seat: Seat,
        decision: Decision,
        by: Submitter,
        command: Command | None,
        clock: tuple[int, int] | None,
        composed: Composed,
    ) -> list[Fact]:
        writer = self._writer
        check_decidable(writer.history, seat, by)
        composed.check(writer.history, seat)
        match = writer.match() if _copies(by) else writer.ready()
        draft = writer.draft()
        answer, facts = writer.fold(draft, match, seat, decision)
        if composed.question not in (None, answer.key):
            evidence = {"question": composed.question, "asked": answer.key}
            raise make_refusal("question_gone", evidence)
        writer.seal(draft, answer, facts, by, clock)
        if not _copies(by):
            facts += writer.answer_chance(draft, match)
        duplicate = writer.append(draft, command=command)
        if duplicate is not None:
            return self._answer_again(duplicate)
        self.carried = Carried(answer.version, draft.tip)
        writer.settle(draft, match)
        return facts

    def _answer_again(self, before: Duplicate | Changed) -> list[Fact]:
        """Returns the facts of a command that was carried out before."""
        if isinstance(before, Changed):
            raise make_refusal("command_changed", {"command": before.command})
        self.carried = Carried(before.first, before.tip, again=True)
        if self.history.tip.version < before.tip.version:
            try:
                self._writer.follow()
            except Unavailable as failure:
                raise Unavailable(str(failure), unknown=True) from None  # it is in the log
        return [
            fact
            for moment in self.history.replay(before.tip.version)
            if moment.version >= before.first
            for fact in moment.facts
        ]

    def rewind(
        self,
        to: int,
        by: Submitter,
        reason: str,
        consents: Sequence[Seat] = (),
        *,
        seat: Seat | None = None,
        because: str = "",
        at: int | None = None,
    ) -> None:
        """Goes on from an earlier event of the line; the later events stay readable.

        `at` is the last event that the caller has seen: the rewind is refused if a newer one
        exists.

        The organizer, or all seats by consent, may go back any distance. A seat alone may take back
        at once a stretch of its own decisions, if no player has learned anything from it.
        """
        check_rewind(self._latest(at), to, by, consents, seat)
        act = Rewound(to=to, reason=reason, consents=tuple(consents), because=because)
        draft = self._writer.draft()
        draft.go_back(to)
        write_act(draft, act, _for_seat(by, seat), self.around.clock())
        match = self.history.at(to)
        assert match is not None, "a rewind cannot go to before the start"
        match.version = draft.tip.version
        if not self.history.life.paused:
            self._writer.answer_chance(draft, match)
        self._writer.append(draft, in_parts=True)
        self._writer.settle(draft, match)

    def change_edition(
        self,
        edition: str,
        by: Submitter,
        reason: str,
        consents: Sequence[Seat] = (),
        *,
        because: str = "",
        bringing: Sequence[Published] = (),
        at: int | None = None,
    ) -> None:
        """Puts another edition in force from here on, with new published errata after it.

        Published errata already in force stay if `edition` names them, as `err.03+club.01@80` does.
        Without a name the current edition stays. `at` is as in `rewind`.
        """
        self._latest(at)
        act = self.edition_act(edition, reason, consents, because=because, bringing=bringing)
        check_may(self.history, act, by)
        self._writer.write(act, by)

    def edition_act(
        self,
        edition: str,
        reason: str,
        consents: Sequence[Seat] = (),
        *,
        because: str = "",
        bringing: Sequence[Published] = (),
    ) -> EditionChanged:
        """Returns the act that puts another edition in force now, or refuses it."""
        check_started(self.history)
        if because and because not in self.history.life.disputes:
            raise make_refusal("no_such_dispute", {"dispute": because[:80]})
        edition = edition or self.match().terms.edition
        named = edition_of(edition, (Brought(one.id, self._next) for one in bringing))
        act = EditionChanged(
            edition=named,
            reason=reason,
            consents=tuple(consents),
            because=because,
            errata=tuple(bringing),
        )
        check_edition(self.history, act)
        return act

    def _latest(self, at: int | None = None) -> History:
        """Reads the events of other writers; refuses if the caller has seen up to `at` only."""
        self._writer.follow()
        if at is not None and at != self.history.tip.version:
            raise Stale(Conflict(self.history.tip, ()))
        return self.history

    @property
    def _next(self) -> int:
        return self.history.tip.version + 1

    def pause(self, by: Submitter, reason: str) -> None:
        check_started(self._latest())
        self._writer.write(Paused(reason=reason), by)

    def resume(self, by: Submitter, reason: str = "") -> None:
        check_started(self._latest())
        self._writer.write(Resumed(reason=reason), by)

    def record(self, act: SeatGiven | Disputed | Ruled, by: Submitter) -> None:
        """Writes an act that changes nothing by itself.

        Disputes and rulings are possible after a close. A ruling with a remedy that changes the
        course of play reopens a closed match.
        """
        self._writer.follow()
        if isinstance(act, SeatGiven):
            check_not_closed(self.history)
        check_may(self.history, act, by)
        if isinstance(act, Ruled) and act.dispute not in self.history.life.disputes:
            raise make_refusal("no_such_dispute", {"dispute": act.dispute[:80]})
        self._writer.write(act, by)

    def rule(
        self,
        act: Ruled,
        by: Submitter,
        *,
        decided: tuple[Seat, Decision] | None = None,
        resumes: str = "",
        at: int | None = None,
    ) -> None:
        """Answers a dispute and carries the remedy out: the log gets both, or neither.

        `decided` is the decision for a seat where the remedy is a decision. `resumes` is the reason
        for which a paused match resumes with it. `at` is as in `rewind`.
        """
        check_ruling(self._latest(at), act, by)
        paused = self.history.life.paused and not resumes
        match = None if decided is None else self._writer.ready()
        draft = self._writer.draft()
        write_act(draft, act, by, self.around.clock())
        life = self.history.life
        if life.paused and resumes and (opens_again(act) or not life.closed):
            write_act(draft, Resumed(reason=resumes), by, self.around.clock())
        if (ordered := remedy_act_of(act)) is not None:
            if isinstance(ordered, Rewound):
                draft.go_back(ordered.to)
            write_act(draft, ordered, by, self.around.clock())
        if match is not None and decided is not None:
            check_decidable(self.history, decided[0], by, paused=paused)
            answer, facts = self._writer.fold(draft, match, *decided)
            self._writer.seal(draft, answer, facts, by)
            self._writer.answer_chance(draft, match)
        self._writer.append(draft)
        if self.history.life.started and not (paused or self.history.life.closed):
            self._writer.ready()  # what falls after a rewind

    def close(self, by: Submitter = SERVICE) -> None:
        """Approves the result and discloses what the policy says. It takes no more decisions."""
        check_not_closed(self._latest())
        if self.history.life.paused:
            raise make_refusal("match_paused")
        match = self._writer.ready()
        if not match.ended:
            raise make_refusal("not_ended", {"asked": list(match.asked())})
        draft = self._writer.draft()
        self._write_close(draft, msgspec.to_builtins(match.result()), by)
        self._writer.append(draft)

    def abandon(self, by: Submitter, reason: str) -> None:
        """Stops without a result and closes, in one step."""
        check_not_closed(self._latest())
        act = Abandoned(reason=reason)
        check_may(self.history, act, by)
        if self.history.life.started and self._writer.match().ended:
            raise make_refusal("already_ended")
        draft = self._writer.draft()
        write_act(draft, act, by, self.around.clock())
        self._write_close(draft, None, by)
        self._writer.append(draft)

    def _write_close(self, draft: Draft, result: dict[str, Any] | None, by: Submitter) -> None:
        created = self.history.created
        opened = domains_disclosed(created.discloses, created.domains)
        seeds = {domain: self.secrets.seed(domain) for domain in opened}
        act = Closed(result=result, seeds=seeds, discloses=created.discloses)
        write_act(draft, act, by, self.around.clock())


def _copies(by: Submitter) -> bool:
    """Returns whether events of another log are being copied. Chance is copied too."""
    return by.role == "fork"


def _for_seat(by: Submitter, seat: Seat | None) -> Submitter:
    return by if seat is None else Submitter(role=by.role, name=by.name, seat=seat)
