"""A replay in one file, opened from a disk in a browser that reaches no network."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ledger.log.read.history import History
from services.matches.exports import page_for
from tests.support.browser.looking import axe
from tests.support.replays.one_file import (
    found,
    place_of,
    put,
    retold,
    sample,
    saved,
    small,
    small_page,
    with_flipped,
)
from tests.support.replays.one_file import page as made

LAST = small().tip.version
OPENED = re.compile(r"^(?!busy|unknown)")
APage = Callable[..., Page]


@pytest.fixture
def opened(a_page: APage, tmp_path: Path) -> Callable[..., Page]:
    """Opens a file from a disk, and waits until it has proved itself."""

    def open_it(text: str, fragment: str = "", **how: Any) -> Page:
        page = a_page(at="file:///", offline=True, **how)
        address, asked = saved(text, tmp_path), []
        page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        page.goto(address + fragment)
        expect(page.locator("#proof")).to_have_attribute("data-state", OPENED)
        assert {url for url in asked if not url.startswith("data:")} == {address}
        return page

    return open_it


def badge(page: Page) -> str:
    return page.locator("#proof summary").inner_text()


def test_it_verifies_its_chain_and_says_whose_eyes_it_is(opened, shot):
    page = opened(made())
    head = sample().tip.head.hex()
    assert f"Chain verified: 737 events, head {head[:12]}" in badge(page)
    expect(page.locator(".one-file-of")).to_contain_text("seen by a spectator")
    expect(page.locator(".one-file-of")).to_contain_text("edition printed, as it was played")
    shot(page, "files-one-file")
    page.locator("#proof summary").click()
    all_of_it = page.locator(".proof-all")
    expect(all_of_it).to_contain_text("Not checked here")
    expect(all_of_it).to_contain_text("Head" + head)
    digest = hashlib.sha256(found(made(), "hegemon-replay")).hexdigest()
    expect(all_of_it).to_contain_text(digest)
    expect(all_of_it).to_contain_text("the facts of 731 of 731 events")
    shot(page, "files-one-file-proof")
    axe(page)


def test_it_is_stepped_through_by_keys_and_keeps_its_address(opened):
    page = opened(made(), "#at=368")
    expect(page.locator(".said").first).to_contain_text("Yellow offers a deal to Green")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("slider")).to_have_value("369")
    page.wait_for_url("**#at=369*")
    page.keyboard.press("Home")
    expect(page.locator(".said").first).to_contain_text("A match of Hegemonic")
    page.goto(page.url.partition("#")[0] + "#at=44")
    expect(page.get_by_role("slider")).to_have_value("44")


def test_a_seat_and_all_seats_have_files_of_their_own(opened, shot):
    eyes = {1: "seen by greedy bot 1, Yellow (seat 1)", "all": "seen by all seats"}
    for viewer, words in eyes.items():
        page = opened(page_for(sample(), viewer).decode(), "#at=200")
        expect(page.locator(".one-file-of")).to_contain_text(words)
        assert "Chain verified" in badge(page)
    shot(page, "files-one-file-all")


@pytest.mark.parametrize(("phone", "dark"), [(True, False), (True, True), (False, True)])
def test_it_is_usable_on_a_phone_and_in_the_dark(opened, shot, phone, dark):
    page = opened(made(), "#at=368", phone=phone, dark=dark)
    assert "Chain verified" in badge(page)
    wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide, "the page is wider than the screen"
    axe(page, within="#proof")  # the viewer's own tests look at the viewer
    name = f"files-one-file{'-phone' if phone else ''}{'-dark' if dark else ''}"
    shot(page, name, whole=False)


def test_the_bundle_is_saved_out_of_it(opened, tmp_path):
    page = opened(made())
    page.locator("#proof summary").click()
    with page.expect_download() as waited:
        page.get_by_role("button", name="Save the bundle").click()
    kept = tmp_path / "kept.hgm"
    waited.value.save_as(kept)
    assert waited.value.suggested_filename == f"{sample().match}.hgm"
    assert kept.read_bytes() == found(made(), "hegemon-bundle")


def test_without_script_it_says_so(a_page, tmp_path):
    page = a_page(at="file:///", offline=True, script=False)
    page.goto(saved(made(), tmp_path))
    expect(page.locator("#proof")).to_contain_text("has not run")
    expect(page.locator("h1")).to_have_text("Sample match: Hegemonic")


def test_another_script_does_not_run_and_nothing_is_called_verified(a_page, tmp_path):
    page = a_page(at="file:///", offline=True, forgives=("Content Security Policy",))
    page.goto(saved(made().replace("Chain verified", "Chain certified"), tmp_path))
    page.wait_for_timeout(300)
    assert "has not run" in badge(page)


# --- what was changed -----------------------------------------------------------------------------


def body(history: History, number: int) -> bytes:
    return history.events[number - 1].body


def opened_facts(history: History, number: int) -> bytes:
    return history.openings[number, "outcome"].plain


def head(history: History, number: int) -> bytes:
    return history.events[number - 1].head


@pytest.mark.parametrize(
    ("what", "number", "why"),
    [
        (body, 100, "its head is another"),
        (opened_facts, 420, "not what is committed here"),
        (body, 7, "its head is another"),
        (head, 4, "its head is another"),
        (head, 12, "its head is another"),
    ],
)
def test_a_bit_flipped_in_the_bundle_is_named_by_its_event(opened, what, number, why, shot):
    history, whole = (sample(), made()) if number > 50 else (small(), small_page())
    stands = what(history, number)
    page = opened(with_flipped(whole, place_of(whole, stands) + len(stands) // 2))
    assert f"This file is not valid: event {number}," in badge(page)
    assert why in badge(page)
    link = page.locator(".proof-findings a").first
    expect(link).to_have_text(f"Event {number}")
    shot(page, f"files-one-file-tampered-{number}", whole=False)
    link.click()
    expect(page.locator("#log [aria-current]")).to_contain_text(str(number))


def told(field: str, value: Any, number: int = 8) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document["events"][number - 1][field] = value

    return change


def a_fact(document: dict[str, Any]) -> None:
    document["events"][9]["facts"][0]["cell"] ^= 1


@pytest.mark.parametrize(
    ("change", "number", "why"),
    [
        (told("said", ["Nothing happened."]), 8, "what is told of it was changed"),
        (told("change", {}), 8, "what is told of it was changed"),
    ],
)
def test_what_was_changed_in_the_document_breaks_its_seal(opened, change, number, why):
    page = opened(retold(small_page(), change, sealed=False))
    assert f"This file is not valid: event {number}," in badge(page)
    assert why in badge(page)


@pytest.mark.parametrize(
    ("change", "number", "why"),
    [
        (told("seat", 3), 8, "another seat"),
        (told("at", 1), 8, "another time"),
        (told("by", "organizer"), 8, "handed in by another"),
        (told("undone", True), 8, "undone"),
        (a_fact, 10, "not what the bundle opens"),
        (lambda document: document["events"].pop(), LAST, "the replay lacks it"),
        (lambda document: document.update(head="0" * 64), None, "another head"),
        (lambda document: document.update(match="another"), None, "another match"),
        (lambda document: document.update(result="Mallory won 9 : 0"), None, "another result"),
        (lambda document: document["seats"][0].update(name="Mallory"), None, "other players"),
    ],
)
def test_what_the_log_says_otherwise_is_named_also_where_the_seals_were_made_anew(
    opened, change, number, why
):
    page = opened(retold(small_page(), change, sealed=True))
    where = "" if number is None else f"event {number}, "
    assert f"This file is not valid: {where}" in badge(page)
    assert why in badge(page)


def test_a_sentence_changed_with_its_seal_is_not_seen_and_the_page_claims_no_more(opened):
    page = opened(retold(small_page(), told("said", ["Nothing happened."]), sealed=True))
    assert "Chain verified" in badge(page)
    page.locator("#proof summary").click()
    expect(page.locator(".proof-all")).to_contain_text(
        "Whether sentences, boards and curves follow from the facts."
    )
    digest = hashlib.sha256(found(small_page(), "hegemon-replay")).hexdigest()
    expect(page.locator(".proof-all")).not_to_contain_text(digest)


@pytest.mark.parametrize("name", ["hegemon-bundle", "hegemon-replay", "hegemon-seals"])
def test_a_part_that_cannot_be_unpacked_is_named(opened, name):
    start = small_page().index(f'id="{name}">') + len(name) + 40
    page = opened(small_page()[:start] + "AAAA" + small_page()[start + 4 :])
    assert f"a part of this file is damaged ({name})" in badge(page)


def test_a_bundle_that_is_none_is_no_chain(opened):
    page = opened(put(small_page(), "hegemon-bundle", b"HEGEMON1 and no more"))
    assert "This file is not valid: frame" in badge(page)
