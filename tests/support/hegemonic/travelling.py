"""A random match from its setup to its winner, with all that must hold on the way."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

import msgspec
import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, tag_of
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import facts_bytes
from tests.support.given import everything
from tests.support.hegemonic.census import amiss, cards_of, tiles_of, units_of
from tests.support.laws.play import Event, Party, played, replayed

# One in so many events is looked at more closely: the others are only counted.
LOOKS: Final = 97
OFFERED_MAX, WRONG_MAX = 25, 25
TECHNOLOGY: Final = re.compile(rb"tech\.([a-z-]+)")


class Journey(msgspec.Struct):
    """The result of one match."""

    seed: int
    seats: int
    events: int
    rounds: int
    conflicts: int
    lost: int  # pieces, in conflicts
    supported: int
    offers: int
    deals: int
    advanced: list[str]  # technologies
    acted: list[str]  # those of them that a fact names as the reason of something
    refused: int
    checked: int  # options that were tried


class Travel:
    """The match, a second one that goes on from bytes in the middle, and the counts."""

    def __init__(self, party: Party, seed: int) -> None:
        self.party, self.seed = party, seed
        self.stream = Stream.named(seed.to_bytes(8, "big"), "travel")
        self.fork = 1 + self.stream.below(400)
        self.beside: Match | None = None
        self.events: list[Event] = []
        self.counted: Any = None
        self.facts: Counter[str] = Counter()
        self.names: set[str] = set()
        self.advanced: set[str] = set()
        self.refused = self.checked = 0

    def whole(self) -> Journey:
        """Play it to the end, and once more from its decisions."""
        last: Match | None = None
        for match, event in played(self.party, self.seed):
            last = match
            self._goes_on(match, event)
            self.events.append(event)
            self._nothing_lost(match)
            if len(self.events) % LOOKS == self.seed % LOOKS or match.ended:
                self._seen_by_everybody(match)
                self._offers_are_kept(match)
                self._wrong_is_refused(match)
            self._count(match, event)
        assert last is not None
        assert last.ended
        result = last.result()
        assert result.winners
        assert len(result.scores) == self.party.seats
        self._again(last)
        return self._journey(last)

    def _goes_on(self, match: Match, event: Event) -> None:
        """A match that is read from bytes on the way goes on as the one that was not."""
        terms = self.party.terms
        if self.beside is not None:
            assert event.decision is not None
            facts = fold(self.beside, event.seat, event.decision)
            assert facts_bytes(facts) == facts_bytes(event.facts)
        if len(self.events) == self.fork:
            self.beside = terms.restore(terms.snapshot(match), match.used)
        if match.ended and self.beside is not None:
            assert terms.snapshot(self.beside) == terms.snapshot(match)
            assert self.beside.used == match.used

    def _nothing_lost(self, match: Match) -> None:
        galaxy = match.state
        assert set(RULES.audit.conserved(galaxy).values()) == {0}
        assert amiss(galaxy) == []
        if galaxy.phase:  # before, cards, tiles and pieces come to the table
            counted = (cards_of(galaxy), tiles_of(galaxy), units_of(galaxy))
            self.counted = self.counted or counted
            assert counted == self.counted

    def _seen_by_everybody(self, match: Match) -> None:
        before = everything(match)
        for viewer in (*self.party.everybody, None):
            seen = match.view(viewer)
            scene = match.scene(viewer)
            assert scene is not None
            assert scene.cells or not match.state.boards
            assert seen["seat"] == viewer
        assert everything(match) == before

    def _offers_are_kept(self, match: Match) -> None:
        """Checks that each option is allowed and folds."""
        held = match.terms.snapshot(match)
        offered = [(seat, option) for seat in match.asked() for option in match.options(seat)]
        for seat in self.party.everybody:
            for question in match.standing(seat):
                offered += [(seat, option) for option in question.options(match.state, seat)]
        for _ in range(min(OFFERED_MAX, len(offered))):
            seat, option = self.stream.choose(offered)
            fold(match.terms.restore(held), seat, option)
            self.checked += 1

    def _wrong_is_refused(self, match: Match) -> None:
        """Checks that most old decisions, and those of others, are refused without an effect."""
        held, before = match.terms.snapshot(match), everything(match)
        decided = [event.decision for event in self.events if event.decision is not None]
        decided.append(Transfer(0, 0))  # at the beginning nothing has been decided
        told = []
        for _ in range(WRONG_MAX):
            seat = self.stream.choose((*self.party.everybody, CHANCE, 99))
            attempt: Decision = self.stream.choose(decided)
            try:
                fold(match.terms.restore(held), seat, attempt)
            except Refused as expected:
                with pytest.raises(Refused) as refusal:
                    fold(match, seat, attempt)
                told.append((refusal.value.as_plain(), expected.as_plain()))
        assert everything(match) == before
        assert all(one == other for one, other in told)
        self.refused += len(told)

    def _count(self, match: Match, event: Event) -> None:
        for fact in event.facts:
            tag = tag_of(fact)
            self.facts[tag] += 1
            self.facts["deal made"] += tag == "deal.accepted" and fact.made
        named = TECHNOLOGY.findall(facts_bytes(event.facts))
        self.names.update(name.decode() for name in named)
        if event.decision is not None and tag_of(event.decision).startswith("react."):
            self.names.add(tag_of(event.decision).removeprefix("react."))
        cards = match.terms.tables["cards"]
        for house in match.state.houses:
            self.advanced.update(cards[card].technology for card in house.advanced)

    def _again(self, last: Match) -> None:
        """The decisions alone give every fact again, and the same end."""
        again = list(zip(replayed(self.party, self.events), self.events, strict=True))
        for (_, facts), event in again:
            assert facts_bytes(facts) == facts_bytes(event.facts)
        match = again[-1][0][0]
        assert match is not last
        assert match.terms.snapshot(match) == last.terms.snapshot(last)
        assert match.used == last.used

    def _journey(self, last: Match) -> Journey:
        known = set(last.terms.tables["technologies"])
        return Journey(
            seed=self.seed,
            seats=self.party.seats,
            events=len(self.events),
            rounds=last.state.round,
            conflicts=self.facts["conflict.begun"],
            lost=self.facts["conflict.lost"],
            supported=self.facts["conflict.supported"],
            offers=self.facts["deal.proposed"],
            deals=self.facts["deal made"],
            advanced=sorted(self.advanced),
            acted=sorted(self.names & known),
            refused=self.refused,
            checked=self.checked,
        )
