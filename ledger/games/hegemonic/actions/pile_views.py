"""Hidden cards and tiles of a view: which ones are out of sight, and how many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ledger.games.hegemonic.state.caps import purse_of
from ledger.games.hegemonic.state.components import CARDS, TILES
from ledger.games.hegemonic.state.galaxy import CAPS
from ledger.kernel.audience import Viewer, hidden, looks_through
from ledger.kernel.lookup import Lookup

Seen: TypeAlias = Mapping[str, Any]


def length(held: Any) -> int:
    """Returns the number of things in a part of a view, hidden or not."""
    count: int = held["hidden"] if hidden(held) else len(held)
    return count


def open_cards(board: Seen) -> Iterator[str]:
    """Yields every technology card that the viewer sees."""
    for house in board["houses"]:
        for held in (house["hand"], house["packet"]):
            yield from () if hidden(held) else held
        yield from house["inactive"]
        yield from house["advanced"]
        if house["has_committed"] and not hidden(house["committed"]):
            yield house["committed"]
    for discards in board["discards"].values():
        yield from discards
    if board["contest"]:
        sides = (board["contest"]["attacker"], board["contest"]["defender"])
        yield from (side["card"] for side in sides if side["card"])
    if not hidden(board["on_top"]):
        yield from board["on_top"]


def covered_cards(board: Seen) -> int:
    """Counts the technology cards hidden from the viewer, except those in the draw pile."""
    held = sum(
        length(part)
        for house in board["houses"]
        for part in (house["hand"], house["packet"])
        if hidden(part)
    )
    committed = sum(
        house["has_committed"] and hidden(house["committed"]) for house in board["houses"]
    )
    return int(held + committed)


def cards_in_pile(board: Seen, door: Lookup) -> int:
    """Returns the size of the draw pile: the cards in the game that are nowhere else."""
    in_game = len(CARDS.behind(door)) - board["cards_aside"]
    elsewhere = sum(1 for _ in open_cards(board)) + covered_cards(board)
    known = 0 if hidden(board["on_top"]) else len(board["on_top"])  # in the pile all the same
    return int(in_game - elsewhere + known)


def open_tiles(board: Seen) -> Iterator[str]:
    """Yields every sector tile that the viewer sees."""
    yield from board["pool"]
    placed = (sector for sector in board["sectors"].values() if sector["home_of"] is None)
    yield from (sector["tile"] for sector in placed if sector["tile"])
    for house in board["houses"]:
        yield from () if hidden(house["tiles"]) else house["tiles"]


def unseen_tiles(board: Seen, door: Lookup) -> list[str]:
    """Returns the tiles that the viewer sees nowhere, in printed order."""
    seen = set(open_tiles(board))
    return [tile for tile in TILES.behind(door) if tile not in seen]


def caps_seen(board: Seen, seat: int, viewer: Viewer, door: Lookup) -> int | None:
    """Returns a player's CAPs; None where a reading hides them from other players."""
    if not looks_through(viewer, seat) and door.reads("info.caps") == "hidden":
        return None
    count: int = board["accounts"]["balances"][CAPS].get(purse_of(seat), 0)
    return count
