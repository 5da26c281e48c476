"""The line to the site is cut while one plays: sent decisions are done once, missed ones seen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Request, expect

from tests.browser.table.test_play import at_table
from tests.support.browser.cutting import Cuttable
from tests.support.browser.sites import Person, Site
from tests.support.browser.tabling import decided

LOST = ("net::ERR_", "Failed to fetch")
SECONDS = 20.0


@pytest.fixture
def line(site: Site) -> Iterator[Cuttable]:
    made = Cuttable(site.address)
    yield made
    made.close()


def marks(person: Person, match: str) -> list[int]:
    """Returns the seats that marked a cell, in order."""
    found = person.asks("GET", f"/matches/{match}/facts")["events"]
    return [one["seat"] for one in found for fact in one["facts"] if fact["type"] == "play.marked"]


def test_a_line_cut_between_a_decision_and_its_answer_loses_and_doubles_nothing(
    a_page: Any, site: Site, line: Cuttable
):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(ann, at=line.address, forgives=LOST)
    keys: list[str] = []

    def asked(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/decisions"):
            keys.append(request.headers["idempotency-key"])

    page.on("request", asked)
    at_table(page, match)
    page.locator('.place.target[data-on="c4"]').click()
    expect(page.locator(".tray .send")).to_be_enabled()  # what would come of it was answered
    line.deaf()
    page.locator(".tray .send").click()
    until = time.monotonic() + SECONDS
    while marks(ann, match) != [0]:  # it is written, and nobody here hears of it
        assert time.monotonic() < until
        time.sleep(0.05)
    line.cut()
    expect(page.locator(".table-head .state.link-lost")).to_contain_text("connection lost")
    expect(page.locator(".tray")).to_contain_text("Trying again")
    decided(bea, match, 1, {"type": "play.mark", "cell": 0})  # missed while the line is cut
    expect(page.locator(".piece")).to_have_count(0)
    line.mend()
    expect(page.locator(".tray")).to_have_count(0)
    expect(page.locator(".piece")).to_have_count(2)
    expect(page.locator(".log li").last).to_contain_text("O marks the top left.")
    expect(page.locator(".table-head .state.link-lost")).to_have_count(0)
    assert marks(ann, match) == [0, 1], "once, however often it was sent"
    assert len(keys) > 1
    assert len(set(keys)) == 1, "under one key"
    expect(page.locator(".place.target")).to_have_count(7)


def test_what_is_decided_without_a_line_waits_for_it(a_page: Any, site: Site, line: Cuttable):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(ann, at=line.address, forgives=LOST)
    at_table(page, match)
    page.locator('.place.target[data-on="c8"]').click()
    expect(page.locator(".tray .send")).to_be_enabled()
    line.cut()
    page.locator(".tray .send").click()
    expect(page.locator(".tray")).to_contain_text("Trying again")
    assert marks(ann, match) == []
    line.mend()
    expect(page.locator(".tray")).to_have_count(0)
    expect(page.locator(".piece")).to_have_count(1)
    assert marks(ann, match) == [0]
