"""Whether it lives, and whether it should be asked: with real servers that are well, or are not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.witness import Witness
from services.projector.loop import Projector
from services.run.settings import Settings
from services.web import create_app
from services.web.app import readiness
from tests.support.log.matches import played
from tests.support.servers import Server, programs
from tests.support.services.settled import settle
from tests.support.web.visitors import Site


@pytest.fixture
def sound(tmp_path: Path) -> Iterator[Server]:
    """A server that keeps what it acknowledges, as the embedded one does."""
    server = Server(next(iter(programs().values())), tmp_path / "server").start()
    yield server
    server.close()


@pytest.fixture
def asks(sound: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict]:
    """Asks whether an application on the server is ready; it looks anew each time."""
    monkeypatch.setattr(readiness, "ASKED_AGAIN_SECONDS", 0.0)
    monkeypatch.setattr(readiness, "GUARD_SECONDS", 0.0)
    app = create_app(Settings(data=tmp_path, ledger_url=sound.url, log="quiet"))

    def ask(status: int) -> dict:
        answer = app.test_client().get("/ready")
        assert answer.status_code == status, answer.text
        assert answer.json["ready"] == (status == 200)
        return answer.json["parts"]

    ask.watch = app.extensions["lag"]  # type: ignore[attr-defined]
    return ask


def test_a_process_lives_whatever_becomes_of_the_servers(site: Site, tmp_path: Path):
    assert site.nobody().get("/health").text == "ok\n"
    nowhere = create_app(Settings(data=tmp_path, ledger_url="unix:///tmp/nothing-here.sock"))
    assert nowhere.test_client().get("/health").status_code == 200


def test_a_document_that_names_no_icon_gets_the_mark(site: Site):
    with site.nobody().get("/favicon.ico", follow_redirects=True) as answer:
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")


def test_ready_says_of_each_part_how_it_is(asks: Callable[..., dict]):
    parts = asks(200)
    assert set(parts) == {"ledger", "settings", "guard", "projections"}
    assert all(part["ok"] for part in parts.values())
    assert parts["ledger"]["ms"] < 1_000
    assert parts["projections"] == {"ok": True, "events": 0, "seconds": 0.0}


def test_it_is_not_ready_while_the_ledger_does_not_answer(asks, sound: Server):
    asks(200)
    sound.freeze()
    try:
        began = time.monotonic()
        parts = asks(503)
        assert time.monotonic() - began < 4
        assert not parts["ledger"]["ok"]
    finally:
        sound.thaw()
    asks(200)
    sound.kill()
    asks(503)
    sound.start()
    asks(200)


def test_a_server_that_was_never_there_is_a_503_and_no_error(tmp_path: Path):
    app = create_app(Settings(data=tmp_path, ledger_url="unix:///tmp/nothing-here.sock"))
    answer = app.test_client().get("/ready")
    assert (answer.status_code, answer.json["ready"]) == (503, False)
    assert answer.headers["Retry-After"] == "5"


def test_it_is_not_ready_with_settings_that_lose_events(asks, sound: Server, tmp_path: Path):
    Connection(sound.url).call("CONFIG", "SET", "appendfsync", "everysec")
    parts = asks(503)
    [found] = parts["settings"]["found"]
    assert found.startswith("appendfsync is everysec, not always: ")
    unsafe = create_app(Settings(data=tmp_path, ledger_url=sound.url, unsafe=True))
    assert unsafe.test_client().get("/ready").status_code == 200


def test_it_is_not_ready_once_the_server_has_lost_what_the_segments_have(
    asks, sound: Server, tmp_path: Path
):
    store = RedisStore(Connection(sound.url))
    played(store=store)
    projector = Projector(store, ruleset, Witness(tmp_path / "segments"))
    settle(projector)
    projector.stop()
    asks(200)
    Connection(sound.url).call("FLUSHALL")
    assert asks(503)["guard"] == {"ok": False, "gone_back": 1}


def test_it_is_not_ready_while_nothing_is_projected_for_a_minute(
    asks, sound: Server, tmp_path: Path
):
    store = RedisStore(Connection(sound.url))
    journal = played(store=store)
    parts = asks(200)["projections"]  # though the match says of itself that it was played long ago
    assert (parts["ok"], parts["seconds"]) == (True, 0.0)
    assert parts["events"] > 1
    asks.watch._clock = lambda: time.monotonic() + readiness.LAG_SECONDS_MAX
    assert asks(503)["projections"]["seconds"] >= readiness.LAG_SECONDS_MAX
    projector = Projector(store, ruleset, Witness(tmp_path / "segments"))
    settle(projector)
    projector.stop()
    assert asks(200)["projections"] == {"ok": True, "events": 0, "seconds": 0.0}
    assert journal.match_id in store.matches()


def test_without_the_server_of_the_projections_it_is_ready_and_says_what_it_does_not_know(
    sound: Server, tmp_path: Path
):
    jobs = Server(next(iter(programs().values())), tmp_path / "jobs").start()
    app = create_app(Settings(data=tmp_path, ledger_url=sound.url, jobs_url=jobs.url, limits=False))
    assert app.test_client().get("/ready").status_code == 200
    jobs.close()
    time.sleep(readiness.ASKED_AGAIN_SECONDS + 0.1)
    answer = app.test_client().get("/ready")
    assert answer.status_code == 200
    assert "not known" in answer.json["parts"]["projections"]["why"]
