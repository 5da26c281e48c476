"""Tournaments whose matches are seen later: so are results, but for who plays or runs it."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.log.write.journal import Journal
from services.matches.cache import MatchCache
from services.matches.play import bots_for, play_on, surroundings
from services.matches.tournaments import Tournaments
from services.web.matches.view import place_in_tournament
from tests.support.web.organizing import SMALL, Host, tournament
from tests.support.web.seated import table
from tests.support.web.visitors import Site, Visitor

HOUR = 3_600
PATHS = [
    "",
    "/rounds",
    "/rounds/1",
    "/standings",
    "/pairings.csv",
    "/results.csv",
    "/standings.csv",
    "/entries",
]


@pytest.fixture
def timed(site: Site) -> Site:
    """All go by the clock of the test."""
    store = site.club.store
    tables = MatchCache(store, site.clock)
    tournaments = Tournaments(store, tables, site.clock)
    site.app.extensions["match_cache"] = lambda: tables
    site.app.extensions["tournaments"] = lambda: tournaments
    return site


def started(site: Site, delay: int = HOUR, **terms: Any) -> tuple[Host, list[Visitor]]:
    """A tournament of two tables that are being played; the players by their numbers."""
    host, people = tournament(site, 4, **SMALL, delay=delay, **terms)
    host.post("/rounds/1/draw", {})
    host.post("/rounds/1/start")
    site.clock.now += 1_000
    return host, people


def played(site: Site, delay: int = HOUR) -> tuple[Host, list[Visitor]]:
    """... and have been, and nothing is read yet."""
    host, people = started(site, delay)
    for one in host.get("/rounds/1")["tables"]:
        journal = Journal(surroundings(site.club.store, site.clock), one["match"])
        play_on(journal, bots_for(["random"], 2))
    return host, people


def decided(host: Host) -> None:
    """All that can be said of the ends of tables."""
    assert all(not one["code"] for one in host.post("/rounds/1/results")["tables"])
    host.post("/rounds/1/tables/1/approve", {})
    players = [one["player"] for one in host.get("/rounds/1")["tables"][1]["seats"]]
    wrong = {"winners": [1], "scores": [0, 1], "reason": "a slip"}
    host.post("/rounds/1/tables/2/correction", wrong)
    forfeit = {"players": players[:1], "why": "ruling", "reason": "cheated"}
    host.post("/rounds/1/tables/2/forfeits", forfeit)


def shown(site: Site, host: Host, who: Visitor | None) -> dict[str, str]:
    """Returns a visitor's answers, by path."""
    headers = {} if who is None else who.token("read")
    client = site.program()
    found = {
        path: client.get(f"/api/v1/tournaments/{host.id}{path}", headers=headers) for path in PATHS
    }
    page = client.get(f"/tournaments/{host.id}/pairings/1", headers=headers)
    found["page"] = page
    return {path: one.text if one.status_code == 200 else "" for path, one in found.items()}


def test_results_are_told_to_nobody_who_may_not_know_the_ends_of_the_matches(timed: Site):
    host, _ = played(timed)
    eyes = [None, timed.person("Watcher")]
    before = [shown(timed, host, one) for one in eyes]
    decided(host)
    assert [shown(timed, host, one) for one in eyes] == before
    tables = host.get("/rounds/1")["tables"]
    assert [one["settled"] for one in tables] == [True, True]
    assert tables[1]["corrections"][0]["reason"] == "a slip"
    assert any(row["figures"][0]["value"] for row in host.get("/standings")["rows"])
    assert len(host.get("/entries")["entries"]) > before[1]["/entries"].count('"entry"')


def test_who_runs_it_sees_all_with_any_token_of_theirs(timed: Site):
    host, _ = played(timed)
    decided(host)
    mine = shown(timed, host, host.who)
    assert [one["settled"] for one in host.get("/rounds/1")["tables"]] == [True, True]
    assert "a slip" in mine["/rounds/1"]
    assert "result-corrected" in mine["/entries"]


def test_who_plays_sees_the_end_of_their_own_table_and_of_no_other(timed: Site):
    host, people = played(timed)
    decided(host)
    numbers = [one["player"] for one in host.get("/rounds/1")["tables"][0]["seats"]]
    for number, one in enumerate(people, 1):
        answer = timed.program().get(
            f"/api/v1/tournaments/{host.id}/rounds/1", headers=one.token("read")
        )
        settled = [table["settled"] for table in answer.json["tables"]]
        assert settled == [number in numbers, number not in numbers]


def test_they_are_told_as_soon_as_the_ends_are_seen(timed: Site):
    host, _ = played(timed)
    decided(host)
    whole = shown(timed, host, host.who)
    timed.clock.now += HOUR * 1_000 - 1
    assert shown(timed, host, None)["/rounds"] != whole["/rounds"]
    timed.clock.now += 1
    now = shown(timed, host, None)
    for path in ("/rounds", "/rounds/1", "/standings", "/results.csv", "/standings.csv"):
        assert now[path] == whole[path]
    assert shown(timed, host, timed.person("Watcher")) == whole | {"": now_as_member(timed, host)}


def now_as_member(site: Site, host: Host) -> str:
    answer = site.program().get(f"/api/v1/tournaments/{host.id}", headers=host.headers)
    return str(answer.text)


def test_the_close_of_the_round_tells_everybody(timed: Site):
    host, _ = played(timed)
    host.post("/rounds/1/close")
    assert shown(timed, host, None)["/rounds"] == shown(timed, host, host.who)["/rounds"]
    assert all(one["approved"] for one in host.get("/rounds/1")["tables"])


def test_who_is_to_decide_is_told_no_sooner_than_the_match_is_seen(timed: Site):
    host, _ = started(timed)
    for one in host.get("/rounds/1")["tables"]:
        journal = Journal(surroundings(timed.club.store, timed.clock), one["match"])
        journal.decide(0, journal.match().options(0)[0])
    watcher = timed.person("Watcher")
    before = shown(timed, host, watcher)
    assert len(host.post("/rounds/1/remind")["tables"]) == 2
    assert shown(timed, host, watcher) == before
    timed.clock.now += HOUR * 1_000
    assert "reminded" in shown(timed, host, watcher)["/entries"]


def test_without_a_delay_all_is_told_at_once(timed: Site):
    host, _ = played(timed, delay=0)
    decided(host)
    assert shown(timed, host, None)["/rounds"] == shown(timed, host, host.who)["/rounds"]


def test_a_match_names_its_tournament_to_who_may_see_it(timed: Site):
    host, people = started(timed, looking="members")
    for one in host.get("/rounds/1")["tables"]:
        said = people[one["seats"][0]["player"] - 1].asks("GET", f"/matches/{one['match']}").json
        assert said["tournament"] == {"id": host.id, "round": 1, "table": one["table"]}
    with timed.app.app_context():
        tables = timed.app.extensions["match_cache"]()
        with tables.opened(one["match"]) as opened:
            assert place_in_tournament(opened.history, None) is None


def test_a_match_of_no_tournament_names_none(timed: Site):
    ann, _ = table(timed)
    assert ann.get().json["tournament"] is None
