"""A tournament over HTTP: thirteen players at tables of four, and all that happens to them."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.starting import surroundings
from tests.support.web.organizing import SMALL, Host, seated, tournament
from tests.support.web.visitors import Site, is_problem

ROOT = Path(__file__).resolve().parents[4]
GAME = {"ruleset": "hegemonic", "seats": 4, "rounds": 3, "late_until": 2, "late_points": 2}


def figure(standings: dict[str, Any], player: int, by: str = "points") -> dict[str, Any]:
    row = next(one for one in standings["rows"] if one["player"] == player)
    return next(one for one in row["figures"] if one["by"] == by)


def items(standings: dict[str, Any], player: int) -> list[tuple[int, str, int]]:
    found = figure(standings, player)["items"]
    return [(one["round"], one["what"], one["value"]) for one in found]


AGAIN = """
import sys
from ledger.club.tournament.standings import pack_standings
from services.run.stores import standing_store
from services.run.settings import read_settings
from services.matches.tournaments import audit_book
store = standing_store(read_settings(), 5.0)
found = audit_book(store, sys.argv[1])
assert found.troubles == (), found.troubles
sys.stdout.buffer.write(pack_standings(found.standings))
"""


def made_again(site: Site, host: Host) -> bytes:
    """The standings from the book and the logs alone, in a process of its own."""
    url = site.settings.ledger_url
    done = subprocess.run(
        [sys.executable, "-c", AGAIN, host.id],
        env=surroundings(HEGEMON_LEDGER_URL=str(url), PYTHONHASHSEED="7"),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_a_swiss_of_thirteen_at_tables_of_four(site: Site):
    host, people = tournament(site, 13, **GAME)
    first = host.post("/rounds/1/draw", {})
    assert sorted(seated(first) + [one["player"] for one in first["byes"]]) == list(range(1, 14))
    assert [len(table["seats"]) for table in first["tables"]] == [4, 4, 4]
    (bye,) = first["byes"]

    # A round is played: two tables to the end, at the third somebody does not come.
    host.refused("/rounds/2/draw", {}, 409, "round_open")
    missing = first["tables"][2]["seats"][1]["player"]
    host.post("/rounds/1/tables/3/forfeits", {"players": [missing], "why": "no show"})
    host.play_round(1)
    assert host.get("/rounds/1")["tables"][2]["match"] == ""
    host.post("/rounds/1/results")
    read = host.get("/rounds/1")["tables"]
    assert [table["settled"] for table in read] == [True, True, True]
    assert [table["approved"] for table in read] == [False, False, False]
    for table in read[:2]:
        log = site.program().get(f"/api/v1/matches/{table['match']}").json
        said = table["readings"][0]
        assert said["scores"] == log["result"]["scores"]
        assert said["winners"] == log["result"]["winners"]
        assert (said["version"], said["head"]) == (log["version"], log["head"])
    host.post("/rounds/1/tables/1/approve", {})
    assert host.post("/rounds/1/close")["closed"]
    standings = host.get("/standings")
    assert items(standings, bye["player"]) == [(1, "bye", 6)]
    assert items(standings, missing) == [(1, "forfeit", 0)]
    others = [one["player"] for one in read[2]["seats"] if one["player"] != missing]
    assert {tuple(items(standings, one)) for one in others} == {((1, "places 1 to 3 shared", 8),)}

    # One leaves, one comes late, and who had the bye plays.
    gone = people[seated(first)[0] - 1]
    drop = f"/tournaments/{host.id}/players/{seated(first)[0]}/drop"
    assert gone.asks("POST", drop, {"reason": "a train"}).status_code == 200
    late = site.person("Late Comer")
    asks = late.asks("POST", f"/tournaments/{host.id}/players", {})
    assert is_problem(asks, 409, "entry_closed")
    host.post("/players", {"person": late.id})
    assert items(host.get("/standings"), 14) == [(1, "missed", 2)]
    second = host.post("/rounds/2/draw", {})
    there = seated(second) + [one["player"] for one in second["byes"]]
    assert sorted(there) == sorted({*range(1, 15)} - {seated(first)[0]})
    assert bye["player"] in seated(second)
    # Four who sat at one table cannot all be parted at three, unless one of them sits out.
    assert second["draw"]["rematches"] in (0, 1)
    assert second["draw"]["exact"]
    host.play_round(2)
    host.post("/rounds/2/close")

    # A result is corrected; what the log says stays to be seen, and the standings follow.
    table = host.get("/rounds/2")["tables"][0]
    before = {one["player"]: one["points"] for one in table["seats"]}
    scores = list(reversed(range(4)))
    correction = {"winners": [0], "scores": scores, "reason": "two pieces were counted twice"}
    after = host.post("/rounds/2/tables/1/correction", correction)["tables"][0]
    assert after["readings"] == table["readings"]
    assert [one["points"] for one in after["seats"]] == [12, 8, 4, 0]
    assert [one["score"] for one in after["seats"]] == scores
    assert after["corrections"][0]["reason"] == "two pieces were counted twice"
    assert sum(before.values()) == sum(one["points"] for one in after["seats"])

    host.post("/rounds/3/draw", {})
    host.play_round(3)
    host.post("/rounds/3/close")
    host.refused("/rounds/4/draw", {}, 409, "rounds_over")
    host.post("/end", {})
    standings = host.asks("GET", "/standings")
    check_figures(standings.json, 14)
    assert standings.json["final"]
    assert standings.json["approved"]
    assert made_again(site, host) == standings.data
    audit = host.get("/audit")
    assert (audit["draws"], audit["results"], audit["troubles"]) == (3, 8, [])
    assert audit["standings"] == standings.json


def check_figures(standings: dict[str, Any], players: int) -> None:
    """Everybody is there once, in order, and each figure is the sum of its parts."""
    rows = standings["rows"]
    assert sorted(row["player"] for row in rows) == list(range(1, players + 1))
    for row in rows:
        for one in row["figures"]:
            assert one["value"] == sum(item["value"] for item in one["items"])
    order = [[one["value"] for one in row["figures"]] for row in rows]
    assert order == sorted(order, reverse=True)
    assert [row["rank"] for row in rows] == list(range(1, players + 1))


def test_what_is_taken_away_as_csv_says_the_same_and_is_no_formula(site: Site):
    host, _ = tournament(site, 2, **SMALL)
    evil = site.person('=HYPERLINK("http://evil")')
    assert evil.asks("POST", f"/tournaments/{host.id}/players", {}).status_code == 201
    host.post("/rounds/1/draw", {})
    host.play_round(1)
    host.post("/rounds/1/close")
    for what, rows in (("pairings", 4), ("results", 4), ("standings", 4)):
        answer = host.asks("GET", f"/{what}.csv")
        assert answer.mimetype == "text/csv"
        assert f"{host.id}-{what}.csv" in answer.headers["Content-Disposition"]
        lines = list(csv.DictReader(io.StringIO(answer.text)))
        assert len(lines) == rows - 1
        names = sorted(line["name"] for line in lines)
        assert names == ['\'=HYPERLINK("http://evil")', "Player 1", "Player 2"]
    standings = host.get("/standings")
    points = {line["player"]: line["points"] for line in lines}
    assert points == {str(n): str(figure(standings, n)["value"]) for n in (1, 2, 3)}


def test_pairings_are_printed_without_script_and_names_are_only_text(site: Site):
    host, _ = tournament(site, 2, **SMALL)
    evil = site.person("<script>alert(1)</script>")
    evil.asks("POST", f"/tournaments/{host.id}/players", {})
    host.post("/rounds/1/draw", {})
    page = site.nobody().get(f"/tournaments/{host.id}/pairings/1")
    assert page.status_code == 200
    assert "<script" not in page.text
    assert "&lt;script&gt;alert(1)" in page.text
    assert host.get("/rounds/1")["draw"]["seed"] in page.text
    for name in ("Player 1", "Player 2"):
        assert page.text.count(name) == 2
    assert site.nobody().get(f"/tournaments/{host.id}/pairings/2").status_code == 404
    address = re.search(r'href="(/static/pairings\.css[^"]*)"', page.text)
    assert address is not None
    with site.nobody().get(address[1]) as style:
        assert "@media print" in style.text


def test_only_who_runs_it_runs_it(site: Site):
    host, people = tournament(site, 2, **SMALL)
    path = f"/tournaments/{host.id}"
    bob = people[0]
    for method, route, body in (
        ("POST", "/rounds/1/draw", {}),
        ("POST", "/end", {}),
        ("GET", "/audit", None),
        ("POST", "/players/2/drop", {}),
        ("POST", "/players", {"person": people[1].id}),
    ):
        assert is_problem(bob.asks(method, path + route, body), 403, "not_entitled")
    assert is_problem(
        bob.asks("POST", "/tournaments", {"title": "x", **SMALL}), 403, "not_entitled"
    )
    assert is_problem(bob.asks("POST", path + "/players", {}), 409, "entered_already")
    assert bob.asks("POST", path + "/players/1/drop", {}).status_code == 200
    assert is_problem(bob.asks("POST", path + "/players/1/drop", {}), 409, "dropped_already")
    assert bob.asks("POST", path + "/players", {}).status_code == 201


def test_a_tournament_of_members_is_for_members(site: Site):
    host, people = tournament(site, 2, **SMALL, looking="members")
    for path in ("", "/standings", "/standings.csv", "/rounds", "/pairings.csv"):
        address = f"/tournaments/{host.id}{path}"
        answer = site.program().get(f"/api/v1{address}")
        assert is_problem(answer, 401, "not_signed_in")
        assert people[0].asks("GET", address).status_code == 200
    assert site.program().get("/api/v1/tournaments").json["tournaments"] == []
    (line,) = people[0].asks("GET", "/tournaments").json["tournaments"]
    assert (line["id"], line["players"], line["state"]) == (host.id, 2, "open")


@pytest.mark.parametrize(
    ("terms", "status", "code"),
    [
        ({"ruleset": "chess"}, 404, "unknown_ruleset"),
        ({"seats": 3}, 422, "bad_sizes"),
        ({"ruleset": "hegemonic", "seats": 4, "sizes": [5]}, 422, "bad_sizes"),
        ({"places": [{"seats": 2, "points": [1, 2]}]}, 422, "bad_points"),
        ({"places": [{"seats": 2, "points": [1]}]}, 422, "bad_points"),
        ({"edition": "e99"}, 422, "unknown_edition"),
        ({"options": {"nothing": 1}}, 422, "unknown_reading"),
        ({"content": {"nothing": {}}}, 422, "bad_value"),
        ({"method": "knockout"}, 422, "invalid"),
        ({"rounds": 0}, 422, "invalid"),
    ],
)
def test_terms_that_no_match_could_be_made_with_are_refused(site: Site, terms, status, code):
    host = Host(site, site.founder())
    answer = host.asks("POST", "", {"title": "x", **SMALL, **terms}, ok=False)
    assert is_problem(answer, status, code)
    assert host.get()["tournaments"] == []


def test_the_book_can_be_read_by_members_and_names_the_heads_of_results(site: Site):
    host, _ = tournament(site, 2, **SMALL)
    host.post("/rounds/1/draw", {})
    host.play_round(1)
    host.post("/rounds/1/close")
    entries = host.get("/entries")["entries"]
    kinds = [one["what"]["type"] for one in entries]
    assert kinds == [
        *("tournament-made", "player-entered", "player-entered", "round-paired", "match-made"),
        *("result-read", "result-approved", "round-closed"),
    ]
    assert [one["entry"] for one in entries] == list(range(1, 9))
    read = next(one["what"] for one in entries if one["what"]["type"] == "result-read")
    match = site.program().get(f"/api/v1/matches/{read['match']}").json
    assert (read["version"], read["head"]) == (match["version"], match["head"])
    assert json.dumps(entries)
