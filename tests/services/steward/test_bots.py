"""Bots at seats: they decide wherever they are asked, whoever asked it, and each question once."""

from __future__ import annotations

import threading
import time

import pytest

from ledger.kernel.bots import BOTS
from ledger.log.format.bodies import AnswerBody
from ledger.log.write.writer import Writer
from tests.support.services.hall import Hall


def test_a_bot_answers_whatever_a_player_s_decision_has_asked(hall: Hall):
    [ann] = hall.begun({0: "Ann"}, {1: "greedy"})
    hall.tends()
    assert ann.get().json["asked"] == [0]
    assert ann.decide_first().status_code == 201
    hall.tends()
    assert ann.get().json["asked"] == [0]
    last = hall.bodies(ann)[-1]
    assert isinstance(last, AnswerBody)
    assert (last.by.role, last.by.name, last.seat) == ("bot", "greedy", 1)


@pytest.mark.parametrize("options", [{}, {"opening": "sealed"}, {"begin.first": "rolled"}])
def test_a_match_of_bots_alone_is_played_to_its_end(hall: Hall, options: dict[str, str]):
    [host] = hall.begun({}, {0: "random", 1: "greedy"}, options=options)
    hall.tends()
    assert host.get().json["result"]["approved"] is False
    assert set(hall.roles(host)) <= {"bot", "dice"}


def test_a_bot_at_a_sealed_question_does_not_wait_for_the_others(hall: Hall):
    [ann] = hall.begun({0: "Ann"}, {1: "random"}, options={"opening": "sealed"})
    hall.tends()
    assert ann.get().json["asked"] == [0]
    assert ann.get("/events").json["events"][-1]["openings"] == []


def test_a_bot_that_takes_over_a_seat_decides_at_once(hall: Hall):
    ann, bob = hall.begun({0: "Ann", 1: "Bob"}, {})
    ann.decide_first()
    hall.tends()
    assert ann.get().json["asked"] == [1]
    said = {"bot": "greedy", "reason": "Bob is ill"}
    assert ann.put("/seats/1/holder", said).json["seats"][1]["who"] == "bot"
    hall.tends()
    assert ann.get().json["asked"] == [0]
    assert bob.get("/options?as=1").status_code == 403


def test_bots_that_make_offers_of_their_own_play_on(hall: Hall):
    [host] = hall.begun({}, dict.fromkeys(range(4), "greedy"), "hegemonic")
    hall.steward.wake(None)
    until = time.monotonic() + 30
    while time.monotonic() < until and not any(
        getattr(body, "question", "").startswith("deal/") for body in hall.bodies(host)
    ):
        hall.steward.step()
    assert time.monotonic() < until, "nobody has made an offer"
    before = len(hall.bodies(host))
    hall.steward.step()
    assert len(hall.bodies(host)) > before
    assert hall.said == []


def test_two_stewards_decide_each_question_once(hall: Hall):
    [host] = hall.begun({}, {0: "random", 1: "random"}, "hegemonic")
    stewards = [hall.another() for _ in range(2)]
    failures: list[Exception] = []

    def tend(which: int) -> None:
        try:
            stewards[which].wake(None)
            for _ in range(4):
                stewards[which].step()
        except Exception as why:  # noqa: BLE001 - the test's thread says it
            failures.append(why)

    threads = [threading.Thread(target=tend, args=(which,)) for which in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert hall.said == []
    answers = [(b.question, b.seat) for b in hall.bodies(host) if hasattr(b, "question")]
    assert len(answers) > 50
    assert len(answers) == len(set(answers))


def test_what_was_left_before_chance_fell_is_found_at_the_start(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as broken:
        broken.setattr(Writer, "answer_chance", lambda *_: [])
        [ann] = hall.begun({0: "Ann"}, {1: "greedy"}, options={"begin.first": "rolled"})
        assert ann.get().json["asked"] == []
    hall.tends(hall.another())
    assert ann.get().json["asked"] == [0]


def test_a_match_that_fails_is_left_and_tried_again_and_the_others_go_on(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: object) -> object:
        raise ZeroDivisionError

    [host] = hall.begun({}, {0: "random", 1: "greedy"})
    other = hall.site.person("Dan")
    answer = other.asks("POST", "/matches", {"ruleset": "tictactoe", "seats": 2})
    match = answer.json["id"]
    for seat in (0, 1):
        other.asks("PUT", f"/matches/{match}/seats/{seat}/bot", {"bot": "random"})
    other.asks("POST", f"/matches/{match}/start")
    with monkeypatch.context() as wrong:
        wrong.setitem(BOTS, "greedy", broken)  # type: ignore[arg-type]
        hall.tends()
    assert host.get().json["result"] is None
    assert other.asks("GET", f"/matches/{match}").json["result"] is not None
    assert hall.said == [f"leaves match {host.match} for now: ZeroDivisionError"]
    hall.passes(2)
    assert host.get().json["result"] is not None
    assert hall.said[1:] == [f"continues match {host.match}"]
