"""Turns and phases: the sequence of play."""

from __future__ import annotations

from ledger.games.galactic_hegemony.actions.choosing import PlayerActions
from ledger.games.galactic_hegemony.state.board import Board, Phase
from ledger.kernel.records import Happenings

from .checks import MoraleChecks
from .collecting import CollectResources
from .ending import CheckEndGame
from .saboteurs import MoveSaboteurs
from .tracks import TurnBegun
from .unrest import RevoltActions


class Turn(Phase):
    """`turn.phases`: six phases, and then the next turn, until the game ends.

    `turn.automatic`: only player actions are decided; the other phases run by themselves.
    `turn.first`: the first turn is a whole turn, saboteurs first.
    """

    def play(self, board: Board) -> Happenings:
        yield TurnBegun(board.turn + 1)
        yield MoveSaboteurs()
        yield RevoltActions()
        yield MoraleChecks()
        yield PlayerActions()
        yield CollectResources()
        yield CheckEndGame()
        yield Turn()
