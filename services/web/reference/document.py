"""The API's document as a page, made from the document itself, without script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from flask import Blueprint, current_app, render_template
from markupsafe import Markup, escape

from ledger.club.claims import CLAIM_REFUSALS
from ledger.club.people import CLUB_REFUSALS
from ledger.club.table import TABLE_REFUSALS
from ledger.club.tournament.entries import TOURNAMENT_REFUSALS
from ledger.club.webhooks import WEBHOOK_REFUSALS
from ledger.kernel.refusals import KERNEL_REFUSALS
from ledger.log.write.lifecycle import LOG_REFUSALS
from services.web.app.access import allowed
from services.web.app.problems import CODES, OTHERS, STATUSES

REFERENCE: Final = Blueprint("reference", __name__)
METHODS: Final = ("get", "post", "put", "patch", "delete")
Plain: TypeAlias = dict[str, Any]
_CODE: Final = re.compile(r"[a-z_]{1,40}")


@REFERENCE.app_template_filter("ticks")
def ticks(text: str) -> Markup:
    """Marks text between backticks as code."""
    parts = (
        Markup("<code>{}</code>").format(part) if at % 2 else escape(part)
        for at, part in enumerate(text.split("`"))
    )
    return Markup("").join(parts)


@REFERENCE.get("/api/v1/reference")
@allowed("anyone")
def page() -> str:
    """Shows the API reference."""
    found = current_app.extensions["api"].spec.to_dict()
    tags = {tag["name"]: tag.get("description", "") for tag in found.get("tags", [])}
    schemas = {
        name: list(fields_in(schema))
        for name, schema in sorted(found["components"]["schemas"].items())
    }
    operations = list(operations_in(found))
    shown = {"info": found["info"], "tags": tags, "operations": operations, "schemas": schemas}
    return render_template("reference.html", **shown)


@REFERENCE.get("/problems/<string:code>")
@allowed("anyone")
def problem(code: str) -> tuple[str, int]:
    """Shows the meaning of a problem's code; the page's address is the problem's type."""
    known = {
        **KERNEL_REFUSALS,
        **LOG_REFUSALS,
        **CLUB_REFUSALS,
        **TABLE_REFUSALS,
        **CLAIM_REFUSALS,
        **WEBHOOK_REFUSALS,
        **TOURNAMENT_REFUSALS,
        **OTHERS,
    }
    for one, said in CODES.values():  # `too_large` is three
        known[one] = f"{known[one]} {said}" if one in known else said
    statuses = {one: status for status, (one, _) in CODES.items()} | dict(STATUSES)
    fits = _CODE.fullmatch(code) is not None
    shown = code if fits else ""
    page = render_template(
        "problem_code.html", code=shown, status=statuses.get(code), says=known.get(code, "")
    )
    return page, 200 if fits else 404


def operations_in(found: Mapping[str, Any]) -> Iterator[Plain]:
    """Yields all operations, in the document's order."""
    for path, item in found["paths"].items():
        for method in METHODS:
            if method in item:
                yield _operation(method.upper(), path, item[method], item.get("parameters", []))


def _operation(
    method: str, path: str, said: Mapping[str, Any], shared: list[Mapping[str, Any]]
) -> Plain:
    """Returns an operation as the page shows it."""
    answers = sorted(said["responses"].items())
    body = said.get("requestBody", {}).get("content", {})
    return {
        "id": said["operationId"],
        "method": method,
        "path": path,
        "summary": said["summary"],
        "tag": said["tags"][0],
        "needs": _needs(said["security"]),
        "parameters": [_parameter(one) for one in (*shared, *said.get("parameters", []))],
        "body": next(iter(_schemas_in(body)), ""),  # the name of a schema
        "answers": [  # status, name of a schema; those that are no problem
            (status, name)
            for status, answer in answers
            if status < "400"
            for name in list(_schemas_in(answer.get("content", {}))) or [""]
        ],
        "problems": [status for status, _ in answers if status >= "400"],
    }


def _needs(security: list[Mapping[str, list[str]]]) -> str:
    scopes = [scope for one in security for scope in one.get("token", ())]
    token = f"a token for {scopes[0]}" if scopes else "a token"
    return f"nothing; {token} shows more" if {} in security else token


def _parameter(said: Mapping[str, Any]) -> Plain:
    schema = said.get("schema", {})
    says = [said.get("description", ""), _limits(schema)]
    return {
        "name": said["name"],
        "place": "address" if said["in"] == "path" else said["in"],
        "kind": _kind_of(schema),
        "needed": said.get("required", False),
        "says": "; ".join(filter(None, says)),
    }


def fields_in(schema: Mapping[str, Any]) -> Iterator[Plain]:
    needed = set(schema.get("required", ()))
    for name, one in schema.get("properties", {}).items():
        says = "; ".join(filter(None, (one.get("description", ""), _limits(one))))
        yield {"name": name, "kind": _kind_of(one), "needed": name in needed, "says": says}


def _schemas_in(content: Mapping[str, Any]) -> Iterator[str]:
    """Yields the schema names of a body's content types."""
    for said in content.values():
        if "$ref" in said.get("schema", {}):
            yield _kind_of(said["schema"])


def _kind_of(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return " or ".join(_kind_of(one) for one in schema[word])
    if "enum" in schema:
        return " or ".join("null" if one is None else str(one) for one in schema["enum"])
    kind = schema.get("type", "")
    if isinstance(kind, list):
        return " or ".join(_kind_of({**schema, "type": one}) for one in kind)
    if kind == "array":
        return f"list of {_kind_of(schema.get('items', {})) or 'anything'}"
    return str(kind)


_LIMITS: Final = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} letters",
    "maxLength": "at most {} letters",
    "minItems": "at least {}",
    "maxItems": "at most {}",
    "pattern": "as {}",
}


def _limits(schema: Mapping[str, Any]) -> str:
    said = [words.format(schema[name]) for name, words in _LIMITS.items() if schema.get(name)]
    if schema.get("default") not in (None, ""):
        default = schema["default"]
        shown = ", ".join(map(str, default)) if isinstance(default, list) else default
        said.append(f"else {shown}")
    return ", ".join(said)
