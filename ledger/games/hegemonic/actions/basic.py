"""BASIC: two CAPs, or a technology card; on every action card but DISCOVER."""

from __future__ import annotations

from typing import ClassVar

from ledger.games.hegemonic.action import Action
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.records import Decision, Happenings
from ledger.kernel.refusals import Refused

from .advancing import DrawAndFinish
from .piles import Sources


class BasicCollect(Decision, tag="turn.basic-collect"):
    """Gain two CAPs."""


class BasicDraw(Decision, tag="turn.basic-draw"):
    """Draw a technology card, then discard or advance one."""


class CollectAction(Action):
    """`basic.collect`: two CAPs from the bank."""

    listed: ClassVar[str] = "basic"

    def run(self, galaxy: Galaxy) -> Happenings:
        """At once."""
        yield from gain(galaxy, self.seat, figure(galaxy, "basic.caps"), "basic.collect")


class DrawAction(Action):
    """`basic.draw`: a card from any source, then one is discarded or advanced."""

    listed: ClassVar[str] = "basic"

    def check(self, galaxy: Galaxy) -> None:
        """There must be something to draw."""
        if not any(Sources.of(galaxy, self.seat, research=False)):
            raise Refused("no_such_source", "basic.draw", "There is nothing to draw.")

    def run(self, galaxy: Galaxy) -> Happenings:
        """As in the expansion."""
        yield DrawAndFinish(self.seat, self.occasion)
