"""Audits over HTTP: what they say, who may have them, and how they come to be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from replays.audit.document import CHECKS
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem

WHOLE = ["decisions", "outcomes", "chance"]


def finish(players: list[Player]) -> None:
    """Play to the end, and close."""
    while True:
        for player in players:
            if player.options()["asked"]:
                assert player.decide_first().status_code == 201
                break
        else:
            assert players[0].post("/close", {}).status_code == 200
            return


def checks(answer: Any) -> dict[str, str]:
    assert answer.status_code == 200, answer.text
    return {check["name"]: check["status"] for check in answer.json["checks"]}


def test_a_match_that_was_opened_is_audited_to_the_last_check(site: Site):
    players = table(site, discloses=WHOLE)
    finish(players)
    answer = players[0].get("/audit")
    assert checks(answer) == dict.fromkeys(CHECKS, "ok")
    said = answer.json
    assert (said["format"], said["viewer"]) == ("hegemon-audit", "all")
    assert said["verdict"] == "VALID, NOT ANCHORED"
    assert said["head"] == players[0].get("/events").json["events"][-1]["head"]
    assert {row["seat"] for row in said["submitters"]} >= {0, 1}


def test_the_same_audit_is_the_same_to_its_last_byte(site: Site):
    players = table(site, discloses=WHOLE)
    finish(players)
    first, second = players[0].get("/audit"), players[1].get("/audit")
    assert first.data == second.data
    tag = first.headers["ETag"]
    assert players[1].get("/audit", **{"If-None-Match": tag}).status_code == 304
    assert json.dumps(first.json, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == (
        first.text.strip()
    )


def test_nobody_gets_everything_of_a_running_match(site: Site):
    ann, _ = table(site)
    ann.decide_first()
    organizer = site.person("Olga", ("organizer",)).token("read", "play", "organize")
    for who in (ann.headers, organizer, {}):
        path = f"/api/v1/matches/{ann.match}/audit"
        assert is_problem(site.program().get(f"{path}?as=all", headers=who), 403, "not_your_seat")
        found = site.program().get(path, headers=who)
        assert found.status_code == 200
        assert found.json["viewer"] in ("spectator", "seat 0")


def test_of_a_match_that_was_kept_closed_only_an_organizer_who_sat_nowhere_gets_everything(
    site: Site,
):
    players = table(site, discloses=[])
    finish(players)
    path = f"/api/v1/matches/{players[0].match}/audit"
    assert players[0].get("/audit?as=all").status_code == 403
    assert players[0].get("/audit").json["viewer"] == "seat 0"
    judge = site.person("Judge", ("organizer",)).token("read", "play", "organize")
    everything = site.program().get(f"{path}?as=all", headers=judge)
    assert everything.status_code == 200, everything.text
    assert everything.json["viewer"] == "all"
    found = checks(everything)
    assert {name for name, status in found.items() if status == "failed"} == set()


@pytest.mark.parametrize("looking", ["members", "nobody"])
def test_who_may_not_watch_gets_no_audit_either(site: Site, looking: str):
    ann, _ = table(site, looking=looking)
    path = f"/matches/{ann.match}"
    for address in (f"/api/v1{path}/audit", f"{path}/audit", f"{path}/audit.html"):
        scene = site.program().get(f"/api/v1{path}/scene")
        assert site.program().get(address).status_code == scene.status_code != 200


def test_the_page_needs_no_script_and_the_file_loads_nothing(site: Site):
    players = table(site, discloses=WHOLE)
    finish(players)
    path = f"/matches/{players[0].match}/audit"
    page = site.program().get(path)
    assert page.status_code == 200
    assert "VALID, NOT ANCHORED" in page.text
    file = site.program().get(f"{path}.html")
    assert "attachment" in file.headers["Content-Disposition"]
    assert "<script" not in file.text
    assert "default-src &#39;none&#39;" in file.text or "default-src 'none'" in file.text
    for address in ("src=", "href=", "@import", "url("):
        assert address not in file.text
