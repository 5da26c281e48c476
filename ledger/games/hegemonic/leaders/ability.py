"""Leaders: the base class of abilities, their timing, and the decision to use one.

Ability ─┬─ minds.py     LD01 The Envoy, LD04 The Chair, LD11 The Technarch
         ├─ builders.py  LD03 The Prefects, LD10 The Gardener
         ├─ turns.py     LD02 Thor's Will, LD05 Eadrom, LD06 The Consultant
         └─ power.py     LD07 Izanagi, LD08 The Speaker, LD09 Occulus Magnus, LD12
cards.py lists the abilities of each card; activation.py asks, activates and resets.
"""

from __future__ import annotations

from typing import ClassVar, Final

from ledger.games.hegemonic.rounds.clock import ACTION_PHASES
from ledger.games.hegemonic.state.components import LEADERS, Leader
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Decision, Seat
from ledger.parts import abilities

RULE: Final = "leader.choose"  # by which abilities act


class Activate(Decision, tag="leader.activate"):
    """Use an ability of your leader card, with the details that the ability needs."""

    level: Open[int]
    seat: Open[Seat | None] = None  # whose hand, support, technology; who goes first
    card: Open[str] = ""
    piece: Open[str] = ""  # its kind
    number: Open[int | None] = None  # of a unit
    sector: Open[str] = ""
    path: Open[tuple[str, ...]] = ()  # of a unit, as it moves; of a base, from where to where


class Moment(Frozen, frozen=True, array_like=True):
    """A moment at which the game asks a player only because a leader can act."""

    name: Open[str]
    unit: Open[tuple[str, int] | None] = None  # that is about to be destroyed
    tied: Open[tuple[Seat, ...]] = ()  # whose order numbers are equal


class Ability(abilities.Ability):
    """`leader.choose`: one of the three abilities of a leader card.

    `leader.anytime`: a player may use it in the window it names, or at any pending decision. Never
    between a choice made in secret and its reveal.
    """

    rule = RULE
    timing = "leader.anytime"
    kind = "leader"
    activate = Activate
    in_conflict: ClassVar[bool] = False  # at any time, while a conflict is open as well
    asks_further: ClassVar[bool] = False  # whether more is asked before it is done

    def check_pending(self, galaxy: Galaxy) -> None:
        if galaxy.contest is not None and not self.in_conflict:
            raise self.untimely("The ability waits until the conflict is over.")
        if _in_secret(galaxy):
            raise self.untimely("A player has chosen in secret: the reveal must come first.")
        if self.asks_further and _choosing(galaxy):
            raise self.untimely("Players are choosing cards in secret: the reveal must come first.")

    def amount(self, galaxy: Galaxy) -> int:
        """Returns the ability's number in this match."""
        amount = self.amount_in(LEADERS.of(galaxy)[self.owner])
        assert amount is not None, f"{self.owner} has no figure for level {self.level}"
        return amount

    def amount_in(self, row: Leader) -> int | None:
        """Returns the number on a leader card, if any."""
        return (row.amount_1, row.amount_2, row.amount_3)[self.level - 1]


def _in_secret(galaxy: Galaxy) -> bool:
    """Returns whether any player has made a secret choice that is not revealed yet."""
    if any(house.has_chosen or house.has_committed for house in galaxy.houses):
        return True
    contest = galaxy.contest
    if contest is None:
        return False
    told = {one.seat for one in contest.support}
    if any(one.seat not in told for one in contest.sealed):
        return True
    return contest.step == 1 and any(s.answered and not s.has_drawn for s in contest.sides)


def _choosing(galaxy: Galaxy) -> bool:
    """Returns whether a secret choice is about to be made, of action cards or in a conflict."""
    contest = galaxy.contest
    if contest is None:
        played = any(house.played for house in galaxy.houses)
        return galaxy.phase in ACTION_PHASES and not played
    if contest.step == 1:
        return bool(galaxy.reads("step1.order") == "simultaneous")
    if contest.step == 2:
        return bool(galaxy.reads("support.order") == "simultaneous")
    return contest.step == 3 and not contest.cards_out()
