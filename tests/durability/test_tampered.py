"""Keys that were changed behind the ledger's back: an append says so, and writes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.log.format.chain import EMPTY, Event, Opening, Tip, link
from ledger.log.stores.protocol import Appended, Batch, Command, DamagedLog, Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import command_key, feed_key, log_keys, shard_of
from tests.support.durability.holding import held_by
from tests.support.servers import Server

MATCH = "aaaabbbbccccdddd"
KEYS = log_keys(MATCH)
FEED = feed_key(shard_of(MATCH))


def batch(tip: Tip, *bodies: bytes, name: str = "") -> Batch:
    events: list[Event] = []
    expect = tip
    for body in bodies:
        events.append(link(MATCH, tip, body))
        tip = events[-1].tip
    openings = tuple(Opening(event.version, "outcome", b"s", b"p") for event in events)
    command = Command(name, b"x") if name else None
    return Batch(expect=expect, events=tuple(events), openings=openings, command=command)


def grown(server: Server) -> tuple[RedisStore, Connection, Tip]:
    """A log of five events."""
    store, tip = RedisStore(Connection(server.url)), EMPTY
    for bodies in ((b"1", b"2"), (b"3",), (b"4", b"5")):
        answer = store.append(MATCH, batch(tip, *bodies, name=f"c{tip.version}"))
        assert isinstance(answer, Appended)
        tip = answer.tip
    return store, Connection(server.url), tip


TAMPERINGS: dict[str, Callable[[Connection], object]] = {
    "the last event deleted": lambda connection: connection.call("XDEL", KEYS.events, "5-0"),
    "the last events deleted": lambda connection: connection.call(
        "XDEL", KEYS.events, "5-0", "4-0"
    ),
    "the stream deleted": lambda connection: connection.call("DEL", KEYS.events),
    "the stream emptied": lambda connection: connection.call("XTRIM", KEYS.events, "MAXLEN", "0"),
    "an event behind the head's back": lambda connection: connection.call(
        "XADD", KEYS.events, "6-0", "e", b"\0body"
    ),
    "an event far behind it": lambda connection: connection.call(
        "XADD", KEYS.events, "9-3", "e", b"\0body"
    ),
    "the head deleted": lambda connection: connection.call("DEL", KEYS.head),
    "an event added and deleted": lambda connection: (
        connection.call("XADD", KEYS.events, "6-0", "e", b"\0x"),
        connection.call("XDEL", KEYS.events, "6-0"),
    ),
    "an opening too many": lambda connection: connection.call(
        "XADD", KEYS.openings, "6-0", "o", b"x"
    ),
    "the openings are no stream": lambda connection: (
        connection.call("DEL", KEYS.openings),
        connection.call("SET", KEYS.openings, "x"),
    ),
    "an opening of an odd id": lambda connection: connection.call(
        "XADD", KEYS.openings, "5-1", "o", b"x"
    ),
    "the feed went far ahead": lambda connection: connection.call("XADD", FEED, "1-0", "e", b"x 1"),
    "the feed is no stream": lambda connection: (
        connection.call("DEL", FEED),
        connection.call("SET", FEED, "x"),
    ),
    "the commands are no hash": lambda connection: (
        connection.call("DEL", KEYS.commands),
        connection.call("SET", KEYS.commands, "x"),
    ),
}
# It is found where the server first looks, which names no log.
FOUND_EARLY = {"the commands are no hash"}
CLAIMED = {"the head deleted": EMPTY}  # who reads the head believes that there is nothing


@pytest.mark.parametrize("bodies", [(b"6",), (b"6", b"7", b"8")], ids=["one", "three"])
@pytest.mark.parametrize("what", TAMPERINGS)
def test_what_was_changed_underneath_is_named_and_nothing_is_written(
    ledger: Server, what: str, bodies: tuple[bytes, ...]
):
    store, connection, tip = grown(ledger)
    TAMPERINGS[what](connection)
    before = held_by(connection)
    for name in ("c9", "c10"):
        early = what in FOUND_EARLY
        with pytest.raises(Unavailable if early else DamagedLog, match="WRONG" if early else MATCH):
            store.append(MATCH, batch(CLAIMED.get(what, tip), *bodies, name=name))
        assert held_by(connection) == before


@pytest.mark.parametrize("first", ["2", "4", "77"], ids=["no first event", "another's", "none"])
def test_a_command_index_that_points_elsewhere_is_named(ledger: Server, first: str):
    store, connection, tip = grown(ledger)
    connection.call("HSET", KEYS.commands, command_key(Command("c0", b"x")), first)
    before = held_by(connection)
    with pytest.raises(DamagedLog):
        store.append(MATCH, batch(tip, b"6", name="c0"))
    with pytest.raises(DamagedLog):
        store.answered(MATCH, Command("c0", b"x"))
    assert held_by(connection) == before


def test_nothing_is_kept_beside_a_log_that_its_feed_does_not_tell(ledger: Server):
    store, connection, _ = grown(ledger)
    connection.call("XADD", FEED, "1-0", "e", b"x 1")
    before = held_by(connection)
    for _ in range(2):
        with pytest.raises(Unavailable) as refusal:
            store.keep(MATCH, "overlay", b"value")
        assert not refusal.value.unknown
    assert store.kept(MATCH, "overlay") is None
    assert held_by(connection) == before
