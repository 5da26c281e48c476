"""One's own page: tokens, devices, sign out; and the people of the club."""

from __future__ import annotations

import re

from playwright.sync_api import expect


def test_a_token_is_made_shown_once_used_and_revoked(site, a_page, shot):
    page = a_page(site.person("Tom Token"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/you")
    page.get_by_role("link", name="Tokens").click()
    page.get_by_label("Purpose").fill("my bot")
    page.get_by_label("play: sit down").check()
    page.get_by_role("button", name="Create the token").click()
    words = page.locator(".shown-words").inner_text()
    assert words.startswith("hgm_t_")
    shot(page, "token-shown")
    page.get_by_role("button", name="Copy my bot").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == words
    shown = {"Authorization": f"Bearer {words}"}
    assert site.asks("GET", "/api/v1/me", headers=shown)["scopes"] == ["read", "play"]
    page.reload()
    expect(page.locator(".shown-words")).to_have_count(0)
    page.get_by_role("button", name="Revoke my bot").click()
    expect(page.get_by_text("You have no tokens.")).to_be_visible()
    assert page.request.get("/api/v1/me", headers=shown).status == 401


def test_a_token_without_a_name_is_not_made_and_its_form_says_so(site, a_page):
    page = a_page(site.person("Zed"), forgives=("422",))
    page.goto("/you/tokens")
    page.get_by_label("read: view").uncheck()
    page.get_by_role("button", name="Create the token").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Purpose")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("read: view")).not_to_be_checked()


def test_another_device_is_signed_in_by_a_link_and_signed_out_from_here(site, a_page):
    here = a_page(site.person("Dee Device"))
    here.goto("/you")
    here.get_by_role("button", name="Create a link").click()
    link = here.locator(".shown-words").inner_text()
    there = a_page(at=site, phone=True)
    there.goto(link)
    there.get_by_role("button", name="Sign in").click()
    there.goto("/you")
    expect(there.get_by_role("heading", level=1)).to_have_text("Dee Device")
    here.goto("/you")
    here.get_by_role("button", name="Sign out there").click()
    there.goto("/")
    sections = there.get_by_role("navigation", name="Sections")
    expect(sections.get_by_role("link", name="Sign in")).to_be_visible()


def test_sign_out_ends_the_session(site, a_page):
    page = a_page(site.person("Ola Out"), forgives=("401",))
    page.goto("/you")
    page.get_by_role("button", name="Sign out here").click()
    page.wait_for_url(f"{site.address}/")
    page.goto("/you")
    expect(page.get_by_role("heading", name="Sign in first")).to_be_visible()
    expect(page.locator(".problem")).to_contain_text("open the link that you received")


def test_where_there_is_no_page_nobody_signed_in_is_told_to_sign_in(site, a_page):
    page = a_page(site.person("Una Lost"), forgives=("404",))
    page.goto("/no-such-page")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in")).to_have_count(0)


def test_a_match_that_is_played_alone_has_a_title(site, a_page):
    page = a_page(site.person("Sol Lone"))
    page.goto("/")
    page.locator("#play-galactic_hegemony").check()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sol Lone alone")


def test_a_name_is_changed_and_a_bad_one_is_kept_in_its_field(site, a_page):
    page = a_page(site.person("Ned"), forgives=("422",))
    page.goto("/you")
    name = page.get_by_label("Name that others see")
    name.fill("Ned \u202e")
    page.get_by_role("button", name="Save").click()
    expect(name).to_have_attribute("aria-invalid", "true")
    name.fill("Ned Name")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ned Name")


def test_an_organizer_lets_somebody_in_and_makes_them_an_organizer(site, a_page):
    page = a_page(site.organizer)
    page.goto("/")
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="People").click()
    page.get_by_label("Name", exact=True).and_(page.locator("#f-name")).fill("Pia Person")
    page.get_by_role("button", name="Add and create their link").click()
    assert "/welcome/hgm_l_" in page.locator(".shown-words").inner_text()
    page.get_by_label("Name", exact=True).and_(page.locator("#q")).fill("Pia Person")
    page.get_by_role("button", name="Find").click()  # there may be more people than are listed
    page.get_by_role("link", name="Pia Person").click()
    page.wait_for_url(re.compile(r"/people/[a-z0-9]{16}$"))
    page.locator("summary", has_text="Roles").click()
    page.get_by_role("checkbox", name="organizer").check()
    page.get_by_role("button", name="Change", exact=True).click()
    expect(page.locator(".top .badge-of")).to_have_text(["organizer", "player"])


def test_a_player_finds_no_people_page(site, a_page):
    page = a_page(site.person("Quinn"), forgives=("403",))
    page.goto("/")
    assert page.get_by_role("link", name="People").count() == 0
    page.goto("/people")
    expect(page.locator(".problem .status")).to_have_text("403")
