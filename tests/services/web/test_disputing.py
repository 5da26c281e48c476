"""Disputes over HTTP: from the claim through dossier and ruling to the replay of both lines."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from ledger.log.acts import Rewound, Ruled
from tests.replays.bargaining import ORANGE, PURPLE
from tests.services.web.disputed import Court, court
from tests.services.web.visitors import Site

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
