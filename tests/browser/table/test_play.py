"""Playing at a table in a browser: by mouse, by keyboard alone, each game on the same page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Response, expect

from tests.support.browser.looking import axe
from tests.support.browser.sites import Person, Site

ANY = ".decide .question .choice"
MORE = f"{ANY}.more-choices"
CHOICE = f"{ANY}:not(.more-choices)"
ASIDE = ("Take the action back", "Finish building", "End the turn", "Attack nobody")
ROUND_MAX = 60  # decisions of one seat in a round
# Where several decide at once, somebody may be first: then one is told, and sends it again, or
# chooses anew where it was taken away (422).
TAKEN = 422
FIRST = ("status of 412", "status of 422 (UNPROCESSABLE ENTITY)")


def at_table(page: Page, match: str, seat: int | str = 0) -> None:
    page.goto(f"/matches/{match}/table?as={seat}")
    expect(page.locator(".table-page-grid")).to_be_visible()


def send(page: Page) -> None:
    """Send what is composed, and once more where somebody was first.

    A choice that no longer fits is taken back, so that the caller chooses anew.
    """
    gone = page.locator("body:not(:has(.tray))")
    first = page.locator(".notices .grave")
    for _ in range(5):
        page.locator('.tray .send[aria-disabled="false"]').click()
        expect(gone.or_(first).first).to_be_attached()
        if gone.count():
            return
        unfit = "no longer fits" in first.inner_text()
        first.get_by_role("button").click()
        if unfit:
            page.locator(".tray .back").click()
            expect(gone).to_be_attached()
            return
    raise AssertionError("it is never sent")


def is_trial(answer: Response) -> bool:
    return answer.request.method == "POST" and answer.url.endswith("/choices")


def chosen(labels: list[str], banned: set[str]) -> int:
    """Returns a newcomer's choice: something new, and nothing that led nowhere before."""
    for number, label in enumerate(labels):
        if not label.startswith(ASIDE) and label not in banned:
            return number
    for number, label in enumerate(labels):
        if label not in banned:
            return number
    return 0


def play_a_round(page: Page, press: Callable[[str, int], None], send: Callable[[], None]) -> int:
    """Decide until the second round begins; how often. Long lists are shown whole first."""
    banned: set[str] = set()
    last = ""
    for number in range(ROUND_MAX):
        begun = page.locator(".log").get_by_text("Round 2", exact=False)
        expect(page.locator(ANY).or_(begun).first).to_be_visible()
        if begun.count():
            return number
        while left := page.locator(MORE).count():
            press(MORE, 0)
            expect(page.locator(MORE)).to_have_count(left - 1)
        labels = page.locator(CHOICE).all_inner_texts()
        at = chosen(labels, banned)
        if labels[at].startswith(ASIDE):
            banned = {*banned, last} if labels[at] == ASIDE[0] else set()
        last = labels[at]
        with page.expect_response(is_trial) as tried:
            press(CHOICE, at)
        if tried.value.status == TAKEN:  # and then it is offered no more
            expect(page.locator(CHOICE).get_by_text(last, exact=True)).to_have_count(0)
        else:
            send()
    raise AssertionError(f"no second round after {ROUND_MAX} decisions")


def test_a_newcomer_plays_a_whole_round_of_hegemonic_by_mouse(
    a_page: Any, site: Site, shot: Callable[..., None]
):
    page = a_page(site.person("Ann"), forgives=FIRST)
    page.goto("/")
    page.locator("label[for=play-hegemonic]").click()
    page.get_by_label("Players of Hegemonic").select_option("2")
    page.locator("form.quick button").click()
    expect(page.locator(".table-page-grid")).to_be_visible()
    expect(page).to_have_title("● Your turn: Ann against bots - Hegemon")

    def by_mouse(what: str, number: int) -> None:
        page.locator(what).nth(number).click()

    assert play_a_round(page, by_mouse, lambda: send(page)) > 5
    said = page.locator(".log").inner_text()
    assert "Round 2" in said
    raw = page.locator(".decide").inner_text()
    assert not any(sign in raw for sign in ("{", "}", '"type"', "undefined", "[object"))
    shot(page, "table-hegemonic-desktop")


def test_another_round_is_played_by_keyboard_alone(a_page: Any, site: Site):
    bob = site.person("Bob")
    match = bob.match("hegemonic", [bob, "bot"])
    page = a_page(bob, forgives=FIRST)
    at_table(page, match)

    def by_keyboard(what: str, number: int) -> None:
        wanted = page.locator(what).nth(number)
        way = wanted.evaluate("(one, any) => [...document.querySelectorAll(any)].indexOf(one)", ANY)
        page.keyboard.press("d")
        for _ in range(way):
            page.keyboard.press("ArrowDown")
        expect(wanted).to_be_focused()
        page.keyboard.press("Enter")

    def send_by_keyboard() -> None:
        gone = page.locator("body:not(:has(.tray))")
        first = page.locator(".notices .grave")
        for _ in range(5):
            expect(page.locator(".tray .send")).to_be_focused()
            page.keyboard.press("Enter")
            expect(gone.or_(first).first).to_be_attached()
            if gone.count():
                return
            unfit = "no longer fits" in first.inner_text()
            first.get_by_role("button").press("Enter")
            if unfit:
                page.locator(".tray .back").press("Enter")
                expect(gone).to_be_attached()
                return
            page.keyboard.press("d")
            page.locator(".tray .send").focus()
        raise AssertionError("it is never sent")

    assert play_a_round(page, by_keyboard, send_by_keyboard) > 5


def test_a_choice_is_made_on_the_board_with_mouse_and_with_keys(a_page: Any, site: Site):
    eve, fay = site.person("Eve"), site.person("Fay")
    match = eve.match("tictactoe", [eve, fay], title="Noughts")
    mine, theirs = a_page(eve), a_page(fay)
    at_table(mine, match)
    at_table(theirs, match, 1)
    mine.locator('[data-on="c4"]').click()
    expect(mine.locator(".tray")).to_contain_text("Mark the centre")
    expect(theirs.locator(".piece")).to_have_count(0)  # nothing is sent yet
    mine.locator(".tray .back").click()
    expect(mine.locator(".tray")).to_have_count(0)
    mine.locator('[data-on="c0"]').click()
    mine.locator(".tray .send").click()
    # Two browsers at one table see each other's moves as they happen.
    expect(theirs.locator(".piece")).to_have_count(1)
    expect(theirs.locator(".now")).to_have_text("Your move")
    expect(theirs).to_have_title("● Your turn: Noughts - Hegemon")
    theirs.keyboard.press("b")
    theirs.keyboard.press("ArrowRight")
    theirs.keyboard.press("Enter")
    expect(theirs.locator(".tray .send")).to_be_focused()
    expect(theirs.locator(".tray")).to_contain_text("Mark the top")
    theirs.keyboard.press("Enter")
    expect(mine.locator(".piece")).to_have_count(2)
    expect(mine.locator("[role=status][aria-live]").last).to_contain_text("O marks the top.")
    expect(mine.locator(".log li").last).to_contain_text("O marks the top.")


def test_a_whole_game_of_tictactoe_ends_with_its_winner(a_page: Any, site: Site):
    gil, hal = site.person("Gil"), site.person("Hal")
    match = gil.match("tictactoe", [gil, hal], options={"begin.stake": 2})
    pages = [a_page(gil), a_page(hal)]
    for seat, page in enumerate(pages):
        at_table(page, match, seat)
    expect(pages[1].get_by_role("button", name="Give chips away …")).to_be_visible()
    for number, cell in enumerate((0, 3, 1, 4, 2)):
        page = pages[number % 2]
        page.locator(f'.place.target[data-on="c{cell}"]').click()
        send(page)
    for page in pages:
        expect(page.locator(".now")).to_contain_text("Gil wins")
        expect(page.locator(".place.target")).to_have_count(0)
    expect(pages[1].locator(".decide")).to_contain_text("Its host has yet to approve the result")
    expect(pages[1].locator(".decide button")).to_have_count(0)
    pages[0].locator(".decide").get_by_role("button", name="Approve the result").click()
    for page in pages:
        expect(page.locator(".table-head .state")).to_have_text("finished")


def test_galactic_hegemony_is_played_on_the_same_page(a_page: Any, site: Site):
    ida = site.person("Ida")
    match = ida.match("galactic_hegemony", [ida])
    page = a_page(ida)
    at_table(page, match)
    for _ in range(4):
        expect(page.locator(CHOICE).first).to_be_visible()
        labels = page.locator(CHOICE).all_inner_texts()
        moving = [at for at, label in enumerate(labels) if label.startswith("Move")]
        page.locator(CHOICE).nth(moving[0] if moving else 0).click()
        send(page)
    page.get_by_role("button", name="Write a note …").click()
    page.get_by_role("textbox", name="Note").fill("a fine campaign")
    page.get_by_role("button", name="Preview").click()
    page.locator(".tray .send").click()
    expect(page.locator(".log")).to_contain_text("a fine campaign")


def waiting_room(a_page: Any, host: Person, match: str) -> Page:
    page: Page = a_page(host)
    page.goto(f"/matches/{match}/table")
    expect(page.get_by_role("heading", name="Before the start")).to_be_visible()
    return page


def test_a_table_is_filled_and_started_from_the_waiting_room(
    a_page: Any, site: Site, shot: Callable[..., None]
):
    jan = site.person("Jan")
    match = jan.match("hegemonic", [None, None, None], title="Who is in?")
    page = waiting_room(a_page, jan, match)
    expect(page.get_by_role("button", name="Start the match")).to_be_disabled()
    page.get_by_role("button", name="Sit down on seat 0").click()
    expect(page.get_by_text("you", exact=True)).to_be_visible()
    page.get_by_role("button", name="Invite a player to seat 1").click()
    link = page.get_by_label("Send this link to the player for this seat").input_value()
    axe(page)
    shot(page, "table-room")
    guest = a_page(at=site)
    guest.goto(link)
    guest.locator("input[name=name]").fill("Kim")
    guest.locator("main button").first.click()
    expect(page.get_by_text("Kim", exact=True)).to_be_visible()  # told live
    page.get_by_role("button", name="Bots for all free seats").click()
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator(".table-page-grid")).to_be_visible()
    expect(page.locator(".decide .choice").first).to_be_visible()
