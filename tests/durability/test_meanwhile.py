"""Other writers append between two steps of a reader that asks for both at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Closed as ClosedAct
from ledger.log.format.chain import EMPTY, Event, Tip, link
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Appended, Batch, DamagedLog
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.write.journal import Journal
from ledger.log.write.writer import Stale
from tests.support.durability.proxy import Fault, Faults, Proxy, command_of
from tests.support.log.matches import ORGANIZER, play_out, started
from tests.support.servers import Server

MATCH = "aaaabbbbccccdddd"


class Meanwhile(Faults):
    """Does something before a command passes, so often."""

    def __init__(self, command: bytes, work: Callable[[], object], times: int) -> None:
        super().__init__(0, {})
        self._before, self._work, self.left = command, work, times

    def draw(self, request: bytes) -> tuple[Fault, float]:
        if self.left and command_of(request) == self._before:
            self.left -= 1
            self._work()
        return Fault.NONE, 0.0


def grow(store: RedisStore, count: int = 1) -> Tip:
    expect = tip = store.tip(MATCH)
    events: list[Event] = []
    for _ in range(count):
        events.append(link(MATCH, tip, b"body %d" % tip.version))
        tip = events[-1].tip
    assert isinstance(store.append(MATCH, Batch(expect=expect, events=tuple(events))), Appended)
    return tip


@pytest.mark.parametrize("before", [0, 1, 20])
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("command", [b"GET", b"XRANGE"])
def test_a_reader_is_not_told_of_damage_because_others_append(
    ledger: Server, command: bytes, before: int, times: int
):
    store = RedisStore(Connection(ledger.url))
    if before:
        grow(store, before)
    rng = random.Random(times)
    faults = Meanwhile(command, lambda: grow(store, rng.randint(1, 3)), times)
    with Proxy(ledger.url, faults) as proxy:
        reader = RedisStore(Connection(proxy.url))
        read = list(reader.events(MATCH))
        assert faults.left < times
        assert [event.version for event in read] == list(range(1, len(read) + 1))
        assert len(read) >= before
        assert read == list(store.events(MATCH))[: len(read)]
        reader.connection.close()


def test_a_log_that_lacks_its_end_is_damaged_all_the_same(ledger: Server):
    store = RedisStore(Connection(ledger.url))
    tip = grow(store, 20)
    connection = Connection(ledger.url)
    key = connection.call("KEYS", "*:events")[0]
    connection.call("XDEL", key, f"{tip.version}-0")
    with pytest.raises(DamagedLog, match="does not lead to its head, event 20"):
        list(store.events(MATCH))
    connection.call("DEL", key)
    with pytest.raises(DamagedLog):
        list(store.events(MATCH))
    assert store.tip(MATCH) != EMPTY


class Interrupted(MemoryStore):
    """A store in which somebody else does something before the n-th look at a log."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = -1
        self.work: Callable[[], object] = lambda: None

    def events(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        self.looks -= 1
        if self.looks == 0:
            self.work()
        return super().events(match, first, last)


@pytest.mark.parametrize("end", [Journal.close, lambda journal: journal.abandon(ORGANIZER, "rain")])
@pytest.mark.parametrize("look", range(1, 6))
def test_who_ends_a_match_that_others_end_meanwhile_is_told_so(
    look: int, end: Callable[[Journal], object]
):
    store = Interrupted()
    one = started(store=store)
    if end is Journal.close:
        play_out(one, random.Random(1))
    two = Journal(one.around, one.match_id)
    store.work, store.looks = (lambda: end(one)), look
    try:
        end(two)
    except (Stale, Refused) as told:
        assert isinstance(told, Stale) or told.code == "match_closed"  # noqa: PT017
    store.looks = -1
    assert sum(closings(one)) == 1


def closings(journal: Journal) -> list[bool]:
    history = Journal(journal.around, journal.match_id).history
    return [isinstance(history.act(event.version), ClosedAct) for event in history.events]
