"""From a decision to a receiver: what is told, to whom, once, and through kill -9."""

from __future__ import annotations

import base64
import hmac
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from ledger.log.format.acts import Disputed, Ruled
from ledger.log.format.bodies import Submitter
from ledger.log.stores.redis.connection import Connection
from ledger.log.write.journal import Journal
from services.courier.loop import LEASE_MS
from services.courier.reader import LOOK_BACK_MS
from services.matches.play import surroundings
from tests.services.courier.conftest import HASTE, Town, deliveries, hooked
from tests.support.services.processes import wait_until
from tests.support.services.receivers import answers, closed_port, receiving
from tests.support.starting import surroundings as as_here
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Visitor

ROOT = Path(__file__).resolve().parents[3]
ORGANIZER = Submitter(role="organizer", name="somebody")


def seated(town: Town) -> tuple[Player, Player]:
    first, second = table(town.site)
    return first, second


def journal(town: Town, match: str) -> Journal:
    return Journal(surroundings(town.store), match)


def test_whoever_is_asked_is_told_signed_with_ids_and_a_link_and_nothing_more(town: Town):
    first, second = seated(town)
    with receiving() as one:
        hook = hooked(second.who, one.url)
        assert first.decide_first().status_code == 201
        assert town.deliver(lambda: len(one.received) == 1)
        [found] = one.received
    said = found.said
    version = town.store.tip(first.match).version
    assert said == {
        "id": found.headers["webhook-id"],
        "kind": "turn",
        "match": first.match,
        "version": version,
        "at": said["at"],
        "link": f"http://localhost/matches/{first.match}",
        "seat": 1,
    }
    secret = base64.b64decode(hook["secret"].removeprefix("whsec_"))
    signed = f"{said['id']}.{found.headers['webhook-timestamp']}.".encode() + found.body
    ours = base64.b64encode(hmac.digest(secret, signed, "sha256")).decode()
    assert found.headers["webhook-signature"] == f"v1,{ours}"
    assert abs(int(found.headers["webhook-timestamp"]) - time.time()) < 10
    assert town.said == []


def test_each_turn_is_told_once_to_who_is_asked_and_to_nobody_else(town: Town):
    first, second = seated(town)
    with receiving() as ones, receiving() as twos:
        hooked(first.who, ones.url, "turn")
        hooked(second.who, twos.url, "turn")
        for player in (first, second, first, second):
            assert player.decide_first().status_code == 201
        done = lambda: len(ones.received) + len(twos.received) >= 4  # noqa: E731
        assert town.deliver(done)
        assert town.deliver(lambda: False, 0.5) is False  # a second courier finds nothing new
        assert [one.said["seat"] for one in ones.received] == [0, 0]
        assert [one.said["seat"] for one in twos.received] == [1, 1]
        assert len(set(ones.ids + twos.ids)) == 4


def test_disputes_rulings_and_results_are_told_to_all_at_the_table_and_to_the_host(town: Town):
    first, second = seated(town)
    host = first.who
    with receiving() as ones, receiving() as twos:
        hooked(host, ones.url, "dispute", "ruling", "result")
        hooked(second.who, twos.url, "dispute", "ruling")
        log = journal(town, first.match)
        log.record(Disputed(dispute="d1", first=1, last=2), ORGANIZER)
        log.record(Ruled(dispute="d1", finding="dismissed", reason="a secret word"), ORGANIZER)
        assert first.post("/abandon", {"reason": "x"}).status_code == 200
        assert town.deliver(lambda: len(ones.received) == 3 and len(twos.received) == 2)
    kinds = [(one.said["kind"], one.said.get("dispute")) for one in ones.received]
    assert sorted(kinds) == [("dispute", "d1"), ("result", None), ("ruling", "d1")]
    assert {one.said["seat"] for one in twos.received} == {1}
    assert all(b"secret word" not in one.body for one in (*ones.received, *twos.received))


def test_what_happened_before_the_webhook_was_made_is_no_news_for_it(town: Town):
    first, second = seated(town)
    assert first.decide_first().status_code == 201
    time.sleep(0.002)  # within a millisecond it could be either
    with receiving() as one:
        hooked(second.who, one.url)
        assert second.decide_first().status_code == 201
        assert first.decide_first().status_code == 201
        assert town.deliver(lambda: len(one.received) == 1)
        assert town.deliver(lambda: False, 0.4) is False
        assert len(one.received) == 1


def test_a_receiver_that_was_down_gets_it_all_when_it_is_back(town: Town):
    first, second = seated(town)
    with receiving(answers(503)) as one:
        hook = hooked(second.who, one.url, "turn")
        for player in (first, second, first):
            assert player.decide_first().status_code == 201
        assert town.deliver(lambda: len(one.received) >= 2)
        waiting = deliveries(second.who, hook["id"])
        assert [row["state"] for row in waiting] == ["waiting", "waiting"]
        assert {row["why"] for row in waiting} >= {"it answered 503"}
        one.received.clear()
        one.conduct = answers(204)
        states = lambda: Counter(row["state"] for row in deliveries(second.who, hook["id"]))  # noqa: E731
        assert town.deliver(lambda: states() == {"delivered": 2})
        assert len(set(one.ids)) == 2
        assert [row["status"] for row in deliveries(second.who, hook["id"])] == [204, 204]


def test_a_receiver_that_is_lost_is_stopped_and_its_owner_reads_why(town: Town):
    first, second = seated(town)
    hook = hooked(second.who, closed_port(), "turn")
    assert first.decide_first().status_code == 201

    def seen() -> dict[str, object]:
        found: dict[str, object] = second.who.asks("GET", f"/me/webhooks/{hook['id']}").json
        return found

    began = time.monotonic()
    assert town.deliver(lambda: seen()["stopped"] is True)
    assert time.monotonic() - began > HASTE.whole / 1_000
    assert seen()["why"] == "no delivery has arrived for a day"
    [row] = deliveries(second.who, hook["id"])
    assert (row["state"], row["status"]) == ("given up", 0)
    assert row["attempts"] > 3
    # Started again it hears what happens from then on.
    second.who.asks("PATCH", f"/me/webhooks/{hook['id']}", {"stopped": False})
    assert town.deliver(lambda: False, 0.4) is False
    assert not seen()["stopped"]


def test_who_answers_that_they_are_gone_is_not_asked_again(town: Town):
    first, second = seated(town)
    with receiving(answers(410)) as one:
        hook = hooked(second.who, one.url, "turn")
        assert first.decide_first().status_code == 201
        path = f"/me/webhooks/{hook['id']}"
        assert town.deliver(lambda: second.who.asks("GET", path).json["stopped"])
        assert second.who.asks("GET", path).json["why"].startswith("it answered 410")
        assert one.connections == 1


def test_after_a_lost_jobs_server_the_last_hour_is_told_again_under_the_same_ids(
    town: Town, connection: Connection
):
    first, second = seated(town)
    with receiving() as one:
        hooked(second.who, one.url, "turn")
        for player in (first, second, first):
            assert player.decide_first().status_code == 201
        assert town.deliver(lambda: len(one.received) == 2)
        before = one.ids
        keys = connection.call("KEYS", "{courier}:*")
        assert keys
        connection.call("DEL", *keys)
        one.received.clear()
        assert town.deliver(lambda: len(one.received) == 2)
        assert one.ids == before
        # An hour later it would be old news.
        connection.call("DEL", *connection.call("KEYS", "{courier}:*"))
        one.received.clear()
        later = lambda: int(time.time() * 1_000) + LOOK_BACK_MS + 5_000  # noqa: E731
        assert town.deliver(lambda: False, 0.6, clock=later) is False
        assert one.received == []


def courier(town: Town) -> subprocess.Popen[bytes]:
    """A courier as a process."""
    environment = as_here(
        HEGEMON_DATA=str(town.settings.data),
        HEGEMON_LEDGER_URL=str(town.settings.ledger_url),
        HEGEMON_WEBHOOK_NETWORKS="127.0.0.0/8",
    )
    command = [sys.executable, "-m", "services.courier"]
    return subprocess.Popen(command, cwd=ROOT, env=environment)


def test_killed_outright_in_the_middle_it_misses_nothing(town: Town):
    """The receiver has each id; one that was under way may have come twice."""
    first, second = seated(town)
    told: list[str] = []

    def keeps(line, over):  # type: ignore[no-untyped-def]
        time.sleep(0.05)
        answers(200)(line, over)

    with receiving(keeps) as one:
        hook = hooked(second.who, one.url)
        path = f"/me/webhooks/{hook['id']}"
        first_process = courier(town)
        try:
            for player in (first, second):
                assert player.decide_first().status_code == 201
            assert wait_until(lambda: len(one.received) >= 1, 15)
        finally:
            first_process.kill()
            first_process.wait()
        for player in (first, second, first):
            assert player.decide_first().status_code == 201
        assert second.who.asks("POST", f"{path}/ping").status_code == 202
        second_process = courier(town)
        try:
            done = lambda: len(set(one.ids)) == 4  # noqa: E731 - three turns and a ping
            assert wait_until(done, LEASE_MS / 1_000 + 15)
            told = one.ids
            second_process.send_signal(signal.SIGTERM)
            assert second_process.wait(5) == 0
        finally:
            second_process.kill()
            second_process.wait()
    assert Counter(
        one.said["kind"] for one in {json.dumps(r.said): r for r in one.received}.values()
    ) == {
        "turn": 3,
        "ping": 1,
    }
    assert len(told) <= 5


def test_a_second_courier_waits_for_the_first(town: Town):
    assert town.mailbox.claim("another", 60_000)
    first, second = seated(town)
    with receiving() as one:
        hooked(second.who, one.url)
        assert first.decide_first().status_code == 201
        assert town.deliver(lambda: bool(one.received), 0.6) is False
        town.mailbox.release("another")
        assert town.deliver(lambda: bool(one.received))


def test_a_match_that_cannot_be_followed_holds_up_no_other(town: Town, connection: Connection):
    first, second = seated(town)
    other = another_match(first.who, second.who)
    with receiving() as one:
        hooked(second.who, one.url, "turn")
        spoil(town, first.match)
        assert other.decide_first().status_code == 201
        assert town.deliver(lambda: len(one.received) == 1)
        assert one.received[0].said["match"] == other.match
    [said] = town.said
    assert said.startswith(f"cannot follow {first.match}: ")


def another_match(host: Visitor, guest: Visitor) -> Player:
    """One more match of the same two; who is asked first."""
    answer = host.asks("POST", "/matches", {"ruleset": "tictactoe", "seats": 2})
    players = [Player(who, answer.json["id"], seat) for seat, who in enumerate((host, guest))]
    for player in players:
        assert player.put(f"/seats/{player.seat}", {}).status_code == 200
    assert players[0].post("/start").status_code == 200
    return players[0]


def spoil(town: Town, match: str) -> None:
    from tests.support.services import settled

    settled.spoil(town.store, journal(town, match))
