"""Re-projects: folds a stored match again, as it was played and under other rules.

    log ── in its order ─────────▶ AsPlayed      every answer fits the question on top
     └──── as answers by key ────▶ Projection    the rules ask, the answer with that key is taken

Nothing here changes the log. Answers of the log that a projection could not take are marked in its
steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.kernel.chance import ChanceQuestion
from ledger.kernel.fold import begin, fold
from ledger.kernel.lookup import Use
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Question, Seat, rule_of
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.kernel.terms import move_to_terms
from ledger.log.format.acts import EditionChanged, Started
from ledger.log.format.bodies import ActBody, AnswerBody, SealedBody
from ledger.log.read.history import History, Moment

from .answers import SUBSTITUTES_MAX, Answers, Due, Substitutes
from .change import EditionStretch, RulesUnder
from .policies import Policies

APPLIED: Final = "applied"
ILLEGAL: Final = "illegal"
MISSING: Final = "missing"

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


class StopPoint(NamedTuple):
    """The point where a projection stopped before the match ended."""

    why: str  # illegal | missing
    version: int | None
    question: str
    seat: Seat
    rule: str


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
        rules: RulesUnder,
        line: Sequence[int],
        start: PackedMatch | None = None,
    ) -> None:
        self.steps: list[ProjectedStep] = []
        self.standing: set[int] = set()  # decisions that were taken unasked
        self.held: list[PackedMatch] = [] if start is None else [start]
        self.match: Match | None = None
        self._history = history
        self._rules = rules
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
        self._note(*self._history.fold_along(self.match, [version], self._rules.own))

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


class Projection:
    """The same line folded under other rules, with the log's answers found by question key."""

    def __init__(
        self,
        history: History,
        stretches: Sequence[EditionStretch],
        line: Sequence[int],
        played: AsPlayed,
        policies: Policies,
        start: PackedMatch | None = None,
        draw: int = 0,
        *,
        cut: bool = False,  # the line is a part of a longer one: it is not played to an end
        until: int = 0,  # it goes no further than this event; 0: to the end
        passes: bool = True,  # that it comes to; else it ends with the events before it
    ) -> None:
        self.steps: list[ProjectedStep] = []
        self.stopped: StopPoint | None = None
        self.out_of_place: list[int] = []
        self._in_a_row = 0  # answers that the log does not have
        self._until = until
        self._passes = passes
        self._there = False
        self._history = history
        self._terms = {stretch.first: stretch.other for stretch in stretches}
        self._policies = policies
        self._started = history.life.started
        self._ended_in_the_log = not cut and played.match is not None and played.match.ended
        self.substitutes = Substitutes(history, policies, draw)
        self._copied = _last_copied(history, line)
        first = self._started if start is None else start.version
        self.pool = Answers(history, line, played.standing, first)
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
        for version in sorted([*self.out_of_place, *self.pool.left()]):
            body = self._history.body(version)
            assert not isinstance(body, ActBody), "an act asks for nothing"
            found.append((version, body.question, body.seat))
        return found

    @property
    def assumed(self) -> int:
        """Returns the number of dice and cards that were assumed."""
        return self.substitutes.assumed

    def _run(self) -> None:
        while self.stopped is None and not self._there:
            due = self.pool.due()
            if due is not None and self._too_far(due.version):
                return
            if due is not None and self._takes(due):
                continue
            if self.match.ended or not self._answer():
                return
            if self.substitutes.made > SUBSTITUTES_MAX:
                message = f"more than {SUBSTITUTES_MAX} answers are not in the log"
                raise BrokenFold(self.pool.frontier, BrokenRule(message))

    def _too_far(self, version: int) -> bool:
        """Tells if an event lies beyond the last one to fold."""
        return bool(self._until) and not self._passes and version > self._until

    # --- what keeps its place --------------------------------------------------------------------

    def _takes(self, due: Due) -> bool:
        """Takes an act or an unasked decision; returns False if it must wait for chance."""
        body = self._history.body(due.version)
        if isinstance(body, ActBody):
            self.pool.done(due)
            if isinstance(body.act, EditionChanged):
                self.match = move_to_terms(self.match, self._terms[due.version])
            self.match.version = max(self.match.version, due.version)
            return True
        if self.match.chance() is not None:
            return False
        self.pool.done(due)
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
            if (version := self.pool.answer(key, seat)) is not None
        ]
        if not found:
            return self._without(question, *asked[0])
        version, key, seat = min(found)
        if self._too_far(version):
            return False
        self.pool.take(key, seat)
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
            self.stopped = StopPoint(MISSING, None, key, seat, rule_of(type(question)))
            return False
        return self._substitute(self._policies.missing, question, key, seat)

    @property
    def _still_played(self) -> bool:
        """Tells if the log ends before its match does. A projection does not play on from there."""
        at_the_end = self.pool.frontier >= self.pool.last or self._in_a_row >= IN_A_ROW_MAX
        return at_the_end and not self._ended_in_the_log

    def _substitute(self, how: str, question: Question, key: str, seat: Seat) -> bool:
        decision = self.substitutes.decided(how, self.match, question, seat)
        refusal: Refused | None = None
        if decision is not None:
            refusal = self._folded(None, key, seat, decision, how)
        if decision is None or refusal is not None:
            self.stopped = StopPoint(MISSING, None, key, seat, rule_of(type(question)))
        return self.stopped is None

    def _let_fall(self, question: ChanceQuestion, key: str) -> bool:
        after = self.pool.frontier
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
        at = self.pool.frontier if version is None else version
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
            self.stopped = StopPoint(ILLEGAL, version, key, seat, refusal.rule or rule_of(kind))


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
