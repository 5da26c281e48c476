"""Bodies: what is sent is taken as it was meant, or refused; nothing in it is a fault of ours."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.kernel.refusals import Refused
from services.web.app.problems import Problem, of_refusal, problem_response
from services.web.app.shapes import DEEP_MAX, json_of
from tests.support.web.visitors import Site, Visitor, is_problem

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def ann(site: Site) -> Visitor:
    return site.founder()


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/xml",
        "x" * 3000,
    ],
)
def test_what_does_not_say_that_it_is_json_is_415(ann: Visitor, kind: str):
    headers = {**ann.token(), "Content-Type": kind}
    answer = ann.site.program().patch("/api/v1/me", data=b'{"name": "Eve"}', headers=headers)
    assert is_problem(answer, 415, "not_json")


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8"])
def test_what_says_so_is_read(ann: Visitor, kind: str):
    headers = {**ann.token(), "Content-Type": kind}
    body = '{"name": "Åsa"}'.encode()
    assert ann.site.program().patch("/api/v1/me", data=body, headers=headers).json["name"] == "Åsa"


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"\xff\xfe{\x00}\x00",
        b'{"name": "\xe9"}',
        b'{"name": NaN}',
        b'{"name": Infinity}',
        b'{"name": 1e999}',
        b'{"name": -1e999}',
        b'{"name": "A", "name": "B"}',
        b'{"x": {"name": 1, "na\\u006de": 2}}',
        b'{"name": "\\ud800"}',
        b'{"\\udfff": 1}',
        b'{"name": ' + b"1" * 5000 + b"}",
        b"[" * 30_000,
        b"[" * 30_000 + b"]" * 30_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b"[" * 500 + b"]" * 500,
        b'{"name": "A"}{}',
        b"\xef\xbb\xbf{}",
        b"\x00",
    ],
)
def test_what_is_no_json_or_says_two_things_is_400(ann: Visitor, body: bytes):
    answer = ann.site.program().patch("/api/v1/me", data=body, headers={**ann.token(), **JSON})
    assert is_problem(answer, 400, "bad_request")


@pytest.mark.parametrize(
    "body",
    [
        b"null",
        b"[]",
        b'"x"',
        b"1",
        b"{}",
        b'{"name": null}',
        b'{"name": 1}',
        b'{"name": ["A"]}',
        b'{"name": "A", "roles": ["organizer"]}',
        b'{"name": "A", "\\u0000": 1}',
        b'{"name": "A", "__class__": 1}',
    ],
)
def test_what_is_json_of_another_shape_is_422_and_says_where(ann: Visitor, body: bytes):
    answer = ann.site.program().patch("/api/v1/me", data=body, headers={**ann.token(), **JSON})
    assert is_problem(answer, 422, "invalid")
    assert answer.json["errors"]["json"]


def test_a_body_that_is_too_large_is_413_however_it_is_sent(ann: Visitor):
    large = b'{"name": "' + b"x" * 70_000 + b'"}'
    for headers in (JSON, {"Content-Type": "application/x-www-form-urlencoded"}):
        answer = ann.site.program().patch(
            "/api/v1/me", data=large, headers={**ann.token(), **headers}
        )
        assert is_problem(answer, 413, "too_large")
    answer = ann.browser().post("/sign-out", data={"csrf": "x" * 70_000})
    assert answer.status_code == 413


@pytest.mark.parametrize("days", [True, "5", 1.5, 0, -1, 3651, 2**53, 2**70, 1e300, None, [1]])
def test_a_number_is_a_number(ann: Visitor, days: object):
    answer = ann.asks("POST", "/me/tokens", {"label": "x", "days": days})
    assert is_problem(answer, 422, "invalid")
    assert "days" in answer.json["errors"]["json"]
    assert ann.asks("POST", "/me/tokens", {"label": "x", "days": 2.0}).status_code == 201


@pytest.mark.parametrize(
    "query",
    ["limit=x", "limit=0", "limit=201", "limit=%D9%A3", "limit=1_0", "limit=", "limit=+1", "of=1"],
)
def test_a_question_that_makes_no_sense_is_422(ann: Visitor, query: str):
    answer = ann.site.program().get(f"/api/v1/people?{query}", headers=ann.token())
    assert is_problem(answer, 422, "invalid")
    assert answer.json["errors"]["query"]


def test_odd_addresses_and_headers_are_no_fault_of_ours(ann: Visitor):
    client = ann.site.program()
    for path in ("%00", "%ff", "%ed%a0%80", "x" * 10_000, "..", "%2e%2e%2f", "é", "a%0d%0ab: c"):
        answer = client.get(f"/api/v1/people/{path}", headers=ann.token())
        assert answer.status_code == 404
        assert answer.mimetype == "application/problem+json"
    for name in ("If-Match", "Accept", "Range", "X-CSRF-Token", "Content-Length", "Cookie"):
        for value in ("", "é", "x" * 8_000, "-1", "bytes=0-99999999999999999999", ";;;=,"):
            answer = client.get("/api/v1/me", headers={**ann.token(), name: value})
            assert answer.status_code < 500, (name, value)


LEAVES = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5)
VALUES = st.recursive(LEAVES, lambda one: st.lists(one) | st.dictionaries(st.text(), one))


@given(VALUES)
@settings(max_examples=100)
def test_what_json_can_say_is_read_as_it_is(value: object):
    assert json_of(json.dumps(value).encode()) == value
    assert json_of(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=60))
@settings(max_examples=300)
def test_any_bytes_are_read_or_refused(body: bytes):
    try:
        value = json_of(body)
    except Problem as problem:
        refused = problem.status
    else:
        assert json.loads(body) == value
        return
    assert refused == 400


def test_so_deep_and_no_deeper():
    assert json_of(b"[" * (DEEP_MAX - 1) + b"1" + b"]" * (DEEP_MAX - 1))
    with pytest.raises(Problem, match="bad_request"):
        json_of(b"[" * DEEP_MAX + b"1" + b"]" * DEEP_MAX)


@pytest.mark.parametrize("evidence", [{"a": 2**70}, {"a": "\ud800"}, {"a": object()}, {1: {2: 3}}])
def test_evidence_that_json_cannot_say_is_left_out(site: Site, evidence: dict[object, object]):
    refusal = Refused("not_allowed", "play.turn", "", evidence)  # type: ignore[arg-type]
    with site.app.app_context():
        answer = problem_response(of_refusal(refusal))
    assert answer.status_code == 422
    assert json.loads(answer.data)["rule"] == "play.turn"
