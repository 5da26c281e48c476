"""Bundles made to break their reader: bound with care around one value that nobody would write."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from ledger.games import ruleset
from ledger.log.format.chain import Event
from ledger.log.read.bundle import BundleWriter, End, Header, read_records
from replays.verify.verifier import Verdict, verify
from tests.support.log.matches import FULL_PLAN, PLAIN, bundled, played
from tests.support.replays.loose import Line, Loose, loosened, relinked

PLAN = replace(FULL_PLAN, overlay={"lines": {"top": None}})
NO_END = (1 << 53) - 1  # no machine has room for a list of so many: it says so at once


def closing(loose: Loose) -> dict[str, Any]:
    assert loose.closing is not None
    return loose.closing.act


def mark(loose: Loose) -> Line:
    return next(line for line in loose.lines if "cell" in line.body.get("decision", ()))


def with_overlay(overlay: bytes) -> Callable[[Loose], None]:
    return lambda loose: setattr(loose, "overlay", overlay)


def in_created(**fields: Any) -> Callable[[Loose], None]:
    """Event 1 says so, and so does the header where it repeats it."""

    def change(loose: Loose) -> None:
        loose.lines[0].act.update(fields)
        loose.header.update({key: fields[key] for key in fields if key in loose.header})

    return change


def in_closing(**fields: Any) -> Callable[[Loose], None]:
    def change(loose: Loose) -> None:
        closing(loose).update(fields)
        loose.result = closing(loose)["result"]

    return change


def in_mark(**fields: Any) -> Callable[[Loose], None]:
    return lambda loose: mark(loose).body.update(fields)


def long_private_field(loose: Loose) -> None:
    mark(loose).body["private"] = {"x" * 300: bytes(32)}
    mark(loose).openings["private/" + "x" * 300] = (bytes(32), b"plain")


def opens_what_is_to_come(loose: Loose) -> None:
    mark(loose).body["opens"] = [[NO_END, "decision"], [-5, "outcome"]]


def parent_without_end(loose: Loose) -> None:
    loose.parents_stay = True
    mark(loose).body["parent"] = NO_END


INVALID: dict[str, Callable[[Loose], None]] = {
    "an overlay that is a list": with_overlay(b"\x91\x01"),
    "an overlay that is a number": with_overlay(b"\x05"),
    "an overlay whose table is a number": with_overlay(b"\x81\xa5lines\x05"),
    "an overlay whose row is a number": with_overlay(b"\x81\xa5lines\x81\xa3top\x05"),
    "an overlay whose readings are a number": with_overlay(b"\x81\xa8readings\x05"),
    "an overlay whose readings are a list": with_overlay(b"\x81\xa8readings\x81\xa6values\x91\x01"),
    "an overlay that is garbage": with_overlay(b"\xc1\xff"),
    "an overlay without bytes": with_overlay(b""),
    "an overlay of a table there is not": with_overlay(b"\x81\xa3max\x80"),
    "a domain with a long name": in_closing(seeds={"d" * 40_000: bytes(32)}),
    "a domain without a name": in_closing(seeds={"": bytes(32)}),
    "a seed without bytes": in_closing(seeds={"dice": b""}),
    "a result of another kind": in_closing(result={"winners": "x", "scores": {"a": [1]}}),
    "an empty result": in_closing(result={}),
    "seats without end": in_created(seats=NO_END),
    "no seats": in_created(seats=0),
    "fewer seats than none": in_created(seats=-1),
    "an option there is not": in_created(options={"x" * 9_000: 1}),
    "an option of another kind": in_created(options={"begin.stake": True}),
    "domains of nothing": in_created(domains={}),
    "another match": in_created(match="aaaabbbbccccdddd"),
    "a seat without end": in_mark(seat=NO_END),
    "a seat below chance": in_mark(seat=-NO_END),
    "a question of another kind": in_mark(question=""),
    "a decision that is none": in_mark(decision=[1, 2]),
    "a decision of nothing": in_mark(decision=None),
    "a decision of another type": in_mark(decision={"type": "x" * 9_000}),
    "a cell without end": in_mark(decision={"type": "play.mark", "cell": NO_END}),
    "a cell that is text": in_mark(decision={"type": "play.mark", "cell": "4"}),
    "a private field with a long name": long_private_field,
    "openings of what is to come": opens_what_is_to_come,
    "an outcome without bytes": in_mark(outcome=b""),
    "a parent without end": parent_without_end,
}
INCOMPLETE: dict[str, Callable[[Loose], None]] = {
    "an unknown ruleset": in_created(ruleset="r" * 5_000),
    "an unknown edition": in_created(edition="e99"),
}


def said_of(change: Callable[[Loose], None], *, fast: bool) -> str:
    loose = loosened(bundled(played(PLAN, seed=2).history))
    change(loose)
    return verify(io.BytesIO(relinked(loose)), ruleset, fast=fast).verdict


@pytest.mark.parametrize("name", INVALID)
def test_a_hostile_value_is_invalid_and_no_exception(name: str):
    assert said_of(INVALID[name], fast=False) == Verdict.INVALID.value


@pytest.mark.parametrize("name", [*INVALID, *INCOMPLETE])
def test_a_fast_reading_lets_no_exception_out(name: str):
    said = said_of({**INVALID, **INCOMPLETE}[name], fast=True)
    assert said in {Verdict.INVALID.value, Verdict.CHAIN.value}


@pytest.mark.parametrize("name", INCOMPLETE)
def test_rules_that_are_not_known_here_leave_the_verdict_open(name: str):
    assert said_of(INCOMPLETE[name], fast=False) == Verdict.INCOMPLETE.value


@pytest.mark.parametrize("fast", [False, True])
def test_a_match_with_a_long_name_lets_no_exception_out(fast: bool):
    """A name that does not fit a frame cannot be hashed."""
    loose = loosened(bundled(played(PLAN).history))
    file = io.BytesIO()
    writer = BundleWriter(file)
    header = {**loose.header, "match": "m" * 300}
    writer.write(Header(**header))
    writer.write(Event(1, bytes(32), b"\xc0"))
    writer.end(None)
    file.seek(0)
    assert verify(file, ruleset, fast=fast).verdict == Verdict.INVALID.value


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("domain", ["d" * 70_000, "", "dice"])
def test_a_header_that_gives_seeds_of_its_own_is_invalid_and_no_exception(domain: str, fast: bool):
    whole = bundled(played(PLAN).history)
    file = io.BytesIO()
    writer = BundleWriter(file)
    for record in read_records(io.BytesIO(whole)):
        if isinstance(record, End):
            writer.end(record.result)
        elif isinstance(record, Header):
            writer.write(msgspec.structs.replace(record, seeds={domain: bytes(32)}))
        else:
            writer.write(record)
    file.seek(0)
    report = verify(file, ruleset, fast=fast)
    assert report.verdict in {Verdict.INVALID.value, Verdict.CHAIN.value if fast else ""}


@pytest.mark.parametrize("where", ["twice", "late", "uncalled"])
def test_an_overlay_stands_once_before_the_events(where: str):
    """The format has it at most once, and a reader must not guess which one is meant."""
    plan = PLAIN if where == "uncalled" else PLAN
    loose = loosened(bundled(played(plan).history))
    whole = relinked(loose)
    overlay = b"\x80" if loose.overlay is None else loose.overlay
    assert verify(io.BytesIO(with_records(whole, overlay, where)), ruleset).verdict == (
        Verdict.INVALID.value
    )


def with_records(whole: bytes, overlay: bytes, where: str) -> bytes:
    """The bundle with an overlay more, its counts and hash made right."""
    file = io.BytesIO()
    writer = BundleWriter(file)
    for record in read_records(io.BytesIO(whole)):
        if isinstance(record, End):
            writer.end(record.result)
            break
        writer.write(record)
        is_place = {
            "twice": isinstance(record, bytes),
            "late": isinstance(record, Event) and record.version == 5,
            "uncalled": isinstance(record, Header),
        }[where]
        if is_place:
            writer.write(overlay)
    return file.getvalue()
