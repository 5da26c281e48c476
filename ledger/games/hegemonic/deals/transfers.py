"""Gifts of CAPs: at any time, to any player, as many as the giver has."""

from __future__ import annotations

from ledger.games.hegemonic.rounds.clock import ARBITRATION
from ledger.games.hegemonic.state.galaxy import CAPS, Galaxy
from ledger.kernel.refusals import Refused
from ledger.parts.deals import transfers
from ledger.parts.deals.transfers import Currency


class Transfer(transfers.Transfer, tag="caps.transfer"):
    """Give CAPs to another player, on account of a deal or not."""


class CapsGiven(transfers.Gift, tag="deal.caps-given"):
    """A player gave CAPs to another, and cannot take them back; the transfer follows."""


class TransferCounted(transfers.TransferCounted, tag="deal.transfer-counted"):
    """A player gave CAPs away out of turn; the count forms the next key."""


class Exchange(transfers.Exchange):
    """`deal.caps`: CAPs may be given at any time, in any amount that the giver has.

    `learn.no-caps`: not in the Learning Game. A reading may forbid them: always, or in the
    arbitration phase.
    """

    rule = "deal.caps"
    currencies = (Currency(CAPS, "CAP", "CAPs"),)
    given = CapsGiven

    @classmethod
    def check_ever(cls, galaxy: Galaxy) -> None:
        """Refuses where CAPs never change hands."""
        if galaxy.reads("learning"):
            message = "In the Learning Game, players cannot give CAPs away."
            raise Refused("caps_stay", "learn.no-caps", message)
        if galaxy.reads("deal.caps") == "never":
            raise Refused("caps_stay", "deal.caps", "In this match, players cannot give CAPs away.")

    @classmethod
    def check_now(cls, galaxy: Galaxy) -> None:
        """Refuses where CAPs may not change hands now."""
        cls.check_ever(galaxy)
        if galaxy.phase == ARBITRATION and galaxy.reads("deal.caps") == "not-in-arbitration":
            message = "In the arbitration phase, players cannot give CAPs away."
            raise Refused("caps_stay", "deal.caps", message)


class Transfers(transfers.Transfers):
    """`deal.caps`: a player may give CAPs away, whichever player is asked for what.

    `deal.only-caps`: nothing but CAPs changes hands. `deal.non-binding`: a gift stays given.
    """

    answers = (Transfer,)
    exchange = Exchange
    transfer = Transfer
    counted = TransferCounted
    recorded = "deal.audit"
