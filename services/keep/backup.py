"""Backups: the segments of a whole server in a folder of their own, and a manifest beside them.

    DIR/segments/       as the service writes them: every feed from its first entry on
    DIR/manifest.json   what is in them, and the hash of each file

A backup into the same folder again adds what has come since. It is read from the running server,
batch by batch, and does not stop it: each shard is copied up to where its feed ended then.

A log that is damaged on the server stops nothing but its own shard, behind which nothing can be
written; the other shards are copied, and the manifest says which one is incomplete.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Final

import msgspec

from ledger.log.stores.protocol import DamagedLog, Unavailable
from ledger.log.stores.redis import RedisStore, keys
from ledger.log.stores.redis.connection import Line, NoReply, NotSent, Refusing
from ledger.log.stores.redis.entries import Row
from ledger.log.stores.redis.feed import FeedReader
from ledger.log.stores.segments.files import write_whole
from ledger.log.stores.segments.frames import DamagedSegment
from ledger.log.stores.segments.reader import SEGMENTS, SegmentReader, segment_files, shard_folder
from ledger.log.stores.segments.records import Record
from ledger.log.stores.segments.witness import Witness

from .guard import GoneBack, Missing, gone_back_text, lost_feed, missing

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1
_AT_ONCE: Final = 4_000  # each time the disk is waited for

Counting = Callable[[int], None]
Telling = Callable[[str], None]


class SegmentFile(msgspec.Struct, kw_only=True):
    """A file of a backup, as far as it is vouched for."""

    bytes: int
    sha256: str


class ShardCopy(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a backup holds of a shard."""

    position: int  # of the last record
    heads: int  # logs
    files: dict[str, SegmentFile]
    incomplete: str = ""  # why the feed could not be copied to its end


class Manifest(msgspec.Struct, kw_only=True):
    """What a backup holds."""

    format: int
    made: str
    shards: dict[str, ShardCopy]

    @property
    def records(self) -> int:
        """How many feed entries it holds."""
        return sum(shard.position for shard in self.shards.values())

    @property
    def heads(self) -> int:
        """How many logs it holds."""
        return sum(shard.heads for shard in self.shards.values())


def backup(
    line: Line,
    folder: Path,
    progress: Counting = lambda _: None,
    tell: Telling = lambda _: None,
) -> tuple[Manifest, int]:
    """Copy what a server holds and the folder lacks; gives how many records are new.

    `tell` is told of each damage that was come upon, in one line; the rest is copied all the same.
    Raises `GoneBack` where the folder holds more than the server, or something else; then it is
    left as it is. A backup that was stopped goes on from there.
    """
    check_manifest(folder)
    segments = folder / SEGMENTS
    try:
        if found := list(missing(line, folder)):
            damage = list(takewhile(bool, (_damage(line, segments, one) for one in found)))
            if len(damage) < len(found):
                raise GoneBack(_not_this_server(folder, gone_back_text(found)))
            for text in damage:
                tell(f"{text}; the backup holds it")
        with Witness(segments) as witness:
            new, incomplete = _copy(line, witness, progress)
    except (NotSent, NoReply, Refusing) as reason:
        message = f"the backup came to a stop, start it again: {reason}"
        raise Unavailable(message) from None
    for text in incomplete.values():
        tell(text)
    manifest = _manifest(segments, incomplete)
    write_whole(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return manifest, new


def _damage(line: Line, segments: Path, one: Missing) -> str:
    """What is damaged about a log that is missing; nothing where its server has gone back.

    A server that was put back is in order in itself, its feeds with its logs.
    """
    if " " in one.name:  # a feed
        return ""
    try:
        for _ in RedisStore(line).events(one.name):
            pass
    except DamagedLog as reason:
        return str(reason)
    if one.other or any(lost_feed(line, SegmentReader(segments, keys.shard_of(one.name)))):
        return ""
    return f"{one}, and the feed speaks of more"


def _copy(line: Line, witness: Witness, progress: Counting) -> tuple[int, dict[int, str]]:
    """Take over every feed from where its segments end; the number of records.

    Of shards that could not be copied to their end: where that was, and why.
    """
    new, incomplete = 0, {}
    for shard in range(keys.SHARDS):
        after = witness.open(shard)
        until = _end_of_feed(line, shard)  # what is written meanwhile is for next time
        reader = FeedReader(line, shard, after, witness.feed(shard))
        try:
            while reader.position < until and (
                rows := reader.rows(min(_AT_ONCE, until - reader.position))
            ):
                for records in _taken(reader, rows):
                    witness.take(records)
                witness.sync()
                progress(new + witness.position(shard) - after)
        except DamagedLog as reason:
            where = f"{witness.position(shard)} of {until} records"
            incomplete[shard] = f"shard {shard} was copied up to {where}: {reason}"
        witness.sync()
        new += witness.position(shard) - after
    return new, incomplete


def _end_of_feed(line: Line, shard: int) -> int:
    """Up to which position a feed is to be read."""
    feed = keys.feed_key(shard)
    count, last = line.asks([("XLEN", feed), ("XREVRANGE", feed, "+", "-", "COUNT", 1)])
    # They say the same, unless somebody has been at the feed: then reading finds it.
    return max(int(count), *(int(row[0].partition(b"-")[2]) for row in last), 0)


def _taken(reader: FeedReader, rows: list[Row]) -> Iterator[list[Record]]:
    """The records of feed entries: all at once, or one by one up to what is damaged."""
    try:
        records = reader.take(rows)
    except DamagedLog:
        for row in rows:
            yield reader.take([row])
    else:
        yield records


def _not_this_server(folder: Path, found: str) -> str:
    return f"{folder} holds what this server does not, and was left as it is: {found}"


def _manifest(segments: Path, incomplete: Mapping[int, str]) -> Manifest:
    shards: dict[str, ShardCopy] = {}
    for shard in range(keys.SHARDS):
        reader = SegmentReader(segments, shard)
        if not reader.files and shard not in incomplete:
            continue
        last = reader.last()
        shards[reader.folder.name] = ShardCopy(
            position=last.position if last else 0,
            heads=len(reader.heads()),
            files={path.name: _file(path, path.stat().st_size) for path in reader.files},
            incomplete=incomplete.get(shard, ""),
        )
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return Manifest(format=FORMAT, made=made, shards=shards)


def _file(path: Path, size: int) -> SegmentFile:
    """So many of a file's first bytes, and their hash."""
    digest, rest = hashlib.sha256(), size
    with path.open("rb") as file:
        while rest and (part := file.read(min(rest, 1 << 20))):
            digest.update(part)
            rest -= len(part)
    return SegmentFile(bytes=size - rest, sha256=digest.hexdigest())


def check_manifest(folder: Path) -> None:
    """Hold the files of a backup against its manifest, where there is one.

    They may have grown since, if a backup was stopped before it had written the manifest anew.
    """
    path = folder / MANIFEST
    if not path.exists():
        return
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as reason:
        raise DamagedSegment(f"{path} is damaged: {reason}") from None
    if manifest.format != FORMAT:
        raise DamagedSegment(f"{path} says format {manifest.format}; only {FORMAT} is known here")
    for number in range(keys.SHARDS):
        shard = shard_folder(folder / SEGMENTS, number)
        stated = manifest.shards.get(shard.name)
        for name, file in stated.files.items() if stated else ():
            found = shard / name
            if found not in segment_files(shard) or _file(found, file.bytes) != file:
                raise DamagedSegment(f"{found} is not the file that {path} speaks of")
