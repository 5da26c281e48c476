"""Tracking cards in detail: hegemony and resources, the turn track, the list of phases."""

from __future__ import annotations

from typing import Final

from ledger.games.galactic_hegemony.state.board import STOCK, Board, Phase
from ledger.games.galactic_hegemony.state.components import LIMITS, PLANETS_COUNT, RESOURCES, TURNS
from ledger.kernel.accounts import BANK, pay
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings
from ledger.kernel.refusals import Refused
from ledger.parts import rounds
from ledger.parts.tracks import NumberedTrack

MOVE_SABOTEURS, REVOLTS, CHECKS, ACTIONS, COLLECTING, END = range(1, 7)
PHASES: Final = (
    "Move Saboteurs", "Revolt Actions", "Morale Checks",
    "Player Actions", "Collect Resources", "Check End Game Conditions",
)  # fmt: skip
SIZES: Final = NumberedTrack(LIMITS)


class TokenMoved(Fact, tag="track.turn-token-moved"):
    """`track.turn`: the turn token counts down; at 0 the game is over. (Play to Win: up.)"""

    token: Open[int]
    counts_up: Open[bool]

    def apply(self, board: Board) -> None:
        board.token, board.counts_up = self.token, self.counts_up


class TurnBegun(rounds.TurnBegun, tag="track.turn-begun"):
    """A turn began."""

    def apply(self, board: Board) -> None:
        """Resets the counts of actions and fights."""
        super().apply(board)
        board.actions = 0
        board.fight, board.fights = None, {}


class PhaseBegun(rounds.PhaseBegun, tag="track.phase-begun"):
    """`track.phase`: the phase token is only a bookmark; nothing depends on it."""


class ExcessLost(Fact, tag="track.excess-lost"):
    """Resources beyond the limit were lost before they reached the stockpile."""

    amount: Open[int]
    limit: Open[int]


class Borrowed(Fact, tag="track.borrowed"):
    """The missing part of a price was borrowed."""

    amount: Open[int]

    def apply(self, board: Board) -> None:
        board.debt += self.amount


class DebtRepaid(Fact, tag="track.debt-repaid"):
    """A part of a gain repaid a debt."""

    amount: Open[int]

    def apply(self, board: Board) -> None:
        board.debt -= self.amount


class TokenLowered(Fact, tag="track.hegemony-lowered"):
    """The hegemony token was lowered once more for a planet that was already in revolt."""

    planet: Open[int]

    def apply(self, board: Board) -> None:
        """Notes that the token is one too low."""
        board.overcounted += 1


class ResourceLimit:
    """`track.limit`: the stockpile may not exceed what the track shows at the hegemony size.

    `track.limit-zero`: with no planet under control there is still some room.
    """

    @staticmethod
    def of(board: Board) -> int:
        row = SIZES.reached(board, min(board.size(), PLANETS_COUNT))
        if row is None:
            return int(board.reads("limit-at-zero"))
        stepped = row.stepped
        if stepped is not None and board.reads("limit-table") == "stepped":
            return stepped
        return row.limit


class TrimStock(Phase):
    """`revolt.enter-trim`: a stockpile above the new limit is cut to it; the excess is lost."""

    def play(self, board: Board) -> Happenings:
        yield from _trim(board, "revolt.enter-trim")


def _trim(board: Board, rule: str) -> Happenings:
    over = max(0, board.stock - ResourceLimit.of(board))
    yield from pay(board.accounts, RESOURCES, STOCK, BANK, over, rule)


def gain(board: Board, amount: int, rule: str) -> Happenings:
    """Adds resources to the stockpile as far as there is room; the rest is lost."""
    yield from _trim(
        board, "track.limit"
    )  # a limit can be lower than it was: an erratum may say so
    owed = min(board.debt, amount)
    if owed:
        yield DebtRepaid(owed)
    limit = ResourceLimit.of(board)
    taken = min(amount - owed, limit - board.stock)
    yield from pay(board.accounts, RESOURCES, BANK, STOCK, taken, rule)
    if lost := amount - owed - taken:
        yield ExcessLost(lost, limit)


class Paying:
    """`action.pay`: the price leaves the stockpile before any roll; without it there is no action.

    `track.resources`: the stockpile never goes below 0.
    """

    @staticmethod
    def check(board: Board, price: int, rule: str) -> None:
        held = board.stock
        if held >= price:
            return
        if board.reads("unaffordable") == "credit" and not board.debt:
            return
        evidence = {"price": price, "resources": held}
        raise Refused("unaffordable", rule, "There are not enough resources.", evidence)

    @staticmethod
    def pay(board: Board, price: int, rule: str) -> Happenings:
        lacking = max(0, price - board.stock)
        if lacking:
            yield Borrowed(lacking)
            yield from pay(board.accounts, RESOURCES, BANK, STOCK, lacking, rule)
        yield from pay(board.accounts, RESOURCES, STOCK, BANK, price, rule)


def two_tokens(token: int) -> tuple[int, int | None]:
    """Returns both turn tokens: in Play to Win a second one starts at 0 when the first is at
    10.
    """
    return (token, None) if token < TURNS else (TURNS, token - TURNS)
