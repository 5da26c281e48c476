"""Disputes over HTTP: from the claim through dossier and ruling to the replay of both lines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from ledger.club.people import SCOPES
from ledger.log.format.acts import Rewound, Ruled
from services.jobs.dossiers import WantedDossier
from tests.support.replays.bargaining import GREEN, ORANGE, PURPLE, YELLOW
from tests.support.services.processes import wait_until
from tests.support.services.workers import Working
from tests.support.web.disputed import Court, court
from tests.support.web.visitors import Site, is_problem

ATTACK = 189  # Purple attacks Orange, in spite of the truce
AFTER = 200


@pytest.fixture
def at_court(site: Site) -> Court:
    return court(site, AFTER)


def claim(court: Court, **said: Any) -> dict[str, Any]:
    """Orange says that Purple has broken the truce."""
    about = {"words": "We had a truce.", "deal": court.bargain.names["truce"]} | said
    answer = court.players[ORANGE].post("/disputes", about)
    assert answer.status_code == 201, answer.text
    return dict(answer.json)


def test_a_dispute_goes_through_dossier_and_ruling_to_the_replay_of_both_lines(at_court: Court):
    orange, purple, yellow, _ = at_court.players
    attack = at_court.bargain.at[ATTACK]
    said = claim(at_court, **{"from": attack - 2, "to": attack + 2})
    assert (said["id"], said["state"], said["as"]) == ("d1", "open", "0")
    assert said["claim"]["parties"] == [ORANGE, PURPLE]

    # The dossier: the verdict on the truce, with the event that broke it.
    found = at_court.dossier(orange.who)
    assert found.headers["Dossier"] == hashlib.sha256(found.data).hexdigest()
    [truce] = [one for one in found.json["deals"] if one["id"] == said["claim"]["deal"]]
    [promise] = truce["promises"]
    assert (promise["verdict"], promise["at"]) == ("broken", attack)
    assert [one["n"] for one in found.json["events"]] == list(range(attack - 2, attack + 3))
    assert [(one["seat"], one["after"]) for one in found.json["positions"]] == [
        (ORANGE, attack - 3),
        (ORANGE, attack + 2),
    ]
    assert "deal.non-binding" in {one["rule"] for one in found.json["rules"]}

    # The organizer reads everything, which is noted, and rules.
    whole = at_court.dossier(at_court.judge)
    assert {one["seat"] for one in whole.json["positions"]} == {ORANGE, PURPLE}
    ruling = {
        "finding": "upheld",
        "reason": "A truce is a truce in this club.",
        "rules": ["deal.non-binding"],
        "remedy": {"kind": "rewind", "version": attack - 1},
        "dossier": whole.headers["Dossier"],
    }
    answer = at_court.asks(at_court.judge, "POST", "/disputes/d1/rulings", ruling)
    assert answer.status_code == 201, answer.text
    ruled = answer.json
    assert (ruled["state"], ruled["rulings"][0]["finding"]) == ("ruled", "upheld")
    assert list(ruled["claim"]["rested"].values()) == [whole.headers["Dossier"]]

    # Both stand in the log; the attack was undone, and can still be replayed.
    history = at_court.history
    acts = [history.act(version) for version in range(1, history.tip.version + 1)]
    [number] = [n for n, act in enumerate(acts, 1) if isinstance(act, Ruled)]
    back = acts[number]
    assert isinstance(back, Rewound)
    assert (back.to, back.because) == (attack - 1, "d1")
    told = purple.get("/replay").json["events"]
    undone = [event["n"] for event in told if event.get("undone")]
    assert undone == list(range(attack, number + 1))
    assert told[number]["parent"] == attack - 1
    assert "ruling" in told[number - 1]["tags"]
    for line in (attack, number + 1):
        page = at_court.site.program().get(
            f"/matches/{at_court.match}/replay?at={line}", headers=yellow.headers
        )
        assert page.status_code == 200
    [again] = [d for d in purple.get("/deals").json["deals"] if d["id"] == truce["id"]]
    assert [one["verdict"] for one in again["promises"]] == ["open"]

    # Play goes on from before the attack.
    asked = [p for p in at_court.players if p.seat in at_court.bargain.journal.match().asked()]
    assert asked[0].decide_first().status_code == 201


def test_a_worker_makes_a_dossier_byte_by_byte_as_it_is_made_here(
    busy: Site, worker: Callable[[], Working]
):
    at = court(busy, 30)
    orange = at.players[ORANGE]
    said = orange.post("/disputes", {"words": "Look at it.", "from": 2}).json
    path, program = f"/api/v1/matches/{at.match}/disputes/d1/dossier", busy.program()
    readers = ((orange.headers, "0"), (at.judge.token(*SCOPES), "all"))
    for headers, _ in readers:
        assert program.get(path, headers=headers).status_code == 202
    worker()
    for headers, viewer in readers:
        answers: list[Any] = []

        def comes(headers: dict[str, str] = headers, answers: list[Any] = answers) -> bool:
            answers.append(program.get(path, headers=headers))
            return bool(answers[-1].status_code == 200)

        assert wait_until(comes, 120)
        wanted = WantedDossier(
            match=at.match,
            dispute=said["id"],
            version=said["version"],
            head=at.history.events[said["version"] - 1].head.hex(),
            viewer=viewer,
        )
        assert answers[-1].data == wanted.make(busy.club.store)


# --- who may what ---------------------------------------------------------------------------------


@pytest.fixture
def early(site: Site) -> Court:
    """The same match, not so far."""
    return court(site, 60)


def test_who_is_no_party_learns_that_there_is_a_dispute_and_no_more(early: Court):
    said = claim(early)
    assert said["claim"]["words"] == "We had a truce."
    for who in (early.players[YELLOW], early.players[GREEN]):
        seen = who.get("/disputes/d1").json
        assert (seen["claim"], seen["as"], seen["from"]) == (None, None, said["from"])
        assert is_problem(who.get("/disputes/d1/dossier"), 403, "not_a_party")
    nobody = early.site.program().get(f"/api/v1/matches/{early.match}/disputes").json
    assert [one["claim"] for one in nobody["disputes"]] == [None]
    purple = early.players[PURPLE]
    assert purple.get("/disputes/d1").json["claim"]["words"] == "We had a truce."
    for word in ("0", "all", "spectator"):
        answer = purple.get(f"/disputes/d1/dossier?as={word}")
        assert is_problem(answer, 403, "not_your_seat")


def test_an_organizer_who_holds_a_seat_reads_that_seats_dossier_and_leaves_the_ruling(early: Court):
    orange = early.players[ORANGE].who
    early.site.club.change(orange.id, early.judge.id, roles=["organizer", "player"])
    claim(early)
    headers = orange.token()
    path = f"/api/v1/matches/{early.match}/disputes/d1"
    program = early.site.program()
    found = program.get(f"{path}/dossier", headers=headers).json
    assert (found["as"], {one["seat"] for one in found["positions"]}) == ("0", {ORANGE})
    asked = program.get(f"{path}/dossier?as=all", headers=headers)
    assert is_problem(asked, 403, "not_your_seat")
    ruling = {"finding": "upheld", "reason": "of course"}
    answer = program.post(f"{path}/rulings", json=ruling, headers=headers)
    assert is_problem(answer, 403, "own_case")


def test_a_look_at_everything_stands_in_the_operations_ledger_before_it_is_answered(early: Court):
    claim(early)
    early.dossier(early.judge)
    early.dossier(early.judge)
    for who in (early.players[YELLOW].who, early.judge):
        found = early.asks(who, "GET", "/operations").json["operations"]
        looks = [(one["by"], one["said"]) for one in found if one["kind"] == "look"]
        assert len(looks) == 1
        assert looks[0][0] == early.judge.id
        assert "the dossier of d1" in looks[0][1]
    stranger = early.site.person("Eve")
    assert is_problem(early.asks(stranger, "GET", "/operations"), 403, "not_your_seat")
    sits = early.asks(
        early.judge, "PUT", "/seats/3/holder", {"person": early.judge.id, "reason": "x"}
    )
    assert is_problem(sits, 409, "knew_another_seat")


def test_what_does_not_exist_cannot_be_disputed(early: Court):
    orange, last = early.players[ORANGE], early.history.tip.version
    for said, code in (
        ({"from": 3, "to": last + 1}, "no_such_event"),
        ({"from": 9, "to": 3}, "no_such_event"),
        ({"deal": "s9/9"}, "no_such_deal"),
        ({"conflict": 3}, "no_such_conflict"),
        ({"parties": [7]}, "no_such_seat"),
    ):
        answer = orange.post("/disputes", {"words": "no", **said})
        assert is_problem(answer, 404, code)
    assert is_problem(orange.post("/disputes", {"words": "no", "seat": 1}), 403, "not_your_seat")
    assert is_problem(orange.post("/disputes", {"words": " \u200b "}), 422, "invalid")
    assert is_problem(orange.post("/disputes", {"words": "no", "pause": True}), 403, "not_entitled")
    assert early.history.tip.version == last
    for _ in range(3):
        claim(early)
    answer = orange.post("/disputes", {"words": "and again"})
    assert is_problem(answer, 409, "too_many_disputes")


def test_consent_lets_a_whispered_line_be_shown_and_a_ruling_names_what_was_read(early: Court):
    orange, purple = early.players[ORANGE], early.players[PURPLE]
    assert orange.post("/talk", {"text": "just us", "to": [PURPLE]}).status_code == 201
    last = early.history.tip.version
    claim(early, **{"from": last, "to": last})
    read = early.dossier(early.judge)
    assert read.json["talk"] == []
    for player in (orange, purple):
        answer = player.put(f"/disputes/d1/consents/{player.seat}", {"gives": True})
        assert answer.status_code == 200, answer.text
    wrong = orange.put("/disputes/d1/consents/1", {"gives": True})
    assert is_problem(wrong, 403, "not_your_seat")
    assert [one["text"] for one in early.dossier(early.judge).json["talk"]] == ["just us"]
    ruling = {"finding": "void", "reason": "settled", "dossier": read.headers["Dossier"]}
    answer = early.asks(early.judge, "POST", "/disputes/d1/rulings", ruling)
    assert is_problem(answer, 409, "other_dossier")


def test_a_table_may_be_laid_so_that_a_dispute_stops_the_match_until_it_is_ruled_on(site: Site):
    at = court(site, 60, pauses=True)
    claim(at)
    claim(at, words="And the border.", deal=at.bargain.names["border"])
    claim(at, words="And the sector.", deal=at.bargain.names["sector"])
    assert at.players[ORANGE].get().json["state"] == "paused"
    ruling = {"finding": "dismissed", "reason": "play on"}
    paid = {"kind": "transfer", "seat": PURPLE, "to": ORANGE, "amount": 1}
    upheld = {"finding": "upheld", "reason": "it was owed", "remedy": paid}
    for dispute, said, state in (
        ("d1", ruling, "paused"), ("d3", upheld, "paused"), ("d2", ruling, "running"),
    ):  # fmt: skip
        path = f"/disputes/{dispute}/rulings"
        assert at.asks(at.judge, "POST", path, said).status_code == 201
        assert at.players[ORANGE].get().json["state"] == state, dispute
    again = at.asks(at.judge, "POST", "/disputes/d1/rulings", ruling)
    assert is_problem(again, 409, "dispute_over")


def test_a_ruling_has_caps_paid_in_the_place_of_a_seat(early: Court):
    claim(early)
    before = early.players[ORANGE].get("/view?as=spectator").json["view"]
    remedy = {"kind": "transfer", "seat": PURPLE, "to": ORANGE, "amount": 10_000}
    ruling = {"finding": "upheld", "reason": "it was owed", "remedy": remedy}
    last = early.history.tip.version
    refused = early.asks(early.judge, "POST", "/disputes/d1/rulings", ruling)
    assert refused.status_code == 422, refused.text
    assert early.history.tip.version == last
    remedy["amount"] = 1
    answer = early.asks(early.judge, "POST", "/disputes/d1/rulings", ruling)
    assert answer.status_code == 201, answer.text
    paid = early.players[ORANGE].get(f"/facts?as=spectator&since={last}").json["events"][-1]
    assert any(fact["type"] == "deal.caps-given" for fact in paid["facts"])
    assert early.players[ORANGE].get("/view?as=spectator").json["view"] != before
    kinds = [
        one["kind"] for one in early.asks(early.judge, "GET", "/operations").json["operations"]
    ]
    assert kinds.count("decision") == 1


def test_rules_are_cited_by_ids_that_there_are(early: Court):
    claim(early)
    ruling = {"finding": "upheld", "reason": "so", "rules": ["deal.non-binding", "deal.nonsense"]}
    answer = early.asks(early.judge, "POST", "/disputes/d1/rulings", ruling)
    assert is_problem(answer, 422, "unknown_rule")
    for remedy in ({"kind": "rewind"}, {"kind": "edition"}, {"kind": "note"}):
        answer = early.asks(
            early.judge, "POST", "/disputes/d1/rulings", ruling | {"rules": [], "remedy": remedy}
        )
        assert is_problem(answer, 422, "invalid")


def test_what_waits_for_a_ruling_is_listed_for_organizers(early: Court):
    claim(early)
    program = early.site.program()
    waiting = program.get("/api/v1/disputes", headers=early.judge.token()).json
    assert [one["id"] for one in waiting["disputes"]] == [f"{early.match}/d1"]
    headers = early.players[ORANGE].headers
    assert is_problem(program.get("/api/v1/disputes", headers=headers), 403, "scope_needed")
