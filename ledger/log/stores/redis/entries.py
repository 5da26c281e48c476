"""An event as one stream entry, and entries as events again.

    entry = flags (1 byte) ‖ [head (32)] ‖ [command (12) ‖ fingerprint (8)] ‖ body

    flags    1  has this event's head: every 16th has, the others follow from the chain
             2  has the command that wrote this batch: in its first event
             4  the log is closed after this event
             8  the batch goes on with the next event

A whole log, its command index included, can be restored from its entries alone. Reading
computes every head anew, so each reader that passes a tampered entry detects it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from ledger.log.format.chain import EMPTY, Event, Tip, head_after
from ledger.log.format.commitments import SEALED_PATH, Opening, padded, unpad_value
from ledger.log.stores.protocol import Batch, Command, DamagedLog

HEAD_EVERY: Final = 16
HEAD, COMMAND, CLOSED, MORE = 1, 2, 4, 8
_HEAD_BYTES: Final = 32
COMMAND_BYTES: Final = 12
FINGERPRINT_BYTES: Final = 8


class StreamEntry(NamedTuple):
    """The parts of one stream entry."""

    head: bytes | None
    command: bytes  # empty where none stands here
    fingerprint: bytes
    closed: bool
    more: bool
    body: bytes


def command_key(command: Command) -> bytes:
    """Returns a command's key: a short hash, as ids may be long and each decision has one."""
    return hashlib.blake2b(command.id.encode(), digest_size=COMMAND_BYTES).digest()


def fingerprint_of(command: Command) -> bytes:
    """Returns the stored part of a request's keyed hash; forging another needs the key."""
    return hashlib.blake2b(command.fingerprint, digest_size=FINGERPRINT_BYTES).digest()


def entries_of(batch: Batch) -> list[bytes]:
    last = len(batch.events) - 1
    command = batch.command
    packed = []
    for place, event in enumerate(batch.events):
        flags, lead = 0, b""
        if event.version % HEAD_EVERY == 0:
            flags, lead = HEAD, event.head
        if place == 0 and command is not None:
            flags |= COMMAND
            lead += command_key(command) + fingerprint_of(command)
        if place < last:
            flags |= MORE
        elif batch.closes:
            flags |= CLOSED
        packed.append(bytes((flags,)) + lead + event.body)
    return packed


def read_entry(packed: bytes) -> StreamEntry:
    if not packed or packed[0] & ~(HEAD | COMMAND | CLOSED | MORE):
        raise DamagedLog("an entry of the log was changed after it was written")
    flags, place = packed[0], 1
    head, command, fingerprint = None, b"", b""
    if flags & HEAD:
        head, place = packed[1 : 1 + _HEAD_BYTES], 1 + _HEAD_BYTES
    if flags & COMMAND:
        command = packed[place : place + COMMAND_BYTES]
        place += COMMAND_BYTES
        fingerprint = packed[place : place + FINGERPRINT_BYTES]
        place += FINGERPRINT_BYTES
    return StreamEntry(
        head, command, fingerprint, bool(flags & CLOSED), bool(flags & MORE), packed[place:]
    )


Row = tuple[bytes, list[bytes]]  # a stream entry as the server gives it


def version_in(row: Row) -> int:
    """Returns the version in an entry's id."""
    version, _, rest = row[0].partition(b"-")
    if rest != b"0":
        raise DamagedLog(f"an entry of the log has the id {row[0][:40]!r}")
    return int(version)


def entry_value_of(row: Row) -> bytes:
    """Returns the one value of an entry."""
    if len(row[1]) != 2:
        raise DamagedLog("an entry of the log has more than one field")
    return row[1][1]


class Chain:
    """Turns entries into events, each with the head that follows from those before it."""

    def __init__(self, name: str, tip: Tip | None = EMPTY) -> None:
        self.name = name
        self.tip = tip  # None: not known yet, the first entry has to say it

    def read(self, rows: Iterable[Row]) -> Iterator[Event]:
        for row in rows:
            version, entry = version_in(row), read_entry(entry_value_of(row))
            if self.tip is None:
                if entry.head is None:
                    raise DamagedLog(f"event {version} of {self.name} has lost its head")
                head = entry.head
            else:
                if version != self.tip.version + 1:
                    where = f"after event {self.tip.version} comes {version}"
                    raise DamagedLog(f"the log of {self.name} has a gap: {where}")
                head = head_after(self.name, self.tip, entry.body)
                if entry.head is not None and entry.head != head:
                    raise DamagedLog(f"the log of {self.name} was changed at or before {version}")
            self.tip = Tip(version, head)
            yield Event(version, head, entry.body)


def pack_openings(openings: Iterable[Opening]) -> bytes:
    """Packs the openings of one event: the commonest path as a number, without padding."""
    packed: list[tuple[str | int, bytes, bytes] | tuple[str | int, bytes, bytes, bool]] = []
    for one in openings:
        path = _SEALED if one.path == SEALED_PATH else one.path
        try:
            packed.append((path, one.salt, unpad_value(one.plain)))
        except ValueError:
            packed.append((path, one.salt, one.plain, False))
    return msgspec.msgpack.encode(packed)


class _Packed(msgspec.Struct, array_like=True):
    """An opening as stored with its event; the last field is left out where it is true."""

    path: str | int
    salt: bytes
    plain: bytes
    padded: bool = True


_SEALED: Final = 0
_OPENINGS: Final = msgspec.msgpack.Decoder(list[_Packed])


def read_openings(version: int, packed: bytes) -> Iterator[Opening]:
    for one in _OPENINGS.decode(packed):
        path = SEALED_PATH if one.path == _SEALED else str(one.path)
        yield Opening(version, path, one.salt, padded(one.plain) if one.padded else one.plain)
