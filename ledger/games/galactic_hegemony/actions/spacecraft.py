"""Spacecraft actions: moving and exploring, colonising, boosting morale."""

from __future__ import annotations

from typing import Any, ClassVar

from ledger.games.galactic_hegemony.orders import ActionFact, Colonised, Orbit, Order
from ledger.games.galactic_hegemony.phases.ending import WatchForEnd
from ledger.games.galactic_hegemony.phases.revolt import ChangeMorale
from ledger.games.galactic_hegemony.state.board import Board, Colony, Hex, Phase
from ledger.games.galactic_hegemony.state.components import MORALE_MAX
from ledger.games.galactic_hegemony.state.hexes import Adjacency, Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.chance import ChanceQuestion, Drawn, Uncover
from ledger.kernel.records import Decision, Fact, Happenings
from ledger.parts.refusals import make_refusal

# --- decisions ------------------------------------------------------------------------------------


class Move(Decision, tag="spacecraft.move"):
    """Move a spacecraft to a neighbouring hex."""

    origin: Open[Hex]
    to: Open[Hex]
    ships: Open[int] = 1  # more than one only where one price is for all that move together


class Colonise(Decision, tag="planet.colonise"):
    """Colonise an explored planet."""

    planet: Open[int]


class Boost(Decision, tag="planet.boost"):
    """Boost the morale of a planet."""

    planet: Open[int]


# --- facts ----------------------------------------------------------------------------------------


class SpacecraftMoved(ActionFact, tag="spacecraft.moved"):
    """`move.saboteur-free`: spacecraft moved a hex; saboteurs neither stop nor attack them.

    `map.stack`: any number fits on a hex.
    """

    origin: Open[Hex]
    to: Open[Hex]
    ships: Open[int]

    def take_effect(self, board: Board) -> None:
        """Moves any of the tokens, since they are alike."""
        for _ in range(self.ships):
            board.spacecraft[board.spacecraft.index(self.origin)] = self.to


class PlanetExplored(Fact, tag="spacecraft.explored"):
    """A tile was turned up. This cannot be undone, because a player learned from it."""

    irrevocable: ClassVar[bool] = True
    hex: Open[Hex]
    planet: Open[int]
    epoch: Open[int | None]  # of the draw; nothing was drawn where the tile was known already

    def apply(self, board: Board) -> None:
        """Makes the planet known and explored."""
        if self.epoch is not None:
            place = str(board.place_of(self.hex))
            board.face_down.turn_up(place, str(self.planet), self.epoch)
        tile = board.tile_at(self.hex)
        assert tile is not None, f"no tile lies on {self.hex}"
        tile.planet, tile.explored = self.planet, True


class PlanetColonised(ActionFact, tag="planet.colonised"):
    """`colonise.card`: a colony, with morale 1; `colonise.bare`: nothing is built on it."""

    planet: Open[int]

    def take_effect(self, board: Board) -> None:
        """Puts its card in the tracking area."""
        board.colonies.append(Colony(self.planet))
        board.colonies.sort(key=lambda colony: colony.planet)


class MoraleBoosted(ActionFact, tag="planet.boosted"):
    """The morale of a planet was boosted."""

    planet: Open[int]
    morale: Open[int]

    def take_effect(self, board: Board) -> None:
        board.of(self.planet).morale = self.morale


# --- move -----------------------------------------------------------------------------------------


class MoveSpacecraft(Order):
    """`move.cost`: a resource moves one spacecraft one hex.

    `move.adjacent`: it moves to a neighbouring hex. `move.repeat`: as often as it is paid for.
    """

    priced: ClassVar[str] = "move"
    cost_rule: ClassVar[str] = "move.cost"
    origin: Open[Hex]
    to: Open[Hex]
    ships: Open[int]

    def check(self, board: Board) -> None:
        """Checks for enough spacecraft, and that the hexes are on the map and adjacent."""
        held = board.ships_at(self.origin)
        evidence: dict[str, Any] = {"hex": self.origin, "spacecraft": held}
        if not 0 < self.ships <= held:
            message = "There are not enough spacecraft there."
            raise make_refusal("no_spacecraft", "move.cost", message, **evidence)
        if self.ships > 1 and not MoveSpacecraft.together(board):
            message = "Each spacecraft pays for itself: move one at a time."
            raise make_refusal("one_at_a_time", "move.cost", message, **evidence)
        if not Galaxy.has(self.to):
            raise make_refusal("off_map", "map.size", "The map has no such hex.", hex=self.to)
        if self.to not in Adjacency.neighbours(Adjacency.layout(board), self.origin):
            way = {"from": self.origin, "to": self.to}
            message = "A move must end on a neighbouring hex."
            raise make_refusal("not_adjacent", "move.adjacent", message, **way)

    @staticmethod
    def together(board: Board) -> bool:
        """Tells if one price moves a whole stack."""
        return bool(board.reads("move-each") == "stack")

    def play(self, board: Board) -> Happenings:
        yield SpacecraftMoved(self.origin, self.to, self.ships)
        yield Explore(self.to)


class Explore(Phase):
    """`move.explore`: entering a hex with an unexplored planet turns its tile up, at no cost."""

    hex: Open[Hex]

    def play(self, board: Board) -> Happenings:
        """Turns up a face-down tile, if there is one."""
        tile = board.tile_at(self.hex)
        if tile is None or tile.explored:
            return
        if tile.planet is None:
            yield FlipTile(self.hex)
        else:
            yield PlanetExplored(self.hex, tile.planet, None)


class FlipTile(ChanceQuestion):
    """`move.explore`: a draw for a planet that no one knew."""

    hex: Open[Hex]

    def address(self, board: Board) -> str:
        return f"explore/{self.hex[0]},{self.hex[1]}"

    def wish(self, board: Board) -> Uncover:
        return Uncover(board.face_down, str(board.place_of(self.hex)))

    def fallen(self, board: Board, answer: Drawn) -> Happenings:
        yield PlanetExplored(self.hex, int(answer.cards[0]), answer.epoch)


# --- colonise -------------------------------------------------------------------------------------


class ColonisePlanet(Order):
    """`colonise.where`: an explored planet, not colonised yet, with a spacecraft in orbit.

    `colonise.cost`: it costs 2 resources. `colonise.token`: its tile gets a colony token.
    `colonise.size`: the hegemony grows by a planet.
    """

    priced: ClassVar[str] = "colonise"
    cost_rule: ClassVar[str] = "colonise.cost"
    planet: Open[int]

    def check(self, board: Board) -> None:
        """Checks for an explored, free planet with a spacecraft there."""
        tile = board.tile_of(self.planet)
        if tile is None:
            message = "The planet has not been explored."
            raise make_refusal("unexplored", "colonise.where", message, planet=self.planet)
        if board.colony(self.planet) is not None:
            message = "The planet is colonised already."
            raise make_refusal("already_colonised", "colonise.where", message, planet=self.planet)
        Orbit.check(board, tile.hex, self.planet)
        if board.saboteurs_at(tile.hex) and UnderSaboteurs.rule(board) == "barred":
            message = "A saboteur is in orbit."
            raise make_refusal(
                "saboteur_in_orbit", "colonise.saboteur", message, planet=self.planet
            )

    def play(self, board: Board) -> Happenings:
        yield PlanetColonised(self.planet)
        yield UnderSaboteurs(self.planet)


class UnderSaboteurs(Phase):
    """`colonise.saboteur`: a saboteur on the hex neither forbids a colony nor incites it."""

    planet: Open[int]

    @staticmethod
    def rule(board: Board) -> str:
        """Returns the reading for saboteurs on the hex."""
        found: str = board.reads("colonise-saboteur")
        return found

    def play(self, board: Board) -> Happenings:
        """Applies the reading; the new colony may also complete the hegemony."""
        here = board.saboteurs_at(board.hex_of(self.planet))
        if here and UnderSaboteurs.rule(board) == "incited":
            yield ChangeMorale(self.planet, -1 - board.of(self.planet).morale)
        yield WatchForEnd()


# --- boost ----------------------------------------------------------------------------------------


class BoostMorale(Order):
    """`boost.where`: a colony that is not in revolt, with a spacecraft in orbit.

    `boost.cost`: it costs 1 resource.
    """

    priced: ClassVar[str] = "boost"
    cost_rule: ClassVar[str] = "boost.cost"
    planet: Open[int]

    def check(self, board: Board) -> None:
        """`boost.effect` allows this only up to morale 0, since morale cannot exceed 1."""
        Colonised.check(board, self.planet, "boost.where")
        morale = board.of(self.planet).morale
        if morale == MORALE_MAX:
            rule, message = "boost.effect", "Morale is at its highest."
            raise make_refusal("morale_highest", rule, message, planet=self.planet, morale=morale)
        Orbit.check(board, board.hex_of(self.planet), self.planet)

    def play(self, board: Board) -> Happenings:
        yield BoostEffect(self.planet)


class BoostEffect(Phase):
    """`boost.effect`: morale rises by 1, never above 1."""

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        """Raises morale as far as the reading says; there is room for one step only."""
        raised = board.of(self.planet).morale + board.reads("boost-amount")
        yield MoraleBoosted(self.planet, min(MORALE_MAX, raised))
