"""A newcomer: from an empty store to a table against bots, to the sample, and in by a link."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser.looking import axe


def test_from_an_empty_store_to_a_table_against_bots_in_two_clicks(an_own_site, a_page, shot):
    site = an_own_site()
    page = a_page(at=site)
    page.goto("/")
    expect(page.get_by_role("heading", name="You are a guest")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_have_count(0)
    page.goto(site.founder_link)
    page.get_by_label("What should we call you?").fill("Nia Newcomer")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="Replay the sample match")).to_be_visible()
    shot(page, "newcomer")
    page.get_by_text("Tic-tac-toe", exact=True).first.click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile(r"/matches/[a-z0-9]+/table$"))
    match = page.url.split("/")[-2]
    found = site.asks("GET", f"/api/v1/matches/{match}")
    assert found["state"] == "running"
    assert [one["who"] for one in found["seats"]] == ["person", "bot"]
    assert found["seats"][0]["name"] == "Nia Newcomer"


def test_the_sample_match_is_one_click_away(page):
    page.goto("/")
    expect(page.get_by_role("link", name="Replay of the sample match")).to_be_visible()
    page.get_by_role("link", name="Replay the sample match").click()
    page.wait_for_url(re.compile(r"/replay\?at=7\b"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sample match")


def test_a_link_can_be_pasted_and_what_is_no_link_is_said_to_be_none(site, a_page):
    page = a_page(forgives=("422",))
    link = site.organizer.asks("POST", "/people", {"name": "Lea Late"})["link"]
    page.goto("/")
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Sign in").click()
    page.get_by_label("Link", exact=True).fill(link[:-3])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("This is not one of our links")).to_be_visible()
    expect(page.get_by_label("Link", exact=True)).to_have_value(link[:-3])
    axe(page)
    page.get_by_label("Link", exact=True).fill(f" {link} ")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Sign in").click()
    sections = page.get_by_role("navigation", name="Sections")
    expect(sections.get_by_role("link", name="Lea Late")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(sections.get_by_role("link", name="Sign in")).to_be_visible()


def test_everything_works_without_script(site, a_page):
    page = a_page(site.person("Noa Noscript"), script=False)
    page.goto("/")
    page.locator("#play-tictactoe").check()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile(r"/table$"))
    page.goto(page.url.removesuffix("/table"))
    expect(page.get_by_text("Noa Noscript").first).to_be_visible()
    page.goto("/?state=running&mine=1")
    expect(page.get_by_role("table")).to_contain_text("Noa Noscript")
    assert page.get_by_role("button", name="Copy").count() == 0


def test_filters_stand_in_the_address_and_send_themselves(site, a_page):
    ann = site.person("Fay Filter")
    ann.match("tictactoe", [ann, None], title="Come and sit")
    page = a_page(ann)
    page.goto("/")
    page.get_by_label("State").select_option("open")
    page.wait_for_url(re.compile(r"state=open"))
    page.get_by_label("only my matches").check()
    page.wait_for_url(re.compile(r"mine=1"))
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("Come and sit")
    expect(rows.nth(1)).to_contain_text("yours")
