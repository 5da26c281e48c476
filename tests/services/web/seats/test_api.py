"""The life of a table over HTTP: going back, seats that change hands, what was missed."""

from __future__ import annotations

import pytest

from ledger.log.format.acts import Rewound, SeatGiven
from services.matches.cache import MatchCache
from services.matches.undo import settle_undo
from tests.support.web.seated import Player, made, table
from tests.support.web.visitors import Site, is_problem

HOUR = 3_600_000
SLIP = {"seat": 0, "reason": "a slip"}


@pytest.fixture
def timed(site: Site) -> Site:
    """A site whose tables go by the test's clock, too."""
    tables = MatchCache(site.club.store, site.clock)
    site.app.extensions["match_cache"] = lambda: tables
    return site


def acts(player: Player, kind: type) -> list[object]:
    with player.who.site.app.extensions["match_cache"]().opened(player.match) as opened:
        history = opened.history
        found = [history.act(version) for version in range(1, history.tip.version + 1)]
    return [act for act in found if isinstance(act, kind)]


def moved(site: Site, moves: int = 2, **said: object) -> list[Player]:
    """A match in which some marks have been made."""
    players = table(site, **said)
    for _ in range(moves):
        mover = players[players[0].get().json["asked"][0]]
        assert mover.decide_first().status_code == 201
    return players


# --- going back -----------------------------------------------------------------------------------


def test_one_s_own_last_decision_is_taken_back_at_once(timed: Site):
    ann, _ = moved(timed, 1)
    done = ann.post("/undo", SLIP | {"to": 4})
    assert done.status_code == 201
    assert (done.json["state"], done.json["number"], done.json["version"]) == ("done", None, 6)
    assert ann.get().json["asked"] == [0]
    assert acts(ann, Rewound) == [Rewound(to=4, reason="a slip")]


def test_what_others_have_a_part_in_is_undone_when_all_agree(timed: Site):
    ann, bob = moved(timed)
    asked = ann.post("/undo", SLIP | {"to": 4}).json
    assert (asked["state"], asked["agreed"], asked["version"]) == ("open", [0], 6)
    assert bob.get("/digest").json["undos"] == 1
    answer = bob.put(f"/undo/{asked['number']}", {"seat": 1, "agrees": True})
    assert (answer.json["state"], answer.json["agreed"]) == ("done", [0, 1])
    assert acts(ann, Rewound) == [Rewound(to=4, reason="a slip", consents=(0, 1))]
    assert ann.get().json["asked"] == [0]
    assert [one["state"] for one in ann.get("/undo").json["undos"]] == ["done"]


def test_one_who_declines_is_enough_for_it_not_to_be(timed: Site):
    ann, bob = moved(timed)
    number = ann.post("/undo", SLIP | {"to": 4}).json["number"]
    assert is_problem(ann.post("/undo", SLIP | {"to": 5}), 409, "undo_open")
    answer = bob.put(f"/undo/{number}", {"seat": 1, "agrees": False})
    assert answer.json["state"] == "declined"
    again = bob.put(f"/undo/{number}", {"seat": 1, "agrees": True})
    assert is_problem(again, 409, "undo_over")
    assert acts(ann, Rewound) == []
    assert ann.post("/undo", SLIP | {"to": 5}).json["state"] == "open"


def test_who_asked_may_think_better_of_it_and_time_runs_out(timed: Site):
    ann, bob = moved(timed)
    number = ann.post("/undo", SLIP | {"to": 4}).json["number"]
    path = f"/api/v1/matches/{ann.match}/undo/{number}"
    program = timed.program()
    assert is_problem(program.delete(path, headers=bob.headers), 403, "not_your_seat")
    assert program.delete(path, headers=ann.headers).status_code == 204
    late = ann.post("/undo", SLIP | {"to": 4, "seconds": 60}).json["number"]
    timed.clock.now += 60_000
    answer = bob.put(f"/undo/{late}", {"seat": 1, "agrees": True})
    assert is_problem(answer, 409, "undo_over")
    states = [one["state"] for one in ann.get("/undo").json["undos"]]
    assert states == ["withdrawn", "expired"]
    assert is_problem(bob.put("/undo/99", {"seat": 1, "agrees": True}), 404, "no_such_undo")


def test_requests_come_in_parts_and_are_counted_by_themselves(timed: Site):
    ann, bob = moved(timed)
    client = timed.program()
    for _ in range(3):
        number = ann.post("/undo", SLIP | {"to": 4}).json["number"]
        blocks = f"/api/v1/matches/{ann.match}/blocks/{bob.who.id}"
        assert client.put(blocks, headers=ann.headers).status_code == 204  # tells nobody
        assert client.delete(blocks, headers=ann.headers).status_code == 204
        bob.put(f"/undo/{number}", {"seat": 1, "agrees": False})

    def part(query: str) -> tuple[list[int], bool]:
        found = bob.get(f"/undo{query}").json
        return [one["number"] for one in found["undos"]], found["more"]

    assert part("") == ([1, 2, 3], False)
    assert part("?limit=2") == ([1, 2], True)
    assert part("?after=2&limit=2") == ([3], False)
    assert part("?after=3") == ([], False)
    assert is_problem(bob.get("/undo?limit=201"), 422, "invalid")
    assert is_problem(bob.put("/undo/0", {"seat": 1, "agrees": True}), 404, "no_such_undo")


def test_nobody_asks_or_answers_for_another_seat(timed: Site):
    ann, bob = moved(timed)
    assert is_problem(bob.post("/undo", SLIP | {"to": 4}), 403, "not_your_seat")
    number = ann.post("/undo", SLIP | {"to": 4}).json["number"]
    for who in (ann, Player(timed.person("Cid"), ann.match, 1)):
        answer = who.put(f"/undo/{number}", {"seat": 1, "agrees": True})
        assert is_problem(answer, 403, "not_your_seat")


def test_bots_need_not_agree(timed: Site):
    ann, _ = moved(timed)
    ann.put("/seats/1/holder", {"bot": "greedy", "reason": "gone"})
    assert ann.post("/undo", SLIP | {"to": 4}).json["state"] == "done"


def test_what_all_agreed_to_before_a_process_ended_is_done_once(
    timed: Site, monkeypatch: pytest.MonkeyPatch
):
    ann, bob = moved(timed)
    number = ann.post("/undo", SLIP | {"to": 4}).json["number"]
    with monkeypatch.context() as ended:
        ended.setattr("services.web.seats.api.settle_undo", lambda _: False)
        answer = bob.put(f"/undo/{number}", {"seat": 1, "agrees": True})
    assert answer.json["state"] == "agreed"
    with timed.app.extensions["match_cache"]().opened(ann.match) as opened:
        assert settle_undo(opened)
        assert not settle_undo(opened)
    assert len(acts(ann, Rewound)) == 1


def test_who_sees_the_match_later_is_told_of_no_request(timed: Site):
    ann, _ = moved(timed, delay=3_600)
    ann.post("/undo", SLIP | {"to": 4})
    assert len(ann.get("/undo").json["undos"]) == 1
    url = f"/api/v1/matches/{ann.match}/undo"
    assert timed.nobody().get(url).json["undos"] == []


def test_nobody_goes_back_to_before_the_start(timed: Site):
    ann, _ = moved(timed)
    assert is_problem(ann.post("/undo", SLIP | {"to": 3}), 404, "no_such_event")
    assert is_problem(ann.post("/undo", SLIP | {"to": 6}), 404, "no_such_event")


# --- seats ----------------------------------------------------------------------------------------


def test_a_seat_is_given_to_another_who_sees_all_and_who_had_it_sees_nothing_new(timed: Site):
    ann, bob = table(timed, options={"opening": "sealed"})
    eve = Player(timed.person("Eve"), ann.match, 1)
    bob.decide({"type": "opening.write", "cell": 8}, at=4)
    said = {"person": eve.who.id, "reason": "Bob is ill"}
    assert is_problem(bob.put("/seats/1/holder", said), 403, "not_entitled")
    seen = ann.put("/seats/1/holder", said).json
    assert (seen["seats"][1]["name"], seen["seats"][1]["person"]) == ("Eve", eve.who.id)
    assert seen["knew"] == [{"seat": 1, "person": bob.who.id, "version": 6}]
    assert acts(ann, SeatGiven) == [SeatGiven(seat=1, to="player", name="Eve", reason="Bob is ill")]
    assert len(eve.get("/events?since=4&as=1").json["events"][0]["openings"]) == 1
    for path in ("/view?as=1", "/events?as=1", "/options?as=1"):
        assert is_problem(bob.get(path), 403, "not_your_seat")
    assert bob.get("/events").json["as"] == "spectator"


def test_who_knew_a_seat_takes_no_other_and_may_be_given_back_their_own(timed: Site):
    ann, bob = table(timed)
    ann.put("/seats/0/holder", {"bot": "greedy", "reason": "away"})
    ann.put("/seats/1/holder", {"bot": "greedy", "reason": "away"})
    said = {"person": bob.who.id, "reason": "back"}
    assert is_problem(ann.put("/seats/0/holder", said), 409, "knew_another_seat")
    assert ann.put("/seats/1/holder", said).json["seats"][1]["person"] == bob.who.id
    assert is_problem(ann.put("/seats/0/holder", said), 409, "seated_already")


@pytest.mark.parametrize(
    "said",
    [{"reason": "x"}, {"bot": "greedy"}, {"bot": "deep", "reason": "x"},
     {"bot": "greedy", "person": "x", "reason": "x"}],
)  # fmt: skip
def test_a_seat_is_given_to_one_who_is_named_and_for_a_reason(timed: Site, said: dict[str, str]):
    ann, _ = table(timed)
    assert is_problem(ann.put("/seats/1/holder", said), 422, "invalid")


def test_who_resigns_leaves_a_bot_and_is_out(timed: Site):
    ann, bob = table(timed)
    why = {"reason": "lost anyway"}
    assert is_problem(ann.post("/seats/1/resign", why), 403, "not_your_seat")
    seen = bob.post("/seats/1/resign", why).json
    assert (seen["seats"][1]["who"], seen["yours"]) == ("bot", [])
    [given] = acts(ann, SeatGiven)
    assert given == SeatGiven(seat=1, to="bot", name="greedy", reason="lost anyway")
    assert is_problem(bob.post("/seats/1/resign", why), 403, "not_your_seat")


def test_who_sees_the_match_later_sees_later_who_sits_there(timed: Site):
    ann, bob = moved(timed, delay=60)
    cid = timed.person("Cid")
    url = f"/api/v1/matches/{ann.match}"

    def seats(headers: dict[str, str]) -> list[tuple[str, str]]:
        found = timed.program().get(url, headers=headers).json["seats"]
        return [(one["name"], one["who"]) for one in found]

    timed.clock.now += 60_000
    at_first = [("Ann", "person"), ("Player 1", "person")]
    watching = [cid.token("read"), {}]
    assert [seats(one) for one in watching] == [at_first] * 2
    assert bob.post("/seats/1/resign", {"reason": "tired"}).status_code == 200
    assert [seats(one) for one in watching] == [at_first] * 2
    assert seats(ann.headers)[1][1] == "bot"  # at the table it is seen at once
    timed.clock.now += 59_999
    assert [seats(one) for one in watching] == [at_first] * 2
    timed.clock.now += 1
    assert [seats(one)[1][1] for one in watching] == ["bot"] * 2


def test_who_leaves_before_the_start_leaves_a_seat_that_somebody_else_takes(timed: Site):
    ann, bob, eve = timed.founder(), timed.person("Bob"), timed.person("Eve")
    match = made(ann)
    host, left, comes = Player(ann, match, 0), Player(bob, match, 1), Player(eve, match, 1)
    host.put("/seats/0", {})
    left.put("/seats/1", {})
    assert left.post("/seats/1/resign", {"reason": "no time"}).json["seats"][1]["who"] == "nobody"
    assert is_problem(host.post("/start"), 409, "seats_free")
    assert comes.put("/seats/1", {}).json["seats"][1]["name"] == "Eve"
    assert host.post("/start").json["state"] == "running"
    assert is_problem(left.get("/options?as=1"), 403, "not_your_seat")


def test_a_bot_may_take_the_seat_that_was_left(timed: Site):
    ann, bob = timed.founder(), timed.person("Bob")
    match = made(ann)
    host = Player(ann, match, 0)
    host.put("/seats/0", {})
    Player(bob, match, 1).put("/seats/1", {})
    Player(bob, match, 1).post("/seats/1/resign", {"reason": "no time"})
    assert host.put("/seats/1/bot", {"bot": "greedy"}).json["seats"][1]["who"] == "bot"
    assert host.post("/start").json["state"] == "running"


# --- invitations ----------------------------------------------------------------------------------


def invited(host: Player, seat: int) -> str:
    """The address that seats whoever opens it."""
    link = host.post(f"/seats/{seat}/invitations").json["link"]
    return "/welcome/" + str(link).rpartition("/")[2]


def test_who_opens_an_invitation_sits_there(timed: Site):
    ann = timed.founder()
    host = Player(ann, made(ann), 0)
    browser = timed.nobody()
    answer = browser.post(invited(host, 1), data={"name": "Gil"})
    assert (answer.status_code, host.match in answer.headers["Location"]) == (303, True)
    seen = browser.get(f"/api/v1/matches/{host.match}").json
    assert (seen["yours"], seen["seats"][1]["name"]) == ([1], "Gil")


def test_an_invitation_takes_a_seat_over_from_a_bot_in_the_middle_of_a_match(timed: Site):
    ann, _ = moved(timed)
    ann.put("/seats/1/holder", {"bot": "greedy", "reason": "gone"})
    browser = timed.nobody()
    assert browser.post(invited(ann, 1), data={"name": "Gil"}).status_code == 303
    seen = browser.get(f"/api/v1/matches/{ann.match}").json
    assert (seen["yours"], seen["seats"][1]["who"]) == ([1], "person")


def test_an_invitation_to_a_seat_that_is_taken_is_refused_and_not_used_up(timed: Site):
    ann, bob = table(timed)
    address = invited(ann, 1)
    assert timed.nobody().post(address, data={"name": "Gil"}).status_code == 409
    assert len(timed.club.people().people) == 2
    ann.put("/seats/1/holder", {"bot": "greedy", "reason": "gone"})
    assert timed.nobody().post(address, data={"name": "Gil"}).status_code == 303
    assert bob.get().json["yours"] == []


def test_a_program_is_seated_by_an_invitation_too(timed: Site):
    ann = timed.founder()
    host = Player(ann, made(ann), 0)
    said = {"link": invited(host, 1), "name": "Gil", "label": "bot", "scopes": ["read", "play"]}
    answer = timed.program().post("/api/v1/me", json=said)
    assert answer.status_code == 201, answer.text
    headers = {"Authorization": f"Bearer {answer.json['token']}"}
    seen = timed.program().get(f"/api/v1/matches/{host.match}", headers=headers).json
    assert seen["yours"] == [1]


# --- what was missed ------------------------------------------------------------------------------


def test_a_digest_tells_what_happened_since_one_s_own_last_decision(timed: Site):
    ann, bob = moved(timed)
    ann.post("/talk", {"text": "well done"})
    found = ann.get("/digest").json
    assert (found["as"], found["since"], found["last"], found["asked"]) == ("0", 5, 6, True)
    assert [event["version"] for event in found["events"]] == [6]
    assert found["events"][0]["sentences"]
    assert found["events"][0]["by"] == "seat"
    assert found["said"] == 1
    assert bob.get("/digest").json["events"] == []
    assert len(bob.get("/digest?since=0").json["events"]) == 6
    assert timed.nobody().get(f"/api/v1/matches/{ann.match}/digest").json["as"] == "spectator"


def test_a_digest_tells_nobody_what_is_sealed(timed: Site):
    ann, bob = table(timed, options={"opening": "sealed"})
    ann.decide({"type": "opening.write", "cell": 7}, at=4)
    mine, theirs = ann.get("/digest?since=4"), bob.get("/digest?since=4")
    assert mine.json["events"] != theirs.json["events"]
    assert "8" not in str(theirs.json["events"][0]["sentences"])
