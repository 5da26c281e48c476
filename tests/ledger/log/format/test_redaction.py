"""Any part of a bundle can be handed on: it has the same heads, and nothing else is in it."""

from __future__ import annotations

import hashlib
import io
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.games import ruleset
from ledger.log.format.chain import Event, Opening
from ledger.log.format.redaction import (
    BadChoice,
    Disclosed,
    Selection,
    Span,
    read_choice,
    records_of,
    redact_records,
    write_redacted,
)
from ledger.log.read.bundle import (
    REDACTED,
    BadBundle,
    End,
    Header,
    Record,
    Withheld,
    read_history,
    read_records,
)
from replays.audit.auditor import audit_file
from replays.verify.verifier import Verdict, verify
from tests.support.log.matches import FULL_PLAN, STAKED, bundled, eventful, played, started
from tests.support.replays.gathered import flagship

PARTLY = (Verdict.PARTLY.value, Verdict.NOT_ANCHORED.value)
MATCHES = 6


@cache
def match(number: int):
    """A match: with rewinds, closed or not, whatever can be in it."""
    journal = (
        played(FULL_PLAN, number, number),
        eventful(FULL_PLAN, number),
        started(FULL_PLAN, number),
        played(STAKED, number, 1),
    )[number % 4]
    return journal.history


@cache
def whole(number: int) -> tuple[Record, ...]:
    return tuple(records_of(match(number), "all"))


def copied(records: tuple[Record, ...], choice: Selection) -> bytes:
    file = io.BytesIO()
    address = write_redacted(file, records, choice)
    assert hashlib.sha256(file.getvalue()).digest() == address
    return file.getvalue()


def spans(events: int) -> st.SearchStrategy[Span]:
    return st.tuples(st.integers(1, events), st.integers(0, 4)).map(
        lambda pair: Span(pair[0], pair[0] + pair[1])
    )


@st.composite
def choices(draw: st.DrawFn, events: int) -> Selection:
    shown = draw(st.none() | st.lists(spans(events), max_size=4).map(tuple))
    opened = st.builds(
        Disclosed,
        spans(events),
        st.sampled_from([None, 0, 1]),
        st.sampled_from(["", "decision", "private", "private/cards", "outcome"]),
    )
    return Selection(shown, tuple(draw(st.lists(opened, max_size=4))))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_part_verifies_with_the_same_heads_and_holds_nothing_else(drawn):
    number = drawn.draw(st.integers(0, MATCHES - 1))
    history, records = match(number), whole(number)
    choice = drawn.draw(choices(history.tip.version))
    copy = copied(records, choice)
    report = verify(io.BytesIO(copy), ruleset)
    assert report.verdict in PARTLY, report.failed
    assert (report.events, report.head) == (history.tip.version, history.tip.head.hex())
    anchors = {event.version: event.head for event in history.events}
    anchored = verify(io.BytesIO(copy), ruleset, anchors=anchors)
    assert anchored.verdict in (Verdict.PARTLY_ANCHORED.value, Verdict.VALID.value)

    kept = list(read_records(io.BytesIO(copy)))
    assert [one.head for one in kept if isinstance(one, Event | Withheld)] == [
        event.head for event in history.events
    ]
    told = {one.plain for one in kept if isinstance(one, Opening)}  # the same may happen twice
    for record in records:
        if isinstance(record, Event) and not choice.shows(record.version):
            assert record.body not in copy
        if isinstance(record, Opening) and record not in kept:
            assert record.salt not in copy
            if len(record.plain) >= 32 and record.plain not in told:  # shorter bytes just occur
                assert record.plain not in copy
    chosen = [one for one in kept if isinstance(one, Opening)]
    assert all(choice.shows(one.version) for one in chosen)


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_a_part_of_a_part_is_a_part_of_the_whole(drawn):
    number = drawn.draw(st.integers(0, MATCHES - 1))
    events = match(number).tip.version
    one, other = drawn.draw(choices(events)), drawn.draw(choices(events))
    twice = redact_records(redact_records(whole(number), one), other)
    if one.events is None and other.events is None:
        assert twice == redact_records(redact_records(whole(number), other), one)
    gone = {record.version for record in twice if isinstance(record, Withheld)}
    for version in range(2, events + 1):
        assert (version in gone) is not (one.shows(version) and other.shows(version))


def test_what_is_shown_of_all_events_and_openings_is_the_same_as_the_whole():
    everything = read_choice(["all"], ["all", "all:outcome"])
    copy = copied(whole(0), everything)
    [header, *rest] = list(read_records(io.BytesIO(copy)))
    assert isinstance(header, Header)
    assert (header.viewer, header.format) == ("chosen", 1)
    assert rest[:-1] == list(whole(0))[1:-1]
    assert len(copy) == len(bundled(match(0))) + len("chosen") - len("all")
    report = verify(io.BytesIO(copy), ruleset)
    assert report.verdict == Verdict.NOT_ANCHORED.value


def test_the_close_is_told_by_the_closing_event_alone():
    copy = list(read_records(io.BytesIO(copied(whole(0), read_choice(["1-3"], [])))))
    header, end = copy[0], copy[-1]
    assert isinstance(header, Header)
    assert isinstance(end, End)
    assert (header.format, header.seeds, end.result) == (REDACTED, {}, None)


def test_a_hand_of_cards_is_disclosed_card_by_card_and_to_whom_it_was_dealt():
    records = tuple(records_of(flagship(), "all"))
    dealt = [one for one in records if isinstance(one, Opening) and "cards/" in one.path]
    first = dealt[0]
    choice = read_choice([str(first.version)], [f"{first.version}:{first.path}"])
    kept = [one for one in redact_records(records, choice) if isinstance(one, Opening)]
    assert kept == [first]
    hands = {
        seat: [
            one
            for one in redact_records(records, read_choice([], [f"all@{seat}:private/cards"]))
            if isinstance(one, Opening)
        ]
        for seat in range(flagship().created.seats)
    }
    assert sum(map(len, hands.values())) == len(dealt)
    assert all(hands.values())


def test_whoever_changes_what_is_withheld_breaks_the_chain():
    records = list(redact_records(whole(0), read_choice(["5-6"], [])))
    place = next(n for n, one in enumerate(records) if isinstance(one, Withheld))
    for field in range(2):
        gone = records[place]
        assert isinstance(gone, Withheld)
        parts = [gone.head, gone.digest]
        parts[field] = bytes(32)
        changed = [*records[:place], Withheld(gone.version, *parts), *records[place + 1 :]]
        report = verify(io.BytesIO(copied(tuple(changed), Selection())), ruleset)
        assert [one.name for one in report.failed] == ["chain"]


def test_a_redacted_copy_is_audited_as_far_as_it_goes_and_folded_by_nobody():
    copy = copied(whole(0), read_choice(["1-6"], ["all", "all:outcome"]))
    audit = audit_file(io.BytesIO(copy), ruleset)
    assert audit.failed == []
    statuses = {check.name: check.status for check in audit.checks}
    assert statuses["chain"] == "not disclosed"
    assert {statuses[name] for name in ("legality", "conflicts", "submitters", "clocks")} == {
        "not disclosed"
    }
    with pytest.raises(BadBundle, match="withheld"):
        read_history(io.BytesIO(copy), ruleset)


@pytest.mark.parametrize(
    ("events", "openings"),
    [
        (["x"], []), (["5-3"], []), (["1" * 10], []), (["1-2-3"], []), (["-"], []), ([""], []),
        ([], ["1@x"]), ([], ["1:"]), ([], ["1:Upper"]), ([], ["@1"]), ([], ["1@1@1"]),
        (["1"] * 1_001, []),
    ],
)  # fmt: skip
def test_what_is_no_choice_is_refused(events: list[str], openings: list[str]):
    with pytest.raises(BadChoice):
        read_choice(events, openings)
