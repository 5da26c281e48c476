"""Rounds of a tournament over HTTP: started, paused, paired by hand, forfeited."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ledger.log.format.bodies import Submitter
from ledger.log.write.journal import Journal
from services.matches.cache import MatchCache
from services.matches.play import surroundings
from services.matches.tournaments import Tournaments
from tests.support.web.organizing import SMALL, seated, tournament
from tests.support.web.visitors import Site


def test_matches_of_a_tournament_say_so_and_their_players_sit_there(site: Site):
    host, people = tournament(site, 2, **SMALL, discloses=[])
    host.post("/rounds/1/draw", {})
    (done,) = host.post("/rounds/1/start")["tables"]
    match = site.program().get(f"/api/v1/matches/{done['match']}", headers=host.headers).json
    assert match["title"] == "Spring Open, round 1, table 1"
    assert {one["person"] for one in match["seats"]} == {one.id for one in people}
    events = site.program().get(f"/api/v1/matches/{done['match']}/events?limit=1").json["events"]
    assert events[0]["said"]["act"]["tournament"] == host.id
    again = host.post("/rounds/1/start")["tables"]
    assert [one["match"] for one in again] == [done["match"]]


def test_a_start_that_broke_off_goes_on_where_it_did(site: Site):
    host, _ = tournament(site, 4, **SMALL)
    host.post("/rounds/1/draw", {})
    running = Tournaments(site.club.store, MatchCache(site.club.store))
    table = running.state(host.id).round(1).table(1)
    who = Submitter(role="organizer", name=host.who.id)
    match = running._make_match(host.id, 1, table, who)
    Journal(surroundings(site.club.store), match).join(0, "Player 1", who)
    assert host.post("/rounds/1/start")["tables"][0]["match"] == match
    found = site.program().get(f"/api/v1/matches/{match}").json
    assert found["state"] == "running"
    assert [one["who"] for one in found["seats"]] == ["person", "person"]


def test_a_table_that_is_paired_anew_while_its_match_is_made_has_none_with_who_sat_there(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    host, _ = tournament(site, 4, **SMALL)
    by_hand = {"byes": [], "reason": "meanwhile"}
    host.asks("PUT", "/rounds/1", {"tables": [[1, 2], [3, 4]], **by_hand})
    whole = Journal.create

    def meanwhile(*given: Any) -> Journal:
        monkeypatch.undo()
        host.asks("PUT", "/rounds/1", {"tables": [[3, 2], [1, 4]], **by_hand})
        return whole(*given)

    monkeypatch.setattr(Journal, "create", meanwhile)
    done = host.post("/rounds/1/start")["tables"]
    assert [one["code"] for one in done] == ["paired_anew"] * 2
    again = host.post("/rounds/1/start")["tables"]
    assert [one["code"] for one in again] == ["", ""]
    tables = host.get("/rounds/1")["tables"]
    assert [[seat["player"] for seat in one["seats"]] for one in tables] == [[3, 2], [1, 4]]
    for one in tables:
        match = site.program().get(f"/api/v1/matches/{one['match']}").json
        assert [seat["name"] for seat in match["seats"]] == [seat["name"] for seat in one["seats"]]


def test_a_round_that_several_start_at_once_has_one_match_a_table(a_site):
    sites = [a_site(), a_site()]
    host, _ = tournament(sites[0], 6, **SMALL)
    host.post("/rounds/1/draw", {})
    answers: list[Any] = []

    def start(site: Site) -> None:
        url = f"/api/v1/tournaments/{host.id}/rounds/1/start"
        answers.append(site.program().post(url, headers=host.headers))

    threads = [threading.Thread(target=start, args=(one,)) for one in sites * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * 4
    host.post("/rounds/1/start")
    matches = [table["match"] for table in host.get("/rounds/1")["tables"]]
    assert len(set(matches)) == 3
    known = sites[0].program().get("/api/v1/matches").json["matches"]
    assert sorted(one["id"] for one in known if one["state"] == "running") == sorted(matches)
    assert {one["state"] for one in known} <= {"running", "abandoned"}


def test_all_tables_are_paused_resumed_and_reminded_at_once(site: Site):
    host, _ = tournament(site, 4, **SMALL)
    host.post("/rounds/1/draw", {})
    host.post("/rounds/1/start")
    asked = host.post("/rounds/1/remind")["tables"]
    assert [(one["table"], len(one["players"])) for one in asked] == [(1, 1), (2, 1)]
    assert host.get("/entries")["entries"][-1]["what"]["type"] == "reminded"
    matches = [one["match"] for one in asked]

    def states() -> list[str]:
        return [site.program().get(f"/api/v1/matches/{one}").json["state"] for one in matches]

    host.post("/rounds/1/pause", {"reason": "lunch"})
    assert states() == ["paused", "paused"]
    host.post("/rounds/1/resume", {"reason": "back"})
    assert states() == ["running", "running"]
    host.play(matches[0])
    assert [one["code"] for one in host.post("/rounds/1/results")["tables"]] == ["", "no_result"]
    host.refused("/rounds/1/close", None, 409, "not_settled")
    abandon = site.program().post(
        f"/api/v1/matches/{matches[1]}/abandon", json={"reason": "rain"}, headers=host.headers
    )
    assert abandon.status_code == 200
    assert host.post("/rounds/1/close")["closed"]
    seats = host.get("/rounds/1")["tables"][1]["seats"]
    assert [(one["place"], one["shared"], one["points"]) for one in seats] == [(1, 2, 1), (1, 2, 1)]


def test_a_round_is_paired_by_hand_as_long_as_its_tables_have_no_match(site: Site):
    host, _ = tournament(site, 5, **SMALL)
    host.post("/rounds/1/draw", {})
    tables = {"tables": [[1, 2], [3, 4]], "byes": [5], "reason": "they asked for it"}
    found = host.asks("PUT", "/rounds/1", tables).json
    assert (seated(found), found["by_hand"]) == ([1, 2, 3, 4], "they asked for it")
    redrawn = host.post("/rounds/1/draw", {"reason": "no"})
    assert redrawn["by_hand"] == ""
    host.asks("PUT", "/rounds/1", tables)
    for wrong in (
        {"tables": [[1, 2], [3, 4]], "byes": []},
        {"tables": [[1, 2], [3, 4]], "byes": [5, 1]},
        {"tables": [[1, 2], [3, 4]], "byes": [5, 9]},
        {"tables": [[1, 2, 3]], "byes": [4, 5]},
    ):
        host.refused("/rounds/1", {**wrong, "reason": "x"}, 422, "bad_pairing", "PUT")
    host.post("/rounds/1/tables/2/forfeits", {"players": [3, 4], "why": "no show"})
    moved = {"tables": [[5, 2], [3, 4]], "byes": [1], "reason": "y"}
    assert seated(host.asks("PUT", "/rounds/1", moved).json) == [5, 2, 3, 4]
    host.post("/rounds/1/start")
    host.refused("/rounds/1", tables | {"reason": "late"}, 409, "round_begun", "PUT")
    host.refused("/rounds/1/draw", {}, 409, "round_begun")
    double = host.get("/rounds/1")["tables"][1]["seats"]
    assert [(one["place"], one["points"]) for one in double] == [(0, 0), (0, 0)]


def test_a_forfeit_by_clock_is_to_be_seen_in_the_log(site: Site):
    host, _ = tournament(site, 2, **SMALL, clock={"kind": "decision", "seconds": 1})
    found = host.post("/rounds/1/draw", {})
    (done,) = host.post("/rounds/1/start")["tables"]
    journal = Journal(surroundings(site.club.store), done["match"])
    seat = journal.match().asked()[0]
    late = found["tables"][0]["seats"][seat]["player"]
    said = {"players": [late], "why": "clock"}
    host.refused("/rounds/1/tables/1/forfeits", said, 409, "no_time_out")
    option = journal.match().options(seat)[0]
    journal.decide(seat, option, Submitter(role="clock"))
    version = journal.history.tip.version
    host.post("/rounds/1/tables/1/forfeits", said)
    (forfeit,) = host.get("/rounds/1")["tables"][0]["forfeits"]
    assert (forfeit["version"], forfeit["why"]) == (version, "clock")
    host.play(done["match"])
    host.post("/rounds/1/close")
    places = {
        one["player"]: (one["place"], one["points"])
        for one in host.get("/rounds/1")["tables"][0]["seats"]
    }
    assert places == {late: (0, 0), 3 - late: (1, 2)}


def test_what_is_not_there_is_said_so(site: Site):
    host, _ = tournament(site, 2, **SMALL)
    host.refused("/rounds/1", None, 404, "no_such_round", "GET")
    host.refused("/rounds/3/draw", {}, 404, "no_such_round")
    host.refused("/players/9/drop", {}, 404, "no_such_player")
    host.post("/rounds/1/draw", {})
    host.refused("/rounds/1/tables/9/approve", {}, 404, "no_such_table")
    host.refused("/rounds/1/tables/1/approve", {}, 409, "no_result")
    correction = {"winners": [], "scores": [], "reason": "x"}
    host.refused("/rounds/1/tables/1/correction", correction, 409, "no_result")
    said = {"players": [9], "why": "ruling"}
    host.refused("/rounds/1/tables/1/forfeits", said, 404, "no_such_player")
    said = {"players": [1], "why": "clock"}
    host.refused("/rounds/1/tables/1/forfeits", said, 409, "no_match")
    host.post("/rounds/1/tables/1/forfeits", {"players": [1, 2], "why": "no show"})
    for bad in ({"winners": [2], "scores": [1, 2]}, {"winners": [0], "scores": [1]}):
        host.refused("/rounds/1/tables/1/correction", {**bad, "reason": "x"}, 422, "bad_result")
    host.refused("/end", {}, 409, "round_open")
    host.post("/rounds/1/close")
    host.refused("/rounds/1/start", None, 409, "round_closed")
    host.post("/end", {})
    host.refused("/players", {}, 409, "tournament_over")
    host.id = "x" * 16
    host.refused("", None, 404, "no_such_tournament", "GET")
