"""Looking and deciding over HTTP: preconditions, retries, views, the log."""

from __future__ import annotations

import base64
import hashlib
import json
import threading

import pytest

from ledger.log.format.chain import EMPTY, Opening, Tip, commit, head_after
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem

MARK = {"type": "play.mark", "cell": 4}


def test_a_decision_needs_a_version_and_a_key_of_its_own(site: Site):
    ann, _ = table(site)
    said = {"seat": 0, "decision": MARK}
    assert is_problem(ann.post("/decisions", said), 400, "no_idempotency_key")
    keyed = {"Idempotency-Key": "k"}
    assert is_problem(ann.post("/decisions", said, **keyed), 428, "no_precondition")
    bad = keyed | {"If-Match": '"x"'}
    assert is_problem(ann.post("/decisions", said, **bad), 400, "bad_precondition")
    long = {"Idempotency-Key": "k" * 101, "If-Match": '"4"'}
    assert is_problem(ann.post("/decisions", said, **long), 400, "bad_idempotency_key")
    assert ann.get().json["version"] == 4
    assert ann.decide(MARK).status_code == 201


def test_the_same_sent_again_gives_the_first_answer(site: Site):
    ann, _ = table(site)
    first = ann.decide(MARK, at=4, key="once")
    again = ann.decide(MARK, at=4, key="once")
    assert first.json == again.json
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    other = ann.decide({"type": "play.mark", "cell": 0}, at=4, key="once")
    assert is_problem(other, 422, "command_changed")
    assert ann.get().json["version"] == first.json["version"]


def test_one_key_is_two_commands_for_two_people(site: Site):
    ann, bob = table(site, options={"opening": "sealed"})
    sealed = {"type": "opening.write", "cell": 0}
    assert ann.decide(sealed, at=4, key="same").json["first"] == 5
    assert bob.decide(sealed, at=5, key="same").json["first"] == 6


def test_what_was_sent_twice_at_once_is_decided_once(a_site):
    site, other = a_site(), a_site()
    ann, _ = table(site)
    twin = Player(ann.who, ann.match, 0)
    twin.who.site = other
    answers: list[int] = []

    def send(player: Player) -> None:
        answers.append(player.decide(MARK, at=4, key="once").status_code)

    threads = [threading.Thread(target=send, args=(one,)) for one in (ann, twin) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [201] * 8
    assert ann.get("/events").json["last"] == 5


def test_a_decision_made_stale_is_refused_with_what_has_come_since(site: Site):
    ann, bob = table(site)
    mover = ann if ann.get().json["asked"] == [0] else bob
    waiting = bob if mover is ann else ann
    assert mover.decide(MARK, at=4).status_code == 201
    late = waiting.decide({"type": "play.mark", "cell": 0}, at=4)
    assert is_problem(late, 412, "stale")
    assert [event["version"] for event in late.json["events"]] == [5]
    assert late.json["version"] == 5
    assert waiting.decide({"type": "play.mark", "cell": 0}, at=5).status_code == 201


def test_another_seat_s_sealed_answer_makes_nothing_stale(site: Site):
    ann, bob = table(site, options={"opening": "sealed"})
    for player, cell in ((ann, 0), (bob, 8)):
        written = {"type": "opening.write", "cell": cell}
        assert player.decide(written, at=4, question="opening").status_code == 201


def test_a_refusal_of_the_rules_names_the_rule_and_changes_nothing(site: Site):
    ann, bob = table(site)
    assert ann.decide(MARK, at=4).status_code == 201
    before = bob.get("/view").json
    refused = bob.decide(MARK)
    assert is_problem(refused, 422, refused.json["code"])
    assert refused.json["rule"]
    assert bob.get("/view").json == before


@pytest.mark.parametrize(
    ("decision", "code"),
    [
        ({}, "unknown_decision"),
        ({"type": "play.fly"}, "unknown_decision"),
        ({"type": 7}, "unknown_decision"),
        ({"type": "play.mark"}, "malformed_decision"),
        ({"type": "play.mark", "cell": "4"}, "malformed_decision"),
        ({"type": "play.mark", "cell": 4, "colour": 1}, "malformed_decision"),
        ({"type": "play.mark", "cell": 10**30}, "malformed_decision"),
    ],
)
def test_what_is_no_decision_is_refused(site: Site, decision: dict[str, object], code: str):
    ann, _ = table(site)
    assert is_problem(ann.decide(decision, at=4), 422, code)


def test_nobody_decides_for_another_seat(site: Site):
    ann, bob = table(site)
    assert is_problem(bob.decide(MARK, seat=0), 403, "not_your_seat")
    cid = Player(site.person("Cid"), ann.match, 0)
    assert is_problem(cid.decide(MARK), 403, "not_your_seat")
    assert ann.get().json["version"] == 4


def test_an_answer_to_a_question_that_is_gone_is_refused(site: Site):
    ann, _ = table(site)
    assert is_problem(ann.decide(MARK, question="r9"), 409, "question_gone")


def test_every_option_is_allowed_and_a_target_of_the_scene(site: Site):
    ann, _ = table(site)
    options = ann.options()
    scene = ann.get("/scene").json["scene"]
    assert [target["decision"] for target in scene["targets"]] == options["asked"]["options"]
    assert options["asked"]["takes"] == ["play.mark"]
    assert ann.decide_first().status_code == 201


def test_views_have_names_of_their_own_and_are_not_sent_twice(site: Site):
    ann, bob = table(site)
    first = ann.get("/view")
    assert ann.get("/view", **{"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert bob.get("/view").headers["ETag"] != first.headers["ETag"]
    assert first.headers["Vary"] == "Authorization, Cookie"
    ann.decide(MARK, at=4)
    assert ann.get("/view", **{"If-None-Match": first.headers["ETag"]}).status_code == 200
    assert ann.get("/view?at=4").json["view"] == first.json["view"]
    assert is_problem(ann.get("/view?at=6"), 404, "no_such_event")


def test_a_sealed_decision_is_seen_by_its_seat_alone(site: Site):
    ann, bob = table(site, options={"opening": "sealed"})
    ann.decide({"type": "opening.write", "cell": 7}, at=4)
    mine, theirs = (one.get("/events?since=4").json["events"][0] for one in (ann, bob))
    watched = site.nobody().get(f"/api/v1/matches/{ann.match}/events?since=4").json["events"][0]
    assert len(mine.pop("openings")) == 1
    assert theirs.pop("openings") == watched.pop("openings") == []
    assert mine == theirs == watched
    assert "7" not in str(bob.get("/facts?since=4").json["events"][0]["facts"])
    assert "7" in str(ann.get("/facts?since=4").json["events"][0]["facts"])


def test_every_viewer_s_log_verifies_to_the_same_head(site: Site):
    ann, bob = table(site, options={"opening": "sealed"})
    ann.decide({"type": "opening.write", "cell": 0}, at=4)
    bob.decide({"type": "opening.write", "cell": 8})
    heads = set()
    for word in ("0", "1", "spectator"):
        asker = bob if word == "1" else ann
        text = asker.get(f"/events?as={word}", Accept="application/x-ndjson").text
        heads.add(verified(ann.match, [json.loads(line) for line in text.splitlines()]))
    assert heads == {ann.get().json["head"]}


def test_lines_say_where_the_rest_of_them_is(site: Site):
    ann, _ = table(site)
    heads, address = [], "/events?as=spectator&limit=3"
    while address:
        answer = ann.get(address, Accept="application/x-ndjson")
        heads += [json.loads(line)["head"] for line in answer.text.splitlines()]
        where, _, way = answer.headers.get("Link", "").partition("; ")
        assert way == ('rel="next"' if where else "")
        address = where.strip("<>").partition(ann.match)[2]
    assert len(heads) == 4
    assert heads[-1] == ann.get().json["head"]


def verified(match: str, events: list[dict[str, object]]) -> str:
    """The head that these events come to; every opening opens its commitment."""
    tip = EMPTY
    for number, event in enumerate(events, 1):
        body = base64.b64decode(str(event["body"]))
        head = head_after(match, tip, body)
        assert event["version"] == number
        assert head.hex() == event["head"]
        tip = Tip(number, head)
        for said in event["openings"]:  # type: ignore[attr-defined]
            plain, salt = base64.b64decode(said["plain"]), bytes.fromhex(said["salt"])
            found = Opening(said["version"], said["path"], salt, plain).commitment(match)
            assert found == commit(match, said["version"], said["path"], salt, plain)
            assert found in base64.b64decode(str(events[said["version"] - 1]["body"]))
    assert hashlib.sha256(b"").digest() != tip.head
    return tip.head.hex()


def test_the_log_is_read_on_from_where_one_was(site: Site):
    ann, _ = table(site)
    whole = ann.get("/events").json["events"]
    parts = [ann.get(f"/events?since={n}&limit=1").json["events"] for n in range(4)]
    assert [part[0] for part in parts] == whole
    assert ann.get("/events?since=400").json["events"] == []


def test_spectators_are_behind_and_see_no_more_by_any_address(site: Site):
    ann, _ = table(site, delay=3_600)
    ann.decide(MARK, at=4)
    url = f"/api/v1/matches/{ann.match}"
    assert site.nobody().get(url).json["version"] == 4
    for path in ("/view", "/scene", "/events", "/facts"):
        assert '"cell":4' not in site.nobody().get(url + path).text.replace(" ", "")
        assert site.nobody().get(url + path).json["last"] == 4
    assert is_problem(site.nobody().get(f"{url}/view?at=5"), 404, "no_such_event")
    assert ann.get("/view?as=spectator").json["last"] == 4
    assert ann.get("/view").json["last"] == 5


@pytest.mark.parametrize(
    ("who", "status"), [("nobody", 403), ("member", 200), ("player", 200), ("host", 200)]
)
def test_a_match_for_members_is_not_for_everybody(site: Site, who: str, status: int):
    ann, bob = table(site, looking="members")
    client, headers = site.program(), {}
    if who != "nobody":
        visitors = {"member": site.person("Dan"), "player": bob.who, "host": ann.who}
        headers = visitors[who].token("read")
    url = f"/api/v1/matches/{ann.match}/view?as=spectator"
    assert client.get(url, headers=headers).status_code == status
