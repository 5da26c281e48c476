"""Re-projections over HTTP: which matches, how far, what came out, and for whom that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.games import GAMES, ruleset
from ledger.log.read.history import History
from ledger.log.stores.segments.witness import Witness
from replays.reproject.change import Change, with_errata
from replays.reproject.erratum_file import read_erratum
from replays.reproject.judge import reproject
from services.jobs.queue import JobQueue, server_at
from services.jobs.reprojection.kept import KeptRun
from services.projector.loop import Projector
from tests.services.cli.errata.test_files import CLUB
from tests.services.web.editions.test_api import BAD
from tests.support.servers import Server
from tests.support.services.processes import wait_until
from tests.support.services.settled import settle
from tests.support.services.workers import Working
from tests.support.web.organizing import Host, tournament
from tests.support.web.visitors import Site, Visitor, is_problem

SMALL: dict[str, Any] = {
    "ruleset": "tictactoe",
    "seats": 2,
    "rounds": 3,
    "edition": "printed",
    "discloses": ["decisions", "outcomes", "chance"],
}
ERRATUM = {"ruleset": "tictactoe", "edition": "e2"}
RUNS = "/api/v1/reprojections"
OF_ANOTHER_GAME = """
id = "club.02"
ruleset = "hegemonic"
date = "2027-01-01"
scope = "retroactive"
text = "Support counts what the places are worth."
[readings]
"support.value" = "location-power"
"""


@pytest.fixture
def busy(a_site: Callable[..., Site], jobs_server: Server) -> Site:
    return a_site(jobs_url=jobs_server.url)


@pytest.fixture
def queue(jobs_server: Server) -> Iterator[JobQueue]:
    server = server_at(jobs_server.url)
    yield JobQueue(server)
    server.close()


def played(site: Site, players: int = 4, rounds: int = 2, **more: Any) -> Host:
    host, _ = tournament(site, players, **{**SMALL, **more})
    for number in range(1, rounds + 1):
        host.post(f"/rounds/{number}/draw")
        host.play_round(number)
        host.post(f"/rounds/{number}/close")
    return host


def matches_of(host: Host) -> list[str]:
    rounds = host.get("/rounds")["rounds"]
    return sorted(table["match"] for one in rounds for table in one["tables"])


def ask(site: Site, who: Visitor, body: Any, path: str = "") -> Any:
    organizer = who.site.club.people().person(who.id).organizer
    headers = who.token("read", "play", *(["organize"] if organizer else []))
    return site.program().post(RUNS + path, json=body, headers=headers)


def got(site: Site, path: str, who: Visitor | None = None) -> Any:
    headers = {} if who is None else who.token("read")
    return site.program().get(RUNS + path, headers=headers)


def test_a_tournament_is_re_projected_with_its_standings_and_every_match(
    busy: Site, worker: Callable[[], Working], queue: JobQueue
):
    host = played(busy)
    bob = busy.person("Bob")
    body = {**ERRATUM, "tournament": host.id}
    answer = ask(busy, bob, body)
    assert answer.status_code == 202, answer.text
    run = answer.json["id"]
    assert (answer.json["of"], answer.json["left_out"]) == (4, {"unopened": 0, "parked": 0})
    assert ask(busy, bob, body).json["id"] == run, "the same for who asks for the same"
    waits = got(busy, f"/{run}/table")
    assert (waits.status_code, waits.json["done"]) == (202, 0)
    worker()
    assert wait_until(lambda: got(busy, f"/{run}").json["state"] == "done", 90)
    report = got(busy, f"/{run}/table").json
    store = busy.club.store
    assert [line["source"] for line in report["matches"]] == matches_of(host)
    for line in report["matches"]:
        history = History.of(store, line["match"], ruleset)
        expected = reproject(history, Change(edition="e2"))
        assert line["verdict"] == expected.verdict
        found = got(busy, f"/{run}/matches/{line['match']}").json
        assert found["verdict"] == expected.verdict
        assert found["head"] == history.tip.head.hex(), "what is stored is as it was"
    names = {row["name"] for row in report["standings"]["rows"]}
    assert names == {row["name"] for row in host.get("/standings")["rows"]}
    csv = got(busy, f"/{run}/table.csv")
    assert csv.mimetype == "text/csv"
    assert csv.text.splitlines()[0].startswith("source,match,ruleset")
    assert len(csv.text.splitlines()) == 5
    other = ask(busy, bob, {**body, "edition": None, "errata": [CLUB]}).json["id"]
    assert wait_until(lambda: got(busy, f"/{other}").json["state"] == "done", 60)
    by_file = with_errata(Change(), [read_erratum(CLUB, ruleset, GAMES)])
    for match in matches_of(host):
        expected = reproject(History.of(store, match, ruleset), by_file)
        assert got(busy, f"/{other}/matches/{match}").json["verdict"] == expected.verdict
    assert got(busy, f"/{other}/table").json["table"]["change"] == "club.01"
    beside = f"/api/v1/matches/{match}/compare?run={other}"
    assert wait_until(lambda: busy.program().get(beside).status_code == 200, 60)
    assert busy.program().get(beside).json["b"] == "club.01"
    apart = got(busy, f"/{run}/against/{other}").json["matches"]
    assert {one["match"] for one in apart} <= set(matches_of(host))
    assert got(busy, f"/{run}/against/{run}").json["matches"] == []
    assert is_problem(got(busy, f"/{run}/matches/nowhere"), 404, "not_found")
    assert is_problem(got(busy, f"/{'0' * 32}"), 404, "not_found")


def test_running_matches_are_for_organizers_who_ask_for_them_and_that_is_noted(
    busy: Site, queue: JobQueue
):
    host = played(busy, rounds=1)
    host.post("/rounds/2/draw")
    host.post("/rounds/2/start")
    bob, ann = busy.person("Bob"), host.who
    all_of_them = {**ERRATUM, "tournament": host.id}
    plain = ask(busy, bob, all_of_them).json
    assert (plain["of"], plain["left_out"]["unopened"]) == (2, 2)
    more = {**all_of_them, "unopened": True}
    assert is_problem(ask(busy, bob, more), 403, "not_entitled")
    whole = ask(busy, ann, more).json
    assert (whole["of"], whole["left_out"]["unopened"]) == (4, 0)
    running = [one for one in matches_of(host) if one not in _of(queue, plain["id"])]
    tables = busy.app.extensions["match_cache"]()
    for match in running:
        with tables.opened(match) as opened:
            assert opened.table.looked[ann.id] == opened.history.tip.version
    # What came of it is for whoever asked, and there is no such run for anybody else.
    for path in ("", "/table", "/table.csv", f"/matches/{running[0]}", f"/against/{plain['id']}"):
        assert is_problem(got(busy, f"/{whole['id']}{path}", bob), 404, "not_found")
        assert got(busy, f"/{whole['id']}{path}").status_code == 401
    assert got(busy, f"/{whole['id']}", ann).status_code == 200
    assert got(busy, f"/{plain['id']}").status_code == 200, "these are open to everybody"


def _of(queue: JobQueue, run: str) -> set[str]:
    asked = KeptRun(queue, run).asked
    assert asked is not None
    return {one.match for one in asked.matches}


def test_an_organizer_who_plays_there_gets_nothing_that_is_hidden_from_him(busy: Site):
    ann = busy.founder()
    made = ann.asks("POST", "/matches", {"ruleset": "tictactoe", "seats": 2}).json["id"]
    ann.asks("PUT", f"/matches/{made}/seats/0", {})
    ann.asks("PUT", f"/matches/{made}/seats/1/bot", {"bot": "random"})
    assert ann.asks("POST", f"/matches/{made}/start").status_code == 200
    body = {**ERRATUM, "matches": [made], "unopened": True}
    assert is_problem(ask(busy, ann, body), 422, "invalid")
    compared = f"/api/v1/matches/{made}/compare?b=e2"
    for word in ("", "&as=0", "&as=spectator"):
        answer = busy.program().get(compared + word, headers=ann.token("read"))
        assert is_problem(answer, 403, "not_entitled")
    answer = busy.program().get(f"{compared}&as=all", headers=ann.token("read", "organize"))
    assert is_problem(answer, 403, "not_your_seat")


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"edition": None}, 422, "invalid"),
        ({"edition": "e99"}, 422, "unknown_edition"),
        ({"ruleset": "chess"}, 404, "unknown_ruleset"),
        ({"readings": {"no.such": 1}}, 422, "unknown_reading"),
        ({"errata": [BAD]}, 422, "invalid"),
        ({"errata": [OF_ANOTHER_GAME]}, 422, "bad_value"),
        ({"readings": {"lines/rising/cells": "{{}}"}}, 422, None),
        ({"matches": ["nowhere"]}, 404, "no_such_match"),
        ({"tournament": "nowhere"}, 404, "no_such_tournament"),
        ({"policies": {"illegal": "maybe"}}, 422, "invalid"),
        ({"policies": {"bot": "nobody"}}, 422, "invalid"),
        ({"match_seconds": 0}, 422, "invalid"),
        ({"surprise": 1}, 422, "invalid"),
    ],
)
def test_what_cannot_be_asked_is_refused_and_nothing_is_begun(
    busy: Site, queue: JobQueue, more: Any, status: int, code: str | None
):
    answer = ask(busy, busy.founder(), {**ERRATUM, **more})
    assert answer.status_code == status, answer.text
    if code is not None:
        assert is_problem(answer, status, code)
    assert queue.server.keys("reprojection*") == []


def test_how_many_it_could_touch_is_counted_from_the_index_without_a_fold(
    busy: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    host = played(busy, rounds=2)
    bob = busy.person("Bob")
    body = {**ERRATUM, "tournament": host.id}
    unknown = ask(busy, bob, body, "/touched").json
    assert unknown == {
        "matches": 4, "touched": 0, "unindexed": 4, "left_out": {"unopened": 0, "parked": 0},
    }  # fmt: skip
    store = busy.club.store
    witness = Witness(tmp_path / "segments")
    projector = Projector(store, ruleset, witness)  # type: ignore[arg-type]
    settle(projector)
    projector.stop()
    monkeypatch.setattr("replays.reproject.projection.fold", None)
    found = ask(busy, bob, body, "/touched").json
    monkeypatch.undo()
    assert found["unindexed"] == 0
    changed = {
        match: reproject(History.of(store, match, ruleset), Change(edition="e2")).verdict
        for match in matches_of(host)
    }
    assert found["touched"] >= sum(verdict != "unchanged" for verdict in changed.values())
    never = {**body, "edition": None, "readings": {"opening.clash": "rolled"}}
    assert ask(busy, bob, never, "/touched").json["touched"] == 0


def test_a_match_is_held_under_two_editions_side_by_side(site: Site):
    host = played(site, rounds=1)
    match = matches_of(host)[0]
    found = site.program().get(f"/api/v1/matches/{match}/compare?b=e1").json
    assert (found["format"], found["a"], found["b"]) == ("hegemon-comparison", "as it was", "e1")
    assert found["board_a"]["cells"]
    at = found["last"] - 1
    there = site.program().get(f"/api/v1/matches/{match}/compare?b=e2&at={at}").json
    assert there["at"] == at
    assert any(line["version"] == at for line in there["lines"])
    for word, status in (("b=e99", 422), ("b=e1&at=99999", 404), ("reading=nothing%3D1", 422)):
        answer = site.program().get(f"/api/v1/matches/{match}/compare?{word}")
        assert answer.status_code == status


def test_without_workers_nothing_is_promised(site: Site):
    host = played(site, rounds=1)
    nothing = {**ERRATUM, "ruleset": "hegemonic", "edition": "err.01"}
    assert is_problem(ask(site, host.who, nothing), 422, "invalid")
    assert is_problem(ask(site, host.who, {**ERRATUM, "tournament": host.id}), 503, "unavailable")
