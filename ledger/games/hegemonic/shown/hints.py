"""Notes under a choice's button, for players who do not know the cards by heart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ledger.games.hegemonic.state.components import CARDS, FIGURES, LEADERS, ORDERS, TECHNOLOGIES
from ledger.kernel.lookup import Lookup
from ledger.parts.text import counted

from .names import card_words, order_name

Option: TypeAlias = Mapping[str, Any]
Seen: TypeAlias = Mapping[str, Any]

ACTIONS: Final = {
    "conflict": "attack",
    "capitalize": "collect your smallest income again",
    "survey": "turn a tile up and place one",
    "research": "change cards of your hand",
}
BUILDS: Final = {
    "industrial": "build complexes and gates",
    "political": "build embassies and agents",
    "martial": "build outposts and fleets",
}


def explain_option(option: Option, seen: Seen, lookup: Lookup) -> str:
    """Returns the note, or an empty string if the button needs none."""
    explains = EXPLAINED.get(option["type"])
    return "" if explains is None else explains(option, seen, lookup)


def _order(option: Option, _: Seen, lookup: Lookup) -> str:
    row = ORDERS.behind(lookup)[option["card"]]
    ways = [BUILDS[row.builds]] if row.builds in BUILDS else []
    ways += [ACTIONS[one] for one in row.actions if one in ACTIONS]
    if "basic" in row.actions:
        ways += [f"collect {counted(_figure(lookup, 'basic.caps'), 'CAP')}", "draw a card"]
    most = counted(_figure(lookup, "action.max"), "action")
    return f"Number {row.number} in the order. Up to {most}: {', '.join(ways) or 'none'}."


def _figure(lookup: Lookup, name: str) -> int:
    return FIGURES.behind(lookup)[name].value or 0


def _technology(option: Option, _: Seen, lookup: Lookup) -> str:
    """Returns the effect of the card once it is advanced."""
    if not option.get("card"):
        return ""
    return str(TECHNOLOGIES.behind(lookup)[CARDS.behind(lookup)[option["card"]].technology].text)


def _explain_draw(option: Option, seen: Seen, lookup: Lookup) -> str:
    if option["source"] == "advanced":
        return _technology(option, seen, lookup)
    discards = seen["state"]["discards"].get(option["pile"])
    if option["source"] == "deck" or not discards:
        return ""
    return f"That is {card_words(lookup, discards[-1])}."


def _leader(option: Option, _: Seen, lookup: Lookup) -> str:
    row = LEADERS.behind(lookup)[option["leader"]]
    return " ".join(f"{number}: {getattr(row, f'level_{number}')}" for number in (1, 2, 3))


def _tie(option: Option, seen: Seen, lookup: Lookup) -> str:
    card = seen["state"]["houses"][option["seat"]]["played"]
    return f"With {order_name(lookup, card)}." if card else ""


EXPLAINED: Final[Mapping[str, Callable[[Option, Seen, Lookup], str]]] = {
    "setup.choose-leader": _leader,
    "draft.keep-card": _technology,
    "tech.draw": _explain_draw,
    "tech.discard": _technology,
    "tech.advance": _technology,
    "tech.discard-advanced": _technology,
    "action.commit-card": _order,
    "action.choose-tie-starter": _tie,
}
