"""The printed components as table rows (planet cards, tracks, prices), and checks that
they fit.
"""

from __future__ import annotations

from typing import Any, Final

from ledger.kernel.content import Row, Table
from ledger.kernel.lookup import Lookup
from ledger.kernel.refusals import Refused

PLANETS_COUNT: Final = 12
MORALE_MAX: Final = 1
MORALE_MIN: Final = -3
TURNS: Final = 10  # of the standard game, and the length of the turn track
RESOURCES: Final = "resources"
SPACECRAFT: Final = "spacecraft"
KINDS: Final = ("civil", "factory", "shipyard")


class PlanetCard(Row):
    """A planet card: its production at each morale (None is No Production), and its modifier."""

    name: str
    modifier: int
    at_1: int | None = None
    at_0: int | None = None
    at_minus_1: int | None = None
    at_minus_2: int | None = None
    at_minus_3: int | None = None


class Limit(Row):
    """The resource limit at a hegemony size."""

    limit: int
    stepped: int | None = None  # under the reading `stepped` of `limit-table`, where it differs


class MoraleRow(Row):
    """A row of the morale roll table."""

    shift: int
    most: int | None = None  # the highest total that it is for; the last line is for all above


class Infrastructure(Row):
    """A kind of infrastructure."""

    square: str
    tokens: int
    start: int  # how many the home planet starts with
    lost: int  # its place in the order in which a planet in revolt loses them


class Price(Row):
    """The price of an action."""

    cost: int


class Supply(Row):
    """The number of pieces, and how many a match starts with."""

    most: int
    start: int


PLANETS = Table(
    "planets", PlanetCard, {"": "card.production", "/modifier": "card.special-modifier"}
)
LIMITS = Table("limits", Limit, {"": "track.limit"})
MORALE = Table("morale", MoraleRow, {"": "morale.roll", "*": "morale.table-{row}"})
INFRASTRUCTURE = Table(
    "infrastructure", Infrastructure, {"": "infra.kinds", "/lost": "revolt.infrastructure-order"}
)
PRICES = Table(
    "prices",
    Price,
    {
        "": "action.pay",
        "*": "{row}.cost",
        "attack": "sabfight.cost",
        "build-infrastructure": "infra.cost",
        "build-spacecraft": "ship.cost",
    },
)
SUPPLY = Table("supply", Supply, {"spacecraft": "ship.limit", "resources": "collect.limit"})
TABLES: Final[tuple[Table[Any], ...]] = (PLANETS, LIMITS, MORALE, INFRASTRUCTURE, PRICES, SUPPLY)

NUMBERS: Final = tuple(str(number) for number in range(1, PLANETS_COUNT + 1))
PRICED: Final = (
    "move", "attack", "colonise", "boost", "military", "build-infrastructure", "build-spacecraft",
)  # fmt: skip
ROWS_OF: Final = (
    (PLANETS, NUMBERS),
    (LIMITS, NUMBERS),
    (INFRASTRUCTURE, KINDS),
    (PRICES, PRICED),
    (SUPPLY, (SPACECRAFT, RESOURCES)),
)


def fitting(lookup: Lookup) -> None:
    """Refuses cards and tables that make the game unplayable, and variants that exclude each
    other.
    """
    for table, rows in ROWS_OF:
        if sorted(table.behind(lookup)) != sorted(rows):
            _refuse(table, ", ".join(rows), "The table must have exactly these rows.")
    for table, cells in (
        (PLANETS, ("at_1", "at_0", "at_minus_1", "at_minus_2", "at_minus_3")),
        (LIMITS, ("limit", "stepped")),
        (INFRASTRUCTURE, ("tokens", "start", "lost")),
        (PRICES, ("cost",)),
        (SUPPLY, ("most", "start")),
    ):
        for row in table.behind(lookup).values():
            if any((getattr(row, cell) or 0) < 0 for cell in cells):
                _refuse(table, row.id, "No number of this row may be negative.")
    ends = [row.most for row in MORALE.behind(lookup).values()]
    if not ends or ends[-1] is not None or None in ends[:-1]:
        _refuse(MORALE, "most", "Every line but the last must have an end.")
    places = [row.lost for row in INFRASTRUCTURE.behind(lookup).values()]
    if len(set(places)) != len(places):
        _refuse(
            INFRASTRUCTURE, "lost", "Two kinds cannot have the same place in the order of losses."
        )
    started = SUPPLY.behind(lookup)
    if started[SPACECRAFT].start > started[SPACECRAFT].most:
        _refuse(SUPPLY, SPACECRAFT, "A match cannot start with more than the maximum.")
    if started[RESOURCES].start > LIMITS.behind(lookup)["1"].limit:
        _refuse(LIMITS, "1", "The limit at size 1 must hold what a match starts with.")
    _fitting_variants(lookup)


def _fitting_variants(lookup: Lookup) -> None:
    turns = lookup.reads("turns")
    if turns == TURNS:
        return
    if lookup.reads("play-to-win"):
        evidence = {"turns": turns, "play-to-win": True}
        message = "There cannot be fewer turns than that."
        raise Refused("bad_value", "variant.combine", message, evidence)
    if turns < lookup.reads("time-turns"):
        evidence = {"turns": turns, "least": lookup.reads("time-turns")}
        message = "A match cannot be so short."
        raise Refused("bad_value", "variant.fewer-turns", message, evidence)


def _refuse(table: Table[Any], row: str, message: str) -> None:
    raise Refused("bad_value", "", message, {"table": table.name, "row": row})
