"""The bundle: one match as one file, the same bytes each time, and nothing else is one."""

from __future__ import annotations

import hashlib
import io
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.log.format.canonical import encode
from ledger.log.format.chain import Event, Opening
from ledger.log.read.bundle import (
    MAGIC,
    RECORD_BYTES_MAX,
    BadBundle,
    BundleWriter,
    End,
    Header,
    Record,
    bundle_records,
    read_history,
    read_records,
    viewer_name,
    write_bundle,
)
from ledger.log.read.history import History
from tests.support.log.matches import (
    FULL_PLAN,
    OVERLAID,
    PLAIN,
    VIEWERS,
    bundled,
    eventful,
    played,
    started,
)

ALL: tuple[Viewer | str, ...] = ("all", *VIEWERS)


def records(whole: bytes) -> list[Record]:
    return list(read_records(io.BytesIO(whole)))


def framed(*plain: Any, end: bool = True) -> bytes:
    """Plain records as a file, with an end that counts none of them."""
    whole = MAGIC
    for value in plain:
        packed = value if isinstance(value, bytes) else encode(value, RECORD_BYTES_MAX)
        whole += len(packed).to_bytes(4, "big") + packed
    if end:
        last = {"events": 0, "openings": 0, "head": bytes(32), "result": None}
        packed = encode(["end", {**last, "sha256": hashlib.sha256(whole).digest()}])
        whole += len(packed).to_bytes(4, "big") + packed
    return whole


HEADER: dict[str, Any] = {
    "format": 1,
    "match": "m",
    "ruleset": "tictactoe",
    "edition": "printed",
    "source": "",
    "viewer": "all",
    "seeds": {},
    "supersedes": None,
}


# --- writing and reading --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_history_comes_back_from_its_bundle(seed: int):
    for plan in (FULL_PLAN, OVERLAID, PLAIN):
        whole = played(plan, seed, seed % 3).history
        back = read_history(io.BytesIO(bundled(whole)), ruleset)
        assert back.match == whole.match
        assert back.events == whole.events
        assert back.openings == whole.openings
        assert back.overlay == whole.overlay
        one, other = back.at(), whole.at()
        assert one is not None
        assert other is not None
        assert one.terms.snapshot(one) == other.terms.snapshot(other)
        assert bundled(back) == bundled(whole)


def test_the_same_match_gives_the_same_bytes():
    history = eventful(FULL_PLAN, 2).history
    for viewer in ALL:
        assert bundled(history, viewer) == bundled(history, viewer)
    assert len({bundled(history, viewer) for viewer in ALL}) == len(ALL)


def test_the_address_is_the_hash_of_every_byte():
    file = io.BytesIO()
    address = write_bundle(file, played().history)
    assert address == hashlib.sha256(file.getvalue()).digest()


def test_a_bundle_says_what_it_is():
    history = played(FULL_PLAN, 1).history
    header, *_, end = records(bundled(history, 1))
    assert isinstance(header, Header)
    assert isinstance(end, End)
    created = history.created
    assert (header.match, header.ruleset, header.edition, header.source, header.viewer) == (
        history.match, "tictactoe", "printed", created.source, "seat 1",
    )  # fmt: skip
    assert header.seeds.keys() == {"dice"}
    assert (end.events, end.head) == (history.tip.version, history.tip.head)
    assert end.result is not None
    assert [viewer_name(viewer) for viewer in ALL] == ["all", "seat 0", "seat 1", "spectator"]


def test_a_bundle_names_the_one_that_it_replaces():
    header = next(bundle_records(played().history, "all", b"a" * 32))
    assert isinstance(header, Header)
    assert header.supersedes == b"a" * 32


def test_openings_stand_behind_their_event():
    behind = 0
    for record in records(bundled(played(FULL_PLAN, 2, 1).history)):
        if isinstance(record, Event):
            behind = record.version
        elif isinstance(record, Opening):
            assert record.version == behind


def test_a_redacted_copy_has_the_same_events_and_fewer_openings():
    history = started(FULL_PLAN, 2).history
    counts = []
    for viewer in ALL:
        found = records(bundled(history, viewer))
        assert [one for one in found if isinstance(one, Event)] == history.events
        counts.append(sum(isinstance(one, Opening) for one in found))
    assert counts[0] > counts[1] == counts[2] == counts[3]


# --- what is no bundle ----------------------------------------------------------------------------


def refused(whole: bytes) -> str:
    with pytest.raises(BadBundle) as reason:
        records(whole)
    for_history = io.BytesIO(whole)
    with pytest.raises(BadBundle):
        read_history(for_history, ruleset)
    return str(reason.value)


def test_a_bundle_that_ends_early_is_refused_wherever_it_ends():
    whole = bundled(played(FULL_PLAN, 1, 1).history)
    for size in [*range(200), *range(200, len(whole), 13), *range(len(whole) - 200, len(whole))]:
        assert refused(whole[:size])


@pytest.mark.parametrize("more", [b"\0", b"x" * 1000, MAGIC])
def test_more_after_the_last_record_is_refused(more: bytes):
    assert "goes on after the last record" in refused(bundled(played().history) + more)


def test_two_bundles_in_one_file_are_refused():
    assert refused(bundled(played().history) * 2)


def test_a_changed_byte_before_the_last_record_is_refused():
    """The last record has the hash of all before it; what it says itself is for verify to judge."""
    whole = bundled(played(FULL_PLAN, 3).history)
    last = whole.rindex(b"\x92\xa3end") - 4
    rng = random.Random(1)
    for place in [*range(300), *rng.sample(range(last), 400)]:
        changed = bytearray(whole)
        changed[place] ^= rng.randint(1, 255)
        assert refused(bytes(changed))


@pytest.mark.parametrize(
    "garbage",
    [b"", b"H", b"HEGEMON2", b"hegemon1" * 4, b"PK\3\4" + bytes(100), b"\xff" * 64, b"{}"],
)
def test_another_kind_of_file_is_refused(garbage: bytes):
    assert "does not begin with HEGEMON1" in refused(garbage)


def test_ten_megabytes_of_garbage_are_refused():
    garbage = random.Random(1).randbytes(10_000_000)
    assert refused(garbage)
    assert refused(MAGIC + garbage)
    assert refused(framed(["bundle", HEADER], end=False) + b"\0\x98\x96\x80" + garbage)


@pytest.mark.parametrize(
    "length", [RECORD_BYTES_MAX + 1, 1 << 31, (1 << 32) - 1], ids=["one more", "half", "most"]
)
def test_a_huge_length_is_refused_before_it_is_read(length: int):
    class Watched(io.BytesIO):
        most = 0

        def read(self, size: int | None = -1) -> bytes:
            self.most = max(self.most, -1 if size is None else size)
            return super().read(size)

    file = Watched(MAGIC + length.to_bytes(4, "big") + b"x" * 100)
    with pytest.raises(BadBundle, match="at most"):
        list(read_records(file))
    assert file.most < 100


BAD_RECORDS: dict[str, bytes] = {
    "no header": framed(),
    "a header second": framed(["overlay", b""], ["bundle", HEADER]),
    "two headers": framed(["bundle", HEADER], ["bundle", HEADER]),
    "an unknown format": framed(["bundle", {**HEADER, "format": 2}]),
    "a header with more": framed(["bundle", {**HEADER, "more": 1}]),
    "a header with less": framed(["bundle", {k: v for k, v in HEADER.items() if k != "match"}]),
    "a header of another kind": framed(["bundle", {**HEADER, "match": 5}]),
    "an unknown record": framed(["bundle", HEADER], ["note", "hello"]),
    "a record that is no array": framed(["bundle", HEADER], {"event": 1}),
    "an empty record": framed(["bundle", HEADER], []),
    "no record at all": framed(["bundle", HEADER], b""),
    "an event with less": framed(["bundle", HEADER], ["event", 1, b""]),
    "an event of another kind": framed(["bundle", HEADER], ["event", "1", b"", b""]),
    "a version that is a truth": framed(["bundle", HEADER], ["event", True, b"", b""]),
    "an opening with more": framed(["bundle", HEADER], ["opening", 1, "p", b"", b"", 1]),
    "a record that is not canonical": framed(["bundle", HEADER], b"\xdc\x00\x01\xa1a"),
    "a record with a float": framed(["bundle", HEADER], b"\x91\xcb" + bytes(8)),
    "deep": framed(["bundle", HEADER], b"\x91" * 5_000 + b"\xc0"),
    "wide": framed(["bundle", HEADER], b"\xdd\x00\x0f\x42\x40" + b"\xc0" * 1_000_000),
    "an end that counts wrong": framed(["bundle", HEADER], ["event", 1, b"", b""]),
    "no event": framed(["bundle", HEADER]),
}


@pytest.mark.parametrize("what", [what for what in BAD_RECORDS if what != "no event"])
def test_a_record_that_is_none_is_refused(what: str):
    assert refused(BAD_RECORDS[what])


def test_a_bundle_without_an_event_has_no_history():
    with pytest.raises(BadBundle, match="no event"):
        read_history(io.BytesIO(BAD_RECORDS["no event"]), ruleset)


# --- a history takes only what can be read --------------------------------------------------------


def rewritten(change: Callable[[list[Record]], None]) -> io.BytesIO:
    """The records of a match, changed, and written as a whole bundle."""
    found = records(bundled(played(replace(PLAIN), 1).history))[:-1]
    change(found)
    file = io.BytesIO()
    writer = BundleWriter(file)
    for record in found:
        writer.write(record)
    writer.end(None)
    file.seek(0)
    return file


def in_event(place: int, **fields: Any) -> Callable[[list[Record]], None]:
    def change(found: list[Record]) -> None:
        event = found[place]
        assert isinstance(event, Event)
        found[place] = msgspec.structs.replace(event, **fields)

    return change


UNREADABLE: dict[str, Callable[[list[Record]], None]] = {
    "a gap": in_event(2, version=3),
    "a body of nothing": in_event(2, body=b""),
    "a body of garbage": in_event(2, body=b"\xc1\xff"),
    "a body of another kind": in_event(2, body=encode([1, 2])),
    "a body without a kind": in_event(2, body=encode({"parent": 1})),
    "a body with bad text": in_event(2, body=b"\x81\xa4kind\xa2\xff\xfe"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_an_event_that_cannot_be_read_is_refused(what: str):
    with pytest.raises(BadBundle, match="event"):
        read_history(rewritten(UNREADABLE[what]), ruleset)


def test_a_history_grows_in_order_only():
    history = played().history
    reader = History(history.match, ruleset)
    with pytest.raises(AssertionError, match="in order"):
        reader.add(history.events[1])


def test_a_match_that_cannot_be_folded_here_is_handed_on_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
):
    journal = played(PLAIN, seed=4)
    history = History.of(journal.around.store, journal.match_id, ruleset)
    monkeypatch.setattr("ledger.log.read.history.facts_bytes", lambda _: b"other facts")
    for viewer in ("all", None, 0):
        file = io.BytesIO()
        write_bundle(file, history, viewer)
        file.seek(0)
        back = read_history(file, ruleset)
        assert back.events == history.events
        assert not [path for path in back.openings if path[1] == "outcome"]
