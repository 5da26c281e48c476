"""CAPs: whole numbers in accounts, never negative; each transfer cites a rule.

Players may change tokens at any time; it has no effect.
"""

from __future__ import annotations

from typing import Final

from ledger.kernel.accounts import BANK, account_of
from ledger.kernel.records import Happenings, Seat
from ledger.parts.purse import Purse

from .galaxy import CAPS, Galaxy

TOKENS_WORTH = 201  # 51 tokens of 1 and 30 of 5
PURSE: Final = Purse(CAPS, "CAPs")

purse_of = account_of
caps_of = PURSE.of
spend = PURSE.spend
give = PURSE.give


def check_price(galaxy: Galaxy, seat: Seat, price: int, rule: str) -> None:
    """`general.pay-first`: a player cannot start anything that it cannot pay in full."""
    PURSE.check_price(galaxy, seat, price, rule)


def gain(galaxy: Galaxy, seat: Seat, amount: int, rule: str) -> Happenings:
    """`general.caps`: the bank pays out, as much as it can where its tokens are limited."""
    out = -galaxy.accounts.balance(CAPS, BANK)
    tight = out + amount > TOKENS_WORTH and galaxy.reads("caps.bank") != "unlimited"
    limit = int(galaxy.reads("caps.bank")) if tight else None
    yield from PURSE.gain(galaxy, seat, amount, rule, limit=limit)
