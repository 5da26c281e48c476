"""Random play of any ruleset: what the laws are tried on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from hypothesis import strategies as st

from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.readings import Reading, Value
from ledger.kernel.records import CHANCE, Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.kernel.terms import Terms
from ledger.rules import rulesets
from tests.laws.parlour import PARLOUR

EVENTS_MAX = 500  # a match that is longer never ends
CHOICES_MAX = 32  # of all options; where there are more, not all are tried together

RULESETS: Mapping[str, Ruleset] = {**rulesets(), PARLOUR.name: PARLOUR}


class Variant(NamedTuple):
    """A ruleset in one edition with one choice of every option."""

    rules: str
    edition: str
    options: tuple[tuple[str, Value], ...]

    def terms(self) -> Terms:
        return Terms(RULESETS[self.rules], self.edition, dict(self.options))


class Event(NamedTuple):
    """What was decided (nothing, at the beginning) and what came of it."""

    answered: str  # the key of the question
    seat: Seat
    decision: Decision | None
    facts: list[Fact]


def values_of(reading: Reading) -> list[Value]:
    """The values of an option; of a range its ends and two between them."""
    if reading.range is None:
        return [reading.value, *reading.also]
    low, high = reading.range
    return sorted({low, low + 1, (low + high) // 2, high})


def variants() -> list[Variant]:
    """Every ruleset in every edition, without options and with choices of all of them."""
    return [
        Variant(name, edition, choice)
        for name, rules in RULESETS.items()
        for edition in rules.editions
        for choice in dict.fromkeys([(), *choices(rules)])
    ]


Choice: TypeAlias = tuple[tuple[str, Value], ...]


def choices(rules: Ruleset) -> list[Choice]:
    """Every choice of all options; where there are many, such that every two values meet."""
    options = sorted(reading.id for reading in rules.readings.values() if reading.option)
    every = itertools.product(*(values_of(rules.readings[option]) for option in options))
    chosen = [tuple(zip(options, values, strict=True)) for values in every]
    fit = [choice for choice in chosen if can_be(rules, choice)]
    return fit if len(fit) <= CHOICES_MAX else meeting(fit)


def can_be(rules: Ruleset, choice: Choice) -> bool:
    """Whether a match can be made so: some variants exclude each other."""
    try:
        Terms(rules, options=dict(choice))
    except Refused:
        return False
    return True


def meeting(every: list[Choice]) -> list[Choice]:
    """A few of all choices, in which any two values are together that can be."""
    pairs = {choice: set(itertools.combinations(choice, 2)) for choice in every}
    wanted = set().union(*pairs.values())
    found: list[Choice] = []
    while wanted:
        best = max(every, key=lambda choice: len(pairs[choice] & wanted))
        wanted -= pairs[best]
        found.append(best)
    return found


VARIANTS = variants()

# Each ruleset as often as the others, whatever the number of its variants.
ANY_VARIANT = st.sampled_from(sorted(RULESETS)).flatmap(
    lambda name: st.sampled_from([variant for variant in VARIANTS if variant.rules == name])
)
ANY_SEED = st.integers(0, (1 << 64) - 1)


def chance_answer(match: Match, stream: Stream) -> Decision:
    """What falls: any outcome that is listed, or what a key says."""
    question = match.chance()
    assert question is not None
    outcomes = match.options(CHANCE)
    if outcomes:
        chosen: Decision = stream.choose(outcomes)
        return chosen
    wish = question.wish(match.state)
    return wish.answer(stream.take(32), 0, question.address(match.state))


def any_decision(match: Match, stream: Stream) -> tuple[str, Seat, Decision]:
    """Any decision that is offered, now and then to a standing question."""
    if match.chance() is not None:
        return match.key(CHANCE), CHANCE, chance_answer(match, stream)
    seats = range(match.terms.rules.seats.stop - 1)
    offered = [
        (question.key(match.state, seat), seat, option)
        for seat in seats
        for question in match.standing(seat)
        for option in question.options(match.state, seat)
    ]
    if offered and not stream.below(4):
        return stream.choose(offered)
    seat = stream.choose(match.asked())
    return match.key(seat), seat, stream.choose(match.options(seat))


def beginning(terms: Terms) -> tuple[Match, Event]:
    """A match that has just begun."""
    match = terms.open_match(terms.rules.seats.stop - 1)
    return match, Event("", CHANCE, None, begin(match))


def played(terms: Terms, seed: int) -> Iterator[tuple[Match, Event]]:
    """A random match, event by event; the match is live."""
    stream = Stream.named(seed.to_bytes(8, "big"), "play")
    match, event = beginning(terms)
    yield match, event
    for _ in range(EVENTS_MAX):
        if match.ended:
            return
        key, seat, decision = any_decision(match, stream)
        yield match, Event(key, seat, decision, fold(match, seat, decision))
    raise AssertionError(f"no end after {EVENTS_MAX} events")


def whole(terms: Terms, seed: int) -> list[Event]:
    """A random match from its beginning to its end."""
    return [event for _, event in played(terms, seed)]


def replayed(terms: Terms, events: list[Event]) -> Iterator[tuple[Match, list[Fact]]]:
    """The same decisions again, under these terms."""
    match, event = beginning(terms)
    yield match, event.facts
    for _, seat, decision, _ in events[1:]:
        assert decision is not None
        yield match, fold(match, seat, decision)
