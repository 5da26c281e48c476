"""Refold: folds a log again under its own terms and compares it with what its events say.

It goes as far as the reader may see. After a decision that is not disclosed, the rest of that line
is `not disclosed`, which does not mean that it is wrong.

One fold serves any number of followers. The match that a follower gets is live and changes with the
next event; a follower changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ledger.kernel.chance import ChanceQuestion, Dealt, Drawn, Rolled, domain_key
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Closed, Created, Rewound, Started
from ledger.log.format.bodies import (
    ActBody,
    AnswerBody,
    AnyBody,
    DecisionToWrite,
    SealedBody,
    list_opened,
    private_values,
)
from ledger.log.format.canonical import reread
from ledger.log.format.chain import OUTCOME_PATH
from ledger.log.read.bundle import Header
from ledger.log.read.history import History, Moment, Undisclosed
from ledger.log.write.lifecycle import REFEREES
from replays.walk import Walk

from .dice import NOT_DISCLOSED, RECOMPUTED, TAKEN, Fall, Watch
from .fact_difference import first_fact_apart

if TYPE_CHECKING:
    from .verifier import Check


class Follower:
    """Receives each folded event. A subclass overrides only the hooks it needs."""

    def begin(self, history: History) -> None:
        """Called for the first event, which says how many seats the match has."""

    def stand(self, match: Match | None, version: int) -> None:
        """Called when the log goes on after an event that is not the last one."""

    def before(self, version: int, match: Match) -> None:
        """Called before an event is folded, once the match has started."""

    def take(self, moment: Moment) -> None:
        """Called after an event was folded."""

    def lose(self, moment: Moment) -> None:
        """Called for an event that cannot be folded: it, or one it depends on, is not disclosed."""

    def finish(self, match: Match | None) -> None:
        """Called at the end of the log."""


class Trace(NamedTuple):
    """The data of a folded answer that decides if it may be taken back."""

    seat: Seat
    learned: bool  # somebody learned something from it


class Refold:
    """Follows a verification event by event and folds the log."""

    def __init__(
        self,
        history: History,
        header: Header,
        checks: Mapping[str, Check],
        watch: Watch | None = None,
        followers: Sequence[Follower] = (),
    ) -> None:
        self.refusal: Refused | None = None  # of the decision that is illegal
        self._followers = followers
        self._walk = Walk(history, self._before)
        self._crooked = ""  # what is wrong with the answer of chance that is folded now
        self._history = history
        self._header = header
        self._checks = checks
        self._stopped = False
        self._keys: dict[str, bytes] = {}
        self._fallen: Counter[tuple[str, str]] = Counter()  # answers, by domain and how they came
        self._watch = watch
        self._traces: dict[int, Trace] = {}

    def take(self, version: int, body: AnyBody) -> None:
        if self._stopped:
            return
        if version == 1:
            self._take_created(body.act if isinstance(body, ActBody) else None)
        elif body.parent in self._walk.lost or self._stand_at(body.parent):
            self._take_event(version, body)

    def _stand_at(self, version: int) -> bool:
        """Moves to the match at a version; folds it again after a rewind."""
        try:
            moved = self._walk.stand(version)
        except Exception as reason:  # noqa: BLE001 - any failure here was reported before
            self._checks["legality"].fail(f"event {version} cannot be reached: {reason}")
            self._stopped = True
            return False
        if moved:
            for follower in self._followers:
                follower.stand(self._walk.match, version)
        return True

    def _take_event(self, version: int, body: AnyBody) -> None:
        self._crooked = ""
        try:
            moment = self._walk.take(version)
            if moment.why is not None:
                for name in ("legality", "outcome", "chance", "result"):
                    self._checks[name].leave(f"from event {version} on: {moment.why}")
            elif isinstance(body, ActBody):
                self._check_act(moment, body)
            elif not moment.lost:
                self._check_answer(moment)
        except Refused as refusal:
            self.refusal = refusal
            if refusal.code == "unknown_edition":
                self._stopped = True
                self._leave_all(f"event {version}: {refusal}")
            else:
                self._fail(version, f"event {version} is illegal: {refusal}", refusal.rule)
        except Exception as failure:  # noqa: BLE001 - whatever garbage does to rules is a finding
            self._fail(version, f"event {version} cannot be folded: {type(failure).__name__}")
        else:
            if not moment.lost:
                stated = self._check_outcome(version, body, moment.facts)
                moment = moment if stated is None else moment._replace(stated=stated)
            for follower in self._followers:
                (follower.lose if moment.lost else follower.take)(moment)

    def _fail(self, version: int, detail: str, rule: str = "") -> None:
        self._checks["legality"].fail(detail, version, rule)
        self._stopped = True

    # --- acts ----------------------------------------------------------------------------------

    def _take_created(self, act: Any) -> None:
        edition = self._checks["edition"]
        self._stopped = True  # until it is known that it can be folded
        if not isinstance(act, Created):
            return
        try:
            rules = self._history.rules
            self._history.terms(act.edition)
        except Refused as refusal:
            if refusal.code in ("unknown_ruleset", "unknown_edition"):
                self._leave_all(f"{refusal}: no event could be folded here")
            else:
                edition.fail(f"event 1 cannot have created the match: {refusal}", 1)
            return
        except Undisclosed:
            return  # an overlay is missing, as `Claims` says
        except Exception as reason:  # noqa: BLE001 - whatever a hostile overlay does is a finding
            edition.fail(f"event 1 cannot have created the match: {reason}", 1)
            return
        if act.chance == "keys" and not set(act.domains) <= set(rules.domains):
            edition.fail("event 1 commits to domains of chance that the rules lack", 1)
        notes = []
        if act.overlay is not None:
            tables = ", ".join(sorted(self._history.read_overlay()))
            notes.append(f"with an overlay ({act.overlay.hex()[:8]}: {tables})")
        if act.source != rules.source:
            notes.append("made under another source of these rules; the facts are compared")
        if edition.status == "ok":
            edition.detail = "; ".join(notes)
        self._stopped = False
        self._walk.take(1)
        for follower in self._followers:
            follower.begin(self._history)

    def _leave_all(self, detail: str) -> None:
        for name in ("edition", "legality", "chance", "outcome", "result"):
            check = self._checks[name]
            if check.status == "ok":
                check.status, check.detail = "not checked", detail

    def _check_act(self, moment: Moment, body: ActBody) -> None:
        act, version = body.act, moment.version
        if isinstance(act, Closed):
            self._check_result(act)
        elif isinstance(act, Started):
            self._keys = {
                domain: domain_key(seed, domain, act.nonces)
                for domain, seed in self._header.seeds.items()
            }
        elif isinstance(act, Rewound) and not moment.lost:
            self._check_rewind(version, body, act)

    # --- answers -------------------------------------------------------------------------------

    def _before(self, version: int, match: Match) -> None:
        """Looks at an answer of chance before the fold, which takes cards from their deck."""
        for follower in self._followers:
            follower.before(version, match)
        chance, body = match.chance(), self._history.body(version)
        if chance is not None and not isinstance(body, ActBody):
            _, decision = self._history.decision(version, match.terms)
            self._crooked = self._why_crooked(version, body, match, chance, decision)

    def _check_answer(self, moment: Moment) -> None:
        version, body, seat, decision, facts, match, *_ = moment
        assert match is not None, "life has checked that the match had started"
        assert seat is not None, "an answer is a seat's"
        assert decision is not None, "an answer decides"
        assert isinstance(body, AnswerBody | SealedBody)
        question, key = match.answered
        legality = self._checks["legality"]
        if key != body.question:
            legality.fail(
                f"event {version} answers {body.question}, but the rules asked {key}", version
            )
        if question.sealed is not isinstance(body, SealedBody):
            legality.fail(f"event {version} is not sealed as its question is", version)
        if isinstance(body, AnswerBody) and set(body.private) != set(private_values(decision)):
            legality.fail(f"event {version} does not commit to exactly the private fields", version)
        if self._history.has_answer(key, seat, body.parent):
            legality.fail(f"event {version} answers {key}, which is answered already", version)
        if self._crooked:
            self._checks["chance"].fail(f"event {version}: {self._crooked}", version)
        answer = DecisionToWrite(version, question, key, seat, decision)
        opens = list_opened(self._earlier(body.parent, facts), answer, facts)
        if opens != body.opens:
            legality.fail(f"event {version} opens other answers than its facts", version)
        learned = bool(opens) or any(fact.irrevocable for fact in facts)
        self._traces[version] = Trace(seat, learned)

    def _earlier(self, version: int, facts: Sequence[Fact]) -> Iterator[tuple[int, AnyBody]]:
        """Yields the earlier answers on the line that these facts disclose."""
        wanted = dict.fromkeys(disclosed for fact in facts for disclosed in fact.discloses())
        if not wanted:
            return
        straight = not self._history.lines.epoch(version)  # nothing was gone back to
        line = range(version + 1) if straight else set(self._history.lines.line(version))
        for question, seat in wanted:
            for earlier in self._history.answers_to(question, seat):
                if earlier in line:
                    yield earlier, self._history.body(earlier)

    def _check_rewind(self, version: int, body: ActBody, act: Rewound) -> None:
        """Checks a rewind: alone, a seat may take back only its own decisions, at once, if no one
        learned from them.
        """
        if self._history.life.all_agree(act.consents) or body.by.role in REFEREES:
            return
        undone = version - 1
        while undone != act.to:  # down to 0, where nothing can be taken back, if `to` is undone
            trace = self._traces.get(undone)
            own = trace is not None and trace.seat == body.by.seat and not trace.learned
            own = own and body.by.seat != CHANCE  # nobody decides for chance, nor takes it back
            if not (own or undone in self._walk.lost) or undone == 0:
                message = f"event {version} undoes event {undone} without consent"
                self._checks["legality"].fail(message, version)
                return
            undone = self._history.lines.parent(undone)

    def _why_crooked(
        self,
        version: int,
        body: AnyBody,
        match: Match,
        question: ChanceQuestion,
        decision: Decision,
    ) -> str:
        """Says what is wrong with an answer of chance, or ""."""
        wish = question.wish(match.state)
        key, epoch = self._keys.get(wish.domain), self._history.lines.epoch(version)
        address, how = question.address(match.state), RECOMPUTED
        if body.by.role == "fork" or self._history.created.chance == "entered":
            how, key = TAKEN, None
        elif wish.domain not in self._history.created.domains:
            return f"event 1 does not commit to {wish.domain}"
        elif key is None:
            how = NOT_DISCLOSED
            self._checks["chance"].leave("")  # the count of each domain is told at the end
        elif wish.answer(key, epoch, address) != decision:
            return f"the key of {wish.domain} gives another outcome"
        self._fallen[wish.domain, how] += 1
        if self._watch is not None and wish.fits(decision):
            assert isinstance(decision, Rolled | Drawn | Dealt), "it fits a wish of chance"
            name = self._history.match
            self._watch(Fall(name, version, epoch, address, wish, decision, key, how))
        return ""

    def _check_outcome(self, version: int, body: AnyBody, facts: Sequence[Fact]) -> bytes | None:
        """Compares the facts with the event's outcome; returns the facts it states if others."""
        check = self._checks["outcome"]
        folds = isinstance(body, AnswerBody | SealedBody) or isinstance(
            getattr(body, "act", None), Started
        )
        if folds is not (body.outcome is not None):
            check.fail(
                f"event {version} must commit to its outcome exactly when the rules say so", version
            )
        if not folds:
            return None
        stated = self._history.openings.get((version, OUTCOME_PATH))
        try:
            opening = self._history.open_outcome(version, facts)
        except Refused:
            what = "" if stated is None else f": {first_fact_apart(stated.plain, facts)}"
            check.fail(f"engine differs at {version}: the fold gives other facts{what}", version)
            return None if stated is None else stated.plain
        if opening is None:
            check.leave(f"from event {version} on: the outcome has not been disclosed")
        else:
            self._history.know([opening])
        return None

    # --- the end -------------------------------------------------------------------------------

    def finish(self, closed: Closed | None) -> None:
        """Compares the result, and notes which chance was recomputed."""
        self._end_followers(None if self._stopped else self._walk.match)
        if closed is None:
            self._checks["result"].detail = "the match is not closed: there is no result yet"
        chance = self._checks["chance"]
        if self._fallen and chance.status in ("ok", "not disclosed"):
            fallen = ", ".join(f"{domain}: {n} {how}" for (domain, how), n in self._fallen.items())
            chance.detail = f"{fallen}; {chance.detail}" if chance.detail else fallen

    def break_off(self) -> None:
        """Ends the fold early, because the rest is withheld."""
        self._end_followers(None)

    def _end_followers(self, match: Match | None) -> None:
        for follower in self._followers:
            follower.finish(match)

    def _check_result(self, closed: Closed) -> None:
        check, match = self._checks["result"], self._walk.match
        if self._stopped or self._walk.at in self._walk.lost:
            check.leave("the match could not be folded to its end")
        elif match is None:
            if closed.result is not None:
                check.fail("the closing event states a result, but the match had not started")
        elif closed.result is None:
            if match.ended:
                check.fail("the match ended, but the closing event states no result")
        elif not match.ended:
            check.fail("the closing event states a result, but the match had not ended")
        else:
            right = msgspec.to_builtins(match.result())
            if reread(right) != reread(closed.result):
                check.fail(f"the rules give another result: {right}", self._history.tip.version)
