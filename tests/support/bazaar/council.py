"""Council: deals are notes between players, public, made while people talk. Nothing moves."""

from __future__ import annotations

from typing import Literal

import msgspec

from ledger.kernel.audience import Open
from ledger.kernel.pacts import Template
from ledger.kernel.records import Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.deals import agreement, negotiation, offers
from ledger.parts.deals.agreement import Payment
from ledger.parts.deals.answers import ANSWERS
from ledger.parts.deals.shown.forms import DealForms
from ledger.parts.deals.shown.words import DealWords
from tests.support.bazaar.rounds import PHASES, TALK, WORK, Begin, Stalls, game_of, names_of

TEMPLATES = (
    Template("ally", "to be their ally", judged=False),
    Template("other", "something else", judged=False),
)


class Promise(agreement.Promise[Literal["ally", "other"]], frozen=True):
    pass


class Notes(agreement.Notes[Promise], frozen=True):
    pass


class Deal(agreement.Deal[Notes, Payment]):
    pass


class Council(Stalls):
    deals: Open[list[Deal]] = msgspec.field(default_factory=list)

    def ending(self) -> Happenings:
        yield ExpireOffers()


class Propose(offers.Propose[Notes], tag="deal.propose"):
    pass


class DealProposed(offers.DealProposed[Notes], tag="deal.proposed"):
    record = Deal


class Offer(offers.DealOffer):
    """`council.note`: alliances are noted while people talk; they bind nobody."""

    rule = "council.note"
    recorded = "council.book"

    @classmethod
    def check_time(cls, council: Council, seat: Seat) -> None:
        if council.phase != TALK:
            raise Refused("not_the_moment", cls.rule, "The talk is over.", {"seat": seat})

    @classmethod
    def may_be_private(cls, _: Council) -> bool:
        return False


class Deals(negotiation.Deals):
    """`council.note`: players ally as they like. `council.book`: all of it is on record."""

    answers = (Propose, *ANSWERS)
    proposed = DealProposed
    offer = Offer


class ExpireOffers(negotiation.ExpireOffers):
    """`council.note`: an offer holds as long as it says."""

    offer = Offer


WORDS = DealWords(
    names=names_of,
    promises={"ally": "is an ally of {to}", "other": "promises {to}{about}"},
    phases=PHASES,
    round="turn",
)
COUNCIL = game_of(
    __name__,
    setup=lambda seats: Council(players=seats),
    first=Begin(),
    standing=(Deals(),),
    words=WORDS,
    forms=DealForms(
        words=WORDS, templates=TEMPLATES, usual="ally", about="Anything.", last_phase=WORK,
        private=lambda _, __: False,
    ),
    binding=False,
    rule="council.note",
    meaning=lambda _, __, ___: None,
)  # fmt: skip
