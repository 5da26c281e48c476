"""DISCOVER: CAPITALIZE, SURVEY, RESEARCH."""

from __future__ import annotations

from ledger.games.hegemonic.actions.base import Action
from ledger.games.hegemonic.map.tiles import PlaceFromPool, TurnTile
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import TYPES
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.tracks import Income
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.seats import SeatFact, SeatQuestion

from .research import Research as ResearchStep


class Capitalize(Decision, tag="turn.capitalize"):
    """Collect CAPs again from your base type with the least income."""


class CapitalizeFrom(Decision, tag="turn.capitalize-from"):
    """Collect CAPs again from a base type, where it may be chosen."""

    income: Open[str]  # the type of the bases that bring it


class Survey(Decision, tag="turn.survey"):
    """Turn a tile into the pool, then place one of the pool."""


class Research(Decision, tag="turn.research"):
    """Take the inactive pile back, discard any number of cards, draw up to five."""


class Capitalized(SeatFact, tag="discover.capitalized"):
    """A player collected CAPs again from one type of its bases."""

    income: Open[str]
    amount: Open[int]


class CapitalizeAction(Action):
    """`discover.capitalize`: the player gains CAPs equal to the smallest of its three incomes."""

    listed = "capitalize"

    def run(self, galaxy: Galaxy) -> Happenings:
        """Under a reading it is the largest income, or the player chooses."""
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


class ChooseIncome(SeatQuestion):
    """`discover.capitalize`: a reading lets the player choose the base type to collect from."""

    answers = (CapitalizeFrom,)
    occasion: Open[str]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/income"

    def options(self, galaxy: Galaxy, seat: Seat) -> list[CapitalizeFrom]:
        return [CapitalizeFrom(type_) for type_ in TYPES]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: CapitalizeFrom) -> Happenings:
        yield from capitalize(galaxy, seat, decision.income)


def capitalize(galaxy: Galaxy, seat: Seat, type_: str) -> Happenings:
    """Gives a player the income of one type."""
    amount = Income.of(galaxy, seat, type_)
    yield Capitalized(seat, type_, amount)
    yield from gain(galaxy, seat, amount, "discover.capitalize")


class SurveyAction(Action):
    """`discover.survey`: a tile is turned, then any of the pool is placed as in the expansion."""

    listed = "survey"

    def check(self, galaxy: Galaxy) -> None:
        """Refuses the action without a tile to place or a hex for it."""
        if not (galaxy.stack or galaxy.pool) or not galaxy.empty_sectors():
            message = "There is no tile to place, or no hex."
            raise Refused("nothing_to_survey", "discover.survey", message)

    def run(self, galaxy: Galaxy) -> Happenings:
        """With an empty stack the player only places a tile."""
        yield TurnTile(self.occasion)
        yield PlaceFromPool(self.seat, self.occasion)


class ResearchAction(Action):
    """`discover.research`: the player renews its hand."""

    listed = "research"

    def check(self, galaxy: Galaxy) -> None:
        """`learn.draws`: not in the Learning Game, which has no hands, unless a reading says so."""
        if galaxy.reads("learning") and galaxy.reads("learn.research") == "off":
            message = "There is no RESEARCH in the Learning Game."
            raise Refused("no_research", "learn.draws", message)

    def run(self, galaxy: Galaxy) -> Happenings:
        """A leader can start the same step without the action."""
        yield ResearchStep(self.seat, self.occasion)
