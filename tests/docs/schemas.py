"""The JSON Schemas of docs/schemas: `python -m tests.docs.schemas --write` writes them anew.

They are made from the types of the code. No property may be added; bytes are written as hex. In
bodies and acts a field that has its default is left out: it is not required, and may not be there
with its default. Everywhere else every property is required.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, Union

import msgspec

from ledger.kernel.audience import Audience, audiences
from ledger.kernel.records import Decision, Fact, tag_of
from ledger.kernel.ruleset import Result, Ruleset
from ledger.kernel.scene import Scene
from ledger.log.acts import AnyAct, Origin, Remedy
from ledger.log.bodies import AnyBody, Submitter
from ledger.log.bundle import End, Header
from ledger.log.chain import Event
from ledger.log.commitments import Opening
from ledger.rules import rulesets
from replays.verify import CHECKS, Report, Verdict

Schema: TypeAlias = dict[str, Any]

_GROWING: Final = frozenset(
    kind.__name__ for kind in (*AnyBody.__args__, *AnyAct.__args__, Submitter, Origin, Remedy)
)

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "schemas"
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
REFERENCE: Final = "#/$defs/{name}"
STATUSES: Final = ("ok", "failed", "withheld", "not disclosed", "not checked")

_HEX: Final = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
_HASH: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_TAGGED: Final = {
    "type": "object",
    "properties": {"type": {"type": "string", "minLength": 1}},
    "required": ["type"],
}
_HIDDEN: Final = {
    "title": "Hidden",
    "description": "What this viewer may not see; a number where how many is public.",
    "type": "object",
    "properties": {"hidden": {"anyOf": [{"const": True}, {"type": "integer", "minimum": 0}]}},
    "required": ["hidden"],
    "additionalProperties": False,
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
    return _titled({**_TAGGED}, "A decision", about)


def fact_schema() -> Schema:
    """The envelope of every fact."""
    about = "A fact of any ruleset: its type, and fields that the ruleset names."
    schema = {**_TAGGED, "additionalProperties": {"$ref": "#/$defs/Shown"}}
    schema["$defs"] = {
        "Hidden": _HIDDEN,
        "Shown": {
            "description": "No fractions: a number of money or points is an integer.",
            "anyOf": [
                {"type": ["null", "boolean", "integer", "string"]},
                {"type": "array", "items": {"$ref": "#/$defs/Shown"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/Shown"}},
            ],
        },
    }
    return _titled(schema, "A fact", about)


def decisions_of(rules: Ruleset) -> Schema:
    """The decisions of one ruleset, those of chance among them."""
    about = "Decisions as they are committed or written; fields that are not open may be hidden."
    return _records(rules.decisions, f"The decisions of {rules.name}", about)


def facts_of(rules: Ruleset) -> Schema:
    """The facts of one ruleset."""
    about = "Facts as they are committed, or as one viewer is told: then a field may be hidden."
    return _records(rules.facts, f"The facts of {rules.name}", about)


def scene_schema() -> Schema:
    """What is drawn."""
    schema = _of(Scene, "A scene", "A view, drawn in a vocabulary that knows no game.")
    schema["$defs"]["Target"]["properties"]["decision"] = {**_TAGGED}
    return schema


def bundle_schema() -> Schema:
    """One record of a bundle, decoded."""
    made, parts = msgspec.json.schema_components(
        (Header, End, Event, Opening), ref_template=REFERENCE
    )
    assert len(made) == len(parts), "each record is a component of its own"
    defs = {name: _strict(part) for name, part in parts.items()}
    event, opening = defs.pop("Event"), defs.pop("Opening")
    kinds = [
        _record("bundle", [{"$ref": "#/$defs/Header"}]),
        _record("overlay", [_HEX]),
        _record("event", event["prefixItems"]),
        _record("opening", opening["prefixItems"]),
        _record("end", [{"$ref": "#/$defs/End"}]),
    ]
    about = "One record, decoded: an array, its kind first; bytes are hex."
    return _titled({"oneOf": kinds, "$defs": defs}, "A record of a bundle", about)


def report_schema() -> Schema:
    """What a verifier says."""
    schema = _of(Report, "The report of a verification", "What was checked, and the verdict.")
    check = schema["$defs"]["Check"]["properties"]
    check["name"] = {"enum": list(CHECKS)}
    check["status"] = {"enum": list(STATUSES)}
    schema["$defs"]["Report"]["properties"]["verdict"] = {"enum": [one.value for one in Verdict]}
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
    (schema,), parts = msgspec.json.schema_components((kind,), ref_template=REFERENCE)
    defs = {name: _strict(part) for name, part in parts.items()}
    return _titled({**_strict(schema), "$defs": defs}, title, about)


def _records(kinds: Sequence[type[Decision | Fact]], title: str, about: str) -> Schema:
    schema = _of(Union[tuple(kinds)], title, about)  # noqa: UP007 - made at run time
    schema["$defs"]["Hidden"] = _HIDDEN
    for kind in kinds:
        properties = schema["$defs"][kind.__name__]["properties"]
        assert properties["type"] == {"enum": [tag_of(kind)]}, "its tag tells a record apart"
        for field in audiences(kind):
            if field.audience is not Audience.EVERYONE:
                shown = properties[field.name]
                properties[field.name] = {"anyOf": [shown, {"$ref": "#/$defs/Hidden"}]}
    return schema


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


def _strict(schema: Any) -> Any:
    """Bytes as hex, every property there, and none besides."""
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("contentEncoding") == "base64":
        return dict(_HASH if "minLength" in schema else _HEX)
    made = {name: _strict(item) for name, item in schema.items() if name != "default"}
    if isinstance(made.get("properties"), dict):
        made["additionalProperties"] = False
        if made.get("title") in _GROWING:
            made["properties"] = {n: _left_out(p) for n, p in schema["properties"].items()}
        else:
            made["required"] = list(made["properties"])
    return made


def _left_out(schema: Schema) -> Schema:
    """A property of a body or an act: if it is there, it has not its default."""
    made: Schema = _strict(schema)
    if "default" not in schema:
        return made
    if schema["default"] is None:
        (kept,) = [one for one in made["anyOf"] if one != {"type": "null"}]
        return dict(kept)
    least = {"string": "minLength", "array": "minItems", "object": "minProperties"}
    return {**made, least[schema["type"]]: 1}


def _titled(schema: Schema, title: str, about: str) -> Schema:
    return {"$schema": DRAFT, "title": title, "description": about, **schema}


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
