"""Accounts: every currency moves by transfers between accounts, the bank included.

    state:  purse: Open[Accounts]
    rule:   yield from pay(board.purse, "chips", account_of(0), "pot", 2, "stakes.ante")

No account but the bank can be overdrawn: `pay` refuses with the evidence before anything moves,
and `Transferred.apply` asserts it again. The sum over all accounts of a currency is always zero.
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
    """The account of a seat, or a part of it that the rules keep apart."""
    return f"seat.{seat}.{part}" if part else f"seat.{seat}"


def holder(account: str) -> Seat | None:
    """The seat that an account belongs to, if to any."""
    kind, _, rest = account.partition(".")
    seat = rest.partition(".")[0]
    return int(seat) if kind == "seat" and seat.isdecimal() else None


class Accounts(msgspec.Struct, array_like=True):
    """Balances by currency and account."""

    balances: Open[dict[str, dict[str, int]]]

    @classmethod
    def opened(cls, *currencies: str) -> Accounts:
        """Books without an entry."""
        return cls({currency: {BANK: 0} for currency in currencies})

    def balance(self, currency: str, account: str) -> int:
        """What an account holds."""
        return self.balances[currency].get(account, 0)

    def move(self, currency: str, source: str, target: str, amount: int) -> None:
        """Move an amount; called by a fact."""
        book = self.balances[currency]
        book[source] = book.get(source, 0) - amount
        book[target] = book.get(target, 0) + amount
        assert source == BANK or book[source] >= 0, f"{source} owes {-book[source]} {currency}"

    def out_of_balance(self) -> dict[str, int]:
        """Currencies whose sum over all accounts is not zero: always empty."""
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
        """Book it."""
        state.accounts.move(self.currency, self.source, self.target, self.amount)


def pay(
    accounts: Accounts, currency: str, source: str, target: str, amount: int, rule: str
) -> Iterator[Fact]:
    """The transfer, or a refusal that says what is lacking; nothing for an amount of zero."""
    assert amount >= 0, f"a transfer moves forward: {amount}"
    held = accounts.balance(currency, source)
    if source != BANK and held < amount:
        evidence = {"account": source, "currency": currency, "needed": amount, "has": held}
        raise Refused("overdrawn", rule, "", evidence)
    if amount:
        yield Transferred(currency, source, target, amount, rule)
