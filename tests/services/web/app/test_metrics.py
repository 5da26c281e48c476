"""The figures: who may read them, and that they say what has happened."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from prometheus_client.parser import text_string_to_metric_families
from rq import Queue

from ledger.games import ruleset
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.witness import Witness
from services.projector.loop import Projector
from services.web.app.metrics import queue_ages
from services.web.app.parts import match_cache
from tests.support.log.matches import played
from tests.support.servers import Server, programs, running
from tests.support.services.settled import settle
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, bearer, is_problem

MARK_FIRST = {"type": "play.mark", "cell": 4}
WORDS = "figures for the watchman"


def figures(text: str) -> dict[tuple[str, ...], float]:
    """Each figure by its name and the values of its labels."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def asked(site: Site) -> dict[tuple[str, ...], float]:
    answer = site.program().get("/metrics", headers=bearer(WORDS))
    assert answer.status_code == 200, answer.text
    return figures(answer.text)


@pytest.fixture
def watched(a_site: Any) -> Site:
    site: Site = a_site(metrics_token=WORDS)
    return site


def test_the_figures_are_for_the_token_and_for_organizers(watched: Site):
    ann, bob = watched.founder(), watched.person()
    client = watched.program()

    def status(headers: dict[str, str]) -> int:
        return int(client.get("/metrics", headers=headers).status_code)

    assert is_problem_page(client.get("/metrics"), 401)
    assert status(bearer("something else")) == 401
    assert status(bearer("")) == 401
    assert status(bob.token("read", "play")) == 403
    assert status(ann.token("read", "play")) == 403
    assert status(bearer(ann.session.words)) == 401
    assert status(bearer(WORDS)) == status(ann.token("organize")) == 200
    assert ann.browser().get("/metrics").status_code == 401


def is_problem_page(answer: Any, status: int) -> bool:
    return answer.status_code == status and "hegemon_" not in answer.text


def test_without_a_token_set_no_token_of_that_kind_opens(site: Site):
    assert site.program().get("/metrics", headers=bearer("")).status_code == 401
    assert site.program().get("/metrics", headers=bearer("None")).status_code == 401


def test_decisions_appends_and_requests_are_counted(watched: Site):
    ann, bob = table(watched)
    before = asked(watched)
    assert ann.decide(MARK_FIRST, at=4, key="one").status_code == 201
    assert ann.decide(MARK_FIRST, at=4, key="one").status_code == 201
    assert bob.decide(MARK_FIRST, at=5).status_code == 422
    assert bob.decide(MARK_FIRST, at=4).status_code == 412
    after = asked(watched)

    def grown(*name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    route = "/api/v1/matches/<string:match>/decisions"
    assert grown("hegemon_decisions_total", "accepted") == 1
    assert grown("hegemon_decisions_total", "repeated") == 1
    assert grown("hegemon_decisions_total", "stale") == 1
    assert grown("hegemon_requests_total", "POST", route, "201") == 2
    assert grown("hegemon_requests_total", "POST", route, "412") == 1
    assert grown("hegemon_request_seconds_count", "POST", route) == 4
    assert grown("hegemon_append_seconds_count") >= 1
    assert grown("hegemon_appends_total", "appended") >= 1


def test_a_conflict_is_counted(a_site: Any):
    one, two = a_site(metrics_token=WORDS), a_site()
    ann, bob = table(one, options={"opening": "sealed"})
    theirs = Player(bob.who, bob.match, 1)
    with two.app.app_context(), match_cache().opened(bob.match) as opened:
        late = opened.journal  # it has read the match, and does not read on
        assert ann.decide({"type": "opening.write", "cell": 0}, at=4).status_code == 201
        before = asked(one).get(("hegemon_appends_total", "conflict"), 0.0)
        decision = late.history.rules.decision({"type": "opening.write", "cell": 8})
        late.decide(1, decision)
    assert asked(one)[("hegemon_appends_total", "conflict")] == before + 1
    assert theirs.get().json["version"] >= 6


def test_no_figure_names_a_person_a_match_or_an_address(watched: Site):
    ann, bob = table(watched)
    link = watched.club.make("link", person=bob.who.id).words
    watched.nobody().get(f"/welcome/{link}")
    watched.nobody().get("/nowhere/at-all")
    text = watched.program().get("/metrics", headers=bearer(WORDS)).text
    for secret in (link, ann.match, ann.who.id, bob.who.id, "nowhere", WORDS):
        assert secret not in text
    assert 'route="/welcome/<string:words>"' in text
    assert 'route="(none)"' in text


def test_the_lag_of_the_projections_is_what_was_written_since(watched: Site, tmp_path: Path):
    store = watched.club.store
    assert isinstance(store, RedisStore)
    projector = Projector(store, ruleset, Witness(tmp_path / "segments"))
    settle(projector)
    assert asked(watched)[("hegemon_projection_lag_events",)] == 0
    journal = played(store=store)
    events = len(list(store.connection.ask("XRANGE", feed_of(journal.match_id), "-", "+")))
    assert asked(watched)[("hegemon_projection_lag_events",)] == events
    settle(projector)
    assert asked(watched)[("hegemon_projection_lag_events",)] == 0
    assert asked(watched)[("hegemon_projection_lag_seconds",)] == 0
    projector.stop()


def feed_of(match: str) -> str:
    from ledger.log.stores.redis import keys

    return keys.feed_key(keys.shard_of(match))


def test_parked_matches_and_the_server_s_files_are_told(watched: Site):
    store = watched.club.store
    found = asked(watched)
    assert found[("hegemon_parked_matches",)] == 0
    assert found[("hegemon_ledger_aof_enabled",)] == 1
    assert found[("hegemon_ledger_aof_write_ok",)] == 1
    assert found[("hegemon_ledger_used_memory_bytes",)] > 100_000
    assert found[("hegemon_live_places",)] == 400
    journal = played(store=store)
    store.park(journal.match_id, b"event 3: it was spoiled")
    assert asked(watched)[("hegemon_parked_matches",)] == 1


def test_the_age_of_a_queue_is_that_of_its_first_job(a_site: Any, tmp_path: Path):
    with running(next(iter(programs().values())), tmp_path / "jobs") as jobs:
        site: Site = a_site(metrics_token=WORDS, jobs_url=jobs.url)
        with redis.Redis(unix_socket_path=str(jobs.socket)) as client:
            queue = Queue("letters", connection=client)
            for _ in range(3):
                queue.enqueue("os.getpid")
        later = datetime.now(UTC) + timedelta(seconds=30)
        connection = Connection(jobs.url)
        [(name, (length, age))] = queue_ages(connection, later).items()
        connection.close()
        assert (name, length) == ("letters", 3)
        assert 29 < age < 40
        assert asked(site)[("hegemon_queue_jobs", "letters")] == 3
        assert asked(site)[("hegemon_queue_age_seconds", "letters")] < 20


def test_servers_that_do_not_answer_leave_the_other_figures(sound_server: Server, tmp_path: Path):
    from services.run.settings import Settings
    from services.web import create_app

    app = create_app(
        Settings(data=tmp_path, ledger_url=sound_server.url, metrics_token=WORDS, log="quiet")
    )
    client = app.test_client()
    assert "hegemon_parked_matches" in client.get("/metrics", headers=bearer(WORDS)).text
    sound_server.kill()
    text = client.get("/metrics", headers=bearer(WORDS)).text
    assert "hegemon_parked_matches" not in text
    assert "hegemon_request_seconds" in text


@pytest.fixture
def sound_server(tmp_path: Path) -> Any:
    server = Server(next(iter(programs().values())), tmp_path / "server").start()
    yield server
    server.close()


def test_a_problem_of_the_api_names_the_request(site: Site):
    answer = site.nobody().get("/api/v1/matches/there-is-none")
    assert is_problem(answer, 404, "no_such_match")
    assert answer.json["trace"] == answer.headers["X-Request-ID"]
