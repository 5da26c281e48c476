"""Phase 4, Player actions: any of them, in any order, as often as they can be paid for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

import msgspec

from ledger.games.galactic_hegemony.orders import Order
from ledger.games.galactic_hegemony.phases.ending import CONCEDED, GameLost
from ledger.games.galactic_hegemony.phases.tracks import ACTIONS, Paying, PhaseBegun
from ledger.games.galactic_hegemony.state.board import PLAYER, Board, Phase
from ledger.games.galactic_hegemony.state.components import KINDS, PLANETS_COUNT
from ledger.games.galactic_hegemony.state.hexes import Adjacency
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat

from .building import Build, BuildInfrastructure, BuildSpacecraft, Launch
from .fights import Attack, AttackSaboteurs, MilitaryAction, Suppress
from .spacecraft import Boost, BoostMorale, Colonise, ColonisePlanet, Move, MoveSpacecraft

NOTE_MAX: Final = 500  # letters


class EndActions(Decision, tag="turn.end-actions"):
    """End the phase of player actions."""


class Concede(Decision, tag="game.concede"):
    """Give the game up."""


class TakeNote(Decision, tag="game.note"):
    """Write something down beside the game; it has no effect."""

    text: Open[str]


class NoteTaken(Fact, tag="game.noted"):
    """A note was written down."""

    text: Open[str]

    def apply(self, board: Board) -> None:
        """Counts the note; the count is part of the next note's key."""
        board.notes += 1


ORDERS: Final[Mapping[type[Decision], type[Order]]] = {
    Move: MoveSpacecraft,
    Attack: AttackSaboteurs,
    Colonise: ColonisePlanet,
    Boost: BoostMorale,
    Suppress: MilitaryAction,
    Build: BuildInfrastructure,
    Launch: BuildSpacecraft,
}


class PlayerActions(Phase):
    """`action.any-order`: actions in any order, any number of times, while they can be paid."""

    def play(self, board: Board) -> Happenings:
        """Asks for actions until the player ends the phase."""
        if board.phase != ACTIONS:
            yield PhaseBegun(ACTIONS)
        yield ChooseAction()


class ChooseAction(Question):
    """`action.pass`: the player may take no action, and ends the phase at any time."""

    answers: ClassVar[tuple[type[Decision], ...]] = (*ORDERS, EndActions, Concede)

    def asks(self, board: Board) -> tuple[Seat, ...]:
        return (PLAYER,)

    def key(self, board: Board, seat: Seat) -> str:
        return f"turn/{board.turn}/act/{board.actions + 1}"

    def allows(self, board: Board, seat: Seat, decision: Decision) -> bool:
        """Checks the action first and its price last."""
        if isinstance(decision, EndActions | Concede):
            return True
        order = _order(decision)
        order.check(board)
        Paying.check(board, order.price(board), order.cost_rule)
        return True

    def options(self, board: Board, seat: Seat) -> list[Decision]:
        """Lists every possible action. Conceding is listed only if turns are endless, but always
        allowed.
        """
        found: list[Decision] = [EndActions()]
        found += self.legal(board, seat, _thinkable(board))
        return [*found, Concede()] if board.counts_up else found

    def decide(self, board: Board, seat: Seat, decision: Decision) -> Happenings:
        """Pays for the action and carries it out."""
        if isinstance(decision, EndActions):
            return
        if isinstance(decision, Concede):
            yield GameLost(CONCEDED)
            return
        order = _order(decision)
        yield from Paying.pay(board, order.price(board), order.cost_rule)
        yield order
        yield PlayerActions()


class Notes(Question):
    """`game.note`: a note may be written at any time until the game ends."""

    answers: ClassVar[tuple[type[Decision], ...]] = (TakeNote,)

    def asks(self, board: Board) -> tuple[Seat, ...]:
        return (PLAYER,)

    def key(self, board: Board, seat: Seat) -> str:
        return f"note/{board.notes + 1}"

    def standing_open(self, board: Board) -> bool:
        """Stays open until the game has ended."""
        return not board.over

    def allows(self, board: Board, seat: Seat, note: TakeNote) -> bool:
        """Accepts a text that is neither empty nor too long."""
        return 0 < len(note.text) <= NOTE_MAX

    def options(self, board: Board, seat: Seat) -> list[TakeNote]:
        """Lists nothing, because notes cannot be enumerated."""
        return []

    def decide(self, board: Board, seat: Seat, note: TakeNote) -> Happenings:
        yield NoteTaken(note.text)


def _order(decision: Decision) -> Order:
    fields: tuple[Any, ...] = msgspec.structs.astuple(decision)
    return ORDERS[type(decision)](*fields)


def _thinkable(board: Board) -> Iterator[Decision]:
    """Yields every action that the map and the planets could allow."""
    layout = Adjacency.layout(board)
    for place in sorted(set(board.spacecraft)):
        held = board.ships_at(place)
        most = held if held > 1 and MoveSpacecraft.together(board) else 1
        for to in Adjacency.neighbours(layout, place):
            yield from (Move(place, to, ships) for ships in range(1, most + 1))
        if board.saboteurs_at(place):
            yield from (Attack(place, commit) for commit in range(1, held + 1))
    for planet in range(1, PLANETS_COUNT + 1):
        if board.colony(planet) is None:
            yield Colonise(planet)
            continue
        yield Boost(planet)
        yield Suppress(planet)
        yield from (Build(planet, kind) for kind in KINDS)
        yield Launch(planet)
