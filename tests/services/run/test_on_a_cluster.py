"""The service over a real cluster: played, watched, projected, copied, restored and checked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.cluster import ClusterConnection
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys, shard_of
from ledger.log.stores.segments.reader import SEGMENTS
from ledger.log.stores.segments.witness import Witness
from services.keep.backup import backup
from services.keep.guard import GoneBack, check_not_gone_back
from services.keep.restore import restore
from services.keep.store_check import check_store
from services.projector.loop import Projector
from services.run.programs import CannotServe
from services.run.settings import Settings
from services.run.stores import open_store, sound_connection
from tests.support.clusters import Cluster
from tests.support.live.served import Bots, Gunicorn, Tokens, Viewer, in_order
from tests.support.log.filling import everything, fill, grow, witnessed
from tests.support.log.matches import FULL_PLAN, PLAIN, SEALED, STAKED, played
from tests.support.servers import Server, programs
from tests.support.services.processes import wait_until
from tests.support.services.settled import check_match, check_projected, settle

PLANS = (PLAIN, FULL_PLAN, STAKED, SEALED)


@pytest.fixture
def connection(cluster: Cluster) -> Iterator[ClusterConnection]:
    found = ClusterConnection(cluster.url)
    yield found
    found.close()


def test_matches_are_projected_copied_restored_and_checked(
    connection: ClusterConnection, tmp_path: Path
):
    store = RedisStore(connection)
    projector = Projector(store, ruleset, Witness(tmp_path / SEGMENTS))
    journals = [played(plan, seed, store=store) for seed, plan in enumerate(PLANS * 2)]
    assert len({shard_of(journal.match_id) for journal in journals}) > 2
    settle(projector)
    for journal in journals:
        check_projected(store, journal)
    projector.stop()
    copy, new = backup(connection, tmp_path / "backup")
    assert new == copy.records > len(journals)
    done = check_store(store, ruleset, tmp_path)
    assert done.findings == []
    assert (done.matches, done.records) == (len(journals), copy.records)
    for journal in journals:
        assert list(store.events(journal.match_id)) == list(journal.history.events)


def test_a_cluster_that_lost_what_it_had_is_refused_until_it_is_restored(
    connection: ClusterConnection, cluster: Cluster, tmp_path: Path
):
    store = RedisStore(connection)
    fill(store, seed=71, batches=120)
    witnessed(connection, tmp_path / SEGMENTS)
    before = everything(connection)
    check_not_gone_back(connection, tmp_path)
    [lost, *_] = connection.servers()
    lost.call("FLUSHALL")  # one node of three
    settings = Settings(data=tmp_path, redis_url=cluster.url, unsafe=True)
    with pytest.raises(GoneBack, match="restore --from-segments"), open_store(settings):
        pass
    done = restore(connection, tmp_path)
    assert 0 < done.shipped < done.records
    assert everything(connection) == before
    with open_store(settings) as opened:
        assert opened.matches() == store.matches()
        grow(RedisStore(connection), "begun-later", random.Random(72))


@pytest.fixture
def replicated(tmp_path: Path) -> Iterator[tuple[Cluster, Server]]:
    """A cluster that waits for the disk, and a replica of its first node."""
    made = Cluster(next(iter(programs().values())), tmp_path / "nodes")
    try:
        made.start()
        yield made, made.add_replica(made.nodes[0])
    finally:
        made.close()


@pytest.mark.parametrize("away", [False, True], ids=["up to date", "away for a while"])
def test_a_replica_that_takes_over_is_held_against_the_segments(
    replicated: tuple[Cluster, Server], tmp_path: Path, away: bool
):
    """The missing acknowledged events are noticed before anything is served, and restored."""
    cluster, replica = replicated
    connection = ClusterConnection(cluster.url)
    store = RedisStore(connection)
    fill(store, seed=81, batches=60)
    if away:
        replica.kill()
    fill(store, seed=82, batches=60, matches=tuple(f"later-{n:02d}" for n in range(12)))
    witnessed(connection, tmp_path / SEGMENTS)
    before = everything(connection)
    primary, lost = Connection(cluster.nodes[0].url), 0
    if not away:
        assert primary.call("WAIT", 1, 10_000) == 1
    primary.close()
    cluster.nodes[0].kill()
    if away:
        replica.start()
    cluster.promote(replica)

    again = ClusterConnection(cluster.url)
    assert any(str(replica.port) in one.address for one in again.servers())
    settings = Settings(data=tmp_path, redis_url=cluster.url, unsafe=True)
    if away:
        with pytest.raises(GoneBack, match="restore --from-segments"), open_store(settings):
            pass
        done = restore(again, tmp_path)
        lost = done.shipped
    assert (lost > 0) == away
    assert everything(again) == before
    with open_store(settings) as opened:
        assert opened.matches() == store.matches()
    grow(RedisStore(again), "begun-later", random.Random(83))
    for one in (connection, again):
        one.close()


def test_a_changed_byte_on_any_node_is_found(connection: ClusterConnection):
    store = RedisStore(connection)
    journals = [played(PLAIN, seed, store=store) for seed in range(3)]
    for journal in journals:
        connection.call("SET", log_keys(journal.match_id).head, b"o3:" + bytes(32))
    found = {one.where for one in check_store(store, ruleset).findings}
    assert {journal.match_id for journal in journals} <= found


def test_a_cluster_is_named_as_any_server_is(cluster: Cluster, tmp_path: Path):
    with pytest.raises(CannotServe, match="appendfsync is no"):
        sound_connection(cluster.url)
    sound_connection(cluster.url, unsafe=True).close()
    for url, why in (
        ("redis+cluster://127.0.0.1:1", "no server is reached"),
        ("redis+cluster://127.0.0.1:1/2", "is not a valid address"),
        (cluster.nodes[0].url, "it is a node of a cluster"),
    ):
        with pytest.raises(CannotServe, match=why):
            sound_connection(url, patience=1.0)


def test_a_whole_match_is_played_and_watched_over_http(cluster: Cluster, tmp_path: Path):
    club = Tokens(RedisStore(ClusterConnection(cluster.url)))
    service = Gunicorn(tmp_path, cluster.url).start()
    try:
        matches = [club.table(service.port, name) for name in ("hegemonic", "tictactoe")]
        viewers = [Viewer(lambda: service.port, match).start() for match in matches]
        assert all(viewer.connected.wait(20) for viewer in viewers)
        projector = Projector(club.store, ruleset, Witness(tmp_path / SEGMENTS))
        for match, viewer in zip(matches, viewers, strict=True):
            bots = Bots(club, lambda: service.port)
            while bots.step(match):
                pass
            bots.close()
            last = bots.decided[-1].version
            assert wait_until(lambda v=viewer, n=last: in_order(v, n), 20)
            heads = {event.version: event.head.hex() for event in club.store.events(match)}
            assert viewer.heads == heads
            assert {one.version: one.head for one in bots.decided}.items() <= heads.items()
        settle(projector)
        for match in matches:
            check_match(club.store, match)
        projector.stop()
        check_not_gone_back(club.store.connection, tmp_path)
        assert check_store(club.store, ruleset, tmp_path).findings == []
        for viewer in viewers:
            viewer.stop()
    finally:
        service.kill()
        club.store.connection.close()
