"""BASIC: two CAPs, or a technology card; on every action card but DISCOVER."""

from __future__ import annotations

from ledger.games.hegemonic.actions.base import Action
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.records import Decision, Happenings
from ledger.kernel.refusals import Refused

from .advancing import DrawAndFinish
from .piles import sources_of


class BasicCollect(Decision, tag="turn.basic-collect"):
    """Gain two CAPs."""


class BasicDraw(Decision, tag="turn.basic-draw"):
    """Draw a technology card, then discard or advance one."""


class CollectAction(Action):
    """`basic.collect`: the player gains two CAPs from the bank."""

    listed = "basic"

    def run(self, galaxy: Galaxy) -> Happenings:
        yield from gain(galaxy, self.seat, figure(galaxy, "basic.caps"), "basic.collect")


class DrawAction(Action):
    """`basic.draw`: the player draws a card from any source, then discards or advances one."""

    listed = "basic"

    def check(self, galaxy: Galaxy) -> None:
        """Refuses the action if there is nothing to draw."""
        if not any(sources_of(galaxy, self.seat)):
            raise Refused("no_such_source", "basic.draw", "There is no card to draw.")

    def run(self, galaxy: Galaxy) -> Happenings:
        yield DrawAndFinish(self.seat, self.occasion)
