"""The viewer before documents that a test gives it, as a site would, and without a site.

replay = Replaying(page, documents)   "spectator" and so on, as JSON
replay.open(at=12)                    the page of the replay, taken over by the viewer
replay.at                             the event that is looked at
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route, expect

from ledger.games import ruleset
from ledger.log.read.bundle import read_history
from ledger.log.read.history import History
from replays.document.builder import build
from replays.document.structs import pack_replay
from services.matches.samples import FLAGSHIP
from tests.support.browser.drawn import HOST, answer

Document = dict[str, Any]
MATCH = "m"
STYLES = "".join(
    f'<link rel="stylesheet" href="/static/{name}.css">' for name in ("style", "board", "replay")
)
BODY = (
    '<title>test</title><meta name="viewport" content="width=device-width, initial-scale=1">'
    f'{STYLES}<script type="module" src="/static/replay.js"></script>'
    f'<main id="main"><div id="replay" data-match="{MATCH}"><h1>As the server drew it</h1>'
    "</div></main>"
)
EMBEDDED = (
    f'<title>test</title>{STYLES}<script type="module" src="/static/replay.js"></script>'
    '<main id="main"><div id="replay"></div></main>'
)


@cache
def sample() -> History:
    """The sample match of the flagship."""
    with FLAGSHIP.open("rb") as file:
        return read_history(file, ruleset)


@cache
def sample_packed(word: str = "spectator") -> bytes:
    """Its document for a viewpoint, as JSON."""
    if word == "all":
        return pack_replay(build(sample(), "all"))
    return pack_replay(build(sample(), None if word == "spectator" else int(word)))


def sample_document(word: str = "spectator") -> Document:
    """Its document for a viewpoint; a new one each time, that a test may alter."""
    found: Document = json.loads(sample_packed(word))
    return found


class Replaying:
    """A replay in a page."""

    def __init__(self, page: Page, documents: Mapping[str, Document] | None = None) -> None:
        self.page = page
        self.documents = {"spectator": sample_document()} if documents is None else dict(documents)
        self.answers: list[Callable[[Route], None]] = []  # given before any document
        self.editions: dict[str, Document] = {}  # of the spectator, under other editions
        self.asked: list[str] = []
        self._routed = False
        self.live: Callable[[Route], None] = lambda route: route.fulfill(status=503)

    def open(self, at: int | None = 1, as_: str = "spectator", *, wait: bool = True) -> Replaying:
        """Open the page at an event."""
        place = f"/matches/{MATCH}/replay?" + ("" if at is None else f"at={at}&") + f"as={as_}"
        if not self._routed:  # once: between two nobody would answer what the page still asks
            self._routed = True
            self.page.route(f"{HOST}/**", lambda route: answer(route, BODY))
            self.page.route(f"{HOST}/live/**", self._live)
            self.page.route(f"{HOST}/api/**", self._answer)
        self.page.goto(HOST + place)
        if wait:
            self.ready()
        return self

    def ready(self) -> None:
        """Wait until the viewer has taken the page over, and drawn all of it."""
        self.page.wait_for_selector("#replay[data-ready] .viewer #panel")

    def _live(self, route: Route) -> None:
        self.live(route)

    def _answer(self, route: Route) -> None:
        asked = urlsplit(route.request.url)
        self.asked.append(f"{asked.path}?{asked.query}")
        if self.answers:
            self.answers.pop(0)(route)
            return
        query = parse_qs(asked.query)
        word, edition = query.get("as", ["spectator"])[0], query.get("edition", [""])[0]
        if edition:
            route.fulfill(body=json.dumps(self.editions[edition]), content_type="application/json")
        elif word in self.documents:
            text = json.dumps(self.documents[word])
            route.fulfill(body=text, content_type="application/json")
        else:
            said = json.dumps({"status": 403, "code": "not_your_seat", "detail": "Not your seat."})
            route.fulfill(status=403, body=said, content_type="application/problem+json")

    @property
    def at(self) -> int:
        """The event that is looked at."""
        return int(self.page.input_value("#at"))

    def stands_at(self, at: int) -> None:
        """Wait until this event is looked at."""
        expect(self.page.locator("#at")).to_have_value(str(at))

    def press(self, key: str) -> None:
        """Press a key, with the focus nowhere in particular."""
        self.page.evaluate("document.activeElement?.blur()")
        self.page.keyboard.press(key)

    def address_says(self, at: int, as_: str = "spectator") -> None:
        """Wait until the address names this event and viewpoint."""
        self.page.wait_for_url(f"{HOST}/matches/{MATCH}/replay?at={at}&as={as_}")


def answered(status: int, said: Any) -> Callable[[Route], None]:
    """An answer of the site in JSON."""
    return lambda route: route.fulfill(
        status=status, body=json.dumps(said), content_type="application/json"
    )
