"""Everything that there is, counted by kind and wherever it lies; none of it comes or goes."""

from __future__ import annotations

from collections import Counter

from ledger.games.hegemonic.state.components import BASE_OF, PIECES, TYPES
from ledger.games.hegemonic.state.galaxy import CAPS, Galaxy
from ledger.kernel.accounts import BANK


def cards_of(galaxy: Galaxy) -> Counter[str]:
    """Every technology card of this game, one by one."""
    found: Counter[str] = Counter(galaxy.cards.unseen)
    found.update(galaxy.on_top)
    for house in galaxy.houses:
        found.update((*house.hand, *house.inactive, *house.advanced, *house.packet))
        found.update([house.committed] if house.committed else [])
    for discards in galaxy.discards.values():
        found.update(discards)
    if galaxy.contest:
        found.update(side.card for side in galaxy.contest.sides if side.card)
    return found


def tiles_of(galaxy: Galaxy) -> Counter[str]:
    """Every sector tile of this game, one by one."""
    found: Counter[str] = Counter(galaxy.tiles.unseen)
    found.update(galaxy.box.unseen)
    found.update(galaxy.pool)
    for house in galaxy.houses:
        found.update(house.tiles)
    found.update(s.tile for s in galaxy.sectors.values() if s.tile and s.home_of is None)
    return found


def units_of(galaxy: Galaxy) -> list[tuple[int, int, int]]:
    """Agents, fleets and gates of each house, on the map or waiting."""
    return [(len(one.agents), len(one.fleets), len(one.gates)) for one in galaxy.houses]


def amiss(galaxy: Galaxy) -> list[str]:
    """Returns what cannot be: more bases than pieces or locations, CAPs out of nothing."""
    found = []
    pieces = PIECES.of(galaxy)
    for house in galaxy.houses:
        for type_, base in BASE_OF.items():
            if not 0 <= house.built(type_) <= pieces[base].number:
                found.append(f"{house.built(type_)} {base} pieces of seat {house.seat}")
    for sector in galaxy.sectors:
        for type_ in TYPES:
            held = [house.bases_at(type_, sector) for house in galaxy.houses]
            found += _crowded(galaxy, type_, sector, held) if any(held) else []
    book = galaxy.accounts.balances.get(CAPS, {})
    found += [f"{one} holds {held}" for one, held in book.items() if one != BANK and held < 0]
    if sum(book.values()):
        found.append(f"all CAPs together are {sum(book.values())}")
    return found


def _crowded(galaxy: Galaxy, type_: str, sector: str, held: list[int]) -> list[str]:
    tile = galaxy.tile_at(sector)
    places = 0 if tile is None else getattr(tile, type_)
    if type_ == "political":
        places = min(places, 1)
    if type_ == "martial" and sum(map(bool, held)) > 1:
        return [f"outposts of two houses in {sector}"]
    return [f"{held} {type_} bases in {sector}"] if sum(held) > places else []
