"""The log: under headings, filtered, searched, with the current line in sight."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.drawn import HOST
from tests.support.browser.replaying import Replaying, sample_document
from tests.support.services.processes import wait_until


@pytest.fixture
def replay(a_page):
    return Replaying(a_page(at=HOST)).open(320)


def lines(replay):
    """The numbers of the events that the log shows."""
    found = replay.page.locator("#log [data-n]").evaluate_all(
        "all => all.map((one) => Number(one.dataset.n))"
    )
    return sorted(set(found))


def shows(replay, wanted):
    """The log comes to show these events, and no others."""
    wait_until(lambda: lines(replay) == wanted)
    assert lines(replay) == wanted


def with_tag(document, tag):
    return [event["n"] for event in document["events"] if tag in event["tags"]]


def test_the_current_line_is_marked_and_in_sight(replay):
    current = replay.page.locator("#log [aria-current=step]")
    expect(current).to_have_attribute("data-n", "320")
    expect(current).to_be_in_viewport()
    replay.press("]")
    replay.press("]")
    round_5 = next(
        one["from"]
        for one in replay.documents["spectator"]["headings"]
        if one["level"] == "round" and one["from"] > 400
    )
    replay.stands_at(round_5)
    expect(current).to_have_attribute("data-n", str(round_5))
    expect(current).to_be_in_viewport()


CUT = """() => {
    const { top } = document.querySelector("#log").getBoundingClientRect();
    return [...document.querySelectorAll("#log [data-n]")].filter((one) => {
        const own = one.getBoundingClientRect();
        return own.top < top - 1 && own.bottom > top + 2;
    }).map((one) => Number(one.dataset.n));
}"""


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_first_line_in_sight_is_whole_and_its_round_stands_above_the_log(a_page, phone):
    replay = Replaying(a_page(at=HOST, phone=phone))
    told = sample_document()
    other = told | {"played": False, "edition": told["editions"][-1]}
    other["events"] = [one | {"said": [*one["said"], "So it is."]} for one in told["events"]]
    replay.editions = {other["edition"]: other}
    replay.open(95)
    current = replay.page.locator("#log [aria-current=step]")
    for at, topmost in ((95, "Round 1"), (len(told["events"]), "The end")):
        replay.page.fill("#at", str(at))
        replay.page.press("#at", "Enter")
        replay.stands_at(at)
        expect(current).to_have_attribute("data-n", str(at))
        assert wait_until(lambda: replay.page.evaluate(CUT) == [])
        expect(replay.page.locator(".log-bar .topmost")).to_have_text(topmost)
        replay.press("e")
        assert wait_until(lambda: replay.page.evaluate(CUT) == [])


def test_a_line_leads_to_its_event_and_is_a_link_to_it(replay):
    line = replay.page.locator('#log [data-n="319"]')
    assert line.get_attribute("href").endswith("?at=319&as=spectator")
    line.click()
    replay.stands_at(319)


def test_headings_open_and_close(replay):
    opened = replay.page.locator("#log > .heading > button")
    document = replay.documents["spectator"]
    rounds = [one for one in document["headings"] if one["level"] == "round"]
    assert opened.count() == len(rounds)
    assert len(lines(replay)) < 300, "rounds that are not looked at are closed"
    third = opened.filter(has_text="Round 3")
    expect(third).to_have_attribute("aria-expanded", "true")
    third.click()
    expect(third).to_have_attribute("aria-expanded", "false")
    assert 319 not in lines(replay)
    replay.press("ArrowRight")
    expect(third).to_have_attribute("aria-expanded", "true")
    replay.page.get_by_role("button", name="Close all").click()
    replay.page.get_by_role("button", name="Open all").click()
    shows(replay, list(range(1, 738)))


def test_an_event_in_which_a_heading_begins_is_told_in_parts(replay):
    replay.page.get_by_role("button", name="Open all").click()
    document = replay.documents["spectator"]
    split = next(one for one in document["headings"] if one["line"] and one["level"] == "turn")
    said = document["events"][split["from"] - 1]["said"]
    parts = replay.page.locator(f'#log [data-n="{split["from"]}"] .words').all_inner_texts()
    assert len(parts) > 1
    assert " ".join(parts) == " ".join(said)


@pytest.mark.parametrize(
    ("name", "tag"), [("Conflicts", "conflict"), ("Deals", "deal"), ("Scoring", "scoring")]
)
def test_only_conflicts_or_deals_or_scoring_are_shown(replay, name, tag):
    everything = lines(replay)
    chip = replay.page.locator("#panel .chip", has_text=name)
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    wanted = with_tag(replay.documents["spectator"], tag)
    expect(replay.page.locator(".matches-found")).to_contain_text(f"{len(wanted)} of 737 events")
    shows(replay, wanted)
    chip.click()
    shows(replay, everything)


def test_passes_are_hidden_and_two_kinds_are_shown_together(replay):
    document = replay.documents["spectator"]
    replay.page.get_by_role("button", name="Hide passes").click()
    passes = set(with_tag(document, "pass"))
    assert passes
    shows(replay, [n for n in range(1, 738) if n not in passes])
    replay.page.locator("#panel .chip", has_text="Deals").click()
    replay.page.locator("#panel .chip", has_text="Conflicts").click()
    either = set(with_tag(document, "deal")) | set(with_tag(document, "conflict"))
    shows(replay, sorted(either - passes))


def test_only_what_concerns_a_seat_is_shown(replay):
    replay.page.select_option("#only-seat", "1")
    wanted = [
        event["n"]
        for event in replay.documents["spectator"]["events"]
        if event["seat"] == 1 or "yellow" in " ".join(event["said"]).lower()
    ]
    shows(replay, wanted)


def test_the_log_is_searched_word_by_word_and_one_goes_from_find_to_find(replay):
    replay.press("/")
    replay.page.keyboard.type("prevails green")
    wanted = [
        event["n"]
        for event in replay.documents["spectator"]["events"]
        if all(word in " ".join(event["said"]).lower() for word in ("prevails", "green"))
    ]
    assert wanted
    shows(replay, wanted)
    replay.page.keyboard.press("Enter")
    replay.stands_at(next(n for n in wanted if n > 320))
    replay.page.get_by_role("button", name="Previous result").click()
    replay.stands_at(max(n for n in wanted if n <= 320))
    replay.page.fill("#search", "no event says this")
    expect(replay.page.locator(".nothing")).to_be_visible()
    replay.page.locator(".nothing button").click()
    assert replay.page.input_value("#search") == ""
    assert len(lines(replay)) > len(wanted)


def rewound():
    """The sample's first 60 events, of which the last ten were played anew from event 40."""
    document = sample_document()
    events = document["events"][:60]
    for event in events[40:50]:
        event["undone"] = True
    events[50]["parent"] = 40
    events[50]["tags"] = ["rewind"]
    events[50]["said"] = ["The match goes back to event 40."]
    for event in events[50:]:
        event["change"] = {}
        event["under"] = None
    headings = [one for one in document["headings"] if one["to"] <= 40 and one["up"] is None]
    for event in events:
        event["under"] = None
    return document | {
        "events": events,
        "last": 60,
        "headings": headings,
        "deals": [],
        "conflicts": [],
        "curves": [],
    }


def test_what_was_undone_is_shown_as_such(a_page):
    replay = Replaying(a_page(at=HOST), {"spectator": rewound()}).open(45)
    page = replay.page
    expect(page.locator("#undone")).to_contain_text("This was undone later")
    expect(page.locator('#log [data-n="45"]')).to_contain_text("(undone)")
    expect(page.locator(".line-marks .undone").first).to_be_attached()
    expect(page.locator(".line-marks .rewind")).to_have_count(1)
    page.locator("#undone button").click()
    replay.stands_at(51)
    expect(page.locator("#undone")).to_have_count(0)
    replay.press("ArrowLeft")
    replay.stands_at(50)
    for n in (40, 51):
        page.fill("#at", str(n))
        page.press("#at", "Enter")
        replay.stands_at(n)
        places = page.locator("svg.scene .place").evaluate_all(
            "all => all.map((one) => one.textContent)"
        )
        if n == 40:
            then = places
    assert places == then, "after the rewind the board is that of event 40"


def test_from_its_line_in_the_log_an_event_is_copied_reviewed_and_forked(replay):
    replay.open(321)
    acts = replay.page.locator("#log .line-acts")
    expect(acts).to_have_count(1)
    line = replay.page.locator("#log li.current")
    assert line.locator(".line-acts").count() == 1
    there = acts.get_by_role("link", name="Review from here").get_attribute("href")
    assert there.endswith("/replay?at=321&as=spectator")
    fork = acts.get_by_role("link", name="Fork from here").get_attribute("href")
    assert fork.endswith("/fork?at=321")
    acts.get_by_role("button", name="Copy link").click()
    expect(replay.page.locator("#said-aloud")).to_have_text(re.compile("link", re.IGNORECASE))
    replay.stands_at(321)
    replay.press("ArrowRight")
    replay.stands_at(322)
    expect(acts).to_have_count(1)
