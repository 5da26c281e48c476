"""The parts of a replay besides its sentences: headings, turns, chips and marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ledger.kernel.accounts import holder
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import HeadingRule, SeatFigures, Story, tagged

from .scene import SIGNS
from .state import CHIPS, purse_of

PART, TURN = LEVELS = ("round", "turn")


def _turn(fact: Mapping[str, Any], _: Lookup) -> HeadingRule:
    return HeadingRule(TURN, SIGNS[fact["seat"]], fact["seat"])


def _stakes(fact: Mapping[str, Any], _: Lookup) -> HeadingRule | None:
    """Begins the match's first part with its stakes."""
    staked = fact["rule"] == "begin.stakes"
    return HeadingRule(PART, "Beginning", whole=True) if staked else None


def _moved(fact: Mapping[str, Any]) -> Sequence[str]:
    """Tags chips that go from seat to seat; stakes and pots have other sentences."""
    seats = (holder(fact["source"]), holder(fact["target"]))
    return () if None in seats else ("transfer",)


def _curves(seen: Mapping[str, Any], _: Lookup) -> Iterator[SeatFigures]:
    board = seen["state"]
    chips = board["accounts"]["balances"][CHIPS]
    if any(purse_of(seat) in chips for seat in range(len(SIGNS))):
        held = tuple(chips.get(purse_of(seat), 0) for seat in range(len(SIGNS)))
        yield SeatFigures("chips", "chips", held, column=True)
    marks = tuple(board["cells"].count(seat) for seat in range(len(SIGNS)))
    yield SeatFigures("marks", "marks", marks, column=True)


RETELLING: Final = Story(
    levels=LEVELS,
    begins={
        "accounts.transferred": _stakes,
        "begin.first-named": lambda _, __: HeadingRule(PART, "Beginning"),
        "opening.written": lambda _, __: HeadingRule(PART, "Sealed opening", whole=True),
        "play.marked": _turn,
        "play.won": lambda _, __: HeadingRule(PART, "The end"),
        "play.drew": lambda _, __: HeadingRule(PART, "The end"),
    },
    tags={
        "gifts.made": tagged("transfer"),
        "accounts.transferred": _moved,
        "play.won": tagged("scoring"),
        "play.drew": tagged("scoring"),
    },
    curves=lambda seen, door: tuple(_curves(seen, door)),
)
