"""The sentence for each fact, as the viewer may know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup

from .scene import SIGNS

PLACES: Final = (
    "the top left", "the top", "the top right",
    "the left", "the centre", "the right",
    "the bottom left", "the bottom", "the bottom right",
)  # fmt: skip


def _who(fact: Mapping[str, Any]) -> str:
    return SIGNS[fact["seat"]]


def _account(name: str) -> str:
    kind, _, seat = name.partition(".")
    return SIGNS[int(seat)] if seat else f"the {kind}"


def _chips(amount: int) -> str:
    return "1 chip" if amount == 1 else f"{amount} chips"


def _written(fact: Mapping[str, Any], _: Lookup) -> str:
    secret = "" if hidden(fact["cell"]) else f": {PLACES[fact['cell']]}"
    return f"{_who(fact)} writes down a cell{secret}."


def _transferred(fact: Mapping[str, Any], _: Lookup) -> str:
    source, target = _account(fact["source"]), _account(fact["target"])
    return f"{_chips(fact['amount'])} from {source} to {target}."


TELLING: Final[Mapping[str, Callable[[Mapping[str, Any], Lookup], str]]] = {
    "begin.first-named": lambda fact, _: f"{_who(fact)} begins.",
    "opening.written": _written,
    "opening.shown": lambda fact, _: f"{_who(fact)} shows {PLACES[fact['cell']]}.",
    "play.marked": lambda fact, _: f"{_who(fact)} marks {PLACES[fact['cell']]}.",
    "play.won": lambda fact, _: f"{_who(fact)} wins with the {fact['line']} line.",
    "play.drew": lambda _, __: "The board is full and nobody has a line: a draw.",
    "gifts.made": lambda fact, _: f"{_who(fact)} gives {_chips(fact['amount'])} away.",
    "accounts.transferred": _transferred,
}
