"""Phase 6, Check end game conditions: won, lost to revolt, or out of time."""

from __future__ import annotations

from typing import Final

from ledger.games.galactic_hegemony.state.board import PLAYER, WON, Board, Phase
from ledger.games.galactic_hegemony.state.components import PLANETS_COUNT, TURNS
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings
from ledger.kernel.ruleset import Result

from .tracks import END, PhaseBegun, TokenMoved

REVOLT, TIME, CONCEDED = "revolt", "time", "conceded"
REASONS: Final = {
    WON: "the hegemony is complete",
    REVOLT: "every colony is in revolt",
    TIME: "out of time",
    CONCEDED: "conceded",
}


class GameWon(Fact, tag="end.won"):
    """The hegemony is complete."""

    turns: Open[int]
    score: Open[int]

    def apply(self, board: Board) -> None:
        board.outcome, board.score = WON, self.score


class GameLost(Fact, tag="end.lost"):
    """The game was lost, and to what."""

    to: Open[str]

    def apply(self, board: Board) -> None:
        board.outcome, board.score = self.to, 0


class CheckEndGame(Phase):
    """`end.order`: first a win is checked, then a loss to revolt, then the time."""

    def play(self, board: Board) -> Happenings:
        """Checks in order; the first condition that holds ends the game."""
        yield PhaseBegun(END)
        yield CheckWin()
        yield CheckRevolt()
        yield CountTurn()


class CheckWin(Phase):
    """`end.win`: all twelve planets explored, colonised, and none of them in revolt."""

    def play(self, board: Board) -> Happenings:
        """Checks before the time, so a hegemony completed in the last turn wins."""
        if complete(board):
            yield Win()


class Win(Phase):
    """`variant.play-to-win-score`: the score is the number of turns taken; fewer is better."""

    def play(self, board: Board) -> Happenings:
        """Sets the score; in the standard game a win scores 1."""
        if not board.counts_up:
            yield GameWon(board.turn, 1)
        elif board.reads("play-to-win-score") == "turns-played":
            yield GameWon(board.turn, board.turn)
        else:
            yield GameWon(board.turn, board.token)


class CheckRevolt(Phase):
    """`end.revolt-loss`: every colonised planet is in revolt.

    `end.no-ships`: having no spacecraft left is no loss.
    """

    def play(self, board: Board) -> Happenings:
        if not board.controlled():
            yield GameLost(REVOLT)


class CountTurn(Phase):
    """`end.turn-down`: the turn token goes down by 1; in Play to Win it goes up."""

    def play(self, board: Board) -> Happenings:
        """Moves the turn token, then checks the time."""
        token = board.token + 1 if board.counts_up else board.token - 1
        yield TokenMoved(token, board.counts_up)
        yield CheckTime()


class CheckTime(Phase):
    """`end.time-loss`: when the turn token is on 0 the game is lost.

    `variant.play-to-win-time`: if turns are counted up there is no such end.
    """

    def play(self, board: Board) -> Happenings:
        if board.counts_up:
            if board.token == TURNS and board.reads("play-to-win-time") == "ten-turns":
                yield GameLost(TIME)
        elif board.token == 0:
            yield GameLost(TIME)


class WatchForEnd(Phase):
    """`end.only-here`: a condition met in the middle of a turn decides nothing yet."""

    def play(self, board: Board) -> Happenings:
        """Ends the game at once only if the reading says so."""
        won, lost = complete(board), not board.controlled()
        if (won or lost) and board.reads("end-only-phase6") == "at-once":
            if won:
                yield Win()
            else:
                yield GameLost(REVOLT)


def complete(board: Board) -> bool:
    """Tells if all planets are under control."""
    return board.controlled() == PLANETS_COUNT


def result_of(board: Board) -> Result:
    """Returns the result; in Play to Win the score is a number of turns."""
    assert board.outcome is not None, "a match ends with an outcome"
    winners = (PLAYER,) if board.outcome == WON else ()
    return Result(winners=winners, scores=(board.score,), reason=REASONS[board.outcome])
