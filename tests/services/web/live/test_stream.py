"""One viewer's stream: what it begins with, what comes, and what ends it."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.feeds.hub import stop_all
from services.run.settings import Settings
from services.web import create_app
from services.web.live import stream
from tests.support.live.served import Bots, Gunicorn, Viewer, asks, club_on, in_order
from tests.support.servers import AnyLedger, Server, programs, running
from tests.support.services.processes import wait_until
from tests.support.web.seated import table
from tests.support.web.visitors import Site, is_problem


@pytest.fixture
def site(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Site]:
    server = any_ledger(next(iter(programs())))
    found = Site(Settings(data=tmp_path, ledger_url=server.url, limits=0, log="quiet"))
    yield found
    stop_all()
    found.close()


class Watching:
    """A stream as it comes: asked for and read by one thread, as gunicorn has it."""

    def __init__(self, site: Site, path: str, **headers: str) -> None:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        self.said: queue.Queue[tuple[str, Any] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=(site, path, sent), daemon=True)
        self._thread.start()

    def _read(self, site: Site, path: str, sent: dict[str, str]) -> None:
        answer = site.program().get(path, headers=sent, buffered=False)
        for chunk in answer.response:
            for block in chunk.decode().split("\n\n"):
                fields = dict(row.split(": ", 1) for row in block.splitlines() if ": " in row)
                if "data" in fields:
                    self.said.put((fields.get("event", ""), json.loads(fields["data"])))
        self.said.put(None)

    def next(self) -> tuple[str, Any] | None:
        return self.said.get(timeout=10)

    def versions(self, count: int) -> list[int]:
        return [said[1]["version"] for _ in range(count) if (said := self.next()) is not None]


def test_it_begins_after_the_last_event_that_one_has(site: Site):
    ann, _ = table(site)
    path = f"/live/matches/{ann.match}"
    assert Watching(site, path).versions(4) == [1, 2, 3, 4]
    assert Watching(site, path, Last_Event_ID="2").versions(2) == [3, 4]
    late = Watching(site, f"{path}?since=3")
    assert late.versions(1) == [4]
    assert ann.decide_first().status_code == 201
    assert late.versions(1) == [5]


@pytest.mark.parametrize("number", ["-1", "x", "1.5", "9" * 10])
def test_what_is_no_number_of_an_event_is_refused(site: Site, number: str):
    ann, _ = table(site)
    answer = site.nobody().get(f"/live/matches/{ann.match}", headers={"Last-Event-ID": number})
    assert is_problem(answer, 400, "bad_event_id")


def test_who_may_not_look_gets_no_stream(site: Site):
    ann, _ = table(site)
    answer = site.nobody().get(f"/live/matches/{ann.match}?as=0")
    assert is_problem(answer, 401, "not_signed_in")
    assert is_problem(site.nobody().get("/live/matches/none"), 404, "no_such_match")


def test_a_seat_s_stream_has_its_own_openings_and_nobody_else_s(site: Site):
    ann, bob = table(site, options={"opening": "sealed"})
    path = f"/live/matches/{ann.match}"
    watching = [
        Watching(site, f"{path}?as=0&since=4", **ann.headers),
        Watching(site, f"{path}?as=1&since=4", **bob.headers),
        Watching(site, f"{path}?since=4"),
    ]
    assert ann.decide({"type": "opening.write", "cell": 7}, at=4).status_code == 201
    mine, theirs, all_ = (one.next() for one in watching)
    assert len(mine[1].pop("openings")) == 1
    assert theirs[1].pop("openings") == all_[1].pop("openings") == []
    assert mine[1]["head"] == theirs[1]["head"] == all_[1]["head"]


def test_that_something_changed_at_the_table_is_announced_and_not_what(site: Site):
    ann, _ = table(site)
    watching = Watching(site, f"/live/matches/{ann.match}?since=3")
    assert watching.versions(1) == [4]
    named = ann.post(f"/seats/{ann.seat}/delegates", {"person": site.person("Dan").id})
    assert named.status_code == 200
    kind, said = watching.next()
    assert kind == "table"
    assert said.keys() == {"version"}


def test_what_others_whisper_block_and_order_is_announced_to_nobody_else(site: Site):
    ann, bob, cid = table(site, "hegemonic", 3)
    last = ann.get().json["version"]
    path = f"/live/matches/{ann.match}?since={last - 1}"
    watching = Watching(site, f"{path}&as=2", **cid.headers)
    overheard = Watching(site, path)
    told = Watching(site, f"{path}&as=1", **bob.headers)
    assert [one.versions(1) for one in (watching, overheard, told)] == [[last]] * 3
    client, at = site.program(), f"/api/v1/matches/{ann.match}"
    assert ann.post("/talk", {"text": "psst", "to": [1]}).status_code == 201
    assert told.next() == ("talk", {"number": 1})
    assert client.put(f"{at}/blocks/{cid.who.id}", headers=ann.headers).status_code == 204
    assert ann.put("/seats/0/orders", {"only_option": True}).status_code == 200
    taken = client.delete(f"{at}/talk/1", json={"reason": "rude"}, headers=ann.headers)
    assert taken.status_code == 204
    assert told.next()[0] == "table"  # who heard the line sees that it is gone
    assert bob.post("/talk", {"text": "hello"}).status_code == 201
    # Only now there is news for everybody; their numbers do not say what there was before.
    assert [one.next() for one in (watching, overheard)] == [("talk", {"number": 1})] * 2
    assert told.next() == ("talk", {"number": 2})
    friend = {"person": site.person("Dan").id}
    assert ann.post(f"/seats/{ann.seat}/delegates", friend).status_code == 200
    assert [one.next()[0] for one in (watching, overheard)] == ["table"] * 2


def test_a_token_that_is_taken_back_ends_its_stream(site: Site):
    ann, bob = table(site)
    watching = Watching(site, f"/live/matches/{ann.match}?as=1", **bob.headers)
    assert watching.versions(4) == [1, 2, 3, 4]
    words = bob.headers["Authorization"].partition(" ")[2]
    site.club.take_back(words.split("_")[2], bob.who.id)
    assert watching.next() == ("problem", {"code": "not_signed_in"})
    assert watching.next() is None


def test_a_stop_ends_every_stream(site: Site):
    ann, _ = table(site)
    watching = [Watching(site, f"/live/matches/{ann.match}?since=3") for _ in range(3)]
    assert [one.versions(1) for one in watching] == [[4]] * 3
    site.app.extensions["hub"]().stop()
    assert [one.next() for one in watching] == [None] * 3


def test_a_viewer_who_hears_nothing_is_sent_a_sign_of_life(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.2)
    ann, _ = table(site)
    answer = site.program().get(f"/live/matches/{ann.match}?since=4", buffered=False)
    chunks = iter(answer.response)
    assert next(chunks).startswith(b"retry: ")
    assert next(chunks) == b": still here\n\n"
    answer.close()


def test_a_place_is_free_again_when_its_viewer_leaves(a_small_site: Site):
    ann, _ = table(a_small_site)
    path = f"/live/matches/{ann.match}"
    first = a_small_site.program().get(path, buffered=False)
    assert next(iter(first.response)).startswith(b"retry: ")
    full = a_small_site.program().get(path)
    assert is_problem(full, 503, "no_place")
    assert full.headers["Retry-After"] == "5"
    first.close()
    again = a_small_site.program().get(path, buffered=False)
    assert again.status_code == 200
    again.close()


@pytest.fixture
def a_small_site(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Site]:
    server = any_ledger(next(iter(programs())))
    settings = Settings(data=tmp_path, ledger_url=server.url, limits=0, live_places=1, log="quiet")
    found = Site(settings)
    yield found
    stop_all()
    found.close()


def test_the_store_is_asked_again_only_when_something_was_heard(site: Site):
    ann, _ = table(site)
    tables = site.app.extensions["match_cache"]()
    with tables.opened(ann.match, 7) as opened:
        assert opened.history.tip.version == 4
    other = create_app(site.settings).extensions["match_cache"]()
    with other.opened(ann.match) as elsewhere:
        elsewhere.journal.decide(0, elsewhere.journal.match().options(0)[0])
    with tables.opened(ann.match, 7) as opened:
        assert opened.history.tip.version == 4  # nobody has heard of it
    with tables.opened(ann.match, 8) as opened:
        assert opened.history.tip.version == 5
    with tables.opened(ann.match) as opened:
        assert opened.history.tip.version == 5


def test_viewers_go_on_when_the_ledger_s_server_was_away(tmp_path: Path):
    with running(next(iter(programs().values())), tmp_path / "ledger") as ledger:
        _go_on(ledger, tmp_path)


def _go_on(ledger: Server, folder: Path) -> None:
    club = club_on(ledger.url)
    web = Gunicorn(folder, ledger.url, HEGEMON_METRICS_TOKEN="watch").start()
    try:
        match = club.table(web.port)
        viewer = Viewer(lambda: web.port, match).start()
        assert wait_until(lambda: in_order(viewer, 4))
        ledger.restart()
        bots = Bots(club, lambda: web.port)
        assert all(bots.step(match) for _ in range(3))
        bots.close()
        last = bots.decided[-1].version
        assert wait_until(lambda: in_order(viewer, last), 15)
        said = asks(web.port, "GET", "/metrics", "watch")[1].decode()
        assert "hegemon_hub_reconnections_total 1.0" in said
        viewer.stop()
    finally:
        web.kill()
        club.store.connection.close()
