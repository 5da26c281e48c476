"""The rounds and the table that both games of the bazaar share, and the maker of their rulesets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import msgspec

from ledger.kernel.audience import Open
from ledger.kernel.pacts import Pacts
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, State, Step
from ledger.kernel.ruleset import AuditRules, Result, Ruleset, Shown
from ledger.kernel.story import Story
from ledger.parts.deals import answers
from ledger.parts.deals.pacts import READS, reads_with
from ledger.parts.deals.recount import recounts
from ledger.parts.deals.shown.forms import DealForms
from ledger.parts.deals.shown.proposals import open_offers
from ledger.parts.deals.shown.story import beats
from ledger.parts.deals.shown.wording import wordings
from ledger.parts.deals.shown.words import DealWords
from ledger.parts.deals.transfers import Exchange

ROUNDS = 2
PHASES = ("Talk", "Work")
TALK, WORK = 1, 2


class Stalls(State):
    """The table of a game whose rounds these are; it adds its own `deals`."""

    players: Open[int]
    round: Open[int] = 0
    phase: Open[int] = 0
    counts: Open[dict[str, int]] = msgspec.field(default_factory=dict)

    @property
    def seats(self) -> range:
        return range(self.players)

    @property
    def over(self) -> bool:
        return self.round > ROUNDS

    def ending(self) -> Happenings:
        """Yields the facts and steps that end a phase."""
        raise NotImplementedError


class EndPhase(Decision, tag="bazaar.end-phase"):
    pass


class PhaseBegun(Fact, tag="bazaar.phase-begun"):
    round: Open[int]
    phase: Open[int]

    def apply(self, stalls: Any) -> None:
        stalls.round, stalls.phase = self.round, self.phase


class Begin(Step):
    """`bazaar.rounds`: two phases each."""

    def run(self, _: Any) -> Happenings:
        yield PhaseBegun(1, TALK)
        yield Phase()


class Phase(Question):
    """`bazaar.rounds`: the first seat says when a phase is over; all others may deal until then."""

    answers: ClassVar[tuple[type[Decision], ...]] = (EndPhase,)

    def asks(self, _: Any) -> tuple[Seat, ...]:
        return (0,)

    def key(self, stalls: Any, _: Seat) -> str:
        return f"r{stalls.round}/p{stalls.phase}"

    def allows(self, _: Any, __: Seat, ___: EndPhase) -> bool:
        return True

    def options(self, _: Any, __: Seat) -> list[EndPhase]:
        return [EndPhase()]

    def decide(self, stalls: Any, _: Seat, __: EndPhase) -> Happenings:
        yield from stalls.ending()
        yield NextPhase()


class NextPhase(Step):
    """`bazaar.rounds`: talk, then work, for two rounds."""

    def run(self, stalls: Any) -> Happenings:
        ends = stalls.phase == WORK
        yield PhaseBegun(stalls.round + ends, TALK if ends else WORK)
        if not stalls.over:
            yield Phase()


def result_of(stalls: Any) -> Result:
    return Result(winners=(0,), scores=(0,) * len(stalls.seats), reason="it is over")


# --- a game ---------------------------------------------------------------------------------------


def names_of(seen: Any, _: Any) -> tuple[str, ...]:
    return ("Ann", "Bob", "Cid")[: seen["state"]["players"]]


def game_of(
    module: str,
    *,
    setup: Callable[[int], Stalls],
    first: Step,
    standing: tuple[Question, ...],
    exchange: type[Exchange] | None = None,
    words: DealWords,
    forms: DealForms,
    **pacts: Any,
) -> Ruleset:
    """The game that a module's records are, with deals; some exchange things in them."""
    records: Any = sys.modules[module]
    name = module.rpartition(".")[2]
    given = None if exchange is None else exchange.given
    buttons = wordings(words, forms.transfer)
    return Ruleset.of_chapters(
        name,
        title=name.capitalize(),
        seats=range(3, 4),
        chapters=(sys.modules[__name__], records, answers),
        state=type(setup(3)),
        setup=setup,
        first=first,
        result=result_of,
        standing=standing,
        shown=Shown(
            story=Story(beats=beats(words, records.DealProposed, given)),
            wording=lambda option, seen, lookup: buttons[option["type"]](option, seen, lookup),
            forms=forms.forms,
            offers=partial(open_offers, words),
        ),
        audit=AuditRules(
            recounts={} if exchange is None else recounts(exchange),
            pacts=Pacts(
                templates=tuple(forms.templates),
                reads=READS if given is None else reads_with(given),
                words=words.promise,
                clock={},
                **pacts,
            ),
        ),
    )
