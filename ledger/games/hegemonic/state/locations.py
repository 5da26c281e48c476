"""Locations: the places on the map where a base may be, however it gets there."""

from __future__ import annotations

from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused

from .components import INDUSTRIAL, MARTIAL, POLITICAL, Tile
from .galaxy import Galaxy

_TAKEN = {
    INDUSTRIAL: "build.complex-location",
    POLITICAL: "build.embassy-location",
    MARTIAL: "build.outpost-stack",
}


def check_location(galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> None:
    """`build.location`: a base needs a free location of its type, on a tile on the map.

    Refuses a sector without a free location for this player's base.
    """
    tile = tile_in(galaxy, sector, "build.location")
    evidence = {"sector": sector, "type": type_}
    if not getattr(tile, type_):
        message = "The sector has no location of this type."
        raise Refused("no_location", "build.location", message, evidence)
    if type_ == MARTIAL and any(sector in one.outposts for one in galaxy.others(seat)):
        message = "The sector has another player's outposts."
        raise Refused("foreign_outposts", "build.outpost-single-owner", message, evidence)
    if galaxy.room(seat, type_, sector) <= 0:
        message = "The sector has no free location of this type."
        raise Refused("location_taken", _TAKEN[type_], message, evidence)


def check_foreign_home(
    galaxy: Galaxy, seat: Seat, sector: str, rule: str = "build.foreign-home"
) -> None:
    """`build.foreign-home`: a player builds nothing in another player's home sector.

    Refuses a foreign home. Relocations and gates pass a rule of their own.
    """
    if sector in galaxy.sectors and galaxy.foreign_home(seat, sector):
        message = "The sector is another player's home."
        raise Refused("foreign_home", rule, message, {"sector": sector})


def check_sector(galaxy: Galaxy, sector: str, rule: str) -> None:
    """Refuses what is no sector of a board in play, such as the centre."""
    if sector not in galaxy.sectors:
        message = "No board in play has this sector."
        raise Refused("no_such_sector", rule, message, {"sector": sector})


def tile_in(galaxy: Galaxy, sector: str, rule: str) -> Tile:
    """Returns the tile of a sector; refuses an unknown sector and one without a tile."""
    check_sector(galaxy, sector, rule)
    tile = galaxy.tile_at(sector)
    if tile is None:
        raise Refused("no_tile", rule, "The sector has no tile.", {"sector": sector})
    return tile
