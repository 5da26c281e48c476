"""Every page of the site: axe-core, phone, light and dark, and the keyboard alone.

Which pages there are, the routes say: a new one is looked at as soon as there is one. One about a
thing that the club below has not fails here until it has.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.support.browser.looking import axe
from tests.support.docs.http_api import application

# What answers a GET and is no page of the site; what opens from a disk has tests of its own.
NO_PAGES = {
    "static", "api-docs.openapi_json", "live.live",
    "metrics.show", "pages.health", "pages.icon", "ready.ready",
    "signed_heads.checkpoint", "signed_heads.key", "signed_heads.tile",
    "pages.bundle", "pages.replay_json", "exports.page", "exports.picture",
    "audit_pages.file_of_match", "audit_pages.file_of_tournament", "dispute_pages.dossier_file",
    "errata_pages.one",  # a run wants workers: errata/test_lab.py looks at one
}  # fmt: skip
# The part of a route, and what of the club is put there, where that is called otherwise.
ABOUT = {"match": "over", "person": "ann", "number": "first"}
PART = re.compile(r"<(?:\w+:)?(\w+)>")
# What comes by script is waited for.
COMES = {"/table": ".table-page-grid, .room", "/replay": "#replay[data-ready] .viewer #panel"}


def routes_to_pages():
    """An address of each page, with a place for each thing that it is about."""
    for rule in application().url_map.iter_rules():
        api = str(rule).startswith("/api/") and rule.endpoint != "reference.page"
        if "GET" not in rule.methods or api or rule.endpoint in NO_PAGES:
            continue
        yield re.sub(PART, lambda part: f"{{{ABOUT.get(part[1], part[1])}}}", str(rule))


# The reference has hundreds of parts, all made alike: axe looks at some of them.
SOME = """() => [...document.querySelectorAll("section.operation")].slice(24)
    .forEach((one) => one.remove())"""
LOOKS = [("phone-dark", PHONE, "dark"), ("desktop-light", DESKTOP, "light")]
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
    about = {"words": "Was that a line?", "from": 8, "to": 9}
    dispute = olga.asks("POST", f"/matches/{over}/disputes", about)["id"]
    clock = {"kind": "bank", "seconds": 600, "increment": 5}
    return {
        "people": {"olga": olga, "ann": ann, "nobody": None},
        "ann": ann.id,
        "over": over,
        "dispute": dispute,
        "open": ann.match("hegemonic", [ann, None, "greedy"], title="Axe: open"),
        "running": ann.match("tictactoe", [ann, bob], title="Axe: running", clock=clock),
        "tournament": tournament,
        "first": 1,
        "code": "stale",
        "words": olga.asks("POST", "/people", {"name": "Lea Late"})["link"].rpartition("/")[2],
    }


# The same through other eyes, or about something else.
VARIANTS = [
    ("nobody", "/"),
    ("ann", "/?state=finished&game=tictactoe"),
    ("ann", "/matches/new?game=hegemonic"),
    ("ann", "/matches/{open}"),
    ("ann", "/matches/{open}/table"),
    ("ann", "/matches/{running}"),
    ("ann", "/matches/{running}/table"),
    ("nobody", "/matches/{over}"),
    ("olga", "/tournaments/new?game=tictactoe"),
    ("nobody", "/tournaments/{tournament}"),
    ("nobody", "/nowhere"),
]
PAGES = [*(("olga", path) for path in sorted(routes_to_pages())), *VARIANTS]


def test_every_route_is_a_page_that_is_looked_at_or_none():
    there = {rule.endpoint for rule in application().url_map.iter_rules()}
    assert there >= NO_PAGES, "what is left out is still there"
    assert len(PAGES) - len(VARIANTS) > 15


@pytest.mark.parametrize(("who", "path"), PAGES)
def test_axe_finds_nothing_grave_and_nothing_is_wider_than_the_page(
    site, a_page, club, shot, who, path
):
    # Still: a colour that is on its way from dark to light would be found to be neither.
    page = a_page(
        club["people"][who], at=site, forgives=("404",), phone=True, dark=True, still=True
    )
    page.goto(path.format(**club))
    for end, wanted in COMES.items():
        if path.endswith(end):
            expect(page.locator(wanted).first).to_be_visible()
    expect(page.get_by_text("In preparation")).to_have_count(0)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    for look, size, scheme in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        over = page.evaluate(wider)
        assert over <= 0, f"{path} overflows by {over} {look}"
        page.evaluate(SOME)
        axe(page)
        shot(page, f"page-{re.sub(r'[^a-z]+', '-', f'{who}{path}')}-{look}")


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
