"""An audit finds what was changed and names its rule, and raises no alarm where nothing was."""

from __future__ import annotations

import io
import random

import pytest

from ledger.games import ruleset
from ledger.log.read.history import History
from ledger.log.read.seek import snapshot_of
from replays.audit.auditor import ServiceRecords, audit_file, audit_history
from replays.audit.document import CHECKS, Audit, pack_document
from replays.audit.report import report_audit
from replays.report.html import page
from replays.report.text import text
from replays.verify.verifier import Verdict
from services.matches.exports import static_text
from tests.support.log.matches import FULL_PLAN, STAKED, bundled, eventful, played, started
from tests.support.replays.auditing import BY_OUTCOME, CHANGES, audit_of, clean, lied, sample
from tests.support.replays.gathered import gathered, viewers
from tests.support.replays.loose import loosened, relinked
from tests.support.replays.oracle import agrees
from tests.support.replays.saying import CLEAN
from tests.support.replays.tampering import kinds, tampered

LANDING_LIES, FULL_LIES = 1, 250
LANDING_CLEAN, FULL_CLEAN = 20, 1_000


def statuses(audit: Audit) -> dict[str, str]:
    return {check.name: check.status for check in audit.checks}


# --- clean ones -----------------------------------------------------------------------------------


def test_a_whole_match_passes_every_check_that_a_file_can_be_asked():
    audit = audit_of(sample())
    assert tuple(statuses(audit)) == CHECKS
    assert statuses(audit) == dict.fromkeys(CHECKS, "ok") | {"snapshots": "not checked"}
    assert audit.verdict == Verdict.NOT_ANCHORED.value
    assert len(audit.conflicts) == 29
    assert all(claim.right for conflict in audit.conflicts for claim in conflict.claims)
    assert sum(len(one.lines) for conflict in audit.conflicts for one in conflict.claims) > 300
    assert sum(account.balance for account in audit.accounts) == 0


@pytest.mark.parametrize(
    "numbers",
    [
        range(LANDING_CLEAN),
        pytest.param(
            range(LANDING_CLEAN, FULL_CLEAN), marks=[pytest.mark.full, pytest.mark.timeout(3_600)]
        ),
    ],
    ids=str,
)
def test_no_clean_bundle_raises_an_alarm(numbers: range):
    for number in numbers:
        audit = audit_of(clean(number))
        assert audit.failed == [], number
        assert audit.verdict in CLEAN


@pytest.mark.parametrize("name", list(gathered()))
def test_no_viewer_of_an_honest_match_is_alarmed(name: str):
    history = gathered()[name]
    for viewer in (*[one for one in viewers(history) if one is None or one >= 0], "all"):
        audit = audit_history(history, viewer)
        assert audit.failed == [], viewer
        from_file = audit_file(io.BytesIO(bundled(history, viewer)), ruleset)
        assert pack_document(from_file) == pack_document(audit)


def test_a_running_match_is_audited_as_far_as_its_reader_may_know():
    journal = started(FULL_PLAN, 3)
    for viewer in (0, 1, None):
        audit = audit_history(journal.history, viewer)
        assert audit.failed == []
        assert audit.verdict == Verdict.PARTLY.value
        assert statuses(audit)["outcome"] == "not disclosed"


# --- what is found --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize(
    "cases",
    [
        range(LANDING_LIES),
        pytest.param(
            range(LANDING_LIES, FULL_LIES), marks=[pytest.mark.full, pytest.mark.timeout(3_600)]
        ),
    ],
    ids=str,
)
def test_a_log_that_states_another_number_is_found_and_named(kind: str, cases: range):
    for case in cases:
        whole, version = lied(kind, random.Random(f"{kind} {case}"))
        audit = audit_of(whole)
        assert audit.verdict == Verdict.INVALID.value
        assert statuses(audit)["outcome"] == "failed"
        findings = [one for check in audit.failed for one in check.findings]
        assert {version} == {event for one in findings for event in one.events}
        if kind not in BY_OUTCOME:
            counted = [
                one for check in audit.failed if check.name != "outcome" for one in check.findings
            ]
            assert counted, kind
            assert all(one.rule and one.needed != one.has for one in counted)


def test_an_altered_power_is_named_with_its_piece_its_rule_and_both_figures():
    whole, version = lied("a power", random.Random(5))
    [check] = [one for one in audit_of(whole).failed if one.name == "conflicts"]
    [finding] = check.findings
    assert finding.events == [version]
    [needed], [has] = finding.needed, finding.has
    assert has["value"] == needed["value"] + 1
    assert finding.rule == needed["rule"]
    assert needed["piece"] == has["piece"]


@pytest.mark.parametrize(
    "cases",
    [range(1), pytest.param(range(1, 160), marks=[pytest.mark.full, pytest.mark.timeout(7_200)])],
    ids=str,
)
def test_what_is_changed_and_repaired_is_detected_or_honestly_not_anchored(cases: range):
    """60 and more changes at landing size; more than 10,000 at full size."""
    judged = 0
    for kind, level in kinds():
        for case in cases:
            _, false, _ = tampered(kind, level, case)
            audit = audit_of(false)
            judged += 1
            if agrees(loosened(false)):
                assert audit.verdict in CLEAN, (kind, level, case)
                assert audit.failed == []
            else:
                assert audit.verdict == Verdict.INVALID.value, (kind, level, case)
                assert audit.failed, (kind, level, case)
    assert judged >= 60 * len(cases)


def test_a_log_that_goes_back_to_before_its_start_is_named_and_ends_no_audit():
    # Nothing was told of its first event when it comes back there.
    _, false, _ = tampered("rewound to", "recommitted", 2)
    audit = audit_of(false)
    assert audit.verdict == Verdict.INVALID.value
    assert audit.failed


# --- what the service gives beside the log --------------------------------------------------------


def with_snapshots(history: History) -> list[object]:
    found = []
    for moment in history.replay():
        if moment.match is not None and moment.version % 3 == 0:
            head = history.events[moment.version - 1].head
            found.append(snapshot_of(moment.match, moment.version, head))
    return found


def test_a_seat_that_is_said_to_have_answered_for_another_is_named():
    loose = loosened(clean(0))
    place = next(n for n in loose.places("answer") if loose.lines[n].body["seat"] == 0)
    loose.lines[place].body["by"]["seat"] = 1
    audit = audit_of(relinked(loose))
    [finding] = next(one for one in audit.checks if one.name == "submitters").findings
    assert (audit.verdict, finding.events) == (Verdict.INVALID.value, [place + 1])


def test_stored_snapshots_are_compared_with_a_fresh_fold():
    import msgspec

    history = played(FULL_PLAN, 4).history
    good = with_snapshots(history)
    assert len(good) > 1
    audit = audit_history(history, "all", ServiceRecords(snapshots=good))  # type: ignore[arg-type]
    assert statuses(audit)["snapshots"] == "ok"
    wrong = msgspec.structs.replace(good[1], held=good[0].held)  # type: ignore[attr-defined]
    audit = audit_history(history, "all", ServiceRecords(snapshots=[good[0], wrong]))  # type: ignore[list-item]
    [check] = audit.failed
    assert check.name == "snapshots"
    assert check.findings[0].events == [wrong.version]


def test_rewinds_and_another_edition_are_followed_line_by_line():
    for seed in range(6):
        for history in (played(STAKED, seed, 3).history, eventful(FULL_PLAN, seed).history):
            audit = audit_history(history)
            assert audit.failed == []
            held = {one.account: one.balance for one in audit.accounts}
            match = history.at()
            assert match is not None
            balances = match.state.accounts.balances.get("chips", {})
            assert {name: n for name, n in held.items() if n} == {
                n: v for n, v in balances.items() if v
            }


# --- the report -----------------------------------------------------------------------------------


def test_the_same_log_gives_the_same_bytes_in_every_form():
    first, second = audit_of(sample()), audit_of(sample())
    assert pack_document(first) == pack_document(second)
    reports = [report_audit(first), report_audit(second)]
    assert text(reports[0]) == text(reports[1])
    assert page(reports[0], static_text) == page(reports[1], static_text)


def test_the_page_has_no_script_and_asks_for_nothing():
    made = page(report_audit(audit_of(sample())), static_text).decode()
    for never in ("<script", "src=", "href=", "@import", "url("):
        assert never not in made
    assert made.count("<section id=") == 29
    assert '<th scope="col">Rule</th>' in made


def test_names_cannot_put_anything_into_the_page():
    audit = audit_of(clean(0))
    audit.title = audit.seats[0] = "<script>alert(1)</script>"
    audit.submitters[0].name = '"><img src=x>'
    made = page(report_audit(audit), static_text).decode()
    assert "<script" not in made
    assert "<img" not in made
