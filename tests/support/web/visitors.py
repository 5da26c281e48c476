"""A site on a real server, and those who come to it: browsers with a session, programs, nobody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from ledger.club.people import SCOPES, Role, Scope
from ledger.log.stores.redis import RedisStore
from services.matches.club import Club, NewPass, founders_link
from services.run.settings import Settings
from services.web import create_app
from services.web.app.identity import COOKIE, CSRF_HEADER, csrf_of


@dataclass
class Clock:
    """A clock that a test moves; it begins when the test does."""

    now: int = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


@dataclass
class Site:
    """An application, its club and its clock."""

    settings: Settings
    clock: Clock = field(default_factory=Clock)
    app: Flask = field(init=False)
    club: Club = field(init=False)

    def __post_init__(self) -> None:
        self.app = create_app(self.settings)
        self.club = Club(self.app.extensions["store"](), self.clock)
        self.app.extensions["club"] = lambda: self.club
        self.app.testing = True

    def close(self) -> None:
        store = self.club.store
        assert isinstance(store, RedisStore)
        store.connection.close()
        store.cache.close()

    def founder(self, name: str = "Ann") -> Visitor:
        """The organizer of the club, in a browser."""
        words = founders_link(self.club)
        assert words is not None
        person, session = self.club.let_in(words, name)
        return Visitor(self, person.id, session)

    def person(self, name: str = "Bob", roles: tuple[Role, ...] = ("player",)) -> Visitor:
        """Makes a member of the club, in a browser."""
        person, link = self.club.add(name, roles, "")
        return Visitor(self, person.id, self.club.let_in(link.words)[1])

    def nobody(self) -> FlaskClient:
        """A browser that is nobody's."""
        return self.app.test_client()

    def program(self) -> FlaskClient:
        """A client that keeps no cookies; a Cookie header of the test's is sent as it is."""
        return self.app.test_client(use_cookies=False)


@dataclass
class Visitor:
    """Somebody, and the session of their browser."""

    site: Site
    id: str
    session: NewPass

    @property
    def csrf(self) -> dict[str, str]:
        return {CSRF_HEADER: csrf_of(self.session.words)}

    def browser(self, name: str = COOKIE) -> FlaskClient:
        """A browser with their session; it says no word of its own."""
        client = self.site.app.test_client()
        client.set_cookie(name, self.session.words)
        return client

    def token(self, *scopes: Scope, **said: Any) -> dict[str, str]:
        """The headers of a program of theirs."""
        shown = self.site.club.make(
            "token", self.id, person=self.id, scopes=scopes or SCOPES, **said
        )
        return bearer(shown.words)

    def asks(self, method: str, path: str, json: Any = None) -> Any:
        """Their browser asks the API, as a page of ours does."""
        return self.browser().open(f"/api/v1{path}", method=method, json=json, headers=self.csrf)


def bearer(words: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {words}"}


def is_problem(answer: Any, status: int, code: str) -> bool:
    """Whether an answer is this problem, in the form that all have."""
    assert answer.mimetype == "application/problem+json", answer.text
    said = answer.json
    assert said["status"] == answer.status_code
    assert said["type"] == f"/problems/{said['code']}"
    assert said["title"]
    assert said["detail"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert (answer.status_code, said["code"]) == (status, code), said
    return True
