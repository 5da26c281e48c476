"""What is said of pieces that come, move and go, and of what is built."""

from __future__ import annotations

from typing import Final

from ledger.kernel.door import Door

from .sentences import Chapter, Seen, plain, who
from .words import counted


def _moved(fact: Seen, _: Door) -> str:
    path = fact["path"]
    between = path[1:-1]
    way = f" by way of {', '.join(between)}" if between else ""
    return f"{who(fact)}'s {fact['unit']} goes from {path[0]} to {path[-1]}{way}."


def _item(fact: Seen, _: Door) -> str:
    less = [
        f"{-part['amount']} off by {part['rule']}" for part in fact["parts"] if part["amount"] < 0
    ]
    price = counted(fact["price"], "CAP") + (f", {', '.join(less)}" if less else "")
    done = "relocated" if fact["relocated"] else "built"
    return f"The {fact['item']} is {done} for {price}."


SENTENCES: Final[Chapter] = {
    "piece.base-placed": lambda fact, _: (
        f"{who(fact)} has {_one(fact['piece'])} at {fact['sector']}."
    ),
    "piece.base-moved": plain("{who}'s {piece} goes from {origin} to {sector}."),
    "piece.base-returned": plain("{who} loses the {piece} at {sector}."),
    "piece.unit-placed": lambda fact, _: (
        f"{who(fact)} has {_one(fact['unit'])} at {fact['sector']}."
    ),
    "piece.unit-moved": _moved,
    "piece.unit-returned": plain("{who} loses the {unit} at {sector}."),
    "piece.gate-placed": plain("{who}'s gate connects {first} and {second}."),
    "piece.gate-returned": plain("{who} loses a gate, both halves of it."),
    "build.item-done": _item,
}


def _one(piece: str) -> str:
    return f"an {piece}" if piece[0] in "aeiou" else f"a {piece}"
