"""CAPs: whole numbers in accounts, never negative; each transfer cites a rule.

Players may change tokens at any time; it has no effect.
"""

from __future__ import annotations

from ledger.kernel.accounts import BANK, pay
from ledger.kernel.records import Happenings, Seat
from ledger.kernel.refusals import Refused

from .galaxy import CAPS, Galaxy

TOKENS_WORTH = 201  # 51 tokens of 1 and 30 of 5


def purse_of(seat: Seat) -> str:
    return f"seat.{seat}"


def caps_of(galaxy: Galaxy, seat: Seat) -> int:
    return galaxy.accounts.balance(CAPS, purse_of(seat))


def check_price(galaxy: Galaxy, seat: Seat, price: int, rule: str) -> None:
    """`general.pay-first`: a player cannot start anything that it cannot pay in full."""
    has = caps_of(galaxy, seat)
    if has < price:
        evidence = {"needed": price, "has": has}
        raise Refused("unaffordable", rule, "The player has not so many CAPs.", evidence)


def spend(galaxy: Galaxy, seat: Seat, price: int, rule: str) -> Happenings:
    """Pays a price to the bank."""
    yield from pay(galaxy.accounts, CAPS, purse_of(seat), BANK, price, rule)


def gain(galaxy: Galaxy, seat: Seat, amount: int, rule: str) -> Happenings:
    """`general.caps`: the bank pays out, as much as it can where its tokens are limited."""
    out = -galaxy.accounts.balance(CAPS, BANK)
    if out + amount > TOKENS_WORTH and galaxy.reads("caps.bank") != "unlimited":
        amount = max(0, int(galaxy.reads("caps.bank")) - out)
    yield from pay(galaxy.accounts, CAPS, BANK, purse_of(seat), amount, rule)


def give(galaxy: Galaxy, seat: Seat, to: Seat, amount: int, rule: str) -> Happenings:
    """Moves CAPs from one player to another."""
    yield from pay(galaxy.accounts, CAPS, purse_of(seat), purse_of(to), amount, rule)
