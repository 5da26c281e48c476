"""Matches to re-project, and changes to re-project them under; both follow from seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from ledger.kernel.chance import Stream
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.log.format.bodies import Submitter
from ledger.log.format.published import Published
from ledger.log.read.history import History
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from replays.reproject.change import Change, RulesUnder, basis_of
from tests.support.laws.play import RULESETS, any_decision, values_of
from tests.support.log.matches import around

ORGANIZER = Submitter(role="organizer", name="the house")
EVENTS_MAX = 4_000


def rules_of(name: str) -> Ruleset:
    return RULESETS[name]


@dataclass(frozen=True)
class Played:
    """How a match is played: anything that is offered, with a rewind or a change of edition."""

    plan: Plan
    seed: int
    rewind_at: int | None = None  # after so many decisions, back by a few events
    switch_at: int | None = None  # after so many decisions,
    switch_to: str = ""  # this edition is in force
    bringing: tuple[Published, ...] = ()  # and these errata behind it
    most: int | None = None  # stop after so many decisions; None: play to the end and close
    rules: Ruleset | None = None

    def journal(self) -> Journal:
        found = self.rules
        journal = Journal.create(
            around(self.seed, rules_of=rules_of if found is None else lambda _: found), self.plan
        )
        for seat in range(self.plan.seats):
            journal.join(seat, f"seat {seat}")
        journal.start()
        stream = Stream.named(self.seed.to_bytes(8, "big"), "played")
        for number in range(EVENTS_MAX):
            match = journal.match()
            if match.ended:
                journal.close()
                return journal
            if number == self.most:
                return journal
            if number == self.rewind_at:
                first, last = journal.history.life.started, journal.history.tip.version
                journal.rewind(max(first, last - 1 - stream.below(8)), ORGANIZER, "a slip")
                continue
            if number == self.switch_at:
                bringing = self.bringing
                journal.change_edition(self.switch_to, ORGANIZER, "why", bringing=bringing)
                continue
            _, seat, decision = any_decision(match, self.plan.seats, stream)
            journal.decide(seat, decision)
        raise AssertionError("no end")

    def history(self) -> History:
        return self.journal().history


def every_change(rules: Ruleset) -> Iterator[Change]:
    """Every edition, reading and cell otherwise; every row taken away, and one added."""
    yield from (Change(edition=edition) for edition in rules.editions)
    for reading in rules.readings.values():
        for value in values_of(reading):
            for over in (False, True):
                yield Change(readings={reading.id: value}, over_options=over)
    for table, rows in rules.content.items():
        for row_id, row in rows.items():
            yield Change(content={table: {row_id: None}})
            cells = msgspec.to_builtins(row)
            del cells["id"]
            yield Change(content={table: {f"{row_id}-too": cells}})
            for cell, value in cells.items():
                other = _another(value, [msgspec.to_builtins(one)[cell] for one in rows.values()])
                yield Change(content={table: {row_id: {cell: other}}})


def some_changes(rules: Ruleset, seed: int, most: int) -> list[Change]:
    """All editions, and of the others as many as are asked for."""
    every = list(every_change(rules))
    editions = [one for one in every if one.edition is not None]
    others = [one for one in every if one.edition is None]
    stream = Stream.named(seed.to_bytes(8, "big"), "changes")
    while len(others) > most:
        others.pop(stream.below(len(others)))
    return [*editions, *others]


def fitting(history: History, changes: Sequence[Change]) -> list[Change]:
    """Those that a match can be played under at all: some cells do not fit others."""
    found = []
    for change in changes:
        with suppress(Refused):
            RulesUnder(basis_of(history), change).stretches()
            found.append(change)
    return found


def _another(value: Any, column: list[Any]) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    others = [other for other in column if other not in (None, value)]
    if others:
        return others[0]
    if value is None:
        return 1
    return f"{value}'" if isinstance(value, str) else list(reversed(value))


def of(name: str, seats: int, seed: int, **more: Any) -> Played:
    """A match of a game as printed, unless more is said."""
    plan = Plan(ruleset=name, seats=seats)
    planned = ("options", "overlay", "edition", "errata")
    told = {key: more.pop(key) for key in planned if key in more}
    return Played(replace(plan, **told), seed, **more)
