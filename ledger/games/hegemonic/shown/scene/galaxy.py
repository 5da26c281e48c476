"""The scene of the map: boards and tiles, the pieces of every house, and the gate links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.games.hegemonic.shown.names import SIGNS, seat_names, tile_faction, tile_offers
from ledger.games.hegemonic.state.components import (
    AGENT,
    COMPLEX,
    EMBASSY,
    FLEET,
    GATE,
    HOME,
    OUTPOST,
    tile_row,
)
from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Cell, Form, Ground, Link, Meaning, Piece
from ledger.parts.text import plural

Seen: TypeAlias = Mapping[str, Any]

VOID, SPACE, FREE = "void", "space", "free"
# In the order of the fills: tiles have nearly the colour of their faction, the unexplored is dark.
KINDS: Final = (HOME, "green", "orange", VOID, "purple", FREE, SPACE)
FORMS: Final[Mapping[str, Form]] = {
    COMPLEX: "works",
    EMBASSY: "hall",
    OUTPOST: "fort",
    AGENT: "person",
    FLEET: "ship",
    GATE: "ring",
}


def cells(board: Seen, lookup: Lookup) -> Iterator[Cell]:
    """Yields every hex of every board; a board is outlined, wherever and however it was laid."""
    contest = board["contest"] or {"sector": None}
    for sector in board["sectors"].values():
        tile = sector["tile"]
        yield Cell(
            id=sector["id"],
            x=sector["q"],
            y=sector["r"],
            label=sector["id"],
            note=tile_faction(lookup, tile) if tile else "",
            offers=tile_offers(lookup, tile) if tile else "",
            kind=_kind(lookup, tile),
            region=sector["board"],
            ground=_ground(tile),
            marked=sector["id"] == contest["sector"],
        )


def _kind(lookup: Lookup, tile: str) -> str:
    if not tile:
        return VOID
    return HOME if tile == HOME else tile_row(lookup, tile).faction or FREE


def _ground(tile: str) -> Ground:
    if not tile:
        return "stars"
    return "star" if tile == HOME else "world"


def ghosts(options: Sequence[Seen], board: Seen) -> Iterator[Cell]:
    """Yields the places where a board may be laid: they are no sectors, but can be clicked."""
    places = {(option["q"], option["r"]) for option in options if "rotation" in option}
    taken = {(sector["q"], sector["r"]) for sector in board["sectors"].values()}
    for q, r in sorted(places - taken):
        yield Cell(id=ghost_id(q, r), x=q, y=r, kind=SPACE)


def ghost_id(q: int, r: int) -> str:
    return f"at {q},{r}"


# --- pieces ---------------------------------------------------------------------------------------


LEGEND: Final = "On tiles: I industrial, P political, M martial; a card's power in this order"


def forms() -> Iterator[Meaning]:
    for piece, form in FORMS.items():
        yield Meaning(form=form, name=piece)


def signs() -> str:
    meanings = ", ".join(f"{sign} {piece}" for piece, sign in SIGNS.items())
    return f"{meanings}; before it the first letter of the colour"


def base_id(seat: int, piece: str, sector: str) -> str:
    return f"s{seat}-{piece}-{sector}"


def unit_id(seat: int, unit: str, number: int) -> str:
    return f"s{seat}-{unit}-{number}"


def gate_id(seat: int, number: int, half: int) -> str:
    return f"{link_id(seat, number)}-{half}"


def link_id(seat: int, number: int) -> str:
    return f"s{seat}-{GATE}-{number}"


def pieces(board: Seen) -> Iterator[Piece]:
    """Yields all pieces on the map; each sign begins with the colour's first letter."""
    for house in board["houses"]:
        letter = (house["color"] or str(house["seat"]))[0]
        yield from _bases(house, letter)
        yield from _units(house, letter)
        yield from _gates(house, letter)


def _bases(house: Seen, letter: str) -> Iterator[Piece]:
    embassies = dict.fromkeys(house["embassies"], 1)
    standing = ((COMPLEX, house["complexes"]), (EMBASSY, embassies), (OUTPOST, house["outposts"]))
    for piece, bases in standing:
        for sector, count in bases.items():
            yield Piece(
                id=base_id(house["seat"], piece, sector),
                cell=sector,
                sign=letter + SIGNS[piece],
                name=piece if count == 1 else plural(piece),
                form=FORMS[piece],
                mark=letter.upper(),
                seat=house["seat"],
                count=count,
            )


def _units(house: Seen, letter: str) -> Iterator[Piece]:
    for unit, sectors in ((AGENT, house["agents"]), (FLEET, house["fleets"])):
        for number, sector in enumerate(sectors):
            if sector:
                yield Piece(
                    id=unit_id(house["seat"], unit, number),
                    cell=sector,
                    sign=letter + SIGNS[unit],
                    name=f"{unit} {number + 1}",
                    form=FORMS[unit],
                    mark=letter.upper(),
                    seat=house["seat"],
                )


def _gates(house: Seen, letter: str) -> Iterator[Piece]:
    for number, gate in enumerate(house["gates"]):
        halves = (gate["first"], gate["second"])
        for half, sector in enumerate(halves):
            if sector:
                yield Piece(
                    id=gate_id(house["seat"], number, half),
                    cell=sector,
                    sign=f"{letter}{SIGNS[GATE]}{number + 1}",
                    name=f"gate {number + 1} to {halves[1 - half]}",
                    form=FORMS[GATE],
                    mark=f"{letter.upper()}{number + 1}",
                    seat=house["seat"],
                    link=link_id(house["seat"], number),
                )


def links(board: Seen, lookup: Lookup) -> Iterator[Link]:
    """Yields a link between the sectors of each placed gate."""
    names = seat_names([house["color"] for house in board["houses"]], lookup)
    for house in board["houses"]:
        for number, gate in enumerate(house["gates"]):
            if gate["first"]:
                yield Link(
                    id=link_id(house["seat"], number),
                    one=gate["first"],
                    other=gate["second"],
                    name=f"gate {number + 1} of {names[house['seat']]}",
                    seat=house["seat"],
                )
