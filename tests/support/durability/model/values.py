"""The values of the model server's keys, and how a change is applied to them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Any, TypeAlias

from ledger.log.stores.redis.connection import Refusing

Id: TypeAlias = tuple[int, int]
NUMBER_MAX = (1 << 64) - 1


class Stream:
    """A stream: entries by their ids, and the last id there ever was."""

    def __init__(self) -> None:
        self.ids: list[Id] = []
        self.fields: list[tuple[bytes, ...]] = []
        self.last: Id = (0, 0)

    def __len__(self) -> int:
        return len(self.ids)

    def holds(self, one: Id) -> bool:
        place = bisect_left(self.ids, one)
        return place < len(self.ids) and self.ids[place] == one

    def rows(self, first: Id, last: Id | None, count: int | None) -> list[Any]:
        """Entries as the server gives them."""
        start = bisect_left(self.ids, first)
        end = len(self.ids) if last is None else bisect_right(self.ids, last)
        if count is not None:
            end = min(end, start + max(count, 0))
        return [[packed_id(self.ids[n]), list(self.fields[n])] for n in range(start, end)]


Value: TypeAlias = bytes | dict[bytes, bytes] | set[bytes] | Stream


def packed_id(one: Id) -> bytes:
    return b"%d-%d" % one


def read_id(text: bytes) -> Id:
    """An id from which to read; without its second half it is the first of its kind."""
    if text == b"-":
        return (0, 0)
    first, _, second = text.partition(b"-")
    return int(first), int(second or 0)


def read_end(text: bytes) -> Id | None:
    """An id up to which to read; without its second half it is the last of its kind."""
    if text == b"+":
        return None
    first, dash, second = text.partition(b"-")
    return int(first), int(second) if dash else NUMBER_MAX


def id_after(last: Id, wanted: bytes) -> Id:
    """The id of a new entry: the one that is asked for, or with its number chosen (`0-*`)."""
    first, _, second = wanted.partition(b"-")
    if second == b"*":
        given = (int(first), last[1] + 1 if int(first) == last[0] else int(int(first) == 0))
    else:
        given = (int(first), int(second))
    if given <= last:
        raise Refusing(
            "The ID specified in XADD is equal or smaller than the target stream top item"
        )
    return given


def applied(values: dict[bytes, Value], change: tuple[Any, ...]) -> None:
    """Do to the keys what a change says."""
    what, key = change[0], change[1]
    if what == "SET":
        values[key] = change[2]
    elif what == "XADD":
        stream = values.setdefault(key, Stream())
        assert isinstance(stream, Stream)
        stream.ids.append(change[2])
        stream.fields.append(change[3])
        stream.last = change[2]
    elif what == "HSET":
        fields = values.setdefault(key, {})
        assert isinstance(fields, dict)
        fields[change[2]] = change[3]
    elif what == "SADD":
        members = values.setdefault(key, set())
        assert isinstance(members, set)
        members.add(change[2])
    elif what == "SREM":
        members = values[key]
        assert isinstance(members, set)
        members.remove(change[2])
        if not members:
            del values[key]
    elif what == "XDEL":
        stream = values[key]
        assert isinstance(stream, Stream)
        place = stream.ids.index(change[2])
        del stream.ids[place], stream.fields[place]
    elif what == "DEL":
        del values[key]
    elif what == "FLUSHALL":
        values.clear()


def contents(values: Mapping[bytes, Value]) -> dict[bytes, Any]:
    """All that the keys hold, to be compared."""
    found: dict[bytes, Any] = {}
    for key, value in values.items():
        found[key] = value.rows((0, 0), None, None) if isinstance(value, Stream) else value
    return found
