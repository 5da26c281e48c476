"""The schemas of docs/schemas are what the types say, and what a played match is made of."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from ledger.kernel.audience import view
from ledger.kernel.terms import facts_bytes
from ledger.log.format.bodies import body_bytes
from ledger.log.format.canonical import decode
from ledger.log.read.history import History, Moment, Undisclosed
from replays.verify.verifier import verify
from tests.support.docs.breakings import broken, taken_apart
from tests.support.docs.events import bodies
from tests.support.docs.matches import SHOWN, Shown, pinned
from tests.support.docs.schemas import FOLDER, as_json, schemas, text_of


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((FOLDER / name).read_text("utf-8")))


def valid(name: str, value: Any) -> None:
    validator(name).validate(as_json(value))


def moments(history: History) -> Iterator[Moment]:
    try:
        yield from history.replay()
    except Undisclosed:
        return


@pytest.fixture(params=SHOWN, ids=lambda one: one.name)
def shown(request: pytest.FixtureRequest) -> Shown:
    one: Shown = request.param
    return one


@pytest.mark.parametrize("name", schemas())
def test_the_committed_schema_is_what_the_types_say(name: str):
    assert (FOLDER / name).read_text("utf-8") == text_of(schemas()[name]), (
        "run `python -m tests.support.docs.schemas --write` and read what has changed"
    )
    Draft202012Validator.check_schema(schemas()[name])


def test_no_schema_is_left_over():
    assert {path.name for path in FOLDER.glob("*.json")} == set(schemas())


def test_every_kind_of_event_fits():
    for body in bodies():
        plain = decode(body_bytes(body))
        valid("event.json", plain)
        if "act" in plain:
            valid("act.json", plain["act"])


def test_events_records_and_reports_of_a_match_fit(shown: Shown):
    copied = taken_apart(shown.name)
    for record in [*copied.records, ["end", copied.end]]:
        valid("bundle.json", record)
    for event in copied.of_kind("event"):
        valid("event.json", decode(event[3]))
    report = verify(io.BytesIO(shown.packed), pinned)
    valid("report.json", msgspec.to_builtins(report))


def test_decisions_facts_and_scenes_of_a_match_fit(shown: Shown):
    history = shown.history
    for moment in moments(history):
        if moment.decision is not None:
            plain = msgspec.to_builtins(moment.decision)
            valid("decision.json", plain)
            valid("tictactoe-decisions.json", plain)
        told = decode(facts_bytes(moment.facts), 1 << 24)
        for viewer in (None, 0, 1):
            told += [view(fact, viewer) for fact in moment.facts]
            if moment.match is not None:
                scene = moment.match.scene(viewer)
                valid("scene.json", json.loads(msgspec.json.encode(scene)))
        for fact in told:
            valid("fact.json", fact)
            valid("tictactoe-facts.json", fact)


def test_results_fit(shown: Shown):
    result = taken_apart(shown.name).end["result"]
    if result is not None:
        valid("result.json", result)


def test_reports_of_broken_bundles_fit():
    for one in broken():
        valid("report.json", msgspec.to_builtins(verify(io.BytesIO(one.packed), pinned)))


@pytest.mark.parametrize("kind", ["act", "answer", "sealed"])
def test_a_body_with_a_field_too_few_or_too_many_does_not_fit(kind: str):
    plains = [as_json(decode(body_bytes(body))) for body in bodies()]
    plain = next(one for one in plains if one["kind"] == kind)
    check = validator("event.json")
    assert check.is_valid(plain)
    assert not check.is_valid(plain | {"mood": "good"})
    for field in set(plain) - {"clock", "opens", "outcome", "private"}:
        lacking = copy.copy(plain)
        del lacking[field]
        assert not check.is_valid(lacking), field
    for field, default in (("clock", None), ("outcome", None), ("opens", [])):
        assert not check.is_valid(plain | {field: default}), f"{field} is left out instead"
