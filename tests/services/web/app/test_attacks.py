"""Attacks on the service that once went through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ledger.log.format.acts import Rewound
from ledger.log.write.writer import Writer
from services.feeds.hub import stop_all
from services.matches.cache import MatchCache
from services.matches.undo import settle_undo
from services.web.live import stream
from tests.services.web.live.test_stream import Watching
from tests.support.web.seated import Player, made, table
from tests.support.web.visitors import Site, Visitor, is_problem

PAGES = ("/matches/{}/replay", "/matches/{}/replay.json", "/matches/{}.hgm")
LISTS = ("/", "/api/v1/matches")


@pytest.fixture
def timed(site: Site) -> Site:
    return with_its_clock(site)


def with_its_clock(site: Site) -> Site:
    tables = MatchCache(site.club.store, site.clock)
    site.app.extensions["match_cache"] = lambda: tables
    return site


def rewinds(player: Player) -> int:
    said = [one["said"] for one in player.get("/events").json["events"]]
    return sum(one.get("act", {}).get("type") == Rewound.__struct_config__.tag for one in said)


# --- who sees what --------------------------------------------------------------------------------


@pytest.mark.parametrize("looking", ["nobody", "members"])
def test_a_match_that_is_not_to_be_watched_is_shown_on_no_page_and_in_no_list(
    site: Site, looking: str
):
    ann, bob = table(site, looking=looking, title="a secret evening")
    stranger = site.nobody() if looking == "members" else site.person("Cid").browser()
    for page in PAGES:
        answer = stranger.get(page.format(ann.match))
        assert answer.status_code == 403
        assert "secret evening" not in answer.text
        assert bob.who.browser().get(page.format(ann.match)).status_code == 200
    for path in LISTS:
        assert "secret evening" not in stranger.get(path).text
        assert "secret evening" in bob.who.browser().get(path).text


def test_pages_and_lists_are_behind_as_everything_else_is(timed: Site):
    ann, bob = table(timed, delay=600)
    ann.decide_first()
    bob.decide_first()
    ann.post("/pause", {"reason": "a word with the players"})
    nobody = timed.nobody()

    def known() -> tuple[int, int, str]:
        page = nobody.get(f"/matches/{ann.match}/replay.json").json
        [line] = nobody.get("/api/v1/matches").json["matches"]
        assert (
            f"Event {page['last']} of {page['last']}"
            in nobody.get(f"/matches/{ann.match}/replay").text
        )
        return page["last"], line["version"], line["state"]

    assert known() == (4, 4, "running")
    assert nobody.get(f"/matches/{ann.match}/replay?at=5").status_code == 404
    before = len(nobody.get(f"/matches/{ann.match}.hgm").data)
    [own] = ann.who.asks("GET", "/matches").json["matches"]
    assert (own["version"], own["state"]) == (7, "paused")
    timed.clock.now += 600_000
    assert known() == (7, 7, "paused")
    assert len(nobody.get(f"/matches/{ann.match}.hgm").data) > before


def test_the_close_opens_decisions_and_not_what_was_said_in_private(timed: Site):
    ann, bob = table(timed)
    ann.post("/talk", {"text": "psst", "to": [1]})
    ann.post("/abandon", {"reason": "it is late"})
    cid = Player(timed.person("Cid"), ann.match, 0)
    assert cid.get("/view?as=0").status_code == 200
    for asked in (
        cid.get("/talk?as=0"),
        timed.nobody().get(f"/api/v1/matches/{ann.match}/talk?as=1"),
    ):
        assert asked.json["lines"] == []
    assert cid.get("/digest?as=0&since=1").json["said"] == 0
    assert [one["text"] for one in bob.get("/talk").json["lines"]] == ["psst"]


def test_who_sees_a_match_later_learns_of_no_request_and_of_no_change_of_seats(timed: Site):
    ann, bob = table(timed, delay=600)
    ann.decide_first()
    bob.decide_first()
    timed.clock.now += 601_000  # all events are known now, and what is asked next is not
    assert ann.post("/undo", {"seat": 0, "to": 4, "reason": "slip"}).json["state"] == "open"
    cid = Player(timed.person("Cid"), ann.match, 0)
    assert cid.get("/undo").json["undos"] == []
    assert len(ann.get("/undo").json["undos"]) == 1
    ann.put("/seats/1/holder", {"bot": "greedy", "reason": "gone"})
    assert cid.get().json["knew"] == []
    assert [one["seat"] for one in ann.get().json["knew"]] == [1]


@pytest.fixture
def live(timed: Site) -> Iterator[Site]:
    yield timed
    stop_all()


def test_a_stream_announces_what_is_said_to_those_alone_who_may_hear_it(live: Site):
    ann, bob = table(live)
    path = f"/live/matches/{ann.match}?since=3"
    spectator, heard = Watching(live, path), Watching(live, path, **bob.headers)
    for one in (spectator, heard):
        assert one.versions(1) == [4]
    ann.post("/talk", {"text": "psst", "to": [1]})
    ann.post("/talk", {"text": "hello"})
    assert spectator.next() == ("talk", {"number": 1})
    assert heard.next()[0] == "talk"


def test_a_delayed_stream_announces_nothing_that_is_newer(live: Site):
    ann, _ = table(live, delay=600)
    late = Watching(live, f"/live/matches/{ann.match}?since=3")
    assert late.versions(1) == [4]
    ann.post("/talk", {"text": "hello"})
    ann.post("/seats/0/delegates", {"person": live.person("Cid").id})
    ann.decide_first()
    live.clock.now += 600_000
    assert [late.next()[0], late.next()[0]] == ["event", "talk"]


def test_what_is_kept_for_viewers_has_an_end_and_all_get_everything(
    live: Site, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stream, "SENT_BYTES", 4_000)
    ann, _ = table(live)
    for _ in range(2):
        assert Watching(live, f"/live/matches/{ann.match}").versions(4) == [1, 2, 3, 4]
    with live.app.extensions["match_cache"]().opened(ann.match) as opened:
        kept = sum(map(len, opened.sent.values()))
        assert 0 < kept == opened.sent_bytes <= 4_000


def test_who_was_a_delegate_has_seen_that_seat_and_takes_no_other(timed: Site):
    ann, bob = table(timed)
    cid = Player(timed.person("Cid"), ann.match, 1)
    assert bob.post("/seats/1/delegates", {"person": cid.who.id}).status_code == 200
    assert cid.get("/view?as=1").status_code == 200
    gone = cid.who.asks("DELETE", f"/matches/{ann.match}/seats/1/delegates/{cid.who.id}")
    assert gone.status_code == 204
    given = ann.put("/seats/0/holder", {"person": cid.who.id, "reason": "helping"})
    assert is_problem(given, 409, "knew_another_seat")


def test_who_may_not_look_writes_nothing_beside_the_match(site: Site):
    ann, bob = table(site, looking="nobody")
    cid = site.person("Cid")
    answer = cid.asks("PUT", f"/matches/{ann.match}/blocks/{bob.who.id}")
    assert is_problem(answer, 403, "not_to_be_watched")


# --- what is done twice, or half ------------------------------------------------------------------


def test_two_processes_that_carry_out_one_request_go_back_once(
    a_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
):
    here, there = with_its_clock(a_site()), with_its_clock(a_site())
    ann, bob = table(here)
    ann.decide_first()
    bob.decide_first()
    number = ann.post("/undo", {"seat": 0, "to": 4, "reason": "slip"}).json["number"]
    with monkeypatch.context() as ended:
        ended.setattr("services.web.seats.api.settle_undo", lambda _: False)
        bob.put(f"/undo/{number}", {"seat": 1, "agrees": True})
    with there.app.extensions["match_cache"]().opened(ann.match) as late:
        assert late.table.requests  # it has looked, and goes on in a moment
        with here.app.extensions["match_cache"]().opened(ann.match) as first:
            assert settle_undo(first)
        assert ann.decide_first().status_code == 201
        settle_undo(late)
    assert rewinds(ann) == 1
    assert ann.get().json["asked"] == [1]


def crowded(monkeypatch: pytest.MonkeyPatch, between: Callable[[], Any], at: str) -> None:
    """Let somebody write just before an act is written, once."""
    written, left = Writer.write, [between]

    def act(self: Writer, what: Any, by: Any) -> None:
        if type(what).__name__ == at and left:
            left.pop()()
        written(self, what, by)

    monkeypatch.setattr(Writer, "write", act)


def test_two_who_sit_down_at_once_in_two_processes_both_sit(
    a_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
):
    here, there = a_site(), a_site()
    ann = here.founder()
    bob = here.person("Bob")
    match = made(ann)
    seated = []

    def bob_comes() -> None:
        seated.append(
            Visitor(there, bob.id, bob.session).asks("PUT", f"/matches/{match}/seats/1", {})
        )

    crowded(monkeypatch, bob_comes, "Joined")
    assert ann.asks("PUT", f"/matches/{match}/seats/0", {}).status_code == 200
    assert seated[0].status_code == 200
    assert ann.asks("POST", f"/matches/{match}/start").status_code == 200


def test_one_who_sits_down_twice_at_once_leaves_no_seat_to_nobody(
    a_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
):
    """The log may take somebody in whom the table refuses then; that seat is free for a bot."""
    here, there = a_site(), a_site()
    ann = here.founder()
    match = made(ann)

    def again() -> None:
        Visitor(there, ann.id, ann.session).asks("PUT", f"/matches/{match}/seats/1", {})

    crowded(monkeypatch, again, "Joined")
    answer = ann.asks("PUT", f"/matches/{match}/seats/0", {})
    assert is_problem(answer, 409, "seated_already")
    assert is_problem(ann.asks("POST", f"/matches/{match}/start"), 409, "seats_free")
    for _ in range(2):
        assert (
            ann.asks("PUT", f"/matches/{match}/seats/0/bot", {"bot": "greedy"}).status_code == 200
        )
    assert ann.asks("POST", f"/matches/{match}/start").status_code == 200


def test_a_pause_that_meets_a_decision_is_no_fault(
    a_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
):
    here, there = a_site(), a_site()
    ann, _ = table(here)
    ann.who.site = there
    crowded(monkeypatch, ann.decide_first, "Paused")
    answer = here.app.test_client().post(
        f"/api/v1/matches/{ann.match}/pause", json={"reason": "tea"}, headers=ann.headers
    )
    assert (answer.status_code, answer.json["version"]) == (200, 6)


def test_who_leaves_before_the_start_may_take_another_seat(site: Site):
    ann = site.founder()
    player = Player(ann, made(ann), 0)
    assert player.put("/seats/0", {}).status_code == 200
    assert player.post("/seats/0/resign", {"reason": "the wrong side"}).status_code == 200
    assert player.put("/seats/1", {}).json["yours"] == [1]


# --- what comes in --------------------------------------------------------------------------------

ODD = ["red \x1b[31m", "nul\x00", "back\u202ewards", "two\nlines", " outer "]


@pytest.mark.parametrize("text", ODD)
def test_no_name_or_title_changes_how_the_rest_of_a_page_or_a_terminal_is_read(
    site: Site, text: str
):
    ann = site.founder()
    terms = {"ruleset": "tictactoe", "seats": 2, "rounds": 1, "title": text}
    for path in ("/matches", "/tournaments"):
        said = {name: terms[name] for name in terms if path != "/matches" or name != "rounds"}
        assert is_problem(ann.asks("POST", path, said), 422, "invalid")
    answer = ann.asks("PUT", f"/matches/{made(ann)}/seats/0", {"name": text})
    assert is_problem(answer, 422, "invalid")
