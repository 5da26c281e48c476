"""Revolt: the effects of falling into revolt, and of leaving it."""

from __future__ import annotations

from ledger.games.galactic_hegemony.state.board import Board, Phase
from ledger.games.galactic_hegemony.state.components import MORALE_MAX, MORALE_MIN
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings

from .ending import WatchForEnd
from .tracks import TrimStock


class MoraleSet(Fact, tag="revolt.morale-set"):
    """`card.morale-track`: a planet's morale token was moved, between 1 and -3."""

    planet: Open[int]
    morale: Open[int]

    def apply(self, board: Board) -> None:
        assert MORALE_MIN <= self.morale <= MORALE_MAX, f"there is no morale {self.morale}"
        board.of(self.planet).morale = self.morale


class RevoltBegun(Fact, tag="revolt.begun"):
    """`revolt.enter-token`: a revolt token covers the colony; the planet stays colonised."""

    planet: Open[int]

    def apply(self, board: Board) -> None:
        board.of(self.planet).fell = board.turn


class RevoltEnded(Fact, tag="revolt.ended"):
    """`revolt.leave-token`: the revolt token is removed; nothing that was lost comes back."""

    planet: Open[int]

    def apply(self, board: Board) -> None:
        board.of(self.planet).fell = 0


class ChangeMorale(Phase):
    """`revolt.trigger`: a planet is in revolt exactly while its morale is below 0.

    `morale.clamp`: morale stays between -3 and 1. `revolt.once`: the effects of falling into revolt
    happen on the change only, and not again for a planet that falls further.
    """

    planet: Open[int]
    by: Open[int]

    def play(self, board: Board) -> Happenings:
        """Moves the token, then resolves its effects."""
        colony = board.of(self.planet)
        before = colony.in_revolt
        morale = max(MORALE_MIN, min(MORALE_MAX, colony.morale + self.by))
        if morale == colony.morale:
            return
        yield MoraleSet(self.planet, morale)
        if colony.in_revolt and not before:
            yield EnterRevolt(self.planet)
        elif before and not colony.in_revolt:
            yield LeaveRevolt(self.planet)


class EnterRevolt(Phase):
    """`revolt.enter-hegemony`: the hegemony shrinks by a planet, and the limit with it."""

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        """Cuts the stockpile to the new limit; the size follows from the planets."""
        yield RevoltBegun(self.planet)
        yield TrimStock()
        yield WatchForEnd()


class LeaveRevolt(Phase):
    """`revolt.leave-hegemony`: out of revolt, the planet counts again."""

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        yield RevoltEnded(self.planet)
        yield WatchForEnd()
