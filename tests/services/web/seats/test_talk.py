"""Talk at a table: who hears what, and what is done about who says too much."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.club.talk import Said, TalkIndex, say, talk
from ledger.log.format.bodies import Submitter
from ledger.log.stores.memory import MemoryStore
from services.matches.cache import MatchCache
from services.web.seats.talk import LINES_MAX
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem


@pytest.fixture
def timed(site: Site) -> Site:
    tables = MatchCache(site.club.store, site.clock)
    site.app.extensions["match_cache"] = lambda: tables
    return site


def heard(player: Player, query: str = "") -> list[str]:
    return [line["text"] for line in player.get(f"/talk{query}").json["lines"]]


def overheard(site: Site, match: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = site.nobody().get(f"/api/v1/matches/{match}/talk").json["lines"]
    return lines


def test_what_is_said_to_everybody_is_heard_by_everybody(timed: Site):
    ann, bob = table(timed)
    said = ann.post("/talk", {"text": " good luck \x07 "})
    assert said.status_code == 201
    assert said.json == {
        "number": 1, "version": 4, "at": timed.clock.now, "seat": 0, "name": "Ann",
        "to": None, "text": "good luck", "hidden": False,
    }  # fmt: skip
    assert heard(bob) == ["good luck"]
    assert overheard(timed, ann.match) == [said.json]


def test_private_lines_are_for_the_seats_that_they_name(timed: Site):
    ann, bob = table(timed)
    assert ann.post("/talk", {"text": "to you", "to": [1]}).json["to"] == [0, 1]
    assert ann.post("/talk", {"text": "to myself", "to": [0]}).json["to"] == [0]
    assert heard(ann) == ["to you", "to myself"]
    assert heard(bob) == ["to you"]
    assert heard(bob, "?as=spectator") == []
    assert overheard(timed, ann.match) == []
    assert bob.get("/talk").json["last"] == 1


def test_only_who_sits_there_and_the_host_speak(timed: Site):
    ann, bob = table(timed)
    cid = Player(timed.person("Cid"), ann.match, 0)
    assert is_problem(cid.post("/talk", {"text": "me too"}), 403, "not_your_seat")
    assert is_problem(bob.post("/talk", {"text": "x", "seat": 0}), 403, "not_your_seat")
    ann.put("/seats/0/holder", {"bot": "greedy", "reason": "hosting"})
    said = ann.post("/talk", {"text": "please go on"}).json
    assert (said["seat"], said["name"]) == (None, "Ann")
    assert is_problem(ann.post("/talk", {"text": "psst", "to": [1]}), 403, "not_your_seat")


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        ({"text": ""}, 422, "invalid"),
        ({"text": " \x00 "}, 422, "invalid"),
        ({"text": "x" * 1001}, 422, "invalid"),
        ({"text": "x", "to": []}, 422, "invalid"),
        ({"text": "x", "to": [7]}, 404, "no_such_seat"),
    ],
)
def test_what_cannot_be_said_is_refused(
    timed: Site, said: dict[str, object], status: int, code: str
):
    ann, _ = table(timed)
    assert is_problem(ann.post("/talk", said), status, code)
    assert heard(ann) == []


def test_nobody_says_too_much_within_a_minute(timed: Site):
    ann, bob = table(timed)
    for number in range(LINES_MAX):
        assert ann.post("/talk", {"text": str(number)}).status_code == 201
    answer = ann.post("/talk", {"text": "more"})
    assert is_problem(answer, 429, "too_much_talk")
    assert answer.headers["Retry-After"] == "60"
    assert bob.post("/talk", {"text": "at last"}).status_code == 201
    timed.clock.now += 61_000
    assert ann.post("/talk", {"text": "more"}).status_code == 201


def test_a_line_that_is_taken_down_is_shown_to_nobody_and_stays_in_the_chain(timed: Site):
    ann, bob = table(timed)
    bob.post("/talk", {"text": "rude"})
    url = f"/api/v1/matches/{ann.match}/talk/1"
    why = {"reason": "rude"}
    client = timed.program()
    assert is_problem(client.delete(url, json=why, headers=bob.headers), 403, "not_entitled")
    assert client.delete(url, json=why, headers=ann.headers).status_code == 204
    [line] = overheard(timed, ann.match)
    assert (line["text"], line["hidden"]) == ("", True)
    assert heard(bob) == [""]
    assert [one.said.text for one in talk(timed.club.store, ann.match)] == ["rude"]
    missing = client.delete(url.replace("talk/1", "talk/2"), json=why, headers=ann.headers)
    assert is_problem(missing, 404, "no_such_line")


def test_who_is_blocked_is_read_by_all_others(timed: Site):
    ann, bob = table(timed)
    bob.post("/talk", {"text": "hello"})
    url = f"/api/v1/matches/{ann.match}/blocks/{bob.who.id}"
    client = timed.program()
    assert client.put(url, headers=ann.headers).status_code == 204
    assert heard(ann) == []
    assert heard(bob) == ["hello"]
    assert len(overheard(timed, ann.match)) == 1
    assert client.delete(url, headers=ann.headers).status_code == 204
    assert heard(ann) == ["hello"]
    nobody = client.put(url.replace(bob.who.id, "nobody"), headers=ann.headers)
    assert is_problem(nobody, 404, "no_such_person")


def test_delayed_spectators_hear_it_as_late_as_they_see_the_match(timed: Site):
    ann, _ = table(timed, delay=60)
    ann.post("/talk", {"text": "I have the ace"})
    assert overheard(timed, ann.match) == []
    timed.clock.now += 59_999
    assert overheard(timed, ann.match) == []
    timed.clock.now += 1
    assert [line["text"] for line in overheard(timed, ann.match)] == ["I have the ace"]


def test_the_talk_is_read_on_from_where_one_was(timed: Site):
    ann, bob = table(timed)
    for text in ("one", "two", "three"):
        ann.post("/talk", {"text": text})
    assert heard(bob, "?since=1&limit=1") == ["two"]
    assert bob.get("/talk?since=3").json["last"] == 3


def numbers(player: Player, query: str = "") -> list[int]:
    return [line["number"] for line in player.get(f"/talk{query}").json["lines"]]


def test_who_does_not_hear_a_whisper_has_no_gap_where_it_was(timed: Site):
    ann, bob, cid = table(timed, "hegemonic", 3)
    assert ann.post("/talk", {"text": "hello"}).json["number"] == 1
    for text in ("psst", "attack cid", "now"):
        ann.post("/talk", {"text": text, "to": [1]})
    said = cid.post("/talk", {"text": "so quiet here"}).json
    assert said["number"] == 2
    assert (heard(cid), numbers(cid)) == (["hello", "so quiet here"], [1, 2])
    assert numbers(bob) == numbers(ann) == [1, 2, 3, 4, 5]
    assert numbers(bob, "?as=spectator") == [1, 2]
    assert cid.get("/talk").json["last"] == 2
    assert heard(cid, "?since=1") == ["so quiet here"]
    assert heard(bob, "?since=3&limit=1") == ["now"]
    assert [one["number"] for one in overheard(timed, ann.match)] == [1, 2]


def test_a_line_is_taken_down_under_the_number_that_the_same_eyes_see(timed: Site):
    ann, bob, cid = table(timed, "hegemonic", 3)
    bob.post("/talk", {"text": "to cid alone", "to": [2]})
    bob.post("/talk", {"text": "to ann alone", "to": [0]})
    bob.post("/talk", {"text": "rude"})
    url = f"/api/v1/matches/{ann.match}/talk"

    def takes_down(number: int, eyes: str = "") -> Any:
        client = timed.program()
        return client.delete(f"{url}/{number}{eyes}", json={"reason": "rude"}, headers=ann.headers)

    # Whether there is a third line is not to be found out by trying, either.
    for number, eyes in ((0, ""), (3, ""), (2, "?as=spectator")):
        assert is_problem(takes_down(number, eyes), 404, "no_such_line")
    assert takes_down(1, "?as=spectator").status_code == 204
    assert heard(cid) == ["to cid alone", ""]
    assert heard(bob) == ["to cid alone", "to ann alone", ""]
    assert takes_down(1).status_code == 204
    assert heard(bob) == ["to cid alone", "", ""]


def test_numbers_go_on_where_the_store_has_lost_lines(timed: Site):
    roll = TalkIndex(store := MemoryStore(), "m")
    by = Submitter(role="organizer", name="ann")

    def talks(into: MemoryStore, *texts: str) -> None:
        for text in texts:
            say(into, "m", Said(version=1, at=len(text), by=by, text=text))

    talks(store, "a", "bb")
    assert [one.at for one in roll.read()] == [1, 2]
    talks(store, "ccc")
    assert [one.at for one in roll.read()] == [1, 2, 3]
    for texts in (("a",), ("a", "bb", "c5555"), ("a", "x4444", "ccc", "d666666")):
        other = MemoryStore()
        talks(other, *texts)
        roll._store = other
        assert [one.at for one in roll.read()] == [len(text) for text in texts]
    assert all(one.text == "" for one in roll.read())
