"""Decisions composed while the others talk and trade go in at once, unless something mattered."""

from __future__ import annotations

import random
from typing import Any, Final

from tests.support.web.client import Record
from tests.support.web.players import weight
from tests.support.web.seated import Player, table
from tests.support.web.visitors import Site, is_problem

SEATS: Final = 4
DECISIONS_MAX: Final = 400
SECRET: Final = "strike together in the next round"


class Building:
    """A match in which a seat has begun to build, and the others."""

    def __init__(self, site: Site) -> None:
        self.players = table(site, "hegemonic", SEATS)
        self.random = random.Random(6)
        self.builder = self._play_until_somebody_builds()
        self.others = [one for one in self.players if one is not self.builder]

    def _play_until_somebody_builds(self) -> Player:
        for _ in range(DECISIONS_MAX):
            asked = self.players[0].get().json["asked"][0]
            player = self.players[asked]
            offered = player.options()
            options = offered["asked"]["options"]
            if len(_steps(options)) > 1 and len(self._givers(player)) > 1:
                return player
            begins = [one for one in options if one["type"].endswith("start-build")]
            weights = [weight(str(one)) for one in options]
            chosen = (begins or self.random.choices(options, weights))[0]
            at, question = offered["version"], offered["asked"]["question"]
            assert player.decide(chosen, at=at, question=question).status_code == 201
        raise AssertionError("nobody builds in this match")

    def _givers(self, builder: Player) -> list[Player]:
        return [one for one in self.players if one is not builder and gifts(one)]

    def composes(self, at: int | None = None) -> dict[str, Any]:
        """Returns the options of the builder, as of an event."""
        of = "" if at is None else f"&at={at}"
        return self.builder.get(f"/options?as={self.builder.seat}{of}").json

    def talk_and_trade(self) -> list[int]:
        """The others talk, make a private deal, and CAPs change hands: the events of it."""
        giver, taker, *_ = sorted(self.others, key=lambda one: not gifts(one))
        for player in (giver, taker):
            assert player.post("/talk", {"text": "what about it?"}).status_code == 201
        offer = propose(giver, [giver.seat, taker.seat])
        accepted = answer_offer(taker)
        given = give(giver, taker)
        return [one.json["first"] for one in (offer, accepted, given)]


def _steps(options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the options that build something."""
    return [one for one in options if one["type"].startswith("build.place")]


def standing(player: Player, takes: str) -> dict[str, Any]:
    """A standing question that takes a type of decision, and the version that it is asked at."""
    offered = player.options()
    question = next(one for one in offered["standing"] if takes in one["takes"])
    return {**question, "version": offered["version"]}


def gifts(player: Player) -> list[dict[str, Any]]:
    """Returns the gifts that a player can offer."""
    return list(standing(player, "caps.transfer")["options"])


def give(giver: Player, to: Player) -> Any:
    """One CAP, from one to another."""
    asked = standing(giver, "caps.transfer")
    gift = next(one for one in asked["options"] if one["to"] == to.seat and one["amount"] == 1)
    return decided(giver, asked, gift)


def propose(player: Player, parties: list[int]) -> Any:
    """A private offer."""
    said = {"parties": sorted(parties), "private": {"text": SECRET}}
    return decided(player, standing(player, "deal.propose"), {"type": "deal.propose", **said})


def answer_offer(player: Player) -> Any:
    """The offer that was made last is accepted."""
    asked = standing(player, "deal.accept")
    offers = [one for one in asked["options"] if one["type"] == "deal.accept"]
    return decided(player, asked, offers[-1])


def decided(player: Player, asked: dict[str, Any], decision: dict[str, Any]) -> Any:
    answer = player.decide(decision, at=asked["version"], question=asked["question"])
    assert answer.status_code == 201, answer.text
    return answer


def test_a_build_of_several_steps_goes_on_while_the_others_talk_and_trade(site: Site):
    building = Building(site)
    offered = building.composes()
    between: list[int] = []
    own: list[int] = []
    while True:
        options = offered["asked"]["options"]
        steps = _steps(options) if len(own) < 3 else []
        ends = [one for one in options if one["type"].startswith("build.finish")]
        chosen = (steps or ends)[0]
        if len(own) < 2:
            between += building.talk_and_trade()
        # Composed at what is over by now, and sent once.
        answer = building.builder.decide(
            chosen, at=offered["version"], question=offered["asked"]["question"]
        )
        assert answer.status_code == 201, answer.text
        assert answer.json["first"] > offered["version"]
        own.append(answer.json["first"])
        if chosen in ends:
            break
        offered = building.composes(answer.json["version"])
    assert len(own) >= 2
    assert own[0] < between[-1] < own[1]
    log = building.builder.get("/events").json["events"]
    seats = {log[version - 1]["said"]["seat"] for version in own}
    assert seats == {building.builder.seat}
    lines = building.builder.get("/talk").json["lines"]
    assert len(lines) == 4


def test_a_step_that_something_has_mattered_to_is_refused_with_what_has_come_since(site: Site):
    building = Building(site)
    builder, (first, second, third) = building.builder, building.others
    offered = building.composes()
    at, question = offered["version"], offered["asked"]["question"]
    hidden = propose(first, [first.seat, second.seat]).json["first"]
    told = propose(third, [third.seat, builder.seat]).json["first"]
    giver = next(one for one in building.others if gifts(one))
    mattered = give(giver, builder).json
    step = _steps(offered["asked"]["options"])[0]
    refused = builder.decide(step, at=at, question=question)
    assert is_problem(refused, 412, "stale")
    said = refused.json
    assert said["evidence"] == {
        "composed_at": at, "version": mattered["version"], "because": mattered["first"],
    }  # fmt: skip
    # What has come since hangs on what the builder knew, and comes to the head that all have.
    known = builder.get(f"/events?since={at - 1}&limit=1").json["events"][0]
    record = Record(builder.match, at, bytes.fromhex(known["head"]))
    for event in said["events"]:
        record.take(event)
    assert record.version == said["version"] == mattered["version"]
    assert record.head.hex() == mattered["head"]
    # An offer to the builder can be read, one among others cannot.
    assert {version for version, _ in record.opened} == {told}
    assert SECRET in str(record.opened[told, "private/private"])
    assert record.committed("deal.propose") == [
        record.body(version)["private"]["private"] for version in (hidden, told)
    ]
    for event in said["events"]:
        again = builder.get(f"/events?since={event['version'] - 1}&limit=1").json["events"][0]
        assert again == event
    # Having seen it, the builder decides the same.
    now = building.composes()
    assert builder.decide(step, at=now["version"], question=question).status_code == 201
    assert builder.get().json["version"] > mattered["version"]


def test_what_a_stale_decision_is_answered_with_is_cut_for_who_sent_it(site: Site):
    building = Building(site)
    builder, (first, second, third) = building.builder, building.others
    at = building.composes()["version"]
    offer = propose(first, [first.seat, second.seat]).json["first"]
    openings = {}
    for player in (builder, second, third):
        give(next(one for one in building.players if one is not player and gifts(one)), player)
        late = player.decide({"type": "caps.transfer", "to": first.seat, "amount": 1}, at=at)
        assert is_problem(late, 412, "stale")
        found = next(one for one in late.json["events"] if one["version"] == offer)
        openings[player.seat] = [one["path"] for one in found["openings"]]
    assert openings == {builder.seat: [], second.seat: ["private/private"], third.seat: []}
