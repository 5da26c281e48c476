"""The playthroughs of Hegemonic have in them what they were recorded for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.kernel.records import tag_of
from tests.support.playthroughs.effects import effects_in
from tests.support.playthroughs.playing import FOLDER
from tests.support.playthroughs.recording import MATCHES
from tests.support.playthroughs.rounds import folds_of

HEGEMONIC = FOLDER / "hegemonic"


def plans() -> list[dict[str, Any]]:
    scripts = sorted(HEGEMONIC.glob("*.folds"))
    return [json.loads(script.read_text("utf-8").partition("\n")[0]) for script in scripts]


def test_each_number_of_seats_and_each_optional_rule_has_a_playthrough():
    found = plans()
    assert {plan["seats"] for plan in found if not plan["options"]} == {2, 3, 4, 5, 6}
    wanted = {
        ("opt.piles", True), ("opt.draft", True), ("opt.long", True), ("opt.wild", True),
        ("opt.leaders", "dealt"), ("opt.leaders", "chosen"), ("layout", "free"),
        ("learning", True),
    }  # fmt: skip
    assert wanted == {option for plan in found for option in plan["options"].items()}


def test_what_was_recorded_is_what_is_kept():
    assert {script.stem for script in HEGEMONIC.glob("*.folds")} == set(MATCHES)


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("four-seats", {"conflict.supported", "deal.accepted", "piece.gate-placed"}),
        ("wild-homes", {"conflict.supported"}),
        ("draft", {"draft.card-kept", "draft.packets-passed"}),
        ("leaders-dealt", {"setup.leader-taken", "leader.activated"}),
        ("leaders-chosen", {"setup.leader-taken", "leader.activated"}),
        ("learning-game", {"conflict.top-card-turned"}),
    ],
)
def test_what_a_playthrough_is_for_is_in_it(name: str, tags: set[str]):
    facts = [fact for one in folds_of(HEGEMONIC / f"{name}.folds") for fact in one.facts]
    assert tags <= {tag_of(fact) for fact in facts}


@pytest.mark.long
def test_every_technology_is_seen_at_work():
    found = {technology for _, technology in effects_in(HEGEMONIC / "every-technology.folds")}
    assert found == set(ruleset("hegemonic").content["technologies"])
