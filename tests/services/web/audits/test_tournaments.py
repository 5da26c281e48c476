"""Audits of tournaments: by workers, with progress, through a `kill -9`, and the same each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from replays.audit.document import pack_document
from services.jobs.queue import progress_key, server_at
from services.jobs.tournament_audits import tournament_audit
from tests.support.servers import Server
from tests.support.services.processes import wait_until
from tests.support.services.workers import Working
from tests.support.web.organizing import Host, tournament
from tests.support.web.visitors import Site, is_problem

SMALL: dict[str, Any] = {"ruleset": "tictactoe", "seats": 2, "rounds": 3}


def run(host: Host, rounds: int) -> None:
    """Rounds that are drawn, played, read and closed."""
    for number in range(1, rounds + 1):
        host.post(f"/rounds/{number}/draw")
        host.play_round(number)
        host.post(f"/rounds/{number}/close")


def report(host: Host) -> Any:
    return host.asks("GET", "/audit/report", ok=False)


def test_a_tournament_is_audited_match_by_match_with_its_standings(site: Site):
    host, _ = tournament(site, 4, **SMALL)
    run(host, 2)
    found = report(host)
    assert found.status_code == 200
    said = found.json
    assert (said["verdict"], len(said["matches"])) == ("ok", 4)
    assert {line["verdict"] for line in said["matches"]} == {"VALID, NOT ANCHORED"}
    assert said["book"]["troubles"] == []
    standings = host.get("/standings")["rows"]
    assert [row["name"] for row in said["book"]["standings"]["rows"]] == [
        row["name"] for row in standings
    ]
    assert found.data == pack_document(tournament_audit(site.club.store, host.id))
    page = site.program().get(f"/tournaments/{host.id}/audit", headers=host.headers)
    assert "Nothing is wrong" in page.text
    file = site.program().get(f"/tournaments/{host.id}/audit.html", headers=host.headers)
    assert "<script" not in file.text


def test_only_who_runs_it_gets_its_audit(site: Site):
    host, people = tournament(site, 2, **SMALL)
    path = f"/tournaments/{host.id}/audit"
    for address in (f"/api/v1{path}/report", path, f"{path}.html"):
        token = people[0].token("read", "play")
        assert site.program().get(address, headers=token).status_code == 403
        assert site.program().get(address).status_code in (302, 303, 401)


def test_running_matches_are_audited_as_spectators_may_know_them(site: Site):
    host, _ = tournament(site, 4, **SMALL, options={"opening": "sealed"})
    host.post("/rounds/1/draw")
    host.post("/rounds/1/start")
    said = report(host).json
    assert said["verdict"] == "ok"
    assert {line["verdict"] for line in said["matches"]} == {
        "VALID AS FAR AS DISCLOSED, NOT ANCHORED"
    }


def made_by_workers(
    busy: Site, host: Host, worker: Callable[[], Working], *, kill: bool
) -> tuple[bytes, list[int]]:
    """The report as two workers make it, one of whom may be killed in between; how far it was."""
    far: list[int] = []

    def ready() -> bool:
        answer = report(host)
        assert answer.status_code in (200, 202), answer.text
        if answer.status_code == 202 and answer.json["done"] not in far:
            far.append(answer.json["done"])
            if kill and len(far) == 2:
                hands[0].kill()
                hands.append(worker())
        return bool(answer.status_code == 200)

    assert report(host).status_code == 202
    hands = [worker(), worker()]
    assert wait_until(ready, 600)
    for hand in hands:
        hand.kill()
    return report(host).data, far


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        (8, 2),
        pytest.param(128, 1, marks=[pytest.mark.full, pytest.mark.timeout(1_200)]),
    ],
)
def test_two_workers_make_it_with_progress_and_a_killed_one_changes_nothing(
    busy: Site, worker: Callable[[], Working], jobs_server: Server, players: int, rounds: int
):
    host, _ = tournament(busy, players, **SMALL)
    run(host, rounds)
    first, far = made_by_workers(busy, host, worker, kill=True)
    assert far == sorted(far)
    assert len(far) > 1, "nobody was told how far it is"
    server_at(jobs_server.url).flushall()
    again, _ = made_by_workers(busy, host, worker, kill=False)
    assert first == again
    assert first == pack_document(tournament_audit(busy.club.store, host.id))


def test_with_all_matches_done_it_is_no_more_as_far_as_before(
    busy: Site, worker: Callable[[], Working], jobs_server: Server
):
    host, _ = tournament(busy, 8, **SMALL)
    run(host, 1)
    made_by_workers(busy, host, worker, kill=False)
    server = server_at(jobs_server.url)
    (whole,) = server.keys("tournament_audit:*")
    server.delete(whole)
    waits = report(host).json
    assert (waits["done"], waits["of"]) == (4, 5)
    server.set(progress_key(waits["job"]), "1 5")  # the last job counts for itself
    said = report(host).json
    assert (said["job"], said["done"], said["of"]) == (waits["job"], 4, 5)


def test_without_its_server_no_audit_is_promised(busy: Site, jobs_server: Server):
    host, _ = tournament(busy, 2, **SMALL)
    jobs_server.kill()
    assert is_problem(report(host), 503, "unavailable")
