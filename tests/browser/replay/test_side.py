"""Beside the board: conflicts, deals, curves, what was known; and the board itself by keyboard."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from replays.document.changes import scenes
from replays.document.structs import unpack_replay
from tests.support.browser.drawn import HOST
from tests.support.browser.replaying import Replaying, sample_document, sample_packed


@pytest.fixture
def replay(a_page):
    words = ("spectator", "0")
    return Replaying(a_page(at=HOST), {word: sample_document(word) for word in words})


def lit(replay):
    """The cells and pieces that are pointed at on the board."""
    return set(
        replay.page.locator("svg.scene .lit").evaluate_all(
            "all => all.map((one) => one.dataset.on)"
        )
    )


def parts_by(conflict, at):
    return [part for side in conflict["sides"] for part in side["parts"] if part["n"] <= at]


def test_a_conflict_lists_what_each_side_has_and_lights_it_on_the_board(replay):
    conflict = next(one for one in sample_document()["conflicts"] if one["from"] > 300)
    replay.open(conflict["to"])
    assert lit(replay) == set()
    replay.page.locator(".strip button").click()
    expect(replay.page.locator(".fought h3")).to_have_text(conflict["label"])
    totals = [int(one) for one in replay.page.locator(".fighter .total").all_inner_texts()]
    assert totals == [side["total"] for side in conflict["sides"]]
    expect(replay.page.locator(".outcome")).to_have_text(conflict["outcome"])
    things = {part[kind] for part in parts_by(conflict, 999) for kind in ("cell", "piece")}
    there = set(
        replay.page.locator("svg.scene [data-on]").evaluate_all(
            "all => all.map((one) => one.dataset.on)"
        )
    )
    assert lit(replay) == (things - {None} | {conflict["cell"]}) & there
    sums: Counter[tuple[int, str]] = Counter()
    for number, side in enumerate(conflict["sides"]):
        for part in side["parts"]:
            if part["cell"] in there:
                sums[number, part["cell"]] += part["value"]
    said = replay.page.locator("svg.scene .sum text").all_text_contents()
    assert sorted(said) == sorted(f"+{value}" for value in sums.values())
    part = next(one for one in parts_by(conflict, 999) if one["cell"])
    button = replay.page.locator("button.given", has_text=part["name"]).first
    button.hover()
    assert lit(replay) == {part["cell"], part["piece"]} & there
    replay.page.click("#tab-log")
    assert lit(replay) == set()


def test_in_the_middle_of_a_conflict_only_what_has_been_added_counts(replay):
    conflict = next(
        one
        for one in sample_document()["conflicts"]
        if one["sides"][0]["total"] is not None
        and len({part["n"] for part in parts_by(one, 999)}) > 1
    )
    first = min(part["n"] for part in parts_by(conflict, 999))
    replay.open(first)
    replay.page.click("#tab-conflicts")
    expect(replay.page.locator(".parts li")).to_have_count(len(parts_by(conflict, first)))
    totals = [int(one) for one in replay.page.locator(".fighter .total").all_inner_texts()]
    assert totals == [
        sum(part["value"] for part in side["parts"] if part["n"] <= first)
        for side in conflict["sides"]
    ]
    expect(replay.page.locator(".outcome")).to_have_text("Not decided yet at this event.")


def test_all_conflicts_are_listed_and_lead_there(replay):
    replay.open(10)
    replay.page.click("#tab-conflicts")
    all_of_them = sample_document()["conflicts"]
    expect(replay.page.locator(".pick")).to_have_count(len(all_of_them))
    replay.page.locator(".pick").nth(3).click()
    replay.stands_at(all_of_them[3]["to"])
    expect(replay.page.locator(".pick[aria-current]")).to_have_count(1)


def test_curves_follow_the_event_and_lead_to_one(replay):
    replay.open(300)
    replay.page.click("#tab-curves")
    curve = sample_document()["curves"][0]
    chart = replay.page.locator(".chart")

    def values(at):
        return [
            str(([value for n, value in series["points"] if n <= at] or ["–"])[-1])
            for series in curve["series"]
        ]

    assert replay.page.locator(".values b").all_inner_texts() == values(300)
    assert f"{curve['name']} at event 300" in chart.get_attribute("aria-label")
    box = chart.bounding_box()
    replay.page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + 60)
    assert replay.at > 600
    assert replay.page.locator(".values b").all_inner_texts() == values(replay.at)
    other = sample_document()["curves"][1]
    replay.page.select_option("#figure", other["id"])
    replay.page.locator(".twin summary").click()
    rounds = [one for one in sample_document()["headings"] if one["level"] == "round"]
    rows = replay.page.locator(".twin tbody tr")
    expect(rows).to_have_count(len(rounds))
    last = [
        str([value for n, value in series["points"] if n <= rounds[2]["to"]][-1])
        for series in other["series"]
    ]
    assert rows.nth(2).locator("td").all_inner_texts() == last
    rows.nth(2).locator("button").click()
    replay.stands_at(rounds[2]["to"])


def test_deals_stand_on_the_line_of_the_match_and_their_steps_lead_there(replay):
    replay.open(300)
    replay.page.click("#tab-deals")
    deals = sample_document()["deals"]
    expect(replay.page.locator("li.deal")).to_have_count(len(deals))
    to_come = [one for one in deals if one["steps"][0]["n"] > 300]
    expect(replay.page.locator("li.deal.to-come")).to_have_count(len(to_come))
    expect(replay.page.locator("li.deal").first.locator(".state")).to_have_text(
        deals[0]["steps"][-1]["what"]
    )
    replay.page.locator("li.deal").nth(2).locator(".deal-steps button").first.click()
    replay.stands_at(deals[2]["steps"][0]["n"])


def test_what_a_seat_knew_is_what_its_document_holds_at_that_event(replay):
    hand = next(
        card.name
        for n, scene in scenes(unpack_replay(sample_packed("0")))
        if n == 300 and scene is not None
        for card in scene.cards
        if card.seat == 0 and card.place == "hand" and card.name
    )
    replay.open(300)
    replay.page.click("#tab-known")
    expect(replay.page.locator(".known")).to_contain_text("A spectator’s knowledge at event 300")
    expect(replay.page.locator(".known")).not_to_contain_text(hand)
    replay.page.click("#as-0")
    expect(replay.page.locator(".known")).to_contain_text("Purple’s knowledge at event 300")
    expect(replay.page.locator(".known")).to_contain_text(hand)
    expect(replay.page.locator(".known")).to_contain_text(re.compile("[0-9]+ face down"))


def test_tabs_are_walked_through_by_arrow_keys_and_the_event_stays(replay):
    replay.open(300)
    replay.page.focus("#tab-log")
    replay.page.keyboard.press("ArrowRight")
    expect(replay.page.locator("#tab-conflicts")).to_be_focused()
    expect(replay.page.locator("#tab-conflicts")).to_have_attribute("aria-selected", "true")
    assert replay.at == 300


def test_panels_say_what_the_event_changed(replay):
    found = dict(scenes(unpack_replay(sample_packed("spectator"))))
    for at in range(100, 737):
        was = {one.id: one.value for one in found[at - 1].counters if one.seat is not None}
        now = {one.id: one.value for one in found[at].counters if one.seat is not None}
        gained = [
            now[key] - was[key]
            for key in now
            if isinstance(now[key], int) and key in was and now[key] > was[key]
        ]
        if gained:
            break
    replay.open(at)
    expect(replay.page.locator(".player .delta", has_text=f"+{gained[0]}").first).to_be_visible()


def test_the_board_is_walked_through_cell_by_cell_and_everything_on_it_has_a_name(replay):
    replay.open(320)
    stops = replay.page.locator("svg.scene [tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    first = stops.get_attribute("data-on")
    replay.page.keyboard.press("ArrowRight")
    focused = replay.page.locator("svg.scene :focus")
    assert focused.get_attribute("data-on") != first
    replay.page.keyboard.press("ArrowLeft")
    assert focused.get_attribute("data-on") == first
    replay.page.locator('svg.scene [data-on="K1"]').focus()
    assert focused.get_attribute("aria-label").startswith("K1")
    assert "of Purple" in focused.get_attribute("aria-label")
    replay.page.keyboard.press("Enter")
    assert "of Purple on K1" in focused.get_attribute("aria-label")
    replay.page.keyboard.press("Escape")
    assert focused.get_attribute("data-on") == "K1"
    assert replay.at == 320, "the arrows were the board's"
    unnamed = replay.page.locator("svg.scene [role]:not([aria-label])")
    assert unnamed.count() == 0


def test_the_board_is_drawn_nearer_and_moved_and_stays_so_through_a_step(replay):
    replay.open(320)
    svg = replay.page.locator("svg.scene")
    whole = svg.get_attribute("viewBox")
    replay.page.get_by_role("button", name="Zoom in").click()
    replay.page.get_by_role("button", name="Zoom in").click()
    near = svg.get_attribute("viewBox")
    assert float(near.split()[2]) < float(whole.split()[2])
    box = svg.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    replay.page.mouse.move(x, y)
    replay.page.mouse.down()
    replay.page.mouse.move(x - 90, y - 30, steps=4)
    replay.page.mouse.up()
    moved = svg.get_attribute("viewBox")
    assert float(moved.split()[0]) > float(near.split()[0])
    replay.press("ArrowRight")
    replay.stands_at(321)
    assert svg.get_attribute("viewBox") == moved
    replay.page.keyboard.down("Control")
    replay.page.mouse.wheel(0, 900)
    replay.page.keyboard.up("Control")
    expect(svg).to_have_attribute("viewBox", whole)
