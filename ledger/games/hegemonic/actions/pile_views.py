"""What a view tells of what it hides: which cards and tiles are out of sight, and how many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ledger.games.hegemonic.state.caps import purse_of
from ledger.games.hegemonic.state.components import CARDS, TILES
from ledger.games.hegemonic.state.galaxy import CAPS
from ledger.kernel.audience import Viewer, hidden, looks_through
from ledger.kernel.lookup import Door

Seen: TypeAlias = Mapping[str, Any]


def length(held: Any) -> int:
    """How many things a part of a view is, seen or only counted."""
    count: int = held["hidden"] if hidden(held) else len(held)
    return count


def open_cards(board: Seen) -> Iterator[str]:
    """Every technology card that the viewer sees somewhere."""
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
    """How many technology cards lie where the viewer does not see them, but for the pile."""
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


def cards_in_pile(board: Seen, door: Door) -> int:
    """How many cards the draw pile has: what is in the game and nowhere else."""
    in_game = len(CARDS.behind(door)) - board["cards_aside"]
    elsewhere = sum(1 for _ in open_cards(board)) + covered_cards(board)
    known = 0 if hidden(board["on_top"]) else len(board["on_top"])  # in the pile all the same
    return int(in_game - elsewhere + known)


def open_tiles(board: Seen) -> Iterator[str]:
    """Every sector tile that the viewer sees somewhere."""
    yield from board["pool"]
    placed = (sector for sector in board["sectors"].values() if sector["home_of"] is None)
    yield from (sector["tile"] for sector in placed if sector["tile"])
    for house in board["houses"]:
        yield from () if hidden(house["tiles"]) else house["tiles"]


def unseen_tiles(board: Seen, door: Door) -> list[str]:
    """The tiles that the viewer sees nowhere, in printed order."""
    seen = set(open_tiles(board))
    return [tile for tile in TILES.behind(door) if tile not in seen]


def caps_seen(board: Seen, seat: int, viewer: Viewer, door: Door) -> int | None:
    """What a player has; nothing where a table reads it that only the player itself knows."""
    if not looks_through(viewer, seat) and door.reads("info.caps") == "hidden":
        return None
    count: int = board["accounts"]["balances"][CAPS].get(purse_of(seat), 0)
    return count
