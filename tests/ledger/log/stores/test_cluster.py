"""A line to a real cluster: where commands go, and what becomes of them when nodes change."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.crc import key_slot

from ledger.log.format.chain import Tip, link
from ledger.log.stores.protocol import Appended, Batch, Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.cluster import ClusterConnection
from ledger.log.stores.redis.connection import Connection, NotSent, Refusing
from ledger.log.stores.redis.keys import SHARDS, feed_key, log_keys, shard_of, tag
from ledger.log.stores.redis.soundness import Unsound, check_sound, findings
from ledger.log.stores.redis.store import ensure_library
from tests.support.clusters import Cluster, free_ports
from tests.support.servers import Server, programs, running

MATCHES = tuple(f"match-{number:02d}" for number in range(40))


@pytest.fixture
def connection(cluster: Cluster) -> Iterator[ClusterConnection]:
    found = ClusterConnection(cluster.url)
    yield found
    found.close()


@pytest.fixture(scope="module", params=tuple(programs()))
def changing(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    """A cluster whose nodes may be killed; it waits for the disk."""
    made = Cluster(programs()[request.param], tmp_path_factory.mktemp("changing"))
    try:
        yield made.start()
    finally:
        made.close()


def slot_of(match: str) -> int:
    return int(key_slot(tag(shard_of(match)).encode()))


def node_of(cluster: Cluster, match: str) -> Server:
    return cluster.node_of(slot_of(match))


def batch_after(match: str, tip: Tip, body: bytes) -> Batch:
    return Batch(expect=tip, events=(link(match, tip, body),))


def append(store: RedisStore, match: str, body: bytes = b"body") -> Tip:
    answer = store.append(match, batch_after(match, store.tip(match), body))
    assert isinstance(answer, Appended)
    return answer.tip


def waiting_read(places: list[str], milliseconds: int) -> list[Any]:
    feeds = [feed_key(shard) for shard in range(SHARDS)]
    return ["XREAD", "COUNT", 9, "BLOCK", milliseconds, "STREAMS", *feeds, *places]


# --- where commands go ----------------------------------------------------------------------------


def test_logs_lie_on_all_nodes_and_are_read_together(
    cluster: Cluster, connection: ClusterConnection
):
    store = RedisStore(connection)
    tips = [append(store, match, match.encode()) for match in MATCHES]
    assert store.tips(MATCHES) == tips
    assert store.matches() == sorted(MATCHES)
    for node in cluster.nodes:
        own = Connection(node.url)
        here = [match for match in MATCHES if node_of(cluster, match) is node]
        assert here
        for match in here:
            assert own.call("XLEN", log_keys(match).events) == 1
        own.close()


def test_replies_come_in_the_order_of_the_commands(connection: ClusterConnection):
    keys = [f"{tag(shard)}:number" for shard in range(SHARDS)]
    said: list[Any] = connection.calls([("SET", key, n) for n, key in enumerate(keys)])
    assert said == [b"OK"] * SHARDS
    block = [("MULTI",), ("GET", keys[3]), ("GET", keys[3]), ("EXEC",)]
    replies = connection.asks([("GET", keys[0]), *block, *[("GET", key) for key in reversed(keys)]])
    assert replies[4] == [b"3", b"3"]
    assert [replies[0], *replies[5:]] == [b"0", *(b"%d" % n for n in reversed(range(SHARDS)))]


def test_a_refusal_comes_after_all_others_were_carried_out(connection: ClusterConnection):
    keys = [f"{tag(shard)}:number" for shard in range(SHARDS)]
    connection.call("SADD", keys[5], "x")
    with pytest.raises(Refusing, match="WRONGTYPE"):
        connection.calls([("INCR", key) for key in keys])
    rest = [key for key in keys if key != keys[5]]
    assert connection.asks([("GET", key) for key in rest]) == [b"1"] * len(rest)


def test_what_is_of_one_server_is_not_asked_of_a_cluster(connection: ClusterConnection):
    for words in (("INFO", "server"), ("CONFIG", "GET", "save"), ("KEYS", "*"), ("DBSIZE",)):
        with pytest.raises(ValueError, match="one server"):
            connection.call(*words)


def test_news_of_any_feed_ends_the_waiting(connection: ClusterConnection):
    store = RedisStore(connection)
    began = time.monotonic()
    assert connection.ask(*waiting_read(["0-0"] * SHARDS, 150), wait=0.15) is None
    assert 0.14 < time.monotonic() - began < 2
    for match in MATCHES[:3]:
        timer = threading.Timer(0.1, append, (store, match))
        places = [f"0-{connection.ask('XLEN', feed_key(shard))}" for shard in range(SHARDS)]
        timer.start()
        began = time.monotonic()
        [[feed, rows]] = connection.ask(*waiting_read(places, 5_000), wait=5)
        timer.join()
        assert time.monotonic() - began < 2
        assert feed.decode() == log_keys(match).feed
        assert rows[0][1][1] == b"%b 1" % match.encode()


# --- what is looked at ----------------------------------------------------------------------------


def test_every_node_gets_the_library_and_every_node_is_looked_at(
    cluster: Cluster, connection: ClusterConnection
):
    ensure_library(connection)
    for node in cluster.nodes:
        own = Connection(node.url)
        assert own.call("FUNCTION", "LIST", "LIBRARYNAME", "hegemon_1") != []
        own.close()
    found = findings(connection)
    assert len(found) == len(cluster.nodes)  # of each that it does not wait for the disk
    for node in cluster.nodes:
        assert any(f"127.0.0.1:{node.port} appendfsync is no" in one for one in found)
    with pytest.raises(Unsound, match="appendfsync"):
        check_sound(connection)


def test_one_node_alone_is_refused(cluster: Cluster):
    own = Connection(cluster.nodes[1].url)
    with pytest.raises(Unsound, match=r"a node of a cluster: use redis\+cluster://"):
        check_sound(own, unsafe=True)
    own.close()


def test_a_server_that_is_no_cluster_is_refused(ledger: Server, tmp_path: Path):
    with running(ledger.program, tmp_path, port=True) as alone:
        found = ClusterConnection(f"redis+cluster://127.0.0.1:{alone.port}")
        with pytest.raises(Refusing, match="cluster support disabled"):
            found.ask("PING")
        found.close()


def test_a_cluster_that_lacks_slots_is_waited_for(ledger: Server, tmp_path: Path):
    settings = {"cluster-enabled": "yes", "cluster-port": str(free_ports(1)[0])}
    with running(ledger.program, tmp_path, settings, port=True) as alone:
        own, found = (
            Connection(alone.url),
            ClusterConnection(f"redis+cluster://127.0.0.1:{alone.port}"),
        )
        for slots in (), ((0, 100),):
            for pair in slots:
                own.call("CLUSTER", "ADDSLOTSRANGE", *pair)
            for words in (("PING",), ("GET", "{s00}:key"), ("GET", f"{tag(13)}:key")):
                with pytest.raises(Refusing, match="CLUSTERDOWN") as caught:
                    found.call(*words)
                assert caught.value.passing
        own.close()
        found.close()


SHOWN = {
    "redis+cluster://one:7000,two": "redis+cluster://one:7000,two",
    "rediss+cluster://user:secret@one:7000,[::1]:7": "rediss+cluster://one:7000,[::1]:7",
    "redis+cluster://:secret@one:7000/": "redis+cluster://one:7000",
    "redis+cluster://one:7000?password=secret": "redis+cluster://one:7000",
    "redis+cluster://:sec@ret@one:7000": "redis+cluster://...",
    "redis+cluster://:sec/ret@one": "redis+cluster://...",
    "redis+cluster://one:7000/3": "redis+cluster://...",
    "redis+cluster://": "redis+cluster://...",
}


@pytest.mark.parametrize(("url", "shown"), SHOWN.items())
def test_the_address_of_a_cluster_is_shown_without_its_password(url: str, shown: str):
    assert ClusterConnection(url).address == shown
    if shown.endswith("..."):
        with pytest.raises(ValueError, match="not an address of a cluster"):
            ClusterConnection(url).call("GET", "key")


# --- nodes that end, and slots that move ----------------------------------------------------------


def test_whoever_reaches_no_node_has_sent_nothing():
    nobody = ClusterConnection("redis+cluster://127.0.0.1:1,127.0.0.1:2", seconds=0.5)
    with pytest.raises(NotSent, match=r"127\.0\.0\.1"):
        nobody.call("SET", "key", "value")
    with pytest.raises(NotSent):
        nobody.calls([("SET", "key", "value")])


def test_a_node_that_does_not_answer_has_appended_once(changing: Cluster):
    """The reply is lost; the same is sent again by the store, and known again."""
    connection = ClusterConnection(changing.url, seconds=0.2)
    store, match = RedisStore(connection), "frozen"
    node, tip = node_of(changing, match), append(store, match)
    began = time.monotonic()
    node.freeze()
    threading.Timer(0.5, node.thaw).start()
    answer = store.append(match, batch_after(match, tip, b"once"))
    assert isinstance(answer, Appended)
    assert time.monotonic() - began > 0.4
    assert [event.body for event in store.events(match)] == [b"body", b"once"]
    connection.close()


def test_what_was_acknowledged_is_there_when_a_node_was_killed_and_started_again(
    changing: Cluster,
):
    acknowledged: dict[str, list[Tip]] = {match: [] for match in MATCHES[:12]}
    stop = threading.Event()
    failures: list[Exception] = []

    def write(mine: list[str]) -> None:
        connection = ClusterConnection(changing.url)
        store = RedisStore(connection, patience=30.0)
        try:
            while not stop.is_set():
                for match in mine:
                    acknowledged[match].append(append(store, match))
        except (Unavailable, AssertionError) as why:
            failures.append(why)
        connection.close()

    names = list(acknowledged)
    writers = [threading.Thread(target=write, args=(names[n::4],)) for n in range(4)]
    for writer in writers:
        writer.start()
    time.sleep(0.5)
    before = {match: len(tips) for match, tips in acknowledged.items()}
    victim = node_of(changing, MATCHES[0])
    victim.kill()
    time.sleep(0.3)
    victim.start()
    changing.wait()
    time.sleep(0.5)
    stop.set()
    for writer in writers:
        writer.join(40)
    assert failures == []
    connection = ClusterConnection(changing.url)
    store = RedisStore(connection)
    for match, tips in acknowledged.items():
        assert len(tips) > before[match] > 0, "nothing was written after the node came back"
        assert [event.tip for event in store.events(match)] == tips
    connection.close()


def test_a_slot_that_moves_takes_its_logs_along(changing: Cluster):
    """During the move, reads find each log at either node, and each append counts once."""
    connection = ClusterConnection(changing.url)
    store, match = RedisStore(connection), "moving"
    other = next(n for n in range(1_000) if shard_of(f"other-{n}") == shard_of(match))
    tips = {name: append(store, name) for name in (match, f"other-{other}")}
    source, slot = node_of(changing, match), slot_of(match)
    target = next(node for node in changing.nodes if node is not source)
    old, new = Connection(source.url), Connection(target.url)
    ids = [one.call("CLUSTER", "MYID") for one in (old, new)]
    new.call("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
    old.call("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
    keys = old.call("CLUSTER", "GETKEYSINSLOT", slot, 1_000)
    head = log_keys(match).head.encode()
    migrate = ("MIGRATE", "127.0.0.1", target.port, "", 0, 5_000, "KEYS")
    old.call(*migrate, head)
    assert connection.call("GET", head)[:3] == b"o1:"
    assert store.tip(match) == tips[match]  # ASK: it is at the new node
    assert store.tips(list(tips)) == list(tips.values())
    together = [("MULTI",), ("GET", head), ("XLEN", log_keys(match).feed), ("EXEC",)]
    with pytest.raises(Refusing, match="TRYAGAIN"):
        connection.asks(together)
    stale = ClusterConnection(changing.url)
    stale.servers()  # who has what, before that changes
    answers: list[Any] = []
    batch = batch_after(match, tips[match], b"meanwhile")
    thread = threading.Thread(target=lambda: answers.append(store.append(match, batch)))
    thread.start()
    time.sleep(0.1)
    assert answers == []  # TRYAGAIN: half of its keys are there
    old.call(*migrate, *[key for key in keys if key != head])
    for one in (new, old):
        one.call("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
        one.close()
    thread.join(20)
    assert answers == [Appended(batch.events[-1].tip)]
    assert [event.body for event in store.events(match)] == [b"body", b"meanwhile"]
    *_, [end, length] = stale.asks(together)
    assert (end[:2], length) == (b"o2", store.connection.ask("XLEN", log_keys(match).feed))
    stale.close()
    fresh = ClusterConnection(
        changing.url
    )  # the one goes by MOVED, the other by the slots as they are
    for found in (connection, fresh):
        assert RedisStore(found).tip(match) == batch.events[-1].tip
        found.close()
