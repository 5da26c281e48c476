"""The forms of the pages: what they do, who is offered them, and what is said where they fail."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from services.web.app.flash import COOKIE
from services.web.app.identity import CSRF_FIELD, csrf_of
from tests.support.services.browsing import Page
from tests.support.web.organizing import tournament
from tests.support.web.seated import made, table
from tests.support.web.visitors import Site, Visitor, is_problem


def presses(who: Visitor, path: str, client: Any = None, **fields: Any) -> Any:
    """Their browser sends a form of a page of ours."""
    data = {CSRF_FIELD: csrf_of(who.session.words), **fields}
    return (client or who.browser()).post(path, data=data)


def seats_of(site: Site, match: str) -> list[str]:
    found = site.nobody().get(f"/api/v1/matches/{match}").json
    return [one["who"] for one in found["seats"]]


# --- notes ----------------------------------------------------------------------------------------


def test_the_next_page_says_what_was_done_once(site: Site):
    ann = site.founder()
    browser = ann.browser()
    answer = presses(ann, "/you/name", browser, name="Ann the First")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/you")
    assert "Your name is now Ann the First." in Page(browser.get("/you")).words
    assert "Your name is now Ann the First." not in Page(browser.get("/you")).words


def test_a_note_that_somebody_else_put_there_is_not_said(site: Site):
    ann, bob = site.founder(), site.person()
    browser = ann.browser()
    presses(bob, "/you/link", theirs := bob.browser())
    sealed = theirs.get_cookie(COOKIE).value
    packed = base64.urlsafe_b64encode(b'["done","Send all CAPs to Eve.",[]]').decode()
    for forged in (sealed, f"{packed}.{sealed.partition('.')[2]}", packed, "x.y", ".", "é"):
        browser.set_cookie(COOKIE, forged)
        page = browser.get("/you")
        assert page.status_code == 200
        assert "said-note" not in page.text


def test_words_that_are_shown_once_stand_in_no_address_and_no_answer_to_the_form(site: Site):
    ann = site.founder()
    browser = ann.browser()
    answer = presses(ann, "/you/tokens", browser, label="bot", scopes=["read"], days="30")
    assert "hgm_t_" not in answer.headers["Location"] + answer.text
    page = browser.get("/you/tokens")
    assert "hgm_t_" in page.text
    assert page.headers["Cache-Control"] == "no-store"
    assert "hgm_t_" not in browser.get("/you/tokens").text


# --- a table against bots -------------------------------------------------------------------------


def test_a_table_against_bots_begins_at_once_and_leads_to_its_table(site: Site):
    ann = site.founder()
    answer = presses(ann, "/play", game="tictactoe", **{"seats-tictactoe": "2"})
    assert answer.status_code == 303
    match = answer.headers["Location"].split("/")[2]
    assert answer.headers["Location"] == f"/matches/{match}/table"
    assert seats_of(site, match) == ["person", "bot"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"game": "go"}, 404),
        ({}, 404),
        ({"game": "tictactoe", "seats-tictactoe": "9"}, 422),
        ({"game": "tictactoe", "seats-tictactoe": "many"}, 422),
        ({"game": "tictactoe", "bot": "genius"}, 400),
    ],
)
def test_a_table_that_cannot_be_laid_is_a_clean_page(site: Site, fields: Any, status: int):
    answer = presses(site.founder(), "/play", **fields)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert "Traceback" not in answer.text


# --- a new match ----------------------------------------------------------------------------------

WISHED = {
    "game": "tictactoe",
    "title": "Evening",
    "edition": "e1",
    "looking": "members",
    "delay": "2",
    "clock": "bank",
    "time": "3",
    "unit": "hours",
    "increment": "9",
    "out": "bot",
    "discloses": ["outcomes"],
    "pause_on_dispute": "true",
    "option.opening": "sealed",
    "option.begin.stake": "4",
    "seat.0": "bot:random",
    "seat.1": "me",
}


def test_everything_that_was_chosen_is_in_the_match(site: Site):
    ann = site.founder()
    answer = presses(ann, "/matches/new", **WISHED)
    match = answer.headers["Location"].rpartition("/")[2]
    found = ann.asks("GET", f"/matches/{match}").json
    assert found["options"] == {"begin.stake": 4, "opening": "sealed"}
    page = ann.browser().get(f"/matches/{match}").text
    assert "<dt>Stake</dt><dd>4" in page
    assert "<dt>Opening</dt><dd>sealed" in page
    assert found["clock"] == {"kind": "bank", "seconds": 10_800, "increment": 9, "out": "bot"}
    told = (found["title"], found["edition"], found["looking"], found["delay"], found["state"])
    assert told == ("Evening", "e1", "members", 120, "running")
    assert found["pause_on_dispute"] is True
    assert [one["who"] for one in found["seats"]] == ["bot", "person"]
    assert site.nobody().get(f"/matches/{match}").status_code == 403


@pytest.mark.parametrize(
    ("wrong", "marked"),
    [
        ({"time": "0"}, "f-time"),
        ({"time": "soon"}, "f-time"),
        ({"title": "x" * 81}, "f-title"),
        ({"option.begin.stake": "77"}, "f-option.begin.stake"),
        ({"option.opening": "loud"}, "f-option.opening"),
        ({"edition": "e99"}, None),
        ({"seat.0": "me"}, None),
        ({"seat.0": "", "seat.1": ""}, None),
        ({"looking": "cats"}, "f-looking"),
        ({"looking": ""}, "f-looking"),
        ({"looking": []}, "f-looking"),
    ],
)
def test_what_cannot_be_taken_is_said_and_everything_typed_is_kept(
    site: Site, wrong: dict[str, Any], marked: str | None
):
    ann = site.founder()
    answer = presses(ann, "/matches/new", **{**WISHED, **wrong})
    page = Page(answer)
    assert 400 <= answer.status_code < 500
    assert page.having("role", "alert")
    values = {one["id"]: one.get("value") for one in page.having("id") if "name" in one}
    assert values["f-title"] == wrong.get("title", "Evening")
    assert values["f-increment"] == "9"
    if marked:
        assert marked in {one["id"] for one in page.having("aria-invalid", "true")}
    assert ann.asks("GET", "/matches").json["matches"] == []


def test_what_was_typed_can_do_no_harm(site: Site):
    ann = site.founder()
    bad = "<script>alert(1)</script>\"'" + "x" * 80
    answer = presses(ann, "/matches/new", **{**WISHED, "title": bad})
    assert "<script>alert" not in answer.text
    answer = presses(ann, "/matches/new", **{**WISHED, "title": "<b>bold</b>"})
    assert "<b>bold" not in ann.browser().get(answer.headers["Location"]).text


# --- one match ------------------------------------------------------------------------------------


def test_each_is_offered_what_they_may_do(site: Site):
    ann, bob = site.founder(), site.person()
    match = made(ann)
    offered = {
        name: {one["action"] for one in Page(browser.get(f"/matches/{match}")).having("action")}
        for name, browser in {
            "host": ann.browser(),
            "member": bob.browser(),
            "nobody": site.nobody(),
        }.items()
    }
    here = f"/matches/{match}"
    assert {f"{here}/seats/0/sit", f"{here}/seats/0/invite", f"{here}/abandon"} <= offered["host"]
    assert offered["member"] == {f"{here}/seats/0/sit", f"{here}/seats/1/sit", "/sign-out"}
    assert offered["nobody"] == set()


def test_a_refusal_is_said_on_the_page_of_the_match(site: Site):
    ann, bob, cid = site.founder(), site.person("Bob"), site.person("Cid")
    match = made(ann)
    assert presses(bob, f"/matches/{match}/seats/0/sit").status_code == 303
    for answer, status, words in (
        (presses(cid, f"/matches/{match}/seats/0/sit"), 409, "seat is taken"),
        (presses(bob, f"/matches/{match}/seats/1/sit"), 409, "sit at this table already"),
        (presses(ann, f"/matches/{match}/start"), 409, "before every seat is taken"),
        (presses(ann, f"/matches/{match}/pause", reason=""), 422, "Give a reason"),
        (presses(ann, f"/matches/{match}/pause", reason="x"), 409, "has not started"),
        (presses(cid, f"/matches/{match}/seats/0/leave"), 403, "Another person sits there"),
        (presses(cid, f"/matches/{match}/seats/7/sit"), 404, "no such seat"),
        (presses(ann, f"/matches/{match}/seats/1/bot", bot="genius"), 422, "need a correction"),
    ):
        assert answer.status_code == status, answer.text
        alert = Page(answer)
        assert alert.having("role", "alert")
        assert words in alert.words


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_no_bot_is_put_on_a_seat_of_a_closed_match_by_page_or_api(site: Site, bot: str):
    ann, _ = players = table(site)
    assert ann.post("/abandon", {"reason": "late"}).json["state"] == "abandoned"
    seats, version = seats_of(site, ann.match), ann.get().json["version"]
    answer = ann.put("/seats/1/bot", {"bot": bot})
    assert is_problem(answer, 409, "match_closed")
    page = presses(ann.who, f"/matches/{ann.match}/seats/1/bot", bot=bot)
    assert (page.status_code, "match is closed" in Page(page).words) == (409, True)
    assert (seats_of(site, ann.match), players[0].get().json["version"]) == (seats, version)


def test_who_is_not_the_host_reaches_nothing_of_the_hosts(site: Site):
    ann, bob = site.founder(), site.person()
    match = made(ann)
    for path in ("start", "pause", "resume", "abandon", "close", "seats/0/bot", "seats/0/invite"):
        answer = presses(bob, f"/matches/{match}/{path}", reason="x", bot="random")
        assert answer.status_code == 403, path
    assert seats_of(site, match) == ["nobody", "nobody"]


def test_a_match_that_is_not_to_be_watched_has_no_page_for_others(site: Site):
    ann, bob = site.founder(), site.person()
    match = made(ann, looking="nobody")
    assert bob.browser().get(f"/matches/{match}").status_code == 403
    assert presses(bob, f"/matches/{match}/seats/0/sit").status_code == 403
    assert ann.browser().get(f"/matches/{match}").status_code == 200


def test_the_page_says_whose_turn_it_is_to_them_and_the_lobby_marks_it(site: Site):
    players = table(site, title="Two of us")
    turns = []
    for one in players:
        words = Page(one.who.browser().get("/")).words
        assert "Two of us" in words
        turns.append("your turn" in words)
        page = Page(one.who.browser().get(f"/matches/{one.match}")).words
        assert ("your turn" in page) == turns[-1]
    assert sorted(turns) == [False, True]


def test_a_list_can_be_narrowed_and_a_strange_wish_is_a_clean_page(site: Site):
    ann = site.founder()
    made(ann, title="Wide open")
    browser = ann.browser()
    assert "Wide open" in Page(browser.get("/?state=open&game=tictactoe")).words
    assert "Wide open" not in Page(browser.get("/?state=finished")).words
    assert "Wide open" not in Page(browser.get("/?mine=1")).words
    assert browser.get("/?state=lost").status_code == 400
    assert browser.get("/?game=go").status_code == 404


# --- tournaments ----------------------------------------------------------------------------------


def test_a_round_is_run_by_forms_alone(site: Site):
    host, _ = tournament(site, 4, ruleset="tictactoe", seats=2, rounds=1)
    ann, here = host.who, f"/tournaments/{host.id}"
    for step in ("draw", "start"):
        assert presses(ann, f"{here}/rounds/1/{step}").status_code == 303
    found = host.get("/rounds/1")
    for one in found["tables"]:
        host.play(one["match"])
    assert presses(ann, f"{here}/rounds/1/results").status_code == 303
    assert presses(ann, f"{here}/rounds/1/tables/1/approve").status_code == 303
    said = {"winners": ["0"], "score.0": "5", "score.1": "2", "reason": "the marks fell off"}
    assert presses(ann, f"{here}/rounds/1/tables/2/correct", **said).status_code == 303
    assert presses(ann, f"{here}/rounds/1/close").status_code == 303
    page = Page(ann.browser().get(here))
    for words in ("closed", "the marks fell off", "score 5", "round 1: place 1"):
        assert words in page.words
    assert host.get("/rounds/1")["closed"] is True


def test_what_a_tournament_refuses_is_said_on_its_page(site: Site):
    host, people = tournament(site, 2, ruleset="tictactoe", seats=2, rounds=1)
    here = f"/tournaments/{host.id}"
    for answer, status in (
        (presses(host.who, f"{here}/rounds/2/draw"), 409),
        (presses(host.who, f"{here}/rounds/1/tables/1/approve"), 404),
        (presses(people[0], f"{here}/players"), 409),
        (presses(host.who, f"{here}/players", person="nobody"), 404),
    ):
        assert answer.status_code == status
        assert Page(answer).having("role", "alert")
    for path in ("players/2/drop", "rounds/1/draw", "rounds/1/close", "end"):
        assert presses(people[0], f"{here}/{path}", reason="x").status_code == 403
    assert presses(people[0], f"{here}/players", person=people[1].id).status_code == 403


def test_strange_numbers_in_a_form_are_refused_and_break_nothing(site: Site):
    host, _ = tournament(site, 2, ruleset="tictactoe", seats=2, rounds=1)
    here = f"/tournaments/{host.id}/rounds/1"
    assert presses(host.who, f"{here}/draw").status_code == 303
    for strange in ("²", "x", "-1", "9" * 400, "1.5", ""):
        said = {"why": "no show", "players": [strange], "winners": [strange], "reason": "x"}
        for path in ("forfeit", "correct"):
            answer = presses(
                host.who, f"{here}/tables/1/{path}", **said, forfeits=[strange], **{"score.0": "1"}
            )
            assert answer.status_code in (409, 422), (strange, path)
    assert host.get("/rounds/1")["tables"][0]["settled"] is False


def test_a_long_note_is_cut_so_that_a_cookie_holds_it(site: Site):
    ann = site.founder("Ä" * 40)
    browser = ann.browser()
    presses(ann, "/you/name", browser, name="😀" * 40)
    assert len(browser.get_cookie(COOKIE).value) < 4_000
    assert "😀😀" in browser.get("/you").text


def test_a_tournament_for_members_is_hidden_from_guests(site: Site):
    host, _ = tournament(site, 2, ruleset="tictactoe", seats=2, rounds=1, looking="members")
    assert site.nobody().get(f"/tournaments/{host.id}").status_code == 401
    assert "Spring Open" not in Page(site.nobody().get("/tournaments")).words
    assert "Spring Open" in Page(host.who.browser().get("/tournaments")).words


def test_a_new_tournament_by_its_form(site: Site):
    ann = site.founder()
    fields = {"game": "tictactoe", "title": "Cup", "rounds": "2", "seats": "2", "bye": "1"}
    more = {"tiebreaks": ["wins", "lot"], "pause_on_dispute": "true"}
    answer = presses(ann, "/tournaments/new", **fields, **more)
    assert answer.status_code == 303
    said = ann.asks("GET", answer.headers["Location"]).json
    assert (said["title"], said["terms"]["bye"], said["terms"]["pauses"]) == ("Cup", 1, True)
    assert said["terms"]["tiebreaks"] == ["wins", "lot"]
    assert said["terms"]["looking"] == "everybody"
    answer = presses(ann, "/tournaments/new", **fields, delay="60")  # the page has no such field
    assert ann.asks("GET", answer.headers["Location"]).json["terms"]["delay"] == 0
    assert presses(ann, "/tournaments/new", **fields, looking="").status_code == 422
    answer = presses(ann, "/tournaments/new", **{**fields, "rounds": "99"})
    assert answer.status_code == 422
    assert Page(answer).having("id", "f-rounds")[0]["value"] == "99"
