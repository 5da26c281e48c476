"""The records of segments: one for each entry of a shard's feed.

    ["log", position, name, [[version, entry, openings], ...]]    a batch of a log
    ["kept", position, match, field, value]                       a value kept with a log

Entries and openings are the bytes of the server's streams (redis/keys.py), so the
records of a log restore it byte for byte.

A head covers every event before it. Computing the heads from a shard's first record on finds
each change, even where every frame looks right, and each batch that was left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import msgspec

from ledger.log.format.chain import EMPTY, Event, Tip
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis.keys import KEPT, Chain, check_log, read_entry, shard_of

VersionEntryOpenings: TypeAlias = tuple[int, bytes, bytes]  # no openings are b""


class WrittenBatch(msgspec.Struct, frozen=True, array_like=True, tag="log"):
    """A batch of a log: the events that one append wrote together."""

    position: int
    name: str
    entries: tuple[VersionEntryOpenings, ...]

    @property
    def first(self) -> int:
        return self.entries[0][0]

    @property
    def last(self) -> int:
        return self.entries[-1][0]

    @property
    def feed(self) -> bytes:
        """Returns the feed entry that names it."""
        return f"{self.name} {self.last}".encode()

    def events(self, before: Tip | None) -> Iterator[Event]:
        """Yields its events, which must follow the tip before them; None where it is not known."""
        rows = ((b"%d-0" % version, [b"e", entry]) for version, entry, _ in self.entries)
        return Chain(self.name, before).read(rows)


class KeptValue(msgspec.Struct, frozen=True, array_like=True, tag="kept"):
    position: int
    match: str
    field: str
    value: bytes

    @property
    def name(self) -> str:
        return self.match

    @property
    def feed(self) -> bytes:
        return f"{self.match}{KEPT} {self.field}".encode()


Record: TypeAlias = WrittenBatch | KeptValue

_RECORDS: Final[msgspec.msgpack.Decoder[Record]] = msgspec.msgpack.Decoder(Record)
_ENCODER: Final = msgspec.msgpack.Encoder()


def record_bytes(record: Record) -> bytes:
    return _ENCODER.encode(record)


def read_record(packed: bytes | memoryview) -> Record:
    """Parses a record; raises ValueError for any other bytes."""
    record = _RECORDS.decode(packed)
    check_log(record.name)
    if isinstance(record, WrittenBatch):
        versions = [version for version, _, _ in record.entries]
        if not versions or versions != list(range(versions[0], versions[0] + len(versions))):
            raise ValueError("a batch does not hold one event after the other")
    return record


def shard_for(record: Record) -> int:
    return shard_of(record.name)


# --- heads ----------------------------------------------------------------------------------------


class Chains:
    """The tip of each log."""

    def __init__(self, tips: Iterable[tuple[str, Tip]] = ()) -> None:
        self.tips: dict[str, Tip] = dict(tips)

    def tip(self, name: str) -> Tip:
        """Returns the tip of a log as far as its records were taken."""
        return self.tips.get(name, EMPTY)

    def take(self, record: Record) -> Tip | None:
        """Returns the tip of the log after a record; None for a record outside the logs."""
        if not isinstance(record, WrittenBatch):
            return None
        check_batch(record)
        *_, last = record.events(self.tip(record.name))
        self.tips[record.name] = last.tip
        return last.tip


def check_batch(record: WrittenBatch) -> None:
    """Checks that a batch ends where its entries say, and has its command in its first event."""
    for version, packed, _ in record.entries:
        entry = read_entry(packed)
        ends = version == record.last
        if entry.more is ends or (entry.command and version != record.first):
            raise DamagedLog(f"event {version} of {record.name} is not in the batch that it says")
