"""Market: deals in ore and grain. Grain stays where it is while people work."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, ClassVar, Literal

import msgspec

from ledger.kernel.accounts import BANK, Accounts, pay
from ledger.kernel.audience import Open
from ledger.kernel.pacts import Pacts, Template, Window
from ledger.kernel.records import Decision, Happenings, State, Step
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import AuditRules, Ruleset, Shown
from ledger.kernel.story import Story
from ledger.parts.deals import agreement, answers, negotiation, offers, transfers
from ledger.parts.deals.agreement import PaymentIn
from ledger.parts.deals.answers import Accept, Reject, StateOutcome, Withdraw
from ledger.parts.deals.pacts import pays, reads_with
from ledger.parts.deals.recount import recounts
from ledger.parts.deals.shown.forms import DealForms
from ledger.parts.deals.shown.proposals import open_offers
from ledger.parts.deals.shown.story import beats
from ledger.parts.deals.shown.wording import wordings
from ledger.parts.deals.shown.words import DealWords
from ledger.parts.deals.transfers import Currency
from tests.support.bazaar import rounds
from tests.support.bazaar.rounds import PHASES, ROUNDS, WORK

ORE, GRAIN = Currency("ore", "ore", "ores"), Currency("grain", "sack of grain", "sacks of grain")
TEMPLATES = (Template("pay", "to pay later"),)


class Promise(agreement.Promise[Literal["pay"]], frozen=True):
    currency: Open[str] = ORE.id


class Terms(agreement.DealTerms[PaymentIn, Promise], frozen=True):
    pass


class Deal(agreement.Deal[Terms, PaymentIn]):
    pass


class Market(State):
    players: Open[int]
    accounts: Open[Accounts]
    round: Open[int] = 0
    phase: Open[int] = 0
    deals: Open[list[Deal]] = msgspec.field(default_factory=list)
    counts: Open[dict[str, int]] = msgspec.field(default_factory=dict)

    @property
    def seats(self) -> range:
        return range(self.players)

    @property
    def over(self) -> bool:
        return self.round > ROUNDS

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
        yield rounds.Begin()


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

    answers: ClassVar[tuple[type[Decision], ...]] = (Trade,)
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


class Acceptance(offers.Acceptance):
    offer = Offer


class Outcome(offers.Outcome):
    offer = Offer


class Deals(negotiation.Deals):
    """`market.trade`: players deal as they like."""

    answers: ClassVar[tuple[type[Decision], ...]] = (
        Propose, Accept, Reject, Withdraw, StateOutcome,
    )  # fmt: skip
    proposed = DealProposed
    offer = Offer
    acceptance = Acceptance
    outcome = Outcome


class ExpireOffers(negotiation.ExpireOffers):
    """`market.trade`: an offer holds as long as it says."""

    offer = Offer


def names_of(seen: Any, _: Any) -> tuple[str, ...]:
    return ("Ann", "Bob", "Cid")[: seen["state"]["players"]]


WORDS = DealWords(
    names=names_of,
    promises={"pay": "will pay {to} {paid}"},
    phases=PHASES,
    currencies=Exchange.currencies,
)
FORMS = DealForms(
    words=WORDS, templates=TEMPLATES, usual="pay", about="Nothing.", last_phase=WORK,
    transfer=Trade,
    gives_now=lambda seen, _: seen["state"]["phase"] != WORK,
    held=lambda seen, currency, _: seen["state"]["accounts"]["balances"][currency.id].get(
        f"seat.{seen['seat']}", 0
    ),
)  # fmt: skip
MARKET = Ruleset.of_chapters(
    "market",
    title="Market",
    seats=range(3, 4),
    chapters=(rounds, sys.modules[__name__], answers),
    state=Market,
    setup=lambda seats: Market(players=seats, accounts=Accounts.opened(ORE.id, GRAIN.id)),
    first=Opening(),
    result=rounds.result_of,
    standing=(Transfers(), Deals()),
    shown=Shown(
        story=Story(beats=beats(WORDS, DealProposed, Traded)),
        wording=lambda option, seen, lookup: wordings(WORDS, Trade)[option["type"]](
            option, seen, lookup
        ),
        forms=FORMS.forms,
        offers=partial(open_offers, WORDS),
    ),
    audit=AuditRules(
        recounts=recounts(Exchange),
        pacts=Pacts(
            binding=True, rule="market.trade", templates=TEMPLATES, reads=reads_with(Traded),
            meaning=lambda _, deal, promise: pays(Traded, deal, promise, Window()),
            words=WORDS.promise, clock={},
        ),
    ),
)  # fmt: skip
