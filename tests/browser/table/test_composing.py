"""Composing: decisions put together step by step, with what they cost, and taken back unsent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.table.test_play import at_table, send
from tests.support.browser.looking import axe
from tests.support.browser.sites import Person, Site
from tests.support.browser.tabling import asked, decided, played


@pytest.fixture(autouse=True)
def patience() -> None:
    expect.set_options(timeout=15_000)


def a_turn_to_build(ann: Person, bea: Person) -> str:
    """A match in which Ann is about to choose the first action of a card that builds complexes."""
    match = ann.match("hegemonic", [ann, bea], title="Builders")
    people = [ann, bea]
    played(people, match, lambda _, found: "action.commit-card" in found["takes"])
    for seat, card in ((0, "industrialize"), (1, "subvert")):
        decided(people[seat], match, seat, {"type": "action.commit-card", "card": card})
    found = asked(ann, match, 0)
    assert found is not None
    assert {"type": "turn.start-build"} in found["options"]
    return match


def caps(page: Page) -> int:
    """Returns Ann's CAPs, as the page shows them."""
    text = page.locator(".table-beside .player.seat-0 .counters div").first.inner_text()
    return int("".join(text.split("CAPs")[1].split()[:1]))


def version(person: Person, match: str) -> int:
    return int(person.asks("GET", f"/matches/{match}")["version"])


def shows(page: Page, number: int) -> None:
    """Wait until the page shows the match after this event."""
    expect(page.locator(f'[data-version="{number}"]')).to_be_attached()


def held_back(page: Page) -> list[Route]:
    """The first trial of choices waits for the test; those after it go through."""
    held: list[Route] = []
    page.route("**/choices", lambda asked: asked.continue_() if held else held.append(asked))
    return held


def choose(page: Page, label: str) -> None:
    page.locator(".decide .question .choice", has_text=label).first.click()
    expect(page.locator(".tray .send")).to_be_focused()


def test_a_build_is_composed_in_steps_with_its_cost_and_sent_at_once(
    a_page: Any, site: Site, shot: Callable[..., None]
):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = a_turn_to_build(ann, bea)
    page = a_page(ann)
    at_table(page, match)
    expect(page.locator(".decide .choice").first).to_be_visible()
    before, held = version(ann, match), caps(page)
    complexes = page.locator('.piece[aria-label*="complex"]').count()

    choose(page, "Build")
    expect(page.locator(".decide h2")).to_have_text("Your next decision")
    target = page.locator(".place.target").first
    expect(target).to_be_visible()
    choose(page, "Build a complex at")
    expect(page.locator(".tray li")).to_have_count(2)
    expect(page.locator(".tray .moves").first).to_contain_text("− ".strip())
    expect(page.locator(".place.chosen")).to_have_count(1)
    cost = held - caps(page)
    assert cost > 0, "what it costs is seen before it is sent"
    assert f"−{cost}" in page.locator(".tray .moves").first.inner_text()
    axe(page)
    shot(page, "table-composing-build", whole=False)

    page.get_by_role("button", name="Take back the last").click()
    expect(page.locator(".tray li")).to_have_count(1)
    assert caps(page) == held
    choose(page, "Build a complex at")
    choose(page, "Finish building")
    expect(page.locator(".tray li")).to_have_count(3)
    assert version(ann, match) == before, "nothing was sent so far"
    page.get_by_role("button", name="Send all 3").click()
    expect(page.locator(".tray")).to_have_count(0)
    assert version(ann, match) == before + 3
    expect(page.locator(".log")).to_contain_text("has a complex at")
    assert caps(page) == held - cost
    assert page.locator('.piece[aria-label*="complex"]').count() >= complexes


def test_all_of_it_is_taken_back_and_something_else_is_done(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = a_turn_to_build(ann, bea)
    page = a_page(ann)
    at_table(page, match)
    before = version(ann, match)
    choose(page, "Build")
    choose(page, "Build a complex at")
    page.get_by_role("button", name="Take back all").click()
    expect(page.locator(".tray")).to_have_count(0)
    expect(page.locator(".decide h2")).to_have_text("Your decision")
    assert version(ann, match) == before
    choose(page, "Collect CAPs")
    expect(page.locator(".tray .moves")).to_have_text("+2 CAPs")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".tray")).to_have_count(0)
    assert version(ann, match) == before + 1


def test_what_is_composed_while_others_go_on_is_not_taken_for_what_was_composed_before(
    a_page: Any, site: Site
):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = a_turn_to_build(ann, bea)
    page = a_page(ann)
    at_table(page, match)
    choose(page, "Collect CAPs")
    send(page)
    sent = version(ann, match)
    played([ann, bea], match, lambda seat, _: seat == 0 and version(ann, match) > sent + 3)
    shows(page, version(ann, match))
    held = held_back(page)
    page.locator(".decide .question .choice").first.click()
    terms = {"text": "Peace.", "payments": [], "promises": []}
    offer = {"type": "deal.propose", "parties": [0, 1], "counters": "", "expires": [8, 2]}
    decided(bea, match, 1, {**offer, "terms": terms, "private": None})
    expect(page.locator(".log li").last).to_contain_text("offers a deal")
    expect(page.locator(".tray .send")).to_be_visible()
    held[0].continue_()
    before = version(ann, match)
    page.locator(".tray .send").click()
    expect(page.locator(".tray")).to_have_count(0)
    assert version(ann, match) > before, "an answer of 412 would be an error of this page"


def test_a_choice_that_the_match_overtakes_while_it_is_tried_is_said_to_be_void(
    a_page: Any, site: Site
):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = a_turn_to_build(ann, bea)
    page = a_page(ann, forgives=("409", "422"))
    at_table(page, match)
    shows(page, version(ann, match))
    held = held_back(page)
    page.locator(".decide .question .choice", has_text="Collect CAPs").first.click()
    decided(ann, match, 0, {"type": "turn.end"})
    shows(page, version(ann, match))
    expect(page.locator(".notices")).not_to_be_empty()
    held[0].continue_()
    expect(page.locator(".tray")).to_have_count(0)


def test_a_place_with_several_choices_shows_those_alone(
    a_page: Any, site: Site, shot: Callable[..., None]
):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("hegemonic", [ann, bea])
    seat = played([ann, bea], match, lambda _, found: "expansion.place-tile" in found["takes"])
    page = a_page((ann, bea)[seat], phone=True)
    at_table(page, match, seat)
    choices = page.locator(".decide .question .choice:not(.more-choices)")
    expect(page.locator(".search input")).to_be_visible()
    page.get_by_role("group", name="Narrow the choices").get_by_role("button").first.click()
    shot(page, "table-narrowed-phone")
    expect(page.locator(".more-choices")).to_have_count(0)
    page.locator(".place.target").first.click()
    expect(page.locator(".picked")).to_be_visible()
    few = choices.count()
    assert few > 1
    page.get_by_role("button", name="Show all", exact=True).click()
    assert choices.count() > few
    page.get_by_label("Find").fill("nothing of the kind")
    expect(page.get_by_text("No choice has that name.")).to_be_visible()
    page.get_by_label("Find").fill("put tile")
    choices.first.click()
    send(page)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing is wider than the page"
