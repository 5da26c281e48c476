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
        """Won."""
        board.outcome, board.score = WON, self.score


class GameLost(Fact, tag="end.lost"):
    """The game is lost, and to what."""

    to: Open[str]

    def apply(self, board: Board) -> None:
        """Lost."""
        board.outcome, board.score = self.to, 0


class CheckEndGame(Phase):
    """`end.order`: first whether it is won, then whether it is lost to revolt, then the time."""

    def play(self, board: Board) -> Happenings:
        """The first that holds ends the game."""
        yield PhaseBegun(END)
        yield CheckWin()
        yield CheckRevolt()
        yield CountTurn()


class CheckWin(Phase):
    """`end.win`: all twelve planets explored, colonised, and none of them in revolt."""

    def play(self, board: Board) -> Happenings:
        """Before the clock: a hegemony that is complete in the last turn has won."""
        if complete(board):
            yield Win()


class Win(Phase):
    """`variant.play-to-win-score`: there the score is how many turns it took; fewer is better."""

    def play(self, board: Board) -> Happenings:
        """In the standard game a win is a win."""
        if not board.counts_up:
            yield GameWon(board.turn, 1)
        elif board.reads("play-to-win-score") == "turns-played":
            yield GameWon(board.turn, board.turn)
        else:
            yield GameWon(board.turn, board.token)


class CheckRevolt(Phase):
    """`end.revolt-loss`: every colonised planet is in revolt.

    `end.no-ships`: to have no spacecraft left is no loss.
    """

    def play(self, board: Board) -> Happenings:
        """In Play to Win too."""
        if not board.controlled():
            yield GameLost(REVOLT)


class CountTurn(Phase):
    """`end.turn-down`: the turn token goes down by 1; in Play to Win it goes up."""

    def play(self, board: Board) -> Happenings:
        """Then it shows whether there is time left."""
        token = board.token + 1 if board.counts_up else board.token - 1
        yield TokenMoved(token, board.counts_up)
        yield CheckTime()


class CheckTime(Phase):
    """`end.time-loss`: with the turn token on 0 the game is lost.

    `variant.play-to-win-time`: where turns are counted up there is no such end.
    """

    def play(self, board: Board) -> Happenings:
        """The last check."""
        if board.counts_up:
            if board.token == TURNS and board.reads("play-to-win-time") == "ten-turns":
                yield GameLost(TIME)
        elif board.token == 0:
            yield GameLost(TIME)


class WatchForEnd(Phase):
    """`end.only-here`: what comes about in the middle of a turn decides nothing yet."""

    def play(self, board: Board) -> Happenings:
        """Unless it is read so that the game ends as soon as it could be seen to."""
        won, lost = complete(board), not board.controlled()
        if (won or lost) and board.reads("end-only-phase6") == "at-once":
            if won:
                yield Win()
            else:
                yield GameLost(REVOLT)


def complete(board: Board) -> bool:
    """Whether all planets are under control."""
    return board.controlled() == PLANETS_COUNT


def result_of(board: Board) -> Result:
    """One wins or nobody does; the score of Play to Win is a number of turns."""
    assert board.outcome is not None, "a match ends with an outcome"
    winners = (PLAYER,) if board.outcome == WON else ()
    return Result(winners=winners, scores=(board.score,), reason=REASONS[board.outcome])
