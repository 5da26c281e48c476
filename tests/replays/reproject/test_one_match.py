"""One match under other rules: what becomes of each event, and of the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.chance import Roll, Rolled, domain_key
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Result
from ledger.log.format.acts import Closed, Created
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from replays.reproject.change import Change, parse_change
from replays.reproject.differences import find_moved
from replays.reproject.judge import reproject
from replays.reproject.policies import Policies
from replays.reproject.projection import APPLIED, ProjectedStep
from replays.reproject.verdicts import EventVerdict, MatchVerdict
from tests.support.log.matches import PLAIN, ROLLED, STAKED, around, joined, started

# Seat 0 completes the rising diagonal with its third mark.
RISING = (2, 0, 4, 1, 6)
# Seat 0 begins in the centre and completes the middle row.
CENTRE = (4, 0, 3, 8, 5)
SKIP = Policies(illegal="skip")


def played(
    cells: Sequence[int], plan: Plan = PLAIN, *, closed: bool = True, seed: int = 0
) -> Journal:
    """A match in which the seats mark these cells in turn."""
    journal = started(plan, seed)
    for cell in cells:
        journal.decide(journal.match().asked()[0], Mark(cell))
    if closed:
        journal.close()
    return journal


def told(verdict: MatchVerdict, *names: str) -> list[EventVerdict]:
    return [one for one in verdict.marked if one.verdict in names]


def test_a_match_that_the_erratum_does_not_touch_is_unchanged():
    verdict = reproject(played(CENTRE).history, Change(edition="e2"))
    assert (verdict.verdict, verdict.events) == ("unchanged", {"applied": 5})
    assert (
        verdict.before == verdict.after == Result(winners=(0,), scores=(1, 0), reason="line middle")
    )


def test_the_first_event_that_comes_out_differently_is_named_with_its_cause():
    history = played(RISING).history
    verdict = reproject(history, Change(edition="e2"), Policies(missing="stop"))
    first = verdict.first
    assert first is not None
    assert (first.version, first.kind, first.question) == (9, "facts", "turn/5")
    (cause,) = first.causes
    assert (cause.kind, cause.name, cause.errata) == ("rows", "lines", ("e2",))
    assert set(cause.before) - set(cause.after) == {"rising"}
    tried = reproject(history, Change(content={"lines": {"rising": None}})).first
    assert tried is not None
    assert [(one.name, one.errata) for one in tried.causes] == [("lines", ())]  # e2 is not in force
    assert (first.exact, cause.asked) == (True, 5)
    assert verdict.verdict == "unfinished"
    assert verdict.stopped is not None
    assert (verdict.stopped.why, verdict.stopped.question) == ("missing", "turn/6")
    assert (verdict.before, verdict.after) == (
        Result(winners=(0,), scores=(1, 0), reason="line rising"),
        None,
    )


def test_what_the_log_has_no_answer_to_is_decided_as_the_policy_says():
    history = played(RISING).history
    by_default = reproject(history, Change(edition="e2"))
    missing = told(by_default, "missing")
    assert [(one.question, one.seat, one.how) for one in missing][:2] == [
        ("turn/6", 1, "default"),
        ("turn/7", 0, "default"),
    ]
    assert by_default.after is not None
    for how in ("bot", "chance"):
        policies = Policies(missing=how, seed=3)
        verdict = reproject(history, Change(edition="e2"), policies)
        assert {one.how for one in told(verdict, "missing")} == {how}
        assert verdict.after is not None
        assert verdict.policies == policies
        assert verdict == reproject(history, Change(edition="e2"), policies)


def test_a_decision_that_is_refused_now_says_by_which_rule_and_why():
    verdict = reproject(played(CENTRE).history, Change(edition="e3"))
    assert verdict.verdict == "decision now illegal"
    (illegal,) = told(verdict, "illegal")
    assert (illegal.version, illegal.code, illegal.rule) == (5, "centre_first", "play.turn")
    assert illegal.evidence == {"cell": 4, "erratum": "e3"}
    assert [one.version for one in told(verdict, "unreached")] == [6, 7, 8, 9]
    assert verdict.events == {"applied": 0, "illegal": 1, "unreached": 4}
    assert verdict.first is not None
    assert [(one.kind, one.name) for one in verdict.first.causes] == [("record", "Turn")]
    assert verdict.stopped is not None
    assert (verdict.stopped.why, verdict.stopped.version) == ("illegal", 5)
    assert verdict.after is None


@pytest.mark.parametrize("how", ["skip", "default", "bot", "chance"])
def test_what_takes_the_place_of_an_illegal_decision_is_a_policy(how: Any):
    policies = Policies(illegal=how, missing="default", seed=1)
    verdict = reproject(played(CENTRE).history, Change(edition="e3"), policies)
    assert verdict.verdict == "decision now illegal"
    instead = told(verdict, "missing")[0]
    assert (instead.question, instead.seat) == ("turn/1", 0)
    assert instead.how == ("default" if how == "skip" else how)
    assert verdict.after is not None
    assert verdict.policies.illegal == how
    assert told(verdict, "unreached") == []


def test_a_decision_that_nothing_asks_for_is_unasked():
    """With a sealed opening the first two marks are written down instead."""
    verdict = reproject(played(CENTRE).history, Change(readings={"opening": "sealed"}))
    assert {one.question for one in told(verdict, "missing")} >= {"opening"}
    assert verdict.first is not None
    assert (verdict.first.version, verdict.first.kind) == (5, "missing")
    assert verdict.first.asked == "opening"
    assert verdict.first.rule == "opening.write"
    assert [one.name for one in verdict.first.causes] == ["opening"]
    counts = verdict.events
    assert counts["applied"] + counts.get("unasked", 0) + counts.get("illegal", 0) == 5


# --- chance ---------------------------------------------------------------------------------------


def key_of_dice(history: History) -> bytes:
    closed = history.act(history.tip.version)
    assert isinstance(closed, Closed)
    return domain_key(closed.seeds["dice"], "dice", history.life.nonces)


def test_a_die_that_the_log_lacks_is_what_the_disclosed_key_says():
    for seed in range(6):
        history = played(CENTRE, seed=seed).history
        verdict = reproject(history, Change(readings={"begin.first": "rolled"}))
        die = told(verdict, "missing")[0]
        assert (die.question, die.how, die.seat) == ("begin", "keys", -1)
        wanted = Roll(2).answer(key_of_dice(history), 0, "begin")
        assert isinstance(wanted, Rolled)
        assert verdict.assumed == 0
        # Whoever is named begins: the log's decisions are those of seat 0 at the first turn.
        assert (verdict.events["applied"] == 5) is (wanted.values == (1,))


def test_a_result_that_rests_on_assumed_dice_is_undetermined():
    plan = replace(PLAIN, discloses=("decisions", "outcomes"))
    history = played(CENTRE, plan).history
    change = Change(readings={"begin.first": "rolled"})
    verdict = reproject(history, change, Policies(draws=20))
    assert (verdict.verdict, verdict.assumed) == ("undetermined", 1)
    assert verdict.spread is not None
    assert (verdict.spread.draws, verdict.spread.ended) == (20, 20)
    assert sum(verdict.spread.winners.values()) == 20
    assert len(verdict.spread.winners) > 1
    assert verdict.spread.scores == ((0, 1), (0, 1))
    assert verdict == reproject(history, change, Policies(draws=20))


def test_a_die_that_nobody_rolls_now_is_unasked():
    history = played(CENTRE, ROLLED, seed=2).history
    change = Change(readings={"begin.first": "first-seat"}, over_options=True)
    verdict = reproject(history, change)
    assert told(verdict, "unasked")[0].question == "begin"
    assert verdict.assumed == 0


def test_the_keys_of_a_running_match_are_never_used():
    journal = played(CENTRE[:3], closed=False)
    assert journal.secrets.seed("dice")
    verdict = reproject(journal.history, Change(readings={"begin.first": "rolled"}))
    assert told(verdict, "missing")[0].how == "assumed"
    assert verdict.verdict == "unfinished"


# --- decisions that are taken at any time ---------------------------------------------------------


def gifted(stake: int = 2) -> History:
    plan = replace(STAKED, options=())
    journal = joined(Journal.create(around(), replace(plan, overlay=staked(stake))))
    journal.decide(0, Mark(4))
    journal.decide(0, Give(5))
    journal.decide(1, Mark(0))
    journal.decide(1, Give(7))
    for cell in (3, 8, 5):
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.close()
    return journal.history


def staked(stake: int) -> dict[str, Any]:
    return {"readings": {"values": {"begin.stake": stake}}}


def test_a_gift_keeps_its_place_between_the_answers_around_it():
    history = gifted()
    verdict = reproject(history, Change(edition="e3", readings={"begin.stake": 3}), SKIP)
    assert verdict.pinned == ("begin.stake",)
    over = Change(readings={"begin.stake": 3}, over_options=True)
    fewer = reproject(history, over)
    assert (fewer.verdict, fewer.events) == ("same result", {"applied": 7})
    assert fewer.accounts == {"chips": {"seat.0": (13, 14), "seat.1": (5, 4)}}
    assert fewer.first is not None
    assert fewer.first.version == history.life.started


def test_a_gift_that_can_no_longer_be_paid_is_refused_with_needed_and_has():
    over = Change(readings={"begin.stake": 5}, over_options=True)
    verdict = reproject(gifted(), over, SKIP)
    illegal = told(verdict, "illegal")[0]
    assert (illegal.question, illegal.code) == ("gift/s0/1", "overdrawn")
    assert illegal.rule == "gifts.give"
    assert (illegal.evidence["needed"], illegal.evidence["has"]) == (5, 4)
    assert verdict.accounts["chips"]["seat.0"][0] != verdict.accounts["chips"]["seat.0"][1]
    assert reproject(gifted(), over).stopped is not None


def test_a_gift_that_nobody_can_make_now_is_unasked():
    over = Change(readings={"begin.stake": 0}, over_options=True)
    verdict = reproject(gifted(), over, SKIP)
    assert [one.question for one in told(verdict, "unasked")] == ["gift/s0/1", "gift/s1/1"]
    assert verdict.verdict == "same result"


# --- what is as it was ----------------------------------------------------------------------------


def test_the_log_and_its_result_are_as_they_were():
    history = played(RISING).history
    before = [(one.version, one.head, one.body) for one in history.events]
    openings = dict(history.openings)
    reproject(history, Change(edition="e3"), SKIP)
    assert [(one.version, one.head, one.body) for one in history.events] == before
    assert history.openings == openings
    closed = history.act(history.tip.version)
    assert isinstance(closed, Closed)
    assert closed.result == {"winners": [0], "scores": [1, 0], "reason": "line rising"}


def test_a_log_that_cannot_be_read_is_an_error_of_its_own():
    journal = started(replace(PLAIN, options=(("opening", "sealed"),)))
    journal.decide(0, Write(4))
    blind = History(journal.match_id, ruleset)
    for event in journal.history.events:
        blind.add(event)
    verdict = reproject(blind, Change(edition="e3"))
    assert verdict.verdict == "error"
    assert verdict.error.startswith("not_disclosed: event 5")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change(edition="e99"), "unknown_edition"),
        (Change(readings={"begin.sun": 1}), "unknown_reading"),
        (Change(readings={"begin.stake": 99}), "bad_value"),
        (Change(content={"lines": {"rising": {"cells": [9, 9, 9]}}}), "bad_value"),
        (Change(content={"rows": {}}), "bad_value"),
        (Change(edition="e2", switch=3), "no_such_event"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(change: Change, said: str):
    verdict = reproject(played(CENTRE).history, change)
    assert verdict.verdict == "error"
    assert verdict.error.startswith(said)


def test_a_match_that_has_not_begun_is_unchanged():
    journal = Journal.create(around(), PLAIN)
    assert isinstance(journal.history.act(1), Created)
    assert reproject(journal.history, Change(edition="e3")).verdict == "unchanged"


# --- moved ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "out_of_order"),
    [
        ((5, 6, 7, 8), set()),
        ((8, 9, 5, 6, 7), {8, 9}),  # a short turn went before a long one
        ((7, 8, 9, 5, 6), {5, 6}),
        ((5, 9, 6, 7, 8), {9}),
        ((9, 5), {9}),
        ((), set()),
    ],
)
def test_as_few_events_as_possible_are_called_moved(order: tuple[int, ...], out_of_order: set[int]):
    steps = [ProjectedStep(version, APPLIED, "log", f"turn/{version}", 0, ()) for version in order]
    assert set(find_moved(steps)) == out_of_order


# --- what people type -----------------------------------------------------------------------------


def test_a_reading_a_figure_and_a_cell_can_be_named():
    rules = ruleset("hegemonic")
    said = {
        "support.value": "location-power",
        "score.tie-first": "4",
        "orders/discover/number": "5",
        "fates/draw.defending-units/fate": "survive",
    }
    readings, content = parse_change(rules, said)
    assert readings == {"support.value": "location-power"}
    assert content == {
        "figures": {"score.tie-first": {"value": 4}},
        "orders": {"discover": {"number": 5}},
        "fates": {"draw.defending-units": {"fate": "survive"}},
    }
    with pytest.raises(Refused) as refusal:
        parse_change(rules, {"score.sun": "1"})
    assert refusal.value.code == "unknown_reading"


def test_seats_may_answer_for_whom_they_were_given():
    """A re-projection takes an answer whoever submitted it."""
    journal = started(PLAIN)
    for cell in RISING:
        seat = journal.match().asked()[0]
        journal.decide(seat, Mark(cell), Submitter(role="delegate", name="a friend"))
    assert reproject(journal.history, Change(edition="e2")).first is not None
