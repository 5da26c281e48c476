"""A deal between players, as the record keeps it: what was offered, answered, and made of it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ledger.kernel.audience import Among, Open
from ledger.kernel.records import Seat


class Deal(msgspec.Struct, array_like=True):
    """`deal.audit`: it alters nothing; only transfers do. The chapter of deals may add to it."""

    id: Open[str]
    seat: Open[Seat]  # who proposed it
    parties: Open[tuple[Seat, ...]]  # all of them, the proposer included
    seen_by: Open[tuple[Seat, ...]]  # who may read it
    terms: Annotated[str, Among("seen_by")] = ""
    accepted: Open[tuple[Seat, ...]] = ()
    status: Open[str] = "open"  # open, agreed, rejected, withdrawn, expired
