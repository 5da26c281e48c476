"""The errata lab: choose, count, run, look at the table, and at a match side by side."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from services.matches.samples import flagship_id
from tests.services.cli.errata.test_files import CLUB
from tests.support.browser.looking import axe

LOOKS = [{}, {"phone": True, "dark": True}]
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def club(site):
    """Matches of tic-tac-toe by the printed rules, played to their ends by bots."""
    olga = site.organizer
    kept = [
        olga.finished(olga.match("tictactoe", ["random", "random"], edition="printed"))["id"]
        for _ in range(6)
    ]
    return {"olga": olga, "matches": kept}


def looks_well(page, shot, name):
    axe(page)
    assert page.evaluate(WIDER) <= 0, f"{page.url} overflows"
    shot(page, name)


def run_of(page, erratum):
    """Choose an erratum by its words, run it, and wait for the table; where it lies."""
    page.goto("/errata?game=tictactoe")
    page.get_by_role("radio", name=re.compile(rf"^{erratum}\b")).check()
    page.get_by_role("button", name="Run").click()
    page.wait_for_url(re.compile(r"/errata/runs/[0-9a-f]{32}$"))
    expect(page.get_by_role("heading", name="Results")).to_be_visible(timeout=60_000)
    return page.url


def test_an_erratum_is_chosen_counted_run_and_looked_at_side_by_side(a_page, club, shot):
    page = a_page(club["olga"])
    page.goto("/errata?game=tictactoe")
    page.get_by_role("radio", name=re.compile(r"^e2\b")).check()
    page.get_by_role("button", name="How many could change?").click()
    count = page.locator("#count")
    expect(count).to_contain_text(re.compile(r"e2 could change \d+ of \d+ matches"))
    assert "csrf" not in page.url, "the address is to be shared"
    assert "edition=e2" in page.url
    expect(page.get_by_role("radio", name=re.compile(r"^e2\b"))).to_be_checked()
    address = run_of(page, "e2")
    total = int(page.locator("#matches .count").inner_text())
    assert total >= 6
    counted = page.locator("table.classes td.number").all_inner_texts()
    assert sum(map(int, counted)) == total
    with page.expect_download() as csv:
        page.get_by_role("link", name="A row for each match (.csv)").click()
    assert csv.value.path().read_text().count("\n") == total + 1
    nobody = a_page(at=club["olga"].site)
    nobody.goto(address)
    expect(nobody.get_by_role("heading", name="Results")).to_be_visible()


def test_the_flagship_is_held_side_by_side_with_both_boards_and_the_rule(a_page, site, club, shot):
    for look in LOOKS:
        page = a_page(at=site, **look)
        name = "-".join(["compare", *sorted(look)])
        page.goto(f"/matches/{flagship_id()}/compare?b=err.04")
        heading = page.get_by_role("heading", name=re.compile("After event"))
        expect(heading).to_be_visible(timeout=60_000)
        expect(page.locator("figure.board svg")).to_have_count(2)
        expect(page.locator(".rule-text").first).to_be_visible()
        looks_well(page, shot, name)
    page.get_by_role("link", name=re.compile("Next difference")).click()
    page.wait_for_url(re.compile("at="))
    expect(heading).to_be_visible(timeout=60_000)
    page.goto(f"{page.url.partition('#')[0]}#boards")  # what is chosen begins above that place
    expect(heading).to_be_visible()
    page.get_by_label("Left").select_option("printed")
    page.get_by_label("Right").select_option("as it was")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url(re.compile(r"a=printed&b=$"))
    expect(page.get_by_text("No differences: every event has the same outcome.")).to_be_visible(
        timeout=60_000
    )


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: "-".join(look) or "desktop")
def test_axe_finds_nothing_grave_on_its_pages(a_page, club, shot, look):
    page = a_page(club["olga"], **look)
    name = "-".join(["errata", *sorted(look)])
    page.goto("/errata?game=hegemonic&edition=err.04")
    looks_well(page, shot, name)
    run_of(page, "e1")
    looks_well(page, shot, f"{name}-table")


def test_it_works_without_script_and_by_keys_alone(a_page, club):
    page = a_page(club["olga"], script=False)
    page.goto("/errata?game=tictactoe")
    page.get_by_role("radio", name=re.compile(r"^as played")).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name=re.compile(r"^e3\b"))).to_be_checked()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/errata/runs/"))
    expect(page.get_by_role("heading", name="Results")).to_be_visible(timeout=60_000)


def test_what_cannot_be_is_said_at_the_form(a_page, club):
    page = a_page(club["olga"], forgives=("422",))
    page.goto("/errata?game=tictactoe")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("alert")).to_contain_text("Name an edition, a reading or an erratum.")
    axe(page)
    page.get_by_label("Reading 1").select_option("opening.clash")
    page.get_by_label("Value").first.fill("neither")
    page.get_by_role("button", name="Run").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("value: The reading has no such value. It may be: nobody, rolled")
    link = alert.get_by_role("link").get_attribute("href")
    assert link is not None
    expect(page.locator(f'[id="{link[1:]}"]')).to_have_value("neither")


def test_an_erratum_of_the_club_is_counted_run_and_shown_side_by_side(a_page, club, shot, tmp_path):
    page = a_page(club["olga"], forgives=("422",))
    page.goto("/errata?game=tictactoe")
    page.get_by_text("Your club’s own erratum").click()
    page.get_by_label("Erratum text").fill(CLUB.replace("cells", "cell"))
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("alert")).to_contain_text("line 8, content.lines.bent.cell")
    looks_well(page, shot, "errata-mistakes")
    file = tmp_path / "club.toml"
    file.write_text(f'{CLUB}[readings]\n"begin.first" = "rolled"\n', "utf-8")  # it touches all
    page.get_by_label("Erratum file").set_input_files(file)
    page.get_by_role("button", name="How many could change?").click()
    expect(page.locator("#count")).to_contain_text(re.compile(r"club\.01 could change \d+ of \d+"))
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="Results")).to_be_visible(timeout=60_000)
    page.locator("a[href*='compare?run=']").first.click()
    expect(page.get_by_role("heading", name=re.compile("After event"))).to_be_visible(
        timeout=60_000
    )
    expect(page.locator("figure.board svg")).to_have_count(2)


def test_an_erratum_is_put_in_force_by_ruling_and_by_consent(site, club, a_page, shot, tmp_path):
    ann, bob = site.person("Ann Asks"), site.person("Bob Agrees")
    match = club["olga"].match("tictactoe", [ann, bob], edition="e1", title="Under another edition")
    file = tmp_path / "club.toml"
    file.write_text(CLUB.replace("cells", "cell"), "utf-8")
    page = a_page(club["olga"], forgives=("422",))
    page.goto(f"/matches/{match}")
    page.get_by_role("link", name="see or change its errata").click()
    page.get_by_label("Erratum file").set_input_files(file)
    page.get_by_label("Why? (everybody can read this)").fill("as the club said")
    page.get_by_role("button", name="Put it in force").click()
    expect(page.get_by_role("alert")).to_contain_text("line 8, content.lines.bent.cell")
    looks_well(page, shot, "edition-mistakes")
    page.get_by_label("A club erratum").fill(CLUB)
    page.get_by_role("button", name="Put it in force").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Edition e1 + club.01")
    looks_well(page, shot, "edition-ruled")

    asking = a_page(ann)
    asking.goto(f"/matches/{match}/edition")
    asking.get_by_label("Edition", exact=True).select_option("e2")
    asking.get_by_label("Why? (everybody can read this)").fill("the newest is better")
    asking.get_by_role("button", name="Ask the other players").click()
    expect(asking.get_by_role("button", name="Withdraw")).to_be_visible()
    agreeing = a_page(bob, phone=True, dark=True)
    agreeing.goto(f"/matches/{match}")
    agreeing.get_by_role("link", name="agree or decline").click()
    looks_well(agreeing, shot, "edition-asked-phone")
    agreeing.get_by_role("button", name="Agree as").click()
    expect(agreeing.get_by_role("heading", level=1)).to_have_text("Edition e2")
