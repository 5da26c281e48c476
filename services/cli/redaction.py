"""Redacted copies: choosing what a copy shows, and reading one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from ledger.log.format.bodies import plain_body
from ledger.log.format.chain import OUTCOME_PATH, Event, Opening, unpad_value
from ledger.log.format.redaction import BadChoice, Selection, read_choice
from ledger.log.read.bundle import REDACTED, Header, Record, Withheld
from services.cli.support.exits import UnreadableInput
from services.cli.support.params import several, together
from services.cli.support.sources import is_file, records_in

# The options that choose what a copy shows.
choice_options = together(
    several(
        "--events",
        "shown",
        "EVENTS",
        "Show only these events: 14, 14-20, 14-, -20 or all. May be given several "
        "times. Event 1 is always there. The others keep their hash, so the chain "
        "stays whole.",
    ),
    several(
        "--disclose",
        "disclosed",
        "EVENTS[@SEAT][:PATH]",
        "Of the openings that --as may have, disclose only these. May be given several times: "
        "14-20, 14-20@2 (secrets of seat 2), 17:private/cards/0, 17:outcome. The "
        "facts of an event (outcome) are disclosed only if you name them.",
    ),
)


def choice_of(shown: Sequence[str], disclosed: Sequence[str]) -> Selection | None:
    """Returns the choice, or None if the copy shows all that its viewer may have."""
    if not shown and not disclosed:
        return None
    try:
        return read_choice(shown, disclosed)
    except BadChoice as reason:
        raise UnreadableInput(str(reason)) from None


def read_redacted(name: str) -> list[Record] | None:
    """Returns the records of a bundle that withholds events; None for another file."""
    if not is_file(name):
        return None
    records = records_in(name)
    header = records[0]
    return records if isinstance(header, Header) and header.format == REDACTED else None


def iter_redacted_lines(records: Sequence[Record], first: int) -> Iterator[dict[str, Any]]:
    line: dict[str, Any] = {}
    for record in records:
        if isinstance(record, Opening):
            line["openings"].append(msgspec.structs.asdict(record))
            line["opened"] |= decode_openings((record,))
            continue
        if line and line["version"] >= first:
            yield line
        line = _line(record)


def _line(record: Record) -> dict[str, Any]:
    if isinstance(record, Event):
        return event_line(record, ())
    if not isinstance(record, Withheld):
        return {}
    return {"version": record.version, "head": record.head, "withheld": record.digest}


def event_line(event: Event, openings: Sequence[Opening]) -> dict[str, Any]:
    return {
        "version": event.version,
        "head": event.head,
        "body": plain_body(event.body),
        "bytes": event.body,
        "openings": [msgspec.structs.asdict(opening) for opening in openings],
        "opened": decode_openings(openings),
    }


def decode_openings(openings: Sequence[Opening]) -> dict[str, Any]:
    """Returns the values behind openings, by event and path. Leaves out unreadable ones."""
    found: dict[str, Any] = {}
    for one in openings:
        with suppress(ValueError, msgspec.DecodeError):
            plain = one.plain if one.path == OUTCOME_PATH else unpad_value(one.plain)
            found[f"{one.version} {one.path}"] = msgspec.msgpack.decode(plain)
    return found
