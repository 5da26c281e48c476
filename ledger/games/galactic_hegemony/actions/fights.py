"""Spacecraft actions with dice: attacking saboteurs, and military action."""

from __future__ import annotations

from typing import Any, ClassVar

from ledger.games.galactic_hegemony.orders import ActionFact, Orbit, Order
from ledger.games.galactic_hegemony.phases.revolt import ChangeMorale
from ledger.games.galactic_hegemony.state.board import (
    ACTIVE,
    ASIDE,
    DESTROYED,
    Board,
    Fight,
    Hex,
    Phase,
)
from ledger.kernel.audience import Open
from ledger.kernel.chance import Rolled
from ledger.kernel.records import Decision, Fact, Happenings
from ledger.parts.dice import RollQuestion, rank
from ledger.parts.refusals import make_refusal

from .combat import AttackRolled, Comparison, DefenceRolled

DICE_BEYOND = 1  # of an attack on saboteurs, beyond one for each spacecraft


class Attack(Decision, tag="saboteur.attack"):
    """Attack the saboteurs on a hex with so many of the spacecraft there."""

    hex: Open[Hex]
    commit: Open[int]


class Suppress(Decision, tag="planet.military"):
    """Take military action against a revolt: one attack."""

    planet: Open[int]


# --- how fights are counted -----------------------------------------------------------------------


def against_saboteurs(place: Hex) -> str:
    """Returns the key under which fights against saboteurs on a hex are counted."""
    return f"{place[0]},{place[1]}"


def against_revolt(planet: int) -> str:
    """Returns the key under which military actions on a planet are counted."""
    return f"p{planet}"


def _count(board: Board, foe: str) -> None:
    board.fights[foe] = board.fights.get(foe, 0) + 1


def address_of(board: Board, foe: str, side: str) -> str:
    """Returns the address of a roll: turn, foe, number of the fight against this foe, side.

    Other fights do not matter: if an erratum makes one fight impossible, all others keep their
    dice.
    """
    return f"fight/{board.turn}/{foe}/{board.fights[foe]}/{side}"


# --- facts ----------------------------------------------------------------------------------------


class AttackBegun(ActionFact, tag="saboteur.attacked"):
    """Saboteurs were attacked."""

    hex: Open[Hex]
    commit: Open[int]
    saboteurs: Open[int]

    def take_effect(self, board: Board) -> None:
        board.fight = Fight(self.hex, self.commit)
        _count(board, against_saboteurs(self.hex))


class MilitaryBegun(ActionFact, tag="planet.attacked"):
    """Military action was taken against a revolt."""

    planet: Open[int]

    def take_effect(self, board: Board) -> None:
        where = board.hex_of(self.planet)
        board.fight = Fight(where, board.ships_at(where), self.planet)
        _count(board, against_revolt(self.planet))


class SaboteurDestroyed(Fact, tag="combat.saboteur-destroyed"):
    """`saboteur.removed`: a saboteur was destroyed, and is out of the game for good."""

    number: Open[int]

    def apply(self, board: Board) -> None:
        saboteur = board.saboteurs[self.number - 1]
        saboteur.status, saboteur.hex = DESTROYED, None


class ReserveCalled(Fact, tag="saboteur.reserve-called"):
    """A saboteur in reserve replaces a destroyed one."""

    number: Open[int]

    def apply(self, board: Board) -> None:
        """Makes it active; it moves with the others from the next turn on."""
        board.saboteurs[self.number - 1].status = ACTIVE


class SpacecraftDestroyed(Fact, tag="combat.spacecraft-destroyed"):
    """`sabfight.ship-back`: a spacecraft was destroyed; its token can be built again."""

    hex: Open[Hex]

    def apply(self, board: Board) -> None:
        board.spacecraft.remove(self.hex)
        if board.fight is not None:
            board.fight.left = max(0, board.fight.left - 1)


# --- attack saboteurs -----------------------------------------------------------------------------


class AttackSaboteurs(Order):
    """`sabfight.where`: spacecraft and saboteurs on one hex, with or without a planet.

    `sabfight.cost`: every round is free. `sabfight.continue`: the rest may attack again.
    """

    priced: ClassVar[str] = "attack"
    cost_rule: ClassVar[str] = "sabfight.cost"
    hex: Open[Hex]
    commit: Open[int]

    def check(self, board: Board) -> None:
        if not board.saboteurs_at(self.hex):
            message = "No saboteur is on the hex."
            raise make_refusal("no_saboteur", "sabfight.where", message, hex=self.hex)
        Commitment.check(board, self.hex, self.commit)

    def play(self, board: Board) -> Happenings:
        yield AttackBegun(self.hex, self.commit, len(board.saboteurs_at(self.hex)))
        yield RollAttack(self.hex, self.commit)


class Commitment:
    """`sabfight.commit`: the player risks any number of the spacecraft there; at least one."""

    @staticmethod
    def check(board: Board, place: Hex, commit: int) -> None:
        """Refuses none, or more than there are."""
        held = board.ships_at(place)
        evidence: dict[str, Any] = {"hex": place, "commit": commit, "spacecraft": held}
        if not 1 <= commit <= held:
            message = "There are not enough spacecraft to commit."
            raise make_refusal("bad_commitment", "sabfight.commit", message, **evidence)
        left = Commitment.still_fighting(board, place)
        if left and commit != left and board.reads("commit-per-round") == "fixed":
            message = "All remaining spacecraft must continue the attack."
            raise make_refusal(
                "commitment_fixed", "sabfight.commit", message, **evidence, left=left
            )

    @staticmethod
    def still_fighting(board: Board, place: Hex) -> int:
        """Returns the survivors of the attack just made on this hex."""
        fight = board.fight
        if fight is None or fight.planet is not None or fight.hex != place:
            return 0
        return fight.left


class RollAttack(RollQuestion):
    """`sabfight.attack-dice`: a d6 for each spacecraft committed, and one more."""

    hex: Open[Hex]
    commit: Open[int]

    def address(self, board: Board) -> str:
        return address_of(board, against_saboteurs(self.hex), "A")

    def count(self, board: Board) -> int:
        return self.commit + DICE_BEYOND

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        yield AttackRolled(rank(answer.values))
        yield RollDefence(self.hex, rank(answer.values))


class RollDefence(RollQuestion):
    """`sabfight.defence-dice`: a d6 for each saboteur on the hex; all of them defend."""

    hex: Open[Hex]
    attack: Open[tuple[int, ...]]

    def address(self, board: Board) -> str:
        return address_of(board, against_saboteurs(self.hex), "D")

    def count(self, board: Board) -> int:
        return len(board.saboteurs_at(self.hex))

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        yield DefenceRolled(rank(answer.values))
        yield SaboteurFight(self.attack, rank(answer.values), self.hex)


class SaboteurFight(Comparison):
    """`combat.stop-ships`: the fight stops when all the spacecraft in it are destroyed.

    `sabfight.win`: a pair won destroys a saboteur, the lowest number if there are several.
    `sabfight.lose`: a pair lost destroys a spacecraft. `combat.stop-defenders`: the fight
    also stops when all the saboteurs are destroyed. `combat.again`: after a round the player may
    start another, or stop.
    """

    hex: Open[Hex]

    def decided(self, board: Board) -> bool:
        """Ignores spacecraft that were held back, unless the reading says otherwise."""
        if not board.saboteurs_at(self.hex) or not board.ships_at(self.hex):
            return True
        committed = board.fight.left if board.fight is not None else 0
        return committed == 0 and bool(board.reads("stop-committed") == "committed")

    def won(self, board: Board) -> Happenings:
        """Destroys a saboteur; a reading may replace it from the reserve."""
        here = board.saboteurs_at(self.hex)
        highest = len(here) > 1 and board.reads("saboteur-identity") == "highest"
        yield SaboteurDestroyed(here[-1 if highest else 0].number)
        aside = [one.number for one in board.saboteurs if one.status == ASIDE]
        if aside and board.reads("fourth-token") == "reserve":
            yield ReserveCalled(aside[0])

    def lost(self, board: Board) -> Happenings:
        yield SpacecraftDestroyed(self.hex)


# --- military action ------------------------------------------------------------------------------


class MilitaryAction(Order):
    """`military.where`: a planet in revolt with a spacecraft in orbit.

    `military.saboteur-bar`: not while a saboteur is there. `military.cost`: 1 resource for each
    attack. `military.again`: again and again while it is in revolt.
    """

    priced: ClassVar[str] = "military"
    cost_rule: ClassVar[str] = "military.cost"
    planet: Open[int]

    def check(self, board: Board) -> None:
        """Checks for a revolt, a spacecraft there, and no saboteur."""
        colony = board.colony(self.planet)
        if colony is None or not colony.in_revolt:
            message = "The planet is not in revolt."
            raise make_refusal("not_in_revolt", "military.where", message, planet=self.planet)
        where = board.hex_of(self.planet)
        Orbit.check(board, where, self.planet)
        if board.saboteurs_at(where):
            rule, message = "military.saboteur-bar", "A saboteur is in orbit."
            raise make_refusal("saboteur_in_orbit", rule, message, planet=self.planet)

    def play(self, board: Board) -> Happenings:
        yield MilitaryBegun(self.planet)
        yield RollMilitary(self.planet)


class RollMilitary(RollQuestion):
    """`military.attack-dice`: 3d6 for any number of spacecraft."""

    dice = 3
    planet: Open[int]

    def address(self, board: Board) -> str:
        return address_of(board, against_revolt(self.planet), "A")

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        yield AttackRolled(rank(answer.values))
        yield RollRevolt(self.planet, rank(answer.values))


class RollRevolt(RollQuestion):
    """`military.revolt-dice`: 1d6 if morale is -1 when the attack starts, else 2d6."""

    planet: Open[int]
    attack: Open[tuple[int, ...]]

    def address(self, board: Board) -> str:
        return address_of(board, against_revolt(self.planet), "D")

    def count(self, board: Board) -> int:
        return 1 if board.of(self.planet).morale == -1 else 2

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        yield DefenceRolled(rank(answer.values))
        yield Suppression(self.attack, rank(answer.values), self.planet)


class Suppression(Comparison):
    """`military.win`: each pair won raises morale by 1.

    `military.lose`: a pair lost has no effect, and no spacecraft is lost.
    `military.success`: at 0 the planet is out of revolt, and the action is over.
    """

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        """Compares one pair, and resolves its effects before the others."""
        if not self.attack or not self.defence or self.decided(board):
            return
        was = board.of(self.planet).morale
        (mine, *more), (theirs, *others) = self.attack, self.defence
        if self.beats(mine, theirs):
            yield from self.won(board)
        else:
            yield from self.lost(board)
        if others:
            yield NextPair(tuple(more), tuple(others), self.planet, was)

    def decided(self, board: Board) -> bool:
        """Tells if the planet is out of revolt or has no spacecraft left."""
        return not board.of(self.planet).in_revolt or not board.ships_at(board.hex_of(self.planet))

    def won(self, board: Board) -> Happenings:
        yield ChangeMorale(self.planet, 1)

    def lost(self, board: Board) -> Happenings:
        """Does nothing, unless the reading destroys a spacecraft."""
        if board.reads("military-spacecraft") == "lost":
            yield SpacecraftDestroyed(board.hex_of(self.planet))


class NextPair(Phase):
    """`military.revolt-dice`: the second die of a revolt counts even if morale has risen to
    -1.
    """

    attack: Open[tuple[int, ...]]
    defence: Open[tuple[int, ...]]
    planet: Open[int]
    was: Open[int]

    def play(self, board: Board) -> Happenings:
        """Compares the remaining pairs, unless the reading drops the second die."""
        dropped = self.was < -1 and board.of(self.planet).morale == -1
        if dropped and board.reads("military-dice-fixed") == "as-it-falls":
            return
        yield Suppression(self.attack, self.defence, self.planet)
