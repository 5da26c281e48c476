"""The match cache: one entry and one lock for each match, and nothing shown that came later."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.games.tictactoe.play import Mark
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import Submitter
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from replays.story.sentences import tell
from services.matches import cache
from services.matches.cache import CannotRead, MatchCache
from tests.support.servers import Server
from tests.support.services.browsing import begun


@pytest.fixture
def store(ledger: Server) -> Iterator[RedisStore]:
    line = Connection(ledger.url)
    yield RedisStore(line)
    line.close()


def test_what_is_shown_up_to_an_event_stays_there_while_the_match_is_played(store: RedisStore):
    match, matches = begun(store).match_id, MatchCache(store)
    with matches.read(match) as opened:
        assert opened.shown().history is opened.history
        assert len(opened.shown().told(None)) == 4
    with matches.opened(match, warm=True) as opened:
        opened.journal.decide(0, Mark(4))
    with matches.read(match) as opened:
        assert opened.shown(4).history.tip.version == 4
        assert len(opened.shown(4).told(None)) == 4
        assert opened.shown(4) is opened.shown(4)
        assert len(opened.shown().told(None)) == 5
        assert opened.shown(99) is opened.shown()


def test_a_story_is_the_same_while_a_match_is_played_and_after_it(store: RedisStore):
    journal, matches = begun(store), MatchCache(store)
    for seat, cell in ((0, 4), (1, 0)):
        journal.decide(seat, Mark(cell))
    journal.rewind(5, Submitter(role="organizer", name="o"), "so it was")
    for seat, cell in ((1, 1), (0, 3), (1, 8), (0, 5)):
        with matches.read(journal.match_id) as opened:
            for viewer in (None, 0):
                assert opened.shown().told(viewer) == tuple(tell(opened.history, viewer))
        journal.decide(seat, Mark(cell))
    journal.close()
    with matches.read(journal.match_id) as opened:
        told = opened.shown().told(None)
        assert told == tuple(tell(opened.history))
        assert [one.version for one in told if one.undone] == [6]


def test_a_match_that_grew_elsewhere_is_read_on_and_one_that_did_not_is_not(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
):
    journal, matches = begun(store), MatchCache(store)
    with matches.opened(journal.match_id) as opened:
        history = opened.history
    journal.decide(0, Mark(4))
    with matches.opened(journal.match_id) as opened:
        assert opened.history is history
        assert opened.history.tip.version == 5
    monkeypatch.setattr(store, "events", None)
    with matches.opened(journal.match_id) as opened, matches.read(journal.match_id) as same:
        assert same is opened


def test_no_two_threads_have_a_match_of_their_own(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cache, "KEPT_MAX", 1)
    match, other, matches = begun(store).match_id, begun(store).match_id, MatchCache(store)
    with matches.opened(match) as opened:
        with matches.opened(other):
            pass  # the first is no longer kept, but in use
        with ThreadPoolExecutor(1) as threads:

            def look() -> bool:
                with matches.opened(match) as same:
                    return same is opened

            waits = threads.submit(look)
            with matches.glance(match, opened.history.tip, keep=True) as history:
                assert history is opened.history
            assert not waits.done()
            opened.lock.release()
            assert waits.result(30)
            opened.lock.acquire()


def test_a_glance_waits_for_nobody_and_keeps_what_it_is_told_to(store: RedisStore):
    journal, matches = begun(store), MatchCache(store)
    match, tip = journal.match_id, journal.history.tip
    with matches.glance(match, tip, keep=False) as history:
        assert history is None
    with matches.glance(match, tip, keep=True) as history:
        assert history is not None
    busy, done = threading.Event(), threading.Event()

    def use() -> None:
        with matches.opened(match):
            busy.set()
            done.wait(30)

    with ThreadPoolExecutor(1) as threads:
        threads.submit(use)
        assert busy.wait(30)
        with matches.glance(match, tip, keep=True) as nothing:
            assert nothing is None
        done.set()


def test_matches_in_files_are_read_and_not_played(tmp_path: Path):
    matches = MatchCache(FileStore(tmp_path))
    match = begun(tmp_path).match_id
    with matches.read(match) as opened:
        assert not opened.writable
        assert opened.table.laid is None
        assert opened.shown().history.tip.version == 4
    with pytest.raises(Unavailable), matches.opened(match):
        pass
    for nothing in ("nosuchmatch", "UPPER"):
        with pytest.raises(Refused, match="no_such_match"), matches.read(nothing):
            pass
    with pytest.raises(CannotRead), matches.read(match) as opened:
        opened.check_seat(2)


def test_a_copy_for_slow_work_holds_nobody_up(store: RedisStore):
    match, matches = begun(store).match_id, MatchCache(store)
    with matches.apart(match) as copied, matches.opened(match) as opened:
        opened.journal.decide(0, Mark(4))
        assert copied.history.tip.version == 4
        assert copied.table.laid is None
