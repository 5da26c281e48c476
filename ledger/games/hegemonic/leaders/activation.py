"""Leaders: an optional card a player, three abilities, used at any time or at a named moment.

ActivateLeader (standing) ─┐
Window ─▶ OfferLeader ─▶ AskLeader ─┴▶ LeaderActivated ─▶ the ability ─▶ PutBack ─▶ LeaderReset
                             └─▶ leader.pass
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from ledger.games.hegemonic.actions.interrupts import ActionInterrupted, Interrupted
from ledger.games.hegemonic.state.components import COMPLEX, INDUSTRIAL
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused

from .ability import RULE, Ability, Activate, Moment, Use, check_said

MOMENTS: Final = (
    "revealed",           # after the reveal, before the first card resolves (LD06)
    "tied",               # an order number is tied, before the starter is named (LD06)
    "support-begins",     # start of step 2 (LD08)
    "support-answered",   # after all support answers (LD01, LD08)
    "before-cards",       # before step 3 commits (LD07, LD09, LD12)
    "cards-revealed",     # after the reveal of step 3 (LD01)
    "unit-falls",         # an agent or fleet is about to be destroyed (LD05)
    "attack-lost",        # the attacker has lost (LD08)
    "before-retention",   # before the own arbitration discard (LD12)
)  # fmt: skip
OF_CONFLICTS: Final = MOMENTS[2:8]


class Pass(Decision, tag="leader.pass"):
    """Do not use your leader at this moment; nor at such a moment again in this phase."""

    not_again: Open[bool] = False


# --- facts ----------------------------------------------------------------------------------------


class LeaderActivated(Fact, tag="leader.activated"):
    """A player uses an ability of its leader."""

    seat: Open[Seat]
    leader: Open[str]
    level: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """Marks it as in progress; the count is part of the next key."""
        galaxy.houses[self.seat].leading = self.level
        galaxy.counts[_count(self.seat)] = galaxy.counts.get(_count(self.seat), 0) + 1


class LeaderReset(Fact, tag="leader.reset"):
    """A leader card went back to the position where it shows its portrait only."""

    seat: Open[Seat]

    def apply(self, galaxy: Galaxy) -> None:
        house = galaxy.houses[self.seat]
        house.level = house.leading = 0


class LeaderPassed(Fact, tag="leader.passed"):
    """A player did not use its leader at a moment for it."""

    seat: Open[Seat]
    moment: Open[str]
    not_again: Open[bool]

    def apply(self, galaxy: Galaxy) -> None:
        """The player may choose not to be asked again in this phase."""
        if self.not_again:
            galaxy.houses[self.seat].passed.append(self.moment)


def _count(seat: Seat) -> str:
    return f"leader/s{seat}"


def _occasion(galaxy: Galaxy, seat: Seat) -> str:
    return f"{_count(seat)}/{galaxy.counts.get(_count(seat), 0) + 1}"


# --- what can be used -----------------------------------------------------------------------------


class Leading:
    """`leader.choose`: any one ability of a level not above the position of the card."""

    @staticmethod
    def ability(galaxy: Galaxy, seat: Seat, level: int) -> Ability:
        """Returns the ability of a level, or refuses one that the card does not show."""
        from .cards import ABILITIES  # the cards know of all chapters, and these of leaders

        house = galaxy.houses[seat]
        if not house.leader:
            raise Refused("no_leader", "leader.assign", "The player has no leader.")
        evidence = {"leader": house.leader, "level": level, "position": house.level}
        if house.leading:
            message = "The leader is acting; then its card goes back."
            raise Refused("leader_acting", "leader.reset", message, evidence)
        if not 1 <= level <= house.level:
            message = "The leader card does not show this ability."
            raise Refused("level_not_reached", RULE, message, evidence)
        return ABILITIES[house.leader][level - 1]

    @staticmethod
    def check(galaxy: Galaxy, seat: Seat, said: Activate, moment: Moment | None) -> None:
        """Refuses a use that the card, the moment or the ability does not allow."""
        ability = Leading.ability(galaxy, seat, said.level)
        ability.check_time(galaxy, seat, moment)
        check_said(ability, said)
        ability.check(galaxy, Use(seat, said, moment, _occasion(galaxy, seat)))

    @staticmethod
    def ways(galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        """Yields every way in which the player can use its leader now."""
        for level in range(1, galaxy.houses[seat].level + 1):
            yield from Leading.ways_of(galaxy, seat, level, moment)

    @staticmethod
    def ways_of(
        galaxy: Galaxy, seat: Seat, level: int, moment: Moment | None
    ) -> Iterator[Activate]:
        """Yields every way in which the player can use one ability now."""
        try:
            ability = Leading.ability(galaxy, seat, level)
            ability.check_time(galaxy, seat, moment)
        except Refused:
            return
        for said in ability.ways(galaxy, seat, moment):
            try:
                ability.check(galaxy, Use(seat, said, moment, _occasion(galaxy, seat)))
            except Refused:
                continue
            yield said

    @staticmethod
    def activated(galaxy: Galaxy, seat: Seat, said: Activate, moment: Moment | None) -> Happenings:
        ability = Leading.ability(galaxy, seat, said.level)
        use = Use(seat, said, moment, _occasion(galaxy, seat))
        yield LeaderActivated(seat, ability.leader, said.level)
        yield from ability.carry(galaxy, use)
        yield PutBack(seat)


class PutBack(Step):
    """`leader.reset`: after the ability the card goes back to 0, whichever level was used.

    `leader.interrupt-unpaid`: another player may drop its action that the leader interrupted.
    """

    seat: Open[Seat]

    def run(self, galaxy: Galaxy) -> Happenings:
        yield LeaderReset(self.seat)
        turn = galaxy.turn
        if turn is not None and turn.seat != self.seat and Interrupted.open(galaxy):
            yield ActionInterrupted(turn.seat)


# --- at any time ----------------------------------------------------------------------------------


class ActivateLeader(Question):
    """`leader.anytime`: a player may activate its leader at any time, whatever is going on.

    `leader.interrupt-paid`: the interrupted play goes on afterwards.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (Activate,)

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        return tuple(galaxy.seats)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return _occasion(galaxy, seat)

    def standing_open(self, galaxy: Galaxy) -> bool:
        return not galaxy.over

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Activate) -> bool:
        Leading.check(galaxy, seat, decision, None)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Activate]:
        return list(Leading.ways(galaxy, seat, None))

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Activate) -> Happenings:
        """Resolves the ability at once, before the interrupted play."""
        yield from Leading.activated(galaxy, seat, decision, None)


# --- at a moment at which nothing is asked --------------------------------------------------------


class Window(Step):
    """`leader.anytime`: a player with a leader for this moment may use it now.

    `leader.simultaneous`: first the player whose turn it is, then clockwise.
    """

    moment: Open[str]
    seat: Open[Seat | None] = None  # whom it concerns: whose unit falls, who has lost
    unit: Open[tuple[str, int] | None] = None  # that falls
    tied: Open[tuple[Seat, ...]] = ()  # whose order numbers are equal

    def run(self, galaxy: Galaxy) -> Happenings:
        assert self.moment in MOMENTS, f"no leader acts at {self.moment}"
        led = [house.seat for house in galaxy.houses if house.level]
        if not led:
            return
        moment = Moment(self.moment, self.unit, self.tied)
        for seat in galaxy.clockwise(galaxy.turn.seat if galaxy.turn else galaxy.arbiter):
            if seat in led and self.seat in (None, seat):
                yield OfferLeader(seat, moment)


class OfferLeader(Step):
    """`leader.anytime`: a player is asked only where its leader can do something."""

    seat: Open[Seat]
    moment: Open[Moment]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks nothing if passing is the only possible answer."""
        house = galaxy.houses[self.seat]
        if self.moment.name in house.passed or house.leading:
            return
        for level in range(1, house.level + 1):
            ability = Leading.ability(galaxy, self.seat, level)
            ways = Leading.ways_of(galaxy, self.seat, level, self.moment)
            if self.moment.name in ability.moments and any(ways):
                yield AskLeader(self.seat, self.moment)
                return


class AskLeader(Question):
    """`leader.anytime`: the player may use its leader at this moment."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Activate, Pass)
    seat: Open[Seat]
    moment: Open[Moment]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        return (self.seat,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """Named by the phase or the conflict, the moment, the seat and the unit."""
        in_contest = galaxy.contest is not None and self.moment.name in OF_CONFLICTS
        what = galaxy.contest.key if in_contest and galaxy.contest else galaxy.when
        unit = "/".join(map(str, self.moment.unit)) if self.moment.unit else ""
        return f"{what}/leader/{self.moment.name}/s{seat}" + (f"/{unit}" if unit else "")

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Activate | Pass) -> bool:
        """Accepts an ability for this moment, one for any time, or a pass."""
        if isinstance(decision, Activate):
            Leading.check(galaxy, seat, decision, self.moment)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        return [*Leading.ways(galaxy, seat, self.moment), Pass(), Pass(not_again=True)]

    def default(self, galaxy: Galaxy, seat: Seat) -> Decision:
        """A player who does not answer keeps its leader for later."""
        return Pass()

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Activate | Pass) -> Happenings:
        if isinstance(decision, Activate):
            yield from Leading.activated(galaxy, seat, decision, self.moment)
        else:
            yield LeaderPassed(seat, self.moment.name, decision.not_again)


# --- prices ---------------------------------------------------------------------------------------


def discount(galaxy: Galaxy, seat: Seat, piece: str) -> int:
    """Returns the amount that a leader takes off the price of the next piece.

    It applies to the next complex of the BUILD in which the leader acted, and to no other.
    """
    turn = galaxy.turn
    if turn is None or turn.saving is None or turn.seat != seat or piece != COMPLEX:
        return 0
    built, amount = turn.saving
    return amount if galaxy.houses[seat].built(INDUSTRIAL) == built else 0
