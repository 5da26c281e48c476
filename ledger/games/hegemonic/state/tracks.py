"""Player boards: what a track costs, brings, lets retain, and which tier it has reached."""

from __future__ import annotations

from .components import BASE_OF, PIECES, SPACES, TYPES, Space, figure
from .galaxy import Galaxy
from .technologies import EMERGENT_ECONOMICS, holds


class Track:
    """`board.build-order`: bases are built from left to right, and come back in reverse order.

    So space n is the right-most vacated one where n bases are on the map (`board.return-order`).
    """

    @staticmethod
    def built(galaxy: Galaxy, seat: int, type_: str) -> int:
        """How many spaces are vacated."""
        return galaxy.houses[seat].built(type_)

    @staticmethod
    def left(galaxy: Galaxy, seat: int, type_: str) -> int:
        """`general.piece-limits`: how many bases of the type wait on the player board."""
        number = PIECES.of(galaxy)[BASE_OF[type_]].number
        return number - galaxy.houses[seat].built(type_)

    @staticmethod
    def space(galaxy: Galaxy, type_: str, number: int) -> Space:
        """A space of the track, counted from 1."""
        return SPACES.of(galaxy)[f"{type_}-{number}"]


class Cost:
    """`board.cost`: the next base costs what stands under the left-most space still occupied."""

    @staticmethod
    def of_next(galaxy: Galaxy, seat: int, type_: str) -> int:
        """The figure in print, before anything changes it."""
        assert Track.left(galaxy, seat, type_) > 0, "no base is left on the player board"
        return Track.space(galaxy, type_, Track.built(galaxy, seat, type_) + 1).cost

    @staticmethod
    def left_most(galaxy: Galaxy, type_: str) -> int:
        """The lowest cost of the track, which is that of its first space."""
        return Track.space(galaxy, type_, 1).cost


class Income:
    """`board.income`: the figure over the right-most vacated space, and the sum of the three.

    `board.zero`: a track without a vacated space brings nothing.
    """

    @staticmethod
    def of(galaxy: Galaxy, seat: int, type_: str) -> int:
        """The income of one type."""
        built = Track.built(galaxy, seat, type_)
        return Track.space(galaxy, type_, built).income if built else 0

    @staticmethod
    def total(galaxy: Galaxy, seat: int) -> int:
        """The income of a player."""
        return sum(Income.of(galaxy, seat, type_) for type_ in TYPES)


class Retention:
    """`board.retention`: the smallest figure in any vacated space of any type."""

    @staticmethod
    def printed(galaxy: Galaxy, seat: int) -> int | None:
        """What the player board shows; nothing where no space is vacated."""
        shown = [
            Track.space(galaxy, type_, number).retention
            for type_ in TYPES
            for number in range(1, Track.built(galaxy, seat, type_) + 1)
        ]
        return min(shown, default=None)

    @staticmethod
    def limit(galaxy: Galaxy, seat: int) -> int | None:
        """`tech.emergent-economics`: the same, and more with that technology advanced, or by a
        leader.
        """
        printed = Retention.printed(galaxy, seat)
        if printed is None:
            return None
        printed += galaxy.houses[seat].retained
        if not holds(galaxy, seat, EMERGENT_ECONOMICS):
            return printed
        return printed + figure(galaxy, "tech.emergent")


class Tier:
    """`board.tier`: read for each type from its right-most vacated space.

    `board.zero`: where no base is on the map the tier counts as 1, or as nothing.
    """

    @staticmethod
    def of(galaxy: Galaxy, seat: int, type_: str) -> int:
        """For the power of fleets and the distance of gates."""
        if Track.built(galaxy, seat, type_):
            return Tier.by_bases(galaxy, seat, type_)
        counted: int = galaxy.reads("board.zero-tier")
        return counted

    @staticmethod
    def by_bases(galaxy: Galaxy, seat: int, type_: str) -> int:
        """For what asks for a base that has been built; 0 without one."""
        built = Track.built(galaxy, seat, type_)
        return Track.space(galaxy, type_, built).tier if built else 0
