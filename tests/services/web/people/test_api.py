"""One's own account over the API, and the people of the club."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.club.people import BOOK, CLUB_REFUSALS, LABEL_MAX, PASSES_MAX, SCOPES
from services.matches.club import DAY_MS
from services.web.app.problems import STATUSES
from tests.support.web.visitors import Site, Visitor, bearer, is_problem


@pytest.fixture
def ann(site: Site) -> Visitor:
    return site.founder()


@pytest.fixture
def bob(site: Site, ann: Visitor) -> Visitor:
    return site.person()


def path_of(link: str) -> str:
    """The path of a link as it was shown."""
    return link.removeprefix("http://localhost")


# --- one's own ------------------------------------------------------------------------------------


def test_who_asks_is_told_who_they_are_and_how_far_they_may_go(ann: Visitor, bob: Visitor):
    me = ann.asks("GET", "/me").json
    assert me == {
        "id": ann.id,
        "name": "Ann",
        "roles": ["organizer", "player"],
        "since": ann.site.clock.now,
        "scopes": list(SCOPES),
    }
    me = ann.site.nobody().get("/api/v1/me", headers=bob.token("play", "read")).json
    assert (me["roles"], me["scopes"]) == (["player"], ["play", "read"])


def test_to_be_called_otherwise(bob: Visitor):
    assert bob.asks("PATCH", "/me", {"name": "Rob"}).json["name"] == "Rob"
    tip = bob.site.club.book.tip
    assert bob.asks("PATCH", "/me", {"name": "Rob"}).json["name"] == "Rob"
    assert bob.site.club.book.tip == tip
    for name in (" Rob", "", "x" * 41, "a\nb"):
        answer = bob.asks("PATCH", "/me", {"name": name})
        assert is_problem(answer, 422, "bad_name")
        assert answer.json["evidence"]["letters"] == len(name)


def test_a_token_is_shown_once_and_is_good_for_what_was_asked(bob: Visitor):
    shown = bob.asks("POST", "/me/tokens", {"label": "laptop", "scopes": ["read"], "days": 2})
    token = shown.json["token"]
    assert shown.status_code == 201
    assert shown.json["expires"] == bob.site.clock.now + 2 * DAY_MS
    program = bob.site.program()
    assert program.get("/api/v1/me", headers=bearer(token)).json["scopes"] == ["read"]
    answer = program.patch("/api/v1/me", json={"name": "Rob"}, headers=bearer(token))
    assert is_problem(answer, 403, "scope_needed")
    secret = token.split("_", 3)[3][:43]
    seen = bob.asks("GET", "/me/passes")
    assert {"token", "session"} == {one["kind"] for one in seen.json["passes"]}
    assert secret not in seen.text
    assert bob.session.words.split("_", 3)[3][:43] not in seen.text
    events = b"".join(event.body for event in bob.site.club.store.events(BOOK))
    assert secret.encode() not in events


def test_a_token_can_do_no_more_than_its_owner(ann: Visitor, bob: Visitor):
    asked = {"label": "x", "scopes": ["organize"]}
    assert is_problem(bob.asks("POST", "/me/tokens", asked), 422, "bad_scope")
    assert ann.asks("POST", "/me/tokens", asked).status_code == 201


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"label": ""},
        {"label": "x" * (LABEL_MAX + 1)},
        {"label": "x", "scopes": []},
        {"label": "x", "scopes": ["all"]},
        {"label": "x", "scopes": "read"},
        {"label": "x", "person": "somebody"},
    ],
)
def test_a_token_that_is_asked_for_wrongly_is_not_made(bob: Visitor, asked: dict[str, Any]):
    assert is_problem(bob.asks("POST", "/me/tokens", asked), 422, "invalid")


def test_fifty_tokens_are_enough(bob: Visitor):
    for _ in range(PASSES_MAX):
        bob.token("read")
    answer = bob.asks("POST", "/me/tokens", {"label": "x"})
    assert is_problem(answer, 409, "too_many_passes")
    first = bob.asks("GET", "/me/passes").json["passes"][0]["id"]
    assert bob.asks("DELETE", f"/me/passes/{first}").status_code == 204
    assert bob.asks("POST", "/me/tokens", {"label": "x"}).status_code == 201


def test_a_link_signs_another_device_in(bob: Visitor):
    link = bob.asks("POST", "/me/links").json["link"]
    device = bob.site.nobody()
    assert device.post(path_of(link)).status_code == 303
    assert device.get("/api/v1/me").json["id"] == bob.id
    assert bob.asks("GET", "/me").status_code == 200  # the first stays signed in
    kinds = [one["kind"] for one in bob.asks("GET", "/me/passes").json["passes"]]
    assert kinds == ["session", "session"]


def test_what_is_another_s_cannot_be_taken_back_and_does_not_show_that_it_is_there(
    ann: Visitor, bob: Visitor
):
    path = f"/me/passes/{ann.session.made.pass_id}"
    for asked in (path, "/me/passes/nothing", "/me/passes/%00"):
        assert is_problem(bob.asks("DELETE", asked), 404, "no_such_pass")
    assert ann.asks("GET", "/me").status_code == 200


def test_an_organizer_closes_any_door_but_only_with_what_is_good_for_it(ann: Visitor, bob: Visitor):
    path = f"/api/v1/me/passes/{bob.session.made.pass_id}"
    program = ann.site.program()
    answer = program.delete(path, headers=ann.token("read", "play"))
    assert is_problem(answer, 404, "no_such_pass")
    assert program.delete(path, headers=ann.token("play", "organize")).status_code == 204
    assert bob.asks("GET", "/me").status_code == 401


# --- the people -----------------------------------------------------------------------------------


def test_somebody_is_let_in_by_the_link_that_the_organizer_hands_on(ann: Visitor):
    shown = ann.asks("POST", "/people", {"name": "Eve"}).json
    assert (shown["name"], shown["roles"]) == ("Eve", ["player"])
    browser = ann.site.nobody()
    assert browser.post(path_of(shown["link"])).status_code == 303
    assert browser.get("/api/v1/me").json["id"] == shown["id"]
    again = ann.asks("POST", f"/people/{shown['id']}/links").json
    assert ann.site.nobody().post(path_of(again["link"])).status_code == 303


def test_the_list_of_people_has_pages_and_no_links(ann: Visitor):
    for number in range(5):
        ann.asks("POST", "/people", {"name": f"P{number}"})
    seen: list[str] = []
    more = True
    while more:
        answer = ann.asks("GET", f"/people?limit=2&after={seen[-1] if seen else ''}")
        assert "hgm_" not in answer.text
        seen += [one["id"] for one in answer.json["people"]]
        more = answer.json["more"]
    assert seen == sorted(ann.site.club.people().people)
    assert len(seen) == 6


def test_roles_and_name_change_together_or_not_at_all(ann: Visitor, bob: Visitor):
    path = f"/people/{bob.id}"
    answer = ann.asks("PATCH", path, {"name": " ", "roles": ["organizer"]})
    assert is_problem(answer, 422, "bad_name")
    assert ann.asks("GET", path).json["roles"] == ["player"]
    answer = ann.asks("PATCH", f"/people/{ann.id}", {"name": "Anna", "roles": ["player"]})
    assert is_problem(answer, 409, "last_organizer")
    assert ann.asks("GET", "/me").json["name"] == "Ann"
    changed = ann.asks("PATCH", path, {"name": "Rob", "roles": ["player", "organizer"]}).json
    assert (changed["name"], changed["roles"]) == ("Rob", ["organizer", "player"])
    assert ann.asks("PATCH", f"/people/{ann.id}", {"roles": ["player"]}).status_code == 200
    assert is_problem(ann.asks("POST", "/people", {"name": "x"}), 403, "not_entitled")
    assert ann.asks("PATCH", path, {}).status_code == 403
    assert bob.asks("PATCH", path, {}).json["name"] == "Rob"


@pytest.mark.parametrize("roles", [[], ["king"], "player", [1], None])
def test_there_are_two_roles_and_everybody_has_one(ann: Visitor, roles: object):
    answer = ann.asks("POST", "/people", {"name": "Eve", "roles": roles})
    assert is_problem(answer, 422, "invalid")
    assert len(ann.site.club.people().people) == 1


def test_who_is_not_here_is_404(ann: Visitor):
    assert is_problem(ann.asks("GET", "/people/nobody"), 404, "no_such_person")
    assert is_problem(ann.asks("PATCH", "/people/nobody", {"name": "x"}), 404, "no_such_person")
    assert is_problem(ann.asks("POST", "/people/nobody/links"), 404, "no_such_person")


def test_every_refusal_of_the_club_that_is_no_mistake_of_form_has_a_status_of_its_own():
    assert set(CLUB_REFUSALS) - set(STATUSES) == {"bad_name", "bad_scope", "which_person"}


# --- coming in as a program -----------------------------------------------------------------------


def enter(site: Site, link: str, **asked: Any) -> Any:
    return site.program().post("/api/v1/me", json={"link": link, "label": "bot", **asked})


def test_a_program_comes_in_by_a_link_and_gets_a_token_and_no_cookie(ann: Visitor, bob: Visitor):
    link = bob.asks("POST", "/me/links").json["link"]
    answer = enter(bob.site, link, scopes=["read", "play"], days=2)
    assert answer.status_code == 201
    assert "Set-Cookie" not in answer.headers
    assert (answer.json["id"], answer.json["scopes"]) == (bob.id, ["read", "play"])
    me = bob.site.program().get("/api/v1/me", headers=bearer(answer.json["token"]))
    assert me.json["id"] == bob.id
    assert is_problem(enter(bob.site, link), 410, "pass_ended")


def test_the_first_program_can_found_the_club(site: Site):
    words = site.club.make("founder").words
    assert is_problem(enter(site, words), 422, "bad_name")
    answer = enter(site, words, name="Ann", scopes=["organize", "play", "read"])
    assert (answer.json["roles"], answer.json["scopes"]) == (["organizer", "player"], [*SCOPES])
    assert site.club.people().founded


def test_a_newcomer_gets_no_token_that_is_good_for_more_than_they_are(ann: Visitor):
    words = ann.site.club.make("invitation", ann.id).words
    answer = enter(ann.site, words, name="Eve", scopes=["organize"])
    assert is_problem(answer, 422, "bad_scope")
    assert enter(ann.site, words, name="Eve", scopes=["play"]).status_code == 201
    assert len(ann.site.club.people().people) == 2


def test_a_token_does_not_grow_by_an_open_invitation(ann: Visitor, bob: Visitor):
    """It comes in as somebody new, whoever shows which token."""
    words = ann.site.club.make("invitation", ann.id).words
    asked = {"link": words, "label": "x", "name": "Eve", "scopes": ["play"]}
    answer = ann.site.program().post("/api/v1/me", json=asked, headers=bob.token("read"))
    assert answer.json["name"] == "Eve"
    assert answer.json["id"] != bob.id


@pytest.mark.parametrize("link", ["x", "http://localhost/welcome/x", "/", "hgm_l_", "é", "\0"])
def test_what_is_no_link_lets_no_program_in(ann: Visitor, link: str):
    assert is_problem(enter(ann.site, link), 404, "no_such_pass")
    asked = enter(ann.site, ann.session.words)
    assert is_problem(asked, 404, "no_such_pass")
