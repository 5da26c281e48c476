"""Readings: which values they have, which one is in force, and what a person may type."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.readings import Reading, in_force, read_readings
from ledger.kernel.refusals import Refused

NUMBER = Reading(id="number", value=3, range=(-5, 9), rule="x.number", why="")
LIST = Reading(id="list", value=2, also=(4,), rule="", why="")
FLAG = Reading(id="flag", value=False, also=(True,), rule="", why="")
FIXED = Reading(id="fixed", value=True, rule="", why="")
WORD = Reading(id="word", value="a", also=("b", "yes", "3"), rule="", why="")


@pytest.mark.parametrize(
    ("reading", "value"),
    [(NUMBER, -5), (NUMBER, 9), (NUMBER, 3), (LIST, 2), (LIST, 4), (FLAG, True), (FLAG, False),
     (FIXED, True), (WORD, "a"), (WORD, "3")],
)  # fmt: skip
def test_a_value_that_is_listed_or_within_the_range_is_one(reading: Reading, value: Any):
    assert reading.check(value) == value


@pytest.mark.parametrize(
    ("reading", "value"),
    [(NUMBER, -6), (NUMBER, 10), (NUMBER, "3"), (NUMBER, True), (NUMBER, 3.0), (NUMBER, None),
     (LIST, 3), (LIST, False), (FLAG, 1), (FLAG, 0), (FLAG, "true"), (FIXED, False), (WORD, 3),
     (WORD, "c"), (WORD, ["a"])],
)  # fmt: skip
def test_any_other_value_is_refused(reading: Reading, value: Any):
    with pytest.raises(Refused) as refusal:
        reading.check(value)
    assert refusal.value.code == "bad_value"
    assert refusal.value.rule == reading.rule
    assert refusal.value.evidence["reading"] == reading.id
    assert refusal.value.evidence["values"] == reading.values_text()


def test_a_refusal_repeats_no_more_than_the_beginning_of_what_was_sent():
    with pytest.raises(Refused) as refusal:
        WORD.check("x" * 1000)
    assert refusal.value.evidence["value"] == "x" * 80


@pytest.mark.parametrize(
    ("reading", "text"),
    [(NUMBER, "-5..9"), (LIST, "2|4"), (FLAG, "False|True"), (WORD, "a|b|yes|3")],
)
def test_the_values_are_written_as_a_person_would(reading: Reading, text: str):
    assert reading.values_text() == text


@pytest.mark.parametrize(
    ("reading", "text", "value"),
    [(NUMBER, "7", 7), (NUMBER, "-5", -5), (LIST, "4", 4), (FLAG, "true", True),
     (FLAG, "YES", True), (FLAG, "no", False), (FLAG, "False", False), (WORD, "3", "3"),
     (WORD, "yes", "yes")],
)  # fmt: skip
def test_what_a_person_types_is_read(reading: Reading, text: str, value: Any):
    parsed = reading.parse(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("reading", "text"),
    [(NUMBER, ""), (NUMBER, "-"), (NUMBER, "10"), (NUMBER, "3.0"), (NUMBER, "three"),
     (NUMBER, "9" * 5000), (NUMBER, "--5"), (NUMBER, "²"), (NUMBER, "5-"), (FLAG, "1"), (FLAG, ""),
     (FLAG, "maybe"), (FIXED, "no"), (WORD, "A")],
)  # fmt: skip
def test_what_is_no_value_is_refused_however_it_is_typed(reading: Reading, text: str):
    with pytest.raises(Refused) as refusal:
        reading.parse(text)
    assert refusal.value.code == "bad_value"


# --- the value in force ---------------------------------------------------------------------------

PRINTED = {"number": NUMBER, "word": WORD}


def test_the_last_layer_wins():
    assert in_force(PRINTED) == {"number": 3, "word": "a"}
    assert in_force(PRINTED, {"number": 4}, {}, {"number": 5, "word": "b"}, {"word": "3"}) == {
        "number": 5,
        "word": "3",
    }


def test_a_layer_that_loses_is_checked_too():
    with pytest.raises(Refused, match="bad_value"):
        in_force(PRINTED, {"number": 99}, {"number": 3})


def test_a_name_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(Refused) as refusal:
        in_force(PRINTED, {"n" * 100: 1})
    assert refusal.value.code == "unknown_reading"
    assert refusal.value.evidence == {"reading": "n" * 80, "known": "number, word"}


# --- the file -------------------------------------------------------------------------------------


def test_readings_are_read_from_toml():
    text = '["a.b"]\nvalue = 1\nrange = [0, 2]\noption = true\nrule = "r"\nwhy = "w"\n'
    read = Reading(id="a.b", value=1, range=(0, 2), option=True, called="a.b", rule="r", why="w")
    assert read_readings(text) == {"a.b": read}
    named = read_readings(f'{text}called = "Stake"\n')
    assert named["a.b"].called == "Stake"


@pytest.mark.parametrize(
    "row",
    ['value = 1.5\nrule = ""\nwhy = ""',
     'value = 1\nrule = ""',
     'rule = ""\nwhy = ""',
     'value = 1\nrule = ""\nwhy = ""\ncolour = "red"',
     'value = 1\nrule = ""\nwhy = ""\nrange = [1]'],
    ids=["a float", "no reason", "no value", "one field too many", "half a range"],
)  # fmt: skip
def test_a_reading_that_is_not_whole_is_refused(row: str):
    with pytest.raises(msgspec.ValidationError):
        read_readings(f"[x]\n{row}\n")
