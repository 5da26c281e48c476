"""Samples a whole position that fits a seat's view, by dealing anew what is hidden.

Unseen cards and tiles are shuffled. They go to all face-down places: hands, packets, the
conflict, the pile. A secret choice of another player may become anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ledger.games.hegemonic.actions.pile_views import open_cards, unseen_tiles
from ledger.games.hegemonic.state.components import CARDS, LEADERS, ORDERS, PLAYERS, TILES
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import hidden, rebuild
from ledger.kernel.chance import Stream
from ledger.kernel.lookup import Lookup
from ledger.parts.holdings import length

Shown: TypeAlias = dict[str, Any]


def sample(seen: Mapping[str, Any], stream: Stream, lookup: Lookup) -> Galaxy:
    board = _copy_board(seen["state"])
    cards = _shuffle_cards(_unseen_cards(board, lookup), stream)
    _deal_cards(board, cards, stream, lookup)
    _deal_tiles(board, stream, lookup)
    _guess_the_rest(board)
    taken = {house["leader"] for house in board["houses"]}
    leaders = [one for one in LEADERS.behind(lookup) if one not in taken]
    _stack(board["leaders"], leaders if lookup.reads("opt.leaders") != "none" else [])
    galaxy: Galaxy = rebuild(board, Galaxy)
    return galaxy


def _copy_board(shown: Any) -> Shown:
    """Copies the board as deep as dealing changes it; the view stays unchanged."""
    board: Shown = dict(shown)
    for many in ("houses", "deals"):
        board[many] = [dict(one) for one in shown[many]]
    for deck in ("cards", "tiles", "box", "leaders"):
        board[deck] = dict(shown[deck])
    return board


def _shuffle_cards(cards: list[str], stream: Stream) -> list[str]:
    for place in range(len(cards) - 1, 0, -1):
        other = stream.below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def _stack(deck: Shown, cards: list[str]) -> None:
    """Makes a deck of the cards that are left, in no known order."""
    left = dict.fromkeys(sorted(cards), 1)
    deck["made_of"], deck["unseen"] = left, dict(left)


# --- cards ----------------------------------------------------------------------------------------


def _unseen_cards(board: Shown, lookup: Lookup) -> list[str]:
    """Returns the cards of this game that the seat sees nowhere, in printed order."""
    seen = set(open_cards(board))
    small = _small(board, lookup)
    used = (card for card in CARDS.behind(lookup).values() if card.small or not small)
    return [card.id for card in used if card.id not in seen]


def _small(board: Shown, lookup: Lookup) -> bool:
    """Returns whether only components with the icon are in the game."""
    return bool(PLAYERS.behind(lookup)[str(len(board["houses"]))].small)


def _deal_cards(board: Shown, cards: list[str], stream: Stream, lookup: Lookup) -> None:
    for house in board["houses"]:
        for name in ("hand", "packet"):
            if hidden(house[name]):
                house[name] = [cards.pop() for _ in range(length(house[name]))]
        if hidden(house["committed"]):
            house["committed"] = cards.pop() if house["has_committed"] else ""
        if hidden(house["chosen"]):
            orders = list(ORDERS.behind(lookup))
            house["chosen"] = stream.choose(orders) if house["has_chosen"] else ""
    if hidden(board["on_top"]):
        board["on_top"] = [cards.pop() for _ in range(length(board["on_top"]))]
    _stack(board["cards"], cards)


# --- tiles ----------------------------------------------------------------------------------------


def _deal_tiles(board: Shown, stream: Stream, lookup: Lookup) -> None:
    """Deals unseen tiles: those in the stack and those out of the game look the same."""
    tiles = unseen_tiles(board, lookup)
    if _small(board, lookup):
        rows = TILES.behind(lookup)
        if board["tiles_aside"]:
            tiles = [tile for tile in tiles if rows[tile].small]
        elif not board["tiles"]["shuffle"]:  # none of those in the box has been added yet
            _stack(board["box"], [tile for tile in tiles if not rows[tile].small])
            tiles = [tile for tile in tiles if rows[tile].small]
        else:
            tiles = _box(board, tiles, stream, lookup)
    if not board["box"]["made_of"] or hidden(board["box"]["made_of"]):
        _stack(board["box"], [])
    tiles = _shuffle_cards(tiles, stream)
    for house in board["houses"]:
        if hidden(house["tiles"]):
            house["tiles"] = [tiles.pop() for _ in range(length(house["tiles"]))]
    _stack(board["tiles"], tiles)


def _box(board: Shown, tiles: list[str], stream: Stream, lookup: Lookup) -> list[str]:
    """Leaves in the box the number of tiles not yet added; returns the others."""
    rows = TILES.behind(lookup)
    placed = sum(
        bool(sector["tile"]) and sector["home_of"] is None for sector in board["sectors"].values()
    )
    held = sum(length(house["tiles"]) for house in board["houses"])
    in_game = board["stack"] + placed + held + len(board["pool"])
    others = _shuffle_cards([tile for tile in tiles if not rows[tile].small], stream)
    left = len(rows) - in_game
    _stack(board["box"], others[:left])
    return [tile for tile in tiles if rows[tile].small] + others[left:]


# --- what else is hidden --------------------------------------------------------------------------


def _guess_the_rest(board: Shown) -> None:
    """Replaces hidden private terms by empty ones; statements stay as they are."""
    for deal in board["deals"]:
        if hidden(deal["private"]):
            unread = {"text": "", "payments": [], "promises": []}
            deal["private"] = unread if deal["terms"] is None else None
