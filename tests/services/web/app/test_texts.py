"""Texts that people write: every field of the API that takes one refuses what cannot be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ledger.club.texts import all_shown, clean_text, is_one_line, is_shown
from tests.support.docs.http_api import application, operations
from tests.support.web.seated import made
from tests.support.web.visitors import Site, is_problem

UNSEEN = {
    "a bell": "\x07",
    "an escape": "\x1b[2J",
    "another control": "\x85",
    "right to left from here": "\u202e",
    "an isolate": "\u2066",
    "a space without width": "\u200b",
    "a mark of byte order": "\ufeff",
    "a break of paragraphs": "\u2029",
    "a letter of nobody's": "\ue000",
}
DOCUMENT: dict[str, Any] = application().extensions["api"].spec.to_dict()
# Names of what is there: another one finds nothing, and nobody is shown it.
LOOKED_UP = {"deal", "edition", "link", "person", "played", "question", "ruleset", "tournament"}
# What is taken out of talk is nothing that anybody sees; the rest stands.
CLEANED = {("POST", "/api/v1/matches/{match}/talk", "text")}
# What is wrong with a file that is looked at is the answer itself, this too.
TOLD = {("POST", "/api/v1/rulesets/{name}/errata/check", "text")}
# What the address looks like is looked at where it is taken apart.
ADDRESSES = {("POST", "/api/v1/me/webhooks", "url")}


def shape_of(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = DOCUMENT["components"]["schemas"][name] if name else schema
    return found


def fields() -> Iterator[tuple[str, str, str]]:
    """Every field of a body that is a text of no set form, or an object with whatever in it."""
    for method, path, said in operations(DOCUMENT):
        if "requestBody" not in said:
            continue
        body = shape_of(said["requestBody"]["content"]["application/json"]["schema"])
        for name, field in body["properties"].items():
            kinds = field.get("type", [])
            free = not field.keys() & {"enum", "pattern", "$ref", "anyOf", "allOf"}
            if free and {"string", "object"} & set([kinds] if isinstance(kinds, str) else kinds):
                yield method, path, name


FIELDS = sorted(set(fields()) - CLEANED - TOLD - ADDRESSES)
TEXTS = [one for one in FIELDS if one[2] not in LOOKED_UP]


def test_what_is_looked_at_here_is_most_of_what_people_write():
    assert len(TEXTS) >= 30
    names = {name for _, _, name in TEXTS}
    assert names == {
        "content", "decision", "label", "name", "options", "readings", "reason", "title", "words",
    }  # fmt: skip
    assert set(fields()) >= CLEANED | TOLD | ADDRESSES


@pytest.fixture
def there(site: Site) -> tuple[Site, str, dict[str, str]]:
    """A site, a match and whoever may do anything there."""
    ann = site.founder()
    return site, made(ann), ann.token()


def filled(path: str, match: str, person: str) -> str:
    for name, value in {
        "match": match, "person": person, "tournament": "none", "webhook": "none", "number": "1",
        "seat": "0", "player": "1", "table": "1",
    }.items():  # fmt: skip
        path = path.replace(f"{{{name}}}", value)
    return path


def test_no_field_takes_what_cannot_be_seen(there: tuple[Site, str, dict[str, str]]):
    site, match, headers = there
    client = site.program()
    person = client.get("/api/v1/me", headers=headers).json["id"]
    for method, path, name in TEXTS:
        for what, letter in UNSEEN.items():
            text: Any = f"fine{letter}not"
            if name in ("content", "decision", "options", "readings"):
                text = {"type": "x", "terms": {"texts": ["fine", text]}}
            url = filled(path, match, person)
            answer = client.open(url, method=method, json={name: text}, headers=headers)
            where = f"{what} in the {name} of {method} {path}"
            assert answer.status_code == 422, where
            if answer.json["code"] != "bad_name":
                assert name in answer.json["errors"]["json"], where


def test_no_field_takes_it_as_a_name_of_something_either(
    there: tuple[Site, str, dict[str, str]],
):
    site, match, headers = there
    client = site.program()
    person = client.get("/api/v1/me", headers=headers).json["id"]
    whole = {"ruleset": "tictactoe", "seats": 2, "title": "T", "rounds": 1, "reason": "r"}
    whole |= {"edition": "printed", "label": "l", "link": "x", "decision": {"type": "x"}, "seat": 0}
    for method, path, name in set(FIELDS) - set(TEXTS):
        body = shape_of(
            DOCUMENT["paths"][path][method.lower()]["requestBody"]["content"]["application/json"][
                "schema"
            ]
        )
        said = {key: value for key, value in whole.items() if key in body["properties"]}
        url = filled(path, match, person)
        answer = client.open(url, method=method, json={**said, name: "\u202e"}, headers=headers)
        assert answer.status_code in (400, 403, 404, 409, 410, 422, 428), (
            f"{name} of {method} {path}"
        )
    hook = {"url": "https://hooks.example/\u202e", "kinds": ["turn"]}
    answer = client.post("/api/v1/me/webhooks", json=hook, headers=headers)
    assert is_problem(answer, 422, "bad_webhook_url")


@pytest.mark.parametrize("what", UNSEEN)
def test_talk_loses_what_cannot_be_seen_and_keeps_the_rest(what: str):
    said = clean_text(f" a{UNSEEN[what]}b ")
    assert said.startswith("a")
    assert said.endswith("b")
    assert is_shown(said)
    assert not is_shown(UNSEEN[what])
    assert not all_shown({"a": [{"b": UNSEEN[what]}]})
    assert not all_shown({UNSEEN[what]: 1})


@pytest.mark.parametrize("text", ["Zoë", "日本語", "a\u00a0b", "two\nlines", "\U0001f600", ""])
def test_what_can_be_seen_is_taken(text: str):
    assert is_shown(text)
    assert clean_text(text) == text
    assert all_shown({text: [text, 1, None, True]})


@pytest.mark.parametrize("text", [" a", "a ", "two\nlines", "a\u00a0b", "a\tb"])
def test_a_name_stands_on_one_line_with_plain_spaces(text: str):
    assert not is_one_line(text)
    assert is_one_line("two words")
