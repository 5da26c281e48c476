"""Addresses and viewpoints: a link names the event and the eyes, both ways."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.drawn import HOST
from tests.support.browser.replaying import MATCH, Replaying, answered, sample_document


@pytest.fixture
def page(a_page):
    allowed = ["clipboard-read", "clipboard-write"]
    return a_page(at=HOST, permissions=allowed, forgives=("403",))


@pytest.fixture
def replay(page):
    words = ("spectator", "0", "all")
    return Replaying(page, {word: sample_document(word) for word in words})


def test_an_address_opens_at_its_event_and_follows_the_steps(replay):
    replay.open(321)
    assert replay.at == 321
    expect(replay.page).to_have_title(re.compile(r"^Event 321 of 737: Sample match"))
    replay.press("ArrowRight")
    replay.address_says(322)
    replay.page.reload()
    replay.ready()
    replay.stands_at(322)


def test_without_an_event_it_opens_at_the_start_and_beyond_the_end_at_the_last(replay):
    replay.open(None)
    assert replay.at == 7  # the first board: at 6 the match begins, and nothing is laid out
    expect(replay.page.locator(".board svg").first).to_be_visible()
    replay.open(99999)
    assert replay.at == 737
    replay.documents["spectator"]["state"] = "running"
    replay.open(None)
    assert replay.at == 737


def test_what_is_too_long_to_be_shown_at_once_is_scrolled_by_keys(replay):
    replay.open(7)  # every place of the board is laid out, a sentence for each
    said = replay.page.get_by_role("group", name="What happened")
    assert said.evaluate("one => one.scrollHeight > one.clientHeight")
    said.focus()
    said.press("PageDown")
    replay.page.wait_for_function("one => one.scrollTop > 0", arg=said.element_handle())
    assert replay.at == 7


def test_another_viewpoint_keeps_the_event_and_the_browser_goes_back_from_it(replay):
    replay.open(320)
    replay.page.click("#as-0")
    replay.address_says(320, "0")
    expect(replay.page.locator("#as-0")).to_have_attribute("aria-current", "true")
    assert replay.at == 320
    replay.press("ArrowRight")
    replay.address_says(321, "0")
    replay.page.go_back()
    replay.address_says(320, "spectator")
    expect(replay.page.locator("#as-spectator")).to_have_attribute("aria-current", "true")
    replay.stands_at(320)
    replay.page.go_forward()
    replay.address_says(321, "0")
    replay.stands_at(321)
    asked = [one for one in replay.asked if "as=0" in one]
    assert len(asked) == 1, "a document is asked for once"


def test_a_key_goes_through_the_viewpoints(replay):
    replay.open(320)
    replay.press("f")
    replay.address_says(320, "0")
    replay.page.click("#as-all")
    replay.address_says(320, "all")
    expect(replay.page.locator(".banners")).to_contain_text("no player")


def test_a_viewpoint_that_is_refused_says_why_and_changes_nothing(replay):
    replay.open(320)
    replay.page.click("#as-3")
    expect(replay.page.get_by_role("alert")).to_contain_text("Not your seat.")
    expect(replay.page.locator("#as-spectator")).to_have_attribute("aria-current", "true")
    replay.address_says(320)


def test_why_there_is_no_other_viewpoint_is_said(a_page):
    document = sample_document()
    document["viewpoints"] = document["viewpoints"][:1]
    document["why_not"] = "What a seat sees is for that seat alone."
    replay = Replaying(a_page(at=HOST), {"spectator": document}).open(300)
    expect(replay.page.locator("#viewpoints")).to_contain_text("for that seat alone")


def test_the_link_to_an_event_is_copied_by_button_and_key(replay):
    replay.open(320)
    link = f"{HOST}/matches/{MATCH}/replay?at=320&as=spectator"
    replay.page.click("#copy")
    expect(replay.page.locator("#copy")).to_have_text("Copied")
    assert replay.page.evaluate("navigator.clipboard.readText()") == link
    replay.press("ArrowRight")
    expect(replay.page.locator("#copy")).to_have_text("Copy link")
    replay.press("c")
    expect(replay.page.locator("#said-aloud")).to_have_text("Link copied.")
    assert replay.page.evaluate("navigator.clipboard.readText()").endswith("at=321&as=spectator")


def test_what_one_takes_away_names_the_event_and_the_eyes(replay):
    replay.open(320, "0")
    assert replay.page.get_attribute("#fork", "href") == f"/matches/{MATCH}/fork?at=320"
    assert replay.page.get_attribute("#review", "href").endswith("replay?at=320&as=0")
    replay.page.click("#downloads summary")
    links = [one.get_attribute("href") for one in replay.page.locator("#downloads a").all()]
    assert f"/matches/{MATCH}/replay.html?as=0" in links
    assert f"/matches/{MATCH}.hgm" in links
    for kind in ("txt", "csv", "ndjson"):
        assert f"/api/v1/matches/{MATCH}/replay.{kind}?as=0" in links
    replay.page.keyboard.press("Escape")
    expect(replay.page.locator("#downloads ul")).to_be_hidden()


def test_while_a_replay_is_made_its_progress_is_shown(replay):
    running = answered(202, {"job": "j", "state": "running", "done": 300, "of": 737})
    replay.answers = [
        answered(202, {"job": "j", "state": "queued", "done": 0, "of": 0}),
        *[running] * 500,  # until it has been looked at
    ]
    replay.open(300, wait=False)
    expect(replay.page.locator(".waiting")).to_contain_text("300 of 737 events")
    assert replay.page.locator("#making").get_attribute("max") == "737"
    expect(replay.page.locator("h1")).to_have_text("As the server drew it")
    replay.answers.clear()
    replay.ready()
    assert replay.page.locator(".waiting").count() == 0


def test_what_went_wrong_is_said_and_can_be_tried_again(a_page):
    page = a_page(at=HOST, forgives=("503",))
    replay = Replaying(page)
    replay.answers = [answered(503, {"detail": "Too many replays are being made."})]
    replay.open(300, wait=False)
    expect(page.get_by_role("alert")).to_contain_text("Too many replays")
    page.get_by_role("button", name="Try again").click()
    replay.ready()
    assert replay.at == 300


def test_a_running_match_says_that_one_looks_at_its_past_and_leads_to_its_table(a_page):
    document = sample_document()
    document |= {"finished": False, "state": "running", "result": ""}
    page = a_page(at=HOST, forgives=("503",))
    replay = Replaying(page, {"spectator": document}).open(300)
    past = page.locator("#past")
    expect(past).to_contain_text("the past of a running match")
    assert past.locator("a").get_attribute("href") == f"/matches/{MATCH}/table"
    past.get_by_role("button", name=re.compile("newest")).click()
    replay.stands_at(737)
    expect(past).to_have_count(0)


def test_when_the_match_has_moved_on_its_news_are_a_click_away(a_page):
    document = sample_document()
    earlier = document | {
        "events": document["events"][:700],
        "last": 700,
        "finished": False,
        "state": "running",
    }
    page = a_page(at=HOST)
    replay = Replaying(page, {"spectator": earlier})
    stream = "id: 701\nevent: event\ndata: {}\n\nid: 703\nevent: event\ndata: {}\n\n"
    replay.live = lambda route: route.fulfill(body=stream, content_type="text/event-stream")
    replay.open(700)
    moved = page.locator("#moved-on")
    expect(moved).to_contain_text("3 events since")
    replay.documents["spectator"] = document
    moved.get_by_role("button").click()
    replay.stands_at(737)


# --- under other rules ----------------------------------------------------------------------------


@pytest.fixture
def tried(page):
    replay = Replaying(page)
    played = replay.documents["spectator"]
    other = sample_document() | {"played": False, "edition": played["editions"][-1]}
    other["events"][399] = other["events"][399] | {"said": ["It comes to something else."]}
    replay.editions = {other["edition"]: other}
    return replay


def test_one_turns_from_the_match_as_played_to_todays_rules_and_back(tried):
    today = tried.documents["spectator"]["editions"][-1]
    tried.open(320)
    expect(tried.page.locator("#tried")).to_have_count(0)
    tried.page.select_option("#edition", today)
    tried.page.wait_for_url(f"{HOST}/matches/{MATCH}/replay?at=320&as=spectator&edition={today}")
    expect(tried.page.locator("#tried")).to_contain_text("not the match as played")
    tried.page.click("#differs")
    tried.stands_at(400)
    expect(tried.page.locator("#event")).to_contain_text("It comes to something else.")
    tried.press("e")
    tried.address_says(400)
    expect(tried.page.locator("#tried")).to_have_count(0)
    expect(tried.page.locator("#edition")).to_have_value("")
    tried.page.go_back()
    expect(tried.page.locator("#edition")).to_have_value(today)
    tried.page.reload()
    tried.ready()
    expect(tried.page.locator("#edition")).to_have_value(today)
    tried.stands_at(400)


def test_where_secrets_are_at_stake_no_other_rules_are_offered(replay):
    replay.documents["spectator"]["editions"] = []
    replay.open(320)
    expect(replay.page.locator("#edition")).to_have_count(0)
    replay.press("e")
    replay.address_says(320)
