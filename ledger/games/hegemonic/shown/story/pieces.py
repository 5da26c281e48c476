"""Pieces that come, move and go, and building."""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.actions.items import ItemDone
from ledger.games.hegemonic.conflicts.moving import MoverNamed
from ledger.games.hegemonic.map import placing
from ledger.games.hegemonic.shown.names import source_name
from ledger.games.hegemonic.shown.phrases import plain
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, Seen
from ledger.parts.text import counted, join_words, who


def _tell_move(fact: Seen, _: Lookup) -> str:
    path = fact["path"]
    between = path[1:-1]
    way = f" by way of {', '.join(between)}" if between else ""
    return f"{who(fact)}'s {fact['unit']} goes from {path[0]} to {path[-1]}{way}."


def _item(fact: Seen, lookup: Lookup) -> str:
    """Says only why the price was lower; the payment has its own sentence."""
    less = [
        f"{counted(-part['amount'], 'CAP')} less by {_by(part, lookup)}"
        for part in fact["parts"]
        if part["amount"] < 0
    ]
    said = f"The {fact['item']} costs {join_words(less)}." if less else ""
    return said if fact["price"] else f"{said} It costs nothing.".strip()


def _by(part: Seen, lookup: Lookup) -> str:
    return source_name(lookup, part["rule"].removeprefix("tech."))


LOST: Final = "what is lost is told in one, and why"

BEATS: Final = (
    Beat(
        placing.BasePlaced,
        plain("{who} has {piece:a} at {sector}."),
    ),
    Beat(placing.BaseMoved, plain("{who}'s {piece} goes from {origin} to {sector}.")),
    Beat(placing.BaseReturned, silent=LOST),
    Beat(
        placing.UnitPlaced,
        plain("{who} has {unit:a} at {sector}."),
    ),
    Beat(placing.UnitMoved, _tell_move),
    Beat(MoverNamed, silent="the way that the unit goes is told"),
    Beat(placing.UnitReturned, silent=LOST),
    Beat(placing.GatePlaced, plain("{who}'s gate connects {first} and {second}.")),
    Beat(placing.GateReturned, silent=LOST),
    Beat(ItemDone, _item),
)
