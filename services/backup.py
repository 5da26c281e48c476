"""Backups: the segments of a whole server in a folder of their own, and a manifest beside them.

    DIR/segments/       as the service writes them: every feed from its first entry on
    DIR/manifest.json   what is in them, and the hash of each file

A backup into the same folder again adds what has come since. It is read from the running server,
batch by batch, and does not stop it: each shard is copied up to where its feed ended then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from ledger.log.redis import keys
from ledger.log.redis.connection import Line, NoReply, NotSent, Refusing
from ledger.log.redis.ship import FeedReader
from ledger.log.segments.files import write_whole
from ledger.log.segments.frames import DamagedSegment
from ledger.log.segments.reader import (
    SEGMENTS,
    SegmentReader,
    segment_files,
    shard_folder,
    shards_in,
)
from ledger.log.segments.witness import Witness
from ledger.log.store import Unavailable

from .guard import GoneBack, gone_back_text, missing

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1
_AT_ONCE: Final = 4_000  # each time the disk is waited for

Counting = Callable[[int], None]


class SegmentFile(msgspec.Struct, kw_only=True):
    """A file of a backup, as far as it is vouched for."""

    bytes: int
    sha256: str


class ShardCopy(msgspec.Struct, kw_only=True):
    """What a backup holds of a shard."""

    position: int  # of the last record
    heads: int  # logs
    files: dict[str, SegmentFile]


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


def backup(line: Line, folder: Path, progress: Counting = lambda _: None) -> tuple[Manifest, int]:
    """Copy what a server holds and the folder lacks; gives how many records are new.

    Raises `GoneBack` where the folder holds more than the server, or something else; then it is
    left as it is. A backup that was stopped goes on from there.
    """
    check_manifest(folder)
    segments = folder / SEGMENTS
    try:
        if found := list(missing(line, folder)):
            raise GoneBack(_not_this_server(folder, gone_back_text(found)))
        with Witness(segments) as witness:
            new = _copy(line, witness, progress)
    except (NotSent, NoReply, Refusing) as reason:
        message = f"the backup came to a stop, start it again: {reason}"
        raise Unavailable(message) from None
    manifest = _manifest(segments)
    write_whole(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return manifest, new


def _copy(line: Line, witness: Witness, progress: Counting) -> int:
    """Take over every feed from where its segments end; the number of records."""
    new = 0
    for shard in range(keys.SHARDS):
        after = witness.open(shard)
        until = line.ask("XLEN", keys.feed_key(shard))  # what is written meanwhile is for next time
        reader = FeedReader(line, shard, after, witness.feed(shard))
        while records := reader.read(_AT_ONCE):
            witness.take(records)
            witness.sync()
            new += len(records)
            progress(new)
            if reader.position >= until:
                break
        witness.sync()
    return new


def _not_this_server(folder: Path, found: str) -> str:
    return f"{folder} holds what this server does not, and was left as it is: {found}"


def _manifest(segments: Path) -> Manifest:
    shards: dict[str, ShardCopy] = {}
    for shard in shards_in(segments):
        reader = SegmentReader(segments, shard)
        last = reader.last()
        shards[reader.folder.name] = ShardCopy(
            position=last.position if last else 0,
            heads=len(reader.heads()),
            files={path.name: _file(path, path.stat().st_size) for path in reader.files},
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
