"""Restores to a server what the segments hold and it lacks, and nothing else.

First it checks everything: the segments from first to last record, and the server's copy of
them. If a segment record is damaged, or the server holds something else in its place,
nothing is written. Then the missing records are written in the order of the feeds, under
their old ids. It can be stopped at any moment and started again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.disk import copy_owned, own_folder, sync_folder
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.restore import Difference, compare, ship_words, shipped
from ledger.log.stores.redis.store import ensure_library, read_head
from ledger.log.stores.segments.reader import (
    NAME,
    SEGMENTS,
    SegmentReader,
    segment_files,
    segments_in,
    shard_folder,
    shards_in,
)
from ledger.log.stores.segments.records import Record, WrittenBatch
from services.keep.backup import check_manifest
from services.keep.guard import name_some
from services.run.outages import report_outage
from services.run.programs import read_stamp, write_stamp

AT_ONCE: Final = 200
LEDGER: Final = "ledger"  # the server's name in a data folder
_Item = TypeVar("_Item")

Counting = Callable[[int], None]


class WentOn(Exception):
    """The server holds something else in the place of what is to be restored."""


class Restored(msgspec.Struct, kw_only=True):
    """The numbers of records checked, of records written, and of the logs they belong to."""

    records: int = 0  # looked at
    shipped: int = 0  # of them were missing, wholly or in part
    logs: int = 0  # that these belong to


def restore(connection: Connection, folder: Path, progress: Counting = lambda _: None) -> Restored:
    """Restores the segments of a data folder or a backup.

    Raises `DamagedSegment` or `WentOn` before anything is written. Raises `Unavailable` if the
    server does not answer; then it can be called again.
    """
    segments = segments_in(folder)
    check_manifest(folder)
    done = Restored()
    with report_outage("the restore stopped; start it again", unknown=True):
        ensure_library(connection)
        starts = _find_starts(connection, segments, done, progress)
        for shard, start in starts.items():
            _ship(connection, SegmentReader(segments, shard), start, done, progress)
    return done


def check_segments(folder: Path, progress: Counting = lambda _: None) -> None:
    """Checks the segments alone: they must be whole, from the first record to the last."""
    check_manifest(folder)
    segments = segments_in(folder)
    readers = (SegmentReader(segments, shard) for shard in shards_in(segments))
    for count, _ in enumerate(chain.from_iterable(map(SegmentReader.checked, readers)), 1):
        progress(count)


def adopt(source: Path, data: Path) -> None:
    """Copies a backup's segments into a data folder that has none.

    So the guard knows from the start what must be there: a half-restored server is not served.
    The copies are readable by their owner only, like all segments, whatever the backup's
    permissions are.
    """
    segments = data / SEGMENTS
    if segments_in(source) == segments or shards_in(segments):
        return
    unfinished = data / f"{SEGMENTS}.tmp"
    shutil.rmtree(unfinished, ignore_errors=True)
    own_folder(unfinished)
    for shard in shards_in(segments_in(source)):
        _copy_shard(shard_folder(segments_in(source), shard), shard_folder(unfinished, shard))
    sync_folder(unfinished)
    if segments.is_dir():
        shutil.rmtree(segments)
    unfinished.rename(segments)
    sync_folder(data)


def _copy_shard(source: Path, target: Path) -> None:
    own_folder(target)
    heads = source / NAME
    for path in [*segment_files(source), *([heads] if heads.is_file() else [])]:
        copy_owned(path, target / path.name)
    sync_folder(target)


def forget_lost_files(servers: Path) -> None:
    """Lets the ledger's server start empty if its files are gone.

    Nothing else does: an empty ledger looks like a lost one.
    """
    stamp = read_stamp(servers)
    if stamp is None or any((servers / LEDGER / "appendonlydir").glob("*.manifest")):
        return
    rest = tuple(name for name in stamp.holds if name != LEDGER)
    write_stamp(servers, replace(stamp, holds=rest))


def _find_starts(
    connection: Connection, segments: Path, done: Restored, progress: Counting
) -> dict[int, int]:
    """Returns each shard's first position to restore; refuses what cannot be restored."""
    starts: dict[int, int] = {}
    differing: list[Difference] = []
    for shard in shards_in(segments):
        lacking: dict[str, int] = {}  # logs, and from which position on
        last: dict[str, tuple[Record, Tip]] = {}
        for chunk in chunks(SegmentReader(segments, shard).checked(), AT_ONCE):
            records = [record for record, _ in chunk]
            last |= {record.name: (record, tip) for record, tip in chunk if tip is not None}
            for record, found in zip(records, compare(connection, shard, records), strict=True):
                if isinstance(found, Difference):
                    differing.append(found)
                elif not found:
                    lacking.setdefault(record.name, record.position)
            done.records += len(records)
            progress(done.records)
        for record, found in _ends(connection, shard, last):
            if isinstance(found, Difference):
                differing.append(found)
            elif not found:
                lacking.setdefault(record.name, 1)
        done.logs += len(lacking)
        if lacking:
            starts[shard] = min(lacking.values())
    if differing:
        raise WentOn(went_on_text(differing))
    return starts


def _ends(
    connection: Connection, shard: int, last: dict[str, tuple[Record, Tip]]
) -> Iterator[tuple[Record, Difference | bool]]:
    """Yields the last record of each log, and whether its head and the lists agree with it."""
    if not last:
        return
    lists = connection.asks(
        [("SMEMBERS", keys.matches_key(shard)), ("SMEMBERS", keys.books_key(shard))]
    )
    listed = set().union(*lists)
    for chunk in chunks(last.items(), AT_ONCE):
        heads = connection.asks([("GET", keys.log_keys(name).head) for name, _ in chunk])
        for (name, (record, tip)), said in zip(chunk, heads, strict=True):
            end = read_head(said)
            if end.version == tip.version and end != tip:
                yield record, Difference(record, f"the head of event {tip.version} is another")
            else:
                yield (
                    record,
                    end.version >= tip.version and ("/" in name or name.encode() in listed),
                )


def _ship(
    connection: Connection, reader: SegmentReader, start: int, done: Restored, progress: Counting
) -> None:
    """Writes the missing records of a shard, from a position on."""
    tips: dict[str, Tip] = {}
    for chunk in chunks(reader.checked(), AT_ONCE):
        words = []
        for record, tip in chunk:
            before = tips.get(record.name, EMPTY)
            if tip is not None:
                tips[record.name] = tip
            if record.position >= start:
                words.append(ship_words(record, before, tip))
        sent = [record for record, _ in chunk if record.position >= start]
        for record, reply in zip(sent, connection.calls(words), strict=True):
            done.shipped += shipped(record, reply)
        progress(done.records + done.shipped)


def chunks(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """Yields lists of at most `size` items."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def went_on_text(differing: list[Difference]) -> str:
    """Describes in one line, for people, what the server holds instead."""
    names = sorted({one.record.name for one in differing})
    first = {one.record.name: one for one in reversed(differing)}
    shown = name_some([_differs(first[name]) for name in names])
    return (
        f"the server's logs went on differently, so nothing was changed: {len(names)} "
        f"{'logs differ' if len(names) > 1 else 'log differs'} ({shown})."
    )


def _differs(one: Difference) -> str:
    record = one.record
    where = f" from event {record.first} on" if isinstance(record, WrittenBatch) else ""
    return f"{record.name}{where}: {one.what}"
