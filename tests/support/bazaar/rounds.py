"""The rounds of both games of the bazaar: a round has two phases, and the first seat ends each."""

from __future__ import annotations

from typing import Any, ClassVar

from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, Step
from ledger.kernel.ruleset import Result

ROUNDS = 2
PHASES = ("Talk", "Work")
TALK, WORK = 1, 2


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
