"""Logs: one line a request, a number that joins it to the answer, and no secret in any of them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services.run import logs
from services.run.logs import ForPeople, Hush, StderrHandler
from services.web.app.access import allowed
from services.web.app.requests import RequestJsonFormatter
from tests.support.web.seated import Player, made, table
from tests.support.web.visitors import Site, Visitor, bearer

NONCE = "5a" * 32
CARD = 7


class Said(StderrHandler):
    """Keeps the lines, as they are written."""

    def __init__(self, form: logging.Formatter) -> None:
        super().__init__()
        self.setFormatter(form)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


@pytest.fixture
def said() -> Iterator[Said]:
    """All that the services log, for programs."""
    yield from _listening(RequestJsonFormatter())


@pytest.fixture
def told() -> Iterator[Said]:
    """... and for people."""
    yield from _listening(ForPeople())


def _listening(form: logging.Formatter) -> Iterator[Said]:
    found = Said(form)
    logging.getLogger(logs.OURS).addHandler(found)
    yield found
    logging.getLogger(logs.OURS).removeHandler(found)


@pytest.fixture
def site(a_site: Callable[..., Site]) -> Site:
    return a_site(log="json")


def test_a_request_is_a_line_that_says_who_what_and_how_it_went(site: Site, said: Said):
    ann, bob = table(site)
    said.lines.clear()
    answer = ann.decide({"type": "play.mark", "cell": 4}, at=4)
    [line] = said.objects
    assert line.pop("ms") > 0
    assert line.pop("at").endswith("+00:00")
    assert line == {
        "level": "info",
        "method": "POST",
        "route": "/api/v1/matches/<string:match>/decisions",
        "status": 201,
        "request": answer.headers["X-Request-ID"],
        "person": ann.who.id,
        "match": ann.match,
        "version": 5,
    }
    said.lines.clear()
    refused = bob.decide({"type": "play.mark", "cell": 4}, at=5)
    [line] = said.objects
    assert (line["status"], line["code"]) == (422, refused.json["code"])
    assert refused.json["trace"] == line["request"] == refused.headers["X-Request-ID"]


def test_each_request_has_a_number_of_its_own_whatever_becomes_of_it(site: Site):
    client = site.program()
    answers = [
        client.get("/"),
        client.get("/nowhere"),
        client.get("/api/v1/me"),
        client.get("/api/v1/me", headers=bearer("nonsense")),
        client.post("/health"),
        client.get("/health"),
    ]
    numbers = {answer.headers["X-Request-ID"] for answer in answers}
    assert len(numbers) == len(answers)
    assert all(len(number) == 16 for number in numbers)


def test_only_a_proxy_gives_numbers(a_site: Callable[..., Site]):
    given = {"X-Request-ID": "from-the-proxy-1"}
    alone, behind = a_site(log="quiet"), a_site(log="quiet", proxies=1)
    assert alone.program().get("/", headers=given).headers["X-Request-ID"] != "from-the-proxy-1"
    assert behind.program().get("/", headers=given).headers["X-Request-ID"] == "from-the-proxy-1"
    odd = {"X-Request-ID": "<script>"}
    assert behind.program().get("/", headers=odd).headers["X-Request-ID"] != "<script>"


def test_a_failure_of_ours_is_told_with_its_traceback(site: Site, said: Said):
    @allowed("anyone")
    def fail() -> None:
        raise RuntimeError("the front page is on fire")

    site.app.testing = False
    site.app.view_functions["pages.front"] = fail
    answer = site.program().get("/")
    assert answer.status_code == 500
    failure, line = said.objects
    assert "on fire" in failure["traceback"]
    assert failure["request"] == line["request"] == answer.headers["X-Request-ID"]
    assert (line["level"], line["status"]) == ("error", 500)


def test_people_read_what_changed_something_or_went_wrong(a_site: Callable[..., Site], told: Said):
    site = a_site(log="short")
    host = site.founder()
    site.nobody().get("/")
    assert told.lines == []
    made(host)
    site.nobody().get("/nowhere")
    first, second = told.lines
    assert " POST /api/v1/matches 201 (" in first
    assert " GET (none) 404 " in second


def test_the_quiet_log_has_only_what_went_wrong_here(a_site: Callable[..., Site], told: Said):
    site = a_site(log="quiet")
    site.nobody().get("/nowhere")
    made(site.founder())
    assert told.lines == []


def test_no_secret_that_was_ever_shown_is_in_any_line(site: Site, said: Said, told: Said):
    """A whole evening: coming in, sealed cards, mistakes, links, and somebody who tries things."""
    secrets = _an_evening(site)
    lines = [*said.lines, *told.lines]
    assert len(said.lines) > 30
    assert leaks(secrets, lines) == []
    # The test can fail: what is written down is found.
    planted = [f"GET /somewhere/{secret}" for secret in secrets.values()]
    assert {name for name, _ in leaks(secrets, planted)} == secrets.keys()


def leaks(secrets: dict[str, str], lines: list[str]) -> list[tuple[str, str]]:
    return [(name, line) for name, secret in secrets.items() for line in lines if secret in line]


def _an_evening(site: Site) -> dict[str, str]:
    secrets: dict[str, str] = {}
    ann = site.founder()
    secrets["session"], secrets["csrf"] = ann.session.words, next(iter(ann.csrf.values()))
    shown = ann.asks("POST", "/me/tokens", {"label": "bot", "scopes": ["read", "play"]})
    secrets["token"] = shown.json["token"]
    added = ann.asks("POST", "/people", {"name": "Bob", "roles": ["player"]})
    link = added.json["link"]
    link = link if isinstance(link, str) else link["link"]
    secrets["link"] = link.rpartition("/")[2]
    browser = site.nobody()
    assert browser.get(f"/welcome/{secrets['link']}").status_code == 200
    assert browser.post(f"/welcome/{secrets['link']}").status_code == 303
    assert browser.get(f"/welcome/{secrets['link']}").status_code == 410
    secrets["bob's session"] = next(iter(browser._cookies.values())).value
    for path in (f"/{secrets['token']}", f"/api/v1/matches/{secrets['token']}"):
        site.program().get(path)
    site.program().get("/api/v1/me", headers=bearer(secrets["token"][:-1] + "x"))
    site.program().get(f"/?token={secrets['token']}", headers={"Referer": secrets["link"]})
    site.program().open("/", method=secrets["token"][:9])
    _a_match(ann, site.person("Cid"), secrets)
    return secrets


def _a_match(ann: Visitor, cid: Visitor, secrets: dict[str, str]) -> None:
    match = made(ann, options={"opening": "sealed"})
    invited = ann.asks("POST", f"/matches/{match}/seats/1/invitations")
    secrets["invitation"] = invited.json["link"].rpartition("/")[2]
    players = [Player(ann, match, 0), Player(cid, match, 1)]
    secrets["a player's token"] = players[0].headers["Authorization"].partition(" ")[2]
    secrets["nonce"] = NONCE
    assert players[0].put("/seats/0", {"nonce": NONCE}).status_code == 200
    assert players[1].put("/seats/1", {}).status_code == 200
    assert players[0].post("/start").status_code == 200
    for player in players:
        sealed = {"type": "opening.write", "cell": CARD + player.seat, "why": "it's secret"}
        assert player.decide(sealed, at=4).status_code == 422
        del sealed["why"]
        key = f"key of {player.seat}"
        written = player.decide(sealed, at=4, key=key, question="opening")
        assert written.status_code == 201
        for path in ("", "/view", "/scene", "/options", "/events", "/facts"):
            player.get(path)
    secrets["why"], secrets["key"] = "it's secret", "key of 0"
    secrets["a sealed card"] = f'"cell":{CARD}'
    secrets["a sealed card, spaced"] = f"'cell': {CARD}"
    opening = players[0].get("/events?since=4").json["events"][0]["openings"][0]
    secrets["salt"], secrets["plain"] = opening["salt"], opening["plain"]


def test_what_others_log_loses_its_passes_too(said: Said, site: Site):
    words = site.founder().session.words
    logging.getLogger("services.feeds.hub").warning("somebody said %s", words)
    try:
        raise ValueError(words)
    except ValueError:
        logging.getLogger("services.projector").exception("it failed")
    text = "\n".join(said.lines)
    assert words not in text
    assert words[:23] in text  # which it was can still be seen
    assert "ValueError" in text
    assert any(isinstance(one, Hush) for one in said.filters)
