"""Gifts, on account of a deal or not, in one currency or in several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Disturbs, Fact, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.purse import Purse
from ledger.parts.seats import StandingQuestion
from ledger.parts.standing import count, standing_key

from .agreement import (
    ACCEPTED,
    DealTable,
    Payment,
    PaymentIn,
    Promise,
    RichTable,
    between,
    find,
)


class Currency(NamedTuple):
    """A currency of the game's accounts, and what one and many of it are called."""

    id: str
    one: str
    many: str

    @property
    def purse(self) -> Purse:
        return Purse(self.id, self.many)

    def counted(self, amount: int) -> str:
        return f"{amount} {self.one if amount == 1 else self.many}"


def currency_in(currencies: Sequence[Currency], named: str | None) -> Currency:
    """Returns the currency of an id; the first where a record names none."""
    return next((one for one in currencies if one.id == named), currencies[0])


# --- records: the game's own have a wire name, and a docstring with its currency ------------------


class Transfer(Decision):
    """Give something to another player, on account of a deal or not."""

    disturbs: ClassVar[Disturbs] = Disturbs.TOUCHED
    to: Open[Seat]
    amount: Open[int]
    deal: Open[str] = ""


class TransferIn(Transfer):
    """A transfer in one of several currencies."""

    currency: Open[str] = ""  # never left out: it comes after a field that may be


class Gift(Fact):
    """A player gave something to another, and cannot take it back; the transfer follows."""

    irrevocable: ClassVar[bool] = True
    payment: ClassVar[type[Payment]] = Payment
    seat: Open[Seat]
    to: Open[Seat]
    amount: Open[int]
    deal: Open[str]

    def apply(self, table: DealTable) -> None:
        """Records the gift on the deal that it names."""
        if self.deal:
            find(table, self.deal).paid.append(payment_of(self.payment, self))


class GiftIn(Gift):
    """A gift in one of several currencies."""

    payment: ClassVar[type[Payment]] = PaymentIn
    currency: Open[str]


class TransferCounted(Fact):
    """A player gave something away out of turn; the count forms the next key."""

    seat: Open[Seat]

    def apply(self, table: DealTable) -> None:
        count(table, "transfer", self.seat)


def payment_of(kind: type[Payment], record: Any, **said: Any) -> Payment:
    """Returns the payment that a record's fields of the same names describe."""
    fields = {name: getattr(record, name) for name in kind.__struct_fields__ if name not in said}
    return kind(**fields, **said)


def currency_named(record: Any) -> tuple[str, ...]:
    """Returns the currency that a record names; nothing in a game of one currency."""
    return (record.currency,) if "currency" in record.__struct_fields__ else ()


# --- what may be given ----------------------------------------------------------------------------


class Exchange:
    """The things that may change hands. The game's class cites the rule and names
    currencies and records.
    """

    rule: ClassVar[str]
    currencies: ClassVar[tuple[Currency, ...]]
    given: ClassVar[type[Gift]]

    @classmethod
    def check_ever(cls, table: Any) -> None:
        """Refuses where nothing ever changes hands."""

    @classmethod
    def check_now(cls, table: Any) -> None:
        """Refuses where nothing may change hands now."""
        cls.check_ever(table)

    @classmethod
    def currency_of(cls, record: Any) -> Currency:
        """Returns the currency that a record names, or the only one."""
        named = currency_named(record) or (cls.currencies[0].id,)
        known = [currency for currency in cls.currencies if currency.id in named]
        if not known:
            evidence = {"currency": named[0][:80], "known": [one.id for one in cls.currencies]}
            raise Refused("no_such_currency", cls.rule, "There is no such currency.", evidence)
        return known[0]

    @classmethod
    def check_payment(cls, table: DealTable, payment: Payment) -> None:
        """Refuses a gift to oneself, to a player who does not exist, or of nothing."""
        currency = cls.currency_of(payment)
        evidence = {"from": payment.seat, "to": payment.to, "amount": payment.amount}
        if payment.to not in table.seats or payment.to == payment.seat:
            message = f"{currency.many} can only be given to another player of the match."
            raise Refused("no_such_player", cls.rule, message, evidence)
        if payment.amount <= 0:
            message = f"A player must give at least one {currency.one}."
            raise Refused("nothing_given", cls.rule, message, evidence)

    @classmethod
    def check_held(cls, table: RichTable, payment: Payment) -> None:
        """Refuses a gift of more than the giver has."""
        purse = cls.currency_of(payment).purse
        purse.check_price(table, payment.seat, payment.amount, cls.rule)

    @classmethod
    def check_all(cls, table: RichTable, payments: tuple[Payment, ...]) -> None:
        """Requires that each giver has what it gives, one payment after another."""
        if not payments:
            return
        cls.check_now(table)
        changes: dict[tuple[Seat, Currency], int] = {}
        for payment in payments:
            currency, amount = cls.currency_of(payment), payment.amount
            giver, getter = (payment.seat, currency), (payment.to, currency)
            if currency.purse.of(table, payment.seat) + changes.get(giver, 0) < amount:
                message = f"A party would give {amount} {currency.many} but does not have so many."
                raise Refused("unaffordable", cls.rule, message, {"seat": payment.seat})
            changes[giver] = changes.get(giver, 0) - amount
            changes[getter] = changes.get(getter, 0) + amount

    @classmethod
    def paying(cls, table: RichTable, payment: Payment, deal: str) -> Happenings:
        yield cls.given(**msgspec.structs.asdict(payment), deal=deal)
        purse = cls.currency_of(payment).purse
        yield from purse.give(table, payment.seat, payment.to, payment.amount, cls.rule)


# --- gifts out of turn ----------------------------------------------------------------------------


class Transfers(StandingQuestion):
    """Players may give something away, whichever player is asked for what. A standing question."""

    exchange: ClassVar[type[Exchange]]
    transfer: ClassVar[type[Transfer]]
    counted: ClassVar[type[TransferCounted]]
    recorded: ClassVar[str]  # the rule by which deals are recorded
    owing: ClassVar[tuple[str, ...]] = ("pay",)  # templates of which the amount is offered

    def key(self, table: DealTable, seat: Seat) -> str:
        return standing_key(table, "transfer", seat)

    def allows(self, table: RichTable, seat: Seat, decision: Transfer) -> bool:
        """Accepts an affordable amount to another player; a named deal must be between the two."""
        self.exchange.check_now(table)
        payment = self._payment(seat, decision)
        self.exchange.check_payment(table, payment)
        if decision.deal and not between(table, decision.deal, seat, decision.to):
            evidence = {"deal": decision.deal}
            message = "The two have not agreed on such a deal."
            raise Refused("no_such_deal", self.recorded, message, evidence)
        self.exchange.check_held(table, payment)
        return True

    def options(self, table: RichTable, seat: Seat) -> list[Transfer]:
        """Returns every amount to every other player, and the promised payments still due."""
        try:
            self.exchange.check_now(table)
        except Refused:
            return []
        others = [other for other in table.seats if other != seat]
        named = "currency" in self.transfer.__struct_fields__
        options = []
        for currency in self.exchange.currencies:
            what = (currency.id,) if named else ()
            amounts = range(1, currency.purse.of(table, seat) + 1)
            options += [self.transfer(to, n, "", *what) for to in others for n in amounts]
            options += [
                self.transfer(promise.to, promise.amount, deal, *what)
                for deal, promise in self._promised(table, seat)
                if promise.amount in amounts and self.exchange.currency_of(promise) == currency
            ]
        return options

    def decide(self, table: RichTable, seat: Seat, decision: Transfer) -> Happenings:
        yield self.counted(seat)
        payment = self._payment(seat, decision)
        yield from self.exchange.paying(table, payment, decision.deal)

    def _payment(self, seat: Seat, record: Any) -> Payment:
        return payment_of(self.exchange.given.payment, record, seat=seat)

    def _promised(self, table: DealTable, seat: Seat) -> Iterator[tuple[str, Promise[Any]]]:
        """Yields promised payments that the player has not made in this amount for that deal."""
        for deal in table.deals:
            if deal.status == ACCEPTED and seat in deal.parties:
                for promise in deal.agreed_on.promises:
                    owes = promise.what in self.owing and promise.seat == seat
                    if owes and self._payment(seat, promise) not in deal.paid:
                        yield deal.id, promise
