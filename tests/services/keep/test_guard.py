"""The guard: a server that lost what it had is refused; one that has more than that is not."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.log.format.chain import EMPTY, Event, link
from ledger.log.stores.disk import DamagedSegment
from ledger.log.stores.protocol import Appended, Batch, Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import feed_key, log_keys, shard_of
from ledger.log.stores.segments.reader import NAME, segments_in
from services.keep.guard import GoneBack, check_not_gone_back
from tests.support.log.filling import MATCHES, fill, grow, rewrite, witnessed
from tests.support.servers import Server, programs, running

MATCH = MATCHES[0]


@pytest.fixture
def connection(ledger: Server) -> Iterator[Connection]:
    found = Connection(ledger.url)
    yield found
    found.close()


@pytest.fixture
def data(connection: Connection, tmp_path: Path) -> Path:
    """A data folder whose segments hold what the server holds."""
    fill(RedisStore(connection), seed=31, batches=150)
    for _ in range(3):
        grow(RedisStore(connection), MATCH, random.Random(32))
    witnessed(connection, tmp_path / "segments")
    return tmp_path


def refusal(connection: Connection, data: Path) -> str:
    with pytest.raises(GoneBack) as refused:
        check_not_gone_back(connection, data)
    text = str(refused.value)
    assert "\n" not in text
    assert "hegemon restore --from-segments" in text
    return text


def cut_to(connection: Connection, name: str, version: int) -> None:
    """Shorten a log as if its last events had never been."""
    logged = log_keys(name)
    [event] = [one for one in RedisStore(connection).events(name) if one.version == version]
    rewrite(connection, logged.events, connection.ask("XRANGE", logged.events, "-", f"{version}-0"))
    connection.call("SET", logged.head, b"o%d:%b" % (version, event.head))


def test_a_server_that_holds_what_was_witnessed_is_served(connection: Connection, data: Path):
    check_not_gone_back(connection, data)


def test_a_server_that_has_more_is_served(connection: Connection, data: Path):
    fill(
        RedisStore(connection), seed=33, batches=100, matches=tuple(f"later-{n}" for n in range(9))
    )
    rng = random.Random(34)
    for _ in range(40):
        grow(RedisStore(connection), f"{MATCH}/talk", rng)
    check_not_gone_back(connection, data)


def test_a_server_is_served_where_nothing_was_witnessed(connection: Connection, tmp_path: Path):
    check_not_gone_back(connection, tmp_path)
    check_not_gone_back(connection, tmp_path / "none")


def test_an_empty_server_is_refused(connection: Connection, data: Path):
    connection.call("FLUSHALL")
    text = refusal(connection, data)
    assert "0 of" in text
    assert "more)" in text


def test_a_log_that_was_shortened_is_refused_and_named(connection: Connection, data: Path):
    tip = RedisStore(connection).tip(MATCH)
    cut_to(connection, MATCH, tip.version - 2)
    text = refusal(connection, data)
    assert f"1 log gone back ({MATCH} has {tip.version - 2} of {tip.version} events)" in text


def test_entries_that_are_gone_under_a_head_that_stayed_are_noticed(
    connection: Connection, data: Path
):
    tip = RedisStore(connection).tip(MATCH)
    connection.call("XDEL", log_keys(MATCH).events, f"{tip.version}-0")
    assert f"{MATCH} has {tip.version - 1} of {tip.version} events" in refusal(connection, data)


def test_a_log_that_went_on_differently_is_refused_and_named(connection: Connection, data: Path):
    store = RedisStore(connection)
    tip = store.tip(MATCH)
    cut_to(connection, MATCH, tip.version - 1)
    before = store.tip(MATCH)
    for more in (1, 5):
        while store.tip(MATCH).version < tip.version - 1 + more:
            other = link(MATCH, store.tip(MATCH), b"another")
            batch = Batch(expect=store.tip(MATCH), events=(other,))
            assert isinstance(store.append(MATCH, batch), Appended)
        assert f"{MATCH} has another event {tip.version}" in refusal(connection, data)
    assert before.version == tip.version - 1


def test_a_feed_that_lost_its_end_is_refused(connection: Connection, data: Path):
    feed = feed_key(shard_of(MATCH))
    connection.call("XDEL", feed, connection.ask("XREVRANGE", feed, "+", "-", "COUNT", 1)[0][0])
    assert f"the feed of shard {shard_of(MATCH)}" in refusal(connection, data)


def test_segments_that_are_damaged_are_no_witness(connection: Connection, data: Path):
    path = segments_in(data) / f"s{shard_of(MATCH):02d}" / NAME
    packed = bytearray(path.read_bytes())
    packed[20] ^= 1
    path.write_bytes(packed)
    with pytest.raises(DamagedSegment):
        check_not_gone_back(connection, data)


def test_segments_whose_files_are_gone_are_no_witness(connection: Connection, data: Path):
    for path in (segments_in(data) / f"s{shard_of(MATCH):02d}").glob("*.seg"):
        path.unlink()
    for lose in (False, True):
        if lose:
            connection.call("FLUSHALL")
        with pytest.raises(DamagedSegment) as found:
            check_not_gone_back(connection, data)
        assert "ends at 0: heads.log knows" in str(found.value)


def test_a_server_that_does_not_answer_is_said_so(data: Path, tmp_path: Path):
    with pytest.raises(Unavailable):
        check_not_gone_back(Connection(f"unix://{tmp_path}/nobody"), data)


@pytest.mark.parametrize("program", sorted(programs()))
def test_an_old_copy_of_the_servers_files_is_refused(program: str, tmp_path: Path):
    with running(programs()[program], tmp_path / "server", {"appendfsync": "no"}) as server:
        connection = Connection(server.url)
        fill(RedisStore(connection), seed=35, batches=60)
        server.kill()
        shutil.copytree(tmp_path / "server", tmp_path / "old")
        server.start()
        connection.forget()
        fill(
            RedisStore(connection), seed=36, batches=60, matches=tuple(f"new-{n}" for n in range(5))
        )
        tip = RedisStore(connection).tip("new-1")
        witnessed(connection, tmp_path / "segments")
        check_not_gone_back(connection, tmp_path)
        server.kill()
        shutil.rmtree(tmp_path / "server" / "appendonlydir")
        shutil.copytree(tmp_path / "old" / "appendonlydir", tmp_path / "server" / "appendonlydir")
        server.start()
        connection.forget()
        assert f"new-1 has 0 of {tip.version} events" in refusal(connection, tmp_path)
        connection.close()


def chain_of(name: str, length: int) -> tuple[Event, ...]:
    events: list[Event] = []
    for version in range(length):
        tip = events[-1].tip if events else EMPTY
        events.append(link(name, tip, b"%d" % version * 20))
    return tuple(events)


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.full)])
def test_looking_at_many_logs_is_quick(connection: Connection, tmp_path: Path, count: int):
    store = RedisStore(connection)
    for n in range(count):
        name = f"match-{n:05d}"
        store.append(name, Batch(expect=EMPTY, events=chain_of(name, 31)))
    witnessed(connection, tmp_path, size=1 << 26)
    began = time.perf_counter()
    check_not_gone_back(connection, tmp_path)
    seconds = time.perf_counter() - began
    print(f"{count} logs of 31 events: {seconds:.2f} s")
    assert seconds < count / 1_000
    os.truncate(tmp_path / "s00" / NAME, 0)
    check_not_gone_back(connection, tmp_path)
