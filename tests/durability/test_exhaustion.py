"""Memory full, disk full, a server that stands still, bodies too large: refused, nothing torn."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger.log.format.canonical import BODY_BYTES_MAX, NotCanonical, encode
from ledger.log.format.chain import EMPTY, Event, Opening, Tip, link
from ledger.log.stores.protocol import BATCH_MAX, Appended, Batch, Command, Duplicate, Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from tests.support.durability.holding import contradictions, held_by
from tests.support.servers import Server, programs, running

MATCH = "aaaabbbbccccdddd"


@pytest.fixture(params=programs())
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    with running(programs()[request.param], tmp_path / "server") as started:
        yield started


def batch(tip: Tip, name: str, *bodies: bytes, match: str = MATCH) -> Batch:
    events: list[Event] = []
    expect = tip
    for body in bodies:
        events.append(link(match, tip, body))
        tip = events[-1].tip
    opening = Opening(tip.version, "outcome", b"s", b"p" * 50)
    return Batch(
        expect=expect, events=tuple(events), openings=(opening,), command=Command(name, b"x")
    )


def bodies(seed: int) -> list[bytes]:
    rng = random.Random(seed)
    return [rng.randbytes(rng.choice((100, 2_000))) for _ in range(rng.choice((1, 2, 5)))]


def whole(server: Server) -> list[str]:
    return contradictions(held_by(Connection(server.url)))


def refusal_or_answer(store: RedisStore, asked: Batch) -> Appended | Unavailable:
    try:
        answer = store.append(MATCH, asked)
    except Unavailable as refusal:
        return refusal
    assert answer == Appended(asked.events[-1].tip)
    return answer


# --- memory ---------------------------------------------------------------------------------------


def used(connection: Connection) -> int:
    text = connection.call("INFO", "memory").decode()
    return int(text.partition("used_memory:")[2].split()[0])


def limit(connection: Connection, size: int) -> None:
    connection.call("CONFIG", "SET", "maxmemory", size)


def test_a_full_memory_is_a_refusal_and_nothing_is_torn(server: Server):
    connection = Connection(server.url)
    store = RedisStore(connection)
    limit(connection, used(connection) + 600_000)
    tip, number = EMPTY, 0
    while True:
        number += 1
        asked = batch(tip, f"c{number}", *bodies(number))
        answer = refusal_or_answer(store, asked)
        if isinstance(answer, Unavailable):
            break
        tip = answer.tip
    assert not answer.unknown
    assert "OOM" in str(answer)
    assert number > 20
    limit(
        connection, used(connection) // 2
    )  # the refused request itself took some, and has given it back
    with pytest.raises(Unavailable, match="OOM"):
        store.keep(MATCH, "overlay", b"x")
    with pytest.raises(Unavailable, match="OOM"):
        store.park(MATCH, b"cannot be folded")
    # What is there can be read, and is whole.
    assert store.tip(MATCH) == tip
    assert len(list(store.events(MATCH))) == tip.version
    assert whole(server) == []
    # More memory, and the same batch goes in; no repair.
    limit(connection, 0)
    assert store.append(MATCH, asked) == Appended(asked.events[-1].tip)
    store.keep(MATCH, "overlay", b"x")
    server.restart()
    assert RedisStore(Connection(server.url)).tip(MATCH) == asked.events[-1].tip
    assert whole(server) == []


def test_a_memory_that_fills_within_a_batch_takes_all_of_it_or_nothing(server: Server):
    connection = Connection(server.url)
    store = RedisStore(connection)
    tip, taken, refused = EMPTY, 0, 0
    for room in range(0, 2_000_000, 60_000):
        limit(connection, used(connection) + room)
        large = batch(tip, f"c{room}-{tip.version}", *[bytes(10_000)] * BATCH_MAX)
        before = held_by(connection)
        answer = refusal_or_answer(store, large)
        limit(connection, 0)
        if isinstance(answer, Unavailable):
            assert not answer.unknown
            assert held_by(connection) == before
            refused += 1
        else:
            tip = large.events[-1].tip
            taken += 1
    assert taken > 3
    assert refused > 3
    assert store.tip(MATCH) == tip
    assert whole(server) == []


# --- disk -----------------------------------------------------------------------------------------


def fill(server: Server, patience: float = 0.6) -> tuple[dict[str, Tip], Batch, Unavailable]:
    """Append until it is refused: what was acknowledged, what was not, and how that was said."""
    store, tip, number = RedisStore(Connection(server.url), patience=patience), EMPTY, 0
    acknowledged: dict[str, Tip] = {}
    while True:
        number += 1
        asked = batch(tip, f"c{number}", *bodies(number))
        answer = refusal_or_answer(store, asked)
        if isinstance(answer, Unavailable):
            return acknowledged, asked, answer
        acknowledged[f"c{number}"] = tip = answer.tip


def goes_on_over(server: Server, acknowledged: dict[str, Tip], asked: Batch) -> None:
    """All that was acknowledged is there, nothing is torn, and what was refused goes in."""
    assert whole(server) == []
    store = RedisStore(Connection(server.url))
    heads = {event.version: event.head for event in store.events(MATCH)}
    for tip in acknowledged.values():
        assert heads[tip.version] == tip.head
    end = asked.events[-1].tip
    # It may be there already: written, and the server ended before it could say so.
    assert store.tip(MATCH) in (asked.expect, end)
    first = asked.events[0].version
    assert store.append(MATCH, asked) in (Appended(end), Duplicate(first, end))
    assert store.tip(MATCH) == end
    assert whole(server) == []


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
def test_a_file_that_may_not_grow_ends_the_server_and_loses_nothing(server: Server):
    """The kernel refuses to let the server's files grow: as a quota does. No rights needed."""
    size = 300_000
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, size))
    acknowledged, asked, refusal = fill(server)
    assert len(acknowledged) > 20
    assert refusal.unknown
    assert server.process is not None
    assert server.process.wait(5) != 0
    server.kill()
    server.start()
    goes_on_over(server, acknowledged, asked)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of its own; skips where we may not mount one."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "hegemon-test", str(folder)]
    if os.geteuid() or subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("no file system of its own could be mounted (that takes root)")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize("name", programs())
def test_a_full_disk_ends_the_server_and_loses_nothing(name: str, tmp_path: Path):
    with (
        small_disk(tmp_path / "disk", 2) as disk,
        running(programs()[name], disk / "server") as server,
    ):
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(1_500_000))
        acknowledged, asked, refusal = fill(server)
        assert len(acknowledged) > 20
        assert refusal.unknown
        assert server.process is not None
        assert server.process.wait(5) != 0
        server.kill()
        ballast.unlink()
        server.start()
        goes_on_over(server, acknowledged, asked)


# --- a server that stands still -------------------------------------------------------------------


def test_a_server_that_stands_still_is_unknown_and_then_one_event(server: Server):
    store, hasty = (
        RedisStore(Connection(server.url)),
        RedisStore(Connection(server.url), patience=0.4),
    )
    hasty.connection.seconds = 0.15
    first = batch(EMPTY, "c1", b"one")
    assert store.append(MATCH, first) == Appended(first.events[-1].tip)
    tip = first.events[-1].tip
    asked = batch(tip, "c2", b"two", b"die")
    server.freeze()
    began = time.monotonic()
    try:
        with pytest.raises(Unavailable) as refusal:
            hasty.append(MATCH, asked)
        assert refusal.value.unknown
        with pytest.raises(Unavailable):
            hasty.tip(MATCH)
        # Each: the patience, and one more reply that was being waited for; the rest is a margin.
        assert time.monotonic() - began < 2 * (0.4 + 0.15) + 1.0
    finally:
        server.thaw()
    end = asked.events[-1].tip
    # What was sent lies in the server's sockets and is carried out, before us or after us.
    assert store.append(MATCH, asked) in (Appended(end), Duplicate(2, end))
    assert store.append(MATCH, asked) == Duplicate(2, end)
    assert [event.body for event in store.events(MATCH)] == [b"one", b"two", b"die"]
    assert whole(server) == []


def test_who_waits_long_enough_does_not_notice(server: Server):
    store = RedisStore(Connection(server.url), patience=20)
    store.connection.seconds = 0.1
    asked = batch(EMPTY, "c1", b"one", b"die")
    server.freeze()
    pid = server.pid
    waker = subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -CONT {pid}"])
    assert store.append(MATCH, asked) == Appended(asked.events[-1].tip)
    assert waker.wait(5) == 0
    store.connection.seconds = 5
    assert len(list(store.events(MATCH))) == 2


# --- bodies ---------------------------------------------------------------------------------------


def test_a_body_larger_than_allowed_is_no_body():
    assert len(encode(bytes(BODY_BYTES_MAX - 3))) == BODY_BYTES_MAX
    with pytest.raises(NotCanonical, match="at most 65536 are allowed"):
        encode(bytes(BODY_BYTES_MAX - 2))


def test_the_largest_batch_of_the_largest_bodies_is_taken(server: Server):
    store = RedisStore(Connection(server.url))
    large = [random.Random(n).randbytes(BODY_BYTES_MAX) for n in range(BATCH_MAX)]
    asked = batch(EMPTY, "c1", *large)
    assert store.append(MATCH, asked) == Appended(asked.events[-1].tip)
    server.restart()
    assert [event.body for event in store.events(MATCH)] == large
    assert store.append(MATCH, asked) == Duplicate(1, asked.events[-1].tip)
    assert whole(server) == []


@pytest.mark.parametrize("port", [False, True], ids=["unix", "tcp"])
@pytest.mark.parametrize("name", programs())
def test_what_the_server_takes_no_more_of_is_refused_and_the_next_goes_in(
    name: str, port: bool, tmp_path: Path
):
    """A server may be set to take less than we may send; it hangs up on whoever sends more."""
    settings = {"proto-max-bulk-len": "1048576"}
    with running(programs()[name], tmp_path, settings, port=port) as server:
        store = RedisStore(Connection(server.url), patience=0.3)
        tip = EMPTY
        for number, size in enumerate((1 << 20, 1_100_000, 5_000_000, 20_000_000)):
            with pytest.raises(Unavailable):
                store.append(MATCH, batch(tip, f"large{number}", b"1", bytes(size)))
            assert store.tip(MATCH) == tip
            asked = batch(tip, f"c{number}", b"small", bytes(BODY_BYTES_MAX))
            assert store.append(MATCH, asked) == Appended(asked.events[-1].tip)
            tip = asked.events[-1].tip
        assert whole(server) == []


def test_what_did_not_leave_us_whole_is_known_not_to_be_there(server: Server):
    connection = Connection(server.url)
    connection.call("CONFIG", "SET", "proto-max-bulk-len", "1048576")
    store = RedisStore(connection, patience=0.3)
    with pytest.raises(Unavailable) as refusal:
        store.append(MATCH, batch(EMPTY, "c1", bytes(5_000_000)))
    assert not refusal.value.unknown
