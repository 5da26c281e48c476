"""Limits: how often somebody may ask, counted on a server, or here where there is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.log.stores.redis.connection import Connection
from services.run.settings import BadSetting, Settings, read_settings
from services.web.app import limits
from services.web.app.limits import Limits, LocalCounts, OnServer
from tests.support.servers import AnyLedger, Server, programs
from tests.support.web.visitors import Site, bearer, is_problem

MINUTE = 28_333_334 * 60  # a whole one


class Times:
    """A clock in seconds that a test moves."""

    def __init__(self) -> None:
        self.now = float(MINUTE)

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["here", "on a server"])
def counts(request: pytest.FixtureRequest, any_ledger: AnyLedger) -> Any:
    """Where is counted: in the process, or on a server."""
    if request.param == "here":
        return LocalCounts()
    return OnServer(Connection(any_ledger(next(iter(programs()))).url))


@pytest.fixture
def strict(a_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Site]:
    """Sites that allow very little, in a minute that does not end."""

    def make(**quotas: int) -> Site:
        for kind, quota in quotas.items():
            monkeypatch.setitem(limits.QUOTAS, kind, quota)
        site = a_site(limits=True)
        monkeypatch.setattr(site.app.extensions["limits"], "_clock", lambda: 6_000.0)
        return site

    return make


def test_so_many_are_allowed_and_the_next_is_refused(counts: Any):
    found = Limits(counts, Times(), quotas={"writes": 3, "reads": 3})
    assert [found.count("writes", "a").left for _ in range(4)] == [2, 1, 0, -1]
    assert found.count("writes", "a").exceeded
    assert not found.count("writes", "b").exceeded
    assert not found.count("reads", "a").exceeded


def test_the_minute_slides(counts: Any):
    times = Times()
    found = Limits(counts, times, quotas={"writes": 10})
    for _ in range(10):
        assert not found.count("writes", "a").exceeded
    times.now += 60
    assert found.count("writes", "a").exceeded  # the minute before counts in full
    times.now += 30  # ... and now by half: five of then, and two of now
    assert found.count("writes", "a").left == 3
    times.now += 90
    assert found.count("writes", "a").left == 9


def test_a_server_counts_for_all_processes(any_ledger: AnyLedger):
    url = any_ledger(next(iter(programs()))).url
    one, two = (Limits(OnServer(Connection(url)), Times(), quotas={"writes": 3}) for _ in range(2))
    assert [one.count("writes", "a").left, two.count("writes", "a").left] == [2, 1]


def test_counts_are_forgotten(any_ledger: AnyLedger):
    connection = Connection(any_ledger(next(iter(programs()))).url)
    Limits(OnServer(connection)).count("reads", "a")
    [key] = connection.ask("KEYS", "limit:*")
    assert 60 < connection.ask("TTL", key) <= 120
    here, times = LocalCounts(), Times()
    for _ in range(5):
        Limits(here, times).count("reads", "a")
        times.now += 60
    assert len(here._counts) == 2


def test_while_the_server_is_away_reads_pass_and_writes_are_counted_here(tmp_path: Path):
    server = Server(next(iter(programs().values())), tmp_path / "jobs").start()
    connection = Connection(server.url, seconds=0.2)
    found = Limits(OnServer(connection), Times(), quotas={"reads": 2, "writes": 2})
    assert found.count("reads", "a").left == 1
    server.close()
    assert [found.count("reads", "a") for _ in range(5)] == [None] * 5
    assert [found.count("writes", "a").left for _ in range(3)] == [1, 0, -1]
    connection.close()


def test_a_server_that_hangs_holds_nobody_up_for_long(tmp_path: Path):
    server = Server(next(iter(programs().values())), tmp_path / "jobs").start()
    connection = Connection(server.url, seconds=0.2)
    found = Limits(OnServer(connection))
    found.count("reads", "a")
    server.freeze()
    import time

    began = time.monotonic()
    for _ in range(50):
        found.count("reads", "a")
    took = time.monotonic() - began
    server.thaw()
    server.close()
    connection.close()
    assert took < 2  # it is asked once, and then left alone for a while


def test_who_writes_too_often_is_told_when_to_come_again(strict: Callable[..., Site]):
    site = strict(writes=2)
    bob = site.person()
    token = bob.token("read", "play")
    client = site.program()
    for _ in range(2):
        fine = client.patch("/api/v1/me", json={"name": "Bob"}, headers=token)
        assert fine.status_code == 200
    assert fine.headers["RateLimit-Policy"] == '"writes";q=2;w=60'
    assert fine.headers["RateLimit"].startswith('"writes";r=0;t=')
    late = client.patch("/api/v1/me", json={"name": "Rob"}, headers=token)
    assert is_problem(late, 429, "too_many_requests")
    assert 1 <= int(late.headers["Retry-After"]) <= 60
    assert late.headers["RateLimit"].startswith('"writes";r=0;t=')
    assert late.headers["X-Content-Type-Options"] == "nosniff"
    assert client.get("/api/v1/me", headers=token).json["name"] == "Bob"
    other = client.patch("/api/v1/me", json={"name": "B"}, headers=bob.token("read", "play"))
    assert other.status_code == 200


def test_who_reads_too_often_is_refused_and_others_are_not(strict: Callable[..., Site]):
    site = strict(reads=3)
    client = site.program()
    statuses = [client.get("/api/v1/matches").status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get("/api/v1/matches", environ_overrides=elsewhere).status_code == 200
    assert client.get("/health").status_code == 200
    page = client.get("/")
    assert (page.status_code, page.mimetype) == (429, "text/html")


def test_links_that_are_tried_are_counted_for_the_address(strict: Callable[..., Site]):
    site = strict(doors=3)
    bob = site.person()
    link = site.club.make("link", person=bob.id).words
    client = site.nobody()
    tried = [client.get(f"/welcome/hgm_l_{'a' * 16}_{number}").status_code for number in range(4)]
    assert tried == [404, 404, 404, 429]
    assert client.get(f"/welcome/{link}").status_code == 429
    neighbour = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get(f"/welcome/{link}", environ_overrides=neighbour).status_code == 200


def test_tokens_that_are_tried_are_counted_for_the_address(strict: Callable[..., Site]):
    site = strict(doors=3)
    good = site.person().token("read")
    client = site.program()
    answers = [client.get("/api/v1/me", headers=bearer(f"hgm_t_{n}")) for n in range(4)]
    assert [one.status_code for one in answers] == [401, 401, 401, 429]
    assert is_problem(answers[-1], 429, "too_many_requests")
    assert answers[-1].headers["Content-Security-Policy"]
    assert client.get("/api/v1/me", headers=good).status_code == 200


def test_an_ipv6_network_is_one_address(strict: Callable[..., Site]):
    site = strict(reads=1)
    client = site.program()

    def ask(address: str) -> int:
        surroundings = {"REMOTE_ADDR": address}
        answer = client.get("/api/v1/matches", environ_overrides=surroundings)
        return int(answer.status_code)

    assert [ask("2001:db8::1"), ask("2001:db8::2"), ask("2001:db8:0:1::1")] == [200, 429, 200]


def test_nothing_is_counted_where_the_operator_wants_no_limits(a_site: Callable[..., Site]):
    site = a_site(limits=False)
    answer = site.nobody().get("/api/v1/matches")
    assert "RateLimit" not in answer.headers


def test_the_operator_says_how_many_times_as_often(a_site: Callable[..., Site]):
    answer = a_site(limits=10).nobody().get("/api/v1/matches")
    assert answer.headers["RateLimit-Policy"] == '"reads";q=12000;w=60'
    assert Settings(data=Path("/")).limits == read_settings({}).limits == 1
    assert read_settings({"HEGEMON_LIMITS": "off"}).limits == 0
    assert read_settings({"HEGEMON_LIMITS": "7"}).limits == 7
    for bad in ("0", "-1", "no", "1e3", "12345678"):
        with pytest.raises(BadSetting, match="HEGEMON_LIMITS must be on, off, or"):
            read_settings({"HEGEMON_LIMITS": bad})


def test_what_is_left_is_of_one_s_own_asking_and_tells_nothing_of_others(
    strict: Callable[..., Site],
):
    site = strict(reads=100, writes=100)
    site.app.extensions["limits"]._clock = Times()
    client = site.program()
    ann, bob = site.person("Ann").token("read", "play"), site.person("Bob").token("read", "play")

    def left(headers: dict[str, str]) -> str:
        return client.get("/api/v1/me", headers=headers).headers["RateLimit"].split(";")[1]

    before = left(ann)
    assert (before, left(bob)) == ("r=99", "r=99")
    for _ in range(20):  # from the same address: reading, changing something, and as nobody
        client.get("/api/v1/matches", headers=bob)
        client.patch("/api/v1/me", json={"name": "Rob"}, headers=bob)
        client.get("/api/v1/matches")
    assert left(ann) == "r=98"


def test_the_number_of_a_request_is_drawn_and_says_nothing(
    strict: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
):
    client = strict(reads=1000).program()
    found = [client.get("/api/v1/rulesets").headers["X-Request-ID"] for _ in range(100)]
    assert len(set(found)) == 100
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in found)
    drawn = SimpleNamespace(token_hex=lambda size: "ab" * size)
    monkeypatch.setattr("services.web.app.requests.secrets", drawn)
    assert client.get("/api/v1/rulesets").headers["X-Request-ID"] == "ab" * 8
