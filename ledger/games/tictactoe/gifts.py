"""Chapter 5, Gifts: a seat may give chips away at any time. The standing question of this
game.
"""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.accounts import account_of, pay
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Disturbs, Fact, Happenings, Question, Seat

from .state import CHIPS, Board


class Give(Decision, tag="gifts.give"):
    """Give chips to the other seat."""

    disturbs: ClassVar[Disturbs] = Disturbs.TOUCHED

    amount: Open[int]


class GiftMade(Fact, tag="gifts.made"):
    """A gift was made; the transfer follows."""

    seat: Open[Seat]
    amount: Open[int]

    def apply(self, board: Board) -> None:
        """Counts the gift; the count is part of the next gift's key."""
        board.gifts[self.seat] += 1


class Gifts(Question):
    """`gifts.give`: any number of one's own chips, at any time until the match ends."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Give,)

    def asks(self, board: Board) -> tuple[Seat, ...]:
        return (0, 1)

    def key(self, board: Board, seat: Seat) -> str:
        return f"gift/s{seat}/{board.gifts[seat] + 1}"

    def standing_open(self, board: Board) -> bool:
        """Stays open while chips are played for, until a line or nine marks end the match."""
        return bool(board.reads("begin.stake")) and board.winner is None and None in board.cells

    def allows(self, board: Board, seat: Seat, give: Give) -> bool:
        """Requires at least one chip; the account checks that the seat has enough."""
        return give.amount > 0

    def options(self, board: Board, seat: Seat) -> list[Give]:
        held = board.accounts.balance(CHIPS, account_of(seat))
        return [Give(amount) for amount in range(1, held + 1)]

    def decide(self, board: Board, seat: Seat, give: Give) -> Happenings:
        """Pays before it yields the gift, so the account refuses before any fact."""
        giver, taker = account_of(seat), account_of(1 - seat)
        for transfer in pay(board.accounts, CHIPS, giver, taker, give.amount, "gifts.give"):
            yield GiftMade(seat, give.amount)
            yield transfer
