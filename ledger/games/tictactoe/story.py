"""The story: a row for each type of fact, as the viewer may know it, and the curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.kernel.accounts import Transferred, account_of, holder
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import HeadingRule, SeatFigures, Seen, Story
from ledger.parts.shown.story import rows
from ledger.parts.text import Namings

from .begin import FirstNamed
from .gifts import GiftMade
from .opening import CellShown, CellWritten
from .play import Drew, Marked, Won
from .scene import SIGNS
from .state import CHIPS

PART, TURN = LEVELS = ("round", "turn")
BEGINNING: Final = HeadingRule(PART, "Beginning")
END: Final = HeadingRule(PART, "The end")
SCORED: Final = ("scoring",)
MOVED: Final = ("transfer",)
PLACES: Final = (
    "the top left", "the top", "the top right",
    "the left", "the centre", "the right",
    "the bottom left", "the bottom", "the bottom right",
)  # fmt: skip


def _account(_: Lookup, name: str) -> str:
    seat = holder(name)
    return f"the {name}" if seat is None else SIGNS[seat]


NAMINGS: Final[Namings] = {
    "account": _account,
    "place": lambda _, cell: PLACES[cell],
    "sign": lambda _, seat: SIGNS[seat],
}
row = rows(NAMINGS)


def _turn(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(TURN, SIGNS[fact["seat"]], fact["seat"])


def _stakes(fact: Seen, _: Lookup) -> HeadingRule | None:
    """Begins the match's first part with its stakes."""
    return BEGINNING._replace(whole=True) if fact["rule"] == "begin.stakes" else None


def _tag_transfer(fact: Seen) -> Sequence[str]:
    """Tags chips that go from seat to seat; stakes and pots have other sentences."""
    return () if None in (holder(fact["source"]), holder(fact["target"])) else MOVED


def _curves(seen: Seen, _: Lookup) -> Iterator[SeatFigures]:
    board = seen["state"]
    chips = board["accounts"]["balances"][CHIPS]
    if any(account_of(seat) in chips for seat in range(len(SIGNS))):
        held = tuple(chips.get(account_of(seat), 0) for seat in range(len(SIGNS)))
        yield SeatFigures("chips", "chips", held, column=True)
    marks = tuple(board["cells"].count(seat) for seat in range(len(SIGNS)))
    yield SeatFigures("marks", "marks", marks, column=True)


STORY: Final = Story(
    levels=LEVELS,
    beats=(
        row(
            Transferred,
            "{amount:# chip} from {source:account} to {target:account}.",
            tags=_tag_transfer,
            begins=_stakes,
        ),
        row(FirstNamed, "{seat:sign} begins.", begins=BEGINNING),
        row(
            CellWritten,
            "{seat:sign} writes down a cell: {cell:place}.",
            unseen="{seat:sign} writes down a cell.",
            begins=HeadingRule(PART, "Sealed opening", whole=True),
        ),
        row(CellShown, "{seat:sign} shows {cell:place}."),
        row(Marked, "{seat:sign} marks {cell:place}.", begins=_turn),
        row(Won, "{seat:sign} wins with the {line} line.", tags=SCORED, begins=END),
        row(Drew, "The board is full and nobody has a line: a draw.", tags=SCORED, begins=END),
        row(GiftMade, "{seat:sign} gives {amount:# chip} away.", tags=MOVED),
    ),
    curves=lambda seen, lookup: tuple(_curves(seen, lookup)),
)
