"""The common parts of player actions: their checks, prices and effects."""

from __future__ import annotations

from typing import ClassVar

from ledger.games.galactic_hegemony.state.board import Board, Hex, Phase
from ledger.games.galactic_hegemony.state.components import PRICES
from ledger.kernel.records import Fact
from ledger.parts.refusals import make_refusal


class ActionFact(Fact):
    """The fact of a player's action. Each action has exactly one, and it is counted."""

    def apply(self, board: Board) -> None:
        """Counts the action and ends the fight before it."""
        board.actions += 1
        board.fight = None
        self.take_effect(board)

    def take_effect(self, board: Board) -> None:
        """Changes the state; overridden by each action."""


class Order(Phase):
    """An action of the player's, from its decision to its effect."""

    priced: ClassVar[str]  # the row of the prices
    cost_rule: ClassVar[str]

    def check(self, board: Board) -> None:
        """Refuses an action that the rules forbid, with the first reason that applies."""
        raise NotImplementedError

    def price(self, board: Board) -> int:
        return PRICES.of(board)[self.priced].cost


class Orbit:
    """`action.orbit`: an action that changes a planet needs a spacecraft in its orbit."""

    @staticmethod
    def check(board: Board, place: Hex, planet: int) -> None:
        if not board.ships_at(place):
            message = "No spacecraft is in orbit of the planet."
            raise make_refusal("not_in_orbit", "action.orbit", message, planet=planet, hex=place)


class Colonised:
    """`planet.not-revolt`: planet actions need a colony not in revolt; no spacecraft is needed."""

    @staticmethod
    def check(board: Board, planet: int, rule: str) -> None:
        """Refuse a planet that is not colonised, or is in revolt."""
        colony = board.colony(planet)
        if colony is None:
            message = "The planet is not colonised."
            raise make_refusal("not_colonised", rule, message, planet=planet)
        if colony.in_revolt:
            message = "The planet is in revolt."
            raise make_refusal("in_revolt", rule, message, planet=planet, morale=colony.morale)
