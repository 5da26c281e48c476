"""A server in memory that answers what the ledger asks of Redis, with a disk that it can lose.

It is the real one as far as RedisStore can tell: test_model.py sends both the same commands and
compares every raw reply. What it has more: its file is a list in memory, so a crash, a lost tail
and an old copy cost nothing, and everything that happens follows from the caller's seed.

    run      a command, in memory; what it changed is one piece of the file, whole or not at all
    flush    the file is on the disk up to here
    crash    the memory is gone, and what was not flushed with it, wholly or in part
    start    the memory is what the file says
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from ledger.log.stores.redis.connection import Refusing
from tests.support.durability.model.values import (
    Id,
    Stream,
    Value,
    applied,
    id_after,
    packed_id,
    read_end,
    read_id,
)

Words: TypeAlias = tuple[bytes, ...]
Change: TypeAlias = tuple[Any, ...]  # what is to be done, to which key, with what
Piece: TypeAlias = tuple[Change, ...]  # what one command changed: whole or not at all

CONFLICT_COUNT: Final = 8  # the place of the first entry among the arguments of an append
BATCH_MAX: Final = 32
WRONG_TYPE: Final = "WRONGTYPE Operation against a key holding the wrong kind of value"
OUT_OF_MEMORY: Final = "OOM command not allowed when used memory > 'maxmemory'."
LOADING: Final = "LOADING Redis is loading the dataset in memory"
SCRIPT: Final = "user_script: attempt to read what is not there"


def words_of(command: Sequence[str | bytes | int]) -> Words:
    """A command as it goes over the connection."""
    return tuple(w if isinstance(w, bytes) else str(w).encode() for w in command)


class ModelServer:
    """A server of the ledger: `always` flushes before it answers, `everysec` does not."""

    def __init__(self, mode: str = "always") -> None:
        self.mode = mode
        self.up = True
        self.lives = 1  # how often it was started
        self.loading = 0  # how many commands more it refuses because it reads its file
        self.full = False
        self.values: dict[bytes, Value] = {}
        self.loaded: bytes | None = None
        self.file: list[Piece] = []
        self.flushed = 0  # how much of the file is on the disk
        self._changed: list[Change] = []
        self.functions: dict[bytes, Callable[[Words, Words], Any]] = {
            b"hegemon_1_append": self._append,
            b"hegemon_1_keep": self._keep,
            b"hegemon_1_park": self._park,
        }
        self._commands: dict[bytes, Callable[[Words], Any]] = {
            b"PING": lambda _: b"PONG",
            b"FCALL": self._fcall,
            b"FUNCTION": self._function,
            b"INFO": lambda _: b"# Server\r\nredis_version:7.0.15\r\nrole:master\r\n",
            b"CONFIG": self._config,
            b"GET": lambda a: self._get(a[0]),
            b"SET": lambda a: self._do("SET", a[0], a[1]) or b"OK",
            b"DEL": self._del,
            b"HGET": lambda a: self._kind(a[0], dict).get(a[1]),
            b"HSET": self._hset,
            b"HKEYS": lambda a: list(self._kind(a[0], dict)),
            b"HGETALL": lambda a: [w for pair in self._kind(a[0], dict).items() for w in pair],
            b"SMEMBERS": lambda a: sorted(self._kind(a[0], set)),
            b"SADD": lambda a: self._member("SADD", *a),
            b"SREM": lambda a: self._member("SREM", *a),
            b"XADD": lambda a: self._xadd(a[0], a[1], a[2:]),
            b"XDEL": self._xdel,
            b"XLEN": lambda a: len(self._kind(a[0], Stream)),
            b"XRANGE": self._xrange,
            b"XREVRANGE": self._xrevrange,
            b"XREAD": self._xread,
            b"KEYS": lambda _: sorted(self.values),
            b"TYPE": lambda a: _name_of(self.values.get(a[0])),
            b"FLUSHALL": lambda _: self._do("FLUSHALL", b"") or b"OK",
        }

    # --- its life ------------------------------------------------------------------------------

    def run(self, words: Words) -> Any:
        """Returns the answer to a command: a reply, or the refusal in its place."""
        assert self.up, "nobody is there to be asked"
        if self.loading:
            self.loading -= 1
            return Refusing(LOADING)
        if self.full and words[0] in (b"FCALL", b"SET", b"HSET", b"SADD", b"XADD"):
            return Refusing(OUT_OF_MEMORY)
        try:
            return self._commands[words[0]](words[1:])
        except Refusing as refusal:
            return refusal  # what was changed before it stays changed
        finally:
            if self._changed:
                self.file.append(tuple(self._changed))
                self._changed = []

    def flush(self) -> None:
        """All that was changed is on the disk."""
        self.flushed = len(self.file)

    def crash(self, kept: int | None = None) -> None:
        """End at once. Of what was not flushed, the first `kept` pieces happen to be there."""
        kept = self.flushed if kept is None else kept
        assert self.flushed <= kept <= len(self.file)
        self.file, self.flushed = self.file[:kept], kept
        self.up = False
        self.values = {}

    def start(self, loading: int = 0) -> None:
        """Start over what is on the disk."""
        self.up, self.loading = True, loading
        self.lives += 1
        self.values, self.loaded = {}, None
        for piece in self.file:
            for change in piece:
                self._apply(change)

    def copy(self) -> list[Piece]:
        """Returns a copy of the disk."""
        return self.file[: self.flushed]

    def put_back(self, copy: list[Piece]) -> None:
        """Start over another copy of the disk."""
        self.crash()
        self.file, self.flushed = list(copy), len(copy)
        self.start()

    # --- the library ---------------------------------------------------------------------------

    def _fcall(self, args: Words) -> Any:
        if self.loaded is None or args[0] not in self.functions:
            raise Refusing("Function not found")
        count = int(args[1])
        return self.functions[args[0]](args[2 : 2 + count], args[2 + count :])

    def _append(self, keys: Words, args: Words) -> Any:
        """As ledger.lua has it, line by line."""
        status, version, head = self._tip_of(keys[1])
        expected = int(args[1])
        refusal = self._refusal(keys, args, status, version, head)
        if refusal is not None:
            return refusal
        if self._differs(version, head, expected, args[2]):
            since: list[Any] = []
            if version > expected:
                since = self._rows(keys[0], (expected + 1, 0), None, int(args[7]))
            return [b"CONFLICT", version, head, since]
        if not self._ends_at(keys[0], version):
            return [b"DAMAGED", b"events"]
        if not self._takes(keys[6], (1, 0)):
            return [b"DAMAGED", b"feed"]
        if any(args[CONFLICT_COUNT + 1 :: 2]) and not self._takes(keys[3], (version, 1)):
            return [b"DAMAGED", b"openings"]
        entry = b""
        for place in range(CONFLICT_COUNT, len(args), 2):
            entry, version = args[place], version + 1
            try:
                self._xadd(keys[0], b"%d-0" % version, (b"e", entry))
            except Refusing:
                return [b"DAMAGED", b"events"]
            if args[place + 1]:
                self._xadd(keys[3], b"%d-0" % version, (b"o", args[place + 1]))
        mark = b"c" if _flags(entry) & 4 else b"o"
        self._do("SET", keys[1], b"%b%d:%b" % (mark, version, args[3]))
        if args[5]:
            self._set_field(keys[2], args[5], b"%d" % (expected + 1))
        if expected == 0 and b"/" not in args[0]:
            self._member("SADD", keys[5], args[0])
        self._xadd(keys[6], b"0-*", (b"e", b"%b %d" % (args[0], version)))
        return [b"APPENDED", version]

    def _refusal(self, keys: Words, args: Words, status: bytes, version: int, head: bytes) -> Any:
        """Returns why an append is refused, whatever version it expects."""
        if args[5]:
            first = self._kind(keys[2], dict).get(args[5])
            if first is not None:
                return self._known(keys[0], int(first), args[5], args[6])
        if args[4] == b"d":
            notice = self._get(keys[4])
            if notice is not None:
                return [b"PARKED", version, head, notice]
        if status == b"c" and args[4] != b"a":
            return [b"CLOSED", version, head]
        return None

    def _differs(self, version: int, head: bytes, expected: int, expected_head: bytes) -> bool:
        return version != expected or head != expected_head

    def _tip_of(self, key: bytes) -> tuple[bytes, int, bytes]:
        text = self._get(key)
        if text is None:
            return b"o", 0, bytes(32)
        number, colon, head = text[1:].partition(b":")
        if not colon:
            raise Refusing(SCRIPT)
        return text[:1], int(number), head

    def _ends_at(self, key: bytes, version: int) -> bool:
        ids = self._kind(key, Stream).ids
        return ids[-1] == (version, 0) if ids else version == 0

    def _takes(self, key: bytes, later: tuple[int, int]) -> bool:
        try:
            return not self._rows(key, later, None, 1)
        except Refusing:
            return False

    def _known(self, events: bytes, first: int, command: bytes, fingerprint: bytes) -> Any:
        rows = self._rows(events, (first, 0), None, BATCH_MAX)
        if not rows or rows[0][0] != b"%d-0" % first:
            return [b"DAMAGED", b"command"]
        entry = rows[0][1][1]
        place = 33 if _flags(entry) & 1 else 1
        if not _flags(entry) & 2 or entry[place : place + 12] != command:
            return [b"DAMAGED", b"command"]
        if entry[place + 12 : place + 20] != fingerprint:
            return [b"CHANGED"]
        count = 1
        while count <= len(rows) and _flags(rows[count - 1][1][1]) & 8:
            count += 1
        return [b"DUPLICATE", first, count]

    def _keep(self, keys: Words, args: Words) -> Any:
        before = self._kind(keys[0], dict).get(args[1])
        if before is not None:
            return [b"KEPT" if before == args[2] else b"DIFFERS"]
        self._xadd(keys[1], b"0-*", (b"e", b"%b/kept %b" % (args[0], args[1])))
        self._set_field(keys[0], args[1], args[2])
        return [b"KEPT"]

    def _park(self, keys: Words, args: Words) -> Any:
        if len(args) > 1:
            self._do("SET", keys[0], args[1])
            self._member("SADD", keys[1], args[0])
            return [b"PARKED"]
        self._del((keys[0],))
        self._member("SREM", keys[1], args[0])
        return [b"UNPARKED"]

    def _function(self, args: Words) -> Any:
        if args[0] == b"LOAD":
            if self.loaded is not None:
                raise Refusing("Library 'hegemon_1' already exists")
            self._do("FUNCTION", b"", args[1])
            return b"hegemon_1"
        if self.loaded is None or args[2] != b"hegemon_1":
            return []
        listed = [[b"name", name, b"description", None, b"flags", []] for name in self.functions]
        name = [b"library_name", b"hegemon_1", b"engine", b"LUA", b"functions", listed]
        return [[*name, b"library_code", self.loaded]]

    def _config(self, args: Words) -> Any:
        settings = {
            b"appendonly": b"yes",
            b"appendfsync": self.mode.encode(),
            b"maxmemory-policy": b"noeviction",
            b"no-appendfsync-on-rewrite": b"no",
        }
        return [args[1], settings[args[1]]] if args[1] in settings else []

    # --- single commands -----------------------------------------------------------------------

    def _do(self, *change: Any) -> None:
        """Change the memory, and note it for the file."""
        self._apply(change)
        self._changed.append(change)

    def _apply(self, change: Change) -> None:
        if change[0] == "FUNCTION":
            self.loaded = change[2]
        else:
            applied(self.values, change)

    def _kind(self, key: bytes, kind: type[Any]) -> Any:
        """The value of a key, empty where there is none; refused where it is something else."""
        value = self.values.get(key)
        if value is None:
            return kind()
        if not isinstance(value, kind):
            raise Refusing(WRONG_TYPE)
        return value

    def _get(self, key: bytes) -> bytes | None:
        value: bytes = self._kind(key, bytes)
        return value if key in self.values else None

    def _del(self, keys: Words) -> int:
        found = [key for key in dict.fromkeys(keys) if key in self.values]
        for key in found:
            self._do("DEL", key)
        return len(found)

    def _set_field(self, key: bytes, field: bytes, value: bytes) -> None:
        self._kind(key, dict)
        self._do("HSET", key, field, value)

    def _member(self, what: str, key: bytes, member: bytes) -> int:
        changes = (member in self._kind(key, set)) is (what == "SREM")
        if changes:
            self._do(what, key, member)
        return int(changes)

    def _hset(self, args: Words) -> int:
        new = args[1] not in self._kind(args[0], dict)
        self._set_field(*args)
        return int(new)

    def _xadd(self, key: bytes, wanted: bytes, fields: Words) -> bytes:
        stream: Stream = self._kind(key, Stream)
        given = id_after(stream.last, wanted)
        self._do("XADD", key, given, fields)
        return packed_id(given)

    def _xdel(self, args: Words) -> int:
        stream: Stream = self._kind(args[0], Stream)
        given = [read_id(one) for one in args[1:]]
        found = [one for one in dict.fromkeys(given) if stream.holds(one)]
        for one in found:
            self._do("XDEL", args[0], one)
        return len(found)

    def _rows(self, key: bytes, first: Id, last: Id | None, count: int | None) -> list[Any]:
        stream: Stream = self._kind(key, Stream)
        return stream.rows(first, last, count)

    def _xrange(self, args: Words) -> list[Any] | None:
        count = int(args[4]) if len(args) == 5 else None
        if count == 0 and args[0] in self.values:
            return None
        return self._rows(args[0], read_id(args[1]), read_end(args[2]), count)

    def _xrevrange(self, args: Words) -> list[Any] | None:
        rows = self._rows(args[0], read_id(args[2]), read_end(args[1]), None)[::-1]
        count = int(args[4]) if len(args) == 5 else len(rows)
        return rows[: max(count, 0)] if count or args[0] not in self.values else None

    def _xread(self, args: Words) -> list[Any] | None:
        """XREAD [COUNT n] STREAMS key... id..., which never waits here."""
        count = int(args[1]) if args[0] == b"COUNT" else None
        named = args[args.index(b"STREAMS") + 1 :]
        half = len(named) // 2
        found = []
        for key, after in zip(named[:half], named[half:], strict=True):
            milliseconds, number = read_id(after)
            rows = self._rows(key, (milliseconds, number + 1), None, count)
            found += [[key, rows]] if rows else []
        return found or None


def _flags(entry: bytes) -> int:
    if not entry:
        raise Refusing(SCRIPT)
    return entry[0]


def _name_of(value: Value | None) -> bytes:
    names = {bytes: b"string", dict: b"hash", set: b"set", Stream: b"stream"}
    return b"none" if value is None else names[type(value)]
