"""A check finds each change of a receipt, a head, a proof, a tile or a redacted bundle."""

from __future__ import annotations

import pytest

from tests.support.anchors.tampering import CASES, KINDS, clean, finding

LANDING, CLEAN_LANDING, CLEAN = 34, 100, 1_000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "cases",
    [
        range(LANDING),
        pytest.param(range(LANDING, CASES), marks=[pytest.mark.full, pytest.mark.timeout(3_600)]),
    ],
    ids=str,
)
def test_what_is_changed_and_repaired_is_found(kind: str, cases: range) -> None:
    """More than 500 changes at landing size; more than 10,000 at full size."""
    found = [finding(kind, case) for case in cases]
    assert [one for one in found if not one.outcome] == []


@pytest.mark.parametrize(
    "numbers",
    [range(CLEAN_LANDING), pytest.param(range(CLEAN_LANDING, CLEAN), marks=pytest.mark.full)],
    ids=str,
)
def test_what_nobody_has_touched_raises_no_alarm(numbers: range) -> None:
    assert [number for number in numbers if clean(number)] == []
