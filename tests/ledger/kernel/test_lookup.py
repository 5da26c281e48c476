"""The doors: what a fold asks for first at a version is noted with it; nothing else is."""

from __future__ import annotations

from operator import attrgetter

import pytest

from ledger.kernel.fold import fold
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.kernel.terms import Terms
from tests.support.given import given
from tests.support.kernel.workbench import BENCH, ROWS, TOOLS, Do, Knock, Noted, Work, bench, script


def says(name: str, ask):
    """A script that notes what `ask` finds out, and works on."""

    @script(name)
    def rule(state):
        yield Noted(str(ask(state)))
        yield Work()

    return Do(name)


def refuses(name: str, ask):
    """A script that finds something out and then refuses."""

    @script(name)
    def rule(state):
        if ask(state) is not None:
            raise Refused("blunt", "bench.work")
        yield Noted("never")

    return Do(name)


READING = ("reading", "wood")
SET = ("rows", "tools")
SAW = ("cell", "tools", "saw", "weight")
SAW_IS_THERE = ("row", "tools", "saw")
AXE_IS_NOT = ("row", "tools", "axe")

ASKS = {
    "a reading": (lambda state: state.reads("wood"), "oak", {READING}),
    "a cell": (lambda state: TOOLS.of(state)["saw"].weight, "3", {SAW_IS_THERE, SAW}),
    "a cell of the rows": (
        lambda state: next(iter(TOOLS.of(state).values())).weight, "3", {SET, SAW},
    ),
    "the rows": (lambda state: [*TOOLS.of(state)], "['saw', 'plane', 'awl']", {SET}),
    "the ids": (lambda state: len(TOOLS.of(state).keys()), "3", {SET}),
    "the items": (lambda state: len(TOOLS.of(state).items()), "3", {SET}),
    "how many": (lambda state: len(TOOLS.of(state)), "3", {SET}),
    "whether there is one": (lambda state: "saw" in TOOLS.of(state), "True", {SAW_IS_THERE}),
    "whether there is none": (lambda state: "axe" in TOOLS.of(state), "False", {AXE_IS_NOT}),
    "one that is not": (lambda state: TOOLS.of(state).get("axe"), "None", {AXE_IS_NOT}),
    "two of a row": (
        lambda state: attrgetter("weight", "name")(TOOLS.of(state)["awl"]),
        "(1, 'pricker')",
        {
            ("row", "tools", "awl"),
            ("cell", "tools", "awl", "weight"),
            ("cell", "tools", "awl", "name"),
        },
    ),
}  # fmt: skip
ASKED = {name: says(f"ask {name}", ask) for name, (ask, _, _) in ASKS.items()}
REFUSED = {name: refuses(f"refuse after {name}", lambda s, a=ask: (a(s), 1))
           for name, (ask, _, _) in ASKS.items()}  # fmt: skip


def asked_of_content(match) -> set[tuple[str, ...]]:
    return {use for use in match.used if use[0] != "record"}


@pytest.mark.parametrize("name", ASKS)
def test_what_is_asked_is_noted_with_the_first_version(name: str):
    _, answer, uses = ASKS[name]
    sentence = given(bench()).when(0, ASKED[name]).then(Noted(answer))
    match = sentence.match
    assert uses <= asked_of_content(match)
    sentence.when(0, ASKED[name]).then(Noted(answer))
    assert {match.used[use] for use in uses} == {2}


@pytest.mark.parametrize("name", ASKS)
def test_nothing_more_is_noted_than_is_asked(name: str):
    _, _, uses = ASKS[name]
    assert asked_of_content(given(bench()).when(0, ASKED[name]).match) == uses


@pytest.mark.parametrize("name", ASKS)
def test_a_refused_attempt_leaves_no_note(name: str):
    """And what it asked is noted when it is asked again, with the later version."""
    sentence = given(bench()).when(0, REFUSED[name]).refused("blunt")
    match = sentence.match
    assert asked_of_content(match) == set()
    sentence.when(0, Do("nothing")).when(0, REFUSED[name]).refused("blunt")
    sentence.when(0, ASKED[name])
    assert {match.used[use] for use in ASKS[name][2]} == {3}


@pytest.mark.parametrize("name", ASKS)
def test_a_refusal_forgets_nothing_that_was_noted_before_it(name: str):
    sentence = given(bench()).when(0, ASKED[name])
    before = dict(sentence.match.used)
    sentence.when(0, REFUSED[name]).refused("blunt")
    sentence.when(0, ASKED[name])
    more = sentence.match.used.keys() - before.keys()
    assert sentence.match.used == before | dict.fromkeys(more, 3)


@pytest.mark.parametrize("name", ASKS)
def test_a_restored_match_keeps_the_first_version(name: str):
    match = given(bench()).when(0, ASKED[name]).match
    again = match.terms.restore(match.terms.snapshot(match), match.used)
    fold(again, 0, ASKED[name])
    assert {again.used[use] for use in ASKS[name][2]} == {2}
    assert again.used is not match.used


@pytest.mark.parametrize("name", ["a cell", "two of a row"])
def test_a_row_that_was_read_is_known_to_be_there(name: str):
    """Taking a row away matters to whoever read a cell of it."""
    match = given(bench()).when(0, ASKED[name]).match
    read = {use[2] for use in match.used if use[0] == "cell"}
    without = Terms(BENCH, overlay={"tools": dict.fromkeys(read)})
    assert match.terms.differences(without) & match.used.keys()


PRESENT = says("ask whether get finds one", lambda state: TOOLS.of(state).get("saw") is not None)
ABSENT = says("ask whether get finds none", lambda state: TOOLS.of(state).get("axe") is None)


@pytest.mark.parametrize(
    ("ask", "other"), [(PRESENT, {"saw": None}), (ABSENT, {"axe": {"weight": 9}})]
)
def test_whether_a_row_is_there_is_noted_when_it_is_looked_up_and_not_read(ask, other):
    match = given(bench()).when(0, ask).then(Noted("True")).match
    otherwise = Terms(BENCH, overlay={"tools": other})
    assert match.terms.differences(otherwise) & match.used.keys()
    given(bench(overlay={"tools": other})).when(0, ask).then(Noted("False"))


def test_a_silent_door_answers_alike_and_notes_nothing():
    match = given(bench()).match
    before = dict(match.used)
    for ask, answer, _ in ASKS.values():
        assert str(ask(match.state)) == answer
    assert match.used == before


def test_a_fact_asks_through_the_recording_door_too():
    """And so does all that a fold looks at: the question that is answered, and who it asks."""
    match = given(bench()).when(0, Do("nothing")).match
    assert ("record", "Noted") in match.used
    assert ("record", "Do") in match.used
    assert ("record", "Work") in match.used


def test_a_standing_question_that_was_answered_is_noted():
    match = given(bench()).when(1, Knock()).match
    assert match.used["record", "Knock"] == 2
    assert match.used["record", "Knocking"] == 2


ODD_ASKS = {
    "a reading that there is not": (lambda state: state.reads("colour"), BrokenRule),
    "a table that there is not": (lambda state: state.table("nails"), BrokenRule),
    "a row that there is not": (lambda state: TOOLS.of(state)["axe"], KeyError),
    "a cell that there is not": (lambda state: TOOLS.of(state)["saw"].colour, AttributeError),
}
ODD = {name: says(f"ask {name}", ask) for name, (ask, _) in ODD_ASKS.items()}


@pytest.mark.parametrize("name", ODD_ASKS)
def test_what_is_not_there_is_a_bug_inside_and_outside_a_fold(name: str):
    ask, failure = ODD_ASKS[name]
    match = given(bench()).match
    with pytest.raises(failure):
        ask(match.state)
    with pytest.raises(failure):
        fold(match, 0, ODD[name])


def test_rows_look_the_same_inside_a_fold_and_outside():
    match = given(bench()).match
    table = TOOLS.of(match.state)
    assert dict(table) == dict(ROWS)
    told = {name: fact.text for name in ASKS
            for fact in fold(given(bench()).match, 0, ASKED[name])}  # fmt: skip
    assert told == {name: str(ask(match.state)) for name, (ask, _, _) in ASKS.items()}
