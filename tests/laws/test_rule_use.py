"""The rule-use index: what a line never asked for cannot have mattered to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings

from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms, facts_bytes
from tests.support.laws.play import (
    ANY_SEED,
    ANY_VARIANT,
    VARIANTS,
    Event,
    Party,
    Variant,
    beginning,
    played,
    values_of,
)
from tests.support.parlour.chapters import KINDS, Play, Room
from tests.support.parlour.game import PARLOUR

OTHERS_MAX = 40  # of one line; where there are more, its seed says which are tried


class Other(NamedTuple):
    """Another edition, options and overlay for a match."""

    edition: str
    options: Mapping[str, Any]
    overlay: Mapping[str, Any]


def otherwise(terms: Terms) -> Iterator[Other]:
    """The same match under every other edition, reading, row and cell."""
    rules, edition, options = terms.rules, terms.edition, terms.options
    yield from (Other(other, options, {}) for other in rules.editions)
    for reading in rules.readings.values():
        for value in values_of(reading):
            if reading.option:
                yield Other(edition, options | {reading.id: value}, {})
            else:
                yield Other(edition, options, _laid_readings({reading.id: value}))
    for table in rules.tables:
        rows = terms.tables[table.name]
        for row_id, row in rows.items():
            yield Other(edition, options, {table.name: {row_id: None}})
            for cell, value in msgspec.structs.asdict(row).items():
                if cell != "id":
                    other = _another(value, [getattr(one, cell) for one in rows.values()])
                    yield Other(edition, options, {table.name: {row_id: {cell: other}}})


def some_otherwise(terms: Terms, seed: int) -> Iterator[Terms]:
    """As many of them as are tried, without those that the ruleset refuses to be played under."""
    others = list(otherwise(terms))
    stream = Stream.named(seed.to_bytes(8, "big"), "others")
    while len(others) > OTHERS_MAX:
        others.pop(stream.below(len(others)))
    for other in others:
        try:
            yield Terms(terms.rules, other.edition, other.options, other.overlay)
        except Refused:
            continue


def _laid_readings(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"readings": {"values": values}}


def _another(value: Any, column: list[Any]) -> Any:
    """Returns a value of another row, or one like it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    others = [other for other in column if other not in (None, value)]
    if others:
        return others[0]
    if value is None:
        return 1  # what may be nothing, and is nowhere anything, is a number
    return f"{value}'" if isinstance(value, str) else tuple(reversed(value))


def missed(party: Party, seed: int) -> list[str]:
    """Where other terms gave other facts although the index says they were not asked yet."""
    events: list[Event] = []
    used: dict[Any, int] = {}
    for match, event in played(party, seed):
        events.append(event)
        used = match.used
    found = []
    for other in some_otherwise(party.terms, seed):
        differences = party.terms.differences(other)
        asked = min((used[use] for use in differences if use in used), default=len(events) + 1)
        trouble = _first_difference(Party(other, party.seats), events[: asked - 1])
        if trouble:
            found.append(f"{trouble}, though nothing of {sorted(differences)} had been asked")
    return found


def _first_difference(other: Party, events: list[Event]) -> str:
    if not events:
        return ""
    match, began = beginning(other)
    if facts_bytes(began.facts) != facts_bytes(events[0].facts):
        return "it begins otherwise"
    for event in events[1:]:
        assert event.decision is not None
        try:
            facts = fold(match, event.seat, event.decision)
        except (Refused, LookupError) as failure:
            return f"{event.decision} ends in {type(failure).__name__}"
        if facts_bytes(facts) != facts_bytes(event.facts):
            return f"{event.decision} gives {facts}"
    return ""


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_what_was_not_asked_did_not_matter(variant: Variant):
    assert missed(variant.party(), 7) == []


@settings(max_examples=25)
@given(ANY_VARIANT, ANY_SEED)
def test_what_was_not_asked_does_not_matter_in_any_play(variant: Variant, seed: int):
    assert missed(variant.party(), seed) == []


class ForgetfulRoom(Room):
    """A state that asks past the door: what a rule reads through it is not recorded."""

    def reads(self, name: str) -> Any:
        return (
            self.__dict__["lookup"]._silent.reads(name) if self._folding() else super().reads(name)
        )

    def _folding(self) -> bool:
        return hasattr(self.__dict__["lookup"], "_silent")


def test_a_read_that_is_not_recorded_is_caught():
    def setup(seats: int) -> ForgetfulRoom:
        table = PARLOUR.setup(seats)
        return ForgetfulRoom(**{n: getattr(table, n) for n in Room.__struct_fields__})

    forgetful = replace(PARLOUR, setup=setup, state=ForgetfulRoom)
    assert "reading" not in _used(Party(Terms(forgetful), 3), 1)
    assert missed(Party(Terms(forgetful), 3), 1)


def _used(party: Party, seed: int) -> list[Any]:
    *_, (match, _) = played(party, seed)
    return [kind for kind, *_ in match.used]


def test_a_line_asks_for_what_it_came_to_and_no_more():
    """Two rounds ask for the points of the cards that were played."""
    *_, (match, _) = played(Party(Terms(PARLOUR), 3), 1)
    cells = {use[2] for use in match.used if use[:2] == ("cell", KINDS.name)}
    decisions = [event.decision for _, event in played(Party(Terms(PARLOUR), 3), 1)]
    assert cells == {decision.card for decision in decisions if isinstance(decision, Play)}
