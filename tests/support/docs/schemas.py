"""The JSON Schemas of docs/schemas; `python -m tests.support.docs.schemas --write` writes them.

They are made from the types of the code. No property may be added; bytes are written as hex. In
bodies and acts a field that has its default is left out: it is not required, and may not be there
with its default. Everywhere else every property is required.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from ledger.games import rulesets
from ledger.kernel.ruleset import Result
from ledger.kernel.scene import Scene
from ledger.log.format.acts import AnyAct, Origin, Remedy
from ledger.log.format.bodies import AnyBody, Submitter
from ledger.log.format.chain import Event, Opening
from ledger.log.read.bundle import End, Header, Withheld
from replays.document.structs import Replay
from replays.verify.verifier import CHECKS, Report, Verdict
from services.web.games.record_schemas import (
    HEX,
    HIDDEN,
    REFERENCE,
    Schema,
    add_title,
    decisions_of,
    facts_of,
    schema_of,
    strict,
)

_GROWING: Final = frozenset(
    kind.__name__ for kind in (*AnyBody.__args__, *AnyAct.__args__, Submitter, Origin, Remedy)
)

FOLDER: Final = Path(__file__).resolve().parents[3] / "docs" / "schemas"
STATUSES: Final = ("ok", "failed", "withheld", "not disclosed", "not checked")

MARKS: Final = ("undone", "undisclosed")  # true, or left out
LEFT_OUT: Final = (*MARKS, "parent", "refused")

_TAGGED: Final = {
    "type": "object",
    "properties": {"type": {"type": "string", "minLength": 1}},
    "required": ["type"],
}


def event_schema() -> Schema:
    """A body of any kind, decoded."""
    about = "A body, decoded; bytes are hex. A field that has its default is left out."
    schema = _of(AnyBody, "What stands in an event", about)
    answer = schema["$defs"]["AnswerBody"]["properties"]
    answer["decision"] = {
        "description": "The open fields of the decision.",
        **_TAGGED,
    }
    return schema


def act_schema() -> Schema:
    """An act."""
    about = "What the service or the organizer did; bytes are hex. Defaults are left out."
    return _of(AnyAct, "An act", about)


def decision_schema() -> Schema:
    """The envelope of every decision."""
    about = "A decision of any ruleset: its type, and fields that the ruleset names."
    return add_title({**_TAGGED}, "A decision", about)


def fact_schema() -> Schema:
    """The envelope of every fact."""
    about = "A fact of any ruleset: its type, and fields that the ruleset names."
    schema = {**_TAGGED, "additionalProperties": {"$ref": "#/$defs/Shown"}}
    schema["$defs"] = {
        "Hidden": HIDDEN,
        "Shown": {
            "description": "No fractions: a number of money or points is an integer.",
            "anyOf": [
                {"type": ["null", "boolean", "integer", "string"]},
                {"type": "array", "items": {"$ref": "#/$defs/Shown"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/Shown"}},
            ],
        },
    }
    return add_title(schema, "A fact", about)


def scene_schema() -> Schema:
    """Returns the schema of scenes."""
    schema = _of(Scene, "A scene", "A view, drawn in a vocabulary that knows no game.")
    schema["$defs"]["Target"]["properties"]["decision"] = {**_TAGGED}
    return schema


def bundle_schema() -> Schema:
    """One record of a bundle, decoded."""
    made, parts = msgspec.json.schema_components(
        (Header, End, Event, Withheld, Opening), ref_template=REFERENCE
    )
    assert len(made) == len(parts), "each record is a component of its own"
    defs = {name: strict(part, _GROWING) for name, part in parts.items()}
    event, withheld, opening = (defs.pop(name) for name in ("Event", "Withheld", "Opening"))
    kinds = [
        _record("bundle", [{"$ref": "#/$defs/Header"}]),
        _record("overlay", [HEX]),
        _record("event", event["prefixItems"]),
        _record("withheld", withheld["prefixItems"]),
        _record("opening", opening["prefixItems"]),
        _record("end", [{"$ref": "#/$defs/End"}]),
    ]
    about = "One record, decoded: an array, its kind first; bytes are hex."
    return add_title({"oneOf": kinds, "$defs": defs}, "A record of a bundle", about)


def report_schema() -> Schema:
    """Returns the schema of reports."""
    schema = _of(Report, "The report of a verification", "What was checked, and the verdict.")
    check = schema["$defs"]["Check"]["properties"]
    check["name"] = {"enum": list(CHECKS)}
    check["status"] = {"enum": list(STATUSES)}
    schema["$defs"]["Report"]["properties"]["verdict"] = {"enum": [one.value for one in Verdict]}
    return schema


def replay_schema() -> Schema:
    """A match as one viewer may know it."""
    about = "docs/replay.md describes it; what may be left out is there where it says something."
    schema = _of(Replay, "A replay", about)
    defs = schema["$defs"]
    defs["SceneChange"]["required"] = []
    defs["Heading"]["required"].remove("again")
    for name in LEFT_OUT:
        defs["Event"]["required"].remove(name)
    for kind, name in (("Heading", "again"), *(("Event", one) for one in MARKS)):
        defs[kind]["properties"][name] = {"const": True}
    defs["Event"]["properties"]["facts"] = {"type": "array", "items": {**_TAGGED}}
    return schema


def result_schema() -> Schema:
    """How a match ended."""
    return _of(Result, "A result", "Scores by seat, and the seats that won: several in a tie.")


def schemas() -> dict[str, Schema]:
    """Every file and what stands in it."""
    made = {
        "event.json": event_schema(),
        "act.json": act_schema(),
        "decision.json": decision_schema(),
        "fact.json": fact_schema(),
        "result.json": result_schema(),
        "scene.json": scene_schema(),
        "bundle.json": bundle_schema(),
        "report.json": report_schema(),
        "replay.json": replay_schema(),
    }
    for name, rules in rulesets().items():
        made[f"{name}-decisions.json"] = decisions_of(rules)
        made[f"{name}-facts.json"] = facts_of(rules)
    return made


def as_json(value: Any) -> Any:
    """A decoded value as the schemas see it: bytes as hex."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return value


# --- made from types ------------------------------------------------------------------------------


def _of(kind: Any, title: str, about: str) -> Schema:
    return schema_of(kind, title, about, _GROWING)


def _record(kind: str, items: Sequence[Schema]) -> Schema:
    size = len(items) + 1
    prefix = [{"const": kind}, *items]
    return {
        "type": "array",
        "prefixItems": prefix,
        "items": False,
        "minItems": size,
        "maxItems": size,
    }


def text_of(schema: Schema) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> None:
    """Write the files, or name them."""
    for name, schema in schemas().items():
        if "--write" in arguments:
            FOLDER.mkdir(parents=True, exist_ok=True)
            (FOLDER / name).write_text(text_of(schema), encoding="utf-8")
        print(name, len(schema.get("$defs", ())))


if __name__ == "__main__":
    main(sys.argv[1:])
