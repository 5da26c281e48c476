"""Trials tell nothing: whatever others hide, who may not know it hears the same.

Of two matches that differ in one secret, every decision that is offered is tried on both.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.preview import Tried, copy_of
from ledger.kernel.records import Decision
from ledger.kernel.refusals import Refused
from ledger.log.write.journal import Journal
from services.matches.play import make_seeded_surroundings
from services.web.play.api import plain_of
from services.web.play.choices import position, try_all
from tests.support.web.pairs import KINDS, Twins, twins

pytestmark = pytest.mark.long

SECRETS = [kind for kind in KINDS if kind != "order of what is unseen"]
TRIED_MAX = 60  # of one seat's decisions: as many as there are, nearly always


def standing(pair: Twins) -> list[Match]:
    """Both matches as they stand."""
    return [Journal(make_seeded_surroundings(one, 1), pair.match).match() for one in pair.stores]


def heard(match: Match, seat: int, decision: dict[str, Any]) -> str:
    """Returns what a trial shows to a seat, and what the seat may choose then."""
    copy = copy_of(match)
    try:
        tried, told = try_all(copy, seat, [{"question": None, "decision": decision}])
    except Refused as refusal:
        return f"{refusal.code} {refusal.rule} {refusal.evidence}"
    after = position(copy if told else None, seat, chooses=True)
    return json.dumps([tried, told, after], sort_keys=True)


@pytest.mark.parametrize("kind", SECRETS)
def test_a_trial_is_the_same_whatever_others_hide(kind: str):
    tried = 0
    for pair in twins(kind, 3, seed=7):
        here, there = standing(pair)
        for seat in [viewer for viewer in pair.blind if viewer is not None]:
            assert position(here, seat, chooses=True) == position(there, seat, chooses=True)
            for decision in offered(here, seat)[:TRIED_MAX]:
                assert heard(here, seat, decision) == heard(there, seat, decision), decision
                tried += 1
    assert tried > 10, "there was something to be tried"


def test_a_trial_that_told_everything_would_be_caught(monkeypatch: pytest.MonkeyPatch):
    """Were it not cut off where something is revealed, the last to choose would see all cards."""

    def telling(copy: Match, seat: int, decision: Decision) -> Tried:
        return Tried(tuple(fold(copy, seat, decision)))

    monkeypatch.setattr("services.web.play.choices.try_out", telling)
    assert any(
        heard(here, seat, decision) != heard(there, seat, decision)
        for pair in twins("sealed action card", 9, seed=7)
        for here, there in [standing(pair)]
        for seat in pair.blind
        if seat is not None
        for decision in offered(here, seat)[:6]
    )


def offered(match: Match, seat: int) -> list[dict[str, Any]]:
    found = list(match.options(seat))
    for question in match.standing(seat):
        found += question.options(match.state, seat)
    return [plain_of(decision) for decision in found]
