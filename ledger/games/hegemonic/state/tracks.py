"""Player boards: costs, income, retention and the tier that each track has reached."""

from __future__ import annotations

from typing import Final

from ledger.parts import tracks

from .components import BASE_OF, PIECES, SPACES, TYPES, Space, figure
from .galaxy import Galaxy
from .technologies import EMERGENT_ECONOMICS, holds

BASE_TRACKS: Final = tracks.NumberedTrack(SPACES)


class Track:
    """`board.build-order`: bases are built from left to right, and come back in reverse order.

    So with n bases on the map, space n is the right-most vacated one (`board.return-order`).
    """

    @staticmethod
    def left(galaxy: Galaxy, seat: int, type_: str) -> int:
        """`general.piece-limits`: the number of bases of the type that wait on the player board."""
        number = PIECES.of(galaxy)[BASE_OF[type_]].number
        return number - galaxy.houses[seat].built(type_)

    @staticmethod
    def reached(galaxy: Galaxy, seat: int, type_: str) -> Space | None:
        """Returns the right-most vacated space; None without a base on the map."""
        return BASE_TRACKS.reached(galaxy, galaxy.houses[seat].built(type_), type_)


class Cost:
    """`board.cost`: the next base costs the figure under the left-most space still occupied."""

    @staticmethod
    def of_next(galaxy: Galaxy, seat: int, type_: str) -> int:
        """Returns the printed figure, before anything changes it."""
        assert Track.left(galaxy, seat, type_) > 0, "no base is left on the player board"
        return BASE_TRACKS.space(galaxy, galaxy.houses[seat].built(type_) + 1, type_).cost

    @staticmethod
    def left_most(galaxy: Galaxy, type_: str) -> int:
        """Returns the lowest cost of the track, that of its first space."""
        return BASE_TRACKS.space(galaxy, 1, type_).cost


class Income:
    """`board.income`: the figure over the right-most vacated space, and the sum of the three.

    `board.zero`: a track without a vacated space brings nothing.
    """

    @staticmethod
    def of(galaxy: Galaxy, seat: int, type_: str) -> int:
        space = Track.reached(galaxy, seat, type_)
        return space.income if space else 0

    @staticmethod
    def total(galaxy: Galaxy, seat: int) -> int:
        return sum(Income.of(galaxy, seat, type_) for type_ in TYPES)


class Retention:
    """`board.retention`: the smallest figure in any vacated space of any type."""

    @staticmethod
    def printed(galaxy: Galaxy, seat: int) -> int | None:
        """Returns the figure that the player board shows; None where no space is vacated."""
        house = galaxy.houses[seat]
        passed = (BASE_TRACKS.passed(galaxy, house.built(type_), type_) for type_ in TYPES)
        return min((space.retention for track in passed for space in track), default=None)

    @staticmethod
    def limit(galaxy: Galaxy, seat: int) -> int | None:
        """`tech.emergent-economics`: the printed limit, and more by it or by a leader."""
        printed = Retention.printed(galaxy, seat)
        if printed is None:
            return None
        printed += galaxy.houses[seat].retained
        if not holds(galaxy, seat, EMERGENT_ECONOMICS):
            return printed
        return printed + figure(galaxy, "tech.emergent")


class Tier:
    """`board.tier`: read for each type from its right-most vacated space.

    `board.zero`: with no base on the map the tier counts as 1, or by a reading as nothing.
    """

    @staticmethod
    def of(galaxy: Galaxy, seat: int, type_: str) -> int:
        """Returns the tier for the power of fleets and the distance of gates."""
        tier: int = Tier.by_bases(galaxy, seat, type_) or galaxy.reads("board.zero-tier")
        return tier

    @staticmethod
    def by_bases(galaxy: Galaxy, seat: int, type_: str) -> int:
        """Returns the tier for rules that require a built base; 0 without one."""
        space = Track.reached(galaxy, seat, type_)
        return space.tier if space else 0
