"""Fields that not everybody is shown: the rows of one table, over answers to several callers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services.web.app.identity import FIELDS, HOLDS
from tests.support.docs.http_api import application
from tests.support.web.organizing import SMALL, tournament
from tests.support.web.visitors import Site

SHAPES = {"match": "MatchShape", "seat": "SittingShape", "entrant": "EntrantShape", "terms": ""}
DOCUMENT: dict[str, Any] = application().extensions["api"].spec.to_dict()


@pytest.fixture
def asked(site: Site) -> dict[str, dict[str, Any]]:
    """Returns answers about a match at which a seat changed hands, and about a tournament."""
    host, people = tournament(site, 2, **SMALL)
    host.post("/rounds/1/draw", {})
    [done] = host.post("/rounds/1/start")["tables"]
    path = f"/matches/{done['match']}"
    first = host.get("/rounds/1")["tables"][0]["seats"][0]["player"]
    friend = {"person": site.person("Friend").id}
    given = people[first - 1].asks("POST", f"{path}/seats/0/delegates", friend)
    assert given.status_code == 200
    swapped = {"bot": "greedy", "reason": "gone"}
    assert host.who.asks("PUT", f"{path}/seats/1/holder", swapped).status_code == 200
    callers = {
        "nobody": {},
        "a member": site.person("Member").token("read"),
        "a player": people[0].token("read"),
        "the organizer": host.headers,
    }

    def answers(headers: dict[str, str]) -> dict[str, Any]:
        get = site.program().get
        return {
            "match": get(f"/api/v1{path}", headers=headers).json,
            "tournament": get(f"/api/v1/tournaments/{host.id}", headers=headers).json,
            "rounds": get(f"/api/v1/tournaments/{host.id}/rounds", headers=headers).json,
            "standings": get(f"/api/v1/tournaments/{host.id}/standings", headers=headers).json,
            "matches": get("/api/v1/matches", headers=headers).json,
        }

    return {name: answers(headers) for name, headers in callers.items()}


def things(said: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return {
        "match": [said["match"]],
        "seat": said["match"]["seats"],
        "entrant": said["tournament"]["entrants"],
        "terms": [said["tournament"]["terms"]],
    }[kind]


def names_in(said: Any) -> Iterator[str]:
    """Every name of a field, however deep."""
    if isinstance(said, dict):
        yield from said
        for one in said.values():
            yield from names_in(one)
    elif isinstance(said, list):
        for one in said:
            yield from names_in(one)


def test_every_row_is_shown_to_those_whom_it_names_and_to_nobody_else(
    asked: dict[str, dict[str, Any]],
):
    for kind, rows in FIELDS.items():
        for name, who in rows.items():
            assert who == "person"
            for caller, said in asked.items():
                shown = any(name in one for one in things(said, kind))
                assert shown == (caller != "nobody"), f"{name} of {kind} for {caller}"


def test_no_answer_has_such_a_field_in_another_place_for_nobody(asked: dict[str, dict[str, Any]]):
    hidden = {name for rows in FIELDS.values() for name in rows}
    assert hidden & set(names_in(asked["nobody"])) == set()
    assert hidden <= set(names_in(asked["a member"]))


def test_what_may_be_left_out_is_not_promised_by_the_document():
    for kind, rows in FIELDS.items():
        assert set(rows.values()) <= set(HOLDS)
        if shape := SHAPES[kind]:
            said = DOCUMENT["components"]["schemas"][shape]
            assert set(rows) <= set(said["properties"])
            assert set(rows) & set(said["required"]) == set()
