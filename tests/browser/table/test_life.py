"""The life of a table in a browser: coming back, getting up, looking up the replay, no script."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table.test_play import at_table
from tests.support.browser.sites import Site
from tests.support.browser.tabling import decided, played


@pytest.fixture(autouse=True)
def patience() -> None:
    expect.set_options(timeout=15_000)


def test_who_comes_back_reads_what_happened_meanwhile(a_page: Any, site: Site):
    ann, bea, cid = (site.person(name) for name in ("Ann", "Bea", "Cid"))
    match = ann.match("hegemonic", [ann, bea, cid])
    people = [ann, bea, cid]
    played(people, match, lambda _, found: "action.commit-card" in found["takes"])
    for seat, card in enumerate(("discover", "assault", "assault")):
        decided(people[seat], match, seat, {"type": "action.commit-card", "card": card})
    page = a_page(ann)
    at_table(page, match)
    digest = page.locator(".digest")
    expect(digest).to_contain_text("Since your last decision")
    expect(digest).to_contain_text("Assault")
    digest.get_by_role("button", name="Dismiss").click()
    expect(digest).to_have_count(0)


def test_what_is_decided_while_the_page_loads_is_seen_on_the_board(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(bea)
    early: list[str] = []

    def late(route: Any) -> None:
        answer = route.fetch()
        if not early:  # after the board was read, and before the log is
            early.append(route.request.url)
            decided(ann, match, 0, {"type": "play.mark", "cell": 4})
        route.fulfill(response=answer)

    page.route("**/choices?*", late)
    page.goto(f"/matches/{match}/table")
    expect(page.locator(".log")).to_contain_text("X marks the centre")
    assert early
    expect(page.locator(".piece")).to_have_count(1)
    expect(page.get_by_role("heading", name="Your decision")).to_be_visible()


def test_the_key_of_the_talk_opens_it(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(ann)
    at_table(page, match)
    page.keyboard.press("t")
    field = page.get_by_label("Write a message")
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_the_replay_is_looked_up_at_the_event_of_a_line(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    decided(ann, match, 0, {"type": "play.mark", "cell": 4})
    version = ann.asks("GET", f"/matches/{match}")["version"]
    page = a_page(ann)
    at_table(page, match, "spectator")
    link = page.get_by_role("link", name=f"Replay from event {version}")
    expect(link).to_have_attribute("href", f"/matches/{match}/replay?at={version}&as=spectator")
    page.locator(".log a").last.click()
    page.wait_for_url(f"**/replay?at={version}&as=spectator")


def test_who_gets_up_leaves_the_seat_to_a_bot(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(bea, forgives=("status of 403",))  # these eyes are hers no more
    at_table(page, match, 1)
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("button", name="Get up …").click()
    page.get_by_label("Why").last.fill("dinner")
    page.get_by_role("button", name="Get up from this seat").click()
    expect(page.locator(".seats li").nth(1)).to_contain_text("a bot")
    decided(ann, match, 0, {"type": "play.mark", "cell": 4})
    expect(page.locator(".piece")).to_have_count(2)  # the bot has answered


def the_order(a_page: Any, site: Site) -> tuple[Any, Any]:
    """A seat's page, and the tick for its standing order."""
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(ann)
    at_table(page, match)
    page.get_by_role("tab", name="Table").click()
    return page, page.get_by_label("Decide for me when there is only one choice")


def test_an_order_answers_where_there_is_but_one_answer(a_page: Any, site: Site):
    page, order = the_order(a_page, site)
    with page.expect_response("**/orders"):
        order.check()
    page.reload()
    page.get_by_role("tab", name="Table").click()
    expect(order).to_be_checked()


def test_an_order_taken_back_before_it_was_heard_is_taken_back(a_page: Any, site: Site):
    page, order = the_order(a_page, site)
    held: list[Any] = []
    page.route("**/orders", lambda asked: asked.continue_() if held else held.append(asked))
    order.check()
    order.uncheck()
    with (
        page.expect_response(lambda answer: answer.request.post_data == '{"only_option":true}'),
        page.expect_response(lambda answer: answer.request.post_data == '{"only_option":false}'),
    ):
        held[0].continue_()
    expect(order).not_to_be_checked()
    page.reload()
    page.get_by_role("tab", name="Table").click()
    expect(order).not_to_be_checked()


def test_without_script_the_page_says_who_sits_there_and_leads_on(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea], title="By hand")
    page = a_page(at=site, script=False)
    page.goto(f"/matches/{match}/table")
    expect(page.get_by_role("heading", name="By hand")).to_be_visible()
    expect(page.get_by_text("Seat 0: Ann")).to_be_visible()
    page.get_by_role("link", name="the replay").click()
    page.wait_for_url(f"**/matches/{match}/replay*")


def test_a_table_that_is_not_to_be_watched_says_so(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea], looking="nobody")
    page = a_page(at=site, forgives=("status of 403",))
    answer = page.goto(f"/matches/{match}/table")
    assert answer.status == 403
    assert match not in page.locator("main").inner_text()
