"""A tournament from its making to its standings, on its pages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser.looking import axe


@pytest.fixture
def entrants(site):
    return [site.person(name) for name in ("Una", "Vic", "Wes", "Xia")]


def test_a_round_is_made_drawn_played_approved_and_seen_in_the_standings(
    site, a_page, entrants, shot
):
    page = a_page(site.organizer)
    page.goto("/tournaments")
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("link", name="Tic-tac-toe").click()
    page.get_by_label("Title").fill("Autumn Cup")
    page.get_by_label("Rounds", exact=True).fill("2")
    page.get_by_role("button", name="Create the tournament").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Autumn Cup")
    tournament = page.url.rpartition("/")[2]
    for one in entrants[:-1]:
        one.asks("POST", f"/tournaments/{tournament}/players", {})
    page.reload()
    page.get_by_label("Add a player").select_option(label="Xia")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".entrants li")).to_have_count(4)

    page.get_by_role("button", name="Draw round 1").click()
    expect(page.get_by_role("status").first).to_contain_text("Round 1 is paired")
    page.get_by_role("button", name="Start all tables").click()
    expect(page.get_by_role("status").first).to_contain_text("Started: 2 of 2 tables")
    site_round = site.organizer.asks("GET", f"/tournaments/{tournament}/rounds/1")
    for table in site_round["tables"]:
        for seat in (0, 1):
            path = f"/matches/{table['match']}/seats/{seat}/holder"
            site.organizer.asks("PUT", path, {"bot": "random", "reason": "for the test"})
        site.organizer.ended(table["match"])
    page.get_by_role("button", name="Read results").click()
    expect(page.get_by_role("status").first).to_contain_text("2 of 2 tables")
    page.get_by_role("button", name="Approve the result of table 1").click()
    first = page.locator("#round-1 tbody tr").first
    expect(first.locator(".state")).to_have_text("approved")

    second = page.locator("#round-1 tbody tr").nth(1)
    second.locator("summary", has_text="Correct").click()
    second.get_by_role("group", name="Winners").get_by_role("checkbox").first.check()
    second.get_by_label("Score of").first.fill("7")
    second.get_by_label("Score of").nth(1).fill("1")
    second.get_by_label("Why").and_(second.locator("input[required]")).fill("the die fell down")
    second.get_by_role("button", name="Replace the log’s result").click()
    expect(page.locator("#round-1")).to_contain_text("Corrected: the die fell down")
    shot(page, "tournament-approved")

    page.get_by_role("button", name="Close the round").click()
    expect(page.get_by_role("button", name="Draw round 2")).to_be_visible()
    standings = page.get_by_role("table").first
    expect(standings.get_by_role("row")).to_have_count(5)
    expect(page.get_by_text("all results that count are approved")).to_be_visible()
    standings.locator("summary").first.click()
    expect(standings.locator("details[open] li").first).to_contain_text("round 1: place")
    axe(page)


def test_players_enter_and_leave_by_themselves_and_others_run_nothing(site, a_page, entrants):
    made = {"title": "Open Door", "ruleset": "tictactoe", "seats": 2, "rounds": 1}
    tournament = site.organizer.asks("POST", "/tournaments", made)["id"]
    page = a_page(entrants[0], phone=True)
    page.goto(f"/tournaments/{tournament}")
    page.get_by_role("button", name="Join the tournament").click()
    expect(page.locator(".top .badge-of.you")).to_have_text("you are playing")
    assert page.get_by_role("button", name="Draw round").count() == 0
    page.locator("summary", has_text="Leave the tournament").click()
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(page.locator(".entrants .gone")).to_contain_text("Una")


def test_what_cannot_be_done_is_said_on_the_page(site, a_page):
    made = {"title": "Nobody Comes", "ruleset": "tictactoe", "seats": 2, "rounds": 1}
    tournament = site.organizer.asks("POST", "/tournaments", made)["id"]
    page = a_page(site.organizer, forgives=("409",))
    page.goto(f"/tournaments/{tournament}")
    page.get_by_role("button", name="Draw round 1").click()
    expect(page.get_by_role("alert")).to_contain_text("too few players")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nobody Comes")
