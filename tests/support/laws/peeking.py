"""Law 3, no peeking: the checker.

A match is played, and played again with one decision exchanged that is hidden from some viewers.
For as long as the rules have not disclosed it, those viewers must not be able to tell which of
the two matches they are in: by views, facts, options, refusals, or what their bots choose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ledger.kernel.audience import Viewer, audiences, view, view_decision
from ledger.kernel.bots import BOTS
from ledger.kernel.chance import Dealt, Stream
from ledger.kernel.fold import find_question, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Question, Seat
from ledger.kernel.refusals import Refused
from tests.support.laws.learning import other_words, passes, shown_to, shows
from tests.support.laws.play import ONE_IN, Event, Party, played, whole

Telling = dict[str, Any]


class Care(NamedTuple):
    """How much is tried of what could be; nothing means all of it."""

    of_a_kind: int | None = None  # hidden answers to questions of one kind
    viewers: int | None = None
    events: int | None = None  # that follow the hidden answer
    probes: int | None = None
    looks: int = 1  # one in so many events, but for those next to the hidden answer
    tries: int = 1  # one in so many looks


THOROUGH = Care()
IN_A_LONG_MATCH = Care(of_a_kind=1, viewers=2, events=60, probes=12, looks=5, tries=4)
NEXT = 4


class Hidden(NamedTuple):
    """Something that not everybody saw: where it was decided, the match before it, and others."""

    place: int
    before: Match
    question: Question
    others: list[Decision]  # that would have looked the same


def leaks(party: Party, seed: int, care: Care | None = None) -> list[str]:
    """Returns what a viewer could learn against the rules; nothing if the law holds."""
    if care is None:
        care = IN_A_LONG_MATCH if party.terms.rules.name in ONE_IN else THOROUGH
    events = whole(party, seed)
    stream = Stream.named(seed.to_bytes(8, "big"), "peeking")
    attempts = list({repr(e.decision): e.decision for e in events if e.decision}.values())
    attempts = some(attempts, care.probes, stream)
    found: list[str] = []
    for hidden in _some_of_each_kind(list(_hidden_answers(party, events, seed)), care, stream):
        event = events[hidden.place]
        for other in some(hidden.others, care.of_a_kind, stream):
            # What the exchanged decision would attempt is common knowledge: try both everywhere.
            probes = [*attempts, other]
            blind = _blind(party, hidden.question, event, other)
            viewers = some(blind, care.viewers, stream)
            ahead = events[hidden.place :][: care.events]
            compared = _Comparison(party, hidden, ahead, other, blind, viewers, probes, care)
            found += compared.differences()
    return found


def some(items: list[Any], most: int | None, stream: Stream) -> list[Any]:
    """So many of them at most, in their order."""
    left = list(items)
    while most is not None and len(left) > most:
        left.pop(stream.below(len(left)))
    return left


def _some_of_each_kind(every: list[Hidden], care: Care, stream: Stream) -> list[Hidden]:
    kinds: dict[str, list[Hidden]] = {}
    for hidden in every:
        kinds.setdefault(type(hidden.question).__name__, []).append(hidden)
    return [one for of_kind in kinds.values() for one in some(of_kind, care.of_a_kind, stream)]


def _hidden_answers(party: Party, events: list[Event], seed: int) -> Iterator[Hidden]:
    """Where something was decided that not everybody saw."""
    terms = party.terms
    before: tuple[bytes, dict[Any, int]] | None = None
    for place, (match, _) in enumerate(played(party, seed)):
        decision = events[place].decision
        if before is not None and decision is not None:
            there = terms.restore(*before)
            question = find_question(there, events[place].seat, decision)
            hides = question.sealed or _private(decision)
            if hides and (others := _exchanged(there, question, events[place])):
                yield Hidden(place, terms.restore(*before), question, others)
        before = terms.snapshot(match), dict(match.used)


def _private(decision: Decision) -> list[str]:
    return [f.name for f in audiences(type(decision)) if not f.admits(decision, None, CHANCE)]


def _exchanged(match: Match, question: Question, event: Event) -> list[Decision]:
    """Two other decisions that look alike to those who may not see."""
    assert event.decision is not None
    options = list(question.options(match.state, event.seat))
    if isinstance(event.decision, Dealt):
        chance = match.chance()
        assert chance is not None
        keys = [bytes([number]) * 32 for number in range(12)]
        options = [chance.wish(match.state).answer(key, 0, "exchanged") for key in keys]
    options += other_words(event.decision)
    seen = view_decision(event.decision, None, event.seat)
    alike = [
        option
        for option in options
        if option != event.decision
        and (question.sealed or view_decision(option, None, event.seat) == seen)
    ]
    return alike[:1] + alike[1:][-1:]


def _blind(party: Party, question: Question, event: Event, other: Decision) -> list[Viewer]:
    """Returns the viewers who may not tell the decision from the other one."""
    assert event.decision is not None
    viewers: list[Viewer] = [*party.everybody, None]
    if question.sealed:
        return [viewer for viewer in viewers if viewer != event.seat]
    return [
        viewer
        for viewer in viewers
        if view_decision(event.decision, viewer, event.seat)
        == view_decision(other, viewer, event.seat)
    ]


class _Comparison:
    """The same decisions played on in both matches until the hidden one is disclosed."""

    def __init__(
        self,
        party: Party,
        hidden: Hidden,
        events: list[Event],
        other: Decision,
        blind: list[Viewer],
        viewers: list[Viewer],
        probes: list[Decision],
        care: Care,
    ) -> None:
        self.events, self.other, self.probes, self.care = events, other, probes, care
        self.blind, self.viewers, self.seats = blind, viewers, party.seats
        self.key = (events[0].answered, events[0].seat)
        dealt = events[0].decision
        self.owner = dealt.to if isinstance(dealt, Dealt) else events[0].seat
        terms, held = hidden.before.terms, hidden.before.terms.snapshot(hidden.before)
        self.here, self.there = terms.restore(held), terms.restore(held)
        self.passed = 0  # how often what was exchanged has been handed on

    def differences(self) -> list[str]:
        """Returns what viewers could tell the two by; such a viewer is not followed further."""
        found: list[str] = []
        for number, event in enumerate(self.events):
            assert event.decision is not None
            instead = event.decision if number else self.other
            told, raw = _attempt(self.here, event.seat, event.decision)
            told_there, raw_there = _attempt(self.there, event.seat, instead)
            assert not told, "what was decided once is decided again"
            if "refused" in told_there:
                # A decision of the one who knows, or a card that fell already; or is it a leak?
                if event.seat in self.blind:
                    found.append(self._told(event.seat, "a refusal", event))
                return found
            if self._disclosed(raw, raw_there):
                return found
            self._hand_on(raw)
            for viewer in list(self.viewers):
                differ = self._differ(viewer, number, raw, raw_there)
                found += [self._told(viewer, name, event) for name in differ]
                if differ:
                    self.viewers.remove(viewer)
            if not self.viewers:
                return found
        return found

    def _told(self, viewer: Viewer, name: str, event: Event) -> str:
        return f"{viewer} sees {self.key} by {name} at {event.answered}"

    def _disclosed(self, raw: list[Fact], raw_there: list[Fact]) -> bool:
        if _discloses(raw, self.key) or _discloses(raw_there, self.key):
            return True
        return shows(raw, raw_there)

    def _hand_on(self, raw: list[Fact]) -> None:
        """Whom the rules let look at what others may not see, is compared no longer."""
        for fact in raw:
            self.passed += passes(fact)
            learned = shown_to(fact, self.owner, self.passed, self.seats)
            self.blind = [viewer for viewer in self.blind if viewer not in learned]
            self.viewers = [viewer for viewer in self.viewers if viewer not in learned]

    def _differ(
        self, viewer: Viewer, number: int, raw: list[Fact], raw_there: list[Fact]
    ) -> list[str]:
        told = {"facts": [view(fact, viewer) for fact in raw]}
        told_there = {"facts": [view(fact, viewer) for fact in raw_there]}
        if number <= NEXT or number % self.care.looks == 0:
            tries = number % (self.care.looks * self.care.tries) in (0, 1)
            probes = self.probes if tries else None
            told |= _knows(self.here, viewer, probes)
            told_there |= _knows(self.there, viewer, probes)
        return [name for name in told if told[name] != told_there.get(name)]


def _discloses(facts: list[Fact], answer: tuple[str, Seat]) -> bool:
    return any(answer == (disclosed[0], disclosed[1]) for f in facts for disclosed in f.discloses())


def _attempt(match: Match, seat: Seat, decision: Decision) -> tuple[Telling, list[Fact]]:
    """Returns the result of a decision, or the refusal."""
    try:
        return {}, fold(match, seat, decision)
    except Refused as refusal:
        return {"refused": refusal.as_plain()}, []


def _knows(match: Match, viewer: Viewer, probes: list[Decision] | None) -> Telling:
    """All that a viewer can find out without changing anything."""
    seen = match.view(viewer)
    known: Telling = {"view": seen, "asked": match.asked()}
    if viewer is None or probes is None:
        return known
    known["scene"] = match.scene(viewer)
    held = match.terms.snapshot(match)
    known["options"] = match.options(viewer)
    known["standing"] = [
        (question, question.key(match.state, viewer), list(question.options(match.state, viewer)))
        for question in match.standing(viewer)
    ]
    for probe in (*probes, *known["options"]):
        told, _ = _attempt(match.terms.restore(held), viewer, probe)
        # What comes of an attempt may disclose what is hidden; whether it is refused may not.
        known[f"attempt of {probe}"] = told.get("refused", "allowed")
    if viewer in match.asked():
        for name, bot in BOTS.items():
            known[f"{name} bot"] = bot(match.terms, lambda: seen, known["options"], Stream(b"same"))
    return known
