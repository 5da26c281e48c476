"""Backups: the segments of a whole server in a folder, with a manifest.

    DIR/segments/       as the service writes them: every feed from its first entry on
    DIR/manifest.json   a list of the contents, with the hash of each file

Another backup into the same folder adds the new records. The backup reads the running
server batch by batch and does not stop it. It copies each shard up to the end its feed had
then.

A damaged log stops only its own shard, because nothing can be written behind the damage.
The other shards are copied, and the manifest names the incomplete one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Final

import msgspec

from ledger.log.stores.disk import DamagedSegment, write_whole
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis import RedisStore, keys
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.reader import SEGMENTS, SegmentReader, segment_files, shard_folder
from ledger.log.stores.segments.records import Record
from ledger.log.stores.segments.witness import Witness
from services.feeds.reader import Feeds, Unread, place_of
from services.run.outages import report_outage

from .guard import GoneBack, Missing, describe_losses, find_lost_feed, missing

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1
_AT_ONCE: Final = 4_000  # each time the disk is waited for

Counting = Callable[[int], None]


class SegmentFile(msgspec.Struct, kw_only=True):
    """A file of a backup: its verified length and the hash of those bytes."""

    bytes: int
    sha256: str


class ShardCopy(msgspec.Struct, kw_only=True, omit_defaults=True):
    position: int  # of the last record
    heads: int  # logs
    files: dict[str, SegmentFile]
    incomplete: str = ""  # why the feed could not be copied to its end


class Manifest(msgspec.Struct, kw_only=True):
    format: int
    made: str
    shards: dict[str, ShardCopy]

    @property
    def records(self) -> int:
        """Returns the number of feed entries in the backup."""
        return sum(shard.position for shard in self.shards.values())

    @property
    def heads(self) -> int:
        """Returns the number of logs in the backup."""
        return sum(shard.heads for shard in self.shards.values())


def backup(
    connection: Connection,
    folder: Path,
    progress: Counting = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Manifest, int]:
    """Copies what the server has and the folder lacks; returns the manifest and the count of new
    records.

    Calls `tell` with one line for each damage it finds, and still copies the rest. Raises
    `GoneBack` if the folder holds more than the server or something else, and leaves the folder
    unchanged. Continues a backup that was stopped.
    """
    check_manifest(folder)
    segments = folder / SEGMENTS
    with report_outage("the backup stopped; start it again"):
        if found := list(missing(connection, folder)):
            damage = list(takewhile(bool, (_damage(connection, segments, one) for one in found)))
            if len(damage) < len(found):
                message = f"{folder} holds what this server does not, and was left as it is"
                raise GoneBack(f"{message}: {describe_losses(found)}")
            for text in damage:
                tell(f"{text}; the backup holds it")
        with Witness(segments) as witness:
            new, incomplete = _copy(connection, witness, progress)
    for text in incomplete.values():
        tell(text)
    manifest = _manifest(segments, incomplete)
    write_whole(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return manifest, new


def _damage(connection: Connection, segments: Path, one: Missing) -> str:
    """Describes the damage to a missing log, or returns '' if its server has gone back.

    A server restored to an older copy is consistent: its feeds agree with its logs.
    """
    if " " in one.name:  # a feed
        return ""
    try:
        for _ in RedisStore(connection).events(one.name):
            pass
    except DamagedLog as reason:
        return str(reason)
    if one.other or any(
        find_lost_feed(connection, SegmentReader(segments, keys.shard_of(one.name)))
    ):
        return ""
    return f"{one}, and the feed speaks of more"


def _copy(
    connection: Connection, witness: Witness, progress: Counting
) -> tuple[int, dict[int, str]]:
    """Copies every feed from the end of its segments; returns the number of records.

    Also returns, for each shard that could not be copied to its end, the place and the reason.
    """
    new, incomplete = 0, {}
    for shard in range(keys.SHARDS):
        after = witness.open(shard)
        until = _end_of_feed(connection, shard)  # what is written meanwhile is for next time
        feeds = Feeds(connection)
        try:
            feeds.add(shard, after, witness.feed(shard))
            while (position := feeds.place(shard).position) < until:
                for _, records in feeds.read(min(_AT_ONCE, until - position)):
                    witness.take(_up_to_damage(records))
                witness.sync()
                progress(new + witness.position(shard) - after)
        except DamagedLog as reason:
            where = f"{witness.position(shard)} of {until} records"
            incomplete[shard] = f"shard {shard} was copied up to {where}: {reason}"
        witness.sync()
        new += witness.position(shard) - after
    return new, incomplete


def _end_of_feed(connection: Connection, shard: int) -> int:
    feed = keys.feed_key(shard)
    count, last = connection.asks([("XLEN", feed), ("XREVRANGE", feed, "+", "-", "COUNT", 1)])
    # They say the same, unless somebody has been at the feed: then reading finds it.
    return max(int(count), *(place_of(row).position for row in last), 0)


def _up_to_damage(records: Iterable[Record | Unread]) -> Iterator[Record]:
    for record in records:
        if isinstance(record, Unread):
            raise DamagedLog(record.why)
        yield record


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
    """Hashes the first `size` bytes of a file."""
    digest, rest = hashlib.sha256(), size
    with path.open("rb") as file:
        while rest and (part := file.read(min(rest, 1 << 20))):
            digest.update(part)
            rest -= len(part)
    return SegmentFile(bytes=size - rest, sha256=digest.hexdigest())


def check_manifest(folder: Path) -> None:
    """Checks the files of a backup against its manifest, if it has one.

    The files may be longer than the manifest says, if a backup stopped before it rewrote the
    manifest.
    """
    path = folder / MANIFEST
    if not path.exists():
        return
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as reason:
        raise DamagedSegment(f"{path} is damaged: {reason}") from None
    if manifest.format != FORMAT:
        raise DamagedSegment(f"{path} has format {manifest.format}; only {FORMAT} is known here")
    for number in range(keys.SHARDS):
        shard = shard_folder(folder / SEGMENTS, number)
        stated = manifest.shards.get(shard.name)
        for name, file in stated.files.items() if stated else ():
            found = shard / name
            if found not in segment_files(shard) or _file(found, file.bytes) != file:
                raise DamagedSegment(f"{found} is not the file that {path} describes")
