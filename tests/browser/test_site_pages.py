"""Every page of the site: axe-core, phone, light and dark, and the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looking import axe

LOOKS = [{}, {"phone": True, "dark": True}]
# Focusable things of a page in their order, as far as the keyboard must reach them.
REACHABLE = """() => [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]')]
    .filter((one) => one.checkVisibility() && !one.disabled).length"""


@pytest.fixture(scope="module")
def club(site):
    """People, matches and a tournament: all that pages can be about."""
    olga = site.organizer
    ann, bob = site.person("Ann Axe"), site.person("Bob Axe")
    over = olga.match("tictactoe", ["greedy", "random"], title="Axe: over")
    olga.finished(over)
    made = {"title": "Axe Cup", "ruleset": "tictactoe", "seats": 2, "rounds": 2}
    tournament = olga.asks("POST", "/tournaments", made)["id"]
    for one in (olga, ann, bob):
        one.asks("POST", f"/tournaments/{tournament}/players", {})
    olga.asks("POST", f"/tournaments/{tournament}/rounds/1/draw", {})
    olga.asks("POST", f"/tournaments/{tournament}/rounds/1/start")
    clock = {"kind": "bank", "seconds": 600, "increment": 5}
    return {
        "people": {"olga": olga, "ann": ann, "nobody": None},
        "ann": ann.id,
        "over": over,
        "open": ann.match("hegemonic", [ann, None, "greedy"], title="Axe: open"),
        "running": ann.match("tictactoe", [ann, bob], title="Axe: running", clock=clock),
        "tournament": tournament,
    }


PAGES = [
    ("nobody", "/"),
    ("ann", "/"),
    ("ann", "/?state=finished&game=tictactoe"),
    ("nobody", "/sign-in"),
    ("ann", "/matches/new"),
    ("ann", "/matches/new?game=hegemonic"),
    ("ann", "/matches/{open}"),
    ("ann", "/matches/{running}"),
    ("nobody", "/matches/{over}"),
    ("nobody", "/tournaments"),
    ("olga", "/tournaments/new?game=tictactoe"),
    ("olga", "/tournaments/{tournament}"),
    ("nobody", "/tournaments/{tournament}/pairings/1"),
    ("olga", "/people"),
    ("olga", "/people/{ann}"),
    ("ann", "/you"),
    ("ann", "/you/tokens"),
    ("nobody", "/problems/stale"),
    ("nobody", "/nowhere"),
]


@pytest.mark.parametrize(("who", "path"), PAGES)
def test_axe_finds_nothing_grave_and_nothing_is_wider_than_the_page(
    site, a_page, club, shot, who, path
):
    for look in LOOKS:
        page = a_page(club["people"][who], at=site, forgives=("404",), **look)
        page.goto(path.format(**club))
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        axe(page)
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wider) <= 0, f"{path} overflows"
        name = re.sub(r"[^a-z]+", "-", f"{who}{path}")
        shot(page, f"page-{name}-{'phone-dark' if look else 'desktop-light'}")


@pytest.mark.parametrize("path", ["/", "/matches/{open}", "/tournaments/{tournament}"])
def test_the_keyboard_reaches_everything_and_focus_is_seen(a_page, club, path):
    page = a_page(club["people"]["olga"])
    page.goto(path.format(**club))
    count, seen = page.evaluate(REACHABLE), set()
    for _ in range(count + 5):
        page.keyboard.press("Tab")
        seen.add(
            page.evaluate(
                """() => { const one = document.activeElement; const style = getComputedStyle(one);
                one.dataset.nth ??= String(document.querySelectorAll('[data-nth]').length);
                return [one.dataset.nth, one.tagName, style.outlineStyle !== 'none'].join() }"""
            )
        )
    reached = {one.split(",")[0] for one in seen if ",BODY," not in one}
    # Of the radio buttons of a group the keyboard reaches one, and the arrows the others.
    radios = page.locator("input[type=radio]").count()
    assert len(reached) >= count - max(0, radios - 1)
    assert [one for one in seen if one.endswith("false") and ",BODY," not in one] == []


def test_a_table_against_bots_is_laid_by_keys_alone(site, a_page):
    page = a_page(site.person("Kay Keys"))
    page.goto("/")
    page.locator("#play-hegemonic").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#play-tictactoe")).to_be_checked()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/table$"))
