"""The store on a server: an acknowledged batch is in the server's file, whole or not at all.

After a lost reply it is open whether the batch was written. The store sends it again, and
the server recognizes its command or its events. So every call ends with a definite answer,
or with `Unavailable`, which says that the outcome is unknown.
"""

from __future__ import annotations

import hashlib
import itertools
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from importlib.resources import files
from typing import Any, Final, TypeVar

import msgspec

from ledger.log.format.chain import EMPTY, Event, Opening, Tip, by_event, goes_on
from ledger.log.stores.protocol import (
    BATCH_MAX,
    Answer,
    Appended,
    Batch,
    Changed,
    Closed,
    Command,
    Conflict,
    DamagedLog,
    Duplicate,
    Parked,
    Snapshot,
    Unavailable,
)

from . import keys
from .connection import Connection, NoReply, NotSent, Refusing, Reply, Word
from .keys import (
    HEAD_EVERY,
    Chain,
    Row,
    command_key,
    entries_of,
    entry_value_of,
    fingerprint_of,
    pack_openings,
    read_entry,
    read_openings,
    version_in,
)

PATIENCE_SECONDS: Final = 8.0  # how long a call tries before it says that it does not know
_PAUSES: Final = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
CHUNK: Final = 1_000
SINCE_MAX: Final = 64
R = TypeVar("R")
_KEYS: Final = len(keys.LogKeys._fields)
_SNAPSHOTS: Final = msgspec.msgpack.Decoder(Snapshot)


class RedisStore:
    """Logs on a server; snapshots are there too, or on a second server that may lose them."""

    def __init__(
        self,
        connection: Connection,
        cache: Connection | None = None,
        *,
        patience: float = PATIENCE_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.connection = connection
        self.cache = cache or connection
        self._patience = patience
        self._sleep = sleep
        self._clock = clock
        ensure_library(connection)

    # --- writing -------------------------------------------------------------------------------

    def append(self, match: str, batch: Batch) -> Answer:
        """Adds a batch or returns the reason why not; it is on the server's disk on return."""
        right = 0 < len(batch.events) <= BATCH_MAX
        if not right or not goes_on(match, batch.expect, batch.events):
            # This batch cannot be added. We still ask the server if it knows the command.
            nowhere = Tip(batch.expect.version, b"")
            batch = msgspec.structs.replace(batch, events=(), openings=(), expect=nowhere)
        words = self._append_words(match, batch)
        reply, again = self._carry_out(words)
        try:
            return self._answer(match, batch, reply, again=again)
        except Unavailable as failure:
            # The answer came, and what it means could not be read: the batch may be in the log.
            raise Unavailable(str(failure), unknown=True) from None

    def _append_words(self, match: str, batch: Batch) -> list[Word]:
        opened = by_event(batch.openings)
        command = batch.command
        words: list[Word] = ["FCALL", "hegemon_1_append", _KEYS, *keys.log_keys(match)]
        words += [match, batch.expect.version, batch.expect.head]
        words += [batch.events[-1].head if batch.events else b""]
        words += ["d" if batch.decides else "a" if batch.after_close else ""]
        words += ["", ""] if command is None else [command_key(command), fingerprint_of(command)]
        words.append(SINCE_MAX)
        for event, entry in zip(batch.events, entries_of(batch), strict=True):
            openings = opened.get(event.version)
            words += [entry, pack_openings(openings) if openings else b""]
        return words

    def _carry_out(self, words: list[Word]) -> tuple[Reply, bool]:
        """Returns the reply, and whether an earlier attempt may have been carried out."""
        return self._try(lambda: self.connection.call(*words), changes=True)

    def _answer(self, match: str, batch: Batch, reply: Reply, *, again: bool) -> Answer:
        match reply:
            case [b"APPENDED", *_]:
                return Appended(batch.events[-1].tip)
            case [b"DUPLICATE", first, count]:
                tip = self._tip_at(match, first + count - 1)
                if again and batch.events and batch.events[-1].tip == tip:
                    return Appended(tip)  # by us, when the first reply was lost
                return Duplicate(first, tip)
            case [b"CHANGED"]:
                assert batch.command is not None, "only a command can be known"
                return Changed(batch.command.id)
            case [b"CLOSED" | b"PARKED", *_] if again and self._is_in(match, batch):
                return Appended(batch.events[-1].tip)
            case [b"CLOSED", version, head]:
                return Closed(Tip(version, head))
            case [b"PARKED", version, head, notice]:
                if again:
                    # Parking moves no version: what was sent first may arrive after an unparking.
                    raise Unavailable(f"{match} is parked, and an answer was lost", unknown=True)
                return Parked(Tip(version, head), notice)
            case [b"CONFLICT", version, head, rows]:
                return self._conflict(match, batch, Tip(version, head), rows, again=again)
            case [b"DAMAGED", what]:
                raise DamagedLog(f"the keys of {match} were changed from outside: {what.decode()}")
        raise AssertionError(f"the server answered {reply!r}")

    def _conflict(
        self, match: str, batch: Batch, tip: Tip, rows: list[Row], *, again: bool
    ) -> Answer:
        chain = Chain(match, batch.expect)
        try:
            since = list(chain.read(rows))
        except DamagedLog:
            chain.tip = None
        if chain.tip != tip:  # more than a reply shows, or the caller has another log in mind
            since = list(self.events(match, batch.expect.version + 1, tip.version))
        if again and batch.events and tuple(since[: len(batch.events)]) == batch.events:
            return Appended(batch.events[-1].tip)
        return Conflict(tip, tuple(since))

    def _is_in(self, match: str, batch: Batch) -> bool:
        if not batch.events:  # it fitted nowhere
            return False
        first, last = batch.events[0].version, batch.events[-1].version
        return tuple(self.events(match, first, last)) == batch.events

    def _tip_at(self, match: str, version: int) -> Tip:
        for event in self.events(match, version, version):
            return event.tip
        raise DamagedLog(f"the log of {match} has lost event {version}")

    # --- reading -------------------------------------------------------------------------------

    def answered(self, match: str, command: Command) -> Duplicate | Changed | None:
        names = keys.log_keys(match)
        first = self._ask("HGET", names.commands, command_key(command))
        if first is None:
            return None
        rows: list[Row] = self._ask(
            "XRANGE", names.events, b"%b-0" % first, "+", "COUNT", BATCH_MAX
        )
        # Only this batch is read: an event behind it may be damaged.
        entry = read_entry(entry_value_of(rows[0])) if rows else None
        if entry is None or entry.command != command_key(command):
            raise DamagedLog(f"the commands of {match} do not fit its log")
        if entry.fingerprint != fingerprint_of(command):
            return Changed(command.id)
        last = next((row for row in rows if not read_entry(entry_value_of(row)).more), rows[-1])
        return Duplicate(int(first), self._tip_at(match, version_in(last)))

    def tip(self, match: str) -> Tip:
        return read_head(self._ask("GET", keys.log_keys(match).head))

    def tips(self, matches: Sequence[str]) -> list[Tip]:
        found: list[Tip] = []
        for first in range(0, len(matches), CHUNK):
            asked = [("GET", keys.log_keys(one).head) for one in matches[first : first + CHUNK]]
            found += [read_head(head) for head in self._asks(*asked)]
        return found

    def events(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        """Yields the events from `first` to `last`, and computes every head anew."""
        first = max(first, 1)
        # The chain is taken up at an entry that has its head with it.
        at = max((first - 1) // HEAD_EVERY * HEAD_EVERY, 1)
        chain = Chain(match, EMPTY if at == 1 else None)
        names, looked_again = keys.log_keys(match), False
        while last is None or at <= last:
            end = "+" if last is None else f"{last}-0"
            rows, head = self._asks(
                ("XRANGE", names.events, f"{at}-0", end, "COUNT", CHUNK), ("GET", names.head)
            )
            yield from (event for event in chain.read(rows) if event.version >= first)
            at += len(rows)
            if len(rows) < CHUNK:
                tip = read_head(head)
                # Others may have appended between the two answers: what they wrote comes next.
                more = at <= (tip.version if last is None else min(last, tip.version))
                if not more or (looked_again and not rows):
                    _check_end(match, chain.tip or EMPTY, tip, at, last)
                    return
                looked_again = True

    def openings(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Opening]:
        name = keys.log_keys(match).openings
        at, end = max(first, 1), "+" if last is None else f"{last}-0"
        while last is None or at <= last:
            rows = self._ask("XRANGE", name, f"{at}-0", end, "COUNT", CHUNK)
            for row in rows:
                at = version_in(row) + 1
                yield from read_openings(at - 1, entry_value_of(row))
            if len(rows) < CHUNK:
                return

    def matches(self) -> list[str]:
        return self._members(keys.matches_key)

    def books(self) -> list[str]:
        return self._members(keys.books_key)

    def _members(self, key: Callable[[int], str]) -> list[str]:
        found = self._asks(*[("SMEMBERS", key(shard)) for shard in range(keys.SHARDS)])
        return sorted(name.decode() for shard in found for name in shard)

    # --- beside the log ------------------------------------------------------------------------

    def keep(self, match: str, name: str, value: bytes) -> None:
        words: list[Word] = ["FCALL", "hegemon_1_keep", 2, keys.match_key(match, "kept")]
        words += [keys.feed_key(keys.shard_of(match)), match, name, value]
        reply, _ = self._carry_out(words)
        if reply != [b"KEPT"]:
            raise ValueError(f"{name} of {match} is stored already, with another value")

    def kept(self, match: str, name: str) -> bytes | None:
        found: bytes | None = self._ask("HGET", keys.match_key(match, "kept"), name)
        return found

    def park(self, match: str, notice: bytes) -> None:
        self._carry_out(["FCALL", "hegemon_1_park", 2, *self._parking(match), match, notice])

    def unpark(self, match: str) -> None:
        self._carry_out(["FCALL", "hegemon_1_park", 2, *self._parking(match), match])

    def _parking(self, match: str) -> tuple[str, str]:
        return keys.match_key(match, "parked"), keys.parked_key(keys.shard_of(match))

    def parked_matches(self) -> list[str]:
        return self._members(keys.parked_key)

    def parked(self, match: str) -> bytes | None:
        found: bytes | None = self._ask("GET", keys.match_key(match, "parked"))
        return found

    def save(self, match: str, snapshot: Snapshot) -> None:
        with _cache():
            self.cache.call("HSET", keys.match_key(match, "snapshots"), *snapshot_words(snapshot))

    def snapshot(
        self, match: str, at_most: int, edition: str | None, source: str
    ) -> Snapshot | None:
        """Returns the latest fitting snapshot; one that cannot be fetched counts as missing."""
        name = keys.match_key(match, "snapshots")
        with _cache():
            for field in fields_fitting(self.cache.ask("HKEYS", name), at_most, edition, source):
                try:
                    held = _SNAPSHOTS.decode(zlib.decompress(self.cache.ask("HGET", name, field)))
                except (zlib.error, msgspec.MsgspecError, TypeError):
                    continue
                if held.fits(at_most, edition, source):
                    return held
        return None

    def _ask(self, *words: Word) -> Reply:
        return self._asks(words)[0]

    def _asks(self, *commands: tuple[Word, ...]) -> list[Any]:
        return self._try(lambda: self.connection.asks(commands), changes=False)[0]

    def _try(self, call: Callable[[], R], *, changes: bool) -> tuple[R, bool]:
        """Tries a call until it succeeds; returns its reply, and whether one before was lost."""
        until = self._clock() + self._patience
        pauses = itertools.chain(_PAUSES, itertools.repeat(_PAUSES[-1]))
        unknown = False
        while True:
            try:
                return call(), unknown
            except (NoReply, NotSent, Refusing) as failure:
                why = str(failure)
                unknown |= changes and isinstance(failure, NoReply)
                lasting = isinstance(failure, Refusing) and not failure.passing
            pause = next(pauses)
            if lasting or self._clock() + pause > until:
                raise Unavailable(why, unknown=unknown)
            self._sleep(pause)


def _cache() -> AbstractContextManager[None]:
    """Ignores failures of the cache: losing it costs nothing but time."""
    return suppress(NotSent, NoReply, Refusing)


def read_head(text: bytes | None) -> Tip:
    """Returns the tip of a log, from its head's record."""
    if text is None:
        return EMPTY
    version, _, head = text[1:].partition(b":")
    return Tip(int(version), head)


def _check_end(match: str, read: Tip, tip: Tip, at: int, last: int | None) -> None:
    """Checks that reading to the end has reached the head that the server has recorded."""
    wanted = tip.version if last is None else min(last, tip.version)
    short = at <= wanted and read.version < wanted
    if short or read.version > tip.version or (read.version == tip.version and read != tip):
        raise DamagedLog(f"the log of {match} does not lead to its head, event {tip.version}")


def snapshot_words(snapshot: Snapshot) -> tuple[str, bytes]:
    """Returns a snapshot's name among those of its match, and its bytes."""
    name = f"{snapshot.version}:{_short(snapshot.source)}:{snapshot.edition}"
    return name, zlib.compress(msgspec.msgpack.encode(snapshot), 6)


def measure_snapshot(snapshot: Snapshot) -> int:
    return len(snapshot_words(snapshot)[1])


def _short(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:8]


def fields_fitting(
    names: Sequence[bytes], at_most: int, edition: str | None, source: str
) -> list[bytes]:
    """Returns the names of usable snapshots, the latest first."""
    found: list[tuple[int, bytes]] = []
    for name in names:
        version, _, rest = name.partition(b":")
        terms, _, under = rest.partition(b":")
        fitting = terms == _short(source).encode() and int(version) <= at_most
        if fitting and edition in (None, under.decode()):
            found.append((int(version), name))
    return [name for _, name in sorted(found, reverse=True)]


# --- the server's part of the ledger --------------------------------------------------------------


LIBRARY: Final = "hegemon_1"
CODE: Final = (files(__package__) / "ledger.lua").read_text(encoding="utf-8")


class ForeignLibrary(Exception):
    """A library of our name is on the server, and it is not ours."""


def ensure_library(connection: Connection, library: str = LIBRARY, code: str = CODE) -> None:
    """Loads the library on every server that lacks it; refuses one that differs."""
    for server in connection.servers():
        _ensure(server, library, code)


def _ensure(connection: Connection, library: str, code: str) -> None:
    found = _code_of(connection, library)
    if found is None:
        try:
            connection.call("FUNCTION", "LOAD", code)
        except Refusing as why:
            if "already exists" not in str(why):
                raise
        found = _code_of(connection, library)
    if found != code.encode():
        there = hashlib.sha256(found or b"").hexdigest()[:12]
        ours = hashlib.sha256(code.encode()).hexdigest()[:12]
        raise ForeignLibrary(
            f"the server's function library {library} is not ours (its hash is {there}, ours is "
            f"{ours}): it was changed, or belongs to another version of Hegemon."
        )


def _code_of(connection: Connection, library: str) -> bytes | None:
    reply = connection.ask("FUNCTION", "LIST", "LIBRARYNAME", library, "WITHCODE")
    for found in reply:
        fields: dict[bytes, Any] = dict(zip(found[::2], found[1::2], strict=True))
        code: bytes = fields[b"library_code"]
        return code
    return None
