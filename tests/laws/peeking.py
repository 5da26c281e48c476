"""Law 3, no peeking: the checker.

A match is played, and played again with one decision exchanged that is hidden from some viewers.
For as long as the rules have not disclosed it, those viewers must not be able to tell which of
the two matches they are in: by views, facts, options, refusals, or what their bots choose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.kernel.audience import Viewer, audiences, view, view_decision
from ledger.kernel.bots import BOTS
from ledger.kernel.chance import Dealt, Stream
from ledger.kernel.fold import answered, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Question, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms
from tests.laws.play import Event, played, replayed, whole

Telling = dict[str, Any]


def leaks(terms: Terms, seed: int) -> list[str]:
    """What anybody could learn that is not theirs to know; nothing, if the law holds."""
    events = whole(terms, seed)
    attempts = list({repr(e.decision): e.decision for e in events if e.decision}.values())
    found: list[str] = []
    for place, match, question in _hidden_answers(terms, events, seed):
        event = events[place]
        for other in _exchanged(match, question, event):
            # What the exchanged decision would attempt is common knowledge: try both everywhere.
            probes = [*attempts, other]
            for viewer in _blind(terms, question, event, other):
                found += _compare(terms, events, (place, other), viewer, probes)
    return found


def _hidden_answers(
    terms: Terms, events: list[Event], seed: int
) -> Iterator[tuple[int, Match, Question]]:
    """Where something was decided that not everybody saw, and the match just before it."""
    before: Match | None = None
    for place, (match, _) in enumerate(played(terms, seed)):
        event = events[place]
        if before is not None and event.decision is not None:
            question = answered(before, event.seat, event.decision)
            if question.sealed or _private(event.decision):
                yield place, before, question
        before = terms.restore(terms.snapshot(match), match.used)


def _private(decision: Decision) -> list[str]:
    return [f.name for f in audiences(type(decision)) if not f.admits(decision, None, CHANCE)]


def _exchanged(match: Match, question: Question, event: Event) -> list[Decision]:
    """Two other decisions that look alike to those who may not see."""
    assert event.decision is not None
    options = match.options(event.seat)
    if isinstance(event.decision, Dealt):
        chance = match.chance()
        assert chance is not None
        keys = [bytes([number]) * 32 for number in range(12)]
        options = [chance.wish(match.state).answer(key, 0, "exchanged") for key in keys]
    seen = view_decision(event.decision, None, event.seat)
    alike = [
        option
        for option in options
        if option != event.decision
        and (question.sealed or view_decision(option, None, event.seat) == seen)
    ]
    return alike[:1] + alike[-1:]


def _blind(terms: Terms, question: Question, event: Event, other: Decision) -> list[Viewer]:
    """Who may not tell the decision from the other one."""
    assert event.decision is not None
    viewers: list[Viewer] = [*range(terms.rules.seats.stop - 1), None]
    if question.sealed:
        return [viewer for viewer in viewers if viewer != event.seat]
    return [
        viewer
        for viewer in viewers
        if view_decision(event.decision, viewer, event.seat)
        == view_decision(other, viewer, event.seat)
    ]


def _compare(
    terms: Terms,
    events: list[Event],
    exchange: tuple[int, Decision],
    viewer: Viewer,
    probes: list[Decision],
) -> list[str]:
    """Play the same decisions on in both matches until the hidden one is disclosed."""
    place, other = exchange
    hidden_key = (events[place].answered, events[place].seat)
    here, there = _last(terms, events[:place]), _last(terms, events[:place])
    for event in events[place:]:
        assert event.decision is not None
        instead = other if event is events[place] else event.decision
        told = _attempt(here, event.seat, event.decision, viewer)
        told_there = _attempt(there, event.seat, instead, viewer)
        if event.seat != viewer and "refused" in told_there:
            return []  # a decision of the one who knows, or a card that fell already
        if _discloses(told.pop("raw"), hidden_key) or _discloses(
            told_there.pop("raw", []), hidden_key
        ):
            return []
        told |= _knows(here, viewer, probes)
        told_there |= _knows(there, viewer, probes)
        differ = [name for name in told if told[name] != told_there.get(name)]
        if differ:
            return [f"{viewer} sees {hidden_key} by {name} at {event.answered}" for name in differ]
    return []


def _last(terms: Terms, events: list[Event]) -> Match:
    *_, (match, _) = replayed(terms, events)
    return match


def _discloses(facts: list[Fact], answer: tuple[str, Seat]) -> bool:
    return any(answer == (disclosed[0], disclosed[1]) for f in facts for disclosed in f.discloses())


def _attempt(match: Match, seat: Seat, decision: Decision, viewer: Viewer) -> Telling:
    """What a viewer is told when a seat decides: the facts; or the refusal, if it was their own."""
    try:
        facts = fold(match, seat, decision)
    except Refused as refusal:
        return {"refused": refusal.as_plain() if viewer == seat else True, "raw": []}
    return {"facts": [view(fact, viewer) for fact in facts], "raw": facts}


def _knows(match: Match, viewer: Viewer, probes: list[Decision]) -> Telling:
    """All that a viewer can find out without changing anything."""
    seen = match.view(viewer)
    known: Telling = {"view": seen, "asked": match.asked()}
    if viewer is None:
        return known
    held = match.terms.snapshot(match)
    known["options"] = match.options(viewer)
    known["standing"] = [
        (question, question.key(match.state, viewer), list(question.options(match.state, viewer)))
        for question in match.standing(viewer)
    ]
    for probe in (*probes, *known["options"]):
        told = _attempt(match.terms.restore(held), viewer, probe, viewer)
        told.pop("raw")
        # What comes of an attempt may disclose what is hidden; whether it is refused may not.
        known[f"attempt of {probe}"] = told.get("refused", "allowed")
    if viewer in match.asked():
        for name, bot in BOTS.items():
            known[f"{name} bot"] = bot(match.terms, seen, known["options"], Stream(b"same"))
    return known
