"""Terms: what is in force, in which layer, and how a match moves from one to another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from ledger.kernel.accounts import Accounts
from ledger.kernel.audience import Open
from ledger.kernel.chance import Rolled
from ledger.kernel.fold import begin, fold
from ledger.kernel.records import Decision
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Erratum
from ledger.kernel.terms import Terms, decision_bytes, facts_bytes, move_to_terms
from ledger.log.format.canonical import encode
from tests.support.given import given, match_of
from tests.support.kernel.workbench import BENCH, TOOLS, Bench, Do, Knock, Knocking, Noted, Work


class WorkLater(Work, tag="Work"):
    """`bench.work` under erratum b3: it knows how long it waits."""

    hours: Open[int] = 0


class WorkLonger(WorkLater, tag="Work"):
    """`bench.work` under erratum b4: and why."""

    why: Open[str] = ""


class KnockingTwice(Knocking, tag="Knocking"):
    """`bench.knock` under erratum b5: everything is noted twice."""

    def decide(self, bench: Bench, seat: int, knock: Knock):
        yield Noted("knock, knock")


def erratum(name: str, **changes) -> Erratum:
    return Erratum(id=name, date="2026-01-01", source="", text="", **changes)


ERRATA = (
    erratum("b1", readings={"wood": "ash", "speed": 4}),
    erratum("b2", content={"tools": {"saw": {"weight": 4}, "plane": None, "axe": {"weight": 9}}}),
    erratum("b3", replaces={Work: WorkLater}),
    erratum("b4", replaces={WorkLater: WorkLonger}),
    erratum("b5", replaces={Knocking: KnockingTwice}),
    erratum("b6", content={"tools": {"plane": {"weight": 2}, "axe": None, "saw": {"weight": 3}}}),
)  # fmt: skip
RULES = replace(BENCH, errata=ERRATA)


def terms(edition: str = "printed", **rest) -> Terms:
    return Terms(RULES, edition, **rest)


# --- layers ---------------------------------------------------------------------------------------


def test_an_option_wins_over_the_overlay_and_that_over_the_edition_and_that_over_print():
    overlay = {"readings": {"values": {"speed": 5}}}
    assert terms().values["speed"] == 3
    assert terms("b1").values["speed"] == 4
    assert terms("b1", overlay=overlay).values["speed"] == 5
    assert terms("b1", overlay=overlay, options={"speed": 6}).values["speed"] == 6


def test_content_is_the_overlay_s_else_the_edition_s_else_as_printed():
    overlay = {"tools": {"saw": {"weight": 5}}}
    weights = [
        terms(edition, overlay=laid).tables["tools"]["saw"].weight
        for edition, laid in [("printed", None), ("b2", None), ("b2", overlay)]
    ]
    assert weights == [3, 4, 5]
    assert [*terms("b2").tables["tools"]] == ["saw", "awl", "axe"]
    assert terms("b2").tables["tools"]["saw"].id == "saw"


def test_an_edition_has_all_errata_up_to_its_own():
    assert terms("b4").values["wood"] == "ash"
    assert terms("b4").tables["tools"]["saw"].weight == 4


def test_an_edition_that_there_is_not_is_refused():
    with pytest.raises(Refused) as refusal:
        terms("b9" * 100)
    assert refusal.value.code == "unknown_edition"
    assert len(refusal.value.evidence["edition"]) == 80
    assert refusal.value.evidence["known"] == "printed, b1, b2, b3, b4, b5, b6"


@pytest.mark.parametrize(
    ("where", "known"), [("options", "loud, speed"), ("overlay", "loud, speed, wood")]
)
def test_a_reading_that_there_is_not_is_refused(where: str, known: str):
    given_values = {"colour": 1}
    rest = {"options": given_values, "overlay": {"readings": {"values": given_values}}}
    with pytest.raises(Refused) as refusal:
        terms(**{where: rest[where]})
    assert refusal.value.code == "unknown_reading"
    assert refusal.value.evidence["known"] == known


def test_only_what_the_readings_offer_as_an_option_can_be_chosen_as_one():
    """`option = true`: a match may choose it when it is created. `wood` has no such line."""
    with pytest.raises(Refused) as refusal:
        terms(options={"wood": "ash"})
    assert refusal.value.code == "unknown_reading"


def test_the_printed_content_is_not_touched_by_an_overlay():
    terms("b2", overlay={"tools": {"awl": None}})
    assert [*BENCH.content["tools"]] == ["saw", "plane", "awl"]
    assert [*terms().tables["tools"]] == ["saw", "plane", "awl"]


@pytest.mark.parametrize("laid", [{"wood": "ash"}, {"values": 5}, {"values": ["wood"]}, 5], ids=str)
def test_an_overlay_of_readings_that_is_none_is_refused(laid: Any):
    """It would have no effect, or fail with an error of Python's."""
    with pytest.raises(Refused):
        terms(overlay={"readings": laid})


# --- differences ----------------------------------------------------------------------------------


def test_equal_terms_do_not_differ():
    for edition in RULES.editions:
        assert terms(edition).differences(terms(edition)) == frozenset()


@pytest.mark.parametrize(
    ("before", "after", "differences"),
    [
        ("printed", "b1", {("reading", "wood"), ("reading", "speed")}),
        ("b1", "b2", {("rows", "tools"), ("cell", "tools", "saw", "weight")}),
        ("b2", "b3", {("record", "Work")}),
        ("b4", "b5", {("record", "Knocking")}),
    ],
)
def test_differences_are_what_a_rule_use_index_would_have_noted(before, after, differences):
    assert differences <= terms(before).differences(terms(after))
    assert terms(before).differences(terms(after)) == terms(after).differences(terms(before))


def test_rows_in_another_order_differ_as_a_set():
    """A rule that goes through the rows and takes the first that fits would take another."""
    assert [*terms("b6").tables["tools"]] != [*terms("b1").tables["tools"]]
    assert ("rows", "tools") in terms("b1", overlay={}).differences(terms("b6"))


def test_a_class_that_is_replaced_twice_differs_under_its_printed_name():
    assert ("record", "Work") in terms("b3").differences(terms("b4"))
    assert ("record", "Work") in terms("printed").differences(terms("b4"))


def test_a_standing_question_that_is_replaced_matters_to_a_line_that_answered_it():
    before, after = terms("b4"), terms("b5")
    match = given(match_of(before)).when(0, Knock()).then(Noted("nothing")).match
    given(match_of(after)).when(0, Knock()).then(Noted("knock, knock"))
    assert before.differences(after) & match.used.keys()


# --- bytes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", RULES.editions)
def test_a_snapshot_reads_back_under_the_same_terms(edition: str):
    match = given(match_of(terms(edition))).when(0, Do("nothing")).match
    held = match.terms.snapshot(match)
    again = match.terms.restore(held, match.used)
    assert (again.version, again.state, again.agenda) == (2, match.state, match.agenda)
    assert [type(item) for item in again.agenda] == [type(item) for item in match.agenda]
    assert again.terms.snapshot(again) == held


def test_a_snapshot_keeps_the_fields_that_an_erratum_has_added():
    match = terms("b4").match(
        7, Bench(notes=[], accounts=Accounts.opened("nails")), [WorkLonger((0,), 5, "rain")]
    )
    again = match.terms.restore(match.terms.snapshot(match))
    assert again.agenda == [WorkLonger((0,), 5, "rain")]
    assert type(again.agenda[0]) is WorkLonger


def test_a_restored_match_shares_nothing_with_the_first():
    match = given(match_of(terms())).match
    again = match.terms.restore(match.terms.snapshot(match), match.used)
    before = match.terms.snapshot(match)
    fold(again, 0, Do("nothing"))
    assert match.terms.snapshot(match) == before
    assert again.used != match.used


def test_the_bytes_of_facts_and_decisions_are_canonical():
    facts = [Noted("ö"), Noted("b")]
    assert facts_bytes(facts) == encode([msgspec.to_builtins(fact) for fact in facts])
    assert decision_bytes(Rolled((2, 1))) == encode({"type": "chance.rolled", "values": [2, 1]})


# --- moving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", RULES.editions)
@pytest.mark.parametrize("before", RULES.editions)
def test_what_is_pending_becomes_what_is_in_force(before: str, after: str):
    match = given(match_of(terms(before))).match
    moved = move_to_terms(match, terms(after))
    fresh = given(match_of(terms(after))).match
    assert [type(item) for item in moved.agenda] == [type(item) for item in fresh.agenda]
    assert moved.version == match.version
    assert moved.used == match.used
    assert moved.used is not match.used


def test_a_pending_record_keeps_its_fields_and_loses_those_that_are_not_known_yet():
    match = given(match_of(terms("b4"))).match
    match.agenda[-1] = WorkLonger((1,), 5, "rain")
    assert move_to_terms(match, terms("b3")).agenda == [WorkLater((1,), 5)]
    assert move_to_terms(match, terms("b2")).agenda == [Work((1,))]
    back = move_to_terms(move_to_terms(match, terms("b3")), terms("b4"))
    assert back.agenda == [WorkLonger((1,), 5, "")]


def test_the_rules_in_force_after_a_move_are_the_new_ones():
    match = given(match_of(terms())).match
    moved = move_to_terms(match, terms("b5"))
    given(moved).when(1, Knock()).then(Noted("knock, knock"))
    assert TOOLS.of(moved.state)["saw"].weight == 4


# --- replaced decisions and facts -----------------------------------------------------------------


class DoTwice(Do, tag="bench.do"):
    """Erratum b7: how often."""

    times: Open[int] = 2


class NotedTwice(Noted, tag="bench.noted"):
    """Erratum b8: a note is taken down twice."""

    def apply(self, bench: Bench) -> None:
        bench.notes += [self.text, self.text]


def test_a_fact_that_is_replaced_happens_as_in_force():
    rules = replace(BENCH, errata=(erratum("b8", replaces={Noted: NotedTwice}),))
    sentence = given(match_of(rules, edition="b8")).when(0, Do("nothing"))
    sentence.then(NotedTwice("nothing"))
    assert sentence.state.notes == ["nothing", "nothing"]
    assert sentence.match.used["record", "Noted"] == 2


def test_a_decision_that_is_replaced_is_answered_as_it_is_read_back():
    """The log reads decisions as the types in force; the question must know them."""
    try:
        rules = replace(BENCH, errata=(erratum("b7", replaces={Do: DoTwice}),))
    except TypeError:
        return  # refused when the ruleset is made: as good
    match = match_of(rules, edition="b7")
    begin(match)
    read_back = msgspec.msgpack.decode(decision_bytes(Do("nothing")), type=match.terms.decisions[0])
    assert fold(match, 0, read_back)


def test_decisions_are_read_by_wire_name():
    answers: tuple[type[Decision], ...] = Terms(BENCH).decisions
    assert {kind.__struct_config__.tag for kind in answers} >= {"bench.do", "bench.knock"}


def test_a_match_begins_with_what_is_in_force():
    assert type(terms("b4").open_match(2).agenda[0]) is WorkLonger
