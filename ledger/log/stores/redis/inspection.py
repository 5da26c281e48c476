"""Inspection: checks every field of a server's keys, also those that readers do not use.

Readers compute heads anew, and so find every change of an event. They do not check the
other fields: flags, the command index, unused fields. This does. Fingerprints and kept
values have nothing on the server to compare with; only the segments can tell
(`restore.compare`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.log.format.chain import NO_HEAD
from ledger.log.stores.protocol import BATCH_MAX, DamagedLog

from . import keys
from .connection import Connection, Refusing, Reply, Word
from .keys import (
    HEAD_EVERY,
    Chain,
    Row,
    StreamEntry,
    pack_openings,
    read_entry,
    read_openings,
    version_in,
)

AT_ONCE: Final = 1_000


class FeedContents:
    """The logs and values that a server's feeds name, as far as they were read.

    Players may write meanwhile. So values to compare with a feed are read in one transaction
    with the feed's new entries (`at_once`).
    """

    def __init__(self, connection: Connection) -> None:
        self.logs: dict[str, list[int]] = {}  # the last version of each batch, in order
        self.kept: dict[str, set[bytes]] = {}  # fields
        self.troubles: list[str] = []
        self._connection = connection
        self._read = [0] * keys.SHARDS  # so many entries, and the id of the last
        self._last = [b""] * keys.SHARDS

    def read_all(self) -> None:
        for shard in range(keys.SHARDS):
            self.read(shard)

    def read(self, shard: int) -> None:
        """Reads a feed on to its end."""
        while True:
            rows = self._connection.ask(*self._following(shard), "COUNT", AT_ONCE)
            self._take(shard, rows)
            if len(rows) < AT_ONCE:
                return

    def at_once(self, shard: int, *commands: tuple[Word, ...]) -> list[Reply]:
        """Returns replies of one moment, and reads the feed up to that moment."""
        self.read(shard)
        *_, found = self._connection.asks(
            [("MULTI",), self._following(shard), *commands, ("EXEC",)]
        )
        for reply in found:
            if isinstance(reply, Exception):
                raise Refusing(str(reply))
        rows, *replies = list(found)
        self._take(shard, rows)
        return replies

    def _following(self, shard: int) -> tuple[Word, ...]:
        last = self._last[shard]
        return ("XRANGE", keys.feed_key(shard), b"(" + last if last else "-", "+")

    def _take(self, shard: int, rows: list[Row]) -> None:
        for row in rows:
            self._read[shard] += 1
            self._last[shard] = row[0]
            if trouble := self._trouble(row, shard, self._read[shard]):
                self.troubles.append(f"the feed of shard {shard}, {self._read[shard]}: {trouble}")

    def _trouble(self, row: Row, shard: int, position: int) -> str:
        """Records what a feed entry names; returns its fault, or ""."""
        if row[0] != b"0-%d" % position or len(row[1]) != 2 or row[1][0] != b"e":
            return f"there stands {row[0][:40]!r}"
        name, _, rest = row[1][1].decode(errors="replace").partition(" ")
        match, _, part = name.partition("/")
        if not keys.is_in_feed(name, shard):
            return f"it names {name[:80]!r}"
        if part == "kept":
            self.kept.setdefault(match, set()).add(row[1][1].partition(b" ")[2])
        elif rest.isascii() and rest.isdigit() and len(rest) < 16:
            self.logs.setdefault(name, []).append(int(rest))
        else:
            return f"it names event {rest[:40]!r}"
        return ""


def inspect(connection: Connection, name: str, feeds: FeedContents) -> Inspected:
    """Returns the findings about a log's keys."""
    logged = keys.log_keys(name)
    head, commands, events, openings = feeds.at_once(
        keys.shard_of(name),
        ("GET", logged.head),
        ("HGETALL", logged.commands),
        ("XREVRANGE", logged.events, "+", "-", "COUNT", 1),
        ("XREVRANGE", logged.openings, "+", "-", "COUNT", 1),
    )
    found = Inspected(name)
    for row in _rows(connection, logged.events, events):
        found.take(row)
        if found.stopped:
            break
    if not found.stopped:
        found.finish(head, feeds.logs.get(name, []))
        found.check_commands(dict(zip(commands[::2], commands[1::2], strict=True)))
    for row in _rows(connection, logged.openings, openings):
        found.take_openings(row)
    return found


def _rows(connection: Connection, key: str, ends: list[Row]) -> Iterator[Row]:
    """Yields the entries of a stream up to the given last one."""
    first: Word = "-"
    for last, _ in ends:
        while True:
            rows = connection.ask("XRANGE", key, first, last, "COUNT", AT_ONCE)
            yield from rows
            if len(rows) < AT_ONCE:
                break
            first = b"(" + rows[-1][0]


def read_kept_fields(match: str, feeds: FeedContents) -> tuple[set[bytes], set[bytes]]:
    """Returns the field names of a match's kept values, and those that the feed names."""
    kept = ("HKEYS", keys.match_key(match, "kept"))
    [fields] = feeds.at_once(keys.shard_of(match), kept)
    return set(fields), feeds.kept.get(match, set())


class Inspected:
    """The findings about one log, which is checked entry by entry."""

    def __init__(self, name: str) -> None:
        self.troubles: list[str] = []
        # The last event of each batch: whether the log is closed after it.
        self.closes: dict[int, bool] = {}
        self.stopped = False  # nothing that follows can be made sense of
        self._chain = Chain(name)
        self._commands: dict[bytes, bytes] = {}
        self._first = 1  # of the batch that is being read
        self._version = 0

    def take(self, row: Row) -> None:
        try:
            [event] = self._chain.read([row])
            self._version, entry = event.version, read_entry(row[1][1])
        except (DamagedLog, ValueError) as reason:
            self.troubles.append(str(reason))
            self.stopped = True
            return
        if trouble := self._entry_trouble(row, entry):
            self.troubles.append(f"event {self._version}: {trouble}")
        if entry.command:
            self._commands[entry.command] = b"%d" % self._version
        if not entry.more:
            self.closes[self._version] = entry.closed
            self._first = self._version + 1

    def _entry_trouble(self, row: Row, entry: StreamEntry) -> str:
        version = self._version
        if row[1][0] != b"e":
            return f"its field is called {row[1][0][:40]!r}"
        if (entry.head is not None) is not (version % HEAD_EVERY == 0):
            return "its head is missing, or is stored where none belongs"
        if entry.command and version != self._first:
            return "a command is stored in the middle of its batch"
        if entry.closed and entry.more:
            return "the log is closed in the middle of a batch"
        if version - self._first >= BATCH_MAX:
            return f"its batch is longer than {BATCH_MAX} events"
        return ""

    def finish(self, head: bytes | None, lasts: list[int]) -> None:
        """Checks the end of the log, and the ends of its batches against the feed."""
        tip = self._chain.tip
        assert tip is not None, "the log was read from its first event"
        if self._first != self._version + 1:
            self.troubles.append(f"event {self._version}: the batch does not end with the log")
        mark = b"c" if self.closes.get(self._version) else b"o"
        wanted = mark + b"%d:" % tip.version + tip.head if tip.head != NO_HEAD else None
        if head != wanted:
            self.troubles.append(f"its head does not name event {tip.version} as the last")
        if lasts != list(self.closes):
            self.troubles.append("its batches differ from those that the feed names")

    def check_commands(self, known: dict[bytes, bytes]) -> None:
        """Checks that the command index agrees with the entries."""
        for command in sorted(known.keys() | self._commands.keys()):
            if known.get(command) != self._commands.get(command):
                version = (self._commands.get(command) or known[command])[:20].decode("latin-1")
                self.troubles.append(f"event {version}: its command id is not recorded for it")

    def take_openings(self, row: Row) -> None:
        try:
            version = version_in(row)
            if len(row[1]) != 2 or row[1][0] != b"o":
                raise DamagedLog(f"their field is called {row[1][0][:40]!r}")
            if pack_openings(read_openings(version, row[1][1])) != row[1][1]:
                raise DamagedLog("they are not in their canonical form")
        except (DamagedLog, ValueError, msgspec.MsgspecError) as reason:
            self.troubles.append(f"the openings at {row[0][:20].decode('latin-1')}: {reason}")
            return
        if not self.stopped and not 1 <= version <= self._version:
            self.troubles.append(f"the openings at {version}: there is no such event")
