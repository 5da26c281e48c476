"""Every die and card of a log, with the wish of the rules that it answered.

A verification yields them one by one (`verify(..., watch=...)`). Each becomes a line of JSON with
everything needed to recompute it, in the terms of docs/format.md: `docs/check-dice.mjs` does so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from ledger.kernel.chance import Dealt, Draw, Drawn, Roll, Rolled, Uncover, Wish

RECOMPUTED: Final = "recomputed"
NOT_DISCLOSED: Final = "not disclosed"
TAKEN: Final = "entered or copied"


class Fall(NamedTuple):
    """An answer of chance. Do not keep it: the fold later takes the cards off the wish's deck."""

    match: str
    version: int
    epoch: int
    address: str
    wish: Wish
    answer: Rolled | Drawn | Dealt
    key: bytes | None  # of its domain, where that has been disclosed
    how: str  # one of the words above


Watch: TypeAlias = Callable[[Fall], None]


def plain(fall: Fall) -> dict[str, Any]:
    said: dict[str, Any] = {
        "match": fall.match,
        "version": fall.version,
        "how": fall.how,
        "domain": fall.wish.domain,
        "key": None if fall.key is None else fall.key.hex(),
        "epoch": fall.epoch,
        "address": fall.address,
    }
    match fall.wish, fall.answer:
        case Roll(sides=sides), Rolled(values=values):
            return said | {"sides": sides, "values": values}
        case Draw(deck=deck, count=count), Drawn(cards=cards) | Dealt(cards=cards):
            more: dict[str, Any] = {"unseen": dict(deck.unseen), "count": count, "cards": cards}
        case Uncover(spread=spread, place=place), Drawn(cards=cards):
            deck = spread.deck
            more = {"places": list(spread.places_of(fall.epoch)), "place": place, "card": cards[0]}
        case _:
            raise AssertionError("what fits a wish is an answer of its kind")
    made_of, ordered_in = deck.order_of(fall.epoch)
    order = {"deck": deck.name, "shuffle": deck.shuffle, "order_epoch": ordered_in}
    return said | order | {"made_of": dict(made_of)} | more
