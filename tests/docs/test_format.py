"""The specification names everything that the code has, and its example is true."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from ledger.log.format.acts import FORMAT as BODY_FORMAT
from ledger.log.format.acts import FULL, AnyAct, Origin, Remedy
from ledger.log.format.bodies import ActBody, AnswerBody, Role, SealedBody, check_body
from ledger.log.format.canonical import BODY_BYTES_MAX, DEPTH_MAX, KEPT_BYTES_MAX, decode
from ledger.log.format.chain import (
    COMMITMENT_TAG,
    HEAD_TAG,
    OUTCOME_PATH,
    PRIVATE_PATH,
    SALT_TAG,
    SEALED_PATH,
    Tip,
    commit,
    link,
)
from ledger.log.read.bundle import FORMAT, MAGIC, RECORD_BYTES_MAX, REDACTED, SUFFIX, End, Header
from replays.verify.verifier import CHECKS, Report, Verdict

SPECIFICATION = Path(__file__).resolve().parents[2] / "docs" / "format.md"


@pytest.fixture(scope="module")
def text() -> str:
    return SPECIFICATION.read_text("utf-8")


def table_of(text: str, title: str) -> str:
    """A chapter, up to the next one."""
    return text.partition(f"\n{title}")[2].partition("\n## ")[0]


def test_every_field_of_a_body_is_described(text: str):
    chapter = table_of(text, "## 5. Bodies")
    for kind in (ActBody, AnswerBody, SealedBody):
        assert f"`{kind.__struct_config__.tag}`" in chapter
        missing = {name for name in kind.__struct_fields__ if f"`{name}`" not in chapter}
        assert not missing, kind
    assert {role for role in get_args(Role) if f"| `{role}` |" not in chapter} == set()


ACTS = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyAct)}


@pytest.mark.parametrize("tag", ACTS)
def test_every_field_of_an_act_is_described(text: str, tag: str):
    rows = table_of(text, "## 6. Acts").partition(f"\n| `{tag}` |")[2].partition("\n| `match.")[0]
    assert rows, "the act has no row"
    missing = {name for name in ACTS[tag].__struct_fields__ if f"`{name}`" not in rows}
    assert not missing


def test_there_are_no_other_acts(text: str):
    chapter = table_of(text, "## 6. Acts")
    assert set(re.findall(r"^\| `(match\.[a-z-]+)` \|", chapter, re.MULTILINE)) == set(ACTS)
    assert {name for name in Origin.__struct_fields__ if f"`{name}`" not in chapter} == set()
    assert {name for name in Remedy.__struct_fields__ if f"`{name}`" not in chapter} == set()
    assert {name for name in FULL if f"`{name}`" not in chapter} == set()
    assert f"| `format` | integer {BODY_FORMAT} |" in chapter


@pytest.mark.parametrize("record", [Header, End])
def test_every_field_of_a_bundles_records_is_described(text: str, record: type[msgspec.Struct]):
    chapter = table_of(text, "## 11. Bundles")
    assert {name for name in record.__struct_fields__ if f"`{name}`" not in chapter} == set()


def test_limits_tags_and_paths_are_those_of_the_code(text: str):
    shown = text.replace("\n", " ")
    for limit in (BODY_BYTES_MAX, KEPT_BYTES_MAX, RECORD_BYTES_MAX):
        assert f"{limit:,}".replace(",", " ") in shown
    assert f"deeper than {DEPTH_MAX}" in shown
    for tag in (HEAD_TAG, SALT_TAG, COMMITMENT_TAG, MAGIC):
        assert f'"{tag.decode()}"' in shown
    for path in (SEALED_PATH, OUTCOME_PATH, PRIVATE_PATH):
        assert f"| `{path}`" in shown
    assert f"`{SUFFIX}`" in shown
    assert f"| `format` | integer | {FORMAT}; {REDACTED} if " in shown


def test_checks_verdicts_and_the_report_are_those_of_the_code(text: str):
    chapter = table_of(text, "## 12. Verifying")
    named = re.findall(r"^\| `([a-z]+)` \|", chapter.partition("| status |")[0], re.MULTILINE)
    assert tuple(named) == CHECKS
    assert [one.value for one in Verdict if f"| `{one.value}` |" not in chapter] == []
    report = table_of(text, "## 13. Facts")
    assert {name for name in Report.__struct_fields__ if f"`{name}`" not in report} == set()


# --- the example ----------------------------------------------------------------------------------


def _example() -> Mapping[str, str]:
    """The worked example: `name: hex` lines between its two marks."""
    text = SPECIFICATION.read_text("utf-8")
    block = text.partition("<!-- example -->")[2].partition("<!-- end of example -->")[0]
    found: dict[str, str] = {}
    name = ""
    for line in block.splitlines():
        label, colon, rest = line.partition(":")
        if colon:
            name = label.strip()
        elif not re.fullmatch(r"\s+[0-9a-f ]+", line):
            continue
        digits = (rest if colon else line).replace(" ", "")
        if re.fullmatch(r"[0-9a-f]*", digits):
            found[name] = found.get(name, "") + digits
    return found


def test_the_worked_example_is_true():
    example = {name: bytes.fromhex(digits) for name, digits in _example().items()}
    match, body = example["match"].decode(), example["body"]
    event = link(match, Tip(4, example["head before"]), body)
    assert hashlib.sha256(body).digest() == example["SHA-256 of the body"]
    assert event.head == example["head"]
    covered = example["covered"]
    assert hashlib.sha256(covered).digest() == event.head
    outcome = check_body(body).outcome
    assert outcome == commit(match, 5, "outcome", example["salt"], example["facts"])
    assert decode(example["facts"]) == [{"cell": 0, "seat": 0, "type": "play.marked"}]
