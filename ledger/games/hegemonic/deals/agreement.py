"""The records of a deal, with the promises that this game can judge."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ledger.parts.deals import agreement
from ledger.parts.deals.agreement import Payment

Template: TypeAlias = Literal[
    "pay", "support", "spare", "attack", "leave", "other",
    "hold-fire", "choose-arbiter", "choose-starter", "pay-at-collection",
]  # fmt: skip


class Promise(agreement.Promise[Template], frozen=True):
    """A party's commitment to another; only the record holds it to that.

    templates.py says what fulfils each kind.
    """


class Terms(agreement.DealTerms[Payment, Promise], frozen=True):
    """The content of a deal: words, CAPs that move at once, and promises."""


class Deal(agreement.Deal[Terms, Payment]):
    """`deal.audit`: a deal alters nothing; only transfers do."""
