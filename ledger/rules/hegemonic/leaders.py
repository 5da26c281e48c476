"""Leaders: the moments at which an ability may be used that no other question offers; stub."""

from __future__ import annotations

from typing import Final

from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Seat, Step

from .state import Galaxy
from .unwritten import unwritten

MOMENTS: Final = (
    "revealed",           # after the reveal, before the first card resolves (LD06)
    "tied",               # an order number is tied, before the starter is named (LD06)
    "support-begins",     # start of step 2 (LD08)
    "support-answered",   # after all support answers (LD01)
    "before-cards",       # before step 3 commits (LD07, LD09, LD12)
    "cards-revealed",     # after the reveal of step 3 (LD01)
    "unit-falls",         # an agent or fleet is about to be destroyed (LD05)
    "attack-lost",        # the attacker has lost (LD08)
    "before-retention",   # before the own arbitration discard (LD12)
)  # fmt: skip


class Window(Step):
    """`leader.anytime`: whoever has a leader for this moment may use it now."""

    moment: Open[str]
    seat: Open[Seat | None] = None  # whom it concerns: whose unit falls, who has lost
    unit: Open[tuple[str, int] | None] = None  # that falls

    def run(self, galaxy: Galaxy) -> Happenings:
        """Without leaders nothing happens."""
        assert self.moment in MOMENTS, f"no leader acts at {self.moment}"
        if any(house.leader for house in galaxy.houses):
            return unwritten("leaders")
        return iter(())


def discount(galaxy: Galaxy, seat: Seat, piece: str) -> int:
    """What a leader takes off the price of the next piece that is built; a price asks for it."""
    assert not galaxy.houses[seat].leader, f"not written yet: leaders, for a {piece}"
    return 0
