"""Chapter 4, Ending: the payment of the pot."""

from __future__ import annotations

from ledger.kernel.accounts import account_of, pay
from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Seat, Step
from ledger.kernel.ruleset import Result

from .state import CHIPS, POT, Board


class PayWinner(Step):
    """`end.win`: the winner takes the pot."""

    seat: Open[Seat]

    def run(self, board: Board) -> Happenings:
        pot = board.accounts.balance(CHIPS, POT)
        yield from pay(board.accounts, CHIPS, POT, account_of(self.seat), pot, "end.win")


class ReturnStakes(Step):
    """`end.draw`: after a draw each seat takes its stake back."""

    def run(self, board: Board) -> Happenings:
        """Returns half the pot each, since the stakes were equal."""
        half = board.accounts.balance(CHIPS, POT) // 2
        for seat in (0, 1):
            yield from pay(board.accounts, CHIPS, POT, account_of(seat), half, "end.draw")


def result_of(board: Board) -> Result:
    """Returns the result: one point for a line, none for a draw."""
    if board.winner is None:
        return Result(winners=(0, 1), scores=(0, 0), reason="draw")
    scores = tuple(int(seat == board.winner) for seat in (0, 1))
    return Result(winners=(board.winner,), scores=scores, reason=f"line {board.line}")
