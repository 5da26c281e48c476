"""Resolving a card: a turn of up to two of the actions that the card lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from ledger.games.hegemonic.actions.base import Action, turn_of
from ledger.games.hegemonic.conflicts.sequence import ConflictAction, StartConflict
from ledger.games.hegemonic.state.components import ORDERS, PATTERNS, figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.seats import SeatQuestion, SeatStep

from .basic import BasicCollect, BasicDraw, CollectAction, DrawAction
from .building import BuildAction, StartBuild
from .discover import Capitalize, CapitalizeAction, Research, ResearchAction, Survey, SurveyAction
from .turn import ActionOpened, ActionUsed, TurnBegun, TurnEnded

# The action that each decision of a turn opens.
ACTIONS: Final[Mapping[type[Decision], type[Action]]] = {
    BasicCollect: CollectAction,
    BasicDraw: DrawAction,
    Capitalize: CapitalizeAction,
    Survey: SurveyAction,
    Research: ResearchAction,
    StartBuild: BuildAction,
    StartConflict: ConflictAction,
}


class EndTurn(Decision, tag="turn.end"):
    """Take no more actions."""


class TakeTurn(SeatStep):
    """`action.two`: a player takes up to two of the actions on its card."""

    def run(self, galaxy: Galaxy) -> Happenings:
        yield TurnBegun(self.seat, galaxy.houses[self.seat].played)
        yield NextAction(self.seat)


class NextAction(SeatStep):
    """`action.two`: repeats as long as an action is left; then the turn is over.

    `action.conflict-now`: an action is carried out wholly before the next one.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Uses the turn's own limit where a leader has set one."""
        turn = turn_of(galaxy)
        most = figure(galaxy, "action.max") if turn.most is None else turn.most
        if turn.used < most:
            yield TakeAction(self.seat)
        else:
            yield TurnEnded(self.seat)


class TakeAction(SeatQuestion):
    """`action.any-order`: any action on the card, in any order, even the same one twice.

    `action.optional`: a player may take none. `basic.where`: BASIC is on every card but DISCOVER.
    """

    answers = (*ACTIONS, EndTurn)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """Numbers the actions of a turn, including those taken back."""
        return action_key(galaxy)

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        """Accepts an action that the card lists and that can be taken."""
        if isinstance(decision, EndTurn):
            return True
        action = _action(galaxy, decision)
        card = ORDERS.of(galaxy)[turn_of(galaxy).card]
        if action.listed not in card.actions:
            evidence = {"card": card.id, "action": action.listed}
            message = "The card does not list this action."
            raise Refused("not_on_card", "action.two", message, evidence)
        action.check(galaxy)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        found = self.legal(galaxy, seat, _thinkable(galaxy))
        return [*found, EndTurn()]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> Happenings:
        """`action.chain`: the next action can use the results of this one."""
        if isinstance(decision, EndTurn):
            yield TurnEnded(seat)
            return
        action = _action(galaxy, decision)
        pattern = decision.pattern if isinstance(decision, StartConflict) else ""
        yield ActionOpened(seat, action.listed, pattern)
        yield action
        yield CloseAction(seat)


class CloseAction(SeatStep):
    """`action.two`: an action that was not taken back counts."""

    def run(self, galaxy: Galaxy) -> Happenings:
        if turn_of(galaxy).action:
            yield ActionUsed(self.seat)
        yield NextAction(self.seat)


def action_key(galaxy: Galaxy) -> str:
    """Returns the key of the action that is chosen next: `r3/p4/s2/a1`."""
    turn = turn_of(galaxy)
    return f"{galaxy.when}/s{turn.seat}/a{turn.opened + 1}"


def _action(galaxy: Galaxy, decision: Decision) -> Action:
    fields: tuple[Any, ...] = msgspec.structs.astuple(decision)
    return ACTIONS[type(decision)](turn_of(galaxy).seat, action_key(galaxy), *fields)


def _thinkable(galaxy: Galaxy) -> Iterator[Decision]:
    card = turn_of(galaxy).card
    for kind in ACTIONS:
        if kind is StartConflict:
            patterns = PATTERNS.of(galaxy).values()
            yield from (StartConflict(one.id) for one in patterns if one.card == card)
        else:
            yield kind()
