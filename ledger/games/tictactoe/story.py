"""What a replay says of a match besides its sentences: its parts, its turns, chips and marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ledger.kernel.accounts import holder
from ledger.kernel.lookup import Door
from ledger.kernel.story import Curve, Heading, Retelling, tagged

from .scene import SIGNS
from .state import CHIPS, purse_of

PART, TURN = LEVELS = ("round", "turn")


def _turn(fact: Mapping[str, Any], _: Door) -> Heading:
    return Heading(TURN, SIGNS[fact["seat"]], fact["seat"])


def _stakes(fact: Mapping[str, Any], _: Door) -> Heading | None:
    """Stakes come before anything else."""
    staked = fact["rule"] == "begin.stakes"
    return Heading(PART, "Beginning", whole=True) if staked else None


def _moved(fact: Mapping[str, Any]) -> Sequence[str]:
    """Chips from seat to seat; stakes and pots are told beside their reason."""
    seats = (holder(fact["source"]), holder(fact["target"]))
    return () if None in seats else ("transfer",)


def _curves(seen: Mapping[str, Any], _: Door) -> Iterator[Curve]:
    board = seen["state"]
    chips = board["accounts"]["balances"][CHIPS]
    if any(purse_of(seat) in chips for seat in range(len(SIGNS))):
        held = tuple(chips.get(purse_of(seat), 0) for seat in range(len(SIGNS)))
        yield Curve("chips", "chips", held, column=True)
    marks = tuple(board["cells"].count(seat) for seat in range(len(SIGNS)))
    yield Curve("marks", "marks", marks, column=True)


RETELLING: Final = Retelling(
    levels=LEVELS,
    begins={
        "accounts.transferred": _stakes,
        "begin.first-named": lambda _, __: Heading(PART, "Beginning"),
        "opening.written": lambda _, __: Heading(PART, "Sealed opening", whole=True),
        "play.marked": _turn,
        "play.won": lambda _, __: Heading(PART, "The end"),
        "play.drew": lambda _, __: Heading(PART, "The end"),
    },
    tags={
        "gifts.made": tagged("transfer"),
        "accounts.transferred": _moved,
        "play.won": tagged("scoring"),
        "play.drew": tagged("scoring"),
    },
    curves=lambda seen, door: tuple(_curves(seen, door)),
)
