"""Deals: at any time, about anything. No rule enforces them; the record shows who kept them."""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.parts.deals import negotiation, offers
from ledger.parts.deals.answers import ANSWERS
from ledger.parts.refusals import make_refusal

from .agreement import Deal, Promise, Terms
from .transfers import Exchange

# CAPs that are owed; and promises that say exactly what they mean.
LATER: Final = frozenset(("pay", "pay-at-collection"))
EXACT: Final = frozenset(("hold-fire", "choose-arbiter", "choose-starter", "pay-at-collection"))


class Propose(offers.Propose[Terms], tag="deal.propose"):
    """Offer a deal, its terms open to all or to the parties; it may counter another offer."""


class DealProposed(offers.DealProposed[Terms], tag="deal.proposed"):
    """A player offered a deal."""

    record = Deal


class Offer(offers.DealOffer):
    """`deal.any`: players may agree on anything, at any time; this only governs how they say it.

    With the last acceptance all payments move at once.

    `deal.caps`: each giver must have what it gives, one payment after another.
    `deal.audit`: each party of an accepted deal may say who has kept it.
    """

    rule = "deal.any"
    recorded = "deal.audit"
    exchange = Exchange
    owing = LATER

    @classmethod
    def may_be_private(cls, galaxy: Galaxy) -> bool:
        return bool(galaxy.reads("deal.visibility") != "public")

    @classmethod
    def check_promise(cls, galaxy: Galaxy, promise: Promise) -> None:
        """Checks only the newer templates, which are exact; the older ones may use words."""
        if promise.what not in EXACT:
            return
        evidence = {"what": promise.what, "subject": promise.subject}
        if promise.to == promise.seat:
            message = "A promise must be made to another player."
            raise make_refusal("bad_promise", "deal.audit", message, **evidence)
        if promise.what == "hold-fire" and galaxy.place(promise.subject) is None:
            message = "The promise must name a sector or a board in play."
            raise make_refusal("bad_promise", "deal.audit", message, **evidence)


class Deals(negotiation.Deals):
    """`deal.any`: players may make any deal at any time.

    `deal.non-binding`: no rule enforces it. `deal.audit`: the record shows the offer, its answers,
    the transfers that name it and the parties' statements; none of that alters the table.
    """

    answers = (Propose, *ANSWERS)
    proposed = DealProposed
    offer = Offer


class ExpireOffers(negotiation.ExpireOffers):
    """`deal.any`: a party can accept an offer until the phase that the offer names is over."""

    offer = Offer
