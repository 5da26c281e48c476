"""Planet actions: building infrastructure and spacecraft."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from ledger.games.galactic_hegemony.orders import ActionFact, Colonised, Order
from ledger.games.galactic_hegemony.state.board import Board
from ledger.games.galactic_hegemony.state.components import INFRASTRUCTURE, SPACECRAFT, SUPPLY
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings
from ledger.kernel.refusals import Refused

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
        evidence: dict[str, Any] = {"planet": self.planet, "kind": self.kind}
        if board.of(self.planet).built(self.kind) and board.reads("infra-once"):
            message = "The planet already has this."
            raise Refused("already_built", "infra.kinds", message, evidence)
        standing = sum(colony.built(self.kind) for colony in board.colonies)
        if standing >= INFRASTRUCTURE.of(board)[self.kind].tokens:
            InfrastructureSupply.check(board, self.kind, standing)

    def play(self, board: Board) -> Happenings:
        yield InfrastructureBuilt(self.planet, self.kind)


class InfrastructureSupply:
    """`infra.shipyard-limit`: no more at one time than there are tokens: four shipyards."""

    @staticmethod
    def check(board: Board, kind: str, standing: int) -> None:
        if kind == SHIPYARD and board.reads("shipyard-limit") == "none":
            return
        evidence = {"kind": kind, "standing": standing}
        message = "There is no token of this kind left."
        raise Refused("no_token_left", "infra.shipyard-limit", message, evidence)


class BuildSpacecraft(Order):
    """`ship.where`: on a planet with a shipyard, not in revolt.

    `ship.cost`: for 3 resources. `ship.limit`: never more than four in play.
    """

    priced: ClassVar[str] = "build-spacecraft"
    cost_rule: ClassVar[str] = "ship.cost"
    planet: Open[int]

    def check(self, board: Board) -> None:
        Colonised.check(board, self.planet, "planet.not-revolt")
        if not board.of(self.planet).shipyard:
            evidence = {"planet": self.planet}
            raise Refused("no_shipyard", "ship.where", "The planet has no shipyard.", evidence)
        most = SUPPLY.of(board)[SPACECRAFT].most
        if len(board.spacecraft) >= most:
            evidence = {"spacecraft": len(board.spacecraft), "most": most}
            raise Refused(
                "too_many_spacecraft", "ship.limit", "All spacecraft are in play.", evidence
            )

    def play(self, board: Board) -> Happenings:
        yield SpacecraftBuilt(self.planet)
