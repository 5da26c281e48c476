"""Planet actions: building infrastructure and spacecraft."""

from __future__ import annotations

from typing import ClassVar, Literal

from ledger.games.galactic_hegemony.orders import ActionFact, Colonised, Order
from ledger.games.galactic_hegemony.state.board import Board
from ledger.games.galactic_hegemony.state.components import INFRASTRUCTURE, SPACECRAFT, SUPPLY
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings
from ledger.parts.refusals import make_refusal

SHIPYARD = "shipyard"


class Build(Decision, tag="planet.build-infrastructure"):
    """Build a piece of infrastructure."""

    planet: Open[int]
    kind: Open[Literal["civil", "factory", "shipyard"]]


class Launch(Decision, tag="planet.build-spacecraft"):
    """Build a spacecraft."""

    planet: Open[int]


class InfrastructureBuilt(ActionFact, tag="planet.infrastructure-built"):
    """A piece of infrastructure was built."""

    planet: Open[int]
    kind: Open[str]

    def take_effect(self, board: Board) -> None:
        colony = board.of(self.planet)
        setattr(colony, self.kind, colony.built(self.kind) + 1)


class SpacecraftBuilt(ActionFact, tag="planet.spacecraft-built"):
    """`ship.place`: a spacecraft was built, in orbit of the planet; it may act this turn."""

    planet: Open[int]

    def take_effect(self, board: Board) -> None:
        board.spacecraft.append(board.hex_of(self.planet))


class BuildInfrastructure(Order):
    """`infra.kinds`: civil, factory or shipyard, in any order, one of each (`card.infrastructure`).

    `infra.cost`: 2 resources a piece. `infra.rebuild`: what was lost in revolt can be built again.
    """

    priced: ClassVar[str] = "build-infrastructure"
    cost_rule: ClassVar[str] = "infra.cost"
    planet: Open[int]
    kind: Open[Literal["civil", "factory", "shipyard"]]

    def check(self, board: Board) -> None:
        Colonised.check(board, self.planet, "planet.not-revolt")
        if board.of(self.planet).built(self.kind) and board.reads("infra-once"):
            rule, message = "infra.kinds", "The planet already has this."
            raise make_refusal("already_built", rule, message, planet=self.planet, kind=self.kind)
        InfrastructureSupply.check(board, self.kind)

    def play(self, board: Board) -> Happenings:
        yield InfrastructureBuilt(self.planet, self.kind)


class InfrastructureSupply:
    """`infra.shipyard-limit`: no more at one time than there are tokens: four shipyards."""

    @staticmethod
    def check(board: Board, kind: str) -> None:
        standing = sum(colony.built(kind) for colony in board.colonies)
        if standing < INFRASTRUCTURE.of(board)[kind].tokens:
            return
        if kind == SHIPYARD and board.reads("shipyard-limit") == "none":
            return
        rule, message = "infra.shipyard-limit", "There is no token of this kind left."
        raise make_refusal("no_token_left", rule, message, kind=kind, standing=standing)


class BuildSpacecraft(Order):
    """`ship.where`: on a planet with a shipyard, not in revolt.

    `ship.cost`: it costs 3 resources. `ship.limit`: never more than four in play.
    """

    priced: ClassVar[str] = "build-spacecraft"
    cost_rule: ClassVar[str] = "ship.cost"
    planet: Open[int]

    def check(self, board: Board) -> None:
        Colonised.check(board, self.planet, "planet.not-revolt")
        if not board.of(self.planet).shipyard:
            message = "The planet has no shipyard."
            raise make_refusal("no_shipyard", "ship.where", message, planet=self.planet)
        flying, most = len(board.spacecraft), SUPPLY.of(board)[SPACECRAFT].most
        if flying >= most:
            rule, message = "ship.limit", "All spacecraft are in play."
            raise make_refusal("too_many_spacecraft", rule, message, spacecraft=flying, most=most)

    def play(self, board: Board) -> Happenings:
        yield SpacecraftBuilt(self.planet)
