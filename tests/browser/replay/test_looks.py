"""The viewer on a phone, in the dark, at rest, from a file, with axe; and on a site as it runs."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from replays.document.changes import scenes
from replays.document.structs import unpack_replay
from services.matches.samples import flagship_id
from tests.support.browser.drawn import HOST, answer
from tests.support.browser.looking import axe
from tests.support.browser.replaying import EMBEDDED, Replaying, sample_document, sample_packed
from tests.support.browser.tabling import asked, decided

TABS = ("conflicts", "deals", "curves", "known")


@pytest.mark.parametrize("look", [{}, {"dark": True, "phone": True}], ids=["light", "dark-phone"])
def test_axe_finds_nothing_on_any_part_of_it(a_page, shot, look):
    replay = Replaying(a_page(at=HOST, **look)).open(320)
    phone, name = "phone" in look, "-".join(["viewer", *look])
    axe(replay.page)
    for tab in TABS:
        replay.page.click(f"#tab-{tab}")
        shot(replay.page, f"{name}-{tab}", whole=phone)
        axe(replay.page, "#panel")
    replay.page.click("#help")
    shot(replay.page, f"{name}-help", whole=False)
    axe(replay.page, "#keys")


def test_on_a_phone_the_board_is_first_and_the_steps_are_under_the_thumb(a_page):
    replay = Replaying(a_page(at=HOST, phone=True)).open(320)
    page = replay.page
    board = page.locator("svg.scene").bounding_box()
    log = page.locator("#log").bounding_box()
    assert board["width"] > 340
    assert board["y"] + board["height"] < 844 < log["y"]
    for name in ("first", "previous", "play", "next", "last", "more", "help"):
        box = page.locator(f"#{name}").bounding_box()
        assert min(box["width"], box["height"]) >= 44, name
        assert box["y"] > 844 - 120, name
    page.tap("#next")
    replay.stands_at(321)
    page.tap("#more")
    page.tap("#round-on")
    assert replay.at > 321
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "nothing sticks out at the side"


def test_who_wants_no_motion_sees_none(a_page):
    replay = Replaying(a_page(at=HOST, still=True)).open(320)
    moving = """() => [...document.querySelectorAll("*")].filter((one) => {
        const style = getComputedStyle(one);
        return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0;
    }).map((one) => one.outerHTML.slice(0, 80))"""
    replay.press("ArrowRight")
    replay.stands_at(321)
    assert replay.page.evaluate(moving) == []


def test_a_spectators_page_and_document_hold_no_word_of_a_hidden_card(a_page):
    whole = dict(scenes(unpack_replay(sample_packed("all"))))[100]
    seen = dict(scenes(unpack_replay(sample_packed("spectator"))))
    shown = {card.name for at in range(1, 101) if seen[at] for card in seen[at].cards}
    held = {card.name for card in whole.cards if card.place == "hand"}
    secret = {name.partition(" (")[0] for name in held - shown if name}
    assert len(secret) > 5
    document = sample_document()
    earlier = document | {
        "events": document["events"][:100],
        "last": 100,
        **{name: [] for name in ("headings", "deals", "conflicts", "curves")},
    }
    for event in earlier["events"]:
        event["under"] = None
    said = json.dumps(earlier, ensure_ascii=False)
    replay = Replaying(a_page(at=HOST), {"spectator": earlier}).open(100)
    for tab in ("log", "known"):
        replay.page.click(f"#tab-{tab}")
        said += replay.page.content()
    assert [name for name in secret if name in said] == []


def test_it_runs_from_a_page_that_holds_its_documents_and_asks_nobody(a_page):
    page = a_page(at=HOST)
    asked = []
    opening = '<script type="application/json" class="replay-document">'
    texts = "".join(
        f"{opening}{json.dumps(sample_document(word))}</script>" for word in ("spectator", "0")
    )
    page.route(f"{HOST}/**", lambda route: answer(route, texts + EMBEDDED))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{HOST}/anywhere.html#at=320&as=0")
    page.wait_for_selector("#replay[data-ready] .viewer #panel")
    expect(page.locator("#at")).to_have_value("320")
    expect(page.locator("#as-0")).to_have_attribute("aria-current", "true")
    expect(page.locator("#viewpoints a")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"{HOST}/anywhere.html#at=321&as=0")
    page.click("#as-spectator")
    page.wait_for_url(f"{HOST}/anywhere.html#at=321&as=spectator")
    page.go_back()
    expect(page.locator("#as-0")).to_have_attribute("aria-current", "true")
    page.goto(f"{HOST}/anywhere.html#at=12&as=0")
    expect(page.locator("#at")).to_have_value("12")
    assert page.locator("#fork, #downloads").count() == 0
    assert [one for one in asked if "/static/" not in one and "anywhere" not in one] == []


# --- on a site ------------------------------------------------------------------------------------


def test_on_a_site_the_sample_is_replayed_from_its_page(a_page, site):
    match = flagship_id()
    page = a_page(at=site)
    page.goto(f"/matches/{match}/replay?at=320&as=2")
    page.wait_for_selector("#replay[data-ready] .viewer #panel", timeout=30_000)
    expect(page.locator("#at")).to_have_value("320")
    expect(page.locator("#as-2")).to_have_attribute("aria-current", "true")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**/matches/{match}/replay?at=321&as=2")
    page.click("#as-all")
    page.wait_for_url(f"**/matches/{match}/replay?at=321&as=all")
    page.reload()
    page.wait_for_selector("#replay[data-ready] .viewer #panel", timeout=30_000)
    expect(page.locator("#as-all")).to_have_attribute("aria-current", "true")


def test_on_a_site_one_looks_through_ones_own_seat_and_hears_of_what_comes(a_page, site):
    ann, bob = site.person("Ann"), site.person("Bob")
    match = ann.match("tictactoe", [ann, bob])
    page = a_page(ann)
    page.goto(f"/matches/{match}/replay?as=0")
    page.wait_for_selector("#replay[data-ready] .viewer #panel")
    expect(page.locator("#as-0")).to_have_attribute("aria-current", "true")
    expect(page.locator("#as-1")).to_have_count(0)
    expect(page.locator("#viewpoints")).to_contain_text("only that seat may see")
    other = a_page(bob, forgives=("403",))
    answered = other.goto(f"/matches/{match}/replay?as=0")
    assert answered.status == 403
    last = int(page.locator("#at").input_value())
    seat = 0 if asked(ann, match, 0) else 1
    question = asked([ann, bob][seat], match, seat)
    decided([ann, bob][seat], match, seat, question["options"][4], question["question"])
    moved = page.locator("#moved-on")
    expect(moved).to_contain_text("1 event since")
    assert moved.locator("a").get_attribute("href") == f"/matches/{match}/table"
    moved.get_by_role("button").click()
    expect(page.locator("#at")).to_have_value(str(last + 1))
    expect(page.locator("svg.scene .piece")).to_have_count(1)
    expect(moved).to_have_count(0)


def test_without_script_the_page_is_there_all_the_same(a_page, site):
    match = flagship_id()
    page = a_page(at=site, script=False)
    page.goto(f"/matches/{match}/replay?at=320&as=spectator")
    expect(page.locator("#replay svg.scene")).to_be_visible()
    page.click("#next")
    page.wait_for_url("**/replay?at=321&as=spectator")
    expect(page.locator("#log [aria-current=step]")).to_have_count(1)
