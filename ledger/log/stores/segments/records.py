"""What stands in a segment: one record for each entry of a shard's feed.

    ["log", position, name, [[version, entry, openings], ...]]    a batch of a log
    ["kept", position, match, field, value]                       a value kept beside a log

Entries and openings are the bytes of the server's streams (redis/entries.py), so that everything
about a log can be had again from its records, byte for byte.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from ledger.log.stores.redis.keys import KEPT, check_log, shard_of

VersionEntryOpenings: TypeAlias = tuple[int, bytes, bytes]  # no openings are b""


class Written(msgspec.Struct, frozen=True, array_like=True, tag="log"):
    """A batch of a log: what was appended in one."""

    position: int
    name: str
    entries: tuple[VersionEntryOpenings, ...]

    @property
    def first(self) -> int:
        """The version of its first event."""
        return self.entries[0][0]

    @property
    def last(self) -> int:
        """The version of its last event."""
        return self.entries[-1][0]

    @property
    def feed(self) -> bytes:
        """The feed entry that speaks of it."""
        return f"{self.name} {self.last}".encode()


class KeptValue(msgspec.Struct, frozen=True, array_like=True, tag="kept"):
    """A value that was kept beside a log."""

    position: int
    match: str
    field: str
    value: bytes

    @property
    def name(self) -> str:
        """The match that it belongs to."""
        return self.match

    @property
    def feed(self) -> bytes:
        """The feed entry that speaks of it."""
        return f"{self.match}{KEPT} {self.field}".encode()


Record: TypeAlias = Written | KeptValue

_RECORDS: Final[msgspec.msgpack.Decoder[Record]] = msgspec.msgpack.Decoder(Record)
_ENCODER: Final = msgspec.msgpack.Encoder()


def record_bytes(record: Record) -> bytes:
    """A record as bytes."""
    return _ENCODER.encode(record)


def read_record(packed: bytes | memoryview) -> Record:
    """A record, back again; raises ValueError where these are the bytes of none."""
    record = _RECORDS.decode(packed)
    check_log(record.name)
    if isinstance(record, Written):
        versions = [version for version, _, _ in record.entries]
        if not versions or versions != list(range(versions[0], versions[0] + len(versions))):
            raise ValueError("a batch does not hold one event after the other")
    return record


def shard_for(record: Record) -> int:
    """The shard that a record belongs to."""
    return shard_of(record.name)
