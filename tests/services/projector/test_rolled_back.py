"""A server that is put back to an old copy of its files while a projector runs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import SHARDS, shard_of, tag
from ledger.log.stores.segments.reader import SegmentReader
from ledger.log.stores.segments.records import WrittenBatch
from ledger.log.stores.segments.witness import Witness
from ledger.log.write.journal import Journal
from services.feeds.reader import FeedGoneBack
from services.keep.guard import check_not_gone_back
from services.projector.loop import Projector
from tests.support.log.filling import whole_feed
from tests.support.log.matches import around, started
from tests.support.servers import Server, programs, running
from tests.support.services.settled import settle


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    program = next(iter(programs().values()))
    with running(program, tmp_path / "server") as server:
        yield server


@pytest.fixture
def store(server: Server) -> RedisStore:
    return RedisStore(Connection(server.url))


@pytest.fixture
def put_back(server: Server, tmp_path: Path) -> Callable[[], None]:
    """Copies the server's files at once, and puts them back when it is called."""

    def to_then() -> None:
        server.kill()
        shutil.rmtree(server.folder / "appendonlydir")
        shutil.copytree(tmp_path / "then", server.folder / "appendonlydir")
        server.start()

    started(store=RedisStore(Connection(server.url)))
    server.kill()
    shutil.copytree(server.folder / "appendonlydir", tmp_path / "then")
    server.start()
    return to_then


def the_journal(store: RedisStore) -> Journal:
    return Journal(around(5, store), store.matches()[0])


def play(journal: Journal, option: int, times: int = 1) -> None:
    for _ in range(times):
        seat = journal.match().asked()[0]
        journal.decide(seat, journal.match().options(seat)[option])


def rounds(number: int) -> Callable[[], bool]:
    left = iter(range(number))
    return lambda: next(left, None) is not None


@pytest.mark.parametrize("again", [0, 1, 3], ids=["shorter", "shorter by one", "longer"])
def test_a_server_that_goes_back_ends_the_projector(
    store: RedisStore,
    folder: Path,
    put_back: Callable[[], None],
    again: int,
    monkeypatch: pytest.MonkeyPatch,
):
    projector = Projector(store, ruleset, Witness(folder))
    journal = the_journal(store)
    play(journal, 0, times=2)
    settle(projector)
    put_back()
    monkeypatch.setattr("services.feeds.reader.CHECK_SECONDS", 0.0 if again < 2 else 60.0)
    play(the_journal(store), 3, times=again)
    with pytest.raises(FeedGoneBack, match="the server has lost data: the feed of shard"):
        projector.run(rounds(30))
    # What the server had is on the disk, and the next one does not begin.
    heads = SegmentReader(folder, shard_of(journal.match_id)).heads()
    assert heads[journal.match_id] == journal.history.tip
    with pytest.raises(DamagedLog, match="1 log gone back"):
        check_not_gone_back(store.connection, folder)


def test_a_server_that_goes_back_and_on_is_found_by_what_it_has_at_the_position(
    store: RedisStore, folder: Path, put_back: Callable[[], None]
):
    """The feed says the same again: the same match at the same event, and another event."""
    projector = Projector(store, ruleset, Witness(folder))
    play(the_journal(store), 0)
    settle(projector)
    put_back()
    play(the_journal(store), 3)
    with pytest.raises(FeedGoneBack):
        projector.run(rounds(30))


def test_the_feed_is_looked_at_where_the_segments_end_though_less_was_projected(
    store: RedisStore, folder: Path, put_back: Callable[[], None]
):
    projector = Projector(store, ruleset, Witness(folder))
    play(the_journal(store), 0)
    settle(projector)
    projector.stop()
    store.cache.call("DEL", *[f"{tag(number)}:checkpoint" for number in range(SHARDS)])
    put_back()
    with pytest.raises(FeedGoneBack):
        Projector(store, ruleset, Witness(folder)).run(rounds(3))


def test_segments_refuse_another_record_at_the_position_where_they_end(
    store: RedisStore, folder: Path
):
    journal = started(store=store)
    shard = shard_of(journal.match_id)
    records = whole_feed(store.connection)[shard]
    with Witness(folder) as witness:
        witness.open(shard)
        witness.take(records)
        witness.take(records)  # what is there already does no harm
        last = records[-1]
        assert isinstance(last, WrittenBatch)
        other = WrittenBatch(last.position, last.name, ((last.last + 1, *last.entries[-1][1:]),))
        with pytest.raises(DamagedLog, match=f"the feed says at position {last.position}"):
            witness.take([other])
