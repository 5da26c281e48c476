"""Sentences about pieces that come, move and go, and about building."""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.shown.names import counted, listed, source_name
from ledger.games.hegemonic.shown.phrases import Chapter, Seen, one, plain, who
from ledger.kernel.lookup import Lookup


def _moved(fact: Seen, _: Lookup) -> str:
    path = fact["path"]
    between = path[1:-1]
    way = f" by way of {', '.join(between)}" if between else ""
    return f"{who(fact)}'s {fact['unit']} goes from {path[0]} to {path[-1]}{way}."


def _item(fact: Seen, door: Lookup) -> str:
    """Says only why the price was lower; the payment has its own sentence."""
    less = [
        f"{counted(-part['amount'], 'CAP')} less by {source_name(door, _source(part['rule']))}"
        for part in fact["parts"]
        if part["amount"] < 0
    ]
    said = f"The {fact['item']} costs {listed(less)}." if less else ""
    return said if fact["price"] else f"{said} It costs nothing.".strip()


def _source(rule: str) -> str:
    """Returns the technology that a rule belongs to, or the rule as it is."""
    return rule.removeprefix("tech.")


SENTENCES: Final[Chapter] = {
    "piece.base-placed": lambda fact, _: (
        f"{who(fact)} has {one(fact['piece'])} at {fact['sector']}."
    ),
    "piece.base-moved": plain("{who}'s {piece} goes from {origin} to {sector}."),
    "piece.unit-placed": lambda fact, _: (
        f"{who(fact)} has {one(fact['unit'])} at {fact['sector']}."
    ),
    "piece.unit-moved": _moved,
    "piece.gate-placed": plain("{who}'s gate connects {first} and {second}."),
    "build.item-done": _item,
}
