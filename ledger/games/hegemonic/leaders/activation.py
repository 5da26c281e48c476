"""Leaders: an optional card a player, three abilities, used at any time or at a named moment.

ActivateLeader (standing) ─┐
Window ─▶ OfferLeader ─▶ AskLeader ─┴▶ LeaderActivated ─▶ the ability ─▶ PutBack ─▶ LeaderReset
                             └─▶ leader.pass
Ability ─▶ minds.py, builders.py, turns.py, power.py; cards.py lists the abilities of each card.
"""

from __future__ import annotations

from typing import ClassVar, Final

from ledger.games.hegemonic.actions.base import turn_of
from ledger.games.hegemonic.actions.turn import ActionTakenBack
from ledger.games.hegemonic.rounds.clock import ACTION_PHASES
from ledger.games.hegemonic.state.components import COMPLEX, INDUSTRIAL, LEADERS, Leader
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Decision, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts import abilities
from ledger.parts.abilities import AbilityOffer, ActivateAtAnyTime, Ask, Use, Uses
from ledger.parts.seats import SeatFact, SeatStep
from ledger.parts.standing import count, standing_key

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
INTERRUPTIBLE: Final = ("build", "conflict")  # what is declared before anything is paid in it


class Pass(Decision, tag="leader.pass"):
    """Do not use your leader at this moment; nor at such a moment again in this phase."""

    not_again: Open[bool] = False


# --- facts ----------------------------------------------------------------------------------------


class LeaderActivated(SeatFact, tag="leader.activated"):
    """A player uses an ability of its leader."""

    leader: Open[str]
    level: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """Marks it as in progress; the count is part of the next key."""
        galaxy.houses[self.seat].leading = self.level
        count(galaxy, "leader", self.seat)


class LeaderReset(SeatFact, tag="leader.reset"):
    """A leader card went back to the position where it shows its portrait only."""

    def apply(self, galaxy: Galaxy) -> None:
        house = galaxy.houses[self.seat]
        house.level = house.leading = 0


class LeaderPassed(SeatFact, tag="leader.passed"):
    """A player did not use its leader at a moment for it."""

    moment: Open[str]
    not_again: Open[bool]

    def apply(self, galaxy: Galaxy) -> None:
        """The player may choose not to be asked again in this phase."""
        if self.not_again:
            galaxy.houses[self.seat].passed.append(self.moment)


# --- what can be used -----------------------------------------------------------------------------


class Leading(Uses):
    """`leader.choose`: any one ability of a level not above the position of the card."""

    @classmethod
    def ability(cls, galaxy: Galaxy, seat: Seat, level: int) -> Ability:
        """Returns the ability of a level, or refuses one that the card does not show."""
        from .cards import ABILITIES  # the cards know of all chapters, and these of leaders

        house = galaxy.houses[seat]
        if not house.leader:
            raise Refused("no_leader", "leader.assign", "The player has no leader.")
        evidence = {"leader": house.leader, "level": level, "position": house.level}
        if house.leading:
            message = "The player's leader is acting; its card goes back afterwards."
            raise Refused("leader_acting", "leader.reset", message, evidence)
        if not 1 <= level <= house.level:
            message = "The leader card does not show this ability."
            raise Refused("level_not_reached", RULE, message, evidence)
        return ABILITIES[house.leader][level - 1]

    @classmethod
    def highest(cls, galaxy: Galaxy, seat: Seat) -> int:
        return galaxy.houses[seat].level

    @classmethod
    def occasion(cls, galaxy: Galaxy, seat: Seat) -> str:
        return standing_key(galaxy, "leader", seat)

    @classmethod
    def carried(cls, galaxy: Galaxy, ability: Ability, use: Use) -> Happenings:
        yield LeaderActivated(use.seat, ability.owner, ability.level)
        yield from ability.carry(galaxy, use)
        yield PutBack(use.seat)


class PutBack(SeatStep):
    """`leader.reset`: after the ability the card goes back to 0, whichever level was used.

    `leader.interrupt-unpaid`: another player may drop its action that the leader interrupted.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        yield LeaderReset(self.seat)
        turn = galaxy.turn
        if turn is not None and turn.seat != self.seat and Interrupted.open(galaxy):
            yield ActionInterrupted(turn.seat)


# --- at any time ----------------------------------------------------------------------------------


class ActivateLeader(ActivateAtAnyTime):
    """`leader.anytime`: a player may activate its leader at any time, whatever is going on.

    The interrupted play goes on afterwards (`leader.interrupt-paid`).
    """

    answers = (Activate,)
    uses = Leading


# --- at a moment at which nothing is asked --------------------------------------------------------


class AskLeader(Ask):
    """`leader.anytime`: the player may use its leader at this moment."""

    answers = (Activate, Pass)
    uses = Leading
    passes = (Pass(), Pass(not_again=True))
    moment: Open[Moment]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """Named by the phase or the conflict, the moment, the seat and the unit."""
        in_contest = galaxy.contest is not None and self.moment.name in OF_CONFLICTS
        what = galaxy.contest.key if in_contest and galaxy.contest else galaxy.when
        unit = "/".join(map(str, self.moment.unit)) if self.moment.unit else ""
        return f"{what}/leader/{self.moment.name}/s{seat}" + (f"/{unit}" if unit else "")

    def passed(self, seat: Seat, decision: Pass) -> Happenings:
        yield LeaderPassed(seat, self.moment.name, decision.not_again)


class OfferLeader(AbilityOffer):
    """`leader.anytime`: a player is asked only where its leader can do something."""

    uses = Leading
    asked = AskLeader
    seat: Open[Seat]
    moment: Open[Moment]

    def silent(self, galaxy: Galaxy) -> bool:
        house = galaxy.houses[self.seat]
        return self.moment.name in house.passed or bool(house.leading)


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


# --- interrupted by a leader ----------------------------------------------------------------------


class Resume(Decision, tag="leader.resume"):
    """Go on with the action that a leader has interrupted, or drop it and choose another."""

    go_on: Open[bool]


class ActionInterrupted(SeatFact, tag="leader.action-interrupted"):
    """Another player's leader interrupted a player's action before anything was paid."""

    def apply(self, galaxy: Galaxy) -> None:
        turn_of(galaxy).interrupted = True


class ActionResumed(SeatFact, tag="leader.action-resumed"):
    """A player goes on with an interrupted action."""

    def apply(self, galaxy: Galaxy) -> None:
        """Counts the resumption, which renames the question."""
        turn_of(galaxy).interrupted = False
        turn_of(galaxy).resumed += 1


class Interrupted:
    """`leader.interrupt-unpaid`: the interrupted player goes on, or drops the action.

    `leader.interrupt-paid`: a paid action and a conflict that has begun are completed.
    """

    @staticmethod
    def open(galaxy: Galaxy) -> bool:
        """Returns whether the player could still drop the open action."""
        turn = galaxy.turn
        if turn is None or turn.action not in INTERRUPTIBLE:
            return False
        return not turn.done and galaxy.contest is None

    @staticmethod
    def check(galaxy: Galaxy) -> None:
        """Refuses the answer if nothing was interrupted, or something was paid or done."""
        turn = turn_of(galaxy)
        if not Interrupted.open(galaxy):
            message = "The player has paid or acted in this action, so it must be completed."
            raise Refused("action_begun", "leader.interrupt-paid", message, {"done": turn.done})
        if not turn.interrupted:
            message = "No leader has interrupted this action."
            raise Refused("not_interrupted", "leader.interrupt-unpaid", message)

    @staticmethod
    def options(galaxy: Galaxy) -> list[Decision]:
        """Lists both answers while the player has a choice."""
        pending = turn_of(galaxy).interrupted and Interrupted.open(galaxy)
        return [Resume(go_on=True), Resume(go_on=False)] if pending else []

    @staticmethod
    def key(galaxy: Galaxy) -> str:
        """Returns a suffix that distinguishes the key of a resumed question from earlier ones."""
        resumed = turn_of(galaxy).resumed
        return f"/resumed/{resumed}" if resumed else ""

    @staticmethod
    def decide(seat: Seat, decision: Resume, question: Question) -> Happenings:
        """Asks the same question again, or takes the action back."""
        if decision.go_on:
            yield ActionResumed(seat)
            yield question
        else:
            yield ActionTakenBack(seat)
