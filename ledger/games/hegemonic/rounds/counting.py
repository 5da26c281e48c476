"""Conservation counts: every card, tile, piece and CAP is somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized

from ledger.games.hegemonic.state.components import BASE_OF, CARDS, PIECES, TILES
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.parts.conserved import count_beyond, count_missing


def count_conserved(galaxy: Galaxy) -> Mapping[str, int]:
    """Returns counts of missing or surplus items, which never change.

    `general.piece-limits`: bases on the map beyond the limit; units cannot exceed theirs.
    """
    pieces = PIECES.of(galaxy)
    return {
        "technology cards missing": count_missing(CARDS.of(galaxy), *_find_cards(galaxy)),
        "sector tiles missing": count_missing(TILES.of(galaxy), *_find_tiles(galaxy)),
        "pieces too many": count_beyond(
            (house.built(type_), pieces[base].number)
            for house in galaxy.houses
            for type_, base in BASE_OF.items()
        ),
        "CAPs out of balance": sum(galaxy.accounts.out_of_balance().values()),
    }


def _find_cards(galaxy: Galaxy) -> Iterator[Sized | int]:
    """Yields the places of technology cards, those that are not in this game included."""
    yield from galaxy.discards.values()
    yield galaxy.draw_pile + galaxy.cards_aside
    yield galaxy.contest.cards_out() if galaxy.contest else 0
    for house in galaxy.houses:
        yield from (house.hand, house.inactive, house.advanced, house.packet)
        yield house.has_committed


def _find_tiles(galaxy: Galaxy) -> Iterator[Sized | int]:
    """Yields the places of sector tiles: unseen, in the box, in the pool, on the map, held."""
    yield galaxy.tiles.size() + galaxy.box.size() + galaxy.tiles_aside
    yield galaxy.pool
    yield sum(not sector.empty and sector.home_of is None for sector in galaxy.sectors.values())
    yield from (house.tiles for house in galaxy.houses)
