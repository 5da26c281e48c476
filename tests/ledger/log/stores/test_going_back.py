"""A store that has gone back to an old copy, under the eyes of those who had read more."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

from ledger.log.format.chain import EMPTY, link
from ledger.log.stores.files import FileStore
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Appended, Batch, Conflict
from ledger.log.write.journal import Journal
from tests.ledger.log.write.test_writer import around, joined
from tests.support.log.dicey import Shake

MATCH = "aaaabbbbccccdddd"


def batch(store: FileStore, body: bytes) -> Batch:
    tip = store.tip(MATCH)
    return Batch(expect=tip, events=(link(MATCH, tip, body),))


def test_an_open_store_sees_that_an_old_copy_was_put_back(tmp_path: Path) -> None:
    path = tmp_path / "matches" / MATCH / "log"
    held = FileStore(tmp_path)
    held.append(MATCH, batch(held, b"one"))
    old = path.read_bytes()
    held.append(MATCH, batch(held, b"two"))
    expected = held.tip(MATCH)
    path.write_bytes(old)
    other = FileStore(tmp_path)
    assert isinstance(other.append(MATCH, batch(other, b"toe")), Appended)
    assert held.tip(MATCH) == other.tip(MATCH) != expected
    stale = Batch(expect=expected, events=(link(MATCH, expected, b"three"),))
    assert isinstance(held.append(MATCH, stale), Conflict)
    assert [event.body for event in FileStore(tmp_path).events(MATCH)] == [b"one", b"toe"]


def test_an_open_store_sees_an_empty_log_grow_anew(tmp_path: Path) -> None:
    path = tmp_path / "matches" / MATCH / "log"
    held = FileStore(tmp_path)
    held.append(MATCH, batch(held, b"one"))
    path.unlink()
    assert held.tip(MATCH) == EMPTY


def test_a_journal_reads_a_log_anew_that_has_gone_back() -> None:
    store = MemoryStore()
    journal = joined(around(store))
    journal.start()
    old = deepcopy(store._logs)
    journal.decide(0, Shake("once"))
    store._logs = old
    other = Journal(around(store), journal.match_id)
    other.decide(0, Shake("once"))
    other.decide(0, Shake("once"))
    journal.decide(0, Shake("end"))
    assert journal.history.tip == store.tip(journal.match_id)
    assert journal.match().state.asked == 3


def test_a_fork_begins_an_epoch_of_its_own() -> None:
    from ledger.log.write.fork import fork

    source = joined(around())
    source.start()
    source.decide(0, Shake("once"))
    went_on = fork(around(), source.history, source.history.tip.version)
    last_copied = went_on.history.tip.version
    assert went_on.history.lines.epoch(last_copied) == last_copied
    went_on.decide(0, Shake("once"))
    assert went_on.history.lines.epoch(went_on.history.tip.version) == last_copied
