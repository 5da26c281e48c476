"""Tests as sentences: given a match, when a seat decides, then these facts; or it is refused.

    given(match_of("tictactoe")).then(FirstNamed(0)).asks(0)
    given(match).when(0, Mark(4)).then(Marked(0, 4)).when(1, Mark(4)).refused("cell_taken")

Every refusal is checked to have changed nothing, so no sentence needs to say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.games import ruleset
from ledger.kernel import lookup
from ledger.kernel.accounts import BANK
from ledger.kernel.chance import Rolled
from ledger.kernel.content import Overlay
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.readings import Value
from ledger.kernel.records import CHANCE, Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import PRINTED, Ruleset
from ledger.kernel.terms import Terms


def terms_of(
    rules: str | Ruleset,
    *,
    edition: str = PRINTED,
    options: Mapping[str, Value] | None = None,
    overlay: Overlay | None = None,
) -> Terms:
    named = ruleset(rules) if isinstance(rules, str) else rules
    return Terms(named, edition, options, overlay)


def match_of(
    rules: str | Ruleset | Terms,
    *,
    seats: int | None = None,
    edition: str = PRINTED,
    options: Mapping[str, Value] | None = None,
    overlay: Overlay | None = None,
) -> Match:
    """A match before its first step; `given` begins it."""
    if not isinstance(rules, Terms):
        rules = terms_of(rules, edition=edition, options=options, overlay=overlay)
    return rules.open_match(rules.rules.seats.start if seats is None else seats)


def noted(part: Any) -> Any:
    """All that a door, or a part of one, remembers; what is empty says nothing."""
    if _of_a_lookup(part):
        return noted({name: v for name, v in vars(part).items() if name not in _NO_NOTES})
    if isinstance(part, dict):
        walked = {name: noted(inner) for name, inner in part.items()}
        return {name: inner for name, inner in walked.items() if inner}
    back = isinstance(part, tuple) and any(map(_of_a_lookup, part))
    return None if back or part in ([], False, None) else repr(part)


_NO_NOTES = ("_lookup", "_silent", "_name", "_behind")  # what the parts of a lookup are made of


def _of_a_lookup(part: Any) -> bool:
    return type(part).__module__ == lookup.__name__


def everything(match: Match) -> dict[str, Any]:
    """Returns what a refusal may not change: bytes, rule-use index, and the lookup's memory."""
    return {
        "bytes": match.terms.snapshot(match),
        "used": dict(match.used),
        "lookup": noted(match.lookup),
        "known": dict(match.known),
        "broken": match.broken,
        "asks through": match.state.lookup is match.terms.silent,
    }


class Given:
    """A match, and what became of the last attempt to change it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.facts: list[Fact] = []
        self.refusal: Refused | None = None
        if match.version == 0:
            self.facts = begin(match)

    @property
    def state(self) -> Any:
        return self.match.state

    def when(self, seat: Seat, decision: Decision) -> Given:
        """A seat decides."""
        self._nothing_unsaid()
        before = everything(self.match)
        try:
            self.facts = fold(self.match, seat, decision)
        except Refused as refusal:
            self.refusal, self.facts = refusal, []
        if self.refusal is not None:
            assert everything(self.match) == before, f"{self.refusal} changed something"
        return self

    def rolled(self, *values: int) -> Given:
        """Dice fall."""
        return self.when(CHANCE, Rolled(values))

    def then(self, *facts: Fact) -> Given:
        """These facts, all of them, in this order."""
        self._nothing_unsaid()
        assert self.facts == list(facts)
        return self

    def refused(self, code: str, rule: str | None = None, **evidence: Any) -> Given:
        """The last decision was refused: with this code, by this rule, on this evidence."""
        assert self.refusal is not None, f"not refused: {self.facts}"
        assert self.refusal.code == code, self.refusal.sentence()
        assert rule is None or self.refusal.rule == rule, self.refusal.sentence()
        shown = {name: self.refusal.evidence.get(name) for name in evidence}
        assert shown == evidence
        self.refusal = None
        return self

    def asks(self, *seats: Seat, key: str | None = None) -> Given:
        """The question on top asks these seats."""
        self._nothing_unsaid()
        assert self.match.asked() == seats
        assert key is None or self.match.key(seats[0]) == key
        return self

    def offers(self, seat: Seat, *options: Decision) -> Given:
        """The seat may decide so, and nothing else that can be listed."""
        self._nothing_unsaid()
        assert self.match.options(seat) == list(options)
        return self

    def ends(
        self, *, winners: tuple[Seat, ...], scores: tuple[int, ...], reason: str | None = None
    ) -> Given:
        """Nothing is left to do, and this is the result."""
        self._nothing_unsaid()
        assert self.match.ended
        result = self.match.result()
        assert (result.winners, result.scores) == (winners, scores)
        assert reason is None or result.reason == reason
        return self

    def holds(self, currency: str, **balances: int) -> Given:
        """The accounts hold so much; `seat_0` stands for the account `seat.0`."""
        self._nothing_unsaid()
        for account, amount in balances.items():
            name = account.replace("_", ".")
            assert self.state.accounts.balance(currency, name) == amount, name
        assert self.state.accounts.out_of_balance() == {}
        assert all(
            amount >= 0
            for account, amount in self.state.accounts.balances[currency].items()
            if account != BANK
        )
        return self

    def _nothing_unsaid(self) -> None:
        assert self.refusal is None, f"refused, and the test does not say so: {self.refusal}"


def given(match: Match) -> Given:
    """Begin a sentence; a match that has not begun begins."""
    return Given(match)
