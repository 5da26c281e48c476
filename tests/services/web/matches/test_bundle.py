"""Bundles over HTTP: who may have which, and that what they choose of it verifies."""

from __future__ import annotations

import io
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.log.format.chain import Event, Opening
from ledger.log.read.bundle import Header, Withheld, read_records
from replays.verify.verifier import verify
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem

WRITE = {"type": "opening.write", "cell": 4}
SEALED = {"opening": "sealed"}


def records(answer: Any) -> list[Any]:
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/octet-stream"
    report = verify(io.BytesIO(answer.data), ruleset)
    assert report.failed == []
    return list(read_records(io.BytesIO(answer.data)))


def openings(answer: Any) -> set[tuple[int, str]]:
    return {(one.version, one.path) for one in records(answer) if isinstance(one, Opening)}


def written(site: Site) -> tuple[Player, Player]:
    """Seat 0 has written in secret; seat 1 has not."""
    ann, bob = table(site, options=SEALED)
    assert ann.decide(WRITE).status_code == 201
    return ann, bob


def test_a_seat_gets_what_it_may_have_and_no_other_is_given_it(site: Site):
    ann, bob = written(site)
    secret = {(5, "decision")}
    assert openings(ann.get("/bundle")) == secret
    assert openings(ann.get("/bundle?as=0&events=5&disclose=5@0")) == secret
    assert openings(bob.get("/bundle?disclose=all,all:outcome")) == set()
    assert openings(site.program().get(f"/api/v1/matches/{ann.match}/bundle?disclose=all")) == set()
    assert is_problem(bob.get("/bundle?as=0&disclose=all"), 403, "not_your_seat")
    assert is_problem(ann.get("/bundle?as=all&disclose=all"), 403, "not_your_seat")


def test_events_that_are_not_chosen_are_withheld_and_the_chain_is_whole(site: Site):
    ann, _ = written(site)
    found = records(ann.get("/bundle?events=3-4"))
    assert [one.version for one in found if isinstance(one, Event)] == [1, 3, 4]
    assert [one.version for one in found if isinstance(one, Withheld)] == [2, 5]
    heads = [one["head"] for one in ann.get("/events").json["events"]]
    assert [one.head.hex() for one in found if isinstance(one, Event | Withheld)] == heads
    assert isinstance(found[0], Header)
    assert found[0].viewer == "chosen"


def test_an_organizer_without_a_seat_who_looks_at_everything_is_noted(site: Site):
    ann, _ = written(site)
    judge = site.person("Judge", ("organizer",))
    address = f"/api/v1/matches/{ann.match}/bundle?as=all&events=5&disclose=5:decision"
    headers = judge.token("read", "play", "organize")
    assert openings(site.program().get(address, headers=headers)) == {(5, "decision")}
    sat = site.program().put(f"/api/v1/matches/{ann.match}/seats/1", headers=headers, json={})
    assert sat.status_code == 409


def test_who_sees_a_match_late_gets_no_event_that_came_since(site: Site):
    ann, _ = table(site, delay=3_600)
    assert ann.decide({"type": "play.mark", "cell": 4}).status_code == 201
    late = site.program().get(f"/api/v1/matches/{ann.match}/bundle?as=spectator")
    assert [one.version for one in records(late) if isinstance(one, Event)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "query", ["events=x", "events=5-3", "disclose=1@x", "disclose=1:Q", "events=" + "1," * 1_500]
)
def test_what_is_no_choice_is_refused(site: Site, query: str):
    ann, _ = table(site)
    assert is_problem(ann.get(f"/bundle?{query}"), 422, "invalid")
