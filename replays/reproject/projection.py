"""Re-projects: folds a stored match again, as it was played and under other rules.

    log ── in its order ─────────▶ AsPlayed      every answer fits the question on top
     └──── as answers by key ────▶ Projection    the rules ask, the answer with that key is taken

Nothing here changes the log. Answers of the log that a projection could not take are marked in its
steps.

Under its own edition a match takes its events in the order of the log. Under another edition the
rules ask, and the answer with the question's key is taken, wherever it is in the log. Two kinds of
events answer no waiting question and keep their place instead: acts, and decisions that a seat may
take at any time. Each is due once the ordinary answer before it, or a later one, has been used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from ledger.kernel.bots import BOTS
from ledger.kernel.chance import ChanceQuestion, Stream, domain_key
from ledger.kernel.fold import begin, fold
from ledger.kernel.lookup import Use
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Question, Seat, rule_of
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.kernel.ruleset import Result
from ledger.kernel.terms import move_to_terms
from ledger.log.format.acts import Closed, EditionChanged, Started
from ledger.log.format.bodies import ActBody, AnswerBody, SealedBody
from ledger.log.read.history import History, Moment

from .change import Change, EditionStretch, RulesUnder, basis_of
from .policies import Policies
from .verdicts import Stop

APPLIED: Final = "applied"
ILLEGAL: Final = "illegal"
MISSING: Final = "missing"

Drawn = Literal["keys", "assumed"]

SUBSTITUTES_MAX: Final = 2_000  # of one match; more would be another match
HELD_MOST: Final = 16  # positions kept of one line
IN_A_ROW_MAX: Final = 64  # answers made up one after another for a match that is still played


class PackedMatch(NamedTuple):
    """A packed match after an event, with everything its line had used by then."""

    version: int
    edition: str
    held: bytes
    used: dict[Use, int]


class ProjectedStep(NamedTuple):
    """The verdict on one event, or on one answer that the log lacks."""

    version: int | None
    verdict: str  # applied | illegal | missing
    how: str  # log | default | bot | chance | keys | assumed
    key: str
    seat: Seat
    facts: Sequence[Fact]
    kind: type[Question] | None = None  # of the question; None: the beginning
    refusal: Refused | None = None


class BrokenFold(Exception):
    """Raised when the rules fail on a match, by a bug or a position they never expect; not a
    refusal.
    """

    def __init__(self, version: int, reason: BaseException) -> None:
        super().__init__(f"at event {version}: {type(reason).__name__}: {reason}")
        self.version = version


class AsPlayed:
    """A line folded in the order of its log, from its beginning or from a position on it."""

    def __init__(
        self,
        history: History,
        line: Sequence[int] | None = None,
        start: PackedMatch | None = None,
    ) -> None:
        self.history = history
        self.line = line = history.lines.line(history.tip.version) if line is None else line
        self.steps: list[ProjectedStep] = []
        self.standing: set[int] = set()  # decisions that were taken unasked
        self.held: list[PackedMatch] = [] if start is None else [start]
        self.match: Match | None = None
        self._rules = rules = RulesUnder(basis_of(history), Change())
        self._kinds: dict[int, tuple[type[Question], ...]] = {}
        if start is not None:
            self.match = rules.own(start.edition).restore(start.held, start.used)
        rest = [version for version in line if start is None or version > start.version]
        every = max(1, len(line) // HELD_MOST)
        for place, moment in enumerate(history.fold_along(self.match, rest, rules.own), 1):
            self._note(moment)
            if place % every == 0 and moment.version != rest[-1]:
                self._hold(moment.version)

    def _hold(self, version: int) -> None:
        match = self.match
        if match is not None:
            held = match.terms.snapshot(match)
            self.held.append(PackedMatch(version, match.terms.edition, held, dict(match.used)))

    def take(self, version: int) -> None:
        self._note(*self.history.fold_along(self.match, [version], self._rules.own))

    def _note(self, moment: Moment) -> None:
        version, body, seat, _, facts, match, *_ = moment
        self.match = match
        if match is not None and seat is not None:
            question, key = match.answered
            kind = type(question)
            if kind in self._standing(match):
                self.standing.add(version)
            self.steps.append(ProjectedStep(version, APPLIED, "log", key, seat, facts, kind))
        elif isinstance(body, ActBody) and isinstance(body.act, Started):
            self.steps.append(ProjectedStep(version, APPLIED, "log", "", CHANCE, facts))

    def _standing(self, match: Match) -> tuple[type[Question], ...]:
        terms = match.terms
        if id(terms) not in self._kinds:
            self._kinds[id(terms)] = tuple(
                type(terms.in_force(question)) for question in terms.rules.standing
            )
        return self._kinds[id(terms)]


class Due(NamedTuple):
    """An act or an unasked decision, and the answer after which it is due."""

    version: int
    after: int


class Answers:
    """The answers and acts of a line after an event that have not been used yet."""

    def __init__(self, played: AsPlayed, after: int) -> None:
        self._history = played.history
        self._found: dict[tuple[str, Seat], int] = {}
        self._due: list[Due] = []
        self._next = 0
        self.frontier = after  # the last event, in the order of the log, that has had its turn
        self.last = after  # ordinary answer of the line
        ordinary = after
        for version in played.line:
            if version <= after:
                continue
            body = self._history.body(version)
            if isinstance(body, ActBody) or version in played.standing:
                self._due.append(Due(version, ordinary))
                continue
            ordinary = self.last = version
            self._found[body.question, body.seat] = version

    def due(self) -> Due | None:
        """Returns the next event that keeps its place, if it is due."""
        if self._next < len(self._due) and self._due[self._next].after <= self.frontier:
            return self._due[self._next]
        return None

    def done(self, due: Due) -> None:
        self._next += 1
        self.frontier = max(self.frontier, due.version)

    def answer(self, key: str, seat: Seat) -> int | None:
        return self._found.get((key, seat))

    def take(self, key: str, seat: Seat) -> None:
        self.frontier = max(self.frontier, self._found.pop((key, seat)))

    def left(self) -> list[int]:
        """Returns the answers that no question took, in the order of the log."""
        late = [one.version for one in self._due[self._next :]]
        acts = {one for one in late if isinstance(self._history.body(one), ActBody)}
        return sorted([*self._found.values(), *(one for one in late if one not in acts)])


class Substitutes:
    """Makes the decisions and draws that the log lacks; a draw number always gives the same
    ones.
    """

    def __init__(self, history: History, policies: Policies, draw: int = 0) -> None:
        self._history = history
        self._policies = policies
        self._draw = draw
        self._keys = _keys_of(history)
        self.assumed = 0  # dice and cards
        self.made = 0

    def decided(self, how: str, match: Match, question: Question, seat: Seat) -> Decision | None:
        """Decides for a seat; None if the policy has no answer."""
        self.made += 1
        if how == "default":
            return question.default(match.state, seat)
        stream = self._stream(how, match.key(seat), str(seat))
        options = match.options(seat)
        if not options:
            return None
        bot = BOTS[self._policies.bot if how == "bot" else "random"]
        return bot(match.terms, partial(match.view, seat), options, stream)

    def fallen(
        self, match: Match, question: ChanceQuestion, after: int, *, copied: bool
    ) -> tuple[Decision, Drawn]:
        """Draws chance after an event of the log. For events copied into a fork no keys are known
        here.
        """
        self.made += 1
        wish = question.wish(match.state)
        epoch, address = self._history.lines.epoch(after), question.address(match.state)
        key = None if copied else self._keys.get(wish.domain)
        if key is not None:
            return wish.answer(key, epoch, address), "keys"
        self.assumed += 1
        made_up = self._stream("assumed", wish.domain).take(32)
        return wish.answer(made_up, epoch, address), "assumed"

    def _stream(self, *names: str) -> Stream:
        seed = self._policies.seed.to_bytes(8, "big")
        return Stream.named(seed, "re-project", self._history.match, str(self._draw), *names)


def _keys_of(history: History) -> dict[str, bytes]:
    """Returns the published keys of chance; a running match has none."""
    found: dict[str, Any] = {}
    for event in history.events:
        act = history.act(event.version)
        if isinstance(act, Closed):
            found |= act.seeds
    nonces = history.life.nonces
    return {domain: domain_key(seed, domain, nonces) for domain, seed in found.items()}


class Projection:
    """The same line folded under other rules, with the log's answers found by question key."""

    def __init__(
        self,
        played: AsPlayed,
        stretches: Sequence[EditionStretch],
        policies: Policies,
        start: PackedMatch | None = None,
        draw: int = 0,
        *,
        cut: bool = False,  # the line is a part of a longer one: it is not played to an end
        until: int = 0,  # it goes no further than this event; 0: to the end
        passes: bool = True,  # that it comes to; else it ends with the events before it
    ) -> None:
        self.steps: list[ProjectedStep] = []
        self.stopped: Stop | None = None
        self.out_of_place: list[int] = []
        self._in_a_row = 0  # answers that the log does not have
        self._until = until
        self._passes = passes
        self._there = False
        self._history = history = played.history
        self.stretches = stretches
        self.start = start
        self._terms = {stretch.first: stretch.other for stretch in stretches}
        self._policies = policies
        self._started = history.life.started
        self._ended_in_the_log = not cut and played.match is not None and played.match.ended
        self.substitutes = Substitutes(history, policies, draw)
        self._copied = _last_copied(history, played.line)
        first = self._started if start is None else start.version
        self.answers = Answers(played, first)
        self.match = self._begun(stretches) if start is None else _restore_match(stretches, start)
        self._run()

    def _begun(self, stretches: Sequence[EditionStretch]) -> Match:
        match = stretches[0].other.open_match(self._history.created.seats)
        try:
            facts = begin(match, self._started)
        except Exception as reason:
            raise BrokenFold(self._started, reason) from reason
        self.steps.append(ProjectedStep(self._started, APPLIED, "log", "", CHANCE, facts))
        return match

    def unasked(self) -> list[tuple[int, str, Seat]]:
        found = []
        for version in sorted([*self.out_of_place, *self.answers.left()]):
            body = self._history.body(version)
            assert not isinstance(body, ActBody), "an act asks for nothing"
            found.append((version, body.question, body.seat))
        return found

    @property
    def result(self) -> Result | None:
        return self.match.result() if self.match.ended else None

    def _run(self) -> None:
        while self.stopped is None and not self._there:
            due = self.answers.due()
            if due is not None and self._too_far(due.version):
                return
            if due is not None and self._takes(due):
                continue
            if self.match.ended or not self._answer():
                return
            if self.substitutes.made > SUBSTITUTES_MAX:
                message = f"more than {SUBSTITUTES_MAX} answers are not in the log"
                raise BrokenFold(self.answers.frontier, BrokenRule(message))

    def _too_far(self, version: int) -> bool:
        """Tells if an event lies beyond the last one to fold."""
        return bool(self._until) and not self._passes and version > self._until

    # --- what keeps its place --------------------------------------------------------------------

    def _takes(self, due: Due) -> bool:
        """Takes an act or an unasked decision; returns False if it must wait for chance."""
        body = self._history.body(due.version)
        if isinstance(body, ActBody):
            self.answers.done(due)
            if isinstance(body.act, EditionChanged):
                self.match = move_to_terms(self.match, self._terms[due.version])
            self.match.version = max(self.match.version, due.version)
            return True
        if self.match.chance() is not None:
            return False
        self.answers.done(due)
        seat, decision = self._history.decision(due.version, self.match.terms)
        open_now = {
            question.key(self.match.state, seat): question
            for question in self.match.standing(seat)
            if type(decision) in question.answers
        }
        if body.question in open_now:
            asked = open_now[body.question]
            refusal = self._folded(due.version, body.question, seat, decision)
            if refusal is not None:
                self._illegal(due.version, body.question, seat, type(asked), refusal)
        else:
            self.out_of_place.append(due.version)
        return True

    # --- what is asked for -----------------------------------------------------------------------

    def _answer(self) -> bool:
        """Answers the question on top; returns False if the projection cannot go on."""
        question = self.match.question
        assert question is not None, "a match that has ended asks nothing"
        asked = [(self.match.key(seat), seat) for seat in self.match.asked()]
        found = [
            (version, key, seat)
            for key, seat in asked
            if (version := self.answers.answer(key, seat)) is not None
        ]
        if not found:
            return self._without(question, *asked[0])
        version, key, seat = min(found)
        if self._too_far(version):
            return False
        self.answers.take(key, seat)
        seat, decision = self._history.decision(version, self.match.terms)
        refusal = self._folded(version, key, seat, decision)
        if refusal is None:
            return True
        if isinstance(question, ChanceQuestion):
            kind = type(question)
            self.steps.append(ProjectedStep(version, ILLEGAL, "log", key, seat, (), kind, refusal))
            return self._let_fall(question, key)
        self._illegal(version, key, seat, type(question), refusal)
        how = self._policies.illegal
        return how in ("stop", "skip") or self._substitute(how, question, key, seat)

    def _without(self, question: Question, key: str, seat: Seat) -> bool:
        """Substitutes for a missing answer as the policies say; returns False to stop."""
        if self._still_played:
            return False  # this is what it waits for
        if isinstance(question, ChanceQuestion):
            return self._let_fall(question, key)
        if self._policies.missing == "stop":
            self._stop(MISSING, None, key, seat, rule_of(type(question)))
            return False
        return self._substitute(self._policies.missing, question, key, seat)

    @property
    def _still_played(self) -> bool:
        """Tells if the log ends before its match does. A projection does not play on from there."""
        at_the_end = self.answers.frontier >= self.answers.last or self._in_a_row >= IN_A_ROW_MAX
        return at_the_end and not self._ended_in_the_log

    def _substitute(self, how: str, question: Question, key: str, seat: Seat) -> bool:
        decision = self.substitutes.decided(how, self.match, question, seat)
        refusal: Refused | None = None
        if decision is not None:
            refusal = self._folded(None, key, seat, decision, how)
        if decision is None or refusal is not None:
            self._stop(MISSING, None, key, seat, rule_of(type(question)))
        return self.stopped is None

    def _let_fall(self, question: ChanceQuestion, key: str) -> bool:
        after = self.answers.frontier
        try:
            decision, how = self.substitutes.fallen(
                self.match, question, after, copied=after < self._copied
            )
        except Exception as reason:
            raise BrokenFold(after, reason) from reason
        refusal = self._folded(None, key, CHANCE, decision, how)
        if refusal is not None:
            raise BrokenFold(after, refusal)
        return True

    # --- folding ---------------------------------------------------------------------------------

    def _folded(
        self, version: int | None, key: str, seat: Seat, decision: Decision, how: str = "log"
    ) -> Refused | None:
        """Folds an answer; returns the refusal if the rules refuse it."""
        at = self.answers.frontier if version is None else version
        match = self.match
        try:
            facts = fold(match, seat, decision, max(at, match.version))
        except Refused as refusal:
            return refusal
        except Exception as reason:
            raise BrokenFold(at, reason) from reason
        self._there = version is not None and version == self._until
        verdict = MISSING if version is None else APPLIED
        self._in_a_row = self._in_a_row + 1 if version is None else 0
        kind = type(match.answered[0])
        self.steps.append(ProjectedStep(version, verdict, how, key, seat, facts, kind))
        return None

    def _illegal(
        self, version: int, key: str, seat: Seat, kind: type[Question], refusal: Refused
    ) -> None:
        self.steps.append(ProjectedStep(version, ILLEGAL, "log", key, seat, (), kind, refusal))
        if self._policies.illegal == "stop":
            self._stop(ILLEGAL, version, key, seat, refusal.rule or rule_of(kind))

    def _stop(self, why: str, version: int | None, key: str, seat: Seat, rule: str) -> None:
        self.stopped = Stop(why=why, version=version, question=key, seat=seat, rule=rule)


def _restore_match(stretches: Sequence[EditionStretch], start: PackedMatch) -> Match:
    """Restores a position of the line as it was played, under the other rules."""
    here = next(one for one in reversed(stretches) if one.first <= start.version)
    return move_to_terms(here.own.restore(start.held, start.used), here.other)


def _last_copied(history: History, line: Sequence[int]) -> int:
    """Returns the last answer that was copied from the match this one was forked from; else 0."""
    copied = [
        version
        for version in line
        if isinstance(body := history.body(version), AnswerBody | SealedBody)
        and body.by.role == "fork"
    ]
    return copied[-1] if copied else 0
