"""DISCOVER: CAPITALIZE, SURVEY, RESEARCH."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.records import Decision, Happenings
from ledger.kernel.refusals import Refused

from .acting import Action
from .caps import gain
from .components import TYPES
from .state import Galaxy
from .tiles import PlaceFromPool, TurnTile
from .tracks import Income
from .unwritten import unwritten


class Capitalize(Decision, tag="turn.capitalize"):
    """Collect CAPs again from the base type that brings least."""


class Survey(Decision, tag="turn.survey"):
    """Turn a tile into the pool, then place one of the pool."""


class Research(Decision, tag="turn.research"):
    """Take the inactive pile back, discard any number of cards, draw up to five."""


class CapitalizeAction(Action):
    """`discover.capitalize`: CAPs equal to the smallest of the player's three incomes."""

    listed: ClassVar[str] = "capitalize"

    def run(self, galaxy: Galaxy) -> Happenings:
        """By a reading the largest, or the one that the player chooses."""
        incomes = [Income.of(galaxy, self.seat, type_) for type_ in TYPES]
        if min(incomes) != max(incomes) and galaxy.reads("discover.capitalize") != "min":
            yield from unwritten("RESEARCH")
        yield from gain(galaxy, self.seat, min(incomes), "discover.capitalize")


class SurveyAction(Action):
    """`discover.survey`: a tile is turned, then any one of the pool placed as in the expansion."""

    listed: ClassVar[str] = "survey"

    def check(self, galaxy: Galaxy) -> None:
        """There must be a tile to place and a hex for it."""
        if not (galaxy.stack or galaxy.pool) or not galaxy.empty_sectors():
            message = "There is no tile to place, or no hex."
            raise Refused("nothing_to_survey", "discover.survey", message)

    def run(self, galaxy: Galaxy) -> Happenings:
        """With an empty stack only the placing is left."""
        yield TurnTile(self.occasion)
        yield PlaceFromPool(self.seat, self.occasion)


class ResearchAction(Action):
    """`discover.research`: not written yet."""

    listed: ClassVar[str] = "research"

    def check(self, galaxy: Galaxy) -> None:
        """`learn.draws`: not in the Learning Game, which has no hands."""
        raise Refused("not_allowed", "discover.research", "Not written yet.")

    def run(self, galaxy: Galaxy) -> Happenings:
        """Loudly."""
        return unwritten("RESEARCH")
