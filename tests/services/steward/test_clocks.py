"""Clocks at live tables: what players see of them, and what happens when one has run down."""

from __future__ import annotations

import pytest

from ledger.log.format.bodies import AnswerBody, SealedBody
from ledger.log.stores.redis import RedisStore
from services.matches.seats import CLOCK
from services.steward import loop
from services.steward.heartbeat import GRACE_MS
from tests.support.services.hall import SECOND, Hall, clock_of

EACH = {"kind": "decision", "seconds": 60}
BANK = {"kind": "bank", "seconds": 60, "increment": 5}


def test_a_seat_s_time_is_shown_as_it_runs(hall: Hall):
    _, bob = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=BANK)
    hall.passes(20)
    now = hall.site.clock.now
    shown = {"seat": 0, "left": 40_000, "deadline": now + 40_000, "running": True}
    assert clock_of(bob, 0) == shown
    assert clock_of(bob) == {"seat": 1, "left": 60_000, "deadline": None, "running": False}


def test_every_decision_says_what_was_left_before_and_after_it(hall: Hall):
    ann, bob = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=BANK)
    hall.passes(20)
    ann.decide_first()
    hall.passes(7)
    bob.decide_first()
    recorded = [body.clock for body in hall.bodies(ann) if isinstance(body, AnswerBody)]
    assert recorded == [(40_000, 45_000), (53_000, 58_000)]
    assert clock_of(bob)["left"] == 58_000


def test_a_match_without_a_clock_waits_for_ever(hall: Hall):
    [ann] = hall.begun({0: "Ann"}, {1: "greedy"})
    hall.passes(600)
    assert ann.get().json["clocks"] == []
    assert ann.get().json["asked"] == [0]


def test_when_time_is_over_the_rules_default_is_given(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    hall.passes(59)
    assert ann.get().json["asked"] == [0]
    hall.passes(1)
    assert ann.get().json["asked"] == [1]
    last = hall.bodies(ann)[-1]
    assert (last.by.role, last.clock) == ("clock", (0, 60_000))
    told = ann.get("/digest?since=4").json["events"]
    assert [(one["seat"], one["by"]) for one in told] == [(0, "clock")]
    hall.passes(60 * 9)
    assert ann.get().json["result"] is not None
    assert set(hall.roles(ann)) == {"clock"}


def test_or_a_bot_takes_the_seat_over_where_the_host_has_said_so(hall: Hall):
    ann, bob = hall.begun({0: "Ann", 1: "Bob"}, {}, clock={**EACH, "out": "bot"})
    ann.decide_first()
    hall.passes(61)
    seen = ann.get().json
    assert seen["seats"][1]["who"] == "bot"
    assert seen["asked"] == [0]
    assert seen["knew"] == [{"seat": 1, "person": bob.who.id, "version": 6}]
    assert hall.bodies(ann)[5].by == CLOCK
    assert hall.bodies(ann)[5].act.reason == "the time of this seat ran out"  # type: ignore[union-attr]
    assert bob.decide({"type": "play.mark", "cell": 8}).status_code == 403


def test_where_the_rules_have_no_default_it_is_always_a_bot(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    monkeypatch.setattr(loop, "default_of", lambda *_: None)
    hall.passes(61)
    assert ann.get().json["seats"][0]["who"] == "bot"
    assert ann.get().json["asked"] == [1]


def test_a_decision_that_is_late_counts_where_nobody_was_first(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    hall.site.clock.now += 61 * SECOND
    assert clock_of(ann)["left"] == 0
    assert ann.decide_first().status_code == 201
    last = hall.bodies(ann)[-1]
    assert (last.by.role, last.clock) == ("seat", (0, 60_000))


def test_each_seat_of_a_sealed_question_has_its_own_clock(hall: Hall):
    ann, bob = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH, options={"opening": "sealed"})
    hall.passes(30)
    ann.decide({"type": "opening.write", "cell": 0}, at=4)
    assert clock_of(bob, 0)["running"] is False
    assert clock_of(bob)["left"] == 30_000
    hall.passes(31)
    sealed = [body for body in hall.bodies(ann) if isinstance(body, SealedBody)]
    assert [(one.by.role, one.seat) for one in sealed] == [("seat", 0), ("clock", 1)]


def test_a_pause_stops_the_clocks(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    hall.passes(30)
    ann.post("/pause", {"reason": "tea"})
    hall.passes(600)
    assert clock_of(ann) == {"seat": 0, "left": 30_000, "deadline": None, "running": False}
    ann.post("/resume", {"reason": "tea is over"})
    hall.passes(29)
    assert ann.get().json["asked"] == [0]
    hall.passes(2)
    assert ann.get().json["asked"] == [1]


def test_nobody_loses_time_in_which_the_service_was_not_there(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    hall.passes(30)
    hall.site.clock.now += 1_000 * SECOND
    hall.tends(hall.another())
    assert clock_of(ann) == {
        "seat": 0, "left": 30_000, "deadline": hall.site.clock.now + 30_000, "running": True,
    }  # fmt: skip
    assert [type(one).__name__ for one in hall.stops(ann)] == ["ClocksStopped", "ClocksStarted"]
    hall.passes(29)
    assert ann.get().json["asked"] == [0]


def test_an_absence_within_the_grace_is_at_the_players_expense(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    hall.tends()
    hall.site.clock.now += GRACE_MS
    hall.tends(hall.another())
    assert clock_of(ann)["left"] == 60_000 - GRACE_MS
    assert hall.stops(ann) == []


def test_where_even_the_last_beat_is_lost_the_time_since_the_last_event_is_given_back(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    hall.passes(30)
    store = hall.site.club.store
    assert isinstance(store, RedisStore)
    store.cache.call("DEL", "{s00}:steward")
    hall.site.clock.now += 1_000 * SECOND
    hall.tends(hall.another())
    assert clock_of(ann)["left"] == 60_000


def test_the_clocks_of_a_match_that_cannot_be_folded_stand_still(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    hall.passes(30)
    ann.decide_first()
    hall.passes(10)
    store = hall.site.club.store
    store.park(ann.match, b"event 6 cannot be folded: for the test")
    hall.passes(600)
    assert hall.tables.store.parked(ann.match)
    assert [type(one).__name__ for one in hall.stops(ann)] == ["ClocksStopped"]
    store.unpark(ann.match)
    hall.passes(5)
    assert clock_of(ann, 1)["left"] == 60_000
    hall.passes(59)
    assert ann.get().json["asked"] == [1]


def test_going_back_gives_each_seat_the_time_that_it_had_there(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=BANK)
    hall.passes(10)
    ann.decide_first()
    hall.passes(20)
    said = {"seat": 0, "to": 4, "reason": "a slip"}
    assert ann.post("/undo", said).json["state"] == "done"
    assert clock_of(ann)["left"] == 60_000
    assert clock_of(ann, 1)["left"] == 60_000


def test_who_sees_the_match_delayed_is_told_no_clock(hall: Hall):
    ann, _ = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH, delay=3_600)
    ann.decide_first()
    url = f"/api/v1/matches/{ann.match}"
    assert hall.site.nobody().get(url).json["clocks"] == []
    assert len(ann.get().json["clocks"]) == 2


# --- standing orders ------------------------------------------------------------------------------


@pytest.fixture
def last_cell(hall: Hall):
    """A match in which Ann has one cell left to mark, and has said that it may be done for her."""
    ann, bob = hall.begun({0: "Ann", 1: "Bob"}, {})
    assert ann.put("/seats/0/orders", {"only_option": True}).json == {"only_option": True}
    for cell in (0, 1, 2, 4, 3, 5, 7, 6):
        mover = ann if ann.get().json["asked"] == [0] else bob
        assert mover.decide({"type": "play.mark", "cell": cell}).status_code == 201
    assert ann.get().json["asked"] == [0]
    return ann


def test_the_only_answer_is_given_after_a_pause_as_of_somebody_who_reads(hall: Hall, last_cell):
    hall.tends()
    assert last_cell.get().json["asked"] == [0]
    hall.passes(1)
    assert last_cell.get().json["asked"] == [0]
    hall.passes(20)
    assert last_cell.get().json["result"] is not None
    assert hall.bodies(last_cell)[-1].by.role == "order"


def test_nobody_s_time_runs_out_over_a_pause(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(loop, "PAUSE_MS", (90_000, 90_001))
    ann, bob = hall.begun({0: "Ann", 1: "Bob"}, {}, clock=EACH)
    ann.put("/seats/0/orders", {"only_option": True})
    for cell in (0, 1, 2, 4, 3, 5, 7, 6):
        mover = ann if ann.get().json["asked"] == [0] else bob
        assert mover.decide({"type": "play.mark", "cell": cell}).status_code == 201
    hall.passes(59.4)
    assert ann.get().json["result"] is None
    hall.passes(0.1)
    last = hall.bodies(ann)[-1]
    assert (last.by.role, last.clock) == ("order", (500, 60_000))


def test_without_the_order_nothing_is_given(hall: Hall, last_cell):
    last_cell.put("/seats/0/orders", {"only_option": False})
    hall.passes(100)
    assert last_cell.get().json["asked"] == [0]
