"""A page of a match gives files, pictures and forks to take away."""

from __future__ import annotations

import re
import struct

import pytest
from playwright.sync_api import expect

from services.matches.samples import flagship_id
from tests.support.browser.looking import axe

SAMPLE = f"/matches/{flagship_id()}"


def test_the_file_of_a_replay_is_downloaded_and_proves_itself(page, a_page, tmp_path):
    page.goto(f"{SAMPLE}/replay?at=12")
    with page.expect_download() as waited:
        page.evaluate(
            """(address) => {
            const link = document.createElement("a");
            link.href = address;
            link.download = "";
            document.body.append(link);
            link.click();
        }""",
            f"{SAMPLE}/replay.html?as=2",
        )
    assert waited.value.suggested_filename == f"{flagship_id()}-2.html"
    kept = tmp_path / "kept.html"
    waited.value.save_as(kept)
    from_disk = a_page(at="file:///", offline=True)
    from_disk.goto(kept.as_uri())
    expect(from_disk.locator("#proof")).to_have_attribute("data-state", "right")
    expect(from_disk.locator(".one-file-of")).to_contain_text("(seat 2)")


def test_the_story_is_shown_when_it_is_made_and_the_table_is_a_file(page):
    page.goto(f"{SAMPLE}/replay?at=12&as=3")
    page.locator("#replay[data-ready] .viewer #panel").wait_for()
    page.locator("summary", has_text="Download").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="The story as text").click()
    expect(opened.value.locator("body")).to_contain_text("Green wins with 169 points")
    opened.value.close()
    page.goto(SAMPLE)
    with page.expect_download() as waited:
        page.get_by_role("link", name="The ledger as a table").click()
    assert waited.value.path().read_text().startswith("n,")


def test_a_moment_is_a_picture_of_1200_by_630_and_pages_name_it(page):
    answer = page.request.get(f"{SAMPLE}/moment.png?at=368")
    assert answer.headers["content-type"] == "image/png"
    assert struct.unpack(">II", answer.body()[16:24]) == (1200, 630)
    again = page.request.get(
        f"{SAMPLE}/moment.png?at=368", headers={"If-None-Match": answer.headers["etag"]}
    )
    assert again.status == 304
    page.goto(f"{SAMPLE}/replay?at=368&as=2")
    named = page.locator('meta[property="og:image"]').get_attribute("content")
    assert named is not None
    assert named.endswith(f"{SAMPLE}/moment.png?at=368&as=2")
    assert page.request.get(named).ok


@pytest.mark.parametrize(
    ("asked", "status"),
    [("at=0", 404), ("at=9999", 404), ("at=x", 400), ("at=5&as=9", 404), ("at=5&as=me", 400)],
)
def test_a_picture_of_what_there_is_not_is_refused(page, asked, status):
    assert page.request.get(f"{SAMPLE}/moment.png?{asked}").status == status


def test_somebody_plays_on_from_an_event_and_everything_says_that_it_is_a_fork(site, a_page, shot):
    ann = site.person("Ann")
    match = ann.finished(ann.match("tictactoe", ("greedy", "random")))["id"]
    page = a_page(ann)
    page.goto(f"/matches/{match}/fork?at=6")
    expect(page.get_by_role("heading", level=1)).to_have_text("Play on from event 6")
    axe(page)
    shot(page, "files-fork")
    page.locator("label[for=seat-1]").click()
    page.get_by_role("button", name="Play on against bots").click()
    page.wait_for_url(re.compile(rf"/matches/(?!{match})[a-z0-9]+$"))
    forked = page.url.rpartition("/")[2]
    shot(page, "files-fork-match")
    found = ann.asks("GET", f"/matches/{forked}")
    assert found["yours"] == [1]
    assert found["title"].startswith("Fork of")
    # A bot plays seat 0; then it is one's own turn, at a table that says what it is.
    page.goto(f"/matches/{forked}/table")
    expect(page.locator(".fork-mark")).to_have_text(f"Fork of {match} from event 6")
    page.locator(".place.target").first.click()
    version = ann.asks("GET", f"/matches/{forked}")["version"]
    page.locator(".tray .send").click()
    expect(page.locator(".piece")).to_have_count(3)  # ours, and the bot's before and after it
    assert ann.asks("GET", f"/matches/{forked}")["version"] >= version + 2
    shot(page, "files-fork-table")
    page.goto(f"/matches/{forked}/replay?at=6")
    expect(page.locator(".fork-mark")).to_have_text(f"Fork of {match} from event 6")
    axe(page, within=".fork-line")
    shot(page, "files-fork-replay", whole=False)


def test_one_goes_on_in_a_fork_of_the_flagship(site, a_page, shot):
    bob = site.person("Bob")
    page = a_page(bob, phone=True)
    page.goto(f"{SAMPLE}/fork?at=300")
    axe(page)
    shot(page, "files-fork-phone")
    page.get_by_role("button", name="Play on against bots").click()
    page.wait_for_url(re.compile(r"/matches/[a-z0-9]+$"))
    forked = page.url.rpartition("/")[2]
    (seat,) = bob.asks("GET", f"/matches/{forked}")["yours"]
    offered = bob.asks("GET", f"/matches/{forked}/options?as={seat}")
    assert offered["asked"]["options"]


def test_a_match_that_runs_offers_no_fork(site, a_page):
    cem = site.person("Cem")
    match = cem.match("tictactoe", (cem, "random"))
    page = a_page(cem)
    page.goto(f"/matches/{match}/fork")
    expect(page.locator(".notice")).to_contain_text("You can fork a match when it is closed")
    expect(page.get_by_role("button", name="Play on")).to_have_count(0)


def test_a_visitor_sees_the_page_of_a_fork_and_is_told_to_come_in(page):
    page.goto(f"{SAMPLE}/fork?at=300")
    expect(page.locator(".fork-form .notice")).to_contain_text("sign in with a link")
