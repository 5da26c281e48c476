"""Breaks a redacted bundle; each docstring is the reason of the vector."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import EMPTY, Tip, head_over

from .breakings import Copy, Plain, breaks, taken_apart


def _withheld(copied: Copy, number: int = 0) -> Plain:
    return copied.of_kind("withheld")[number]


def _relinked(copied: Copy, edit: Callable[[dict[str, Any]], object], version: int) -> None:
    """Edit one body, and make every head right again, those of what is withheld too."""
    tip = EMPTY
    for record in copied.records:
        if record[0] not in {"event", "withheld"}:
            continue
        if record[0] == "event" and record[1] == version:
            body = decode(record[3])
            edit(body)
            record[3] = encode(body)
        digest = record[3] if record[0] == "withheld" else hashlib.sha256(record[3]).digest()
        tip = Tip(tip.version + 1, head_over(copied.match, tip, digest))
        record[2] = tip.head


@breaks("redacted", "frame")
def withheld_in_format_one(copied: Copy) -> None:
    """The header says format 1, and an event is withheld."""
    copied.records[0][1]["format"] = 1


@breaks("short", "frame")
def later_format(copied: Copy) -> None:
    """The header says format 3."""
    copied.records[0][1]["format"] = 3


@breaks("redacted", "frame")
def short_hash_of_a_body(copied: Copy) -> None:
    """The hash of a body that is withheld has 31 bytes."""
    _withheld(copied)[3] = _withheld(copied)[3][:-1]


@breaks("redacted", "frame")
def withheld_with_its_body(copied: Copy) -> None:
    """The record of an event that is withheld has one item more."""
    _withheld(copied).append(b"body")


@breaks("redacted", "chain")
def other_hash_of_a_body(copied: Copy) -> None:
    """The hash of a body that is withheld is another; the heads are those of the true match."""
    _withheld(copied)[3] = bytes(32)


@breaks("redacted", "chain")
def other_head_of_what_is_withheld(copied: Copy) -> None:
    """The head of an event that is withheld is another."""
    _withheld(copied)[2] = bytes(32)


@breaks("redacted", "chain")
def withheld_and_left_out(copied: Copy) -> None:
    """An event that is withheld is not there at all."""
    copied.records.remove(_withheld(copied))


@breaks("redacted", "chain")
def parent_after_a_gap(copied: Copy) -> None:
    """Event 6, behind others that are withheld, names event 3 as its parent."""
    _relinked(copied, lambda body: body.update(parent=3), 6)


@breaks("redacted", "chain")
def unknown_field_after_a_gap(copied: Copy) -> None:
    """Event 6, behind others that are withheld, has a field that its kind does not have."""
    _relinked(copied, lambda body: body.update(mood="good"), 6)


@breaks("redacted", "life")
def first_event_withheld(copied: Copy) -> None:
    """Event 1, which says what the match is, is withheld."""
    event = copied.records[copied.place(1)]
    event[:] = ["withheld", 1, event[2], hashlib.sha256(event[3]).digest()]


@breaks("redacted", "openings")
def opening_of_what_is_withheld(copied: Copy) -> None:
    """An opening stands behind an event that is withheld."""
    place = copied.records.index(_withheld(copied))
    version = copied.records[place][1]
    copied.records.insert(place + 1, ["opening", version, "outcome", bytes(32), b"\x90"])


@breaks("redacted", "openings")
def wrong_value_after_a_gap(copied: Copy) -> None:
    """An opening behind events that are withheld gives another value than the one committed."""
    copied.opening(6, "outcome")[4] = b"\x90"


@breaks("redacted", "openings")
def opened_twice_after_a_gap(copied: Copy) -> None:
    """One commitment behind events that are withheld is opened twice."""
    copied.records.insert(copied.place(6) + 1, copied.opening(6, "outcome"))


@breaks("redacted", "result", claimed=True)
def redacted_with_a_result(copied: Copy) -> None:
    """The end record of a redacted bundle states a result."""
    copied.end["result"] = {"reason": "line", "scores": [1, 0], "winners": [0]}


@breaks("redacted", "chance", claimed=True)
def redacted_with_seeds(copied: Copy) -> None:
    """The header of a redacted bundle gives the seed that event 1 commits to."""
    copied.records[0][1]["seeds"] = taken_apart("rolled").records[0][1]["seeds"]
