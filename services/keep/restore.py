"""Restoring: a server gets back what the segments hold and it lacks, and nothing else.

First everything is looked at: the segments from their first record to their last, and what the
server has of it. If a record of the segments is damaged, or the server holds something else in its
place, nothing is written at all. Then what is missing is written in the order of the feeds, under
the ids that it had. It can be stopped at any moment and started again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.protocol import Unavailable
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.connection import Line, NoReply, NotSent, Refusing
from ledger.log.stores.redis.feed import Difference, compare, ship_words, shipped
from ledger.log.stores.redis.functions import ensure_library
from ledger.log.stores.redis.store import read_head
from ledger.log.stores.segments.files import copy_owned, own_folder, sync_folder
from ledger.log.stores.segments.heads import NAME
from ledger.log.stores.segments.reader import (
    SEGMENTS,
    SegmentReader,
    segment_files,
    segments_in,
    shard_folder,
    shards_in,
)
from ledger.log.stores.segments.records import Record, Written
from services.keep.backup import check_manifest
from services.run.programs import Program, read_stamp, write_stamp

AT_ONCE: Final = 200
LEDGER: Final = "ledger"  # the server's name in a data folder
_SHOWN: Final = 3
_Item = TypeVar("_Item")

Counting = Callable[[int], None]


class WentOn(Exception):
    """The server holds something else in the place of what is to be restored."""


class Restored(msgspec.Struct, kw_only=True):
    """What was done."""

    records: int = 0  # looked at
    shipped: int = 0  # of them were missing, wholly or in part
    logs: int = 0  # that these belong to


def restore(line: Line, folder: Path, progress: Counting = lambda _: None) -> Restored:
    """Bring back what the segments in a folder hold; the folder is a data folder or a backup.

    Raises `DamagedSegment` or `WentOn` before anything is written; `Unavailable` where the server
    does not answer, and then it can be called again.
    """
    segments = segments_in(folder)
    check_manifest(folder)
    done = Restored()
    try:
        ensure_library(line)
        starts = _looked_at(line, segments, done, progress)
        for shard, start in starts.items():
            _ship(line, SegmentReader(segments, shard), start, done, progress)
    except (NotSent, NoReply, Refusing) as reason:
        message = f"restoring came to a stop, start it again: {reason}"
        raise Unavailable(message, unknown=True) from None
    return done


def check_segments(folder: Path, progress: Counting = lambda _: None) -> None:
    """Look at the segments alone: whether they are whole, from their first record to their last."""
    check_manifest(folder)
    segments, count = segments_in(folder), 0
    for shard in shards_in(segments):
        for _ in SegmentReader(segments, shard).checked():
            count += 1
            progress(count)


def adopt(source: Path, data: Path) -> None:
    """Give a data folder without segments those of a backup.

    So from the first moment on the guard knows what is to be there: if restoring is stopped, the
    half that has come is not served. The copies are their owner's alone, as all segments are,
    whatever has become of the rights of the backup.
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
    """Let the ledger's server start empty, where its files are gone.

    Nobody else lets it: an empty ledger is what a lost one looks like.
    """
    stamp = read_stamp(servers)
    if stamp is None or any((servers / LEDGER / "appendonlydir").glob("*.manifest")):
        return
    rest = [name for name in stamp.holds if name != LEDGER]
    write_stamp(servers, Program(stamp.kind, stamp.version, Path()), rest)


def _looked_at(line: Line, segments: Path, done: Restored, progress: Counting) -> dict[int, int]:
    """From which position on each shard is to be restored; refuses what cannot be."""
    starts: dict[int, int] = {}
    differing: list[Difference] = []
    for shard in shards_in(segments):
        lacking: dict[str, int] = {}  # logs, and from which position on
        last: dict[str, tuple[Record, Tip]] = {}
        for chunk in chunks(SegmentReader(segments, shard).checked(), AT_ONCE):
            records = [record for record, _ in chunk]
            last |= {record.name: (record, tip) for record, tip in chunk if tip is not None}
            for record, found in zip(records, compare(line, shard, records), strict=True):
                if isinstance(found, Difference):
                    differing.append(found)
                elif not found:
                    lacking.setdefault(record.name, record.position)
            done.records += len(records)
            progress(done.records)
        for record, found in _ends(line, shard, last):
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
    line: Line, shard: int, last: dict[str, tuple[Record, Tip]]
) -> Iterator[tuple[Record, Difference | bool]]:
    """Whether the heads of logs, and the list of matches, are as the records say."""
    if not last:
        return
    lists = line.asks([("SMEMBERS", keys.matches_key(shard)), ("SMEMBERS", keys.books_key(shard))])
    listed = set().union(*lists)
    for chunk in chunks(last.items(), AT_ONCE):
        heads = line.asks([("GET", keys.log_keys(name).head) for name, _ in chunk])
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
    line: Line, reader: SegmentReader, start: int, done: Restored, progress: Counting
) -> None:
    """Write what is missing of a shard, from a position on."""
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
        for record, reply in zip(sent, line.calls(words), strict=True):
            done.shipped += shipped(record, reply)
        progress(done.records + done.shipped)


def chunks(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """So many items at a time."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def went_on_text(differing: list[Difference]) -> str:
    """What the server holds instead, in one line for people."""
    names = sorted({one.record.name for one in differing})
    first = {one.record.name: one for one in reversed(differing)}
    shown = "; ".join(_differs(first[name]) for name in names[:_SHOWN])
    rest = f"; and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return (
        f"the server went on differently, and nothing was changed: {len(names)} "
        f"{'logs differ' if len(names) > 1 else 'log differs'} ({shown}{rest})."
    )


def _differs(one: Difference) -> str:
    record = one.record
    where = f" from event {record.first} on" if isinstance(record, Written) else ""
    return f"{record.name}{where}: {one.what}"
