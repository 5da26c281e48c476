"""Law 4: a refusal changes nothing: no byte, no note, nothing the door remembers."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from ledger.kernel.chance import Drawn, Rolled
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision
from ledger.kernel.refusals import Refused
from ledger.rules.tictactoe.gifts import Give
from ledger.rules.tictactoe.opening import Write
from ledger.rules.tictactoe.play import Mark
from tests.given import everything
from tests.laws.parlour_chapters import Bid, Play, Tip
from tests.laws.play import ANY_SEED, ANY_VARIANT, VARIANTS, Variant, beginning, whole

STRANGER = 99
WRONG: tuple[Decision, ...] = (
    Rolled((0,)), Rolled((1, 1)), Drawn(0, ()), Mark(-1), Mark(9), Mark(0), Mark(4), Write(9),
    Write(0), Give(0), Give(1), Give(99), Bid(-1), Bid(99), Play("no such card"), Tip(0), Tip(99),
)  # fmt: skip


def refusals(match: Match, attempts: list[Decision]) -> list[str]:
    """The codes of all attempts that are refused now; none of them has changed anything."""
    codes = []
    before = everything(match)
    held = match.terms.snapshot(match)
    for seat in (*range(match.terms.rules.seats.stop - 1), CHANCE, STRANGER):
        for attempt in attempts:
            beside = match.terms.restore(held, match.used)
            try:
                fold(beside, seat, attempt)
            except Refused:
                with pytest.raises(Refused) as refusal:
                    fold(match, seat, attempt)
                codes.append(refusal.value.code)
    assert everything(match) == before
    return codes


def refused_on_the_way(variant: Variant, seed: int) -> Counter[str]:
    """All refusals at each point of a line, which afterwards is the line without them."""
    terms = variant.terms()
    events = whole(terms, seed)
    attempts = [*WRONG, *(event.decision for event in events if event.decision is not None)]
    attempts = list({repr(attempt): attempt for attempt in attempts}.values())
    match, _ = beginning(terms)
    codes = Counter(refusals(match, attempts))
    undisturbed, _ = beginning(terms)
    for event in events[1:]:
        assert event.decision is not None
        assert fold(match, event.seat, event.decision) == event.facts
        fold(undisturbed, event.seat, event.decision)
        assert everything(match) == everything(undisturbed)
        codes.update(refusals(match, attempts))
    return codes


@settings(max_examples=30)
@given(ANY_VARIANT, ANY_SEED)
def test_a_refusal_changes_nothing(variant: Variant, seed: int):
    codes = refused_on_the_way(variant, seed)
    assert {"match_over", "not_asked", "wrong_answer"} <= codes.keys()


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        ("tictactoe", {"no_such_cell", "cell_taken", "centre_first", "chance_pending",
                       "not_allowed", "overdrawn"}),
        ("parlour", {"too_much", "chance_pending", "not_allowed", "overdrawn"}),
    ],
)  # fmt: skip
def test_every_code_that_a_fold_can_raise_is_among_those_tried(rules: str, codes: set[str]):
    seen: set[str] = set()
    for variant in VARIANTS:
        if variant.rules == rules:
            seen |= refused_on_the_way(variant, 6).keys()
    assert seen == codes | {"match_over", "not_asked", "wrong_answer"}
