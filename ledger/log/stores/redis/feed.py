"""Ships records: reads feed entries with their contents, and writes them into a server again.

`FeedReader` reads a shard's feed from a position on. A feed entry names a log and the last
version of a batch. The batch's first version follows from the earlier entries of that log
or, at first, from the log's entries themselves.

`compare` says which records a server has, `ship` writes the missing ones, under the same
ids. Afterwards the server holds the same, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.protocol import BATCH_MAX, DamagedLog
from ledger.log.stores.segments.chains import check_batch
from ledger.log.stores.segments.records import KeptValue, Record, VersionEntryOpenings, WrittenBatch

from . import keys
from .connection import Connection, Reply, Word
from .entries import Row, packed_in, read_entry, version_in

READ_AT_ONCE: Final = 500
_LOOK_BACK: Final = 3  # so far back most batches begin; the longest ones are looked for again
_NAMES_HELD_MAX: Final = 20_000


class FeedWentBack(DamagedLog):
    """A feed no longer holds what was read from it: an old copy of the server was restored."""


class Unread(NamedTuple):
    """A feed entry whose records cannot be read: the keys of that log were changed."""

    position: int
    name: str
    why: str


class _Named(NamedTuple):
    """A feed entry: the last version of a batch of a log, or a field that was kept."""

    position: int
    name: str
    last: int
    field: str


class FeedReader:
    """Reads the feed of a shard, after a position."""

    def __init__(self, line: Connection, shard: int, position: int = 0, feed: bytes = b"") -> None:
        self.shard = shard
        self.position = position
        self._line = line
        self._before = feed  # what stands at the position, where that is known
        self._ends: dict[str, int] = {}  # the last version read of a log

    def read(self, count: int = READ_AT_ONCE) -> list[Record]:
        """Returns the records of at most `count` further feed entries; none at the end of the feed.

        Raises `FeedWentBack` if the feed is not the one that was read before, and `DamagedLog` if
        it names missing entries; it skips nothing then.
        """
        return self.take(self.rows(count))

    def rows(self, count: int = READ_AT_ONCE) -> list[Row]:
        """Returns the next feed entries unparsed, for `take`."""
        first = f"0-{self.position}" if self.position else "-"
        rows: list[Row] = self._line.ask(
            "XRANGE", keys.feed_key(self.shard), first, "+", "COUNT", count + 1
        )
        if self.position:
            if not rows or rows[0][0] != b"0-%d" % self.position:
                raise FeedWentBack(f"the feed of shard {self.shard} ends before {self.position}")
            if self._before and packed_in(rows[0]) != self._before:
                raise FeedWentBack(f"the feed of shard {self.shard} has changed {self.position}")
            self._before = packed_in(rows[0])
        return rows[1 if self.position else 0 :][:count]

    def take_each(self, rows: Sequence[Row]) -> list[Record | Unread]:
        """Returns records as `take` does, with an `Unread` for each entry that cannot be read."""
        try:
            return list(self.take(rows))
        except DamagedLog:
            found: list[Record | Unread] = []
            for row in rows:
                found += self._take_or_pass(row)
            return found

    def _take_or_pass(self, row: Row) -> list[Record] | list[Unread]:
        try:
            return self.take([row])
        except DamagedLog as why:
            # A feed that is itself damaged is another matter: this raises again.
            one = _named(row, self.position + 1, self.shard)
            self.position, self._before = one.position, packed_in(row)
            self._ends.pop(one.name, None)
            return [Unread(one.position, one.name, str(why))]

    def take(self, rows: Sequence[Row]) -> list[Record]:
        """Returns the records of the next feed entries, given as XRANGE or XREAD returns them."""
        if not rows:
            return []
        named = [
            _named(row, self.position + at, self.shard) for at, row in enumerate(rows, start=1)
        ]
        logs = self._logs(named)
        values = self._values(named)
        records: list[Record] = []
        for one in named:
            if one.field:
                records.append(KeptValue(one.position, one.name, one.field, values[one.position]))
            else:
                records.append(WrittenBatch(one.position, one.name, tuple(logs[one.position])))
        written = [record for record in records if isinstance(record, WrittenBatch)]
        for record in written:
            check_batch(record)
        for record in written:  # only now: where one is damaged, nothing was taken
            self._hold(record.name, record.last)
        self.position, self._before = named[-1].position, packed_in(rows[-1])
        return records

    def _values(self, named: Sequence[_Named]) -> dict[int, bytes]:
        kept = [one for one in named if one.field]
        found = self._line.asks(
            [("HGET", keys.match_key(one.name, "kept"), one.field) for one in kept]
        )
        for one, value in zip(kept, found, strict=True):
            if value is None:
                raise DamagedLog(f"{one.field} of {one.name} is not kept any more")
        return {one.position: value for one, value in zip(kept, found, strict=True)}

    def _logs(self, named: Sequence[_Named]) -> dict[int, list[VersionEntryOpenings]]:
        """Returns the entries of each batch, by its position in the feed."""
        batches: dict[str, list[_Named]] = {}
        for one in named:
            if not one.field:
                batches.setdefault(one.name, []).append(one)
        first = {name: self._ends.get(name, 0) + 1 for name in batches}
        for name, found in batches.items():
            if name not in self._ends:
                first[name] = max(found[0].last - _LOOK_BACK, 1)
        read = self._read({n: (first[n], found[-1].last) for n, found in batches.items()})
        short = {n for n, found in batches.items() if not self._begins(read[n], found[0].last)}
        more = {name: (max(first[name] - BATCH_MAX, 1), first[name] - 1) for name in short}
        for name, rows in self._read(more).items():
            read[name] = rows + read[name]
        return {
            one.position: entries
            for name, found in batches.items()
            for one, entries in self._parted(name, found, read[name])
        }

    def _begins(self, rows: list[VersionEntryOpenings], last: int) -> bool:
        """Returns whether these rows show where the batch with this last version begins."""
        version = rows[0][0] if rows else 1
        if version == 1 or version > last:
            return True
        before = [entry for at, entry, _ in rows if at < last]
        return any(not read_entry(entry).more for entry in before)

    def _parted(
        self, name: str, found: Sequence[_Named], rows: list[VersionEntryOpenings]
    ) -> Iterator[tuple[_Named, list[VersionEntryOpenings]]]:
        entries = {version: (version, entry, openings) for version, entry, openings in rows}
        done = self._ends.get(name, 0)
        for one in found:
            first = done + 1
            if not done:
                first = one.last
                while first - 1 in entries and read_entry(entries[first - 1][1]).more:
                    first -= 1
            batch = [entries[at] for at in range(first, one.last + 1) if at in entries]
            whole = len(batch) == one.last - first + 1 and 0 < len(batch) <= BATCH_MAX
            if not whole or not (done or first == 1 or first - 1 in entries):
                raise DamagedLog(f"the log of {name} lacks events from {first} to {one.last}")
            done = one.last
            yield one, batch

    def _read(self, wanted: dict[str, tuple[int, int]]) -> dict[str, list[VersionEntryOpenings]]:
        """Returns entries and openings of logs, each from a first to a last version."""
        words: list[tuple[Word, ...]] = []
        for name, (first, last) in wanted.items():
            logged = keys.log_keys(name)
            versions = (f"{first}-0", f"{last}-0")
            words += [("XRANGE", key, *versions) for key in (logged.events, logged.openings)]
        replies = self._line.asks(words)
        return {
            name: entries_in(rows, openings)
            for name, rows, openings in zip(wanted, replies[::2], replies[1::2], strict=True)
        }

    def _hold(self, name: str, last: int) -> None:
        self._ends.pop(name, None)
        self._ends[name] = last
        if len(self._ends) > _NAMES_HELD_MAX:
            del self._ends[next(iter(self._ends))]  # the one read longest ago


def _named(row: Row, position: int, shard: int) -> _Named:
    where = f"the feed of shard {shard} is damaged at {position}"
    if row[0] != b"0-%d" % position:
        raise DamagedLog(f"{where}: there stands {row[0][:40]!r}")
    name, _, rest = packed_in(row).decode(errors="replace").partition(" ")
    if not is_named(name, shard) or not rest:
        raise DamagedLog(f"{where}: it names {name[:80]!r}")
    if name.endswith(keys.KEPT):
        return _Named(position, name.removesuffix(keys.KEPT), 0, rest)
    if not (rest.isascii() and rest.isdigit() and 0 < len(rest) < 16 and int(rest)):
        raise DamagedLog(f"{where}: it names event {rest[:40]!r}")
    return _Named(position, name, int(rest), "")


def is_named(name: str, shard: int) -> bool:
    """Returns whether a shard's feed can name this: a log, or the values kept with one."""
    try:
        keys.check_log(name.removesuffix(keys.KEPT))
    except ValueError:
        return False
    return keys.shard_of(name) == shard


def entries_in(rows: Iterable[Row], openings: Iterable[Row]) -> list[VersionEntryOpenings]:
    """Joins stream entries of a log with their openings."""
    opened = {version_in(row): packed_in(row) for row in openings}
    return [(version_in(row), packed_in(row), opened.get(version_in(row), b"")) for row in rows]


# --- back into a server ---------------------------------------------------------------------------


class Difference(NamedTuple):
    """A record for which a server holds different data."""

    record: Record
    what: str


def compare(line: Connection, shard: int, records: Sequence[Record]) -> list[Difference | bool]:
    """Returns for each consecutive record: the server has it (or not), or a difference.

    A missing part is no difference: `ship` adds it.
    """
    words: list[tuple[Word, ...]] = []
    for record in records:
        at = f"0-{record.position}"
        words.append(("XRANGE", keys.feed_key(shard), at, at))
        if isinstance(record, KeptValue):
            words.append(("HGET", keys.match_key(record.match, "kept"), record.field))
            continue
        logged = keys.log_keys(record.name)
        first, last = f"{record.first}-0", f"{record.last}-0"
        command = read_entry(record.entries[0][1]).command
        words.append(("XRANGE", logged.events, first, last))
        words.append(("XRANGE", logged.openings, first, last))
        words.append(("HGET", logged.commands, command))
    replies = iter(line.asks(words))
    found: list[Difference | bool] = []
    for record in records:
        feed, said = next(replies), [next(replies)]
        if isinstance(record, WrittenBatch):
            said += [next(replies), next(replies)]
        found.append(_compared(record, [packed_in(row) for row in feed], said))
    return found


def _compared(record: Record, feed: list[bytes], said: Sequence[Reply]) -> Difference | bool:
    """Compares a record with the server's replies."""
    if feed not in ([], [record.feed]):
        named = feed[0].decode(errors="replace")[:80]
        return Difference(record, f"the feed names {named!r} at {record.position}")
    if isinstance(record, KeptValue):
        [value] = said
        if value not in (None, record.value):
            return Difference(record, f"what is kept as {record.field} is another")
        return bool(feed) and value is not None
    rows, openings, command = said
    found = {version_in(row): row[1] for row in rows}
    opened = {version_in(row): row[1] for row in openings}
    whole = True
    for version, entry, packed in record.entries:
        if found.get(version, [b"e", entry]) != [b"e", entry]:
            return Difference(record, f"event {version} is another")
        if opened.get(version, [b"o", packed]) != [b"o", packed]:
            return Difference(record, f"the openings of event {version} are others")
        whole = whole and version in found and (not packed or version in opened)
    if command not in (None, b"%d" % record.first):
        return Difference(record, f"the command of event {record.first} is known as another's")
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
