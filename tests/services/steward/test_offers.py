"""Offers that lie before a bot while somebody else is asked."""

from __future__ import annotations

from typing import Any

import pytest

from services.steward import loop as attending
from tests.support.services.hall import Hall
from tests.support.web.seated import Player

PRICE = 1


@pytest.fixture
def ann(hall: Hall) -> Player:
    """A player who is asked something, and two bots."""
    [ann] = hall.begun({0: "Ann"}, {1: "greedy", 2: "random"}, "hegemonic")
    hall.tends()
    assert ann.get().json["asked"] == [0]
    return ann


def offers(ann: Player, giver: int, to: int, other: int = 1) -> Any:
    """A deal by which one of the two leaves the other alone for now."""
    board = ann.get("/view").json["view"]["state"]
    due = [board["round"], board["phase"]]
    promise = {"seat": giver, "to": to, "what": "spare", "subject": f"r{due[0]}", "due": due}
    terms = {"text": "peace for now", "promises": [promise]}
    answer = ann.decide({"type": "deal.propose", "parties": [0, other], "terms": terms})
    assert answer.status_code == 201, answer.text
    return answer.json


def status(ann: Player) -> str:
    return str(ann.get("/view").json["view"]["state"]["deals"][-1]["status"])


def test_a_bot_takes_what_is_good_for_it_while_another_is_asked(hall: Hall, ann: Player):
    offers(ann, 0, 1)
    hall.tends()
    last = hall.bodies(ann)[-1]
    assert (last.by.role, last.seat) == ("bot", 1)  # type: ignore[union-attr]
    assert status(ann) == "accepted"
    assert ann.get().json["asked"] == [0]


@pytest.mark.parametrize(("giver", "to", "other"), [(1, 0, 1), (0, 2, 2)])
def test_it_leaves_alone_what_costs_it_something_or_what_it_cannot_weigh(
    hall: Hall, ann: Player, giver: int, to: int, other: int
):
    before = offers(ann, giver, to, other)["version"]
    hall.tends()
    assert ann.get().json["version"] == before
    assert status(ann) == "proposed"


def test_it_thinks_once_about_what_has_not_changed(
    hall: Hall, ann: Player, monkeypatch: pytest.MonkeyPatch
):
    offers(ann, 1, 0)
    thought: list[int] = []
    whole = attending.says_to_offers

    def counted(match: Any, seat: int, *rest: Any) -> Any:
        thought.append(seat)
        return whole(match, seat, *rest)

    monkeypatch.setattr(attending, "says_to_offers", counted)
    for _ in range(3):
        hall.tends()
    assert thought == [1]  # nothing lies before seat 2
