"""Breaks a good bundle; each docstring is the reason that the vector gives."""

from __future__ import annotations

from ledger.log.format.canonical import encode

from .breakings import LENGTH_BYTES, Body, Copy, breaks, framed

# --- frame ----------------------------------------------------------------------------------------


@breaks("short", "frame")
def bad_magic(copied: Copy) -> bytes:
    """The first eight bytes are not HEGEMON1."""
    return b"HEGEMON2" + copied.packed()[8:]


@breaks("short", "frame")
def cut_in_a_record(copied: Copy) -> bytes:
    """The last byte is missing."""
    return copied.packed()[:-1]


@breaks("short", "frame")
def cut_in_a_length(copied: Copy) -> bytes:
    """The file ends in the length of a record."""
    return _without_end(copied) + b"\0\0"


@breaks("short", "frame")
def no_end(copied: Copy) -> bytes:
    """There is no end record."""
    return _without_end(copied)


def _without_end(copied: Copy) -> bytes:
    return copied.packed()[: -len(framed(encode(["end", copied.end])))]


@breaks("short", "frame")
def more_after_the_end(copied: Copy) -> bytes:
    """One byte follows the end record."""
    return copied.packed() + b"\0"


@breaks("short", "frame")
def wrong_counts(copied: Copy) -> None:
    """The end record counts one event too many; its hash is right."""
    copied.end["events"] += 1
    copied.counted = False


@breaks("short", "frame")
def wrong_hash(copied: Copy) -> None:
    """The hash in the end record is not that of the bytes before it."""
    copied.end["sha256"] = bytes(32)
    copied.counted = False


@breaks("short", "frame")
def wrong_end_head(copied: Copy) -> None:
    """The end record names another head than the last event's."""
    copied.end["head"] = bytes(32)
    copied.counted = False


@breaks("short", "frame")
def header_twice(copied: Copy) -> None:
    """A second header."""
    copied.records.insert(1, copied.records[0])


@breaks("short", "frame")
def no_header(copied: Copy) -> None:
    """The first record is an event."""
    del copied.records[0]


@breaks("short", "frame")
def unknown_record(copied: Copy) -> None:
    """A record of a kind that format 1 does not have."""
    copied.records.append(["remark", "hello"])


@breaks("short", "frame")
def unknown_format(copied: Copy) -> None:
    """The header says format 2."""
    copied.records[0][1]["format"] = 2


@breaks("short", "frame")
def unknown_header_field(copied: Copy) -> None:
    """The header has a field that format 1 does not have."""
    copied.records[0][1]["colour"] = "red"


@breaks("short", "frame")
def long_form_record(copied: Copy) -> bytes:
    """A record's array is written in a longer form than it needs."""
    whole = copied.packed()
    size = int.from_bytes(whole[8:12], "big")
    return whole[:8] + framed(b"\xdc\0\x02" + whole[13 : 12 + size]) + whole[12 + size :]


@breaks("short", "frame")
def too_long_record(copied: Copy) -> bytes:
    """A record says that it has 2^32 - 1 bytes."""
    return copied.packed()[:8] + b"\xff" * LENGTH_BYTES


# --- chain ----------------------------------------------------------------------------------------


@breaks("short", "chain")
def wrong_head(copied: Copy) -> None:
    """One bit of the last event's head is flipped; the end record agrees with it."""
    event = copied.of_kind("event")[-1]
    event[2] = bytes((event[2][0] ^ 1,)) + event[2][1:]


@breaks("short", "chain")
def changed_body(copied: Copy) -> None:
    """A mark is moved to another cell; the heads are those of the true match."""
    event = copied.of_kind("event")[6]
    event[3] = event[3].replace(b"\xa4cell\x01", b"\xa4cell\x06")


@breaks("short", "chain")
def missing_event(copied: Copy) -> None:
    """Event 6 is left out, with its openings."""
    copied.records = [one for one in copied.records if one[0] == "bundle" or one[1] != 6]


@breaks("short", "chain")
def swapped_events(copied: Copy) -> None:
    """Events 2 and 3 stand in the wrong order."""
    two, three = copied.place(2), copied.place(3)
    copied.records[two], copied.records[three] = copied.records[three], copied.records[two]


@breaks("short", "chain")
def wrong_parent(copied: Copy) -> None:
    """Event 6 names event 4 as its parent, and is no rewind."""
    copied.rebodied(lambda bodies: bodies[5].update(parent=4))


@breaks("short", "chain")
def field_too_many(copied: Copy) -> None:
    """A body has a field that its kind does not have."""
    copied.rebodied(lambda bodies: bodies[5].update(mood="good"))


@breaks("short", "chain")
def field_too_few(copied: Copy) -> None:
    """A body leaves out `at`, which has no default."""
    copied.rebodied(lambda bodies: bodies[5].pop("at"))


@breaks("short", "chain")
def default_written_out(copied: Copy) -> None:
    """A body writes out `clock`, whose value is the default."""
    copied.rebodied(lambda bodies: bodies[5].update(clock=None))


@breaks("short", "chain")
def unknown_act(copied: Copy) -> None:
    """An act that format 1 does not have."""
    copied.rebodied(lambda bodies: bodies[1]["act"].update(type="match.sabotaged"))


@breaks("short", "chain")
def unknown_role(copied: Copy) -> None:
    """A submitter in a role that format 1 does not have."""
    copied.rebodied(lambda bodies: bodies[1]["by"].update(role="king"))


@breaks("short", "chain")
def body_not_canonical(copied: Copy) -> None:
    """The keys of a body are out of order; heads and hash are right."""
    bodies = [event[3] for event in copied.of_kind("event")]
    bodies[0] = _reversed_map(bodies[0])
    copied.relinked(bodies)


def _reversed_map(body: bytes) -> bytes:
    # The last two keys of an act that nothing was folded for are `kind` and `parent`.
    tail = b"\xa4kind\xa3act\xa6parent\x00"
    assert body.endswith(tail), "event 1 has no parent and no outcome"
    return body.removesuffix(tail) + b"\xa6parent\x00\xa4kind\xa3act"


@breaks("rewound", "chain")
def rewind_forward(copied: Copy) -> None:
    """A rewind names itself as the event to go back to."""

    def edit(bodies: list[Body]) -> None:
        rewind = next(one for one in bodies if one.get("act", {}).get("type") == "match.rewound")
        rewind["parent"] = rewind["act"]["to"] = bodies.index(rewind) + 1

    copied.rebodied(edit)


# --- life -----------------------------------------------------------------------------------------


@breaks("short", "life")
def not_created_first(copied: Copy) -> None:
    """Event 1 is a joining."""
    copied.records = [copied.records[0], copied.records[copied.place(2)]]
    copied.rebodied(lambda bodies: bodies[0].update(parent=0))


@breaks("short", "life")
def other_match(copied: Copy) -> None:
    """The header names another match; the heads are right for it, event 1 is not."""
    copied.closed_up()
    copied.records[0][1]["match"] = "another"
    copied.rebodied(lambda bodies: bodies)


@breaks("short", "life")
def created_twice(copied: Copy) -> None:
    """The match is created a second time by event 2."""
    copied.closed_up()

    def edit(bodies: list[Body]) -> None:
        bodies.insert(1, dict(bodies[0]))
        _number(bodies)

    copied.rebodied(edit)


@breaks("short", "life")
def wrong_nonce(copied: Copy) -> None:
    """The start opens a nonce that seat 1 did not commit to."""
    copied.rebodied(lambda bodies: bodies[3]["act"]["nonces"].__setitem__(1, bytes(32)))


@breaks("short", "life")
def seat_free(copied: Copy) -> None:
    """It starts before seat 1 is taken: both joinings name seat 0."""
    copied.rebodied(lambda bodies: bodies[2]["act"].update(seat=0))


@breaks("short", "life")
def paused_decision(copied: Copy) -> None:
    """A decision while the match is paused."""

    def edit(bodies: list[Body]) -> None:
        act = {"reason": "tea", "type": "match.paused"}
        bodies[4:] = [bodies[1] | {"act": act}, bodies[4]]
        _number(bodies)

    copied.closed_up()
    copied.rebodied(edit)
    copied.records[0][1]["seeds"], copied.end["result"] = {}, None


@breaks("short", "life")
def after_the_close(copied: Copy) -> None:
    """A pause after the closing event."""

    def edit(bodies: list[Body]) -> None:
        bodies.append(bodies[1] | {"act": {"reason": "tea", "type": "match.paused"}})
        _number(bodies)

    copied.rebodied(edit)


@breaks("rewound", "life")
def rewind_before_the_start(copied: Copy) -> None:
    """A rewind to event 3, before the match had started."""

    def edit(bodies: list[Body]) -> None:
        place = next(n for n, one in enumerate(bodies) if one["kind"] == "act" and n > 4)
        bodies[place]["parent"] = bodies[place]["act"]["to"] = 3
        del bodies[place + 1 :]

    copied.rebodied(edit)
    copied.end["result"] = None
    copied.records[0][1]["seeds"] = {}


def _number(bodies: list[Body]) -> None:
    for number, body in enumerate(bodies):
        body["parent"] = number


# --- openings -------------------------------------------------------------------------------------


@breaks("short", "openings")
def wrong_value(copied: Copy) -> None:
    """An opening gives another value than the one committed."""
    copied.opening(5, "outcome")[4] = b"\x90"


@breaks("short", "openings")
def wrong_salt(copied: Copy) -> None:
    """An opening gives another salt."""
    copied.opening(5, "outcome")[3] = bytes(32)


@breaks("short", "openings")
def opened_elsewhere(copied: Copy) -> None:
    """An opening of event 5 stands behind event 6."""
    opening = copied.opening(5, "outcome")
    copied.records.remove(opening)
    copied.records.insert(copied.place(6) + 1, opening)


@breaks("short", "openings")
def nothing_committed(copied: Copy) -> None:
    """An opening of a path under which the event commits to nothing."""
    copied.records.insert(copied.place(5) + 1, ["opening", 5, "decision", bytes(32), b"\x90"])


@breaks("short", "openings")
def opened_twice(copied: Copy) -> None:
    """One commitment is opened twice."""
    copied.records.insert(copied.place(5) + 1, copied.opening(5, "outcome"))
