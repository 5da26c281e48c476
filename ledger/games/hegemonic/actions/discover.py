"""DISCOVER: CAPITALIZE, SURVEY, RESEARCH."""

from __future__ import annotations

from typing import ClassVar

from ledger.games.hegemonic.action import Action
from ledger.games.hegemonic.map.tiles import PlaceFromPool, TurnTile
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import TYPES
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.tracks import Income
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat
from ledger.kernel.refusals import Refused

from .research import Research as ResearchStep


class Capitalize(Decision, tag="turn.capitalize"):
    """Collect CAPs again from the base type that brings least."""


class CapitalizeFrom(Decision, tag="turn.capitalize-from"):
    """Collect CAPs again from a base type, where it may be chosen."""

    income: Open[str]  # the type of the bases that bring it


class Survey(Decision, tag="turn.survey"):
    """Turn a tile into the pool, then place one of the pool."""


class Research(Decision, tag="turn.research"):
    """Take the inactive pile back, discard any number of cards, draw up to five."""


class Capitalized(Fact, tag="discover.capitalized"):
    """A player collected CAPs again from one type of its bases."""

    seat: Open[Seat]
    income: Open[str]
    amount: Open[int]


class CapitalizeAction(Action):
    """`discover.capitalize`: CAPs equal to the smallest of the player's three incomes."""

    listed: ClassVar[str] = "capitalize"

    def run(self, galaxy: Galaxy) -> Happenings:
        """By a reading the largest, or the one that the player chooses."""
        incomes = {type_: Income.of(galaxy, self.seat, type_) for type_ in TYPES}
        least, most = min(TYPES, key=incomes.__getitem__), max(TYPES, key=incomes.__getitem__)
        if incomes[least] == incomes[most]:
            yield from capitalize(galaxy, self.seat, least)
            return
        which = galaxy.reads("discover.capitalize")
        if which == "choice":
            yield ChooseIncome(self.seat, self.occasion)
        else:
            yield from capitalize(galaxy, self.seat, least if which == "min" else most)


class ChooseIncome(Question):
    """`discover.capitalize`: by a reading the player chooses from which bases it collects."""

    answers: ClassVar[tuple[type[Decision], ...]] = (CapitalizeFrom,)
    seat: Open[Seat]
    occasion: Open[str]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """Who capitalizes."""
        return (self.seat,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """By the action."""
        return f"{self.occasion}/income"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: CapitalizeFrom) -> bool:
        """One of the three."""
        return decision.income in TYPES

    def options(self, galaxy: Galaxy, seat: Seat) -> list[CapitalizeFrom]:
        """All three."""
        return [CapitalizeFrom(type_) for type_ in TYPES]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: CapitalizeFrom) -> Happenings:
        """At once."""
        yield from capitalize(galaxy, seat, decision.income)


def capitalize(galaxy: Galaxy, seat: Seat, type_: str) -> Happenings:
    """A player collects the income of one type."""
    amount = Income.of(galaxy, seat, type_)
    yield Capitalized(seat, type_, amount)
    yield from gain(galaxy, seat, amount, "discover.capitalize")


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
    """`discover.research`: the hand is renewed."""

    listed: ClassVar[str] = "research"

    def check(self, galaxy: Galaxy) -> None:
        """`learn.draws`: not in the Learning Game, which has no hands; or by a reading."""
        if galaxy.reads("learning") and galaxy.reads("learn.research") == "off":
            message = "There is no RESEARCH in the Learning Game."
            raise Refused("no_research", "learn.draws", message)

    def run(self, galaxy: Galaxy) -> Happenings:
        """A leader can do the same without the action."""
        yield ResearchStep(self.seat, self.occasion)
