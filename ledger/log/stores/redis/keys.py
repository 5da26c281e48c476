"""Shards, and what every key is called.

All keys of a match carry the hash tag of its shard, so that one function may touch them together,
and a cluster may one day spread the shards over machines.

    {s05}:match:<id>:events      the log: one entry an event, its id is the version
    {s05}:match:<id>:head        where it ends
    {s05}:match:<id>:commands    which command wrote which event
    {s05}:match:<id>:openings    the values behind commitments, by version
    {s05}:match:<id>:kept        secrets and overlays, each written once
    {s05}:match:<id>:parked      why nothing is decided any more, where that is so
    {s05}:match:<id>:talk        a log of its own, with talk-head and talk-commands
    {s05}:matches                the ids of all matches of the shard
    {s05}:parked                 of those that are parked
    {s05}:feed                   what was written in the shard, in order
    {s05}:book:<name>:events     a book beside the matches (books.py), with head and commands
    {s05}:books                  the names of all books of the shard

What is said at a table lies in the log `<id>/talk`; it has the shard of its match. A book's name
has a colon in it, as no match's id has: `club:people`, `table:<match>`.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from typing import Final, NamedTuple

SHARDS: Final = 16
TALK: Final = "/talk"
KEPT: Final = "/kept"
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_BOOK: Final = re.compile(r"(club|table|tournament):[a-z0-9][a-z0-9-]{0,63}")


class LogKeys(NamedTuple):
    """The keys that an append touches, in the order in which the function takes them."""

    events: str
    head: str
    commands: str
    openings: str
    parked: str
    matches: str
    feed: str


def check_id(match: str) -> None:
    """Refuse what no match can be called: ids come from bundles, addresses and command lines."""
    if not _ID.fullmatch(match):
        raise ValueError(f"no match can have the id {match[:80]!r}")


def is_book(name: str) -> bool:
    """Whether a log is a book beside the matches."""
    return _BOOK.fullmatch(name) is not None


def check_log(name: str) -> None:
    """Refuse what no log can be called: a match, what is said at it, or a book."""
    if not is_book(name):
        check_id(name.removesuffix(TALK))


def shard_of(name: str) -> int:
    """The shard of a log; what is said at a match's table lies with the match."""
    return zlib.crc32(name.partition("/")[0].encode()) % SHARDS


def tag(shard: int) -> str:
    """How the keys of a shard begin."""
    return f"{{s{shard:02d}}}"


def feed_key(shard: int) -> str:
    """What was written in a shard, in order."""
    return f"{tag(shard)}:feed"


def matches_key(shard: int) -> str:
    """The ids of a shard's matches."""
    return f"{tag(shard)}:matches"


def books_key(shard: int) -> str:
    """The names of a shard's books."""
    return f"{tag(shard)}:books"


def parked_key(shard: int) -> str:
    """The ids of a shard's parked matches."""
    return f"{tag(shard)}:parked"


def match_key(match: str, part: str) -> str:
    """A key of one match."""
    check_id(match)
    return f"{tag(shard_of(match))}:match:{match}:{part}"


@lru_cache(maxsize=4_096)
def log_keys(name: str) -> LogKeys:
    """The keys of a log."""
    shard = shard_of(name)
    if is_book(name):
        return _book_keys(shard, f"{tag(shard)}:book:{name}")
    match = name.removesuffix(TALK)
    check_id(match)  # which refuses every other name with a slash in it
    part = name[len(match) + 1 :]
    base = f"{tag(shard)}:match:{match}"
    lead = f"{part}-" if part else ""
    return LogKeys(
        events=f"{base}:{part or 'events'}",
        head=f"{base}:{lead}head",
        commands=f"{base}:{lead}commands",
        openings=f"{base}:{lead}openings",
        parked=f"{base}:parked",
        matches=matches_key(shard),
        feed=feed_key(shard),
    )


def _book_keys(shard: int, base: str) -> LogKeys:
    return LogKeys(
        events=f"{base}:events",
        head=f"{base}:head",
        commands=f"{base}:commands",
        openings=f"{base}:openings",
        parked=f"{base}:parked",
        matches=books_key(shard),
        feed=feed_key(shard),
    )
