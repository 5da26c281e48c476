"""Keys: the server's keys, the shards they are on, and an event as one stream entry.

All keys of a match carry the hash tag of its shard. So one function can use them together,
and a cluster can spread the shards over machines.

    {s05}:match:<id>:events      the log: one entry an event, its id is the version
    {s05}:match:<id>:head        its version and head
    {s05}:match:<id>:commands    which command wrote which event
    {s05}:match:<id>:openings    the values behind commitments, by version
    {s05}:match:<id>:kept        secrets and overlays, each written once
    {s05}:match:<id>:parked      the reason, if the match takes no decisions
    {s05}:match:<id>:talk        a separate log, with talk-head and talk-commands
    {s05}:matches                the ids of all matches of the shard
    {s05}:parked                 the ids of its parked matches
    {s05}:feed                   the changes of the shard, in order
    {s05}:book:<name>:events     a book (books.py), with head and commands
    {s05}:books                  the names of all books of the shard

The chat at a table is the log `<id>/talk`; it has the shard of its match. A book's name has
a colon in it, which no match's id has: `club:people`, `table:<match>`.

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
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from ledger.log.format.chain import (
    EMPTY,
    SEALED_PATH,
    Event,
    Opening,
    Tip,
    head_after,
    padded,
    unpad_value,
)
from ledger.log.stores.protocol import Batch, Command, DamagedLog

SHARDS: Final = 16
TALK: Final = "/talk"
KEPT: Final = "/kept"
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_BOOK: Final = re.compile(r"(club|table|tournament):[a-z0-9][a-z0-9-]{0,63}")


class LogKeys(NamedTuple):
    """The keys that an append uses, in the order in which the function takes them."""

    events: str
    head: str
    commands: str
    openings: str
    parked: str
    matches: str
    feed: str


def check_id(match: str) -> None:
    """Refuses an invalid match id: ids come from bundles, addresses and command lines."""
    if not _ID.fullmatch(match):
        raise ValueError(f"a match cannot have the id {match[:80]!r}")


def is_book(name: str) -> bool:
    return _BOOK.fullmatch(name) is not None


def check_log(name: str) -> None:
    """Refuses an invalid name of a log: a match, its chat, or a book."""
    if not is_book(name):
        check_id(name.removesuffix(TALK))


def shard_of(name: str) -> int:
    """Returns the shard of a log; the chat of a match is in the match's shard."""
    return zlib.crc32(name.partition("/")[0].encode()) % SHARDS


def is_in_feed(name: str, shard: int) -> bool:
    """Returns whether a shard's feed can name this: a log, or the values kept with one."""
    try:
        check_log(name.removesuffix(KEPT))
    except ValueError:
        return False
    return shard_of(name) == shard


def tag(shard: int) -> str:
    """Returns the prefix of a shard's keys."""
    return f"{{s{shard:02d}}}"


def feed_key(shard: int) -> str:
    return f"{tag(shard)}:feed"


def matches_key(shard: int) -> str:
    return f"{tag(shard)}:matches"


def books_key(shard: int) -> str:
    return f"{tag(shard)}:books"


def parked_key(shard: int) -> str:
    return f"{tag(shard)}:parked"


def match_key(match: str, part: str) -> str:
    check_id(match)
    return f"{tag(shard_of(match))}:match:{match}:{part}"


@lru_cache(maxsize=4_096)
def log_keys(name: str) -> LogKeys:
    shard = shard_of(name)
    if is_book(name):
        base, part, listed = f"{tag(shard)}:book:{name}", "", books_key(shard)
    else:
        match = name.removesuffix(TALK)
        check_id(match)  # which refuses every other name with a slash in it
        base, part = f"{tag(shard)}:match:{match}", name[len(match) + 1 :]
        listed = matches_key(shard)
    lead = f"{part}-" if part else ""
    return LogKeys(
        events=f"{base}:{part or 'events'}",
        head=f"{base}:{lead}head",
        commands=f"{base}:{lead}commands",
        openings=f"{base}:{lead}openings",
        parked=f"{base}:parked",
        matches=listed,
        feed=feed_key(shard),
    )


# --- entries --------------------------------------------------------------------------------------


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
