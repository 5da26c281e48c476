"""Reactions: what advanced technologies allow when something has been, or will be, destroyed."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Seat, Step

from .state import Galaxy
from .technologies import (
    BIO_ADAPTIVE_HULLS,
    PHASED_TELEPORTATION,
    PREDICTIVE_ALGORITHMS,
    STEALTH_FIELD_EMITTER,
    SUBLIMINAL_TELEPATHY,
    holds,
)
from .unwritten import unwritten


class SaveGates(Step):
    """`tech.predictive-algorithms`: gates that are about to be destroyed may be put elsewhere.

    Who comes after it destroys those of them that still stand in the sector of the conflict.
    """

    seat: Open[Seat]  # whose gates they are
    gates: Open[tuple[int, ...]]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Without the technology there is no question."""
        return _unless_held(galaxy, self.seat, (PREDICTIVE_ALGORITHMS,))


class React(Step):
    """`step4.reaction-order`: all reactions of one player to what has become of the conflict.

    They follow from the losses, the winner and the attacking unit of the contest; a player takes
    them in the order it likes, until it declines.
    """

    seat: Open[Seat]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Without such a technology there is no question."""
        reacting = (
            SUBLIMINAL_TELEPATHY,
            PHASED_TELEPORTATION,
            BIO_ADAPTIVE_HULLS,
            STEALTH_FIELD_EMITTER,
        )
        return _unless_held(galaxy, self.seat, reacting)


def _unless_held(galaxy: Galaxy, seat: Seat, technologies: Iterable[str]) -> Happenings:
    if any(holds(galaxy, seat, technology) for technology in technologies):
        return unwritten("reactions")
    return iter(())
