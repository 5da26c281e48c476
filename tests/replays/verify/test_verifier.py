"""Verification: its verdicts, its checks, and that nothing but a report comes out of it."""

from __future__ import annotations

import io
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe import RULES
from ledger.kernel.audience import Viewer
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.log.read.bundle import MAGIC, RECORD_BYTES_MAX
from replays.verify.verifier import CHECKS, FAST, Report, Verdict, verify
from tests.support.log.matches import FULL_PLAN, VIEWERS, bundled, eventful, played, started
from tests.support.replays.loose import Line, bound, loosened, relinked
from tests.support.replays.saying import CLEAN, report_of

NOT_ANCHORED = Verdict.NOT_ANCHORED.value


def judged(whole: bytes, **more: Any) -> Report:
    return verify(io.BytesIO(whole), ruleset, **more)


def status(report: Report) -> dict[str, str]:
    return {check.name: check.status for check in report.checks}


# --- verdicts -------------------------------------------------------------------------------------


def test_a_clean_match_is_valid_but_for_an_anchor():
    history = played(FULL_PLAN, 1, 1).history
    report = report_of(history)
    assert report.verdict == NOT_ANCHORED
    assert status(report) == {**dict.fromkeys(CHECKS, "ok"), "anchor": "not checked"}
    assert (report.match, report.ruleset, report.origin) == (history.match, "tictactoe", "live")
    assert (report.events, report.head) == (history.tip.version, history.tip.head.hex())


def test_with_its_true_heads_it_is_valid():
    history = played(FULL_PLAN, 1, 1).history
    for versions in ([history.tip.version], range(1, history.tip.version + 1)):
        anchors = {version: history.events[version - 1].head for version in versions}
        assert judged(bundled(history), anchors=anchors).verdict == Verdict.VALID.value


def test_with_an_earlier_head_it_is_anchored_only_up_to_there():
    history = played(FULL_PLAN, 1, 1).history
    report = judged(bundled(history), anchors={7: history.events[6].head})
    assert report.verdict == NOT_ANCHORED
    assert "up to event 7" in report.checks[-1].detail


def test_with_another_head_it_has_diverged():
    history = played(FULL_PLAN, 1).history
    for version in (1, history.tip.version):
        report = judged(bundled(history), anchors={version: bytes(32)})
        assert report.verdict == Verdict.DIVERGED.value
        assert [(check.name, check.version) for check in report.failed] == [("anchor", version)]


@pytest.mark.parametrize("version", [0, 99, -1])
def test_with_a_head_of_an_event_it_does_not_have_it_has_diverged(version: int):
    history = played(FULL_PLAN, 1).history
    report = judged(bundled(history), anchors={version: history.tip.head})
    assert report.verdict == Verdict.DIVERGED.value


def test_invalid_comes_before_diverged():
    loose = loosened(bundled(played(FULL_PLAN, 1).history))
    loose.lines[4].openings.clear()
    loose.header["edition"] = "e1"
    report = judged(relinked(loose), anchors={1: bytes(32)})
    assert report.verdict == Verdict.INVALID.value


def test_other_sources_of_the_rules_are_told_and_compared_by_facts():
    newer = replace(RULES, source="f" * 64)
    report = verify(io.BytesIO(bundled(played(FULL_PLAN, 1).history)), lambda _name: newer)
    assert report.verdict == NOT_ANCHORED
    (edition,) = (check for check in report.checks if check.name == "edition")
    assert "another source" in edition.detail


def test_an_engine_that_differs_is_named_at_the_event():
    lines = {name: row for name, row in RULES.content["lines"].items() if name != "top"}
    other = replace(RULES, content={"lines": lines})
    found = []
    for seed in range(30):
        history = played(seed=seed).history
        board: Any = history.at()
        if board.state.line == "top":
            report = verify(io.BytesIO(bundled(history)), lambda _name: other)
            found.append(next((check.name, check.version) for check in report.failed))
            assert report.verdict == Verdict.INVALID.value
            assert found[-1] == ("outcome", history.tip.version - 1)
    assert found


def test_rules_that_are_not_known_leave_it_incomplete():
    def nothing(name: str) -> Ruleset:
        raise Refused("unknown_ruleset", "", "", {"ruleset": name})

    for journal in (played(FULL_PLAN, 1), started(FULL_PLAN, 1), eventful(FULL_PLAN, 1)):
        report = verify(io.BytesIO(bundled(journal.history)), nothing)
        assert report.verdict == Verdict.INCOMPLETE.value, report.failed
        assert all(status(report)[name] == "ok" for name in ("frame", "chain", "life", "openings"))


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_redacted_copy_verifies_to_the_same_head(viewer: Viewer):
    for seed in range(10):
        for journal in (played(FULL_PLAN, seed, 1), started(FULL_PLAN, seed)):
            whole, cut = report_of(journal.history), report_of(journal.history, viewer)
            assert {cut.verdict, whole.verdict} <= set(CLEAN)
            assert cut.head == whole.head


def test_what_a_copy_does_not_disclose_is_said():
    journal = started(replace(FULL_PLAN, options=(("opening", "sealed"),)))
    journal.decide(0, journal.match().options(0)[3])
    found = status(report_of(journal.history, None))
    left = {name for name, what in found.items() if what == "not disclosed"}
    assert left >= {"legality", "outcome", "chance"}
    assert status(report_of(journal.history, 0))["legality"] == "ok"


@pytest.mark.parametrize("openings", ["all", "some"])
def test_openings_can_be_left_out_of_any_bundle(openings: str):
    rng = random.Random(4)
    for seed in range(20):
        history = played(FULL_PLAN, seed, seed % 3).history
        loose = loosened(bundled(history))
        for line in loose.lines:
            if openings == "all" or rng.random() < 0.3:
                line.openings.clear()
        report = judged(relinked(loose))
        assert report.verdict == Verdict.PARTLY.value, report.failed
        assert report.head == history.tip.head.hex()


# --- the fast reading -----------------------------------------------------------------------------


def test_a_fast_reading_folds_nothing():
    whole = bundled(played(FULL_PLAN, 1).history)
    report = judged(whole, fast=True)
    assert report.verdict == Verdict.CHAIN.value
    assert {name for name, what in status(report).items() if what == "ok"} == set(FAST) - {"anchor"}


def test_a_fast_reading_still_checks_chain_life_and_openings():
    loose = loosened(bundled(played(FULL_PLAN, 1).history))
    salt, plain = loose.lines[4].openings["outcome"]
    loose.lines[4].openings["outcome"] = (salt, plain[:-1] + b"?")
    report = judged(relinked(loose), fast=True)
    assert [check.name for check in report.failed] == ["openings"]
    assert report.verdict == Verdict.INVALID.value


# --- nothing but a report -------------------------------------------------------------------------


def named(whole: bytes) -> set[str]:
    """The checks that fail; every verdict of these must be INVALID, and no exception escape."""
    failed: set[str] = set()
    for fast in (False, True):
        report = judged(whole, fast=fast)
        assert report.verdict == Verdict.INVALID.value
        failed |= {check.name for check in report.failed}
    return failed


def test_a_bundle_cut_anywhere_fails_by_its_frame():
    whole = bundled(played(FULL_PLAN, 1, 1).history)
    sizes = [*range(60), *range(60, len(whole), 37), *range(len(whole) - 60, len(whole))]
    for size in sizes:
        assert named(whole[:size]) == {"frame"}


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"HEGEMON2",
        MAGIC,
        MAGIC + b"\0\0\0\0",
        MAGIC + b"\xff\xff\xff\xff",
        MAGIC + (RECORD_BYTES_MAX + 1).to_bytes(4, "big") + b"x" * 10,
        MAGIC + b"\0\0\0\1\xc1",
        MAGIC + b"\0\0\x20\0" + b"\x91" * 0x2000,
    ],
)
def test_garbage_fails_by_its_frame(garbage: bytes):
    assert named(garbage) == {"frame"}


def test_ten_megabytes_of_garbage_fail_by_their_frame():
    garbage = random.Random(2).randbytes(10_000_000)
    assert named(garbage) == {"frame"}
    assert named(MAGIC + (len(garbage)).to_bytes(4, "big") + garbage) == {"frame"}


@pytest.mark.parametrize("more", [b"\0", b"\n", MAGIC])
def test_trailing_bytes_fail_by_their_frame(more: bytes):
    assert named(bundled(played(FULL_PLAN, 1).history) + more) == {"frame"}


def test_a_flipped_byte_is_always_found():
    whole = bundled(played(FULL_PLAN, 2).history)
    rng = random.Random(3)
    for place in [*rng.sample(range(len(whole)), 500), *range(len(whole) - 200, len(whole))]:
        changed = bytearray(whole)
        changed[place] ^= 1 << rng.randrange(8)
        report = judged(bytes(changed))
        assert report.verdict == Verdict.INVALID.value, f"byte {place} of {len(whole)}"
        assert report.failed


def somewhere(line: Line, rng: random.Random) -> dict[str, Any]:
    """The body, its act or its decision: something with fields to change."""
    parts = [line.body, line.act, line.body.get("decision")]
    return rng.choice([part for part in parts if part])


VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 5, (1 << 53) - 1, "", "x", b"", bytes(32), [], {}, [[]],
)  # fmt: skip


@pytest.mark.parametrize("cases", [150, pytest.param(1_500, marks=pytest.mark.full)])
def test_random_values_in_event_bodies_never_escape(cases: int):
    """Any field of any body becomes any value, and everything is linked anew around it."""
    rng = random.Random(7)
    whole = bundled(eventful(FULL_PLAN, 3).history)
    verdicts: Counter[str] = Counter()
    for _ in range(cases):
        loose = loosened(whole)
        part = somewhere(rng.choice(loose.lines), rng)
        name = rng.choice(sorted(part))
        if name not in {"seats", "seeds", "act"}:  # seats without end: test_hostile.py
            part[name] = rng.choice(VALUES)
            loose.parents_stay = True
            loose.overlay_hash_stays = True
            verdicts[judged(bound(loose)).verdict] += 1
    assert verdicts[Verdict.INVALID.value] > cases * 0.45
    assert set(verdicts) <= {verdict.value for verdict in Verdict}
