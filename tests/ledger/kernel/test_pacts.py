"""Promises are judged on any facts: patterns, conditions and amounts."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from ledger.games import ruleset
from ledger.kernel.audience import check_record, view
from ledger.kernel.pacts import (
    BY,
    Condition,
    Pattern,
    PromiseMeaning,
    Window,
    check_pacts,
    having,
    lacking,
    value_at,
)
from ledger.kernel.ruleset import Shown
from ledger.log.format.canonical import decode, encode

SEEN = {
    "type": "fight.begun",
    "seat": 1,
    "side": {"seat": 2, "units": [4, 5]},
    "where": "K1",
    "hand": {"hidden": 3},
}


def test_a_path_goes_through_records_and_lists():
    assert value_at(SEEN, "side.seat") == 2
    assert value_at(SEEN, "side.units.0") == 4
    assert value_at(SEEN, "side.units.-1") == 5
    for nowhere in ("other", "side.other", "side.units.2", "side.units.-3", "where.0", "seat.seat"):
        assert value_at(SEEN, nowhere) is None


def test_what_is_hidden_fits_nothing():
    assert not having("hand", 3).holds(SEEN, None)
    assert not Condition(paths=("hand",), test="least", values=(0,)).holds(SEEN, None)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (having("seat", 1), True),
        (having("seat", 0, 1), True),
        (having("seat", 2), False),
        (having(("seat", "side.seat"), 2), True),
        (lacking("seat", 1), False),
        (lacking(("seat", "side.seat"), 2), False),
        (lacking(("seat", "side.seat"), 3), True),
        (having("where", "K1"), True),
        (having(BY, 7), True),
        (having(BY, 1), False),
        (lacking(BY, 7), False),
        (Condition(paths=("seat",), test="least", values=(1,)), True),
        (Condition(paths=("seat",), test="least", values=(2,)), False),
        (Condition(paths=("side.seat",), test="most", values=(2,)), True),
        (Condition(paths=("side.seat",), test="most", values=(1,)), False),
        (Condition(paths=("where",), test="least", values=(0,)), False),
    ],
    ids=str,
)
def test_a_condition_holds_or_does_not(condition, holds):
    assert condition.holds(SEEN, 7) == holds


def test_a_pattern_asks_for_the_type_and_for_all_conditions():
    pattern = Pattern(facts=("fight.begun", "fight.ended"), where=(having("seat", 1),))
    assert pattern.fits(SEEN)
    assert pattern.fits({**SEEN, "type": "fight.ended"})
    assert not pattern.fits({**SEEN, "type": "fight.won"})
    assert not pattern.fits({**SEEN, "seat": 2})


def test_an_amount_is_a_number_or_counts_a_list():
    meaning = PromiseMeaning(how="at-least", pattern=Pattern(facts=("x",)))
    assert meaning.amount(SEEN) == 1
    assert msgspec.structs.replace(meaning, summed="side.units").amount(SEEN) == 2
    assert msgspec.structs.replace(meaning, summed="side.seat").amount(SEEN) == 2
    assert msgspec.structs.replace(meaning, summed="nothing").amount(SEEN) == 0


def test_a_meaning_is_open_to_all_who_may_read_it_and_can_be_written_down():
    check_record(PromiseMeaning)
    meaning = PromiseMeaning(
        how="never",
        pattern=Pattern(facts=("a", "b"), where=(lacking(("x", "y.-1"), 1, "two"),)),
        window=Window(opens=(Pattern(facts=("c",)),), until=31),
        doubtful=Pattern(facts=("d",)),
    )
    plain = msgspec.to_builtins(meaning)
    packed = encode(plain)
    assert msgspec.convert(decode(packed), PromiseMeaning) == meaning
    assert msgspec.convert(view(meaning, None), PromiseMeaning) == meaning


def test_deals_are_read_from_facts_that_there_are():
    rules = ruleset("hegemonic")
    pacts = rules.audit.pacts
    assert pacts is not None
    check_pacts(pacts, ["deal.proposed", *pacts.reads, *pacts.clock])
    with pytest.raises(TypeError, match=r"deal\.accepted"):
        check_pacts(pacts, {*pacts.reads, *pacts.clock} - {"deal.accepted"})
    with pytest.raises(TypeError, match=r"round\.begun"):
        wrong = replace(rules.audit, pacts=replace(pacts, clock={"round.begun": max}))
        replace(rules, shown=Shown(), audit=wrong, facts=())
