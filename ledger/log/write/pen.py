"""The base of the journal: appends drafts and keeps the match in memory up to date.

A draft gets the answers of chance that it needs. It is checked as any reader would check
it, and goes to the store in batches. The store's answer says whether the match in memory
may be kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Fact
from ledger.kernel.refusals import BrokenRule
from ledger.log.format.acts import AnyAct, domains_disclosed
from ledger.log.format.acts import Closed as ClosedAct
from ledger.log.format.bodies import Submitter
from ledger.log.format.chain import Tip
from ledger.log.format.secrets import KEPT_AS, Secrets
from ledger.log.read.follower import last_good
from ledger.log.read.history import SNAPSHOT_EVERY, History, WentBack
from ledger.log.stores.protocol import (
    BATCH_MAX,
    Answer,
    Appended,
    Batch,
    Changed,
    Closed,
    Command,
    Conflict,
    Duplicate,
    Parked,
    Unavailable,
)

from .batches import batches_of
from .draft import DecisionToWrite, Draft, opened_by, write_act, write_answer
from .founding import Surroundings
from .lifecycle import refused

SERVICE: Final = Submitter(role="service")
DICE: Final = Submitter(role="dice")
CHANCE_MAX: Final = 1_000  # answers of chance in a row; a rule that wants more never ends


class Stale(Exception):
    """Another writer was first; the journal has read the new events."""

    def __init__(self, conflict: Conflict) -> None:
        super().__init__(f"the log goes on to event {conflict.tip.version}")
        self.conflict = conflict


class Carried(NamedTuple):
    """The place of a decision in the log: its first event, and the tip after its last one."""

    first: int
    tip: Tip
    again: bool = False  # it had been carried out before


def nonce_name(commitment: bytes) -> str:
    """Returns the name under which a nonce is kept until the start opens it."""
    return f"nonce-{commitment.hex()}"


class Pen:
    def __init__(self, around: Surroundings, match: str) -> None:
        self.around = around
        self.match_id = match
        self.history = History.of(around.store, match, around.rules_of)
        if not self.history.events:
            raise refused("no_such_match", {"match": match[:80]})
        kept = around.store.kept(match, KEPT_AS)
        if kept is None:
            raise refused("read_only", {"match": match})
        self.secrets = Secrets.read(kept)
        self._match: Match | None = None
        self._match_at = 0
        self._copying = False
        self.carried: Carried | None = None  # what became of the last decision

    @contextmanager
    def copying(self) -> Iterator[None]:
        """Copies chance too, while the events of another log are copied."""
        self._copying = True
        try:
            yield
        finally:
            self._copying = False

    def let_chance_fall(self) -> None:
        """Answers the chance questions at the tip, if any: in a fork, or after a crash."""
        match = self.match()
        draft = self._draft()
        self._match = None
        self._answer_chance(match, draft, self._nonces())
        self._append(draft, in_parts=True)
        self._settle(match, draft)

    # --- reading -------------------------------------------------------------------------------

    def match(self) -> Match:
        """Returns the match at the tip's line. The caller must not change it."""
        self._refresh()
        return self._here()

    def _here(self) -> Match:
        """Returns the match at the tip as far as the log was read."""
        if self._match is None or self._match_at != self.history.tip.version:
            self._match = self.history.at()
            self._match_at = self.history.tip.version
        if self._match is None:
            raise refused("not_started")
        return self._match

    def _ready(self) -> Match:
        """Returns the match with all chance answered; a crash may have left some open."""
        match = self._here()
        if match.chance() is not None and self.history.created.chance == "keys":
            if self._copying:
                return match
            self.let_chance_fall()
        return self._here()

    # --- writing -------------------------------------------------------------------------------

    def _draft(self) -> Draft:
        return Draft.after(self.history, self.secrets.salt_key)

    def _nonces(self) -> tuple[bytes, ...]:
        """Returns the nonces by seat: opened by the start, or kept in the store until then."""
        life = self.history.life
        if life.nonces:
            return life.nonces
        names = [nonce_name(joined.nonce) for _, joined in sorted(life.joined.items())]
        kept = [self.around.store.kept(self.match_id, name) for name in names]
        return tuple(nonce for nonce in kept if nonce is not None)

    def _act(self, act: AnyAct, by: Submitter) -> None:
        draft = self._draft()
        write_act(draft, act, by, self.around.clock())
        self._append(draft)

    def _write_close(self, draft: Draft, result: dict[str, Any] | None, by: Submitter) -> None:
        created = self.history.created
        opened = domains_disclosed(created.discloses, created.domains)
        seeds = {domain: self.secrets.seed(domain) for domain in opened}
        act = ClosedAct(result=result, seeds=seeds, discloses=created.discloses)
        write_act(draft, act, by, self.around.clock())

    def _write(
        self,
        draft: Draft,
        answer: DecisionToWrite,
        facts: Sequence[Fact],
        by: Submitter,
        clock: tuple[int, int] | None = None,
    ) -> None:
        if draft.holds(self.history, answer.key, answer.seat):
            msg = f"seat {answer.seat} answered {answer.key} before: keys are used once on a line"
            raise BrokenRule(msg)
        opens = opened_by(draft.line(self.history), answer, facts)
        write_answer(draft, answer, facts, by, self.around.clock(), opens=opens, clock=clock)

    def _answer_chance(self, match: Match, draft: Draft, nonces: Sequence[bytes]) -> list[Fact]:
        """Answers chance for as long as the rules ask for it, one event for each question."""
        facts: list[Fact] = []
        created = self.history.created
        if self._copying or created.chance != "keys":
            return facts
        for _ in range(CHANCE_MAX):
            question = match.chance()
            if question is None:
                return facts
            wish = question.wish(match.state)
            if wish.domain not in created.domains:
                msg = f"the ruleset does not list the domain of chance {wish.domain}"
                raise BrokenRule(msg)
            address = question.address(match.state)
            fallen = wish.answer(self.secrets.key(wish.domain, nonces), draft.epoch, address)
            answer = DecisionToWrite(draft.next_version, question, address, CHANCE, fallen)
            fell = fold(match, CHANCE, fallen, draft.next_version)
            self._write(draft, answer, fell, DICE)
            facts += fell
        msg = f"the rules ask for chance more than {CHANCE_MAX} times in a row"
        raise BrokenRule(msg)

    def _answer_again(self, before: Duplicate | Changed) -> list[Fact]:
        if isinstance(before, Changed):
            raise refused("command_changed", {"command": before.command})
        self.carried = Carried(before.first, before.tip, again=True)
        if self.history.tip.version < before.tip.version:
            try:
                self._refresh()
            except Unavailable as failure:
                raise Unavailable(str(failure), unknown=True) from None  # it is in the log
        return [
            fact
            for moment in self.history.replay(before.tip.version)
            if moment.version >= before.first
            for fact in moment.facts
        ]

    def _append(
        self, draft: Draft, *, command: Command | None = None, in_parts: bool = False
    ) -> Duplicate | None:
        """Appends a draft whole; or in parts, where a crash in between does no harm."""
        count = len(draft.events)
        if count > BATCH_MAX and not in_parts:
            msg = f"one decision calls for {count} events, at most {BATCH_MAX} fit"
            raise BrokenRule(msg)
        for part, batch in enumerate(batches_of(self.history, draft, command)):
            try:
                duplicate = self._append_batch(batch)
            except Unavailable as failure:
                # Of what goes in in parts the first may be there.
                raise Unavailable(str(failure), unknown=failure.unknown or part > 0) from None
            if duplicate is not None:
                return duplicate
        return None

    def _append_batch(self, batch: Batch) -> Duplicate | None:
        answer: Answer = self.around.store.append(self.match_id, batch)
        match answer:
            case Appended():
                self.history.know(batch.openings)
                for event in batch.events:
                    self.history.add(event)
            case Duplicate():
                return answer  # the same command came in twice at the same time
            case Conflict():
                self._refresh()
                raise Stale(answer)
            case Closed():
                raise refused("match_closed", {"version": answer.tip.version})
            case Parked():
                # Why is for the operator: it may name what no seat may know.
                good = last_good(answer.notice)
                raise refused("match_parked", {"version": answer.tip.version, "folded": good})
            case Changed():
                raise refused("command_changed", {"command": answer.command})
        return None

    def _settle(self, match: Match, draft: Draft) -> None:
        """Keeps the match in memory if it is at the tip of the log."""
        if match.broken or self.history.tip != draft.tip:
            return
        self._match, self._match_at = match, draft.tip.version
        if match.version % SNAPSHOT_EVERY == 0:
            self.history.hold(match.version, match)

    def _refresh(self) -> bool:
        """Reads the events of other writers; returns whether there were any."""
        try:
            grown = self.history.catch_up(self.around.store)
        except WentBack:
            # An old copy was put back, and play went on from there: read all of it anew.
            self._match, grown = None, True
            self.history = History.of(self.around.store, self.match_id, self.around.rules_of)
        if not self.history.events:  # ... a copy from before the match was created
            raise refused("no_such_match", {"match": self.match_id[:80]})
        return grown
