"""A ruleset is checked when it is made, and reads decisions from outside."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from ledger.games import GAMES, ruleset, rulesets
from ledger.games.tictactoe import begin, ending, gifts, opening, play
from ledger.games.tictactoe.errata import TurnOffCentre
from ledger.games.tictactoe.play import Mark
from ledger.kernel.audience import Open
from ledger.kernel.chance import ChanceQuestion, Dealt, Roll, Rolled
from ledger.kernel.records import Decision, Fact, Question, Step
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import INT_MAX, Erratum
from tests.support.kernel.workbench import BENCH, Do, Tell, Work

TICTACTOE = ruleset("tictactoe")


# --- the shelf ------------------------------------------------------------------------------------


def test_every_game_is_on_the_shelf_under_its_own_name():
    assert {name: rules.name for name, rules in rulesets().items()} == {n: n for n in GAMES}


def test_a_game_that_there_is_not_is_refused():
    with pytest.raises(Refused) as refusal:
        ruleset("no such game" * 20)
    assert refusal.value.code == "unknown_ruleset"
    assert len(refusal.value.evidence["ruleset"]) == 80


def test_a_ruleset_is_made_of_all_records_of_its_chapters_and_of_none_that_only_replaces():
    chapters = [begin, opening, play, ending, gifts]
    defined = {
        kind
        for chapter in chapters
        for kind in vars(chapter).values()
        if isinstance(kind, type)
        and issubclass(kind, Decision | Fact | Step | Question)
        and kind.__module__ == chapter.__name__
    }
    listed = {*TICTACTOE.agenda, *TICTACTOE.decisions, *TICTACTOE.facts}
    assert defined <= listed
    assert TurnOffCentre not in listed
    assert all(kind in defined or kind.__module__.startswith("ledger.kernel") for kind in listed)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_s_source_is_named_by_its_hash(name: str):
    assert len(ruleset(name).source) == 64


# --- what is refused when it is made --------------------------------------------------------------


class Nameless(Decision):
    pass


class NamelessFact(Fact):
    pass


class Unruly(Step):
    """It cites nothing."""


class Unanswerable(Question):
    """`bench.nothing`: nobody knows how to answer it."""


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"decisions": [Nameless]}, "wire name"),
        ({"facts": [NamelessFact]}, "wire name"),
        ({"agenda": [Unruly]}, "cites no rule"),
        ({"agenda": [Unanswerable]}, "which decisions answer"),
    ],
)
def test_a_record_that_is_not_fit_for_play_is_refused(changes: dict[str, Any], reason: str):
    with pytest.raises(TypeError, match=reason):
        replace(BENCH, **changes)


class AnotherDo(Decision, tag="bench.do"):
    pass


class AnotherTell(Step, tag="Tell"):
    """`bench.tell`: under a name that is taken."""


class AnotherNoted(Fact, tag="bench.noted"):
    pass


@pytest.mark.parametrize(
    "changes",
    [
        {"decisions": [*BENCH.decisions, AnotherDo]},
        {"agenda": [*BENCH.agenda, AnotherTell]},
        {"facts": [*BENCH.facts, AnotherNoted]},
    ],
    ids=["decisions", "agenda", "facts"],
)
def test_two_records_of_one_wire_name_are_refused(changes: dict[str, Any]):
    """Neither log nor snapshot could tell them apart."""
    with pytest.raises(TypeError):
        replace(BENCH, **changes)


class WorkByAnotherName(Work, tag="Toil"):
    """`bench.work` under erratum x."""


class WorkUnderNoErratum(Work, tag="Work"):
    """`bench.work` as it should be."""


class WorkWithMore(Work, tag="Work"):
    """`bench.work` under erratum x."""

    hours: Open[int] = 8


class WorkWithoutAudience(Work, tag="Work"):
    """`bench.work` under erratum x."""

    hours: int = 8


class WorkWithLess(Question, tag="Work"):
    """`bench.work` under erratum x."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Do,)


class TellWithNeed(Step, tag="Tell"):
    """`bench.tell` under erratum x."""

    text: Open[str]
    voice: Open[str]


class WorkByStep(Step, tag="Work"):
    """`bench.work` under erratum x: it asks nobody any more."""

    seats: Open[tuple[int, ...]] = (0,)


def erratum(name: str = "x", **changes: Any) -> Erratum:
    return Erratum(id=name, date="", source="", text="", **changes)


@pytest.mark.parametrize("names", ["", "printed", "x+y", "x y x"])
def test_errata_whose_names_are_no_names_of_editions_are_refused(names: str):
    with pytest.raises(TypeError, match="an edition has its name"):
        replace(BENCH, errata=[erratum(name) for name in names.split(" ")])


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (Work, WorkByAnotherName, "wire name Work"),
        (Work, WorkUnderNoErratum, "name the erratum"),
        (Work, WorkWithLess, "keep the fields"),
        (Work, WorkWithoutAudience, "names no audience"),
        (Tell, TellWithNeed, "give new ones a default"),
    ],
)
def test_a_class_that_cannot_take_the_other_s_place_is_refused(old: Any, new: Any, reason: str):
    with pytest.raises(TypeError, match=reason):
        replace(BENCH, errata=[erratum(replaces={old: new})])


def test_a_class_that_can_take_the_other_s_place_is_taken():
    rules = replace(BENCH, errata=[erratum(replaces={Work: WorkWithMore})])
    assert rules.editions == ("printed", "x")


def test_a_step_cannot_take_a_question_s_place():
    """Nor any record that of another kind: the fold treats the two differently."""
    with pytest.raises(TypeError):
        replace(BENCH, errata=[erratum(replaces={Work: WorkByStep})])


@pytest.mark.parametrize("value", ["birch", 3, None])
def test_an_erratum_with_a_value_that_the_reading_has_not_is_refused(value: Any):
    with pytest.raises((Refused, TypeError)):
        replace(BENCH, errata=[erratum(readings={"wood": value})])


def test_an_erratum_of_a_reading_that_there_is_not_is_refused():
    with pytest.raises((Refused, TypeError, KeyError)):
        replace(BENCH, errata=[erratum(readings={"colour": "red"})])


@pytest.mark.parametrize(
    "content",
    [{"nails": {}}, {"tools": {"saw": {"colour": 1}}}, {"tools": {"axe": {"name": "no weight"}}}],
    ids=str,
)
def test_an_erratum_with_content_that_does_not_fit_is_refused(content: Any):
    """When the ruleset is made, and not in somebody's match."""
    with pytest.raises((Refused, TypeError)):
        replace(BENCH, errata=[erratum(content=content)])


# --- decisions from outside -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plain", "decision"),
    [
        ({"type": "play.mark", "cell": 4}, Mark(4)),
        ({"cell": INT_MAX, "type": "play.mark"}, Mark(INT_MAX)),
        ({"type": "chance.rolled", "values": [1, 2]}, Rolled((1, 2))),
        (
            {"type": "chance.dealt", "epoch": 0, "to": 1, "count": 1, "cards": ["a"]},
            Dealt(0, 1, 1, ("a",)),
        ),
    ],
)
def test_a_decision_is_read_from_plain_values(plain: dict[str, Any], decision: Decision):
    assert TICTACTOE.decision(plain) == decision


@pytest.mark.parametrize("kind", ["", "play", "Mark", "play.mark ", None, 5, ["play.mark"], {}])
def test_a_type_that_there_is_not_is_refused(kind: Any):
    for plain in ({"type": kind, "cell": 4}, {"cell": 4}, {}):
        with pytest.raises(Refused) as refusal:
            TICTACTOE.decision(plain)
        assert refusal.value.code == "unknown_decision"
        assert "play.mark" in refusal.value.evidence["known"]


def test_a_type_is_repeated_only_in_part():
    with pytest.raises(Refused) as refusal:
        TICTACTOE.decision({"type": "x" * 1000})
    assert refusal.value.evidence["type"] == "x" * 80


def nested(depth: int, kind: type) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if kind is list else {"a": value}
    return value


@pytest.mark.parametrize(
    "cells",
    [
        {}, {"cell": 1, "more": 2}, {"cell": "1"}, {"cell": 1.0}, {"cell": True}, {"cell": None},
        {"cell": [1]}, {"cell": INT_MAX + 1}, {"cell": -INT_MAX - 1}, {"cell": 1 << 64},
        {"cell": 1 << 4000}, {"cell": {"a": INT_MAX + 1}}, {"cell": float("nan")}, {"cell": b"1"},
        {"cell": nested(10, list)}, {"cell": 1, 5: 6},
    ],
    ids=lambda cells: str(cells)[:30],
)  # fmt: skip
def test_a_malformed_decision_is_refused(cells: dict[Any, Any]):
    with pytest.raises(Refused) as refusal:
        TICTACTOE.decision({"type": "play.mark"} | cells)
    assert refusal.value.code == "malformed_decision"
    assert refusal.value.evidence["type"] == "play.mark"
    assert refusal.value.evidence["why"]


@pytest.mark.parametrize("depth", [100, 10_000])
@pytest.mark.parametrize("kind", [list, dict])
def test_deep_nesting_is_malformed_and_no_more(kind: type, depth: int):
    with pytest.raises(Refused) as refusal:
        TICTACTOE.decision({"type": "play.mark", "cell": nested(depth, kind)})
    assert refusal.value.code == "malformed_decision"


def test_a_deeply_nested_type_is_unknown_and_no_more():
    with pytest.raises(Refused) as refusal:
        TICTACTOE.decision({"type": nested(10_000, list)})
    assert refusal.value.code == "unknown_decision"


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_a_text_that_is_no_unicode_is_malformed(text: str):
    """No log can hold it."""
    with pytest.raises(Refused) as refusal:
        BENCH.decision({"type": "bench.do", "script": text})
    assert refusal.value.code == "malformed_decision"


def test_a_long_list_is_read_without_recursion():
    plain = {"type": "chance.rolled", "values": [1] * 100_000}
    assert len(TICTACTOE.decision(plain).values) == 100_000  # type: ignore[attr-defined]


def test_a_decision_of_another_game_is_unknown():
    with pytest.raises(Refused, match="unknown_decision"):
        TICTACTOE.decision({"type": "bench.hide", "number": 1})


class Unsaid(Step):
    """`bench.unsaid`: a step that does not say what it does."""


class UnsaidToss(ChanceQuestion):
    """`bench.unsaid`: a die with a purpose and no consequence."""

    def address(self, bench: Any) -> str:
        return "unsaid"

    def wish(self, bench: Any) -> Roll:
        return Roll(6)


@pytest.mark.parametrize(("kind", "lacks"), [(Unsaid, "run"), (UnsaidToss, "fallen")])
def test_what_a_record_must_say_is_asked_for_when_the_ruleset_is_made(kind: Any, lacks: str):
    """And not in the middle of the first match that comes to it."""
    with pytest.raises(TypeError, match=f"does not say what it must: {lacks}$"):
        replace(BENCH, agenda=[*BENCH.agenda, kind])
