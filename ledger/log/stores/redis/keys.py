"""Shards, and the names of all keys.

All keys of a match carry the hash tag of its shard. So one function can use them together,
and a cluster can spread the shards over machines.

    {s05}:match:<id>:events      the log: one entry an event, its id is the version
    {s05}:match:<id>:head        its version and head
    {s05}:match:<id>:commands    which command wrote which event
    {s05}:match:<id>:openings    the values behind commitments, by version
    {s05}:match:<id>:kept        secrets and overlays, each written once
    {s05}:match:<id>:parked      the reason, if the match takes no decisions
    {s05}:match:<id>:talk        a separate log, with talk-head and talk-commands
    {s05}:matches                the ids of all matches of the shard
    {s05}:parked                 the ids of its parked matches
    {s05}:feed                   the changes of the shard, in order
    {s05}:book:<name>:events     a book (books.py), with head and commands
    {s05}:books                  the names of all books of the shard

The chat at a table is the log `<id>/talk`; it has the shard of its match. A book's name has
a colon in it, which no match's id has: `club:people`, `table:<match>`.
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
    """The keys that an append uses, in the order in which the function takes them."""

    events: str
    head: str
    commands: str
    openings: str
    parked: str
    matches: str
    feed: str


def check_id(match: str) -> None:
    """Refuses an invalid match id: ids come from bundles, addresses and command lines."""
    if not _ID.fullmatch(match):
        raise ValueError(f"a match cannot have the id {match[:80]!r}")


def is_book(name: str) -> bool:
    return _BOOK.fullmatch(name) is not None


def check_log(name: str) -> None:
    """Refuses an invalid name of a log: a match, its chat, or a book."""
    if not is_book(name):
        check_id(name.removesuffix(TALK))


def shard_of(name: str) -> int:
    """Returns the shard of a log; the chat of a match is in the match's shard."""
    return zlib.crc32(name.partition("/")[0].encode()) % SHARDS


def is_in_feed(name: str, shard: int) -> bool:
    """Returns whether a shard's feed can name this: a log, or the values kept with one."""
    try:
        check_log(name.removesuffix(KEPT))
    except ValueError:
        return False
    return shard_of(name) == shard


def tag(shard: int) -> str:
    """Returns the prefix of a shard's keys."""
    return f"{{s{shard:02d}}}"


def feed_key(shard: int) -> str:
    return f"{tag(shard)}:feed"


def matches_key(shard: int) -> str:
    return f"{tag(shard)}:matches"


def books_key(shard: int) -> str:
    return f"{tag(shard)}:books"


def parked_key(shard: int) -> str:
    return f"{tag(shard)}:parked"


def match_key(match: str, part: str) -> str:
    check_id(match)
    return f"{tag(shard_of(match))}:match:{match}:{part}"


@lru_cache(maxsize=4_096)
def log_keys(name: str) -> LogKeys:
    shard = shard_of(name)
    if is_book(name):
        base, part, listed = f"{tag(shard)}:book:{name}", "", books_key(shard)
    else:
        match = name.removesuffix(TALK)
        check_id(match)  # which refuses every other name with a slash in it
        base, part = f"{tag(shard)}:match:{match}", name[len(match) + 1 :]
        listed = matches_key(shard)
    lead = f"{part}-" if part else ""
    return LogKeys(
        events=f"{base}:{part or 'events'}",
        head=f"{base}:{lead}head",
        commands=f"{base}:{lead}commands",
        openings=f"{base}:{lead}openings",
        parked=f"{base}:parked",
        matches=listed,
        feed=feed_key(shard),
    )
