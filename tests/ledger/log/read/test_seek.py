"""Any point of a match from the store: one snapshot and a stretch, the same match as ever."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from ledger.games import ruleset
from ledger.kernel.refusals import Refused
from ledger.log.format.chain import Event
from ledger.log.read.history import History
from ledger.log.read.seek import LogStretch, seek, snapshot_of
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Store
from ledger.log.write.journal import Journal
from tests.support.log.matches import (
    CLASH_ROLLED,
    FULL_PLAN,
    ORGANIZER,
    PLAIN,
    STAKED,
    eventful,
    play_out,
    played,
    started,
)

PLANS = {"plain": PLAIN, "full": FULL_PLAN, "staked": STAKED}


def bytes_of(match: Any) -> Any:
    if match is None:
        return None
    return match.version, match.terms.edition, match.terms.snapshot(match), dict(match.used)


def snapshots_at(journal: Journal, *versions: int) -> None:
    """Take snapshots as a projector does."""
    for version in versions:
        match = journal.history.at(version)
        if match is not None:
            head = journal.history.events[version - 1].head
            journal.around.store.save(journal.match_id, snapshot_of(match, version, head))


def check_every_point(journal: Journal, store: Store) -> None:
    history = History.of(store, journal.match_id, ruleset)
    for version in range(1, history.tip.version + 1):
        found = seek(store, journal.match_id, version, ruleset)
        assert bytes_of(found) == bytes_of(history.at(version)), version


@pytest.mark.parametrize("plan", PLANS)
def test_every_point_is_reached_with_and_without_snapshots(plan: str, store: Store):
    journal = played(PLANS[plan], seed=3, store=store)
    check_every_point(journal, store)
    snapshots_at(journal, 5, 7)
    check_every_point(journal, store)


@pytest.mark.parametrize("seed", range(12))
def test_every_point_of_every_line_is_reached_whatever_snapshots_there_are(seed: int):
    rng = random.Random(seed)
    journal = played(FULL_PLAN, seed, rewinds=4)
    tip = journal.history.tip.version
    snapshots_at(journal, *rng.sample(range(4, tip + 1), 3))
    check_every_point(journal, journal.around.store)


def test_editions_and_pauses_are_followed():
    journal = eventful(replace(PLAIN, overlay=CLASH_ROLLED), seed=2)
    check_every_point(journal, journal.around.store)
    snapshots_at(journal, 5, 6, 7, 8)
    check_every_point(journal, journal.around.store)


def test_what_was_not_there_is_refused():
    journal = started()
    store = journal.around.store
    for version in (5, 99):
        with pytest.raises(Refused, match="no_such_event"):
            seek(store, journal.match_id, version, ruleset)
    with pytest.raises(Refused, match="no_such_match"):
        seek(store, "aaaabbbbccccdddd", 1, ruleset)


class Counting(MemoryStore):
    """Counts the events that are read."""

    read = 0

    def events(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        for event in super().events(match, first, last):
            self.read += 1
            yield event


def test_a_point_costs_a_snapshot_and_the_events_after_it():
    store = Counting()
    journal = started(STAKED, store=store)
    play_out(journal, random.Random(1), rewinds=12)
    tip = journal.history.tip.version
    assert tip > 25
    snapshots_at(journal, tip - 3)
    store.read = 0
    assert bytes_of(seek(store, journal.match_id, tip, ruleset)) == bytes_of(journal.history.at())
    assert store.read <= 1 + 4


def test_a_snapshot_of_a_log_that_went_on_differently_is_not_believed():
    first, second = started(STAKED), started(STAKED)  # the same match, to the byte
    play_out(first, random.Random(1))
    play_out(second, random.Random(2))
    assert first.match_id == second.match_id
    snapshots_at(first, *range(4, first.history.tip.version))
    store = second.around.store
    for version in range(4, first.history.tip.version):
        found = first.around.store.snapshot(
            first.match_id, version, None, ruleset("tictactoe").source
        )
        if found is not None:
            store.save(second.match_id, found)
    check_every_point(second, store)


def test_a_snapshot_under_another_source_is_not_believed():
    journal = played(PLAIN)
    version = journal.history.tip.version - 1
    match = journal.history.at(version)
    assert match is not None
    held = snapshot_of(match, version, journal.history.events[version - 1].head)
    other = msgspec.structs.replace(held, source="another", held=b"?")
    journal.around.store.save(journal.match_id, other)
    check_every_point(journal, journal.around.store)


def test_a_stretch_lets_go_of_what_is_behind_it():
    journal = started()
    journal.pause(ORGANIZER, "tea")
    stretch = LogStretch(journal.around.store, journal.match_id, ruleset)
    stretch.read(1, 5)
    stretch.forget(5)
    assert sorted(stretch.heads) == [1, 5]
    assert bytes_of(stretch.match_at(5)) == bytes_of(journal.history.at(5))
