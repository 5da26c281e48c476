"""The story: a row for each type of fact, as the viewer may know it, and the curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.kernel.accounts import Transferred, holder
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, HeadingRule, SeatFigures, Seen, Story

from .begin import FirstNamed
from .gifts import GiftMade
from .opening import CellShown, CellWritten
from .play import Drew, Marked, Won
from .scene import SIGNS
from .state import CHIPS, purse_of

PART, TURN = LEVELS = ("round", "turn")
END: Final = HeadingRule(PART, "The end")
PLACES: Final = (
    "the top left", "the top", "the top right",
    "the left", "the centre", "the right",
    "the bottom left", "the bottom", "the bottom right",
)  # fmt: skip


def _who(fact: Seen) -> str:
    return SIGNS[fact["seat"]]


def _account(name: str) -> str:
    kind, _, seat = name.partition(".")
    return SIGNS[int(seat)] if seat else f"the {kind}"


def _chips(amount: int) -> str:
    return "1 chip" if amount == 1 else f"{amount} chips"


def _tell_writing(fact: Seen, _: Lookup) -> str:
    secret = "" if hidden(fact["cell"]) else f": {PLACES[fact['cell']]}"
    return f"{_who(fact)} writes down a cell{secret}."


def _tell_transfer(fact: Seen, _: Lookup) -> str:
    source, target = _account(fact["source"]), _account(fact["target"])
    return f"{_chips(fact['amount'])} from {source} to {target}."


def _turn(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(TURN, SIGNS[fact["seat"]], fact["seat"])


def _stakes(fact: Seen, _: Lookup) -> HeadingRule | None:
    """Begins the match's first part with its stakes."""
    staked = fact["rule"] == "begin.stakes"
    return HeadingRule(PART, "Beginning", whole=True) if staked else None


def _tag_transfer(fact: Seen) -> Sequence[str]:
    """Tags chips that go from seat to seat; stakes and pots have other sentences."""
    seats = (holder(fact["source"]), holder(fact["target"]))
    return () if None in seats else ("transfer",)


def _curves(seen: Seen, _: Lookup) -> Iterator[SeatFigures]:
    board = seen["state"]
    chips = board["accounts"]["balances"][CHIPS]
    if any(purse_of(seat) in chips for seat in range(len(SIGNS))):
        held = tuple(chips.get(purse_of(seat), 0) for seat in range(len(SIGNS)))
        yield SeatFigures("chips", "chips", held, column=True)
    marks = tuple(board["cells"].count(seat) for seat in range(len(SIGNS)))
    yield SeatFigures("marks", "marks", marks, column=True)


STORY: Final = Story(
    levels=LEVELS,
    beats=(
        Beat(Transferred, _tell_transfer, tags=_tag_transfer, begins=_stakes),
        Beat(
            FirstNamed,
            lambda fact, _: f"{_who(fact)} begins.",
            begins=HeadingRule(PART, "Beginning"),
        ),
        Beat(CellWritten, _tell_writing, begins=HeadingRule(PART, "Sealed opening", whole=True)),
        Beat(CellShown, lambda fact, _: f"{_who(fact)} shows {PLACES[fact['cell']]}."),
        Beat(Marked, lambda fact, _: f"{_who(fact)} marks {PLACES[fact['cell']]}.", begins=_turn),
        Beat(
            Won,
            lambda fact, _: f"{_who(fact)} wins with the {fact['line']} line.",
            tags=("scoring",),
            begins=END,
        ),
        Beat(
            Drew,
            lambda _, __: "The board is full and nobody has a line: a draw.",
            tags=("scoring",),
            begins=END,
        ),
        Beat(
            GiftMade,
            lambda fact, _: f"{_who(fact)} gives {_chips(fact['amount'])} away.",
            tags=("transfer",),
        ),
    ),
    curves=lambda seen, lookup: tuple(_curves(seen, lookup)),
)
