"""Leaders: the base class of abilities, their timing, and the decision to use one.

Ability ─┬─ leader_minds.py     LD01 The Envoy, LD04 The Chair, LD11 The Technarch
         ├─ leader_deck.py      LD04, the top of the draw pile
         ├─ leader_builders.py  LD03 The Prefects, LD10 The Gardener
         ├─ leader_turns.py     LD02 Thor's Will, LD05 Eadrom, LD06 The Consultant
         └─ leader_power.py     LD07 Izanagi, LD08 The Speaker, LD09 Occulus Magnus, LD12
leader_cards.py lists the abilities of each card; leaders.py asks, activates and resets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

from ledger.games.hegemonic.rounds.clock import ACTION_PHASES
from ledger.games.hegemonic.state.components import LEADERS, Leader
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused

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


class Use(NamedTuple):
    """An ability in use: by which player, how, in which window, and its questions' key prefix."""

    seat: Seat
    said: Activate
    moment: Moment | None
    occasion: str


class Ability:
    """`leader.choose`: one of the three abilities of a leader card."""

    moments: ClassVar[tuple[str, ...]] = ()  # the windows it is for
    at_any_time: ClassVar[bool] = True  # or only in those windows
    in_conflict: ClassVar[bool] = False  # at any time, while a conflict is open as well
    asks_further: ClassVar[bool] = False  # whether more is asked before it is done
    needs: ClassVar[tuple[str, ...]] = ()  # what has to be said
    counts: ClassVar[bool] = False  # whether it amounts to a number

    def __init__(self, leader: str, level: int) -> None:
        self.leader = leader
        self.level = level

    # --- when -----------------------------------------------------------------------------------

    def check_time(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> None:
        """`leader.anytime`: a player may use it in the window it names, or at any pending decision.

        Never between a choice made in secret and its reveal.
        """
        if moment is not None and moment.name in self.moments:
            if not self.fits(galaxy, seat, moment):
                raise self._untimely("The ability is not for this case.")
            return
        if not self.at_any_time or not self.open(galaxy, seat):
            raise self._untimely("The ability is for another moment.")
        if galaxy.contest is not None and not self.in_conflict:
            raise self._untimely("The ability waits until the conflict is over.")
        if _in_secret(galaxy):
            raise self._untimely("Somebody has chosen in secret: the reveal comes first.")
        if self.asks_further and _choosing(galaxy):
            raise self._untimely("Cards are being chosen in secret: nothing else is asked.")

    def _untimely(self, message: str) -> Refused:
        evidence = {"leader": self.leader, "level": self.level}
        return Refused("not_the_moment", "leader.anytime", message, evidence)

    def fits(self, galaxy: Galaxy, seat: Seat, moment: Moment) -> bool:
        """Returns whether the player can use it in one of its windows."""
        return True

    def open(self, galaxy: Galaxy, seat: Seat) -> bool:
        """Returns whether the player can use it outside its windows."""
        return True

    # --- how ------------------------------------------------------------------------------------

    def check(self, galaxy: Galaxy, use: Use) -> None:
        """Refuses details that are wrong, beyond the level and the moment."""

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        """Yields every way to use it that could be legal."""
        yield Activate(self.level)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        """Yields the effects of the ability. `check` has passed."""
        raise NotImplementedError

    def amount(self, galaxy: Galaxy) -> int:
        """Returns the ability's number in this match."""
        amount = self.amount_in(LEADERS.of(galaxy)[self.leader])
        assert amount is not None, f"{self.leader} has no figure for level {self.level}"
        return amount

    def amount_in(self, row: Leader) -> int | None:
        """Returns the number on a leader card, if any."""
        return (row.amount_1, row.amount_2, row.amount_3)[self.level - 1]

    def other(self, galaxy: Galaxy, use: Use) -> Seat:
        """Returns the other player that was named, or refuses it."""
        named = use.said.seat
        if named is None or named not in galaxy.seats or named == use.seat:
            raise self.untargeted("There is no such other player.", seat=named)
        return named

    def untargeted(self, message: str, **evidence: object) -> Refused:
        return Refused("no_such_target", RULE, message, {"leader": self.leader, **evidence})


def check_said(ability: Ability, said: Activate) -> None:
    """Refuses fields that the ability does not need, so that each use has only one form."""
    plain = Activate(said.level)
    for name in said.__struct_fields__:
        if name == "level" or name in ability.needs:
            continue
        if getattr(said, name) != getattr(plain, name):
            message = "The ability has no use for this."
            raise Refused("not_needed", RULE, message, {"leader": ability.leader, "field": name})


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
