"""Recounts: replays a match by its facts alone, and counts each fact again before applying it.

The audit keeps a second state that starts where the match starts and changes only by the facts of
each event. Before a fact changes it, the ruleset's recounts are computed from it. If a log states
other facts than the fold gives, those are counted too, each in its place.

Conservation: after every event of every line all CAPs and pieces are still accounted for. The audit
keeps the accounts a second time, from the transfers in the facts. The ruleset's own counts (cards,
tiles, pieces) must stay what they were after the first event.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Union

import msgspec

from ledger.kernel.accounts import BANK, Accounts, Transferred
from ledger.kernel.audience import ALL_SEATS, view
from ledger.kernel.lookup import Lookup
from ledger.kernel.match import Match
from ledger.kernel.records import Fact, tag_of
from ledger.kernel.recount import CONFLICTS, RESULT, StatedTotal
from ledger.kernel.refusals import Refused
from ledger.kernel.story import ConflictBegun, ConflictDecided, ConflictEnded
from ledger.kernel.terms import Terms
from ledger.log.read.history import History, Moment
from replays.verify.refold import Follower

from .document import Account, ConflictAudit, CountedTotal, Finding, count_of

COMPARE_EVERY: Final = 256  # events after which the two tables are compared, and at the end
COUNT_EVERY: Final = 16  # events after which all pieces are counted, and at the end


class _Running(NamedTuple):
    """The conflict in progress. It is immutable, so that a line can go back to it."""

    first: int
    label: str
    cell: str
    claims: Sequence[CountedTotal] = ()
    outcome: str = ""


class Recounts(Follower):
    """Follows a fold and counts its facts again."""

    def __init__(self) -> None:
        self.conflicts: list[ConflictAudit] = []
        self.findings: dict[str, list[Finding]] = defaultdict(list)  # by check
        self.counted: Counter[str] = Counter()  # claims, by check
        self.points: list[CountedTotal] = []  # what adds to scores, and who has won
        self._state: Any = None
        self._terms: Terms  # of the state
        self._seats = 0
        self._running: _Running | None = None
        self._marks: dict[int, _Running | None] = {}
        self._at = 0
        self._apart = False
        self._within: set[str] = set()  # types of facts that neither decide nor end a conflict

    def begin(self, history: History) -> None:
        self._seats = history.created.seats

    def stand(self, match: Match | None, version: int) -> None:
        """Goes back to the conflict and the state after an earlier event."""
        self._marks.setdefault(self._at, self._running)
        self._running = self._marks.get(version)
        self._at = version
        self._state = None
        if match is not None:
            self._terms = match.terms
            self._state = match.terms.restore(match.terms.snapshot(match)).state

    def take(self, moment: Moment) -> None:
        """Counts each fact of the event again, then applies it to the second state."""
        match = moment.match
        self._marks[self._at] = self._running
        self._at = moment.version
        if match is None:
            return
        if self._state is None or self._terms is not match.terms:
            self._set_up(match)
        said = _stated_facts(match.terms, moment)
        lookup = match.terms.silent
        recounts = match.terms.rules.audit.recounts
        for place, fact in enumerate(moment.facts):
            tag = type(fact).__struct_config__.tag
            if tag in recounts:
                self._count(moment, moment.facts, place, lookup)
                if said is not None:
                    self._count_said(moment, said, place, lookup)
            fact.apply(self._state)
            if self._running is not None and tag not in self._within:
                self._divide(moment.version, fact, lookup)
        if moment.version % COMPARE_EVERY == 0:
            self.compare(match)

    def _set_up(self, match: Match) -> None:
        """Sets up an empty table, or moves the same table to other terms."""
        if self._state is None:
            self._state = match.terms.rules.setup(self._seats)
        self._terms = match.terms
        self._state.__dict__["lookup"] = match.terms.silent

    def compare(self, match: Match) -> None:
        """Compares the state that the facts alone have made with the fold's state."""
        if self._state is None or self._apart:
            return
        if msgspec.msgpack.encode(self._state) != msgspec.msgpack.encode(match.state):
            self._apart = True
            said = "the table differs from the one that the facts alone give"
            self.findings["conservation"].append(Finding(events=[match.version], said=said))

    # --- counting ------------------------------------------------------------------------------

    def _claims(self, facts: Sequence[Fact], place: int, lookup: Lookup) -> Iterator[StatedTotal]:
        recount = self._terms.rules.audit.recounts.get(tag_of(facts[place]))
        if recount is not None:
            yield from recount(self._state, facts, place, lookup)

    def _count(self, moment: Moment, facts: Sequence[Fact], place: int, lookup: Lookup) -> None:
        for claim in self._claims(facts, place, lookup):
            self.counted[claim.check] += 1
            right = claim.right
            told = count_of(moment.version, claim, right=right)
            if not right:
                finding = _finding(moment.version, claim, "the rules here give")
                self.findings[claim.check].append(finding)
            if claim.check == CONFLICTS:
                self._add(moment.version, tag_of(facts[place]), told, facts[place], lookup)
            elif claim.check == RESULT:
                self.points.append(told)

    def _count_said(self, moment: Moment, said: Sequence[Fact], place: int, lookup: Lookup) -> None:
        """Counts again a fact that the log states and the fold does not give."""
        if place >= len(said) or said[place] == moment.facts[place]:
            return
        if type(said[place]) is not type(moment.facts[place]):
            return
        try:
            claims = list(self._claims(said, place, lookup))
        except (AssertionError, LookupError, TypeError, ValueError, AttributeError, Refused):
            return  # whatever stands in it: that it is another fact is found by the outcome
        for claim in claims:
            if not claim.right:
                finding = _finding(moment.version, claim, "the log states")
                self.findings[claim.check].append(finding)
                if self._running is not None and claim.check == CONFLICTS:
                    told = count_of(moment.version, claim, right=False)
                    self._running = self._running._replace(claims=[*self._running.claims, told])

    # --- conflicts -----------------------------------------------------------------------------

    def _add(self, version: int, tag: str, told: CountedTotal, fact: Fact, lookup: Lookup) -> None:
        if self._running is None:
            steps = self._steps(tag, fact, lookup)
            begun = next((one for one in steps if isinstance(one, ConflictBegun)), None)
            if begun is None:
                return
            self._running = _Running(version, begun.label, begun.cell or "")
        self._running = self._running._replace(claims=[*self._running.claims, told])

    def _steps(self, tag: str, fact: Fact, lookup: Lookup) -> Sequence[Any]:
        beat = self._terms.rules.shown.story.by_tag.get(tag)
        if beat is None or beat.conflict is None:
            return ()
        return beat.conflict(self._seen(fact), lookup, None)

    def _seen(self, fact: Fact) -> dict[str, Any]:
        called = self._terms.rules.shown.called
        seen: dict[str, Any] = view(fact, ALL_SEATS)
        names = () if called is None else called(self._state, self._terms.silent)
        return seen | {"called": list(names)} if names else seen

    def _divide(self, version: int, fact: Fact, lookup: Lookup) -> None:
        """Records the outcome of a conflict when it is decided, and closes it when it ends."""
        assert self._running is not None, "somebody asked before"
        steps = self._steps(tag_of(fact), fact, lookup)
        if steps and not any(isinstance(step, ConflictDecided | ConflictEnded) for step in steps):
            self._within.add(tag_of(fact))  # facts of this type only add to a side
        for step in steps:
            if isinstance(step, ConflictDecided):
                said = f"{self._running.outcome} {step.outcome}".strip()
                self._running = self._running._replace(outcome=said)
            elif isinstance(step, ConflictEnded):
                self._end(version)
                return

    def _end(self, version: int) -> None:
        assert self._running is not None, "somebody asked before"
        conflict = self._running._asdict() | {"last": version, "claims": [*self._running.claims]}
        self.conflicts.append(ConflictAudit(**conflict))
        self._running = None

    def finish(self, match: Match | None) -> None:
        """Compares the states once more, and adds an unfinished conflict as far as it goes."""
        if match is not None:
            self.compare(match)
        if self._running is not None:
            self._end(self._at)


def _stated_facts(terms: Terms, moment: Moment) -> Sequence[Fact] | None:
    """Decodes the facts that the log states; None if the fold gives the same or they are
    unreadable.
    """
    if moment.stated is None:
        return None
    kinds: Any = Union[tuple(terms.current(kind) for kind in terms.rules.facts)]  # noqa: UP007
    try:
        read: list[Fact] = msgspec.msgpack.decode(moment.stated, type=list[kinds])
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
    return read


def _finding(version: int, claim: StatedTotal, whose: str) -> Finding:
    wrong = [one for one in claim.stated if one not in claim.counted]
    right = [one for one in claim.counted if one not in claim.stated]
    rule = (right or wrong)[0].rule if right or wrong else claim.rule
    return Finding(
        events=[version],
        rule=rule,
        said=f"{claim.about}: {whose} {_value(claim.stated)}, recounted {_value(claim.counted)}",
        needed=[one._asdict() for one in right],
        has=[one._asdict() for one in wrong],
    )


def _value(items: Sequence[Any]) -> int:
    return sum(one.value for one in items)


# --- conservation ---------------------------------------------------------------------------------


class Conservation(Follower):
    """Follows a fold and checks accounts and counts along every line.

    It reports only the first finding, because later ones follow from it.
    """

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.counts: Mapping[str, int] = {}  # what never changes
        self.moves: list[tuple[int, Transferred]] = []
        self._held: dict[str, Counter[str]] = defaultdict(Counter)  # by currency and account
        self._since = 0  # the first event after which nothing was counted yet

    def stand(self, match: Match | None, version: int) -> None:
        """Takes the accounts from the position that the line goes back to."""
        self._held.clear()
        self._held.update((name, Counter(book)) for name, book in _balances(match).items())

    def take(self, moment: Moment) -> None:
        match = moment.match
        if match is None or self.findings:
            return
        due = moment.version % COUNT_EVERY == 0 or not self.counts
        transfers = [fact for fact in moment.facts if isinstance(fact, Transferred)]
        for fact in transfers:
            self._move(moment.version, fact)
        self._since = self._since or moment.version
        if due or transfers:
            self._check_accounts(moment.version, match)
        if due:
            self._check_counts(moment.version, match)

    def finish(self, match: Match | None) -> None:
        if match is not None and not self.findings:
            self._check_counts(match.version, match)

    def _move(self, version: int, fact: Transferred) -> None:
        held = self._held[fact.currency]
        held[fact.source] -= fact.amount
        held[fact.target] += fact.amount
        self.moves.append((version, fact))
        if fact.amount <= 0:
            self._find(version, fact.rule, "a transfer moves nothing", 1, fact.amount)
        if fact.source != BANK and held[fact.source] < 0:
            has = held[fact.source] + fact.amount
            self._find(version, fact.rule, f"{fact.source} is overdrawn", fact.amount, has)

    def _check_accounts(self, version: int, match: Match) -> None:
        for currency, book in _balances(match).items():
            kept = self._held[currency]
            if sum(book.values()):
                said = f"the {currency} in all accounts do not add up to zero"
                self._find(version, "", said, 0, sum(book.values()))
            for account in {**book, **kept}:
                if book.get(account, 0) != kept[account]:
                    said = f"{account} holds {currency} that no transfer brought, or lacks some"
                    self._find(version, "", said, kept[account], book.get(account, 0))

    def _check_counts(self, version: int, match: Match) -> None:
        conserved = match.terms.rules.audit.conserved
        if conserved is None or not match.version:
            return
        counts = conserved(match.state)
        if not self.counts:
            self.counts = dict(counts)
        for name, count in counts.items():
            if count != self.counts.get(name, 0):
                self._find(version, "", name, self.counts.get(name, 0), count)
                if self._since and self._since != version:
                    self.findings[0].events = [self._since, version]
        self._since = 0

    def _find(self, version: int, rule: str, said: str, needed: int, has: int) -> None:
        if not self.findings:
            finding = Finding(events=[version], rule=rule, said=said, needed=needed, has=has)
            self.findings.append(finding)

    def accounts(self, line: Sequence[int]) -> list[Account]:
        """Returns what went through each account on a line, with the balances at its end."""
        on_line = set(line)
        received: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)  # by rule
        paid: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for version, fact in self.moves:
            if version in on_line:
                received[fact.currency, fact.target][fact.rule] += fact.amount
                paid[fact.currency, fact.source][fact.rule] += fact.amount
        return [
            Account(
                currency=currency,
                account=account,
                received=dict(sorted(received[currency, account].items())),
                paid=dict(sorted(paid[currency, account].items())),
                balance=balance,
            )
            for currency, book in sorted(self._held.items())
            for account, balance in sorted(book.items())
        ]


def _balances(match: Match | None) -> Mapping[str, Mapping[str, int]]:
    """Returns the accounts of a position by currency; none if its game keeps none."""
    accounts = None if match is None else getattr(match.state, "accounts", None)
    return accounts.balances if isinstance(accounts, Accounts) else {}
