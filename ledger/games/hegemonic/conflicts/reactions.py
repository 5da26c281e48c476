"""Reactions: what advanced technologies allow when something has been, or will be, destroyed.

SaveGates ─▶ AskToSave ─▶ SaveGates ...                   before gates fall
React ─▶ Reacting ─▶ AskReaction ─▶ Reacting ...          after the outcome, for one player

rescues.py carries the reactions out. A player who could only decline is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from ledger.games.hegemonic.map.gates import list_gate_places
from ledger.games.hegemonic.state.caps import caps_of, check_price
from ledger.games.hegemonic.state.components import AGENT, FLEET, MARTIAL, POLITICAL
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import (
    BIO_ADAPTIVE_HULLS,
    PHASED_TELEPORTATION,
    PREDICTIVE_ALGORITHMS,
    STEALTH_FIELD_EMITTER,
    SUBLIMINAL_TELEPATHY,
    holds,
)
from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.refusals import passes
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from .facts import contest_of
from .rescues import (
    BioAdaptiveHulls,
    HiddenAgent,
    NewAgent,
    NewFleet,
    PhasedTeleportation,
    PredictiveAlgorithms,
    Reaction,
    SavedOutpost,
    Saving,
    StealthFieldEmitter,
    SubliminalTelepathy,
    stack_lost,
)

CARRIED_OUT: Final[Mapping[type[Decision], type[Reaction]]] = {
    SubliminalTelepathy: NewAgent,
    PhasedTeleportation: NewFleet,
    BioAdaptiveHulls: SavedOutpost,
}


class Decline(Decision, tag="react.decline"):
    """Decline to react, now and for the rest of this moment."""


class ReactionsDeclined(SeatFact, tag="react.declined"):
    """A player declined to react, or to react again."""


# --- gates that are about to fall -----------------------------------------------------------------


class SaveGates(Step):
    """`tech.predictive-algorithms`: gates that are about to be destroyed may be put elsewhere.

    The step after it destroys those still in the sector of the conflict.
    """

    seat: Open[Seat]  # whose gates they are
    gates: Open[tuple[int, ...]]
    number: Open[int] = 1

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks nothing without the technology."""
        if self.gates and holds(galaxy, self.seat, PREDICTIVE_ALGORITHMS):
            question = AskToSave(self.seat, self.gates, self.number)
            if _worth_asking(galaxy, self.seat, question.savings(galaxy)):
                yield question


class AskToSave(SeatQuestion):
    """`tech.predictive-algorithms`: the player moves a gate and pays for each moved half."""

    answers = (PredictiveAlgorithms, Decline)
    gates: Open[tuple[int, ...]]
    number: Open[int]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/react/s{seat}/gates/{self.number}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PredictiveAlgorithms | Decline) -> bool:
        """Accepts a threatened gate in a new legal place that the player can pay for."""
        if isinstance(decision, PredictiveAlgorithms):
            saving = self._saving(decision)
            saving.check(galaxy)
            check_price(galaxy, seat, saving.price(galaxy), "tech.predictive-algorithms")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        has = caps_of(galaxy, seat)
        savings = (one for one in self.savings(galaxy) if one.price(galaxy) <= has)
        found = [PredictiveAlgorithms(one.gate, one.first, one.second) for one in savings]
        return [*found, Decline()]

    def default(self, galaxy: Galaxy, seat: Seat) -> Decision:
        """Declines: a player pays only by its own decision."""
        return Decline()

    def savings(self, galaxy: Galaxy) -> Iterator[Saving]:
        """Yields every legal saving, whatever its price."""
        for gate in self.gates:
            for first, second in list_gate_places(galaxy, self.seat):
                saving = self._saving(PredictiveAlgorithms(gate, first, second))
                if passes(saving.check, galaxy):
                    yield saving

    def _saving(self, decision: PredictiveAlgorithms) -> Saving:
        return Saving(self.seat, self.gates, decision.gate, decision.first, decision.second)

    def decide(
        self, galaxy: Galaxy, seat: Seat, decision: PredictiveAlgorithms | Decline
    ) -> Happenings:
        if isinstance(decision, Decline):
            yield ReactionsDeclined(seat)
            return
        yield from self._saving(decision).run(galaxy)
        left = tuple(gate for gate in self.gates if gate != decision.gate)
        yield SaveGates(seat, left, self.number + 1)


# --- all other reactions --------------------------------------------------------------------------


class Opening(Frozen, frozen=True, array_like=True):
    """Something that has happened and that a technology may answer, once."""

    technology: Open[str]
    unit: Open[int | None] = None  # that was lost, or has survived

    @staticmethod
    def all_of(galaxy: Galaxy, seat: Seat) -> Iterator[Opening]:
        """Yields all that a player could answer, whatever it has advanced."""
        contest = contest_of(galaxy)
        lost = [one for one in contest.losses if one.seat == seat]
        answered = {AGENT: SUBLIMINAL_TELEPATHY, FLEET: PHASED_TELEPORTATION}
        yield from (Opening(answered[one.piece], one.unit) for one in lost if one.piece in answered)
        if stack_lost(galaxy, seat) > 1:
            yield Opening(BIO_ADAPTIVE_HULLS)
        attacker = contest.attacker
        if attacker.seat == seat and attacker.type == POLITICAL:
            fallen = [one.unit for one in lost if one.piece == AGENT]
            survived = (unit for unit in attacker.units if unit not in fallen)
            yield from (Opening(STEALTH_FIELD_EMITTER, unit) for unit in survived)


class React(SeatStep):
    """`step4.reaction-order`: all reactions of one player to the outcome of the conflict.

    They follow from the losses, the winner and the attacking unit of the contest. A player takes
    them in any order, until it declines.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Skips a player to whom nothing has happened."""
        openings = tuple(Opening.all_of(galaxy, self.seat))
        if openings:
            yield Reacting(self.seat, openings)


class Reacting(SeatStep):
    """`step4.reaction-order`: repeats as long as something is left to answer."""

    openings: Open[tuple[Opening, ...]]
    number: Open[int] = 1

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks nothing without a technology for it."""
        question = AskReaction(self.seat, self.openings, self.number)
        legal = (one for _, one in question.ways(galaxy))
        if _worth_asking(galaxy, self.seat, legal):
            yield question


class AskReaction(SeatQuestion):
    """`step4.reaction-order`: the player chooses its next reaction, or declines.

    `tech.subliminal-telepathy`, `tech.phased-teleportation`: one for each unit lost.
    `tech.bio-adaptive-hulls`: one for the stack. `tech.stealth-field-emitter`: one for each agent
    that attacked and was not lost.
    """

    answers = (
        SubliminalTelepathy,
        PhasedTeleportation,
        BioAdaptiveHulls,
        StealthFieldEmitter,
        Decline,
    )
    openings: Open[tuple[Opening, ...]]
    number: Open[int]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/react/s{seat}/{self.number}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        """Accepts a legal reaction that answers something and that the player can pay for."""
        if isinstance(decision, Decline):
            return True
        reaction, _ = self._meant(galaxy, decision)
        reaction.check(galaxy)
        check_price(galaxy, seat, reaction.price(galaxy), f"tech.{reaction.technology}")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        has = caps_of(galaxy, seat)
        found = [said for said, one in self.ways(galaxy) if one.price(galaxy) <= has]
        return [*found, Decline()]

    def default(self, galaxy: Galaxy, seat: Seat) -> Decision:
        """Declines: a player pays only by its own decision."""
        return Decline()

    def ways(self, galaxy: Galaxy) -> Iterator[tuple[Decision, Reaction]]:
        """Yields every legal reaction, whatever its price."""
        for said in self._thinkable(galaxy):
            reaction, _ = self._meant(galaxy, said)
            if passes(reaction.check, galaxy):
                yield said, reaction

    def _thinkable(self, galaxy: Galaxy) -> Iterator[Decision]:
        house = galaxy.houses[self.seat]
        happened = [one.technology for one in self.openings]
        if SUBLIMINAL_TELEPATHY in happened:
            yield from map(SubliminalTelepathy, house.in_supply(AGENT))
        if PHASED_TELEPORTATION in happened:
            yield from map(PhasedTeleportation, house.in_supply(FLEET))
        if BIO_ADAPTIVE_HULLS in happened:
            yield from map(BioAdaptiveHulls, galaxy.list_room(self.seat, MARTIAL))
        hidden = [one.unit for one in self.openings if one.technology == STEALTH_FIELD_EMITTER]
        for unit in hidden:
            for sector in house.embassies:
                yield StealthFieldEmitter(sector, unit if len(hidden) > 1 else None)

    def _meant(self, galaxy: Galaxy, decision: Decision) -> tuple[Reaction, Opening]:
        """Returns a decision's reaction and its opening; refuses one that answers nothing."""
        if isinstance(decision, StealthFieldEmitter):
            opening = self._opening(STEALTH_FIELD_EMITTER, decision.unit)
            assert opening.unit is not None, "an agent has a number"
            return HiddenAgent(self.seat, decision.sector, opening.unit), opening
        reaction = CARRIED_OUT[type(decision)](self.seat, *msgspec.structs.astuple(decision))
        return reaction, self._opening(reaction.technology)

    def _opening(self, technology: str, unit: int | None = None) -> Opening:
        for one in self.openings:
            if one.technology == technology and unit in (None, one.unit):
                return one
        message = "Nothing has happened that this could answer."
        evidence = {"technology": technology, "unit": unit}
        raise Refused("nothing_to_answer", f"tech.{technology}", message, evidence)

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> Happenings:
        if isinstance(decision, Decline):
            yield ReactionsDeclined(seat)
            return
        reaction, opening = self._meant(galaxy, decision)
        yield from reaction.run(galaxy)
        left = list(self.openings)
        left.remove(opening)
        yield Reacting(seat, tuple(left), self.number + 1)


# --- whether somebody is asked --------------------------------------------------------------------


def _worth_asking(galaxy: Galaxy, seat: Seat, legal: Iterable[Reaction]) -> bool:
    """Returns whether the player could do more than decline.

    A player with too few CAPs is asked all the same where CAPs are hidden.
    """
    has, any_legal = caps_of(galaxy, seat), False
    for one in legal:
        if one.price(galaxy) <= has:
            return True
        any_legal = True
    return any_legal and bool(galaxy.reads("info.caps") == "hidden")
