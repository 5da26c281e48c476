"""The steward as it runs: woken by what is written, not stopped by a server that goes away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from ledger.log.stores.redis.connection import NotSent
from services.feeds.hub import Hub
from services.steward.loop import Steward
from tests.support.services.hall import Hall
from tests.support.services.processes import wait_until


@contextmanager
def running(steward: Steward) -> Iterator[None]:
    """The steward in a thread of its own for as long as the block lasts."""
    going = True
    thread = threading.Thread(target=lambda: steward.run(lambda: going))
    thread.start()
    try:
        yield
    finally:
        going = False
        thread.join()


def test_it_is_woken_by_what_is_written_and_answers_at_once(hall: Hall):
    [ann] = hall.begun({0: "Ann"}, {1: "greedy"})
    with running(hall.another()):
        took = []
        while ann.get().json["result"] is None:
            began = time.monotonic()
            ann.decide_first()
            assert wait_until(lambda: ann.get().json["asked"] != [1])
            took.append(time.monotonic() - began)
    assert sorted(took)[len(took) // 2] < 0.5


def test_it_is_woken_by_a_change_in_a_table_s_book(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {})
    ann.decide_first()
    with running(hall.another()):
        time.sleep(0.2)
        ann.put("/seats/1/holder", {"bot": "greedy", "reason": "gone"})
        assert wait_until(lambda: ann.get().json["asked"] == [0])


def test_a_server_that_does_not_answer_for_a_while_costs_nothing(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    [ann] = hall.begun({0: "Ann"}, {1: "greedy"})
    steward = hall.another()

    def gone(*_: object) -> None:
        raise NotSent("nobody is there")

    with running(steward):
        with monkeypatch.context() as outage:
            outage.setattr(steward._tables, "opened", gone)
            ann.decide_first()
            assert wait_until(lambda: len(hall.said) == 1)
        assert wait_until(lambda: ann.get().json["asked"] == [0])
        assert wait_until(lambda: len(hall.said) == 2)
    assert hall.said == ["waits for its server: nobody is there", "goes on"]


def test_who_listens_to_all_hears_every_name_and_that_some_were_missed(
    hall: Hall, hub: Callable[[], Hub]
):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {})
    found = hub()
    with found.listening_to_all() as everything:
        everything.bell.wait(5)
        assert everything.taken() is None  # what was before is for them to find
        ann.decide_first()
        ann.post("/talk", {"text": "hello"})
        names: set[str] = set()
        until = time.monotonic() + 5
        while len(names) < 2 and time.monotonic() < until:
            everything.bell.wait(1)
            names |= everything.taken() or set()
        assert names == {ann.match, f"{ann.match}/talk"}
        found._ring_all()  # as after a lost connection
        assert everything.taken() is None
    found.stop()


@pytest.fixture
def hub(hall: Hall) -> Callable[[], Hub]:
    return lambda: hall.another().hub
