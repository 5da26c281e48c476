"""Callers are known by cookies, by words that only our pages have, or by tokens that expire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.log.stores.protocol import Unavailable
from services.matches.club import DAY_MS, LASTS, founders_link
from services.run.settings import Settings
from services.web import create_app
from services.web.app.identity import COOKIE, CSRF_HEADER, SECURE_COOKIE
from tests.support.web.visitors import Site, bearer, is_problem

NEW_NAME = {"name": "Robert"}


# --- another site's page --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:81"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://["},
        {"Origin": "localhost"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
    ],
)
def test_what_another_site_makes_a_browser_ask_is_refused(site: Site, headers: dict[str, str]):
    bob = site.person()
    with_word = {**bob.csrf, **headers}
    answer = bob.browser().patch("/api/v1/me", json=NEW_NAME, headers=with_word)
    assert is_problem(answer, 403, "not_from_our_page")
    # Who is nobody yet can be signed in by no other site either.
    link = site.club.make("link", person=bob.id)
    assert site.nobody().post(f"/welcome/{link.words}", headers=headers).status_code == 403
    assert site.club.looked_at(link.words) == link.made
    assert site.club.people().person(bob.id).name == "Bob"
    assert bob.browser().get("/api/v1/me", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Origin": "HTTP://LocalHost"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_what_our_own_page_asks_is_done(site: Site, headers: dict[str, str]):
    bob = site.person()
    answer = bob.browser().patch("/api/v1/me", json=NEW_NAME, headers={**bob.csrf, **headers})
    assert answer.json["name"] == "Robert"


def test_without_the_word_of_our_pages_nothing_is_changed(site: Site):
    bob, eve = site.person(), site.person("Eve")
    browser = bob.browser()
    for word in ({}, {CSRF_HEADER: "x"}, {CSRF_HEADER: "é"}, eve.csrf):
        for method, path in (("PATCH", "/me"), ("POST", "/me/links"), ("DELETE", "/me/passes/x")):
            answer = browser.open(f"/api/v1{path}", method=method, json=NEW_NAME, headers=word)
            assert is_problem(answer, 403, "not_from_our_page")
    assert browser.post("/sign-out", data={"csrf": "x"}).status_code == 403
    assert browser.get("/api/v1/me").json["name"] == "Bob"


def test_a_token_needs_no_word_and_wins_over_a_cookie(site: Site):
    bob, eve = site.person(), site.person("Eve")
    browser = bob.browser()
    foreign = {"Origin": "https://evil.example", **eve.token("read", "play")}
    assert browser.patch("/api/v1/me", json={"name": "Eva"}, headers=foreign).json["id"] == eve.id


# --- cookies --------------------------------------------------------------------------------------


def cookie_of(answer: Any) -> tuple[str, set[str]]:
    """The name of the cookie that was set, and its attributes."""
    assert len(answer.headers.getlist("Set-Cookie")) == 1
    first, *rest = answer.headers["Set-Cookie"].split("; ")
    return first.partition("=")[0], {word.partition("=")[0] for word in rest} | set(rest)


def enter(site: Site, base: str = "http://localhost", **headers: str) -> Any:
    link = site.club.make("link", person=site.person().id)
    return site.nobody().post(f"/welcome/{link.words}", base_url=base, headers=headers)


def test_a_cookie_is_for_us_alone(site: Site):
    name, said = cookie_of(enter(site))
    assert name == COOKIE
    assert {"HttpOnly", "SameSite=Lax", "Path=/", f"Max-Age={60 * 24 * 3600}"} <= said
    assert said & {"Secure", "Domain"} == set()


def test_over_https_no_neighbour_can_put_a_cookie_there(site: Site):
    name, said = cookie_of(enter(site, "https://localhost"))
    assert name == SECURE_COOKIE
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"} <= said
    assert "Domain" not in said
    bob = site.person()
    for cookie, status in ((SECURE_COOKIE, 200), (COOKIE, 401)):
        browser = bob.browser(cookie)
        assert browser.get("/api/v1/me", base_url="https://localhost").status_code == status


@pytest.mark.parametrize("https", [True, False])
def test_a_proxy_is_believed_where_it_was_set_and_its_host_never(
    a_site: Callable[..., Site], https: bool
):
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    site = a_site(proxies=1 if https else 0)
    name, _ = cookie_of(enter(site, **said))
    assert name == (SECURE_COOKIE if https else COOKIE)
    ann = site.founder()
    answer = site.nobody().post("/api/v1/me/links", headers={**ann.token(), **said})
    scheme = "https" if https else "http"
    assert answer.json["link"].startswith(f"{scheme}://localhost/welcome/hgm_l_")


def test_behind_a_proxy_that_only_passes_the_host_the_public_address_is_enough(
    a_site: Callable[..., Site],
):
    site = a_site(public_url="https://club.example")
    ours = {"Host": "club.example", "Origin": "https://club.example"}
    assert cookie_of(enter(site, "http://club.example", **ours))[0] == SECURE_COOKIE
    # Whoever asks at the machine itself, without the proxy, has a plain one.
    assert cookie_of(enter(site, "http://127.0.0.1:8000"))[0] == COOKIE
    # A proxy that passes no host: the page's origin is still the one that was set.
    answer = enter(site, "http://10.0.0.7:8000", Origin="https://club.example")
    assert answer.status_code == 303


def test_links_are_made_for_the_public_address_whatever_host_was_asked_for(
    a_site: Callable[..., Site],
):
    ann = a_site(public_url="https://club.example").founder()
    for host in ("evil.example", "localhost", "a b", ""):
        answer = ann.site.nobody().post("/api/v1/me/links", headers={**ann.token(), "Host": host})
        assert answer.json["link"].startswith("https://club.example/welcome/hgm_l_")


@pytest.mark.parametrize("host", ["a b", 'x"><script>', "x/../y", "é", "a@b", "x:99999", ""])
def test_without_a_host_that_is_one_no_link_is_made(site: Site, host: str):
    ann = site.founder()
    answer = site.nobody().post("/api/v1/me/links", headers={**ann.token(), "Host": host})
    assert is_problem(answer, 400, "bad_request")
    foreign = {"Host": host, "Origin": "http://" + host.encode("ascii", "ignore").decode()}
    link = site.club.make("link", person=ann.id)
    answer = site.nobody().post(f"/welcome/{link.words}", headers=foreign)
    assert answer.status_code in (303, 403)
    assert "Location" not in answer.headers or answer.headers["Location"] == "/"


# --- what is shown --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shown",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "bearer hgm_t_0000000000000000_" + "0" * 43 + "_00000000",
        "Bearer " + "x" * 10_000,
        "Bearer é",
    ],
)
def test_a_token_that_is_none_is_no_reason_to_go_on_as_nobody(site: Site, shown: str):
    for path in ("/api/v1/me", "/api/v1/openapi.json"):
        answer = site.nobody().get(path, headers={"Authorization": shown})
        assert is_problem(answer, 401, "bad_token")
        assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    assert site.nobody().get("/", headers={"Authorization": shown}).status_code == 401


@pytest.mark.parametrize("shown", ["Basic eDp5", "Digest x", "", " ", "é"])
def test_another_kind_of_word_is_for_somebody_else(site: Site, shown: str):
    bob = site.person()
    headers = {"Authorization": shown}
    assert bob.browser().get("/api/v1/me", headers=headers).status_code == 200
    assert is_problem(site.nobody().get("/api/v1/me", headers=headers), 401, "not_signed_in")
    # ... and does not take the place of the word of our pages.
    answer = bob.browser().patch("/api/v1/me", json=NEW_NAME, headers=headers)
    assert is_problem(answer, 403, "not_from_our_page")


@pytest.mark.parametrize("words", ["", "x", "é", "x" * 3000, "hgm_s_", "a; hegemon=b"])
def test_a_cookie_that_is_none_is_nobodys(site: Site, words: str):
    answer = site.program().get("/api/v1/me", headers={"Cookie": f"{COOKIE}={words}"})
    assert is_problem(answer, 401, "not_signed_in")
    assert site.program().get("/", headers={"Cookie": f"{COOKIE}={words}"}).status_code == 200


def test_a_session_in_place_of_a_token_and_the_other_way_round_is_nothing(site: Site):
    bob = site.person()
    answer = site.nobody().get("/api/v1/me", headers=bearer(bob.session.words))
    assert is_problem(answer, 401, "bad_token")
    token = site.club.make("token", person=bob.id)
    answer = site.program().get("/api/v1/me", headers={"Cookie": f"{COOKIE}={token.words}"})
    assert is_problem(answer, 401, "not_signed_in")


def test_sessions_and_tokens_end_in_their_time(site: Site):
    bob = site.person()
    token, browser = bob.token("read", lasts=DAY_MS), bob.browser()
    site.clock.now += DAY_MS - 1
    assert site.nobody().get("/api/v1/me", headers=token).status_code == 200
    site.clock.now += 1
    assert is_problem(site.nobody().get("/api/v1/me", headers=token), 401, "bad_token")
    site.clock.now += LASTS["session"] - DAY_MS - 1
    assert browser.get("/api/v1/me").status_code == 200
    site.clock.now += 1
    assert is_problem(browser.get("/api/v1/me"), 401, "not_signed_in")


def test_what_was_taken_back_here_is_over_there_at_once(a_site: Callable[..., Site]):
    here, there = a_site(), a_site()
    bob = here.person()
    token = here.club.make("token", bob.id, person=bob.id, scopes=("read",))
    program = there.app.test_client()
    for shown, headers in ((token, bearer(token.words)), (bob.session, {})):
        browser = bob.browser() if not headers else here.nobody()
        there_too = there.app.test_client()
        if not headers:
            there_too.set_cookie(COOKIE, bob.session.words)
        assert there_too.get("/api/v1/me", headers=headers).status_code == 200
        answer = bob.browser().delete(f"/api/v1/me/passes/{shown.made.pass_id}", headers=bob.csrf)
        assert answer.status_code == 204
        assert there_too.get("/api/v1/me", headers=headers).status_code == 401
        assert browser.get("/api/v1/me", headers=headers).status_code == 401
    assert program.get("/api/v1/openapi.json").status_code == 200


# --- without a server -----------------------------------------------------------------------------


def test_where_no_server_keeps_books_nobody_is_known_and_the_pages_are_shown(tmp_path):
    app = create_app(Settings(data=tmp_path))
    assert app.test_client().get("/").status_code == 200
    answer = app.test_client().get("/api/v1/me", headers=bearer("x"))
    assert is_problem(answer, 503, "unavailable")
    assert app.test_client().get("/health", headers=bearer("x")).status_code == 200


def test_while_the_store_is_away_nobody_is_let_in_and_nobody_is_turned_away(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    bob = site.person()
    words = founders_link(site.club)

    def away(*_: object) -> None:
        raise Unavailable("the server is away")

    monkeypatch.setattr(site.club.store, "tip", away)
    answer = bob.browser().get("/api/v1/me")
    assert is_problem(answer, 503, "unavailable")
    assert answer.headers["Retry-After"] == "5"
    assert bob.browser().get("/health").status_code == 200
    assert site.nobody().get(f"/welcome/{words}").status_code == 503
