"""Asked again, on a real server and after it was killed and started again: the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.log.format.chain import EMPTY, Event, Tip, link
from ledger.log.stores.protocol import (
    Answer,
    Appended,
    Batch,
    Changed,
    Closed,
    Command,
    Conflict,
    Duplicate,
    Parked,
)
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from tests.support.durability.holding import contradictions, held_by
from tests.support.servers import Server, programs, running

OPEN, SHUT, STUCK = "openopenopenopen", "shutshutshutshut", "stucstucstucstuc"
MARK = Command("c1", b"mark 4")


@pytest.fixture(params=programs())
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    with running(programs()[request.param], tmp_path) as started:
        yield started


def batch(match: str, tip: Tip, *bodies: bytes, command: Command | None = None) -> Batch:
    events: list[Event] = []
    expect = tip
    for body in bodies:
        events.append(link(match, tip, body))
        tip = events[-1].tip
    return Batch(expect=expect, events=tuple(events), command=command, closes=match == SHUT)


def filled(store: RedisStore) -> Tip:
    """Three logs: one goes on after a command, one is closed, one is parked."""
    first = store.append(OPEN, batch(OPEN, EMPTY, b"one", b"die", command=MARK))
    assert isinstance(first, Appended)
    assert isinstance(store.append(OPEN, batch(OPEN, first.tip, b"later")), Appended)
    for match in (SHUT, STUCK):
        done = store.append(match, batch(match, EMPTY, b"one", command=MARK))
        assert isinstance(done, Appended)
    store.park(STUCK, b"cannot be folded")
    return first.tip


def asked(store: RedisStore, first: Tip) -> dict[str, tuple[Answer, Answer]]:
    """Each request with the answer that it gets and the one that it should get."""
    tip, shut, stuck = store.tip(OPEN), store.tip(SHUT), store.tip(STUCK)
    later = tuple(store.events(OPEN, 3))
    gap = link(OPEN, Tip(tip.version + 1, tip.head), b"x")
    requests = {
        "again": (OPEN, batch(OPEN, tip, b"one", command=MARK), Duplicate(1, first)),
        "as it was first": (
            OPEN,
            batch(OPEN, EMPTY, b"one", b"die", command=MARK),
            Duplicate(1, first),
        ),
        "another body": (
            OPEN,
            batch(OPEN, tip, b"two", command=Command("c1", b"mark 5")),
            Changed("c1"),
        ),
        "a gap": (OPEN, Batch(expect=tip, events=(gap,)), Conflict(tip, ())),
        "a version to come": (OPEN, batch(OPEN, Tip(4, tip.head), b"x"), Conflict(tip, ())),
        "a wrong head": (OPEN, batch(OPEN, Tip(3, bytes(32)), b"x"), Conflict(tip, ())),
        "an old version": (OPEN, batch(OPEN, first, b"x"), Conflict(tip, later)),
        "a closed match": (SHUT, batch(SHUT, shut, b"x"), Closed(shut)),
        "again when closed": (SHUT, batch(SHUT, shut, b"x", command=MARK), Duplicate(1, shut)),
        "a parked match": (
            STUCK,
            Batch(expect=stuck, events=(link(STUCK, stuck, b"x"),), decides=True),
            Parked(stuck, b"cannot be folded"),
        ),
    }
    return {
        what: (store.append(match, asked), wanted)
        for what, (match, asked, wanted) in requests.items()
    }


def test_who_asks_again_gets_the_same_answer_also_after_a_restart(server: Server):
    first = filled(RedisStore(Connection(server.url)))
    before = held_by(Connection(server.url))
    for restart in (False, True, True):
        if restart:
            server.restart()
        for what, (answer, wanted) in asked(RedisStore(Connection(server.url)), first).items():
            assert answer == wanted, what
        assert held_by(Connection(server.url)) == before
    assert contradictions(before) == []


def test_a_store_that_lives_on_over_a_restart_goes_on(server: Server):
    """The connections that it has kept are dead, and it says nothing of that."""
    store = RedisStore(Connection(server.url))
    tip = EMPTY
    for number in range(6):
        command = Command(f"c{number}", b"x")
        answer = store.append(OPEN, batch(OPEN, tip, b"body %d" % number, command=command))
        assert isinstance(answer, Appended)
        tip = answer.tip
        server.restart()
        assert store.tip(OPEN) == tip
        server.restart()
        assert store.answered(OPEN, command) == Duplicate(number + 1, tip)
        server.restart()
        assert [event.version for event in store.events(OPEN)] == list(range(1, number + 2))
        server.restart()
