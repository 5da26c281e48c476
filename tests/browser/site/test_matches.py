"""Matches on their pages: made, joined by an invitation from another browser, started, ended."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser.looking import axe


def test_a_match_with_an_invitation_is_joined_from_another_browser(site, a_page, shot):
    hana = site.person("Hana Host")
    here = a_page(hana)
    here.goto("/")
    here.get_by_role("link", name="New match").click()
    here.get_by_role("link", name="Tic-tac-toe").click()
    here.get_by_label("Title").fill("By invitation")
    here.get_by_label("Seat 1").select_option(label="invited by link")
    here.get_by_role("button", name="Create the match").click()
    expect(here.get_by_role("status").first).to_contain_text("Send each of these links")
    link = here.locator(".shown-words").inner_text()
    assert link.startswith(f"{site.address}/welcome/hgm_i_")
    shot(here, "match-invited")

    there = a_page(phone=True, dark=True)
    there.goto(link)
    expect(there.get_by_role("heading", name="You are invited")).to_be_visible()
    there.get_by_label("What should we call you?").fill("Gus Guest")
    there.get_by_role("button", name="Sign in").click()
    there.wait_for_url(re.compile(r"/matches/[a-z0-9]+$"))
    expect(there.locator(".sitting")).to_contain_text("Gus Guest")
    expect(there.get_by_role("button", name="Start the match")).to_have_count(0)

    here.goto(there.url)
    here.get_by_role("button", name="Start the match").click()
    expect(here.locator(".top .state.turn")).to_contain_text("your turn")
    assert "★" in here.title()
    # The page that waits there finds out by itself.
    expect(there.locator(".top .state").first).to_have_text("running", timeout=12_000)


def test_an_invitation_is_shown_once(site, a_page):
    ira = site.person("Ira")
    match = ira.match("tictactoe", [ira, None])
    page = a_page(ira)
    page.goto(f"/matches/{match}")
    page.get_by_role("button", name="Invite a player to seat 1").click()
    expect(page.locator(".shown-words")).to_have_count(1)
    page.reload()
    expect(page.locator(".shown-words")).to_have_count(0)


def test_somebody_sits_down_at_an_open_table_from_the_lobby_and_gets_up_again(site, a_page):
    jo = site.person("Jo")
    match = jo.match("tictactoe", [jo, None], title="Jo waits for anybody")
    page = a_page(site.person("Kim"))
    page.goto("/")
    page.get_by_role("button", name="Sit down at Jo waits for anybody").click()
    page.wait_for_url(f"{site.address}/matches/{match}")
    expect(page.get_by_role("status")).to_contain_text("You sit at seat 1")
    page.get_by_role("button", name="Get up").click()
    expect(page.locator(".sitting li").nth(1)).to_contain_text("free")


def test_what_is_wrong_is_said_beside_its_field_and_what_was_typed_is_kept(site, a_page):
    page = a_page(site.person("Mia Mistake"), forgives=("422",))
    page.goto("/matches/new?game=hegemonic")
    page.get_by_label("Title").fill("Too little time")
    page.get_by_label("Type of clock", exact=True).select_option("bank")
    page.get_by_label("Time", exact=True).fill("0")
    page.get_by_role("button", name="Create the match").click()
    expect(page.get_by_role("alert")).to_contain_text("need a correction")
    expect(page.get_by_label("Title")).to_have_value("Too little time")
    time = page.get_by_label("Time", exact=True)
    expect(time).to_have_attribute("aria-invalid", "true")
    axe(page)
    time.fill("5")
    page.get_by_role("button", name="Create the match").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Too little time")
    expect(page.locator(".terms").first).to_contain_text("5 minutes for all decisions")


def test_the_host_pauses_resumes_and_approves(site, a_page, shot):
    lou = site.person("Lou")
    match = lou.match("tictactoe", [lou, "random"], title="Stop and go")
    page = a_page(lou)
    page.goto(f"/matches/{match}")
    page.locator("summary", has_text="Pause").click()
    page.get_by_label("Why?").and_(page.locator("#why-pause")).fill("lunch")
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.locator(".top .state").first).to_have_text("paused")
    expect(page.get_by_text("Paused: lunch")).to_be_visible()
    page.locator("summary", has_text="Resume").click()
    page.locator("#why-resume").fill("back")
    page.get_by_role("button", name="Resume", exact=True).click()
    expect(page.locator(".top .state").first).to_have_text("running")
    lou.asks("POST", f"/matches/{match}/seats/0/resign", {"reason": "late"})
    lou.ended(match)
    page.goto(f"/matches/{match}")
    page.get_by_role("button", name="Approve the result").click()
    expect(page.locator(".top .state").first).to_have_text("finished")
    expect(page.get_by_role("link", name="Replay from the start")).to_be_visible()
    shot(page, "match-finished")


def test_a_guest_finds_no_button_that_changes_anything(site, a_page):
    match = site.organizer.match("tictactoe", [site.organizer, None])
    page = a_page()
    page.goto(f"/matches/{match}")
    expect(page.get_by_role("heading", name="Seats")).to_be_visible()
    assert page.locator("form[method=post]").count() == 0
