"""Matches over HTTP: made, joined, started, and ended otherwise than by their rules."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledger.log.read.history import History
from services.matches.cache import OpenMatch
from services.web.app.parts import match_cache
from tests.support.web.seated import Player, made, table
from tests.support.web.visitors import Site, is_problem


def test_a_match_is_made_joined_and_started(site: Site):
    ann, bob = site.founder(), site.person()
    match = made(ann, title="Final", options={"opening": "sealed"}, delay=60, looking="members")
    here, there = Player(ann, match, 0), Player(bob, match, 1)
    assert here.get().json["state"] == "open"
    assert is_problem(here.post("/start"), 409, "seats_free")
    assert here.put("/seats/0", {}).json["yours"] == [0]
    assert there.put("/seats/1", {"name": "Bobby"}).json["yours"] == [1]
    begun = here.post("/start").json
    assert begun["state"] == "running"
    assert begun["asked"] == [0, 1]
    assert (begun["title"], begun["delay"], begun["looking"]) == ("Final", 60, "members")
    assert [seat["name"] for seat in begun["seats"]] == ["Ann", "Bobby"]
    assert [seat["person"] for seat in begun["seats"]] == [ann.id, bob.id]
    assert is_problem(here.post("/start"), 409, "already_started")
    assert is_problem(there.put("/seats/0", {}), 409, "seated_already")


def test_who_is_nobody_learns_no_person(site: Site):
    players = table(site)
    seen = site.nobody().get(f"/api/v1/matches/{players[0].match}").json
    assert [seat["name"] for seat in seen["seats"]] == ["Ann", "Player 1"]
    assert "person" not in str(seen["seats"][0].keys())
    assert seen["yours"] == []


def test_a_seat_that_is_taken_is_refused_and_nothing_changes(site: Site):
    ann, bob, cid = site.founder(), site.person("Bob"), site.person("Cid")
    match = made(ann)
    assert Player(bob, match, 0).put("/seats/0", {}).status_code == 200
    before = Player(ann, match, 0).get().json
    assert is_problem(Player(cid, match, 0).put("/seats/0", {}), 409, "seat_taken")
    assert is_problem(Player(cid, match, 0).put("/seats/2", {}), 404, "no_such_seat")
    assert Player(ann, match, 0).get().json == before


def test_a_nonce_of_ones_own_is_committed_and_opened_at_the_start(site: Site):
    ann, bob = site.founder(), site.person()
    match = made(ann)
    nonce = hashlib.sha256(b"mine").hexdigest()
    assert Player(ann, match, 0).put("/seats/0", {"nonce": nonce}).status_code == 200
    assert Player(bob, match, 1).put("/seats/1", {"nonce": "xyz"}).status_code == 422
    assert Player(bob, match, 1).put("/seats/1", {}).status_code == 200
    assert nonce not in Player(ann, match, 0).get("/events").text
    Player(ann, match, 0).post("/start")
    begun = Player(ann, match, 0).get("/events?since=3").json["events"][0]
    assert begun["said"]["act"]["nonces"][0] == nonce


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        ({"ruleset": "chess"}, 404, "unknown_ruleset"),
        ({"seats": 7}, 422, "bad_seats"),
        ({"edition": "x9"}, 422, "unknown_edition"),
        ({"options": {"opening": "loud"}}, 422, "bad_value"),
        ({"options": {"colour": 1}}, 422, "unknown_reading"),
        ({"content": {"nothing": {"a": {"b": 1}}}}, 422, "bad_value"),
        ({"discloses": ["everything"]}, 422, "invalid"),
        ({"discloses": ["chance:cards"]}, 422, "invalid"),
        ({"delay": -1}, 422, "invalid"),
        ({"clock": {"kind": "sand", "seconds": 1}}, 422, "invalid"),
        ({"title": "x" * 81}, 422, "invalid"),
    ],
)
def test_a_match_that_cannot_be_is_refused_and_none_is_made(
    site: Site, said: dict[str, object], status: int, code: str
):
    ann = site.founder()
    answer = ann.asks("POST", "/matches", {"ruleset": "tictactoe", "seats": 2, **said})
    assert is_problem(answer, status, code)
    assert site.nobody().get("/api/v1/matches").json["matches"] == []


def test_members_make_matches_and_only_the_host_or_an_organizer_starts_them(site: Site):
    ann, bob = site.founder(), site.person()
    asked = {"ruleset": "tictactoe", "seats": 2}
    answer = site.nobody().post("/api/v1/matches", json=asked)
    assert is_problem(answer, 401, "not_signed_in")
    theirs = made(bob)
    assert is_problem(Player(ann, theirs, 0).post("/start"), 409, "seats_free")
    match = made(ann)
    for path in ("/start", "/close"):
        assert is_problem(Player(bob, match, 1).post(path), 403, "not_entitled")
    for path in ("/pause", "/resume", "/abandon"):
        answer = Player(bob, match, 1).post(path, {"reason": "x"})
        assert is_problem(answer, 403, "not_entitled")


def test_a_delegate_decides_for_a_seat_until_dropped(site: Site):
    players = table(site)
    cid = Player(site.person("Cid"), players[0].match, 0)
    assert is_problem(cid.get("/options?as=0"), 403, "not_your_seat")
    said = {"person": cid.who.id}
    assert is_problem(players[1].post("/seats/0/delegates", said), 403, "not_your_seat")
    assert players[0].post("/seats/0/delegates", said).status_code == 200
    assert cid.decide_first().status_code == 201
    event = cid.get("/events").json["events"][-1]
    assert event["said"]["by"] == {"role": "delegate", "name": cid.who.id}
    client = site.program()
    url = f"/api/v1/matches/{cid.match}/seats/0/delegates/{cid.who.id}"
    assert client.delete(url, headers=cid.headers).status_code == 204
    assert is_problem(cid.get("/options?as=0"), 403, "not_your_seat")


def test_a_pause_holds_decisions_and_the_end_of_it_lets_them_go_on(site: Site):
    players = table(site)
    assert players[0].post("/pause", {"reason": "tea"}).json["state"] == "paused"
    answer = players[0].decide({"type": "play.mark", "cell": 0})
    assert is_problem(answer, 409, "match_paused")
    assert players[0].post("/resume", {"reason": "tea is over"}).json["state"] == "running"
    assert players[0].decide({"type": "play.mark", "cell": 0}).status_code == 201


def test_a_match_is_closed_when_it_has_ended_and_everybody_then_sees_through_all_seats(site: Site):
    players = table(site)
    assert is_problem(players[0].post("/close"), 409, "not_ended")
    for cell in (0, 3, 1, 4, 2):
        mover = players[players[0].get().json["asked"][0]]
        assert mover.decide({"type": "play.mark", "cell": cell}).status_code == 201
    result = players[0].get().json["result"]
    assert result["approved"] is False
    assert len(result["winners"]) == 1
    seat = f"/api/v1/matches/{players[0].match}/view?as=0"
    assert is_problem(site.nobody().get(seat), 401, "not_signed_in")
    assert players[0].post("/close").json["state"] == "finished"
    assert site.nobody().get(seat).status_code == 200
    assert is_problem(players[0].post("/abandon", {"reason": "late"}), 409, "match_closed")


def test_an_abandoned_match_asks_nobody_and_its_clocks_stand(site: Site):
    players = table(site, clock={"kind": "bank", "seconds": 600})
    running = players[0].get().json
    assert (running["asked"], running["clocks"][0]["running"]) == ([0], True)
    said = players[0].post("/abandon", {"reason": "late"}).json
    assert (said["state"], said["asked"]) == ("abandoned", [])
    assert [(one["running"], one["deadline"]) for one in said["clocks"]] == [(False, None)] * 2
    assert players[0].get().json["clocks"] == said["clocks"]
    offered = players[0].get("/options?as=0").json
    assert (offered["asked"], offered["standing"]) == (None, [])
    assert players[0].get("/digest?as=0").json["asked"] is False
    before = players[0].get(f"/options?as=0&at={running['version']}").json
    assert before["asked"]["question"] == "turn/1"


def test_a_match_without_a_table_can_be_looked_at_and_nobody_sits_there(site: Site):
    players = table(site)
    assert is_problem(Player(players[0].who, "nothing-here", 0).get(), 404, "no_such_match")
    with site.app.app_context(), match_cache().opened(players[0].match) as opened:
        assert opened.table.host == players[0].who.id


def test_the_list_reads_no_match_that_lies_open_here_and_waits_for_none(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    players = table(site)
    match = players[0].match

    def events() -> int:
        listed = players[0].who.asks("GET", "/matches").json["matches"]
        return next(int(one["version"]) for one in listed if one["id"] == match)

    before, read, whole, fresh = events(), [], History.of, OpenMatch.refresh
    monkeypatch.setattr(History, "of", lambda *given: read.append(given[1]) or whole(*given))
    monkeypatch.setattr(OpenMatch, "refresh", lambda one: read.append(one.match) or fresh(one))
    assert players[0].decide({"type": "play.mark", "cell": 0}).status_code == 201
    read.clear()
    assert events() == before + 1
    assert read == []
    assert players[1].decide({"type": "play.mark", "cell": 1}).status_code == 201
    begun, done = threading.Event(), threading.Event()

    def at_it() -> None:
        with site.app.app_context(), match_cache().opened(match):
            read.clear()
            begun.set()
            done.wait(30)

    with ThreadPoolExecutor() as others:
        others.submit(at_it)
        assert begun.wait(30)
        try:
            assert events() == before + 2
        finally:
            done.set()
    assert read == [match], "it is read from the store where somebody is at it"


def test_the_list_goes_page_by_page(site: Site):
    ann = site.founder()
    ids = {made(ann) for _ in range(5)}
    found: list[str] = []
    more, after = True, ""
    while more:
        page = site.nobody().get(f"/api/v1/matches?limit=2&after={after}").json
        found += [one["id"] for one in page["matches"]]
        more, after = page["more"], found[-1]
    assert len(found) == 5
    assert set(found) == ids
