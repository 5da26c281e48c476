"""Random play itself: what it is tried on, and that it comes to what the laws are about."""

from __future__ import annotations

from collections import Counter

import pytest

from ledger.kernel.records import tag_of
from tests.support.laws.play import ONE_IN, RULESETS, VARIANTS, values_of, whole


@pytest.mark.parametrize("name", RULESETS)
def test_every_edition_option_and_number_of_seats_is_in_some_variant(name: str):
    rules = RULESETS[name]
    variants = [variant for variant in VARIANTS if variant.rules == name]
    options = [reading for reading in rules.readings.values() if reading.option]
    chosen = {choice for variant in variants for choice in variant.options}
    assert {variant.edition for variant in variants} == set(rules.editions)
    assert {variant.seats for variant in variants} == set(rules.seats)
    assert chosen == {(one.id, value) for one in options for value in values_of(one)}
    assert any(not variant.options for variant in variants)
    assert len(variants) <= 12 or name not in ONE_IN


@pytest.mark.long
def test_random_matches_of_hegemonic_have_conflicts_support_deals_and_leaders():
    facts: Counter[str] = Counter()
    for variant in VARIANTS:
        if variant.rules == "hegemonic":
            for event in whole(variant.party(), 3):
                facts.update(tag_of(fact) for fact in event.facts)
    assert facts["conflict.begun"] >= 20
    for tag in (
        "conflict.card-committed", "conflict.supported", "conflict.lost", "deal.proposed",
        "deal.accepted", "draft.card-kept", "leader.activated", "setup.tiles-added",
    ):  # fmt: skip
        assert facts[tag], tag
