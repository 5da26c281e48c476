"""Everything that a server holds, key by key, and whether it hangs together.

This reads the keys themselves and shares only the format of an entry with the store: events 1..v,
head v, openings of these events, the command index that the entries say, the feed up to v batch by
batch. A batch of which a part is missing anywhere is found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ledger.log.format.chain import EMPTY, Event, Tip, link
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import (
    HEAD_EVERY,
    SHARDS,
    Row,
    StreamEntry,
    feed_key,
    log_keys,
    matches_key,
    read_entry,
)

Held = dict[bytes, Any]

_READ = {
    b"string": lambda key: ("GET", key),
    b"hash": lambda key: ("HGETALL", key),
    b"set": lambda key: ("SMEMBERS", key),
    b"stream": lambda key: ("XRANGE", key, "-", "+"),
}


def held_by(connection: Connection) -> Held:
    """All keys and their values."""
    names = sorted(connection.call("KEYS", "*"))
    kinds = connection.calls([("TYPE", name) for name in names])
    values = connection.calls([_READ[kind](name) for name, kind in zip(names, kinds, strict=True)])
    return {
        name: _plain(kind, value) for name, kind, value in zip(names, kinds, values, strict=True)
    }


def _plain(kind: bytes, value: Any) -> Any:
    if kind == b"hash":
        return dict(zip(value[::2], value[1::2], strict=True))
    return sorted(value) if kind == b"set" else value


class Entries(NamedTuple):
    """A log as its entries say."""

    name: str
    versions: list[int]
    entries: list[StreamEntry]

    @property
    def events(self) -> list[Event]:
        """The events, their heads computed anew."""
        found: list[Event] = []
        tip = EMPTY
        for entry in self.entries:
            found.append(link(self.name, tip, entry.body))
            tip = found[-1].tip
        return found

    @property
    def ends(self) -> list[int]:
        """The last versions of its batches."""
        return [place for place, entry in enumerate(self.entries, 1) if not entry.more]


def logs_in(held: Held) -> dict[str, Entries]:
    """All logs whose stream or head is there."""
    names = set()
    for key in held:
        rest = key.decode().partition(":match:")[2]
        match, _, part = rest.partition(":")
        if rest and part in ("events", "head", "commands", "openings"):
            names.add(match)
        if rest and part.startswith("talk"):
            names.add(f"{match}/talk")
    return {name: _entries(name, held) for name in sorted(names)}


def _entries(name: str, held: Held) -> Entries:
    rows: list[Row] = held.get(log_keys(name).events.encode(), [])
    versions = [int(row[0].partition(b"-")[0]) for row in rows]
    return Entries(name, versions, [read_entry(row[1][1]) for row in rows])


def contradictions(held: Held) -> list[str]:
    """Returns a sentence for each contradiction; none if all is consistent."""
    logs = logs_in(held)
    found = [text for log in logs.values() for text in _in_log(log, held)]
    fed, kept, odd = _feeds(held)
    for name in fed.keys() | logs.keys():
        ends = logs[name].ends if name in logs else []
        if fed[name] != ends:
            found.append(f"{name}: the feed says {fed[name][-5:]}, its batches end at {ends[-5:]}")
    there = {
        (key.decode().split(":")[2], field.decode())
        for key, value in held.items()
        if key.endswith(b":kept")
        for field in value
    }
    if there != kept:
        found.append(f"kept and not in the feed, or the other way round: {there ^ kept}")
    listed = {match.decode() for shard in range(SHARDS) for match in _listed(held, shard)}
    matches = {name for name in logs if "/" not in name}
    if listed != matches:
        found.append(f"listed and not there, or the other way round: {listed ^ matches}")
    return found + odd


def _listed(held: Held, shard: int) -> list[bytes]:
    found: list[bytes] = held.get(matches_key(shard).encode(), [])
    return found


def _feeds(held: Held) -> tuple[Mapping[str, list[int]], set[tuple[str, str]], list[str]]:
    """By log the versions that the feeds say, what they say was kept, and what is odd in them."""
    fed: dict[str, list[int]] = defaultdict(list)
    kept: set[tuple[str, str]] = set()
    odd: list[str] = []
    for shard in range(SHARDS):
        rows: list[Row] = held.get(feed_key(shard).encode(), [])
        if [row[0] for row in rows] != [b"0-%d" % place for place in range(1, len(rows) + 1)]:
            odd.append(f"the feed of shard {shard} has gaps")
        for row in rows:
            name, _, what = row[1][1].decode().partition(" ")
            if name.endswith("/kept"):
                kept.add((name.removesuffix("/kept"), what))
            else:
                fed[name].append(int(what))
    return fed, kept, odd


def _in_log(log: Entries, held: Held) -> Iterator[str]:
    keys = log_keys(log.name)
    if log.versions != list(range(1, len(log.versions) + 1)):
        yield f"{log.name}: its versions are {log.versions[:40]}"
        return
    events = log.events
    tip = events[-1].tip if events else EMPTY
    if log.entries and log.entries[-1].more:
        yield f"{log.name}: its last batch is torn at {tip.version}"
    head = held.get(keys.head.encode())
    closed = bool(log.entries) and log.entries[-1].closed
    if head != _head(tip, closed=closed):
        yield f"{log.name}: its head is {head!r}, its events end at {tip.version}"
    for event, entry in zip(events, log.entries, strict=True):
        if entry.head != (event.head if event.version % HEAD_EVERY == 0 else None):
            yield f"{log.name}: event {event.version} says another head"
    known = [entry.command for entry in log.entries if entry.command]
    if len(known) != len(set(known)):
        yield f"{log.name}: a command is there twice"
    elif held.get(keys.commands.encode(), {}) != _commands(log):
        yield f"{log.name}: the command index is not what its entries say"
    opened = [int(row[0].partition(b"-")[0]) for row in held.get(keys.openings.encode(), [])]
    if opened and (opened != sorted(set(opened)) or opened[-1] > tip.version):
        yield f"{log.name}: openings of {opened[-3:]}, events up to {tip.version}"


def _head(tip: Tip, *, closed: bool) -> bytes | None:
    if tip == EMPTY:
        return None
    return (b"c" if closed else b"o") + b"%d:" % tip.version + tip.head


def _commands(log: Entries) -> dict[bytes, bytes]:
    """The command index as it follows from the entries."""
    entries = enumerate(log.entries, 1)
    return {entry.command: b"%d" % version for version, entry in entries if entry.command}
