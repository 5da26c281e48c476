"""Conservation: after every event of every line all CAPs and pieces are still accounted for.

This module keeps the accounts a second time, from the transfers in the facts. The ruleset's own
counts (cards, tiles, pieces) must stay what they were after the first event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from ledger.kernel.accounts import BANK, Accounts, Transferred
from ledger.kernel.match import Match
from ledger.log.read.history import Moment
from replays.verify.followers import Follower

from .document import Account, Finding

COUNT_EVERY: Final = 16  # events after which everything is counted, and at the end
# By currency and account: what came and went by each rule.
Book: TypeAlias = dict[tuple[str, str], tuple[dict[str, int], dict[str, int]]]


class Conservation(Follower):
    """Follows a fold and checks accounts and counts along every line."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.transfers = 0
        self.counts: Mapping[str, int] = {}  # what never changes
        self._held: dict[str, dict[str, int]] = {}  # by currency and account
        self._moves: list[tuple[int, Transferred]] = []
        self._broken = False
        self._since = 0  # the first event after which nothing was counted yet

    def stand(self, match: Match | None, version: int) -> None:
        """Takes the accounts from the position that the line goes back to."""
        self._held = {}
        accounts = _accounts(match)
        if accounts is not None:
            self._held = {currency: dict(book) for currency, book in accounts.balances.items()}

    def take(self, moment: Moment) -> None:
        match = moment.match
        if match is None or self._broken:
            return
        counting = moment.version % COUNT_EVERY == 0 or not self.counts
        for fact in moment.facts:
            if isinstance(fact, Transferred):
                self._move(moment.version, fact)
                counting = True
        self._since = self._since or moment.version
        if counting:
            self._check_accounts(moment.version, match)
        if not self.counts or moment.version % COUNT_EVERY == 0:
            self._check_counts(moment.version, match)

    def finish(self, match: Match | None) -> None:
        if match is not None and not self._broken:
            self._check_counts(match.version, match)

    def _move(self, version: int, fact: Transferred) -> None:
        self.transfers += 1
        held = self._held.setdefault(fact.currency, {})
        held[fact.source] = held.get(fact.source, 0) - fact.amount
        held[fact.target] = held.get(fact.target, 0) + fact.amount
        self._moves.append((version, fact))
        if fact.amount <= 0:
            self._find(version, fact.rule, "a transfer moves nothing", 1, fact.amount)
        if fact.source != BANK and held[fact.source] < 0:
            has = held[fact.source] + fact.amount
            self._find(version, fact.rule, f"{fact.source} is overdrawn", fact.amount, has)

    def _check_accounts(self, version: int, match: Match) -> None:
        accounts = _accounts(match)
        if accounts is None:
            return
        for currency, book in accounts.balances.items():
            kept = self._held.setdefault(currency, {})
            if sum(book.values()):
                said = f"the {currency} in all accounts do not add up to zero"
                self._find(version, "", said, 0, sum(book.values()))
            for account in {**book, **kept}:
                if book.get(account, 0) != kept.get(account, 0):
                    said = f"{account} holds {currency} that no transfer brought, or lacks some"
                    self._find(version, "", said, kept.get(account, 0), book.get(account, 0))

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
                if self._since and self._since != version and self.findings:
                    self.findings[-1].events = [self._since, version]
        self._since = 0

    def _find(self, version: int, rule: str, said: str, needed: int, has: int) -> None:
        """Reports only the first finding, because later ones follow from it."""
        if not self._broken:
            finding = Finding(events=[version], rule=rule, said=said, needed=needed, has=has)
            self.findings.append(finding)
        self._broken = True

    def accounts(self, line: Sequence[int]) -> list[Account]:
        """Returns what went through each account on a line, with the balances at its end."""
        on_line, found = set(line), []
        moved: Book = {}
        for version, fact in self._moves:
            if version in on_line:
                for account, place in ((fact.target, 0), (fact.source, 1)):
                    sums = moved.setdefault((fact.currency, account), ({}, {}))[place]
                    sums[fact.rule] = sums.get(fact.rule, 0) + fact.amount
        for currency, book in sorted(self._held.items()):
            for account, balance in sorted(book.items()):
                received, paid = moved.get((currency, account), ({}, {}))
                found.append(
                    Account(
                        currency=currency,
                        account=account,
                        received=dict(sorted(received.items())),
                        paid=dict(sorted(paid.items())),
                        balance=balance,
                    )
                )
        return found


def _accounts(match: Match | None) -> Accounts | None:
    found = None if match is None else getattr(match.state, "accounts", None)
    return found if isinstance(found, Accounts) else None
