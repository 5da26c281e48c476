"""Reactions: what advanced technologies allow when something has been, or will be, destroyed.

SaveGates ─▶ AskToSave ─▶ SaveGates ...                   before gates fall
React ─▶ Reacting ─▶ AskReaction ─▶ Reacting ...          after the outcome, for one player

What a reaction does is in rescues.py. Nobody is asked who could only decline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from ledger.games.hegemonic.map.gates import GatePlaces
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
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused

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


class Decline(Decision, tag="react.decline"):
    """Do not react, and to nothing else of this moment."""


class ReactionsDeclined(Fact, tag="react.declined"):
    """A player did not react, or to nothing more."""

    seat: Open[Seat]


# --- gates that are about to fall -----------------------------------------------------------------


class SaveGates(Step):
    """`tech.predictive-algorithms`: gates that are about to be destroyed may be put elsewhere.

    Who comes after it destroys those of them that still stand in the sector of the conflict.
    """

    seat: Open[Seat]  # whose gates they are
    gates: Open[tuple[int, ...]]
    number: Open[int] = 1

    def run(self, galaxy: Galaxy) -> Happenings:
        """Without the technology there is no question."""
        if self.gates and holds(galaxy, self.seat, PREDICTIVE_ALGORITHMS):
            question = AskToSave(self.seat, self.gates, self.number)
            if _worth_asking(galaxy, self.seat, question.savings(galaxy)):
                yield question


class AskToSave(Question):
    """`tech.predictive-algorithms`: which gate goes where, for a price a half that is moved."""

    answers: ClassVar[tuple[type[Decision], ...]] = (PredictiveAlgorithms, Decline)
    seat: Open[Seat]
    gates: Open[tuple[int, ...]]
    number: Open[int]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """Whose gates they are."""
        return (self.seat,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """By the conflict; what is saved is counted."""
        return f"{contest_of(galaxy).key}/react/s{seat}/gates/{self.number}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PredictiveAlgorithms | Decline) -> bool:
        """A gate that would fall, in a new legal place that can be paid."""
        if isinstance(decision, PredictiveAlgorithms):
            saving = self._saving(decision)
            saving.check(galaxy)
            check_price(galaxy, seat, saving.price(galaxy), "tech.predictive-algorithms")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        """Every new place of every gate, and none."""
        has = caps_of(galaxy, seat)
        savings = (one for one in self.savings(galaxy) if one.price(galaxy) <= has)
        found = [PredictiveAlgorithms(one.gate, one.first, one.second) for one in savings]
        return [*found, Decline()]

    def default(self, galaxy: Galaxy, seat: Seat) -> Decision:
        """Nobody pays who has not said so."""
        return Decline()

    def savings(self, galaxy: Galaxy) -> Iterator[Saving]:
        """All that is legal, whatever it costs."""
        for gate in self.gates:
            for first, second in GatePlaces.thinkable(galaxy, self.seat):
                saving = self._saving(PredictiveAlgorithms(gate, first, second))
                if _legal(galaxy, saving):
                    yield saving

    def _saving(self, decision: PredictiveAlgorithms) -> Saving:
        return Saving(self.seat, self.gates, decision.gate, decision.first, decision.second)

    def decide(
        self, galaxy: Galaxy, seat: Seat, decision: PredictiveAlgorithms | Decline
    ) -> Happenings:
        """The others may be saved as well."""
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
        """What a player could answer, whatever it has advanced."""
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


class React(Step):
    """`step4.reaction-order`: all reactions of one player to what has become of the conflict.

    They follow from the losses, the winner and the attacking unit of the contest; a player takes
    them in the order it likes, until it declines.
    """

    seat: Open[Seat]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Where nothing has happened to it there is no reaction."""
        openings = tuple(Opening.all_of(galaxy, self.seat))
        if openings:
            yield Reacting(self.seat, openings)


class Reacting(Step):
    """`step4.reaction-order`: as long as something is left that could be answered."""

    seat: Open[Seat]
    openings: Open[tuple[Opening, ...]]
    number: Open[int] = 1

    def run(self, galaxy: Galaxy) -> Happenings:
        """Without a technology for it there is no question."""
        question = AskReaction(self.seat, self.openings, self.number)
        legal = (one for _, one in question.ways(galaxy))
        if _worth_asking(galaxy, self.seat, legal):
            yield question


class AskReaction(Question):
    """`step4.reaction-order`: which reaction comes next, or none any more.

    `tech.subliminal-telepathy`, `tech.phased-teleportation`: one for each unit lost.
    `tech.bio-adaptive-hulls`: one for the stack. `tech.stealth-field-emitter`: one for each agent
    that attacked and was not lost.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (
        SubliminalTelepathy,
        PhasedTeleportation,
        BioAdaptiveHulls,
        StealthFieldEmitter,
        Decline,
    )
    seat: Open[Seat]
    openings: Open[tuple[Opening, ...]]
    number: Open[int]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """Whose pieces they were."""
        return (self.seat,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """By the conflict; a player's reactions are counted."""
        return f"{contest_of(galaxy).key}/react/s{seat}/{self.number}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        """One that something has happened for, and that can be paid."""
        if isinstance(decision, Decline):
            return True
        reaction, _ = self._meant(galaxy, decision)
        reaction.check(galaxy)
        check_price(galaxy, seat, reaction.price(galaxy), f"tech.{reaction.technology}")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        """Every one that can be paid, and none."""
        has = caps_of(galaxy, seat)
        found = [said for said, one in self.ways(galaxy) if one.price(galaxy) <= has]
        return [*found, Decline()]

    def default(self, galaxy: Galaxy, seat: Seat) -> Decision:
        """Nobody pays who has not said so."""
        return Decline()

    def ways(self, galaxy: Galaxy) -> Iterator[tuple[Decision, Reaction]]:
        """All that is legal, whatever it costs."""
        for said in self._thinkable(galaxy):
            reaction, _ = self._meant(galaxy, said)
            if _legal(galaxy, reaction):
                yield said, reaction

    def _thinkable(self, galaxy: Galaxy) -> Iterator[Decision]:
        house = galaxy.houses[self.seat]
        happened = [one.technology for one in self.openings]
        if SUBLIMINAL_TELEPATHY in happened:
            yield from map(SubliminalTelepathy, house.in_supply(AGENT))
        if PHASED_TELEPORTATION in happened:
            yield from map(PhasedTeleportation, house.in_supply(FLEET))
        if BIO_ADAPTIVE_HULLS in happened:
            room = (one for one in galaxy.sectors if galaxy.room(self.seat, MARTIAL, one) > 0)
            yield from map(BioAdaptiveHulls, room)
        hidden = [one.unit for one in self.openings if one.technology == STEALTH_FIELD_EMITTER]
        for unit in hidden:
            for sector in house.embassies:
                yield StealthFieldEmitter(sector, unit if len(hidden) > 1 else None)

    def _meant(self, galaxy: Galaxy, decision: Decision) -> tuple[Reaction, Opening]:
        """What a decision does, and what it answers; refused where nothing of it has happened."""
        if isinstance(decision, SubliminalTelepathy):
            return NewAgent(self.seat, decision.unit), self._opening(SUBLIMINAL_TELEPATHY)
        if isinstance(decision, PhasedTeleportation):
            return NewFleet(self.seat, decision.unit), self._opening(PHASED_TELEPORTATION)
        if isinstance(decision, BioAdaptiveHulls):
            return SavedOutpost(self.seat, decision.sector), self._opening(BIO_ADAPTIVE_HULLS)
        assert isinstance(decision, StealthFieldEmitter), f"{decision} is no reaction"
        opening = self._opening(STEALTH_FIELD_EMITTER, decision.unit)
        assert opening.unit is not None, "an agent has a number"
        return HiddenAgent(self.seat, decision.sector, opening.unit), opening

    def _opening(self, technology: str, unit: int | None = None) -> Opening:
        for one in self.openings:
            if one.technology == technology and unit in (None, one.unit):
                return one
        message = "Nothing has happened that it answers."
        evidence = {"technology": technology, "unit": unit}
        raise Refused("nothing_to_answer", f"tech.{technology}", message, evidence)

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> Happenings:
        """What is left may be answered next."""
        if isinstance(decision, Decline):
            yield ReactionsDeclined(seat)
            return
        reaction, opening = self._meant(galaxy, decision)
        yield from reaction.run(galaxy)
        left = list(self.openings)
        left.remove(opening)
        yield Reacting(seat, tuple(left), self.number + 1)


# --- whether somebody is asked --------------------------------------------------------------------


def _legal(galaxy: Galaxy, reaction: Reaction) -> bool:
    try:
        reaction.check(galaxy)
    except Refused:
        return False
    return True


def _worth_asking(galaxy: Galaxy, seat: Seat, legal: Iterable[Reaction]) -> bool:
    """Whether there is more than declining.

    Who has too few CAPs is asked all the same where nobody may know how many it has.
    """
    has, any_legal = caps_of(galaxy, seat), False
    for one in legal:
        if one.price(galaxy) <= has:
            return True
        any_legal = True
    return any_legal and bool(galaxy.reads("info.caps") == "hidden")
