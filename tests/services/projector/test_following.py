"""Matches that come from elsewhere, go on while they are read, or were seen to while nobody ran."""

from __future__ import annotations

import io
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.log.format.chain import Opening
from ledger.log.read.bundle import read_history
from ledger.log.read.seek import LogStretch
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys
from ledger.log.stores.segments.witness import Witness
from ledger.log.write.journal import Journal
from services.matches.trial import put
from services.projector.loop import Projector
from tests.support.log.matches import ORGANIZER, SEALED, bundled, play_out, started
from tests.support.servers import Server
from tests.support.services.settled import check_projected, settle, standings


def play(journal: Journal) -> None:
    seat = journal.match().asked()[0]
    journal.decide(seat, journal.match().options(seat)[0])


def look_again(projector: Projector) -> None:
    """At what was parked and unparked."""
    projector._looked = float("-inf")
    settle(projector)


# --- matches without their secrets ----------------------------------------------------------------


@pytest.mark.parametrize("viewer", [1, None], ids=["a seat's", "a spectator's"])
def test_an_imported_match_whose_decisions_are_not_disclosed_is_not_parked(
    store: RedisStore, folder: Path, viewer: int | None
):
    elsewhere, here = started(SEALED), started(seed=3, store=store)
    play(elsewhere)
    put(store, read_history(io.BytesIO(bundled(elsewhere.history, viewer)), ruleset))
    said: list[str] = []
    for _ in range(2):  # the next projector knows as much
        projector = Projector(store, ruleset, Witness(folder), tell=said.append)
        settle(projector)
        play(elsewhere)
        put(store, read_history(io.BytesIO(bundled(elsewhere.history, viewer)), ruleset))
        settle(projector)
        projector.stop()
        standing = standings(store)[elsewhere.match_id]
        assert (standing.version, standing.state) == (4, "running")
        assert standing.undisclosed
        assert not standing.parked
    assert store.parked_matches() == []
    assert said == []
    check_projected(store, here)


def test_a_match_of_ours_that_has_lost_what_was_decided_is_parked(
    store: RedisStore, projector: Projector
):
    journal = started(SEALED, store=store)
    settle(projector)
    play(journal)
    store.connection.call("XDEL", log_keys(journal.match_id).openings, "5-0")
    settle(projector)
    assert b"event 5: Undisclosed" in (store.parked(journal.match_id) or b"")
    assert standings(store)[journal.match_id].parked


# --- matches that go on ---------------------------------------------------------------------------


def test_what_is_played_while_a_match_is_caught_up_does_not_park_it(
    ledger: Server, store: RedisStore, projector: Projector, monkeypatch: pytest.MonkeyPatch
):
    journal = started(SEALED, store=RedisStore(Connection(ledger.url)))
    settle(projector)
    store.park(journal.match_id, b"event 5: by hand")
    look_again(projector)
    store.unpark(journal.match_id)
    play(journal)
    openings, played = store.openings, []

    def meanwhile(match: str, first: int = 1, last: int | None = None) -> Iterator[Opening]:
        found = list(openings(match, first, last))
        if first == 5 and not played:
            played.append(match)
            play(journal)
        return iter(found)

    monkeypatch.setattr(store, "openings", meanwhile)
    look_again(projector)
    assert played == [journal.match_id]
    assert store.parked_matches() == []
    check_projected(store, journal)


def test_what_was_unparked_while_nobody_ran_stands_as_it_is(
    store: RedisStore, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    journal = started(store=store)
    play(journal)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr("ledger.games.tictactoe.play.Marked.apply", broken)
        projector = Projector(store, ruleset, Witness(folder))
        settle(projector)
        projector.stop()
    assert standings(store)[journal.match_id].parked
    store.unpark(journal.match_id)
    projector = Projector(store, ruleset, Witness(folder))
    settle(projector)
    projector.stop()
    check_projected(store, journal)


def test_only_the_fold_of_an_event_is_held_to_the_time_of_one(
    store: RedisStore, projector: Projector, monkeypatch: pytest.MonkeyPatch
):
    """A rewind folds a long match from far back: that is no rule that runs away."""
    journal = started(store=store)
    play(journal)
    play(journal)
    settle(projector)
    journal.rewind(5, ORGANIZER, "a slip")
    match_at = LogStretch.match_at

    def slowly(self: LogStretch, version: int) -> Any:
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        return match_at(self, version)

    monkeypatch.setattr("services.projector.shards.WORK_SECONDS", 0.1)
    monkeypatch.setattr(LogStretch, "match_at", slowly)
    settle(projector)
    assert store.parked_matches() == []
    check_projected(store, journal)


def test_no_more_matches_are_followed_than_one_process_may_hold(
    store: RedisStore, projector: Projector, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("services.projector.shards.FOLLOWED_MAX", 3)
    journals = [started(seed=seed, store=store) for seed in range(12)]
    settle(projector)
    assert len(projector._followed) == 3
    for seed, journal in enumerate(journals):
        play_out(journal, random.Random(seed))
    settle(projector)
    assert len(projector._followed) == 3
    for journal in journals:
        check_projected(store, journal)
