"""The course of a match in figures: the curves that a replay draws."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.actions.pile_views import caps_seen
from ledger.games.hegemonic.rounds.scoring import BoardPower
from ledger.games.hegemonic.shown.scene.panels import count_bases
from ledger.games.hegemonic.state.components import CORE, TYPES
from ledger.games.hegemonic.state.galaxy import Board, Galaxy, Sector, empty_table
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import SeatFigures, Seen


def curves(seen: Seen, lookup: Lookup) -> Iterator[SeatFigures]:
    """Yields the curves of all seats, as far as the viewer may know them."""
    board, viewer = seen["state"], seen["seat"]
    houses = board["houses"]
    points = (house["score"] for house in houses)
    yield SeatFigures("points", "victory points", tuple(points), column=True)
    caps = (caps_seen(board, house["seat"], viewer, lookup) for house in houses)
    yield SeatFigures("caps", "CAPs", tuple(caps), column=True)
    bases = (sum(count_bases(house, type_) for type_ in TYPES) for house in houses)
    yield SeatFigures("bases", "bases", tuple(bases))
    galaxy = on_the_map(board, lookup)
    for type_ in TYPES:
        power = (
            sum(BoardPower.in_sector(galaxy, house.seat, type_, at) for at in house.bases(type_))
            for house in galaxy.houses
        )
        yield SeatFigures(f"power-{type_}", f"{type_} power", tuple(power))
    for laid in galaxy.boards:
        held = BoardPower.all_of(galaxy, laid)
        name = "in the core" if laid.id == CORE else f"on board {laid.id}"
        values = tuple(held.get(seat, 0) for seat in galaxy.seats)
        yield SeatFigures(f"board-{laid.id}", f"power {name}", values)


def on_the_map(board: Seen, lookup: Lookup) -> Galaxy:
    """Returns a table with only the visible map on it, for the rules that count power."""
    galaxy = empty_table(len(board["houses"]))
    galaxy.__dict__["lookup"] = lookup
    for house, shown in zip(galaxy.houses, board["houses"], strict=True):
        house.home = shown["home"]
        house.complexes, house.outposts = dict(shown["complexes"]), dict(shown["outposts"])
        house.embassies = list(shown["embassies"])
    galaxy.boards = [Board(one["id"], list(one["sectors"])) for one in board["boards"]]
    galaxy.sectors = {name: Sector(**sector) for name, sector in board["sectors"].items()}
    return galaxy
