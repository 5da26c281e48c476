"""Live viewers of a table learn what the steward does there."""

from __future__ import annotations

import threading
from typing import Any

from ledger.club import table as tables
from tests.support.services.hall import Hall
from tests.support.web.seated import Player


def watching(hall: Hall, ann: Player) -> tuple[Any, list[bytes]]:
    """A live stream, and what has come of it so far."""
    client = hall.site.program()
    answer = client.get(f"/live/matches/{ann.match}?since=4", headers=ann.headers, buffered=False)
    assert answer.status_code == 200
    return answer, [next(answer.response)]


def test_a_change_of_the_clocks_that_is_no_event_is_announced(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock={"kind": "decision", "seconds": 60})
    answer, came = watching(hall, ann)

    def stop_and_start() -> None:
        with hall.tables.opened(ann.match) as opened:
            now = hall.site.clock.now
            opened.book.write("", lambda t: tables.stop_clocks(t, now, "away", now + 5_000))

    thread = threading.Timer(0.3, stop_and_start)
    thread.start()
    came.append(next(answer.response))
    thread.join()
    answer.close()
    hall.site.app.extensions["hub"]().stop()
    assert b"event: table\n" in b"".join(came)


def test_what_a_bot_decides_is_sent_as_it_comes(hall: Hall):
    [ann] = hall.begun({0: "Ann"}, {1: "greedy"})
    version = ann.get().json["version"]
    answer, came = watching(hall, ann)
    ann.decide_first()
    hall.tends()
    while f"id: {version + 2}\n".encode() not in b"".join(came):
        came.append(next(answer.response))
    answer.close()
    hall.site.app.extensions["hub"]().stop()
    assert b"".join(came).count(b"event: event\n") == version + 2 - 4
