"""Council: deals are notes between players, public, made while people talk. Nothing moves."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, ClassVar, Literal

import msgspec

from ledger.kernel.audience import Open
from ledger.kernel.pacts import Pacts, Template
from ledger.kernel.records import Decision, Happenings, Seat, State
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import AuditRules, Ruleset, Shown
from ledger.kernel.story import Story
from ledger.parts.deals import agreement, answers, negotiation, offers
from ledger.parts.deals.agreement import Payment
from ledger.parts.deals.answers import Accept, Reject, StateOutcome, Withdraw
from ledger.parts.deals.pacts import READS
from ledger.parts.deals.shown.forms import DealForms
from ledger.parts.deals.shown.proposals import open_offers
from ledger.parts.deals.shown.story import beats
from ledger.parts.deals.shown.wording import wordings
from ledger.parts.deals.shown.words import DealWords
from tests.support.bazaar import rounds
from tests.support.bazaar.rounds import PHASES, ROUNDS, TALK, WORK

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


class Council(State):
    players: Open[int]
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


class Acceptance(offers.Acceptance):
    offer = Offer


class Outcome(offers.Outcome):
    offer = Offer


class Deals(negotiation.Deals):
    """`council.note`: players ally as they like. `council.book`: all of it is on record."""

    answers: ClassVar[tuple[type[Decision], ...]] = (
        Propose, Accept, Reject, Withdraw, StateOutcome,
    )  # fmt: skip
    proposed = DealProposed
    offer = Offer
    acceptance = Acceptance
    outcome = Outcome


class ExpireOffers(negotiation.ExpireOffers):
    """`council.note`: an offer holds as long as it says."""

    offer = Offer


def names_of(seen: Any, _: Any) -> tuple[str, ...]:
    return ("Ann", "Bob", "Cid")[: seen["state"]["players"]]


WORDS = DealWords(
    names=names_of,
    promises={"ally": "is an ally of {to}", "other": "promises {to}{about}"},
    phases=PHASES,
    round="turn",
)
FORMS = DealForms(
    words=WORDS, templates=TEMPLATES, usual="ally", about="Anything.", last_phase=WORK,
    private=lambda _, __: False,
)  # fmt: skip
COUNCIL = Ruleset.of_chapters(
    "council",
    title="Council",
    seats=range(3, 4),
    chapters=(rounds, sys.modules[__name__], answers),
    state=Council,
    setup=lambda seats: Council(players=seats),
    first=rounds.Begin(),
    result=rounds.result_of,
    standing=(Deals(),),
    shown=Shown(
        story=Story(beats=beats(WORDS, DealProposed)),
        wording=lambda option, seen, lookup: wordings(WORDS)[option["type"]](option, seen, lookup),
        forms=FORMS.forms,
        offers=partial(open_offers, WORDS),
    ),
    audit=AuditRules(
        pacts=Pacts(
            binding=False, rule="council.note", templates=TEMPLATES, reads=READS,
            meaning=lambda _, __, ___: None, words=WORDS.promise, clock={},
        ),
    ),
)  # fmt: skip
