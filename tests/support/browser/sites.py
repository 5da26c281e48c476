"""A site for the tests in a browser: `hegemon up` itself, and those who come to it.

Everything here speaks HTTP to the site, as a person's browser or program does.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.run.settings import ROOT
from services.web.app.identity import COOKIE, CSRF_HEADER, csrf_of
from tests.support.starting import surroundings

READY_SECONDS = 150.0  # longer than `up` itself waits
READY = re.compile(r"Hegemon is ready: (http://[^/]+)/")
LINK = re.compile(r"/welcome/(\S+)")


@dataclass
class Person:
    """A member of the club, signed in."""

    site: Site
    name: str
    session: str  # the words of a browser's session
    id: str = ""

    @property
    def cookie(self) -> dict[str, str]:
        """Their session, as Playwright puts it into a browser."""
        return {"name": COOKIE, "value": self.session, "url": self.site.address}

    def asks(self, method: str, path: str, said: Any = None) -> Any:
        """Ask the API as a page of theirs does; what it answers, which is no problem."""
        headers = {"Cookie": f"{COOKIE}={self.session}", CSRF_HEADER: csrf_of(self.session)}
        return self.site.asks(method, f"/api/v1{path}", said, headers)

    def token(self, *scopes: str) -> str:
        """The words of a token for a program of theirs."""
        asked = {"label": "test", "scopes": list(scopes or ("read", "play"))}
        return str(self.asks("POST", "/me/tokens", asked)["token"])

    def match(
        self,
        ruleset: str = "tictactoe",
        seats: Sequence[Person | str | None] = ("bot", "bot"),
        **said: Any,
    ) -> str:
        """A match that they make: a seat is for a person, for "bot" or a bot's name, or is open.

        It is started where no seat is open.
        """
        asked = {"ruleset": ruleset, "seats": len(seats), **said}
        match = str(self.asks("POST", "/matches", asked)["id"])
        for number, who in enumerate(seats):
            path = f"/matches/{match}/seats/{number}"
            if isinstance(who, Person):
                who.asks("PUT", path, {})
            elif who is not None:
                bot = "random" if who == "bot" else who
                self.asks("PUT", f"{path}/bot", {"bot": bot})
        if None not in seats:
            self.asks("POST", f"/matches/{match}/start")
        return match

    def ended(self, match: str, seconds: float = 30.0) -> dict[str, Any]:
        """A match when it has come to its end, as bots bring it there."""
        until = time.monotonic() + seconds
        while (found := self.asks("GET", f"/matches/{match}"))["result"] is None:
            assert time.monotonic() < until, f"the match has not ended: {found}"
            time.sleep(0.05)
        return dict(found)

    def finished(self, match: str, seconds: float = 30.0) -> dict[str, Any]:
        """A match when it has come to its end and its result is approved."""
        found = self.ended(match, seconds)
        if found["state"] != "finished":
            found = dict(self.asks("POST", f"/matches/{match}/close"))
        return found


class Site:
    """A running `hegemon up` with a folder of its own: web, live, steward, courier and the rest."""

    def __init__(self, folder: Path, **settings: str) -> None:
        """Start it and wait until it is ready; more settings are `HEGEMON_...` in small letters."""
        self.data = folder / "data"
        self.log = folder / "up.log"
        more = {f"HEGEMON_{name.upper()}": value for name, value in settings.items()}
        # A test asks more often than people do.
        self._settings = {"HEGEMON_LIMITS": "off", "HEGEMON_LOG": "quiet", **more}
        folder.mkdir(parents=True, exist_ok=True)
        self.start()
        try:
            self._founding = str(self._says(LINK))
        except BaseException:
            self.close()
            raise
        self._founder: Person | None = None

    def start(self) -> None:
        """Start it, again after it was killed, and wait until it is ready."""
        command = [sys.executable, "-m", "services.cli", "--data", str(self.data), "up"]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=surroundings(**self._settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self.address = str(self._says(READY))
        except BaseException:
            self.close()
            raise

    @property
    def founder_link(self) -> str:
        """The link that makes who opens it first the organizer."""
        return f"{self.address}/welcome/{self._founding}"

    @property
    def organizer(self) -> Person:
        """Returns the organizer of the club, who signs in on first use."""
        if self._founder is None:
            self._founder = self.enter(self._founding, "Olga Organizer")
        return self._founder

    def person(self, name: str, *roles: str) -> Person:
        """Makes a new member of the club."""
        asked = {"name": name, "roles": list(roles or ("player",))}
        made = self.organizer.asks("POST", "/people", asked)
        return self.enter(made["link"].rpartition("/")[2])

    def enter(self, words: str, name: str = "") -> Person:
        """Go through a link, as a browser does that fills the form in."""
        form = urllib.parse.urlencode({"name": name}).encode()
        with self.opened("POST", f"/welcome/{words}", form) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0].partition("=")[2]
        found = Person(self, name, cookie)
        me = found.asks("GET", "/me")
        found.id, found.name = me["id"], me["name"]
        return found

    def asks(
        self, method: str, path: str, said: Any = None, headers: dict[str, str] | None = None
    ) -> Any:
        """Ask in JSON; what is answered, which is no problem."""
        body = None if said is None else json.dumps(said).encode()
        more = {"Content-Type": "application/json"} if body else {}
        with self.opened(method, path, body, {**more, **(headers or {})}) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def opened(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """Ask; a redirect is not followed, and what is no success fails the test."""
        asked = urllib.request.Request(self.address + path, body, headers or {}, method=method)
        try:
            return _OPENER.open(asked, timeout=20)
        except urllib.error.HTTPError as answer:
            if answer.code == 303:
                return answer
            with answer:
                text = answer.read().decode(errors="replace")[:800]
            raise AssertionError(f"{method} {path}: {answer.code}: {text}") from None

    def _says(self, wanted: re.Pattern[str]) -> str:
        until = time.monotonic() + READY_SECONDS
        while (found := wanted.search(self.log.read_text())) is None:
            assert self.process.poll() is None, f"up has ended: {self.log.read_text()[-2000:]}"
            assert time.monotonic() < until, f"up is not ready: {self.log.read_text()[-2000:]}"
            time.sleep(0.05)
        return found[1]

    def close(self) -> None:
        """Stop it as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(5)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)
