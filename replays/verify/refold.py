"""Refold: folds a log again under its own terms and compares it with what its events say.

It goes as far as the reader may see. After a decision that is not disclosed, the rest of that line
is `not disclosed`, which does not mean that it is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ledger.kernel.chance import ChanceQuestion, Dealt, Drawn, Rolled, domain_key
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import facts_bytes, moved_to
from ledger.log.format.acts import Closed, Created, EditionChanged, Rewound, Started
from ledger.log.format.bodies import ActBody, AnswerBody, AnyBody, SealedBody
from ledger.log.format.commitments import OUTCOME_PATH, opened
from ledger.log.read.bundle import Header
from ledger.log.read.history import History, Undisclosed
from ledger.log.write.draft import DecisionToWrite, opened_by, private_values
from ledger.log.write.lifecycle import REFEREES

from .claims import plainly
from .dice import NOT_DISCLOSED, RECOMPUTED, TAKEN, Fall, Watch
from .fact_difference import first_fact_apart
from .followers import Folded, Follower

if TYPE_CHECKING:
    from .verifier import Check


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
        follower: Follower | None = None,
    ) -> None:
        self.refusal: Refused | None = None  # of the decision that is illegal
        self._follower = Follower() if follower is None else follower
        self._decided: tuple[Seat | None, Decision | None] = (None, None)
        self._stated: bytes | None = None  # the facts that the event states, where it gives others
        self._history = history
        self._header = header
        self._checks = checks
        self._match: Match | None = None
        self._at = 0
        self._lost: set[int] = set()  # versions whose match is not known here
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
        elif body.parent in self._lost:
            self._lost.add(version)
            self._at, self._match = version, None
            self._follower.lose(version, body)
            if isinstance(body, ActBody) and isinstance(body.act, Closed):
                self._check_result(body.act)
        elif self._stand_at(body.parent):
            self._take_event(version, body)

    def _stand_at(self, version: int) -> bool:
        """Moves to the match at a version; folds it again after a rewind."""
        if version != self._at:
            try:
                self._match = self._history.at(version)
            except Exception as reason:  # noqa: BLE001 - any failure here was reported before
                self._checks["legality"].fail(f"event {version} cannot be reached: {reason}")
                self._stopped = True
                return False
            self._at = version
            self._follower.stand(self._match, version)
        return True

    def _take_event(self, version: int, body: AnyBody) -> None:
        self._at = version
        self._decided, self._stated = (None, None), None
        try:
            if isinstance(body, ActBody):
                facts = self._take_act(version, body)
            else:
                facts = self._take_answer(version, body)
        except Undisclosed as reason:
            self._lost.add(version)
            self._follower.lose(version, body)
            for name in ("legality", "outcome", "chance", "result"):
                self._checks[name].leave(f"from event {version} on: {reason}")
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
            self._check_outcome(version, body, facts)
            seats, stated = self._history.created.seats, self._stated
            self._follower.take(
                Folded(version, body, *self._decided, facts, self._match, seats, stated)
            )

    def _fail(self, version: int, detail: str, rule: str = "") -> None:
        self._checks["legality"].fail(detail, version, rule)
        self._stopped = True

    # --- acts ----------------------------------------------------------------------------------

    def _take_created(self, act: Any) -> None:
        edition = self._checks["edition"]
        if not isinstance(act, Created):
            self._stopped = True
            return
        try:
            rules = self._history.rules
            self._history.terms(act.edition)
        except Refused as refusal:
            self._stopped = True
            if refusal.code in ("unknown_ruleset", "unknown_edition"):
                self._leave_all(f"{refusal}: nothing could be folded here")
            else:
                edition.fail(f"event 1 cannot be what the match was created with: {refusal}", 1)
            return
        except Undisclosed:
            self._stopped = True  # an overlay is missing, as claims.py says
            return
        except Exception as reason:  # noqa: BLE001 - whatever a hostile overlay does is a finding
            self._stopped = True
            edition.fail(f"event 1 cannot be what the match was created with: {reason}", 1)
            return
        if act.chance == "keys" and not set(act.domains) <= set(rules.domains):
            edition.fail("event 1 commits to domains of chance that the rules do not have", 1)
        notes = []
        if act.overlay is not None:
            tables = ", ".join(sorted(self._history.read_overlay()))
            notes.append(f"with an overlay ({act.overlay.hex()[:8]}: {tables})")
        if act.source != rules.source:
            notes.append("made under another source of these rules; the facts are compared")
        if edition.status == "ok":
            edition.detail = "; ".join(notes)
        self._at = 1

    def _leave_all(self, detail: str) -> None:
        for name in ("edition", "legality", "chance", "outcome", "result"):
            check = self._checks[name]
            if check.status == "ok":
                check.status, check.detail = "not checked", detail

    def _take_act(self, version: int, body: ActBody) -> list[Fact]:
        facts: list[Fact] = []
        act = body.act
        if isinstance(act, Started):
            created = self._history.created
            self._match = self._history.terms(created.edition).open_match(created.seats)
            facts = begin(self._match, version)
            self._keys = {
                domain: domain_key(seed, domain, act.nonces)
                for domain, seed in self._header.seeds.items()
            }
        elif isinstance(act, EditionChanged) and self._match is not None:
            self._match = moved_to(self._match, self._history.terms(act.edition))
        elif isinstance(act, Rewound):
            self._check_rewind(version, body, act)
        elif isinstance(act, Closed):
            self._check_result(act)
        if self._match is not None:
            self._match.version = version
        return facts

    # --- answers -------------------------------------------------------------------------------

    def _take_answer(self, version: int, body: AnyBody) -> list[Fact]:
        match = self._match
        assert match is not None, "life has checked that the match had started"
        assert isinstance(body, AnswerBody | SealedBody)
        seat, decision = self._decided = self._history.decision(version, match.terms)
        chance = match.chance()
        self._follower.before(version, match)
        # Before the fold: a wish for cards holds the deck that the fold takes them from.
        crooked = "" if chance is None else self._crooked(version, body, chance, decision)
        facts = fold(match, seat, decision, version)
        question, key = match.answered
        legality = self._checks["legality"]
        if key != body.question:
            legality.fail(f"event {version} answers {body.question}; asked was {key}", version)
        if question.sealed is not isinstance(body, SealedBody):
            legality.fail(f"event {version} is not sealed as its question is", version)
        if isinstance(body, AnswerBody) and set(body.private) != set(private_values(decision)):
            legality.fail(f"event {version} commits to other fields than are private", version)
        if self._history.has_answer(key, seat, body.parent):
            legality.fail(f"event {version} answers {key} a second time on its line", version)
        if crooked:
            self._checks["chance"].fail(f"event {version}: {crooked}", version)
        answer = DecisionToWrite(version, question, key, seat, decision)
        opens = opened_by(self._earlier(body.parent, facts), answer, facts)
        if opens != body.opens:
            legality.fail(f"event {version} opens other answers than its facts do", version)
        learned = bool(opens) or any(fact.irrevocable for fact in facts)
        self._traces[version] = Trace(seat, learned)
        return facts

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
            if not (own or undone in self._lost) or undone == 0:
                message = f"event {version} takes event {undone} back without consent"
                self._checks["legality"].fail(message, version)
                return
            undone = self._history.lines.parent(undone)

    def _crooked(
        self, version: int, body: AnyBody, question: ChanceQuestion, decision: Decision
    ) -> str:
        """Says what is wrong with an answer of chance, or ""."""
        assert self._match is not None
        wish = question.wish(self._match.state)
        key, epoch = self._keys.get(wish.domain), self._history.lines.epoch(version)
        address, how = question.address(self._match.state), RECOMPUTED
        if body.by.role == "fork" or self._history.created.chance == "entered":
            how, key = TAKEN, None
        elif wish.domain not in self._history.created.domains:
            return f"{wish.domain} was never committed to"
        elif key is None:
            how = NOT_DISCLOSED
            self._checks["chance"].leave("")  # the count of each domain is told at the end
        elif wish.answer(key, epoch, address) != decision:
            return f"the key of {wish.domain} says otherwise"
        self._fallen[wish.domain, how] += 1
        if self._watch is not None and wish.fits(decision):
            assert isinstance(decision, Rolled | Drawn | Dealt), "it fits a wish of chance"
            name = self._history.match
            self._watch(Fall(name, version, epoch, address, wish, decision, key, how))
        return ""

    def _check_outcome(self, version: int, body: AnyBody, facts: list[Fact]) -> None:
        check = self._checks["outcome"]
        folded = isinstance(body, AnswerBody | SealedBody) or isinstance(
            getattr(body, "act", None), Started
        )
        if folded is not (body.outcome is not None):
            check.fail(f"event {version} commits to an outcome, or does not, against rule", version)
        if not folded:
            return
        opening = self._history.openings.get((version, OUTCOME_PATH))
        salt_key = self._history.salt_key
        if opening is None and salt_key is not None:
            before = self._history.tip_before(version)
            opening = opened(salt_key, before, OUTCOME_PATH, facts_bytes(facts))
            if opening.commitment(self._history.match) != body.outcome:
                check.fail(f"engine differs at {version}: the fold gives other facts", version)
                return
            self._history.know([opening])
        elif opening is None:
            check.leave(f"from event {version} on: the outcome has not been disclosed")
        elif opening.plain != facts_bytes(facts):
            self._stated = opening.plain
            what = first_fact_apart(opening.plain, facts)
            check.fail(f"engine differs at {version}: the fold gives other facts: {what}", version)

    # --- the end -------------------------------------------------------------------------------

    def finish(self, closed: Closed | None) -> None:
        """Compares the result, and notes which chance was recomputed."""
        self._follower.finish(None if self._stopped else self._match)
        if closed is None:
            self._checks["result"].detail = "the match is not closed: there is no result yet"
        chance = self._checks["chance"]
        if self._fallen and chance.status in ("ok", "not disclosed"):
            fallen = ", ".join(f"{domain}: {n} {how}" for (domain, how), n in self._fallen.items())
            chance.detail = f"{fallen}; {chance.detail}" if chance.detail else fallen

    def break_off(self) -> None:
        """Ends the fold early, because the rest is withheld."""
        self._follower.finish(None)

    def _check_result(self, closed: Closed) -> None:
        check = self._checks["result"]
        if self._stopped or self._at in self._lost:
            check.leave("the match could not be folded to its end")
        elif self._match is None:
            if closed.result is not None:
                check.fail("the closing event states a result, and the match had not started")
        elif closed.result is None:
            if self._match.ended:
                check.fail("the match ended, and the closing event states no result")
        elif not self._match.ended:
            check.fail("the closing event states a result, and the match had not ended")
        else:
            right = msgspec.to_builtins(self._match.result())
            if plainly(right) != plainly(closed.result):
                check.fail(f"the rules give another result: {right}", self._history.tip.version)
