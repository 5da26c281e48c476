"""Matches that spectators see later: pages and lists tell them no sooner who sits there, or how."""

from __future__ import annotations

from typing import Any

import pytest

from services.matches.cache import MatchCache
from services.matches.tournaments import Tournaments
from tests.support.web.organizing import SMALL, tournament
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site

HOUR = 3_600


@pytest.fixture
def timed(site: Site) -> Site:
    """All go by the clock of the test."""
    store = site.club.store
    tables = MatchCache(store, site.clock)
    tournaments = Tournaments(store, tables, site.clock)
    site.app.extensions["match_cache"] = lambda: tables
    site.app.extensions["tournaments"] = lambda: tournaments
    return site


def seen(site: Site, path: str, **headers: str) -> str:
    """A page as somebody sees it."""
    answer = site.program().get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def with_a_bot(site: Site, delay: int = HOUR) -> list[Player]:
    """A match whose second player has just been followed by a bot."""
    players = table(site, delay=delay)
    site.clock.now += 1_000
    asked: dict[str, Any] = {"bot": "greedy"}
    assert players[0].put("/seats/1/bot", asked).status_code == 200
    return players


def test_the_page_of_a_match_tells_of_a_new_bot_when_its_event_is_seen(timed: Site):
    players = with_a_bot(timed)
    page = f"/matches/{players[0].match}"
    assert "greedy bot" not in seen(timed, page)
    assert "greedy bot" in seen(timed, page, **players[0].headers)
    timed.clock.now += (HOUR + 1) * 1_000
    assert "greedy bot" in seen(timed, page)


def test_without_a_delay_it_is_told_at_once(timed: Site):
    players = with_a_bot(timed, 0)
    assert "greedy bot" in seen(timed, f"/matches/{players[0].match}")


def test_the_list_of_somebodys_matches_does_not_tell_that_they_have_left_one(timed: Site):
    players = with_a_bot(timed)
    left, onlooker = players[1].who, timed.person("Onlooker").token("read")
    page = f"/people/{left.id}"
    assert players[0].match in seen(timed, page, **onlooker)
    assert players[0].match not in seen(timed, page, **players[0].headers)


def test_the_page_of_a_tournament_does_not_tell_of_a_pause_that_is_not_seen_yet(timed: Site):
    host, people = tournament(timed, 4, **SMALL, delay=HOUR)
    host.post("/rounds/1/draw", {})
    host.post("/rounds/1/start")
    timed.clock.now += 1_000
    host.post("/rounds/1/pause", {"reason": "lunch"})
    page = f"/tournaments/{host.id}"
    assert '<span class="state paused">' not in seen(timed, page)
    assert seen(timed, page, **host.who.token("read")).count('<span class="state paused">') == 2
    assert seen(timed, page, **people[0].token("read")).count('<span class="state paused">') == 1
