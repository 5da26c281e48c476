"""The writer: composes what a journal writes, appends it, and keeps the match in memory.

    draft ─▶ fold ─▶ seal ─▶ chance that follows, likewise ─▶ batches ─▶ append ─▶ settle

The methods are in this order. A draft is checked as any reader would check it before it
goes to the store. The store's answer says whether the match in memory may be kept.

A draft has folded decisions and acts as events, with their commitments and openings. The records
alone determine which parts are in clear and which are committed. The answer to a sealed question
is one commitment, each private field of an open answer is another, and the facts are a third.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Seat
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.kernel.terms import decision_bytes, facts_bytes
from ledger.log.format import acts
from ledger.log.format.acts import AnyAct
from ledger.log.format.bodies import (
    ActBody,
    AnswerBody,
    AnyBody,
    DecisionToWrite,
    Path,
    SealedBody,
    Submitter,
    body_bytes,
    list_opened,
    private_values,
)
from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import (
    EMPTY,
    OUTCOME_PATH,
    PRIVATE_PATH,
    SEALED_PATH,
    Event,
    Opening,
    Tip,
    link,
    make_opening,
    padded,
)
from ledger.log.format.secrets import KEPT_AS, Secrets, nonce_name
from ledger.log.read.history import SNAPSHOT_EVERY, History, WentBack
from ledger.log.read.seek import last_good
from ledger.log.stores.protocol import (
    BATCH_MAX,
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

from .lifecycle import make_refusal

if TYPE_CHECKING:
    from .founding import Surroundings

DICE: Final = Submitter(role="dice")
CHANCE_MAX: Final = 1_000  # answers of chance in a row; a rule that wants more never ends


class Stale(Exception):
    """Another writer was first; the journal has read the new events."""

    def __init__(self, conflict: Conflict) -> None:
        super().__init__(f"the log goes on to event {conflict.tip.version}")
        self.conflict = conflict


class Writer:
    """The writing half of a journal: its log as far as it was read, and the match at its tip."""

    def __init__(self, around: Surroundings, match: str) -> None:
        self.around = around
        self.match_id = match
        self.history = History.of(around.store, match, around.rules_of)
        if not self.history.events:
            raise make_refusal("no_such_match", {"match": match[:80]})
        kept = around.store.kept(match, KEPT_AS)
        if kept is None:
            raise make_refusal("read_only", {"match": match})
        self.secrets = Secrets.read(kept)
        self._match: Match | None = None
        self._match_at = 0

    # --- before a draft ------------------------------------------------------------------------

    def follow(self) -> bool:
        """Reads the events of other writers; returns whether there were any."""
        try:
            grown = self.history.catch_up(self.around.store)
        except WentBack:
            # An old copy was put back, and play went on from there: read all of it anew.
            self._match, grown = None, True
            self.history = History.of(self.around.store, self.match_id, self.around.rules_of)
        if not self.history.events:  # ... a copy from before the match was created
            raise make_refusal("no_such_match", {"match": self.match_id[:80]})
        return grown

    def match(self) -> Match:
        """Returns the match at the tip as far as the log was read."""
        if self._match is None or self._match_at != self.history.tip.version:
            self._match = self.history.at()
            self._match_at = self.history.tip.version
        if self._match is None:
            raise make_refusal("not_started")
        return self._match

    def ready(self) -> Match:
        """Returns the match with all chance answered; a crash may have left some open."""
        match = self.match()
        if match.chance() is not None and self.history.created.chance == "keys":
            self.let_chance_fall()
        return self.match()

    def let_chance_fall(self) -> None:
        """Answers the chance questions at the tip, if any."""
        match, draft = self.match(), self.draft()
        self.answer_chance(draft, match)
        self.append(draft, in_parts=True)
        self.settle(draft, match)

    # --- draft, fold, seal ---------------------------------------------------------------------

    def draft(self) -> Draft:
        """Returns an empty draft that goes on from the tip."""
        tip = self.history.tip
        epoch = self.history.lines.epoch(tip.version)
        return Draft(self.match_id, self.secrets.salt_key, tip, epoch)

    def fold(
        self, draft: Draft, match: Match, seat: Seat, decision: Decision
    ) -> tuple[DecisionToWrite, list[Fact]]:
        """Folds the draft's next decision; returns what to write of it, and its facts."""
        # Until it is in the log, the match in memory is nobody's. A refused fold changes nothing.
        unchanged, self._match = self._match, None
        try:
            facts = fold(match, seat, decision, draft.next_version)
        except Refused:
            self._match = unchanged
            raise
        question, key = match.answered
        return DecisionToWrite(draft.next_version, question, key, seat, decision), facts

    def seal(
        self,
        draft: Draft,
        answer: DecisionToWrite,
        facts: Sequence[Fact],
        by: Submitter,
        clock: tuple[int, int] | None = None,
    ) -> None:
        """Writes a folded decision into the draft, with its commitments and what it opens."""
        if draft.holds(self.history, answer.key, answer.seat):
            msg = f"seat {answer.seat} answered {answer.key} before: keys are used once on a line"
            raise BrokenRule(msg)
        opens = list_opened(draft.line(self.history), answer, facts)
        write_answer(draft, answer, facts, by, self.around.clock(), opens=opens, clock=clock)

    def answer_chance(self, draft: Draft, match: Match) -> list[Fact]:
        """Answers chance for as long as the rules ask for it, one event for each question."""
        facts: list[Fact] = []
        if match.chance() is None or self.history.created.chance != "keys":
            return facts
        created, nonces = self.history.created, self.nonces()
        for _ in range(CHANCE_MAX):
            question = match.chance()
            if question is None:
                return facts
            wish = question.wish(match.state)
            if wish.domain not in created.domains:
                raise BrokenRule(f"the ruleset does not list the domain of chance {wish.domain}")
            key, address = self.secrets.key(wish.domain, nonces), question.address(match.state)
            fallen = wish.answer(key, draft.epoch, address)
            answer, fell = self.fold(draft, match, CHANCE, fallen)
            self.seal(draft, answer, fell, DICE)
            facts += fell
        raise BrokenRule(f"the rules ask for chance more than {CHANCE_MAX} times in a row")

    def nonces(self) -> tuple[bytes, ...]:
        """Returns the nonces by seat: opened by the start, or kept in the store until then."""
        life = self.history.life
        if life.nonces:
            return life.nonces
        names = [nonce_name(joined.nonce) for _, joined in sorted(life.joined.items())]
        kept = [self.around.store.kept(self.match_id, name) for name in names]
        return tuple(nonce for nonce in kept if nonce is not None)

    # --- batches, append -----------------------------------------------------------------------

    def write(self, act: AnyAct, by: Submitter) -> None:
        """Appends one act."""
        draft = self.draft()
        write_act(draft, act, by, self.around.clock())
        self.append(draft)

    def append(
        self, draft: Draft, *, command: Command | None = None, in_parts: bool = False
    ) -> Duplicate | None:
        """Appends a draft whole; or in parts, where a crash in between does no harm.

        Returns the place of the first answer if the same command came in twice at the same time.
        """
        count = len(draft.events)
        if count > BATCH_MAX and not in_parts:
            raise BrokenRule(f"one decision calls for {count} events, at most {BATCH_MAX} fit")
        for part, batch in enumerate(self._batches(draft, command)):
            try:
                duplicate = self._append_batch(batch)
            except Unavailable as failure:
                # If the batch goes in parts, the first ones may be stored.
                raise Unavailable(str(failure), unknown=failure.unknown or part > 0) from None
            if duplicate is not None:
                return duplicate
        return None

    def _batches(self, draft: Draft, command: Command | None) -> list[Batch]:
        """Returns a draft's batches, in order; refuses events that a reader would refuse."""
        batches: list[Batch] = []
        life, tip = copy.copy(self.history.life), self.history.tip
        for first in range(0, len(draft.events), BATCH_MAX):
            events = draft.events[first : first + BATCH_MAX]
            bodies = draft.bodies[first : first + BATCH_MAX]
            was_closed = life.closed
            for event, body in zip(events, bodies, strict=True):
                trouble = life.trouble(body, self.match_id)
                if trouble:
                    raise BrokenRule(f"event {event.version} would not be valid: {trouble}")
                life.grow(body)
                _check_canonical(event, body)
            versions = range(events[0].version, events[-1].version + 1)
            # Outcomes are not stored (served.py).
            stored = (one for one in draft.openings if one.path != OUTCOME_PATH)
            batches.append(
                Batch(
                    expect=tip,
                    events=tuple(events),
                    openings=tuple(one for one in stored if one.version in versions),
                    command=command,
                    closes=life.closed,
                    after_close=was_closed,
                    decides=any(_rests_on_a_fold(body) for body in bodies),
                )
            )
            tip = events[-1].tip
        return batches

    def _append_batch(self, batch: Batch) -> Duplicate | None:
        match self.around.store.append(self.match_id, batch):
            case Appended():
                self.history.know(batch.openings)
                for event in batch.events:
                    self.history.add(event)
            case Duplicate() as duplicate:
                return duplicate
            case Conflict() as conflict:
                self.follow()
                raise Stale(conflict)
            case Closed(tip=tip):
                raise make_refusal("match_closed", {"version": tip.version})
            case Parked(tip=tip, notice=notice):
                # Why is for the operator: it may name what no seat may know.
                evidence = {"version": tip.version, "folded": last_good(notice)}
                raise make_refusal("match_parked", evidence)
            case Changed(command=command):
                raise make_refusal("command_changed", {"command": command})
        return None

    # --- settle --------------------------------------------------------------------------------

    def settle(self, draft: Draft, match: Match) -> None:
        """Keeps the match in memory if it is at the tip of the log."""
        if match.broken or self.history.tip != draft.tip:
            return
        self._match, self._match_at = match, draft.tip.version
        if match.version % SNAPSHOT_EVERY == 0:
            self.history.hold(match.version, match)


def _check_canonical(event: Event, body: AnyBody) -> None:
    """Refuses a body that a reader would refuse, in the parts that its types leave open."""
    if isinstance(body, ActBody):
        decode(event.body)
        return
    if isinstance(body, AnswerBody):
        decode(bytes(body.decision))
    if body.clock is not None:
        encode(list(body.clock))


def _rests_on_a_fold(body: AnyBody) -> bool:
    """Returns whether a fold decided a body. A parked match cannot be folded reliably."""
    if not isinstance(body, ActBody):
        return True
    return isinstance(body.act, acts.Closed) and body.act.result is not None


# --- drafts ---------------------------------------------------------------------------------------


class Draft:
    """Events to be appended, in order."""

    def __init__(self, match: str, salt_key: bytes, tip: Tip = EMPTY, epoch: int = 0) -> None:
        self.match = match
        self.salt_key = salt_key
        self.tip = tip
        self.parent = tip.version  # of the next event
        self.epoch = epoch  # the last rewind on the line
        self.events: list[Event] = []
        self.bodies: list[AnyBody] = []
        self.openings: list[Opening] = []
        self.begins_after = tip.version  # the line up to here is in the log

    def go_back(self, to: int) -> None:
        """Makes the next event a rewind to an earlier one: a new epoch begins with it."""
        self.parent = self.begins_after = to
        self.epoch = self.next_version

    @property
    def next_version(self) -> int:
        return self.tip.version + 1

    def write(self, body: AnyBody) -> None:
        event = link(self.match, self.tip, body_bytes(body))
        self.tip = event.tip
        self.parent = event.version
        self.events.append(event)
        self.bodies.append(body)

    def line(self, history: History) -> Iterator[tuple[int, AnyBody]]:
        """Yields the events of the line so far, including those of the draft."""
        for version in history.lines.line(self.begins_after):
            yield version, history.body(version)
        first = self.tip.version - len(self.bodies) + 1
        yield from enumerate(self.bodies, first)

    def holds(self, history: History, question: str, seat: Seat) -> bool:
        """Returns whether the line already has an answer under this key."""
        drafted = any(
            not isinstance(body, ActBody) and (body.question, body.seat) == (question, seat)
            for body in self.bodies
        )
        return drafted or history.has_answer(question, seat, self.begins_after)

    def commit(self, path: str, plain: bytes) -> bytes:
        """Commits a value of the next event and keeps its opening."""
        opening = make_opening(self.salt_key, self.tip, path, plain)
        self.openings.append(opening)
        return opening.commitment(self.match)

    def outcome(self, facts: Sequence[Fact]) -> bytes:
        """Commits the facts of the fold."""
        return self.commit(OUTCOME_PATH, facts_bytes(facts))


def write_act(
    draft: Draft,
    act: AnyAct,
    by: Submitter,
    at: int,
    *,
    facts: Sequence[Fact] | None = None,
) -> None:
    """Writes an act; if the fold answered it with facts, the event commits to them."""
    outcome = None if facts is None else draft.outcome(facts)
    draft.write(ActBody(parent=draft.parent, at=at, by=by, act=act, outcome=outcome))


def write_answer(
    draft: Draft,
    answer: DecisionToWrite,
    facts: Sequence[Fact],
    by: Submitter,
    at: int,
    *,
    opens: tuple[Path, ...] = (),
    clock: tuple[int, int] | None = None,
) -> None:
    kind: type[SealedBody | AnswerBody]
    said: dict[str, Any]
    if answer.question.sealed:
        packed = decision_bytes(answer.decision)
        decode(packed)  # refuses what no reader would take
        kind, said = SealedBody, {"commitment": draft.commit(SEALED_PATH, padded(packed))}
    else:
        kind, said = AnswerBody, _split_decision(draft, answer.decision)
    draft.write(
        kind(
            parent=draft.parent,
            at=at,
            by=by,
            clock=clock,
            question=answer.key,
            seat=answer.seat,
            opens=opens,
            outcome=draft.outcome(facts),
            **said,
        )
    )


def _split_decision(draft: Draft, decision: Decision) -> dict[str, Any]:
    """Splits a decision into its open fields and a commitment for each other field."""
    private = private_values(decision)
    if not private:
        return {"decision": msgspec.Raw(decision_bytes(decision))}
    hidden = {name.partition("/")[0] for name in private}
    plain: dict[str, Any] = msgspec.to_builtins(decision, builtin_types=(bytes,))
    shown = {name: value for name, value in plain.items() if name not in hidden}
    # Always present, whatever the value: that a field is empty is part of what is hidden.
    commitments = {
        name: draft.commit(PRIVATE_PATH + name, padded(encode(value)))
        for name, value in private.items()
    }
    return {"decision": msgspec.Raw(encode(shown)), "private": commitments}
