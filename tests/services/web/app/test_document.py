"""The OpenAPI document: it is one, it says what there is, and docs and pages say the same."""

from __future__ import annotations

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.definitions import OPENAPI_31

from ledger.log.write.lifecycle import LOG_REFUSALS
from services.run.settings import ROOT
from services.web.app.problems import CODES, OTHERS, STATUSES
from tests.support.docs.http_api import (
    PAGE,
    access_of_operation,
    application,
    between,
    operations,
    tables,
)
from tests.support.services.browsing import Page

APP = application()
DOCUMENT: dict[str, Any] = APP.test_client().get("/api/v1/openapi.json").json
OURS = {code for code, _ in CODES.values()} | set(STATUSES) | set(OTHERS)


def everything(value: Any) -> list[Any]:
    """A value of JSON, and all that is in it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(one for part in inner for one in everything(part))]


@pytest.mark.long
def test_it_is_a_document_of_openapi_3_1():
    assert DOCUMENT["openapi"] == "3.1.0"
    assert list(Draft202012Validator(OPENAPI_31).iter_errors(DOCUMENT)) == []
    spoiled = {**DOCUMENT, "paths": {"no-slash": {}}}
    assert list(Draft202012Validator(OPENAPI_31).iter_errors(spoiled))


def test_every_schema_is_one_and_everything_that_is_pointed_at_is_there():
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    pointed = {
        one["$ref"] for one in everything(DOCUMENT) if isinstance(one, dict) and "$ref" in one
    }
    there = {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}
    assert pointed == there  # and none of them is left over


def test_it_has_every_route_of_the_api_and_no_other():
    documented = {(method, path) for method, path, _ in operations(DOCUMENT)}
    routes = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(rule)))
        for rule in APP.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if str(rule).startswith("/api/") and rule.endpoint not in OF_ITSELF
    }
    assert documented == routes


OF_ITSELF = ("api-docs.openapi_json", "reference.page")


def test_no_two_schemas_have_one_name():
    """The library would only number them."""
    names = sorted(DOCUMENT["components"]["schemas"])
    assert [name for name in names if name[-1].isdigit()] == []


def test_every_operation_has_a_name_a_sentence_and_what_must_be_shown():
    names = [said["operationId"] for _, _, said in operations(DOCUMENT)]
    assert len(names) == len(set(names))
    for method, path, said in operations(DOCUMENT):
        assert said["summary"], f"{method} {path}"
        access = access_of_operation(APP, said["operationId"])
        shown = [{"token": [access.scope]}, {"session": []}]
        assert said["security"] == shown + [{}] * (access.who == "anyone")


def test_every_answer_is_documented_and_every_problem_is_one():
    for method, path, said in operations(DOCUMENT):
        responses = said["responses"]
        assert {"400", "401", "403", "404", "422", "503"} <= set(responses), f"{method} {path}"
        assert ("415" in responses) == ("requestBody" in said)
        for status, response in responses.items():
            assert status.isdigit()
            if int(status) >= 400:
                assert int(status) in CODES or int(status) in STATUSES.values()
                assert list(response["content"]) == ["application/problem+json"]
                schema = response["content"]["application/problem+json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Problem"}
            else:
                assert ("content" in response) == (status != "204")


def test_the_page_for_people_has_the_routes_of_the_document():
    written = between(PAGE)
    assert written == tables().strip("\n"), "run `hegemon regenerate` and read what has changed"
    assert written.count("\n| `") == len(list(operations(DOCUMENT)))


def test_the_page_for_people_names_every_code_that_is_no_rules():
    page = PAGE.read_text(encoding="utf-8")
    codes = {code for code, _ in CODES.values()} | set(OTHERS)
    assert sorted(code for code in codes if f"`{code}`" not in page) == []


def test_every_code_that_we_give_ourselves_is_explained():
    given = re.compile(r'Problem\(\s*\d+,\s*"([a-z_]+)"')
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "services").rglob("*.py")]
    codes = {code for source in sources for code in given.findall(source)}
    assert "scope_needed" in codes
    assert sorted(codes - OURS - set(LOG_REFUSALS)) == []


def test_every_other_route_stands_in_the_pages_document():
    lines = (ROOT / "docs" / "pages.md").read_text(encoding="utf-8").splitlines()
    documented = {line.split("`")[1] for line in lines if line.startswith("| `/")}
    api = {rule for rule in map(str, APP.url_map.iter_rules()) if rule.startswith("/api/v1/")}
    pages = {str(rule) for rule in APP.url_map.iter_rules()} - api
    assert documented == pages | {"/api/v1/openapi.json", "/api/v1/reference"}


# --- the reference --------------------------------------------------------------------------------


def test_the_reference_shows_every_operation_and_every_schema_without_script_or_outside_help():
    answer = APP.test_client().get("/api/v1/reference")
    page = Page(answer)
    for method, path, said in operations(DOCUMENT):
        assert f"{method} {path}" in page.words
        assert said["summary"].replace("`", "") in page.words
        assert page.having("id", said["operationId"])
    for name in DOCUMENT["components"]["schemas"]:
        assert page.having("id", f"schema-{name}")
    assert "script" not in [tag for tag, _ in page.tags]
    here = {attrs["href"] for tag, attrs in page.tags if tag == "a"}
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    assert {one[1:] for one in here if one.startswith("#")} <= ids
    assert [one for one in here if not one.startswith(("#", "/"))] == []


@pytest.mark.parametrize("code", sorted(OURS))
def test_the_address_of_every_problem_is_a_page_about_it(code: str):
    page = Page(APP.test_client().get(f"/problems/{code}"))
    assert code in page.words
    assert "The response says why" not in page.words


def test_a_code_that_is_none_is_no_page():
    for code in ("UPPER", "x" * 41, "a-b", "<b>"):
        answer = APP.test_client().get(f"/problems/{code}")
        assert answer.status_code == 404
        assert code not in answer.text
