"""The store on a server: what only its own keys can show."""

from __future__ import annotations

from ledger.log.format.chain import EMPTY, link
from ledger.log.stores.protocol import Batch, Changed, Command, Duplicate
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys
from ledger.log.stores.redis.store import RedisStore, fields_fitting
from tests.support.servers import Server

MATCH = "aaaabbbbccccdddd"


def test_a_known_command_is_answered_though_an_event_behind_it_is_damaged(ledger: Server):
    connection = Connection(ledger.url)
    store, events = RedisStore(connection), log_keys(MATCH).events
    command, event = Command("c1", b"f" * 32), link(MATCH, EMPTY, b"one")
    store.append(MATCH, Batch(expect=EMPTY, events=(event,), command=command))
    store.append(MATCH, Batch(expect=event.tip, events=(link(MATCH, event.tip, b"two"),)))
    [(first, words), _] = connection.call("XRANGE", events, "-", "+")
    connection.call("DEL", events)
    connection.call("XADD", events, first, *words)
    connection.call("XADD", events, "2-0", "e", b"\xf0damaged")
    assert store.answered(MATCH, command) == Duplicate(1, event.tip)
    assert store.answered(MATCH, Command("c1", b"g" * 32)) == Changed("c1")
    connection.close()


def test_a_snapshot_with_another_kind_of_name_is_passed_over():
    assert fields_fitting([b"12:abc", b"12", b"", b"x:y:z"], 20, None, "source") == []
