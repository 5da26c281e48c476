"""Several at one table: offers, talk, going back; connections that are lost; and who looks on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.browser.table.test_play import at_table, send
from tests.support.browser.looking import axe
from tests.support.browser.sites import Person, Site
from tests.support.browser.tabling import decided, played, text_of

DEALT = re.compile(r'[^{]*"setup.hand-dealt"[^}]*')
PRIMER = re.compile(r'<details class="primer".*?</details>', re.DOTALL)
SHUFFLED = '"setup.cards-shuffled"'
LOST = ("net::ERR_", "Failed to fetch", "status of 412")
WAY_TO_A_FIGHT = (
    "turn.start-conflict", "conflict.declare", "conflict.support", "build.place-fleet",
    "build.place-outpost", "turn.start-build",
)  # fmt: skip


@pytest.fixture(autouse=True)
def patience() -> None:
    expect.set_options(timeout=15_000)


def marks(page: Page, cell: int) -> None:
    page.locator(f'.place.target[data-on="c{cell}"]').click()
    expect(page.locator(".tray .send")).to_be_focused()


def events(person: Person, match: str) -> list[Any]:
    found: list[Any] = person.asks("GET", f"/matches/{match}/facts")["events"]
    return found


def marked(person: Person, match: str) -> int:
    return sum(
        fact["type"] == "play.marked" for one in events(person, match) for fact in one["facts"]
    )


# --- connections ----------------------------------------------------------------------------------


def test_an_answer_that_is_lost_is_asked_for_again_and_done_once(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(ann, forgives=LOST)
    sent: list[tuple[str, str]] = []

    def lose(route: Route) -> None:
        headers = route.request.headers
        sent.append((headers["idempotency-key"], headers["if-match"]))
        if len(sent) == 1:
            route.fetch()  # it is done, and nobody hears of it
        if len(sent) < 3:
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/decisions", lose)
    at_table(page, match)
    marks(page, 4)
    page.locator(".tray .send").click()
    expect(page.locator(".tray")).to_contain_text("Trying again")
    expect(page.locator(".tray")).to_have_count(0)
    assert len(sent) == 3
    assert len(set(sent)) == 1, "the same key and the same version each time"
    assert marked(ann, match) == 1
    expect(page.locator(".piece")).to_have_count(1)


def test_what_was_under_way_outlasts_a_page_that_is_loaded_anew(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(ann, forgives=LOST)
    page.route("**/decisions", lambda route: (route.fetch(), route.abort("connectionreset")))
    at_table(page, match)
    marks(page, 0)
    page.locator(".tray .send").click()
    expect(page.locator(".tray")).to_contain_text("Trying again")
    page.unroute_all()
    page.reload()
    expect(page.locator(".piece")).to_have_count(1)
    expect(page.locator(".tray")).to_have_count(0)
    assert marked(ann, match) == 1


def test_a_page_that_lost_its_connection_says_so_and_catches_up(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(bea, forgives=LOST)
    at_table(page, match, 1)
    expect(page.locator(".now")).to_contain_text("Waiting for")
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    decided(ann, match, 0, {"type": "play.mark", "cell": 8})
    page.context.set_offline(False)
    expect(page.locator(".piece")).to_have_count(1)
    expect(page.locator(".log li").last).to_contain_text("X marks the bottom right.")


def test_where_there_is_no_place_to_be_told_the_page_asks(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(bea, forgives=("status of 503",))
    page.route("**/live/**", lambda route: route.fulfill(status=503, body="{}"))
    at_table(page, match, 1)
    expect(page.get_by_text("updates every few seconds")).to_be_visible()
    decided(ann, match, 0, {"type": "play.mark", "cell": 8})
    expect(page.locator(".piece")).to_have_count(1)


def test_who_was_second_is_told_what_happened_and_keeps_what_was_composed(a_page: Any, site: Site):
    ann, bea, cid = (site.person(name) for name in ("Ann", "Bea", "Cid"))
    match = ann.match("hegemonic", [ann, bea, cid])
    people = [ann, bea, cid]
    played(people, match, lambda _, found: "setup.choose-color" in found["takes"])
    page = a_page(ann, forgives=LOST)
    at_table(page, match)
    page.get_by_role("button", name="Play green").click()
    expect(page.locator(".tray")).to_contain_text("Play green")
    decided(bea, match, 1, {"type": "setup.choose-color", "color": "red"})
    expect(page.locator(".log li").last).to_contain_text("Red")
    page.locator(".tray .send").click()
    expect(page.locator(".notice")).to_contain_text("The match has changed")
    expect(page.locator(".notice")).to_contain_text("takes Red")
    expect(page.locator(".tray")).to_contain_text("Play green")
    page.locator(".tray .send").click()
    expect(page.locator(".tray")).to_have_count(0)
    expect(page.locator(".seats")).to_contain_text("Green")


def test_a_choice_that_others_took_away_is_said_once_and_can_be_taken_back(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(ann, forgives=("status of 412", "status of 422"))
    at_table(page, match)
    marks(page, 4)
    problem = {"code": "cell_taken", "detail": "The cell is marked already."}
    page.route("**/decisions", lambda route: route.fulfill(status=412, json={"code": "changed"}))
    page.route("**/choices", lambda route: route.fulfill(status=422, json=problem))
    page.locator(".tray .send").click()
    told = page.locator(".notices .grave")
    expect(told).to_contain_text("no longer fits: The cell is marked already.")
    expect(told).to_have_count(1)
    expect(page.locator('.tray .send[aria-disabled="true"]')).to_have_count(1)
    page.unroute_all()
    told.get_by_role("button").click()
    page.locator(".tray .back").click()
    expect(page.locator(".tray")).to_have_count(0)
    marks(page, 4)
    send(page)
    expect(page.locator(".piece")).to_have_count(1)


def test_what_the_rules_refuse_meanwhile_is_said_and_not_added(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    page = a_page(ann, forgives=("status of 422",))
    problem = {"code": "cell_taken", "detail": "The cell is marked already."}

    tried: list[str] = []

    def refuse(route: Route) -> None:
        tried.append(route.request.method)
        if tried.count("POST") == 1 and tried[-1] == "POST":
            route.fulfill(status=422, json=problem)
        else:
            route.continue_()

    at_table(page, match)
    page.route("**/choices*", refuse)
    page.locator('.place.target[data-on="c4"]').click()
    expect(page.locator(".notice")).to_contain_text("The cell is marked already.")
    expect(page.locator(".tray")).to_have_count(0)
    marks(page, 4)
    send(page)
    expect(page.locator(".piece")).to_have_count(1)


# --- with each other ------------------------------------------------------------------------------


def test_an_offer_is_made_seen_at_once_and_accepted(
    a_page: Any, site: Site, shot: Callable[..., None]
):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("hegemonic", [ann, bea])
    mine, theirs = a_page(ann), a_page(bea)
    at_table(mine, match)
    at_table(theirs, match, 1)
    mine.get_by_role("button", name="Offer a deal in private …").click()
    mine.get_by_label("In words").fill("You take the north, I the south.")
    mine.get_by_role("group", name="Promises").get_by_role("button", name="Add one").click()
    mine.get_by_label("What", exact=True).select_option("not to attack them")
    axe(mine, "dialog")
    shot(mine, "table-deal", whole=False)
    mine.get_by_role("button", name="Preview").click()
    expect(mine.locator(".tray")).to_contain_text("between the parties alone: You take the north")
    send(mine)
    expect(theirs.locator(".notice")).to_contain_text("You may now: Accept")
    offer = theirs.locator(".offers .offer")
    expect(offer).to_contain_text("You take the north, I the south.")
    expect(mine.locator(".offers .offer")).to_contain_text("Bea has not agreed yet")
    axe(theirs)
    theirs.get_by_role("button", name="Accept Seat 0's offer 1").click()
    send(theirs)
    expect(mine.locator(".log li").last).to_contain_text("The deal is made.")
    raw = mine.locator("body").inner_text() + theirs.locator("body").inner_text()
    assert not any(sign in raw for sign in ("undefined", "[object", '{"'))


def test_an_offer_that_cannot_be_accepted_says_why_until_it_can(
    a_page: Any, site: Site, shot: Callable[..., None]
):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("hegemonic", [ann, bea])
    played([ann, bea], match, lambda _, found: "action.commit-card" in found["takes"])
    payment = {"seat": 1, "to": 0, "amount": 99}
    promise = {"seat": 0, "to": 1, "what": "leave", "amount": 0, "subject": "S1d", "due": [9, 3]}
    terms = {"text": "For all you have.", "payments": [payment], "promises": [promise]}
    offer = {"type": "deal.propose", "parties": [0, 1], "counters": "", "expires": [8, 2]}
    decided(ann, match, 0, {**offer, "terms": None, "private": terms})
    page = a_page(bea)
    at_table(page, match, 1)
    accept = page.get_by_role("button", name="Accept")
    expect(accept).to_be_disabled()
    why = page.locator(".offers .why")
    expect(why).to_contain_text("A party would give 99 CAPs but does not have so many: you.")
    expect(why.locator(".rule")).to_have_text("deal.caps")
    accept.click(force=True)
    expect(page.locator(".tray")).to_have_count(0)
    axe(page)
    shot(page, "table-offer-refused")
    page.get_by_role("button", name="Counter").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("In words")).to_have_value("For all you have.")
    expect(dialog.get_by_label("When", exact=True).locator("option:checked")).to_have_text(
        "in round 9, first action phase"
    )
    axe(page, "dialog")
    shot(page, "table-counter", whole=False)
    page.set_viewport_size({"width": 390, "height": 844})
    shot(page, "table-counter-phone", whole=False)
    dialog.get_by_label("CAPs", exact=True).fill("1")
    dialog.get_by_role("button", name="Preview").click()
    send(page)
    expect(page.locator(".offers .offer")).to_contain_text("Your offer")
    made = bea.asks("GET", f"/matches/{match}/view?as=1")["view"]["state"]["deals"][-1]
    assert made["private"] == {**terms, "payments": [{**payment, "amount": 1}]}
    assert (made["terms"], made["expires"], made["counters"]) == (None, [8, 2], "s0/1")
    decided(ann, match, 0, {**offer, "terms": terms, "private": None})
    page.get_by_role("button", name="Decline Blue's offer 2").first.click()
    send(page)
    expect(page.locator(".offers .offer")).to_have_count(1)


def test_talk_is_told_at_once_to_whom_it_is_for(a_page: Any, site: Site):
    ann, bea, cid = (site.person(name) for name in ("Ann", "Bea", "Cid"))
    match = ann.match("hegemonic", [ann, bea, cid])
    pages = [a_page(one) for one in (ann, bea, cid)]
    for seat, page in enumerate(pages):
        at_table(page, match, seat)
        page.get_by_role("tab", name="Talk").click()
        expect(page.get_by_text("There are no messages yet.")).to_be_visible()
    pages[2].get_by_role("tab", name="Log").click()
    pages[0].get_by_label("Write a message").fill("Hello all")
    pages[0].keyboard.press("Enter")
    # Who looks at something else is told of it, of the first line too.
    expect(pages[2].get_by_role("tab", name="Talk 1 new")).to_be_visible()
    pages[2].get_by_role("tab", name="Talk").click()
    for page in pages:
        expect(page.locator(".talk .text")).to_have_text(["Hello all"])
    pages[0].locator(".say").get_by_label("Bea").check()
    pages[0].get_by_label("Write a message").fill("for you alone")
    pages[0].keyboard.press("Enter")
    expect(pages[1].locator(".talk .text")).to_have_text(["Hello all", "for you alone"])
    pages[1].get_by_label("Options for this message of Ann").first.click()
    pages[1].get_by_role("button", name="Hide messages of Ann").first.click()
    expect(pages[1].locator(".talk .text")).to_have_count(0)
    pages[1].get_by_role("button", name="Show again").click()
    expect(pages[1].locator(".talk .text")).to_have_count(2)
    expect(pages[2].locator(".talk .text")).to_have_text(["Hello all"])
    pages[0].get_by_label("Options for this message of Ann").first.click()
    pages[0].get_by_label("Why").first.fill("too friendly")
    pages[0].get_by_role("button", name="Remove this message").first.click()
    for page in pages:
        expect(page.locator(".talk .text").first).to_have_text("This message was removed.")


def test_going_back_is_asked_for_and_agreed_to(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea])
    decided(ann, match, 0, {"type": "play.mark", "cell": 4})
    decided(bea, match, 1, {"type": "play.mark", "cell": 0})
    mine, theirs = a_page(ann), a_page(bea)
    at_table(mine, match)
    at_table(theirs, match, 1)
    expect(mine.locator(".piece")).to_have_count(2)
    mine.get_by_role("tab", name="Table").click()
    mine.get_by_label("Why").fill("the wrong corner")
    mine.get_by_role("button", name="Go back").click()
    asked = "Ann asks to go back to event 4: the wrong corner"
    expect(theirs.locator(".notice")).to_contain_text(f"{asked}. Agree or decline under Table.")
    expect(theirs.locator("p[role=status]")).to_have_text(asked)
    expect(mine.locator(".notice")).to_contain_text("The other players are asked.")
    theirs.get_by_role("tab", name="Table").click()
    expect(theirs.locator(".undo")).to_contain_text("the wrong corner")
    theirs.get_by_role("button", name="Agree").click()
    expect(theirs.locator(".notice")).to_have_count(0)
    for page in (mine, theirs):
        expect(page.locator(".piece")).to_have_count(0)
        page.get_by_role("tab", name="Log").click()
        expect(page.locator(".log .undone")).to_have_count(2)


def test_the_host_pauses_and_a_clock_counts_down(a_page: Any, site: Site):
    ann, bea = site.person("Ann"), site.person("Bea")
    match = ann.match("tictactoe", [ann, bea], clock={"kind": "bank", "seconds": 300})
    page = a_page(ann)
    at_table(page, match)
    running = page.locator(".clock.running")
    expect(running).to_have_text("4:57")
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("button", name="Pause …").click()
    page.get_by_label("Why").last.fill("tea")
    page.get_by_role("button", name="Pause the match").click()
    expect(page.locator(".now")).to_have_text("The match is paused.")
    expect(running).to_have_count(0)
    expect(page.locator(".place.target")).to_have_count(0)
    page.get_by_role("button", name="Go on …").click()
    page.get_by_role("button", name="Resume the match", exact=True).click()
    expect(running).to_have_count(1)
    expect(page.locator(".place.target")).to_have_count(9)


# --- who looks on, and how it looks ---------------------------------------------------------------


def test_a_spectators_page_holds_no_secret(a_page: Any, site: Site):
    people = [site.person(name) for name in ("Ann", "Bea", "Cid")]
    match = people[0].match("hegemonic", people)
    played(people, match, lambda _, found: "action.commit-card" in found["takes"])
    decided(people[1], match, 1, {"type": "action.commit-card", "card": "subvert"})
    offer = {"type": "deal.propose", "parties": [0, 1], "counters": "", "terms": None}
    secret = {"text": "the north is yours", "payments": [], "promises": []}
    decided(people[0], match, 0, {**offer, "private": secret, "expires": None})
    hands = {card for seat, one in enumerate(people) for card in _hand(one, match, seat)}
    page, bodies = a_page(at=site), []

    def keep(answer: Response) -> None:
        if "/live/" not in answer.url and "/static/" not in answer.url:
            bodies.append(answer.text())

    page.on("response", keep)
    at_table(page, match, "spectator")
    expect(page.locator(".log li").last).to_contain_text("its terms are between them")
    expect(page.locator(".decide")).to_have_count(0)
    expect(page.locator(".chosen-mark")).to_have_count(1)
    expect(page.locator(".thinks")).to_have_count(2)
    # The stream goes on for ever: a part of it is as good as the whole, for it begins at the start.
    told = page.evaluate(
        """async (match) => {
            const answer = await fetch(`/live/matches/${match}?as=spectator`);
            const reader = answer.body.getReader(), read = new TextDecoder();
            let all = "";
            while (!all.includes("deal.proposed")) all += read.decode((await reader.read()).value);
            await reader.cancel();
            return all;
        }""",
        match,
    )
    bodies += [told, page.content(), text_of(None, site.address, f"/matches/{match}/table")]
    assert len(bodies) > 6
    assert "Subvert" in PRIMER.findall(bodies[-1])[0], "which cards there are, everybody may read"
    for body in (PRIMER.sub("", body) for body in bodies):
        assert "the north is yours" not in body
        assert "subvert" not in body.lower()
        assert all('"hidden"' in dealt for dealt in DEALT.findall(body))
        if SHUFFLED not in body:  # which cards are in the game is no secret, who has them is
            assert not [card for card in hands if card in body]
    assert sum(len(DEALT.findall(body)) for body in bodies) >= 6, "facts, and what is told live"
    assert len(hands) == 15


def _hand(person: Person, match: str, seat: int) -> list[str]:
    view = person.asks("GET", f"/matches/{match}/view?as={seat}")["view"]
    return [str(card) for card in view["state"]["houses"][seat]["hand"]]


@pytest.mark.parametrize("look", ["light", "dark phone"])
def test_a_conflict_is_read_and_answered_by_everybody(
    a_page: Any, site: Site, shot: Callable[..., None], look: str
):
    people = [site.person(name) for name in ("Ann", "Bea", "Cid")]
    match = people[0].match("hegemonic", people, title="Three at a table")

    def until(_: int, found: Any) -> bool:
        return "conflict.commit-card" in found["takes"]

    seat = played(people, match, until, prefer=WAY_TO_A_FIGHT)
    page = a_page(people[seat], phone="phone" in look, dark="dark" in look)
    at_table(page, match, seat)
    fight = page.locator(".fight")
    expect(fight).to_contain_text("attacks")
    expect(fight.locator(".side")).to_have_count(2)
    expect(page.locator(".decide .choice").first).to_contain_text("Commit")
    axe(page)
    shot(page, f"table-conflict-{look.replace(' ', '-')}")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing is wider than the page"
    page.locator(".decide .question .choice").first.click()
    axe(page)
    shot(page, f"table-composed-{look.replace(' ', '-')}", whole=False)
    send(page)
    expect(page.locator(".log li").last).to_contain_text("commits")
