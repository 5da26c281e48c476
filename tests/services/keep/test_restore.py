"""Restoring: a server is what it was before, byte for byte; where it went on nothing is touched."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.log.format.chain import link
from ledger.log.stores.disk import DamagedSegment
from ledger.log.stores.protocol import Appended, Batch, Command, Duplicate
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import feed_key, log_keys, match_key, matches_key, shard_of
from ledger.log.stores.segments.reader import segment_files, shard_folder
from services.keep.guard import check_not_gone_back
from services.keep.restore import WentOn, restore
from tests.support.log.filling import MATCHES, everything, fill, grow, rewrite, witnessed
from tests.support.servers import AnyLedger, Server, programs, running

MATCH = MATCHES[0]
SHARD = shard_of(MATCH)
LOG = log_keys(MATCH)
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def connection(ledger: Server) -> Iterator[Connection]:
    found = Connection(ledger.url)
    yield found
    found.close()


@pytest.fixture
def data(connection: Connection, tmp_path: Path) -> Path:
    store = RedisStore(connection)
    fill(store, seed=41, batches=300)
    rng = random.Random(42)
    while not (batch := grow(store, MATCH, rng)).openings or len(batch.events) < 3:
        pass
    witnessed(connection, tmp_path / "segments")
    return tmp_path


def test_an_empty_server_is_what_it_was(connection: Connection, data: Path):
    before = everything(connection)
    records = sum(connection.ask("XLEN", feed_key(shard)) for shard in range(16))
    connection.call("FLUSHALL")
    done = restore(connection, data)
    assert everything(connection) == before
    assert (done.records, done.shipped) == (records, records)
    check_not_gone_back(connection, data)


def test_a_second_time_nothing_is_missing(connection: Connection, data: Path):
    before = everything(connection)
    assert restore(connection, data).shipped == 0
    assert everything(connection) == before


def test_what_the_server_has_more_stays(connection: Connection, data: Path):
    store = RedisStore(connection)
    grow(store, MATCH, random.Random(43))
    store.keep(MATCH, "later", b"a value")
    before = everything(connection)
    assert restore(connection, data).shipped == 0
    assert everything(connection) == before


def delete_a_log(connection: Connection) -> None:
    for key in connection.ask("KEYS", f"*match:{MATCH}:*"):
        connection.call("DEL", key)


def cut_the_end_off(connection: Connection) -> None:
    last = connection.ask("XREVRANGE", LOG.events, "+", "-", "COUNT", 2)
    for row in last:
        connection.call("XDEL", LOG.events, row[0])


def empty_a_stream(connection: Connection) -> None:
    connection.call("XTRIM", LOG.events, "MAXLEN", 0)


def lose_the_last_opening(connection: Connection) -> None:
    connection.call(
        "XDEL", LOG.openings, connection.ask("XREVRANGE", LOG.openings, "+", "-", "COUNT", 1)[0][0]
    )


def lose_a_head(connection: Connection) -> None:
    connection.call("DEL", LOG.head)


def lose_the_commands(connection: Connection) -> None:
    connection.call("DEL", LOG.commands)


def lose_what_is_kept(connection: Connection) -> None:
    connection.call("DEL", match_key(MATCH, "kept"))


def lose_the_list_of_matches(connection: Connection) -> None:
    connection.call("DEL", matches_key(SHARD))


def lose_a_feed(connection: Connection) -> None:
    connection.call("DEL", feed_key(SHARD))


def lose_the_end_of_a_feed(connection: Connection) -> None:
    for row in connection.ask("XREVRANGE", feed_key(SHARD), "+", "-", "COUNT", 3):
        connection.call("XDEL", feed_key(SHARD), row[0])


LOSSES = [
    delete_a_log,
    cut_the_end_off,
    empty_a_stream,
    lose_the_last_opening,
    lose_a_head,
    lose_the_commands,
    lose_what_is_kept,
    lose_the_list_of_matches,
    lose_a_feed,
    lose_the_end_of_a_feed,
]


@pytest.mark.parametrize("lose", LOSSES)
def test_a_part_that_is_lost_comes_back(
    connection: Connection, data: Path, lose: Callable[[Connection], None]
):
    before = everything(connection)
    lose(connection)
    assert everything(connection) != before
    assert restore(connection, data).shipped > 0
    assert everything(connection) == before


def test_after_restoring_old_commands_have_their_first_answer(
    connection: Connection, tmp_path: Path
):
    store = RedisStore(connection)
    first = link(MATCH, store.tip(MATCH), b"one")
    command = Command("a click", b"mark 4")
    batch = Batch(expect=store.tip(MATCH), events=(first,), command=command)
    assert store.append(MATCH, batch) == Appended(first.tip)
    second = Batch(expect=first.tip, events=(link(MATCH, first.tip, b"two"),), closes=True)
    store.append(MATCH, second)
    witnessed(connection, tmp_path)
    connection.call("FLUSHALL")
    restore(connection, tmp_path)
    assert store.append(MATCH, batch) == Duplicate(1, first.tip)
    assert store.answered(MATCH, command) == Duplicate(1, first.tip)
    third = link(MATCH, second.events[-1].tip, b"three")
    answer = store.append(MATCH, Batch(expect=second.events[-1].tip, events=(third,)))
    assert type(answer).__name__ == "Closed"


@pytest.mark.parametrize("program", sorted(programs()))
def test_a_server_that_was_put_back_is_what_it_was(program: str, tmp_path: Path):
    with running(programs()[program], tmp_path / "server", {"appendfsync": "no"}) as server:
        connection = Connection(server.url)
        fill(RedisStore(connection), seed=44, batches=80)
        server.kill()
        shutil.copytree(tmp_path / "server", tmp_path / "old")
        server.start()
        connection.forget()
        rng = random.Random(45)
        for n in range(120):
            grow(RedisStore(connection), f"new-{n % 7}", rng)
        witnessed(connection, tmp_path / "segments")
        before = everything(connection)
        server.kill()
        shutil.rmtree(tmp_path / "server" / "appendonlydir")
        shutil.copytree(tmp_path / "old" / "appendonlydir", tmp_path / "server" / "appendonlydir")
        server.start()
        connection.forget()
        assert everything(connection) != before
        assert restore(connection, tmp_path).shipped == 120
        assert everything(connection) == before
        connection.close()


# --- where nothing may be done --------------------------------------------------------------------


def refused(connection: Connection, data: Path, kind: type[Exception] = WentOn) -> str:
    """That it is refused, and nothing is changed."""
    before = everything(connection)
    with pytest.raises(kind) as reason:
        restore(connection, data)
    assert everything(connection) == before
    assert "\n" not in str(reason.value)
    return str(reason.value)


def change_last(connection: Connection, key: str, value: bytes) -> None:
    """Put something else into the last entry of a stream."""
    *rows, last = connection.ask("XRANGE", key, "-", "+")
    rewrite(connection, key, [*rows, (last[0], (last[1][0], value))])


def test_a_server_that_went_on_differently_is_left_alone(connection: Connection, data: Path):
    connection.call("FLUSHALL")
    store = RedisStore(connection)
    batch = grow(store, MATCH, random.Random(46))
    assert batch.expect.version == 0
    text = refused(connection, data)
    assert MATCH in text
    assert "nothing was changed" in text


def test_one_log_that_went_on_differently_is_named_with_its_event(
    connection: Connection, data: Path
):
    store = RedisStore(connection)
    tip = store.tip(MATCH)
    change_last(connection, LOG.events, b"\0another")
    text = refused(connection, data)
    assert MATCH in text
    assert f"event {tip.version} differs" in text
    assert "1 log differs" in text


def another_kept_value(connection: Connection) -> None:
    connection.call("HSET", match_key(MATCH, "kept"), "secrets", "others")


def another_opening(connection: Connection) -> None:
    change_last(connection, LOG.openings, b"others")


def another_head(connection: Connection) -> None:
    tip = RedisStore(connection).tip(MATCH)
    connection.call("SET", LOG.head, b"o%d:" % tip.version + bytes(32))


def another_command(connection: Connection) -> None:
    command = connection.ask("HKEYS", LOG.commands)[0]
    connection.call("HSET", LOG.commands, command, "77")


def another_feed(connection: Connection) -> None:
    change_last(connection, feed_key(SHARD), b"somebody 4")


@pytest.mark.parametrize(
    "change", [another_kept_value, another_opening, another_head, another_command, another_feed]
)
def test_what_is_another_is_named_and_left_alone(
    connection: Connection, data: Path, change: Callable[[Connection], None]
):
    change(connection)
    assert "differ" in refused(connection, data)


def test_damaged_segments_are_not_shipped(connection: Connection, data: Path):
    path = segment_files(shard_folder(data / "segments", SHARD))[0]
    packed = bytearray(path.read_bytes())
    packed[len(packed) // 2] ^= 1
    path.write_bytes(packed)
    connection.call("FLUSHALL")
    assert str(path) in refused(connection, data, DamagedSegment)


# --- stopped in the middle ------------------------------------------------------------------------

RESTORING = """
import sys
from pathlib import Path
from ledger.log.stores.redis.connection import Connection
from services.keep import restore
restore.AT_ONCE = 20
connection = Connection(sys.argv[1])
restore.restore(connection, Path(sys.argv[2]), lambda count: print(count, flush=True))
"""


def killed_at(count: int, words: list[str]) -> None:
    """Run it until it says that it has come so far, and kill it at that."""
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for said in child.stdout:
            if int(said) >= count:
                break
        child.kill()


def test_restoring_that_is_killed_goes_on_from_there(any_ledger: AnyLedger, tmp_path: Path):
    connection = Connection(any_ledger(next(iter(programs()))).url)
    fill(RedisStore(connection), seed=47, batches=1_200)
    witnessed(connection, tmp_path)
    before = everything(connection)
    records = sum(connection.ask("XLEN", feed_key(shard)) for shard in range(16))
    connection.call("FLUSHALL")
    words = [sys.executable, "-c", RESTORING, connection.url, str(tmp_path)]
    there = [0]
    for kill in range(6):
        # It first looks at everything, and then ships.
        killed_at(records + 150 * (kill % 2) + 20, words)
        there.append(sum(connection.ask("XLEN", feed_key(shard)) for shard in range(16)))
    assert there == sorted(there)
    assert len(set(there)) >= 5, "too few kills in the middle show nothing"
    assert there[-1] < records
    assert restore(connection, tmp_path).shipped == records - there[-1]
    assert everything(connection) == before
    connection.close()
