"""Hidden cards and tiles of a view: which ones are out of sight, and how many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ledger.games.hegemonic.state.caps import purse_of
from ledger.games.hegemonic.state.components import CARDS, TILES
from ledger.games.hegemonic.state.galaxy import CAPS
from ledger.kernel.audience import Viewer, hidden, looks_through
from ledger.kernel.lookup import Lookup
from ledger.parts.holdings import length, visible

Seen: TypeAlias = Mapping[str, Any]


def open_cards(board: Seen) -> Iterator[str]:
    """Yields every technology card that the viewer sees."""
    for house in board["houses"]:
        for part in ("hand", "packet"):
            yield from visible(house[part])
        yield from house["inactive"]
        yield from house["advanced"]
        if house["has_committed"] and not hidden(house["committed"]):
            yield house["committed"]
    for discards in board["discards"].values():
        yield from discards
    if board["contest"]:
        sides = (board["contest"]["attacker"], board["contest"]["defender"])
        yield from (side["card"] for side in sides if side["card"])
    yield from visible(board["on_top"])


def count_hidden_cards(board: Seen) -> int:
    """Counts the technology cards hidden from the viewer, except those in the draw pile."""
    houses = board["houses"]
    held = [part for house in houses for part in (house["hand"], house["packet"]) if hidden(part)]
    committed = [house for house in houses if house["has_committed"] and hidden(house["committed"])]
    return sum(map(length, held)) + len(committed)


def cards_in_pile(board: Seen, lookup: Lookup) -> int:
    """Returns the size of the draw pile: the cards in the game that are nowhere else."""
    in_game = len(CARDS.behind(lookup)) - board["cards_aside"]
    elsewhere = sum(1 for _ in open_cards(board)) + count_hidden_cards(board)
    known = len(visible(board["on_top"]))  # in the pile all the same
    return int(in_game - elsewhere + known)


def open_tiles(board: Seen) -> Iterator[str]:
    """Yields every sector tile that the viewer sees."""
    yield from board["pool"]
    placed = (sector for sector in board["sectors"].values() if sector["home_of"] is None)
    yield from (sector["tile"] for sector in placed if sector["tile"])
    for house in board["houses"]:
        yield from visible(house["tiles"])


def unseen_tiles(board: Seen, lookup: Lookup) -> list[str]:
    """Returns the tiles that the viewer sees nowhere, in printed order."""
    seen = set(open_tiles(board))
    return [tile for tile in TILES.behind(lookup) if tile not in seen]


def caps_seen(board: Seen, seat: int, viewer: Viewer, lookup: Lookup) -> int | None:
    """Returns a player's CAPs; None where a reading hides them from other players."""
    if not looks_through(viewer, seat) and lookup.reads("info.caps") == "hidden":
        return None
    count: int = board["accounts"]["balances"][CAPS].get(purse_of(seat), 0)
    return count
