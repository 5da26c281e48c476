"""The journal: one match opened for writing. Every append to a match's log goes through it.

    decide ─▶ fold on the match in memory ─▶ write (scribe.py) ─▶ chance that follows, likewise
           ─▶ append as one batch ─▶ the store's answer; on a conflict the match is read again

All its I/O goes through the given store, and its caller provides time and entropy.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Final

import msgspec

from ledger.kernel.chance import nonce_commitment
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import decision_bytes
from ledger.log.format.acts import (
    Abandoned,
    Disputed,
    EditionChanged,
    Joined,
    Paused,
    Resumed,
    Rewound,
    Ruled,
    SeatGiven,
    Started,
)
from ledger.log.format.bodies import Submitter
from ledger.log.format.published import Brought, Published, edition_of
from ledger.log.format.secrets import SECRET_BYTES
from ledger.log.stores.protocol import Changed, Command, Conflict, Duplicate, Unavailable

from .draft import DecisionToWrite, Draft, write_act
from .founding import Plan, Surroundings, found
from .lifecycle import (
    check_decidable,
    check_edition,
    check_may,
    check_not_closed,
    check_rewind,
    check_ruling,
    check_startable,
    check_started,
    opens_again,
    ordered_by,
    refused,
)
from .pen import SERVICE, Carried, Pen, Stale, nonce_name
from .staleness import ANYTIME, Composed

__all__ = ["Composed", "Journal", "Plan", "Stale", "Surroundings"]

REQUEST_TAG: Final = b"hegemon/request/1"
ATTEMPTS_MAX: Final = 32  # to be first with a decision; whoever loses so often is told


class Journal(Pen):
    # --- the life of a match -------------------------------------------------------------------

    @classmethod
    def create(cls, around: Surroundings, plan: Plan, by: Submitter = SERVICE) -> Journal:
        """Creates a match: event 1 pins everything its fold depends on."""
        return cls(around, found(around, plan, by))

    def join(
        self, seat: Seat, name: str, by: Submitter = SERVICE, *, nonce: bytes | None = None
    ) -> None:
        """Takes a seat, with the player's own nonce or, if it is None, one from the service."""
        self._refresh()
        check_startable(self.history)
        taken = self.history.life.joined
        if seat in taken or not 0 <= seat < self.history.created.seats:
            raise refused("seat_taken", {"seat": seat, "taken": sorted(taken)})
        if nonce is None:
            nonce = self.secrets.nonces[seat]
        if len(nonce) != SECRET_BYTES:
            raise Refused("bad_value", "", "A nonce has 32 bytes.", {"bytes": len(nonce)})
        committed = nonce_commitment(seat, nonce)
        # Kept under its commitment: if this joining does not come to be, the next is not bound.
        self.around.store.keep(self.match_id, nonce_name(committed), nonce)
        self._act(Joined(seat=seat, name=name, nonce=committed), by)

    def start(self, by: Submitter = SERVICE) -> list[Fact]:
        """Begins the fold, and answers the chance questions that come first."""
        self._refresh()
        check_startable(self.history)
        created = self.history.created
        free = sorted(set(range(created.seats)) - self.history.life.joined.keys())
        if free:
            raise refused("seats_free", {"free": free})
        match = self.history.terms(created.edition).open_match(created.seats)
        draft = self._draft()
        facts = begin(match, draft.next_version)
        act = Started(nonces=self._nonces())
        write_act(draft, act, by, self.around.clock(), facts=facts)
        facts += self._answer_chance(match, draft, self._nonces())
        self._append(draft, in_parts=True)
        self._settle(match, draft)
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
                if not self._refresh():
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
        check_decidable(self.history, seat, by)
        composed.check(self.history, seat)
        match = self._ready()
        draft = self._draft()
        self._match = None  # until it is in the log, the match in memory is nobody's
        try:
            facts = fold(match, seat, decision, draft.next_version)
        except Refused:
            self._match = match
            raise
        question, key = match.answered
        if composed.question not in (None, key):
            raise refused("question_gone", {"question": composed.question, "asked": key})
        answer = DecisionToWrite(draft.next_version, question, key, seat, decision)
        self._write(draft, answer, facts, by, clock)
        facts += self._answer_chance(match, draft, self._nonces())
        duplicate = self._append(draft, command=command)
        if duplicate is not None:
            return self._answer_again(duplicate)
        self.carried = Carried(answer.version, draft.tip)
        self._settle(match, draft)
        return facts

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
        self._refresh()
        self._check_looked(at)
        check_rewind(self.history, to, by, consents, seat)
        act = Rewound(to=to, reason=reason, consents=tuple(consents), because=because)
        draft = self._draft()
        draft.go_back(to)
        write_act(draft, act, _for_seat(by, seat), self.around.clock())
        match = self.history.at(to)
        assert match is not None, "nobody goes back to before the start"
        match.version = draft.tip.version
        if not self.history.life.paused:
            self._answer_chance(match, draft, self._nonces())
        self._append(draft, in_parts=True)
        self._settle(match, draft)

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
        self._refresh()
        self._check_looked(at)
        act = self.edition_act(edition, reason, consents, because=because, bringing=bringing)
        check_may(self.history, act, by)
        self._act(act, by)

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
            raise refused("no_such_dispute", {"dispute": because[:80]})
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

    def _check_looked(self, at: int | None) -> None:
        """Refuses if a newer event exists than the last one that the caller has seen."""
        if at is not None and at != self.history.tip.version:
            raise Stale(Conflict(self.history.tip, ()))

    @property
    def _next(self) -> int:
        return self.history.tip.version + 1

    def pause(self, by: Submitter, reason: str) -> None:
        self._refresh()
        check_started(self.history)
        self._act(Paused(reason=reason), by)

    def resume(self, by: Submitter, reason: str = "") -> None:
        self._refresh()
        check_started(self.history)
        self._act(Resumed(reason=reason), by)

    def record(self, act: SeatGiven | Disputed | Ruled, by: Submitter) -> None:
        """Writes an act that changes nothing by itself.

        Disputes and rulings are possible after a close. A ruling with a remedy that changes the
        course of play reopens a closed match.
        """
        self._refresh()
        if isinstance(act, SeatGiven):
            check_not_closed(self.history)
        check_may(self.history, act, by)
        if isinstance(act, Ruled) and act.dispute not in self.history.life.disputes:
            raise refused("no_such_dispute", {"dispute": act.dispute[:80]})
        self._act(act, by)

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
        self._refresh()
        self._check_looked(at)
        check_ruling(self.history, act, by)
        paused = self.history.life.paused and not resumes
        match = None if decided is None else self._ready()
        draft = self._draft()
        write_act(draft, act, by, self.around.clock())
        life = self.history.life
        if life.paused and resumes and (opens_again(act) or not life.closed):
            write_act(draft, Resumed(reason=resumes), by, self.around.clock())
        if (ordered := ordered_by(act)) is not None:
            if isinstance(ordered, Rewound):
                draft.go_back(ordered.to)
            write_act(draft, ordered, by, self.around.clock())
        if match is not None and decided is not None:
            check_decidable(self.history, decided[0], by, paused=paused)
            self._match = None
            self._fold_into(draft, match, decided, by)
        self._append(draft)
        self._match = None
        if self.history.life.started and not (paused or self.history.life.closed):
            self._ready()  # what falls after a rewind

    def _fold_into(
        self, draft: Draft, match: Match, decided: tuple[Seat, Decision], by: Submitter
    ) -> None:
        """Folds a decision on a match, and writes it and the chance that follows."""
        seat, decision = decided
        facts = fold(match, seat, decision, draft.next_version)
        question, key = match.answered
        answer = DecisionToWrite(draft.next_version, question, key, seat, decision)
        self._write(draft, answer, facts, by)
        self._answer_chance(match, draft, self._nonces())

    def close(self, by: Submitter = SERVICE) -> None:
        """Approves the result and discloses what the policy says. It takes no more decisions."""
        self._refresh()
        check_not_closed(self.history)
        if self.history.life.paused:
            raise refused("match_paused")
        match = self._ready()
        if not match.ended:
            raise refused("not_ended", {"asked": list(match.asked())})
        draft = self._draft()
        self._write_close(draft, msgspec.to_builtins(match.result()), by)
        self._append(draft)

    def abandon(self, by: Submitter, reason: str) -> None:
        """Stops without a result and closes, in one step."""
        self._refresh()
        check_not_closed(self.history)
        act = Abandoned(reason=reason)
        check_may(self.history, act, by)
        if self.history.life.started and self._here().ended:
            raise refused("already_ended")
        draft = self._draft()
        write_act(draft, act, by, self.around.clock())
        self._write_close(draft, None, by)
        self._append(draft)


def _for_seat(by: Submitter, seat: Seat | None) -> Submitter:
    return by if seat is None else Submitter(role=by.role, name=by.name, seat=seat)
