"""The scene of the map: boards and tiles, the pieces of every house, and the gate links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.games.hegemonic.shown.names import seat_names, tile_faction, tile_offers
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
from ledger.kernel.scene import Cell, Ground, Link, Piece
from ledger.kernel.story import Seen
from ledger.parts.shown.scene import OwnPieces, PieceLook, free_cells, list_signs

VOID, SPACE, FREE = "void", "space", "free"
# In the order of the fills: tiles have nearly the colour of their faction, the unexplored is dark.
KINDS: Final = (HOME, "green", "orange", VOID, "purple", FREE, SPACE)
LOOKS: Final = (
    PieceLook(COMPLEX, "C", "works"),
    PieceLook(EMBASSY, "E", "hall"),
    PieceLook(OUTPOST, "O", "fort"),
    PieceLook(AGENT, "A", "person"),
    PieceLook(FLEET, "F", "ship"),
    PieceLook(GATE, "G", "ring"),
)
COMPLEXES, EMBASSIES, OUTPOSTS, AGENTS, FLEETS, GATES = LOOKS
LEGEND: Final = "On tiles: I industrial, P political, M martial; a card's power in this order"
SIGNS: Final = list_signs((COMPLEXES, EMBASSIES, OUTPOSTS, GATES, AGENTS, FLEETS))


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


def free_places(options: Sequence[Seen], board: Seen) -> Iterator[Cell]:
    """Yields the places where a board may be laid."""
    places = {(option["q"], option["r"]) for option in options if "rotation" in option}
    taken = {(sector["q"], sector["r"]) for sector in board["sectors"].values()}
    return free_cells(places - taken, SPACE)


# --- pieces ---------------------------------------------------------------------------------------


def pieces(board: Seen) -> Iterator[Piece]:
    """Yields all pieces on the map; each sign begins with the colour's first letter."""
    for house in board["houses"]:
        own = _own_pieces(house)
        yield from own.stacks(COMPLEXES, house["complexes"])
        yield from own.stacks(EMBASSIES, dict.fromkeys(house["embassies"], 1))
        yield from own.stacks(OUTPOSTS, house["outposts"])
        yield from own.units(AGENTS, house["agents"])
        yield from own.units(FLEETS, house["fleets"])
        yield from own.pairs(GATES, _gates(house))


def _own_pieces(house: Seen) -> OwnPieces:
    return OwnPieces(house["seat"], (house["color"] or str(house["seat"]))[0])


def _gates(house: Seen) -> list[tuple[str, str]]:
    return [(gate["first"], gate["second"]) for gate in house["gates"]]


def links(board: Seen, lookup: Lookup) -> Iterator[Link]:
    """Yields a link between the sectors of each placed gate."""
    names = seat_names([house["color"] for house in board["houses"]], lookup)
    for house in board["houses"]:
        yield from _own_pieces(house).links(GATES, _gates(house), names[house["seat"]])
