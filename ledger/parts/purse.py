"""Purses: what each seat owns of one currency, and how it is spent, gained and given.

    CAPS = Purse("caps", "CAPs")
    yield from CAPS.spend(galaxy, seat, 7, "build.cost")

The currency lies in `state.accounts` (see `ledger.kernel.accounts`); each transfer cites its rule.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ledger.kernel.accounts import BANK, account_of, pay
from ledger.kernel.records import Happenings, Seat
from ledger.kernel.refusals import Refused


class Purse(NamedTuple):
    """One currency of a game, as its players own it."""

    currency: str
    called: str  # in sentences: "The player has not so many CAPs."

    def of(self, state: Any, seat: Seat) -> int:
        """Returns what a seat owns."""
        balance: int = state.accounts.balance(self.currency, account_of(seat))
        return balance

    def check_price(self, state: Any, seat: Seat, price: int, rule: str) -> None:
        """Refuses what the seat cannot pay in full."""
        has = self.of(state, seat)
        if has < price:
            evidence = {"needed": price, "has": has}
            message = f"The player does not have so many {self.called}."
            raise Refused("unaffordable", rule, message, evidence)

    def spend(self, state: Any, seat: Seat, price: int, rule: str) -> Happenings:
        """Pays a price to the bank."""
        yield from pay(state.accounts, self.currency, account_of(seat), BANK, price, rule)

    def gain(
        self, state: Any, seat: Seat, amount: int, rule: str, *, limit: int | None = None
    ) -> Happenings:
        """Pays out of the bank; with a limit, the bank never has more than that outside."""
        if limit is not None:
            outside = -state.accounts.balance(self.currency, BANK)
            amount = min(amount, max(0, limit - outside))
        yield from pay(state.accounts, self.currency, BANK, account_of(seat), amount, rule)

    def give(self, state: Any, seat: Seat, to: Seat, amount: int, rule: str) -> Happenings:
        """Moves an amount from one player to another."""
        purses = account_of(seat), account_of(to)
        yield from pay(state.accounts, self.currency, *purses, amount, rule)
