"""Verification finds each change of a bundle, even if repaired, and accepts each clean bundle."""

from __future__ import annotations

import io
import random

import pytest

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from replays.verify.verifier import Verdict, verify
from tests.support.log.matches import (
    FULL_PLAN,
    ORGANIZER,
    bundled,
    eventful,
    play_out,
    played,
    started,
)
from tests.support.replays.loose import loosened, recommitted, relinked
from tests.support.replays.oracle import agrees
from tests.support.replays.saying import ANCHORED, CLEAN
from tests.support.replays.tampering import CASES, PLANS, bundle, findings, kinds, table

LANDING = 8  # cases of each class at each level


@pytest.mark.parametrize(("kind", "level"), list(kinds()))
@pytest.mark.parametrize(
    "cases",
    [
        range(LANDING),
        pytest.param(range(LANDING, CASES), marks=[pytest.mark.full, pytest.mark.timeout(3_600)]),
    ],
    ids=str,
)
def test_every_change_is_named_by_the_check_that_must_name_it(kind: str, level: str, cases: range):
    """More than 500 changes at landing size; 6,300 at full size."""
    found = findings(kind, level, cases)
    print(table(found))
    assert [str(one) for one in found if not one.right] == []


@pytest.mark.parametrize("plan", range(len(PLANS)))
@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 4), marks=pytest.mark.full)], ids=str
)
def test_no_clean_bundle_is_called_bad(plan: int, seeds: range):
    """Bundles of each plan: with and without rewinds, for each viewer, closed or not."""
    judged = 0
    for seed in seeds:
        journals = [played(PLANS[plan], seed, rewinds) for rewinds in range(3)]
        journals += [eventful(PLANS[plan], seed), started(PLANS[plan], seed)]
        for journal in journals:
            viewers: tuple[Viewer | str, ...] = ("all", 0, 1, None)
            for viewer in viewers:
                whole = bundled(journal.history, viewer)
                report = verify(io.BytesIO(whole), ruleset)
                assert report.verdict in CLEAN, report.failed
                assert report.head == journal.history.tip.head.hex()
                anchors = {event.version: event.head for event in journal.history.events}
                anchored = verify(io.BytesIO(whole), ruleset, anchors=anchors)
                assert anchored.verdict in ANCHORED
                judged += 1
    assert judged >= 20


def test_taking_apart_and_binding_changes_nothing():
    for number in range(20):
        whole = bundle(number)
        assert relinked(loosened(whole)) == whole
        assert recommitted(loosened(whole)) == whole


def test_the_second_opinion_agrees_with_clean_bundles():
    for number in range(40):
        assert agrees(loosened(bundle(number)))


def test_an_abandoned_match_is_clean():
    journal = started(FULL_PLAN, 3)
    journal.abandon(ORGANIZER, "rain")
    report = verify(io.BytesIO(bundled(journal.history)), ruleset)
    assert report.verdict == Verdict.NOT_ANCHORED.value, report.failed


def test_an_abandoned_match_that_had_ended_is_not_passed_off_as_undecided():
    journal = started(FULL_PLAN, 3)
    play_out(journal, random.Random(1))
    journal.close()
    loose = loosened(bundled(journal.history))
    assert loose.closing is not None
    loose.closing.act["result"] = loose.result = None
    report = verify(io.BytesIO(relinked(loose)), ruleset)
    assert {check.name for check in report.failed} == {"life", "result"}


def test_a_closing_event_that_opens_by_another_policy_is_named():
    loose = loosened(bundle(0))
    assert loose.closing is not None
    loose.closing.act["discloses"] = ["chance"]
    report = verify(io.BytesIO(relinked(loose)), ruleset)
    assert "result" in [check.name for check in report.failed]
