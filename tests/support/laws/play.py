"""Random play of any ruleset: what the laws are tried on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from hypothesis import strategies as st

from ledger.games import rulesets
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.readings import Reading, Value
from ledger.kernel.records import CHANCE, Decision, Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.kernel.terms import Terms
from tests.support.laws.inclinations import TIMID, unlisted
from tests.support.parlour.game import PARLOUR

EVENTS_MAX = 500  # a match that is longer never ends
# Hegemonic ends when tiles or hexes run out; what is said, given and taken back until then has no
# bound. Of a thousand random matches (docs/measurements/hegemonic-random.md) none had half as many.
EVENTS_MAX_OF = {"hegemonic": 5_000}
CHOICES_MAX = 32  # of all options; where there are more, not all are tried together
# A long match is looked at in one of so many places; which ones, its seed says.
ONE_IN = {"hegemonic": 23}
SHORT_AGAINST_LONG = 5  # how much more often a short one is played

RULESETS: Mapping[str, Ruleset] = {**rulesets(), PARLOUR.name: PARLOUR}


class Party(NamedTuple):
    """So many who sit down to play on these terms."""

    terms: Terms
    seats: int

    @property
    def everybody(self) -> range:
        return range(self.seats)


class Variant(NamedTuple):
    """A ruleset in one edition with one choice of every option, for so many."""

    rules: str
    edition: str
    options: tuple[tuple[str, Value], ...]
    seats: int

    def terms(self) -> Terms:
        return Terms(RULESETS[self.rules], self.edition, dict(self.options))

    def party(self) -> Party:
        return Party(self.terms(), self.seats)


class Event(NamedTuple):
    """A decision (none at the beginning) and its result."""

    answered: str  # the key of the question
    seat: Seat
    decision: Decision | None
    facts: list[Fact]


Offered: TypeAlias = tuple[str, Seat, Decision]  # the question's key, who, and what


def values_of(reading: Reading) -> list[Value]:
    """The values of an option; of a range its ends and two between them."""
    if reading.range is None:
        return [reading.value, *reading.also]
    low, high = reading.range
    return sorted({low, low + 1, (low + high) // 2, high})


def variants() -> list[Variant]:
    """Every ruleset in every edition, without options and with choices of all of them.

    Where that would be many, a few in which each edition, each choice and each number of seats is.
    """
    found: list[Variant] = []
    for name, rules in RULESETS.items():
        editions, chosen = rules.editions, list(dict.fromkeys([(), *choices(rules)]))
        if name in ONE_IN:
            together = [
                (editions[n % len(editions)], chosen[n % len(chosen)])
                for n in range(max(len(editions), len(chosen)))
            ]
        else:
            together = list(itertools.product(editions, chosen))
        seats = itertools.cycle(reversed(rules.seats))
        found += [Variant(name, *both, next(seats)) for both in together]
    return found


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

# Each ruleset as often as the others, whatever the number of its variants; long ones seldom.
_NAMES = [
    name for name in sorted(RULESETS) for _ in range(1 if name in ONE_IN else SHORT_AGAINST_LONG)
]
ANY_VARIANT = st.sampled_from(_NAMES).flatmap(
    lambda name: st.sampled_from([variant for variant in VARIANTS if variant.rules == name])
)
ANY_SEED = st.integers(0, (1 << 64) - 1)


def chance_answer(match: Match, stream: Stream) -> Decision:
    """Returns an answer of chance: any listed outcome, or the one that a key gives."""
    question = match.chance()
    assert question is not None
    outcomes = match.options(CHANCE)
    if outcomes:
        chosen: Decision = stream.choose(outcomes)
        return chosen
    wish = question.wish(match.state)
    return wish.answer(stream.take(32), 0, question.address(match.state))


def any_decision(match: Match, seats: int, stream: Stream) -> Offered:
    """Any decision that is offered, now and then to a standing question."""
    if match.chance() is not None:
        return match.key(CHANCE), CHANCE, chance_answer(match, stream)
    if not stream.below(4):
        seat = stream.below(seats)
        unasked: list[Offered] = []
        for question in match.standing(seat):
            key = question.key(match.state, seat)
            options = question.options(match.state, seat)
            free = unlisted(match, question, seat, seats, stream)
            unasked += [(key, seat, option) for option in (*options, *free)]
        if unasked:
            return _of_any_kind(unasked, stream)
    seat = stream.choose(match.asked())
    key = match.key(seat)
    return _of_any_kind([(key, seat, option) for option in match.options(seat)], stream)


def _of_any_kind(offered: list[Offered], stream: Stream) -> Offered:
    """One of them: each kind as likely as any other, but for those that lead nowhere."""
    kinds: dict[type[Decision], list[Offered]] = {}
    for one in offered:
        kinds.setdefault(type(one[2]), []).append(one)
    bold = [kind for kind in kinds if kind not in TIMID]
    of_kind = kinds[stream.choose(bold if bold and stream.below(4) else list(kinds))]
    chosen: Offered = stream.choose(of_kind)
    return chosen


def beginning(party: Party) -> tuple[Match, Event]:
    """A match that has just begun."""
    match = party.terms.open_match(party.seats)
    return match, Event("", CHANCE, None, begin(match))


def played(party: Party, seed: int) -> Iterator[tuple[Match, Event]]:
    """A random match, event by event; the match is live."""
    stream = Stream.named(seed.to_bytes(8, "big"), "play")
    match, event = beginning(party)
    yield match, event
    most = EVENTS_MAX_OF.get(party.terms.rules.name, EVENTS_MAX)
    for _ in range(most):
        if match.ended:
            return
        key, seat, decision = any_decision(match, party.seats, stream)
        yield match, Event(key, seat, decision, fold(match, seat, decision))
    raise AssertionError(f"no end after {most} events")


def looked_at(party: Party, seed: int) -> Iterator[tuple[Match, Event]]:
    """The same; of a long match only the places that a law has time to look at."""
    one_in = ONE_IN.get(party.terms.rules.name, 1)
    for place, (match, event) in enumerate(played(party, seed)):
        if (place + seed) % one_in == 0 or match.ended:
            yield match, event


def whole(party: Party, seed: int) -> list[Event]:
    """A random match from its beginning to its end."""
    return [event for _, event in played(party, seed)]


def replayed(party: Party, events: list[Event]) -> Iterator[tuple[Match, list[Fact]]]:
    """The same decisions again, by as many, under these terms."""
    match, event = beginning(party)
    yield match, event.facts
    for _, seat, decision, _ in events[1:]:
        assert decision is not None
        yield match, fold(match, seat, decision)
