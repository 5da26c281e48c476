"""The recount of payments: what deals and gifts state, and what moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.accounts import Transferred
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Fact, tag_of
from ledger.kernel.recount import DEALS, Recount, StatedTotal, TotalItem

from .transfers import Exchange, currency_named


def recounts(exchange: type[Exchange]) -> Mapping[str, Recount]:
    """Returns the recounts of the deals that are made, and of the game's gifts."""
    rule = exchange.rule
    several = len(exchange.currencies) > 1

    def item(source: str, target: str, amount: int, *currency: str) -> TotalItem:
        what = f" in {currency[0]}" if several else ""
        return TotalItem(rule, f"{source} to {target}{what}", amount)

    def paid(payment: Any) -> TotalItem:
        hands = f"seat.{payment.seat}", f"seat.{payment.to}"
        return item(*hands, payment.amount, *currency_named(payment))

    def moved(fact: Transferred) -> TotalItem:
        return item(fact.source, fact.target, fact.amount, fact.currency)

    def made(table: Any, facts: Sequence[Fact], place: int, _: Lookup) -> Iterator[StatedTotal]:
        """With the last acceptance every payment of the deal is made, and nothing else."""
        fact: Any = facts[place]
        if not fact.made:
            return
        deal = next(one for one in table.deals if one.id == fact.deal)
        counted = tuple(paid(payment) for payment in deal.agreed_on.payments)
        stated = tuple(
            moved(after)
            for after in facts[place + 1 :]
            if isinstance(after, Transferred) and after.rule == rule
        )
        yield StatedTotal(DEALS, f"payments of deal {fact.deal}", rule, stated, counted)

    def given(_: Any, facts: Sequence[Fact], place: int, __: Lookup) -> Iterator[StatedTotal]:
        """The amount stated as given is the amount that moves."""
        fact: Any = facts[place]
        after = facts[place + 1] if place + 1 < len(facts) else None
        about = f"gift of seat {fact.seat} to seat {fact.to}"
        counted = (moved(after),) if isinstance(after, Transferred) else ()
        yield StatedTotal(DEALS, about, rule, (paid(fact),), counted)

    return {"deal.accepted": made, tag_of(exchange.given): given}
