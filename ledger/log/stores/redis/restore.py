"""Writes records into a server again, under the same ids.

`compare` says which records a server has, `ship_words` is the command that writes a missing
one. Afterwards the server holds the same, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.segments.records import KeptValue, Record

from . import keys
from .connection import Connection, Reply, Word
from .keys import Row, entry_value_of, read_entry, version_in


class Difference(NamedTuple):
    """A record for which a server holds different data."""

    record: Record
    what: str


def compare(line: Connection, shard: int, records: Sequence[Record]) -> list[Difference | bool]:
    """Returns for each consecutive record: the server has it (or not), or a difference.

    A missing part is no difference: `ship` adds it.
    """
    asked = [_words_about(record, shard) for record in records]
    replies = iter(line.asks(list(chain.from_iterable(asked))))
    return [
        _compare_record(record, *islice(replies, len(words)))
        for record, words in zip(records, asked, strict=True)
    ]


def _words_about(record: Record, shard: int) -> list[tuple[Word, ...]]:
    """Returns the commands that read what a server has of a record."""
    at = f"0-{record.position}"
    feed = ("XRANGE", keys.feed_key(shard), at, at)
    if isinstance(record, KeptValue):
        return [feed, ("HGET", keys.match_key(record.match, "kept"), record.field)]
    logged = keys.log_keys(record.name)
    first, last = f"{record.first}-0", f"{record.last}-0"
    return [
        feed,
        ("XRANGE", logged.events, first, last),
        ("XRANGE", logged.openings, first, last),
        ("HGET", logged.commands, read_entry(record.entries[0][1]).command),
    ]


def _compare_record(record: Record, named: list[Row], *said: Reply) -> Difference | bool:
    """Compares a record with the server's replies."""
    feed = [entry_value_of(row) for row in named]
    if feed not in ([], [record.feed]):
        other = feed[0].decode(errors="replace")[:80]
        return Difference(record, f"the feed names {other!r} at {record.position}")
    if isinstance(record, KeptValue):
        [value] = said
        if value not in (None, record.value):
            return Difference(record, f"the stored {record.field} differs")
        return bool(feed) and value is not None
    rows, openings, command = said
    found = {version_in(row): row[1] for row in rows}
    opened = {version_in(row): row[1] for row in openings}
    whole = True
    for version, entry, packed in record.entries:
        if found.get(version, [b"e", entry]) != [b"e", entry]:
            return Difference(record, f"event {version} differs")
        if opened.get(version, [b"o", packed]) != [b"o", packed]:
            return Difference(record, f"the openings of event {version} differ")
        whole = whole and version in found and (not packed or version in opened)
    if command not in (None, b"%d" % record.first):
        what = f"the command of event {record.first} is recorded for another event"
        return Difference(record, what)
    is_known = command is not None or not read_entry(record.entries[0][1]).command
    return whole and bool(feed) and is_known


def ship_words(record: Record, before: Tip = EMPTY, after: Tip | None = None) -> list[Word]:
    """Returns the command that writes a record where the server lacks it.

    `before` and `after` are the tips of the log before and after the record.
    """
    if isinstance(record, KeptValue):
        feed = keys.feed_key(keys.shard_of(record.match))
        kept = keys.match_key(record.match, "kept")
        words: list[Word] = ["FCALL", "hegemon_1_ship_kept", 2, kept, feed]
        return [*words, record.position, record.feed, record.field, record.value]
    assert after is not None, "a batch has an end"
    logged = keys.log_keys(record.name)
    words = ["FCALL", "hegemon_1_ship", len(logged), *logged, record.name, record.position]
    words += [record.feed, record.first, before.head, after.head]
    for _, entry, openings in record.entries:
        words += [entry, openings]
    return words


def shipped(record: Record, reply: Reply) -> bool:
    """Returns whether the server lacked the record; raises `DamagedLog` if it refused it."""
    match reply:
        case [b"SHIPPED"]:
            return True
        case [b"THERE"]:
            return False
    why = " ".join(str(word, errors="replace") for word in reply if isinstance(word, bytes))
    where = f"{record.name} at position {record.position}"
    raise DamagedLog(f"the server does not take {where}: {why}")
