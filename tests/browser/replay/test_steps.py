"""Walking through a match: by button, key, number and line, and by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser.replaying import Replaying

WAYS = {
    "first": (300, 1),
    "previous": (300, 299),
    "next": (300, 301),
    "last": (300, 737),
}


def starts(document, level):
    """Where the headings of a level begin."""
    return sorted({one["from"] for one in document["headings"] if one["level"] == level})


def after(stops, at):
    return next(one for one in stops if one > at)


def before(stops, at):
    return next(one for one in reversed(stops) if one < at)


@pytest.fixture
def replay(a_page):
    return Replaying(a_page(at="http://127.0.0.1:1"))


def expected(document):
    """Every kind of longer step from event 300: what it stops at, and the event there."""
    deals = sorted({step["n"] for deal in document["deals"] for step in deal["steps"]})
    fights = sorted({one["from"] for one in document["conflicts"]})
    seat = document["events"][299]["seat"]
    same = [event["n"] for event in document["events"] if event["seat"] == seat]
    return {
        "turn": starts(document, "turn"),
        "phase": starts(document, "phase"),
        "round": starts(document, "round"),
        "conflict": fights,
        "deal": deals,
        "player": same,
    }


def test_every_button_goes_where_it_says(replay):
    replay.open(300)
    for name, (begin, end) in WAYS.items():
        replay.page.fill("#at", str(begin))
        replay.page.press("#at", "Enter")
        replay.stands_at(begin)
        replay.page.click(f"#{name}")
        replay.stands_at(end)
    replay.page.click("#more")
    for what, stops in expected(replay.documents["spectator"]).items():
        for way, goal in (("on", after(stops, 300)), ("back", before(stops, 300))):
            replay.page.fill("#at", "300")
            replay.page.press("#at", "Enter")
            replay.page.click(f"#{what}-{way}")
            replay.stands_at(goal)


def test_every_key_does_what_its_button_does(replay):
    replay.open(300)
    stops = expected(replay.documents["spectator"])
    keys = {
        "turn": ("ArrowDown", "ArrowUp"),
        "phase": (".", ","),
        "round": ("]", "["),
        "conflict": ("x", "Shift+x"),
        "deal": ("d", "Shift+d"),
        "player": ("Shift+ArrowRight", "Shift+ArrowLeft"),
    }
    for what, (on, back) in keys.items():
        for key, goal in ((on, after(stops[what], 300)), (back, before(stops[what], 300))):
            replay.page.fill("#at", "300")
            replay.page.press("#at", "Enter")
            replay.stands_at(300)
            replay.press(key)
            replay.stands_at(goal)
    for key, goal in (("Home", 1), ("ArrowRight", 2), ("End", 737), ("ArrowLeft", 736)):
        replay.press(key)
        replay.stands_at(goal)


def test_a_number_is_typed_anywhere_and_a_number_that_is_none_goes_nowhere(replay):
    replay.open(300)
    replay.press("4")
    replay.page.keyboard.type("2")
    replay.page.keyboard.press("Enter")
    replay.stands_at(42)
    replay.press("g")
    replay.page.keyboard.type("9999")
    replay.page.keyboard.press("Enter")
    replay.page.evaluate("document.activeElement.blur()")
    replay.stands_at(42)


def test_keys_are_text_where_one_types_and_the_browsers_where_control_is_held(replay):
    replay.open(300)
    replay.page.focus("#search")
    replay.page.keyboard.type("xd?k]")
    assert replay.page.input_value("#search") == "xd?k]"
    replay.page.fill("#search", "")
    for key in ("Control+ArrowRight", "Alt+ArrowDown", "Control+x", "Meta+d"):
        replay.press(key)
    assert replay.at == 300
    assert not replay.page.locator("#keys[open]").count()


def test_every_key_of_the_help_has_a_control_that_names_it(replay):
    replay.open(300)
    replay.page.click("#more")
    replay.press("?")
    expect(replay.page.locator("#keys")).to_be_visible()
    shown = replay.page.locator("#keys kbd").all_inner_texts()
    assert {"←", "→", "X", "D", "Space", "Home", "?"} <= set(shown)
    replay.press("ArrowRight")  # it belongs to the dialogue now
    replay.page.keyboard.press("Escape")
    expect(replay.page.locator("#keys")).to_be_hidden()
    replay.stands_at(300)
    told = replay.page.evaluate(
        """async () => {
            const { KEYS, shortcuts } = await import("/static/replay/keys.js");
            const named = [...document.querySelectorAll("[aria-keyshortcuts]")]
                .filter((one) => one.checkVisibility())
                .map((one) => one.getAttribute("aria-keyshortcuts"));
            return KEYS.map((one) => shortcuts(one.does)).filter((one) => !named.includes(one));
        }"""
    )
    assert told == []


def test_the_scrubber_goes_where_it_is_set_and_says_where_that_is(replay):
    replay.open(1)
    replay.page.locator("#scrubber").fill("320")
    replay.stands_at(320)
    said = replay.page.get_attribute("#scrubber", "aria-valuetext")
    assert said.startswith("Event 320 of 737, Round 3")
    replay.page.focus("#scrubber")
    replay.page.keyboard.press("ArrowRight")
    replay.stands_at(321)


def test_it_plays_by_itself_faster_and_slower_and_stops_at_the_end(replay):
    replay.open(730)
    replay.page.click("#more")
    for _ in range(3):
        replay.press(">")
    expect(replay.page.locator(".two-ways[aria-label=Speed]")).to_contain_text("8×")
    replay.press(" ")
    expect(replay.page.locator("#play")).to_have_attribute("aria-label", "Pause")
    replay.stands_at(737)
    expect(replay.page.locator("#play")).to_have_attribute("aria-label", "Play")
    replay.press("<")
    expect(replay.page.locator(".two-ways[aria-label=Speed]")).to_contain_text("4×")
    replay.press("k")  # from the end it begins anew
    expect(replay.page.locator("#play")).to_have_attribute("aria-label", "Pause")
    replay.press("k")
    paused = replay.at
    assert paused < 10
    replay.page.wait_for_timeout(500)
    assert replay.at == paused


def test_each_event_is_said_aloud_but_not_more_than_one_can_follow(replay):
    replay.open(300)
    aloud = replay.page.locator("#said-aloud")
    replay.press("ArrowRight")
    said = " ".join(replay.documents["spectator"]["events"][300]["said"])
    expect(aloud).to_have_text(f"Event 301: {said}")
    for _ in range(3):
        replay.press(">")
    replay.page.evaluate(
        """() => {
            window.heard = [];
            const all = { childList: true, characterData: true, subtree: true };
            const aloud = document.getElementById("said-aloud");
            new MutationObserver(() => window.heard.push(1)).observe(aloud, all);
        }"""
    )
    replay.press("k")
    replay.page.wait_for_timeout(2000)
    replay.press("k")
    assert replay.at > 304
    assert len(replay.page.evaluate("window.heard")) <= 2
