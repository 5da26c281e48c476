"""Chapter 1, Beginning: stakes, who begins, and how the first marks are made."""

from __future__ import annotations

from ledger.kernel.accounts import BANK, account_of, pay
from ledger.kernel.audience import Open
from ledger.kernel.chance import Rolled
from ledger.kernel.records import Fact, Happenings, Seat, Step
from ledger.parts.dice import RollQuestion

from .opening import WriteFirst
from .play import Turn
from .state import CHIPS, POT, Board

SEATS: tuple[Seat, ...] = (0, 1)
PURSE_CHIPS = 9  # what each seat is given; no stake is higher


class FirstNamed(Fact, tag="begin.first-named"):
    """The seat that begins was named."""

    seat: Open[Seat]

    def apply(self, board: Board) -> None:
        board.first = self.seat


class Begin(Step):
    """`begin`: stakes first, then who begins, then the first marks."""

    def run(self, board: Board) -> Happenings:
        yield Stakes()
        yield NameFirst()
        yield FirstMarks()


class Stakes(Step):
    """`begin.stakes`: with a stake, each seat is given nine chips and puts its stake in the pot."""

    def run(self, board: Board) -> Happenings:
        """Moves nothing if there is no stake."""
        stake: int = board.reads("begin.stake")
        if not stake:
            return
        for seat in SEATS:
            yield from pay(
                board.accounts, CHIPS, BANK, account_of(seat), PURSE_CHIPS, "begin.stakes"
            )
            yield from pay(board.accounts, CHIPS, account_of(seat), POT, stake, "begin.stakes")


class NameFirst(Step):
    """`begin.first`: the first seat begins, or a die says who."""

    def run(self, board: Board) -> Happenings:
        """Follows the choice that the match made when it was created."""
        if board.reads("begin.first") == "rolled":
            yield RollForFirst()
        else:
            yield FirstNamed(0)


class RollForFirst(RollQuestion):
    """`begin.roll`: a die of two sides; 1 is the first seat."""

    sides = 2

    def address(self, board: Board) -> str:
        return "begin"

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        yield FirstNamed(answer.values[0] - 1)


class FirstMarks(Step):
    """`begin.marks`: turns from the start, or both seats write down their first cell at once."""

    def run(self, board: Board) -> Happenings:
        """Follows the choice that the match made when it was created."""
        if board.reads("opening") == "sealed":
            yield WriteFirst(waiting=SEATS)
        else:
            yield Turn(board.first, 1)
