"""Requests that take seconds are limited for each caller; a judge never sees as a player does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.kernel.refusals import Refused
from services.jobs.queue import JobQueue, server_at
from services.web.app import limits
from services.web.matches.view import look_as_judge
from services.web.replays import exports
from tests.services.web.matches.test_forks import finished
from tests.support.servers import Server
from tests.support.web.organizing import SMALL, tournament
from tests.support.web.seated import made, table
from tests.support.web.visitors import Site, is_problem


@pytest.fixture
def strict(a_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site that makes two things a minute for a caller, in a minute that does not end."""
    monkeypatch.setitem(limits.QUOTAS, "makings", 2)
    site = a_site(limits=True)
    monkeypatch.setattr(site.app.extensions["limits"], "_clock", lambda: 6_000.0)
    return site


def test_pictures_that_have_to_be_drawn_are_counted_and_those_that_are_known_are_not(strict: Site):
    ann, _ = table(strict)
    client, address = strict.nobody(), f"/matches/{ann.match}/moment.png"
    first = client.get(f"{address}?at=1")
    known = {"If-None-Match": first.headers["ETag"]}
    assert [client.get(f"{address}?at=1", headers=known).status_code for _ in range(4)] == [304] * 4
    assert [client.get(f"{address}?at={at}").status_code for at in (2, 3)] == [200, 429]
    assert client.get(f"/matches/{ann.match}/replay").status_code == 200
    assert ann.who.browser().get(f"{address}?at=3").status_code == 200


def test_a_file_is_counted_when_it_is_made_and_not_when_it_is_there(strict: Site):
    ann, _ = table(strict)
    matches = [ann.match, *(made(ann.who, "tictactoe", 2) for _ in range(2))]
    client = strict.nobody()
    asked = [*[matches[0]] * 3, matches[1], matches[0], matches[2]]
    statuses = [client.get(f"/matches/{match}/replay.html").status_code for match in asked]
    assert statuses == [200, 200, 200, 200, 200, 429]


def test_replays_are_counted(strict: Site):
    ann, _ = table(strict)
    client, address = strict.program(), f"/api/v1/matches/{ann.match}/replay"
    statuses = [client.get(f"{address}{form}").status_code for form in ("", ".txt")]
    assert statuses == [200, 200]
    assert is_problem(client.get(f"{address}.csv"), 429, "too_many_requests")


def test_an_audit_is_counted_when_it_is_made(strict: Site):
    ann, _ = table(strict)
    first, second, third = ann.match, *(made(ann.who, "tictactoe", 2) for _ in range(2))
    client = strict.program()
    asked = [f"/api/v1/matches/{first}/audit", f"/matches/{first}/audit.html"]
    asked += [f"/matches/{second}/audit", f"/api/v1/matches/{first}/audit"]
    assert [client.get(address).status_code for address in asked] == [200] * 4
    assert client.get(f"/matches/{third}/audit").status_code == 429
    answer = client.get(f"/api/v1/matches/{third}/audit")
    assert is_problem(answer, 429, "too_many_requests")


def test_records_of_a_tournament_are_counted_match_by_match(strict: Site):
    host, _ = tournament(strict, 4, **SMALL)
    host.post("/rounds/1/draw")
    host.play_round(1)
    client, address = strict.program(), f"/api/v1/tournaments/{host.id}/deals"
    assert client.get(address).status_code == 200  # two matches
    assert is_problem(client.get(address), 429, "too_many_requests")


def test_forks_are_counted_for_each_writes_a_whole_log(strict: Site):
    ann, bob = finished(strict)
    assert [ann.post("/forks", {"at": 6}).status_code for _ in range(3)] == [201, 201, 429]
    assert ann.post("/forks", {"at": 999}).status_code == 404  # nothing would be made
    assert bob.post("/forks", {"at": 6}).status_code == 201


def test_nobody_takes_the_whole_queue(a_site: Callable[..., Site], jobs_server: Server):
    site = a_site(limits=True, jobs_url=jobs_server.url)
    ann, bob = table(site)
    site.app.extensions["queue"] = lambda: JobQueue(server_at(jobs_server.url), each=2)
    asked = [ann.get(f"/replay{form}").status_code for form in ("", ".txt", "", ".txt")]
    assert asked == [202] * 4  # of two jobs
    other = ann.who.token("read")
    for headers in (ann.headers, other):  # whichever token they show
        answer = site.program().get(f"/api/v1/matches/{ann.match}/replay.csv", headers=headers)
        assert is_problem(answer, 429, "too_many_requests")
        assert answer.headers["Retry-After"] == "5"
        assert is_problem(
            site.program().get(f"/api/v1/matches/{ann.match}/audit", headers=headers),
            429,
            "too_many_requests",
        )
    assert bob.get("/replay.csv").status_code == 202


def test_who_has_sat_down_meanwhile_is_shown_nothing_as_a_judge(site: Site):
    ann, _ = table(site)
    with site.app.app_context():
        tables = site.app.extensions["match_cache"]()
    caller = site.club.caller(ann.headers["Authorization"].removeprefix("Bearer "), ("token",))
    with tables.opened(ann.match) as opened:
        with pytest.raises(Refused) as refused:
            look_as_judge(opened, caller, opened.good)
        assert refused.value.code == "not_your_seat"
        assert ann.who.id not in opened.table.looked


def test_another_site_cannot_make_an_organizer_look_as_a_judge(site: Site):
    ann, _ = table(site)
    judge = site.person("Judge", ("organizer",))
    address = f"/api/v1/matches/{ann.match}/replay?as=all"
    sent = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert is_problem(judge.browser().get(address, headers=sent), 403, "not_from_our_page")
    with site.app.extensions["match_cache"]().opened(ann.match) as opened:
        assert judge.id not in opened.table.looked
    own = {"Sec-Fetch-Site": "same-origin"}
    assert judge.browser().get(address, headers=own).status_code == 200


def test_who_waits_too_long_for_a_file_is_told_to_come_again(site: Site, monkeypatch):
    ann, _ = table(site)
    monkeypatch.setattr(exports, "TURN_SECONDS", 0.05)
    with exports._ONE_AT_A_TIME:
        answer = site.nobody().get(f"/matches/{ann.match}/replay.html")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert site.nobody().get(f"/matches/{ann.match}/replay.html").status_code == 200


def test_no_link_of_another_site_makes_a_judge_look_at_everything(site: Site):
    ann, _ = table(site)
    judge = site.person("Judge", ("organizer", "player")).browser()
    address = f"/matches/{ann.match}/replay?at=3&as=all"
    led = judge.get(address, headers={"Sec-Fetch-Site": "cross-site"})
    assert led.status_code == 302
    assert led.headers["Location"].endswith("/replay?at=3&as=spectator")
    assert judge.get(address, headers={"Sec-Fetch-Site": "none"}).status_code == 200
