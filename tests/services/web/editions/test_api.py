"""Other editions over HTTP: errata looked at, put in force by ruling, and by consent."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.log.format.acts import EditionChanged
from services.matches.cache import MatchCache
from services.matches.undo import settle_undo
from tests.services.cli.errata.test_files import CLUB
from tests.support.web.seated import Player, made, table
from tests.support.web.visitors import Site, Visitor, is_problem

BAD = CLUB.replace("cells", "cell").replace('"from-now-on"', '"soon"')
OTHER = CLUB.replace("tictactoe", "hegemonic")
WHY = {"reason": "as the club said"}
BRINGS = {"errata": [CLUB], **WHY}


@pytest.fixture
def timed(site: Site) -> Site:
    """A site whose tables go by the test's clock, too."""
    tables = MatchCache(site.club.store, site.clock)
    site.app.extensions["match_cache"] = lambda: tables
    return site


def changes(site: Site, match: str) -> list[tuple[str, EditionChanged]]:
    """The acts that put another edition in force, each with the role of who did it."""
    with site.app.extensions["match_cache"]().opened(match) as opened:
        history = opened.history
        found = []
        for version in range(1, history.tip.version + 1):
            act = history.act(version)
            if isinstance(act, EditionChanged):
                found.append((history.body(version).by.role, act))
        return found


def head(player: Player) -> tuple[int, str, str]:
    """How far a match is, and under which edition."""
    said = player.get().json
    return said["version"], said["head"], said["edition"]


def umpired(site: Site, **said: Any) -> tuple[Visitor, list[Player]]:
    """A match between two who do not run it."""
    host = site.founder()
    match = made(host, **said)
    players = [Player(site.person(f"Player {n}"), match, n) for n in range(2)]
    for player in players:
        assert player.put(f"/seats/{player.seat}", {}).status_code == 200
    assert host.asks("POST", f"/matches/{match}/start").status_code == 200
    return host, players


def rules(host: Visitor, match: str, said: dict[str, Any]) -> Any:
    return host.asks("POST", f"/matches/{match}/edition", said)


# --- looked at ------------------------------------------------------------------------------------


def test_a_text_is_looked_at_and_every_mistake_is_told_with_its_line(site: Site):
    ann = site.founder()
    check = "/rulesets/tictactoe/errata/check"
    good = ann.asks("POST", check, {"text": CLUB}).json
    assert good["troubles"] == []
    assert (good["erratum"]["id"], len(good["erratum"]["mark"])) == ("club.01", 64)
    bad = ann.asks("POST", check, {"text": BAD}).json
    assert bad["erratum"] is None
    assert [(one["line"], one["key"], one["expected"]) for one in bad["troubles"]] == [
        (4, "scope", "from-now-on or retroactive"),
        (8, "content.lines.bent.cell", "cells"),
    ]
    [trouble] = ann.asks("POST", "/rulesets/hegemonic/errata/check", {"text": CLUB}).json[
        "troubles"
    ]
    assert (trouble["key"], trouble["expected"]) == ("ruleset", "hegemonic")
    missing = ann.asks("POST", "/rulesets/go/errata/check", {"text": CLUB})
    assert is_problem(missing, 404, "unknown_ruleset")
    assert is_problem(ann.asks("POST", check, {"text": ""}), 422, "invalid")


# --- by ruling ------------------------------------------------------------------------------------


def test_who_runs_a_match_puts_an_erratum_in_force_and_it_is_noted(site: Site):
    host, (one, _) = umpired(site)
    answer = rules(host, one.match, BRINGS)
    version = answer.json["version"]
    assert (answer.status_code, answer.json["edition"]) == (200, f"printed+club.01@{version}")
    [(role, act)] = changes(site, one.match)
    assert (role, act.reason, [erratum.id for erratum in act.errata]) == (
        "organizer",
        WHY["reason"],
        ["club.01"],
    )
    noted = host.asks("GET", f"/matches/{one.match}/operations").json["operations"]
    [edition] = [line for line in noted if line["kind"] == "edition"]
    assert (edition["by"], edition["version"]) == (host.id, version)
    again = rules(host, one.match, BRINGS)
    assert is_problem(again, 422, "bad_value")  # it is in force already
    assert rules(host, one.match, {"edition": "e1", **WHY}).json["edition"] == "e1"


def test_what_cannot_be_in_force_changes_nothing(site: Site):
    host, (one, _) = umpired(site)
    before = head(one)
    bad = rules(host, one.match, {"errata": [CLUB, BAD], **WHY})
    assert is_problem(bad, 422, "invalid")
    assert [line.partition(",")[0] for line in bad.json["errors"]["errata.1"]] == [
        "line 4",
        "line 8",
    ]
    for said, status, code in [
        ({"errata": [OTHER], **WHY}, 422, "invalid"),  # fits no row of that game
        ({"edition": "e99", **WHY}, 422, "unknown_edition"),
        ({"edition": "printed+club.01@1", **WHY}, 422, "unknown_edition"),
        ({"errata": [CLUB, CLUB], **WHY}, 422, "bad_value"),
        (WHY, 422, "invalid"),
        ({"edition": "e1"}, 422, "invalid"),
    ]:
        assert is_problem(rules(host, one.match, said), status, code), said
        asked = one.post("/edition/requests", {"seat": 0, **said})
        assert is_problem(asked, status, code), said
    hegemonic = CLUB.partition("[content")[0].replace("tictactoe", "hegemonic")
    wrong = {"errata": [hegemonic + '[readings]\n"support.value" = "location-power"\n'], **WHY}
    assert is_problem(rules(host, one.match, wrong), 422, "bad_value")
    assert (head(one), changes(site, one.match)) == (before, [])


def test_only_who_runs_a_match_and_has_no_part_in_it_rules(site: Site):
    host, (one, two) = umpired(site)
    before = head(one)
    assert is_problem(one.post("/edition", BRINGS), 403, "not_entitled")
    visitor = site.person("Vic")
    assert is_problem(rules(visitor, one.match, BRINGS), 403, "not_entitled")
    nobody = site.nobody().post(f"/api/v1/matches/{one.match}/edition", json=BRINGS)
    assert is_problem(nobody, 401, "not_signed_in")
    own = Player(host, made(host), 0)
    assert own.put("/seats/0", {}).status_code == 200
    assert is_problem(own.post("/edition", BRINGS), 403, "own_case")
    assert head(two) == before


def test_a_match_that_has_not_begun_or_is_closed_takes_none(site: Site):
    host, (one, _) = umpired(site)
    fresh = made(host)
    assert is_problem(rules(host, fresh, BRINGS), 409, "not_started")
    assert host.asks("POST", f"/matches/{one.match}/abandon", WHY).status_code == 200
    before = head(one)
    assert is_problem(rules(host, one.match, BRINGS), 409, "match_closed")
    asked = one.post("/edition/requests", {"seat": 0, **BRINGS})
    assert is_problem(asked, 409, "match_closed")
    assert head(one) == before


def test_a_match_is_made_under_errata(site: Site):
    host = site.founder()
    made_so = host.asks(
        "POST",
        "/matches",
        {"ruleset": "tictactoe", "seats": 2, "edition": "e1", "errata": [CLUB]},
    )
    assert (made_so.status_code, made_so.json["edition"]) == (201, "e1+club.01@1")
    bad = host.asks("POST", "/matches", {"ruleset": "tictactoe", "seats": 2, "errata": [BAD]})
    assert is_problem(bad, 422, "invalid")


# --- by consent -----------------------------------------------------------------------------------


def test_when_all_agree_the_edition_is_in_force(timed: Site):
    ann, bob = table(timed)
    before = ann.get().json["version"]
    asked = ann.post("/edition/requests", {"seat": 0, **BRINGS})
    assert asked.status_code == 201
    assert (asked.json["state"], asked.json["agreed"], asked.json["number"]) == ("open", [0], 1)
    assert asked.json["errata"][0]["id"] == "club.01"
    assert ann.get().json["version"] == before
    digest = bob.get("/digest").json
    assert (digest["editions"], digest["undos"]) == (1, 0)
    assert bob.get("/undo").json["undos"] == []
    again = bob.post("/edition/requests", {"seat": 1, "edition": "e1", **WHY})
    assert is_problem(again, 409, "undo_open")
    done = bob.put("/edition/requests/1", {"seat": 1, "agrees": True})
    assert (done.json["state"], done.json["version"]) == ("done", before + 1)
    assert ann.get().json["edition"] == f"printed+club.01@{before + 1}"
    [(role, act)] = changes(timed, ann.match)
    assert (role, act.consents, act.errata[0].id) == ("service", (0, 1), "club.01")
    assert [one["state"] for one in bob.get("/edition/requests").json["requests"]] == ["done"]


def test_one_who_declines_is_enough_and_nobody_answers_for_another(timed: Site):
    ann, bob = table(timed)
    before = head(ann)
    said = {"edition": "e1", **WHY}
    assert is_problem(bob.post("/edition/requests", {"seat": 0, **said}), 403, "not_your_seat")
    ann.post("/edition/requests", {"seat": 0, **said})
    for who in (ann, Player(timed.person("Cid"), ann.match, 1)):
        answer = who.put("/edition/requests/1", {"seat": 1, "agrees": True})
        assert is_problem(answer, 403, "not_your_seat")
    assert is_problem(bob.put("/undo/1", {"seat": 1, "agrees": True}), 404, "no_such_undo")
    declined = bob.put("/edition/requests/1", {"seat": 1, "agrees": False})
    assert declined.json["state"] == "declined"
    ann.post("/edition/requests", {"seat": 0, "seconds": 60, **said})
    timed.clock.now += 60_000
    late = bob.put("/edition/requests/2", {"seat": 1, "agrees": True})
    assert is_problem(late, 409, "undo_over")
    ann.post("/edition/requests", {"seat": 0, **said})
    path = f"/api/v1/matches/{ann.match}/edition/requests/3"
    assert timed.program().delete(path, headers=ann.headers).status_code == 204
    found = [one["state"] for one in ann.get("/edition/requests").json["requests"]]
    assert found == ["declined", "expired", "withdrawn"]
    assert (head(bob), changes(timed, ann.match)) == (before, [])


def test_what_all_agreed_to_is_done_once_or_not_at_all_where_it_cannot_be_any_more(
    timed: Site, monkeypatch: pytest.MonkeyPatch
):
    ann, bob = table(timed)

    def agreed(number: int) -> None:
        ann.post("/edition/requests", {"seat": 0, **BRINGS})
        with monkeypatch.context() as ended:
            ended.setattr("services.web.seats.api.settle_undo", lambda _: False)
            answer = bob.put(f"/edition/requests/{number}", {"seat": 1, "agrees": True})
        assert answer.json["state"] == "agreed"

    agreed(1)
    with timed.app.extensions["match_cache"]().opened(ann.match) as opened:
        assert settle_undo(opened)
        assert not settle_undo(opened)
    assert len(changes(timed, ann.match)) == 1
    ann.post("/edition/requests", {"seat": 0, "edition": "printed", **WHY})
    assert bob.put("/edition/requests/2", {"seat": 1, "agrees": True}).json["state"] == "done"
    agreed(3)
    assert ann.post("/abandon", WHY).status_code == 200
    with timed.app.extensions["match_cache"]().opened(ann.match) as opened:
        assert settle_undo(opened)
        assert not settle_undo(opened)
    states = [one["state"] for one in ann.get("/edition/requests").json["requests"]]
    assert states == ["done", "done", "withdrawn"]
    assert len(changes(timed, ann.match)) == 2


def test_bots_need_not_agree_and_who_sees_the_match_later_is_told_of_no_request(timed: Site):
    ann, _ = table(timed, delay=60)
    ann.put("/seats/1/holder", {"bot": "greedy", "reason": "gone"})
    asked = ann.post("/edition/requests", {"seat": 0, "edition": "e1", **WHY})
    assert asked.json["state"] == "done"
    path = f"/api/v1/matches/{ann.match}/edition/requests"
    assert timed.nobody().get(path).json["requests"] == []
