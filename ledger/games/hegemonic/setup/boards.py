"""Setup, the boards: the core, then galaxy boards around it as suggested or as players lay them."""

from __future__ import annotations

from typing import TypeAlias

from ledger.games.hegemonic.map.chart import CENTER, shape
from ledger.games.hegemonic.state.components import (
    CORE,
    CORE_SECTORS,
    LAYOUTS,
    PLAYERS,
    SHAPE,
    SLOTS,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.hexmap import DIRECTIONS, Hex, ring
from ledger.parts.seats import SeatQuestion, TableQuestion

Laid: TypeAlias = tuple[tuple[str, int, int], ...]  # sectors with their coordinates


class ChooseLayout(Decision, tag="setup.choose-layout"):
    """Choose a suggested layout."""

    layout: Open[str]


class PlaceBoard(Decision, tag="setup.place-board"):
    """Lay a galaxy board: the end of its longer row, and which way the row goes from there."""

    q: Open[int]
    r: Open[int]
    rotation: Open[int]


class BoardLaid(Fact, tag="setup.board-laid"):
    """A board was laid on the table."""

    board: Open[str]
    sectors: Open[Laid]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.lay(self.board, self.sectors)


class LayoutChosen(Fact, tag="setup.layout-chosen"):
    """The boards follow a suggested layout, which recommends these sectors for homes."""

    layout: Open[str]
    homes: Open[tuple[str, ...]]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.marked = list(self.homes)


class LayBoards(Step):
    """`setup.core`: the core board comes first; its centre is no sector.

    `setup.layout-suggested`: then the boards of a suggested layout; `setup.layout-free`: or the
    players lay them in turn. `setup.boards-by-count`: the player count sets the number of boards.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """A match chooses between the two when it is created."""
        core = CORE_SECTORS.of(galaxy).values()
        yield BoardLaid(CORE, tuple((one.id, one.q, one.r) for one in core))
        if galaxy.reads("layout") == "free":
            count = PLAYERS.of(galaxy)[str(len(galaxy.houses))].boards
            order = galaxy.counter_clockwise(galaxy.arbiter)
            for number in range(1, count + 1):
                yield LayBoard(order[(number - 1) % len(order)], number)
        elif len(fitting := layouts_for(galaxy)) == 1:
            yield from lay_suggested(galaxy, fitting[0])
        else:
            yield AgreeOnLayout()


def layouts_for(galaxy: Galaxy) -> list[str]:
    """Returns the suggested layouts for the number of players."""
    seats = len(galaxy.houses)
    return [one.id for one in LAYOUTS.of(galaxy).values() if one.players == seats]


def lay_suggested(galaxy: Galaxy, layout: str) -> Happenings:
    row = LAYOUTS.of(galaxy)[layout]
    yield LayoutChosen(layout, row.homes)
    for slot in row.slots:
        lies = SLOTS.of(galaxy)[slot]
        yield BoardLaid(slot, sectors_of(galaxy, slot, (lies.q, lies.r), lies.rotation))


def sectors_of(galaxy: Galaxy, board: str, anchor: Hex, rotation: int) -> Laid:
    """Returns the sectors of a galaxy board in a given position."""
    hexes = SHAPE.of(galaxy).values()
    places = ((one.id, shape(anchor, rotation, one.along, one.across)) for one in hexes)
    return tuple((board + letter, q, r) for letter, (q, r) in places)


class AgreeOnLayout(TableQuestion):
    """`setup.layout-suggested`: the players agree on a layout; any of them names it."""

    answers = (ChooseLayout,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return "setup/layout"

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseLayout]:
        return [ChooseLayout(layout) for layout in layouts_for(galaxy)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseLayout) -> Happenings:
        yield from lay_suggested(galaxy, decision.layout)


class LayBoard(SeatQuestion):
    """`setup.layout-free`: the players lay boards in turn, counter-clockwise from the arbiter.

    `setup.layout-touch`: a board borders on two others, one of them the core if that is possible;
    the first one can border only on the core.
    """

    answers = (PlaceBoard,)
    number: Open[int]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"setup/board/{self.number}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PlaceBoard) -> bool:
        """Accepts a place without overlap that borders on the required boards."""
        rule, evidence = "setup.layout-touch", {"board": self.number}
        if not 0 <= decision.rotation < len(DIRECTIONS):
            raise Refused("no_such_rotation", rule, "A board has only six rotations.", evidence)
        touched = _find_touched_boards(galaxy, (decision.q, decision.r), decision.rotation)
        if touched is None:
            message = "A board, or the centre, is there already."
            raise Refused("board_overlaps", rule, message, evidence)
        if len(touched) < min(2, self.number):
            message = "A board must touch two others; the first board must touch the core."
            raise Refused("board_touches_too_few", rule, message, evidence)
        if CORE not in touched and any(
            CORE in other for other in _legal(galaxy, self.number).values()
        ):
            message = "There is a place for the board that also touches the core."
            raise Refused("board_must_touch_core", rule, message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[PlaceBoard]:
        """Lists every legal place and rotation."""
        legal = _legal(galaxy, self.number)
        at_core = [place for place, touched in legal.items() if CORE in touched]
        return at_core or list(legal)

    def decide(self, galaxy: Galaxy, seat: Seat, decision: PlaceBoard) -> Happenings:
        """Names boards in the order in which they are laid."""
        anchor, board = (decision.q, decision.r), f"G{self.number}"
        yield BoardLaid(board, sectors_of(galaxy, board, anchor, decision.rotation))


def _find_touched_boards(galaxy: Galaxy, anchor: Hex, rotation: int) -> frozenset[str] | None:
    """Returns the boards that a board in this place would border on; None if it would overlap."""
    taken = {(sector.q, sector.r): sector.board for sector in galaxy.sectors.values()}
    places = [(q, r) for _, q, r in sectors_of(galaxy, "", anchor, rotation)]
    if any(place == CENTER or place in taken for place in places):
        return None
    around = (beside for place in places for beside in ring(place))
    return frozenset(taken[beside] for beside in around if beside in taken)


def _legal(galaxy: Galaxy, number: int) -> dict[PlaceBoard, frozenset[str]]:
    """Returns the possible positions of the next board and its neighbours there.

    Ignores the rule about the core.
    """
    edge = {beside for sector in galaxy.sectors.values() for beside in ring((sector.q, sector.r))}
    found: dict[PlaceBoard, frozenset[str]] = {}
    for rotation in range(len(DIRECTIONS)):
        offsets = [(q, r) for _, q, r in sectors_of(galaxy, "", CENTER, rotation)]
        anchors = {(q - dq, r - dr) for q, r in edge for dq, dr in offsets}
        for anchor in sorted(anchors):
            touched = _find_touched_boards(galaxy, anchor, rotation)
            if touched is not None and len(touched) >= min(2, number):
                found[PlaceBoard(*anchor, rotation)] = touched
    return found
