"""Conservation counts: every card, tile, piece and CAP is somewhere."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.games.hegemonic.state.components import BASE_OF, CARDS, PIECES, TILES
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import House


def count_conserved(galaxy: Galaxy) -> Mapping[str, int]:
    """Returns counts of missing or surplus items, which never change."""
    return {
        "technology cards missing": len(CARDS.of(galaxy)) - cards_in(galaxy),
        "sector tiles missing": len(TILES.of(galaxy)) - tiles_in(galaxy),
        "pieces too many": sum(_too_many(galaxy, house) for house in galaxy.houses),
        "CAPs out of balance": sum(galaxy.accounts.out_of_balance().values()),
    }


def cards_in(galaxy: Galaxy) -> int:
    """Counts technology cards: piles, hands, slots, and those that are not in this game."""
    held = sum(
        len(house.hand)
        + len(house.inactive)
        + len(house.advanced)
        + len(house.packet)
        + int(house.has_committed)
        for house in galaxy.houses
    )
    revealed = galaxy.contest.cards_out() if galaxy.contest else 0
    discarded = sum(map(len, galaxy.discards.values()))
    return galaxy.draw_pile + galaxy.cards_aside + held + revealed + discarded


def tiles_in(galaxy: Galaxy) -> int:
    """Counts sector tiles: unseen, in the box, held, in the pool, on the map."""
    held = sum(len(house.tiles) for house in galaxy.houses)
    placed = sum(not s.empty and s.home_of is None for s in galaxy.sectors.values())
    unseen = galaxy.tiles.size() + galaxy.box.size() + galaxy.tiles_aside
    return unseen + held + len(galaxy.pool) + placed


def _too_many(galaxy: Galaxy, house: House) -> int:
    """`general.piece-limits`: bases on the map beyond the limit; units cannot exceed theirs."""
    pieces = PIECES.of(galaxy)
    return sum(max(0, house.built(type_) - pieces[base].number) for type_, base in BASE_OF.items())
