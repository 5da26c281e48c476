"""JSON Schemas of a ruleset's records, made from the types of its code.

Every property is required and no others are allowed; bytes are hex. For a field with a limited
audience the schema includes the form that others see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, Union

import msgspec

from ledger.kernel.audience import Audience, audiences
from ledger.kernel.records import Decision, Fact, tag_of
from ledger.kernel.ruleset import Ruleset

Schema: TypeAlias = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
REFERENCE: Final = "#/$defs/{name}"
HEX: Final = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
HASH: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
HIDDEN: Final = {
    "title": "Hidden",
    "description": "A value that this viewer may not see; a number if only the count is public.",
    "type": "object",
    "properties": {"hidden": {"anyOf": [{"const": True}, {"type": "integer", "minimum": 0}]}},
    "required": ["hidden"],
    "additionalProperties": False,
}


def decisions_of(rules: Ruleset) -> Schema:
    """Returns the schema of a ruleset's decisions, including those of chance."""
    about = "Decisions as committed or written; fields that are not open may be hidden."
    return _records(rules.decisions, f"The decisions of {rules.name}", about)


def facts_of(rules: Ruleset) -> Schema:
    about = "Facts as committed, or as one viewer sees them, where a field may be hidden."
    return _records(rules.facts, f"The facts of {rules.name}", about)


def schema_of(kind: Any, title: str, about: str, growing: frozenset[str] = frozenset()) -> Schema:
    """Returns the schema of a type, with the schemas of its parts.

    Types in `growing` may leave out a field with a default, and must if it has that value.
    """
    (schema,), parts = msgspec.json.schema_components((kind,), ref_template=REFERENCE)
    defs = {name: strict(part, growing) for name, part in parts.items()}
    return add_title({**strict(schema, growing), "$defs": defs}, title, about)


def add_title(schema: Mapping[str, Any], title: str, about: str) -> Schema:
    """Returns a schema as a document of its own."""
    return {"$schema": DRAFT, "title": title, "description": about, **schema}


def strict(schema: Any, growing: frozenset[str] = frozenset()) -> Any:
    """Rewrites a schema: bytes as hex, every property required, no others allowed."""
    if isinstance(schema, list):
        return [strict(item, growing) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("contentEncoding") == "base64":
        return dict(HASH if "minLength" in schema else HEX)
    made = {name: strict(item, growing) for name, item in schema.items() if name != "default"}
    if isinstance(made.get("properties"), dict):
        made["additionalProperties"] = False
        if made.get("title") in growing:
            properties = schema["properties"].items()
            made["properties"] = {n: _optional_schema_of(p, growing) for n, p in properties}
        else:
            made["required"] = list(made["properties"])
    return made


def _records(kinds: Sequence[type[Decision | Fact]], title: str, about: str) -> Schema:
    schema = schema_of(Union[tuple(kinds)], title, about)  # noqa: UP007 - made at run time
    schema["$defs"]["Hidden"] = HIDDEN
    for kind in kinds:
        properties = schema["$defs"][kind.__name__]["properties"]
        assert properties["type"] == {"enum": [tag_of(kind)]}, "its tag tells a record apart"
        for field in audiences(kind):
            if field.audience is not Audience.EVERYONE:
                shown = properties[field.name]
                properties[field.name] = {"anyOf": [shown, {"$ref": "#/$defs/Hidden"}]}
    return schema


def _optional_schema_of(schema: Schema, growing: frozenset[str]) -> Schema:
    """Returns the schema of an optional property: if present, it is not its default."""
    made: Schema = strict(schema, growing)
    if "default" not in schema:
        return made
    if schema["default"] is None:
        (kept,) = [one for one in made["anyOf"] if one != {"type": "null"}]
        return dict(kept)
    least = {"string": "minLength", "array": "minItems", "object": "minProperties"}
    return {**made, least[schema["type"]]: 1}
