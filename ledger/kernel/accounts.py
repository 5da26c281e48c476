"""Accounts: every currency moves by transfers between accounts, the bank included.

    state:  purse: Open[Accounts]
    rule:   yield from pay(board.purse, "chips", account_of(0), "pot", 2, "stakes.ante")

No account but the bank can be overdrawn: `pay` refuses with the evidence before anything
moves, and `Transferred.apply` asserts it again. The sum over all accounts of a currency is
always zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from .audience import Open
from .records import Fact, Seat
from .refusals import Refused

BANK: Final = "bank"  # the one account that may owe


def account_of(seat: Seat, part: str = "") -> str:
    """Returns the name of a seat's account, or of a part that the rules keep separate."""
    return f"seat.{seat}.{part}" if part else f"seat.{seat}"


def holder(account: str) -> Seat | None:
    """Returns the seat that owns an account, or None."""
    kind, _, rest = account.partition(".")
    seat = rest.partition(".")[0]
    return int(seat) if kind == "seat" and seat.isdecimal() else None


class Accounts(msgspec.Struct, array_like=True):
    balances: Open[dict[str, dict[str, int]]]

    @classmethod
    def opened(cls, *currencies: str) -> Accounts:
        """Returns accounts with all balances zero."""
        return cls({currency: {BANK: 0} for currency in currencies})

    def balance(self, currency: str, account: str) -> int:
        return self.balances[currency].get(account, 0)

    def move(self, currency: str, source: str, target: str, amount: int) -> None:
        """Moves an amount. Only a fact calls this."""
        book = self.balances[currency]
        book[source] = book.get(source, 0) - amount
        book[target] = book.get(target, 0) + amount
        assert source == BANK or book[source] >= 0, f"{source} owes {-book[source]} {currency}"

    def out_of_balance(self) -> dict[str, int]:
        """Returns the currencies whose accounts do not sum to zero. It is always empty."""
        sums = {currency: sum(book.values()) for currency, book in self.balances.items()}
        return {currency: total for currency, total in sums.items() if total}


class Transferred(Fact, tag="accounts.transferred"):
    """An amount went from one account to another, by a rule."""

    currency: Open[str]
    source: Open[str]
    target: Open[str]
    amount: Open[int]
    rule: Open[str]

    def apply(self, state: Any) -> None:
        state.accounts.move(self.currency, self.source, self.target, self.amount)


def pay(
    accounts: Accounts, currency: str, source: str, target: str, amount: int, rule: str
) -> Iterator[Fact]:
    """Yields the transfer, or nothing for an amount of zero. Refuses an overdraft with evidence."""
    assert amount >= 0, f"a transfer moves forward: {amount}"
    held = accounts.balance(currency, source)
    if source != BANK and held < amount:
        evidence = {"account": source, "currency": currency, "needed": amount, "has": held}
        raise Refused("overdrawn", rule, "", evidence)
    if amount:
        yield Transferred(currency, source, target, amount, rule)
