"""Market: deals in ore and grain. Grain stays where it is while people work."""

from __future__ import annotations

from typing import Literal

import msgspec

from ledger.kernel.accounts import BANK, Accounts, pay
from ledger.kernel.audience import Open
from ledger.kernel.pacts import Template, Window
from ledger.kernel.records import Happenings, Step
from ledger.kernel.refusals import Refused
from ledger.parts.deals import agreement, negotiation, offers, transfers
from ledger.parts.deals.agreement import PaymentIn
from ledger.parts.deals.answers import ANSWERS
from ledger.parts.deals.pacts import pays
from ledger.parts.deals.shown.forms import DealForms
from ledger.parts.deals.shown.words import DealWords
from ledger.parts.deals.transfers import Currency
from tests.support.bazaar.rounds import PHASES, WORK, Begin, Stalls, game_of, names_of

ORE, GRAIN = Currency("ore", "ore", "ores"), Currency("grain", "sack of grain", "sacks of grain")
TEMPLATES = (Template("pay", "to pay later"),)


class Promise(agreement.Promise[Literal["pay"]], frozen=True):
    currency: Open[str] = ORE.id


class Terms(agreement.DealTerms[PaymentIn, Promise], frozen=True):
    pass


class Deal(agreement.Deal[Terms, PaymentIn]):
    pass


class Market(Stalls, kw_only=True):
    accounts: Open[Accounts]
    deals: Open[list[Deal]] = msgspec.field(default_factory=list)

    def ending(self) -> Happenings:
        yield ExpireOffers()


class Opening(Step):
    """`market.start`: two ores and three sacks of grain each."""

    def run(self, market: Market) -> Happenings:
        for seat in market.seats:
            for currency, amount in ((ORE, 2), (GRAIN, 3)):
                yield from pay(
                    market.accounts, currency.id, BANK, f"seat.{seat}", amount, "market.start"
                )
        yield Begin()


class Trade(transfers.TransferIn, tag="market.give"):
    pass


class Traded(transfers.GiftIn, tag="market.given"):
    pass


class TradeCounted(transfers.TransferCounted, tag="market.counted"):
    pass


class Exchange(transfers.Exchange):
    """`market.trade`: ore and grain change hands. `market.work`: not while people work."""

    rule = "market.trade"
    currencies = (ORE, GRAIN)
    given = Traded

    @classmethod
    def check_now(cls, market: Market) -> None:
        if market.phase == WORK:
            raise Refused("not_the_moment", "market.work", "People work.")


class Transfers(transfers.Transfers):
    """`market.trade`: players give away what they have."""

    answers = (Trade,)
    exchange = Exchange
    transfer = Trade
    counted = TradeCounted
    recorded = "market.book"


class Propose(offers.Propose[Terms], tag="deal.propose"):
    pass


class DealProposed(offers.DealProposed[Terms], tag="deal.proposed"):
    record = Deal


class Offer(offers.DealOffer):
    """`market.trade`: ore for grain."""

    rule = "market.trade"
    recorded = "market.book"
    exchange = Exchange
    owing = frozenset(("pay",))


class Deals(negotiation.Deals):
    """`market.trade`: players deal as they like."""

    answers = (Propose, *ANSWERS)
    proposed = DealProposed
    offer = Offer


class ExpireOffers(negotiation.ExpireOffers):
    """`market.trade`: an offer holds as long as it says."""

    offer = Offer


WORDS = DealWords(
    names=names_of,
    promises={"pay": "will pay {to} {paid}"},
    phases=PHASES,
    currencies=Exchange.currencies,
)
MARKET = game_of(
    __name__,
    setup=lambda seats: Market(players=seats, accounts=Accounts.opened(ORE.id, GRAIN.id)),
    first=Opening(),
    standing=(Transfers(), Deals()),
    exchange=Exchange,
    words=WORDS,
    forms=DealForms(
        words=WORDS, templates=TEMPLATES, usual="pay", about="Nothing.", last_phase=WORK,
        transfer=Trade,
        gives_now=lambda seen, _: seen["state"]["phase"] != WORK,
        held=lambda seen, currency, _: seen["state"]["accounts"]["balances"][currency.id].get(
            f"seat.{seen['seat']}", 0
        ),
    ),
    binding=True,
    rule="market.trade",
    meaning=lambda _, deal, promise: pays(Traded, deal, promise, Window()),
)  # fmt: skip
