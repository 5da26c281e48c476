"""Access to every route by every kind of caller, as docs/access.md says; without a rule, none.

The routes' own functions are put aside here: what is tested is who comes as far as they are. What
a seat or a viewer is then answered is for the tests of those routes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import update_wrapper
from typing import Any, NamedTuple

import pytest
from flask import Flask, Response
from werkzeug.routing import Rule

from ledger.club.people import SCOPES
from services.web.app.access import Access
from services.web.app.identity import COOKIE, CSRF_HEADER, HOLDS, SAME_FOR_ALL, access_of, csrf_of
from tests.support.docs.access import committed
from tests.support.web.visitors import Site, bearer, is_problem

REACHED = 299  # what a route answers here that was reached
SAFE = {"GET", "HEAD", "OPTIONS"}
ROWS = committed()


class Caller(NamedTuple):
    """A caller: what they send, and what that opens."""

    headers: dict[str, str]
    known: bool = True  # whether they are somebody
    organizer: bool = False
    scopes: tuple[str, ...] = SCOPES
    bad: bool = False  # what they show opens nothing, and says so


@pytest.fixture
def app(site: Site) -> Flask:
    """The application with its routes put aside: each says that it was reached."""
    for endpoint, view in site.app.view_functions.items():
        aside = update_wrapper(lambda **_: Response(status=REACHED), view)
        site.app.view_functions[endpoint] = aside
    return site.app


@pytest.fixture
def callers(site: Site) -> dict[str, Caller]:
    """Every kind of caller."""
    ann, bob = site.founder(), site.person()

    def cookie(words: str) -> dict[str, str]:
        return {"Cookie": f"{COOKIE}={words}", CSRF_HEADER: csrf_of(words)}

    back = site.club.make("token", bob.id, person=bob.id, scopes=("read", "play"))
    late = site.club.make("token", bob.id, person=bob.id, scopes=("read",), lasts=5)
    over = site.club.let_in(site.club.make("link", person=bob.id).words)[1]
    demoted = site.person("Cid", ("organizer", "player"))
    was = demoted.token(*SCOPES)
    site.club.take_back(back.made.pass_id, bob.id)
    site.club.take_back(over.made.pass_id, bob.id)
    site.club.change(demoted.id, ann.id, roles=("player",))
    site.clock.now += 5
    nothing = Caller({}, known=False, scopes=())
    return {
        "nobody": nothing,
        "somebody with a session that is over": nothing._replace(headers=cookie(over.words)),
        "a token taken back": Caller(bearer(back.words), known=False, bad=True),
        "a token that is expired": Caller(bearer(late.words), known=False, bad=True),
        "a session shown as a token": Caller(bearer(bob.session.words), known=False, bad=True),
        "a player's session": Caller(cookie(bob.session.words)),
        "an organizer's session": Caller(cookie(ann.session.words), organizer=True),
        "an organizer of yesterday": Caller(was),
        **{
            f"a player's token for {scope}": Caller(bob.token(scope), scopes=(scope,))
            for scope in ("read", "play")
        },
        **{
            f"an organizer's token for {scope}": Caller(
                ann.token(scope), organizer=True, scopes=(scope,)
            )
            for scope in SCOPES
        },
        "an organizer's token for all": Caller(ann.token(*SCOPES), organizer=True),
    }


def routes(app: Flask) -> Iterator[tuple[Rule, str]]:
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"OPTIONS"}):
            yield rule, method


def address_of(app: Flask, rule: Rule) -> str:
    """An address of a route, with something in every place."""
    some = {
        name: 1 if "Int" in type(kind).__name__ else "x" for name, kind in rule._converters.items()
    }
    with app.test_request_context():
        built = app.url_map.bind("localhost").build(rule.endpoint, some)
    return str(built)


def must_be(caller: Caller, access: Access) -> tuple[int, str] | None:
    """Returns the refusal that a row demands; None where the caller reaches the route."""
    if caller.bad:
        return (401, "bad_token")
    if not caller.known:
        return None if access.who == "anyone" else (401, "not_signed_in")
    if access.scope not in caller.scopes:
        return (403, "scope_needed")
    if access.who == "organizer" and not caller.organizer:
        return (403, "not_entitled")
    return None


def row_of(rule: Rule, method: str) -> Access:
    return ROWS[str(rule), "GET" if method == "HEAD" else method]


def test_every_route_says_who_may_call_it_as_the_page_does(site: Site):
    said = {
        (str(rule), method): access_of(site.app.view_functions[rule.endpoint], method)
        for rule, method in routes(site.app)
    }
    assert sorted(route for route, access in said.items() if access is None) == []
    for (address, method), access in said.items():
        assert ROWS[address, "GET" if method == "HEAD" else method] == access
    assert sorted(set(ROWS) - set(said)) == []


def test_every_word_of_the_page_says_who_is_meant():
    assert {row.who for row in ROWS.values()} <= set(HOLDS)


def test_every_route_answers_every_kind_of_caller_as_the_page_says(
    site: Site, app: Flask, callers: dict[str, Caller]
):
    wrong, count = [], 0
    for rule, method in routes(app):
        access = row_of(rule, method)
        path = address_of(app, rule)
        for name, caller in callers.items():
            # Where nobody is asked for who they are, nothing that they show counts.
            expected = None if rule.endpoint in SAME_FOR_ALL else must_be(caller, access)
            answer = app.test_client(use_cookies=False).open(
                path, method=method, headers=caller.headers
            )
            count += 1
            if access.who == "host" and expected is None and not caller.organizer:
                # There is no such match or tournament, so nobody is its host.
                right = answer.status_code in (403, 404)
            elif expected is None:
                right = answer.status_code == REACHED
            else:
                right = answer.status_code == expected[0] and said(answer, method, *expected)
            if not right:
                wrong.append(f"{method} {rule} by {name}: {answer.status_code}, not {expected}")
    assert wrong == []
    assert count >= len(ROWS) * len(callers)


def said(answer: Any, method: str, status: int, code: str) -> bool:
    """Whether a refusal is said as it should be: to programs as a problem, to people as a page."""
    if method == "HEAD":
        return not answer.data
    if answer.mimetype == "application/json":  # the twin of a page
        return bool(answer.json["status"] == status)
    if answer.mimetype == "text/html":
        return f'<p class="status">{status}</p>' in answer.text
    return is_problem(answer, status, code)


def test_what_a_browser_asks_without_the_word_of_our_pages_reaches_no_route(
    app: Flask, callers: dict[str, Caller]
):
    for rule, method in routes(app):
        if method in SAFE:
            continue
        for name in ("a player's session", "an organizer's session"):
            headers = {"Cookie": callers[name].headers["Cookie"]}
            answer = app.test_client(use_cookies=False).open(
                address_of(app, rule), method=method, headers=headers
            )
            assert answer.status_code == 403, f"{method} {rule}"


def test_a_route_that_says_nothing_of_access_is_refused_even_to_an_organizer(site: Site, caplog):
    site.app.add_url_rule(
        "/api/v1/forgotten", "forgotten", lambda: "secret", methods=["GET", "POST"]
    )
    ann = site.founder()
    for headers in ({}, ann.token()):
        for method in ("GET", "POST", "HEAD"):
            answer = site.nobody().open("/api/v1/forgotten", method=method, headers=headers)
            assert answer.status_code == 403
            assert b"secret" not in answer.data
    assert "the route forgotten says nothing of access" in caplog.text


def test_options_say_the_methods_and_nothing_more(app: Flask):
    for rule, _ in routes(app):
        answer = app.test_client(use_cookies=False).options(address_of(app, rule))
        assert (answer.status_code, answer.data) == (200, b"")
        assert set(answer.headers["Allow"].split(", ")) >= (rule.methods or set()) - {"OPTIONS"}


def test_an_unknown_word_lets_nobody_in(site: Site, app: Flask, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(HOLDS, "person")
    answer = app.test_client(use_cookies=False).get("/api/v1/me", headers=site.founder().token())
    assert is_problem(answer, 403, "not_entitled")
