"""A projector among the killed: what it must have left outside of the server, and on it."""

from __future__ import annotations

import time
from pathlib import Path

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import shard_of
from ledger.log.stores.segments.reader import SEGMENTS, SegmentReader
from services.keep.guard import check_not_gone_back
from services.keep.restore import restore
from services.run.children import Child, python
from services.run.settings import ROOT
from tests.support.services.settled import check_match, standings
from tests.support.starting import surroundings

from .holding import Held, held_by
from .killing import Killer

SETTLED_SECONDS = 60.0
LEDGER = (":events", ":head", ":commands", ":openings", ":kept", ":feed", ":matches")


def started_projector(url: str, data: Path) -> Child:
    """A projector over a server; its words are in `projector.said`."""
    environment = surroundings(HEGEMON_LEDGER_URL=url, HEGEMON_DATA=str(data))
    words = python("-m", "services.projector")
    with (data / "projector.said").open("ab") as errors:
        return Child("projector", words, folder=ROOT, environment=environment, output=errors)


def wait_for_projector(connection: Connection, data: Path, killer: Killer) -> None:
    """Until the segments have all that the server has."""
    store = RedisStore(connection)
    until = time.monotonic() + SETTLED_SECONDS
    names = store.matches()
    while True:
        heads = {name: _noted(data, name) for name in names}
        if heads == dict(zip(names, store.tips(names), strict=True)):
            return
        killer.none_has_ended()
        assert time.monotonic() < until, "the projector does not come to the end"
        time.sleep(0.05)


def wait_for_projections(connection: Connection, ids: list[str], killer: Killer) -> None:
    """Until the standings are those of the last events: copying and projecting go on by turns."""
    store = RedisStore(connection)
    until = time.monotonic() + SETTLED_SECONDS
    while True:
        found = {one.match: one.version for one in standings(store).values()}
        tips = {match: tip.version for match, tip in zip(ids, store.tips(ids), strict=True)}
        if all(found.get(match) == version for match, version in tips.items()):
            return
        killer.none_has_ended()
        assert time.monotonic() < until, "the projections do not come to the end"
        time.sleep(0.05)


def _noted(data: Path, name: str) -> object:
    return SegmentReader(data / SEGMENTS, shard_of(name)).heads().get(name)


def wrong_outside(url: str, data: Path) -> list[str]:
    """Whether the segments give back, key by key, what the server held before it lost it all."""
    connection = Connection(url)
    check_not_gone_back(connection, data)
    before = _ledger(held_by(connection))
    connection.call("FLUSHALL")
    RedisStore(connection)
    restore(connection, data)
    after = _ledger(held_by(connection))
    connection.close()
    differing = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    return [f"not restored as it was: {key!r}" for key in sorted(differing)]


def _ledger(held: Held) -> Held:
    return {key: value for key, value in held.items() if key.decode().endswith(LEDGER)}


def wrong_projections(url: str, ids: list[str]) -> list[str]:
    """Where standings and snapshots are not what a fold of the whole log gives."""
    connection = Connection(url)
    store = RedisStore(connection)
    found = []
    for match in ids:
        try:
            check_match(store, match)
        except AssertionError as why:
            found.append(f"{match} is projected wrongly: {why}")
    found += [f"{match} is parked: {store.parked(match)!r}" for match in store.parked_matches()]
    connection.close()
    return found
