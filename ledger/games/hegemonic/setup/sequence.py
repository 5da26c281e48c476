"""Setup: its sequence, the first arbiter, colours, leaders; then the first round."""

from __future__ import annotations

from ledger.games.hegemonic.map.placing import PlayerBoardFilled
from ledger.games.hegemonic.rounds.sequence import Round
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import AGENT, COLORS, FLEET, GATE, LEADERS, PIECES
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.cards import TurnUp
from ledger.parts.seats import SeatFact, SeatQuestion, TableQuestion, WaitingQuestion

from .boards import LayBoards
from .dealing import AddTiles, DealCards, DealTiles, FillPool, MakeStack, ShuffleAll
from .homes import PlaceFirstTiles, PlaceHomes


class ChooseFirstArbiter(Decision, tag="setup.choose-first-arbiter"):
    """Name the first arbiter."""

    seat: Open[Seat]


class ChooseColor(Decision, tag="setup.choose-color"):
    """Take a colour."""

    color: Open[str]


class ChooseLeader(Decision, tag="setup.choose-leader"):
    """Take a leader card."""

    leader: Open[str]


class ArbiterNamed(SeatFact, tag="setup.arbiter-named"):
    """The first arbiter was named and has the token."""

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.arbiter = self.seat


class ColorTaken(SeatFact, tag="setup.color-taken"):
    """A player took a colour."""

    color: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].color = self.color


class LeaderTaken(SeatFact, tag="setup.leader-taken"):
    """A player took a leader card."""

    leader: Open[str]
    epoch: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """`leader.start`: the card shows the portrait only."""
        galaxy.leaders.take((self.leader,), self.epoch)
        galaxy.houses[self.seat].leader = self.leader


class Setup(Step):
    """`setup.arbiter`: the table names the first arbiter; the rest follows as in the rulebook."""

    def run(self, galaxy: Galaxy) -> Happenings:
        yield ShuffleAll()
        yield NameArbiter()
        yield LayBoards()
        yield TakeColors()
        yield TakeLeaders()
        yield DealCards()
        yield AddTiles()
        yield MakeStack()
        yield DealTiles()
        yield PlaceHomes()
        yield PlaceFirstTiles()
        yield FillPool()
        yield HandOutCaps()
        yield Round()


class NameArbiter(TableQuestion):
    """`setup.arbiter`: the table chooses the first arbiter; any player may name one."""

    answers = (ChooseFirstArbiter,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return "setup/arbiter"

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseFirstArbiter]:
        return [ChooseFirstArbiter(other) for other in galaxy.seats]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseFirstArbiter) -> Happenings:
        yield ArbiterNamed(decision.seat)


class TakeColors(Step):
    """`setup.color`: each player takes a colour, its player board and all its pieces."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """`board.units-supply`: all units wait on the player board."""
        pieces = PIECES.of(galaxy)
        agents, fleets, gates = (pieces[unit].number for unit in (AGENT, FLEET, GATE))
        for seat in galaxy.seats:
            yield PlayerBoardFilled(seat, agents, fleets, gates)
        yield TakeColor(tuple(galaxy.seats))


class TakeColor(WaitingQuestion):
    """`setup.color`: each player takes a free colour, in any order."""

    answers = (ChooseColor,)
    waiting: Open[tuple[Seat, ...]]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"setup/color/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: ChooseColor) -> bool:
        if any(house.color == decision.color for house in galaxy.houses if house.color):
            evidence = {"color": decision.color}
            raise Refused("color_taken", "setup.color", "Another player has this colour.", evidence)
        return decision.color in COLORS.of(galaxy)

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseColor]:
        taken = {house.color for house in galaxy.houses}
        return [ChooseColor(color) for color in COLORS.of(galaxy) if color not in taken]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseColor) -> Happenings:
        yield ColorTaken(seat, decision.color)
        yield from self.without(seat)


class TakeLeaders(Step):
    """`setup.leaders`: with leaders, each player gets one card, at random or by choice."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """`leader.assign`: a match fixes the way when it is created."""
        how = galaxy.reads("opt.leaders")
        if how == "dealt":
            yield from map(DealLeader, galaxy.clockwise(galaxy.arbiter))
        elif how == "chosen":
            yield from map(PickLeader, galaxy.clockwise(galaxy.arbiter))


class DealLeader(TurnUp):
    """`leader.assign`: at random, for all to see."""

    deck = "leaders"
    where = "setup/leader/s{}"
    told = LeaderTaken


class PickLeader(SeatQuestion):
    """`leader.assign`: by agreement; the players choose clockwise from the arbiter."""

    answers = (ChooseLeader,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"setup/leader/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: ChooseLeader) -> bool:
        if any(house.leader == decision.leader for house in galaxy.houses if house.leader):
            message, evidence = "Another player has this leader.", {"leader": decision.leader}
            raise Refused("leader_taken", "leader.assign", message, evidence)
        return decision.leader in LEADERS.of(galaxy)

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseLeader]:
        taken = {house.leader for house in galaxy.houses}
        return [ChooseLeader(leader) for leader in LEADERS.of(galaxy) if leader not in taken]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseLeader) -> Happenings:
        yield LeaderTaken(seat, decision.leader, galaxy.leaders.epoch)


class HandOutCaps(Step):
    """`setup.caps`: no CAPs are handed out, unless a reading says otherwise.

    `setup.score`: every score starts at zero.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        for seat in galaxy.seats:
            yield from gain(galaxy, seat, galaxy.reads("setup.caps"), "setup.caps")
