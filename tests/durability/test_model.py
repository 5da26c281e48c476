"""The model is the real thing: the same commands to both, every reply and all contents compared."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from inspect import signature
from typing import Any

import pytest

from ledger.log.format.chain import EMPTY, Event, Tip, link
from ledger.log.stores.protocol import Appended, Batch, Closed, Command, Conflict, Duplicate
from ledger.log.stores.redis import RedisStore, keys
from ledger.log.stores.redis.connection import Connection, NoReply, NotSent, Refusing, Word
from ledger.log.stores.redis.keys import command_key, entries_of, fingerprint_of
from ledger.log.stores.redis.soundness import Unsound, check_sound
from tests.support.durability.model.connection import Fate, ModelConnection, Wire
from tests.support.durability.model.server import ModelServer
from tests.support.durability.model.values import contents
from tests.support.servers import Server

MATCHES = ("aaaabbbbccccdddd", "eeeeffffgggghhhh")
LOGS = (*MATCHES, MATCHES[0] + "/talk")
COMMANDS = [Command(f"c{n}", b"as asked") for n in range(40)]
CHANGED = [Command(f"c{n}", b"changed") for n in range(40)]


class Dealer:
    """Draws commands as any client could send them, and some that none should."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.tips: dict[str, list[Tip]] = {name: [EMPTY] for name in LOGS}
        self.count = 0

    def commands(self, count: int) -> Iterator[tuple[Word, ...]]:
        kinds = {
            self._append: 60, self._keep: 6, self._read: 18, self._feed: 4, self._parking: 4,
            self._snapshot: 3, self._damage: 2,
        }  # fmt: skip
        for _ in range(count):
            yield from self.rng.choices(list(kinds), list(kinds.values()))[0]()

    def _append(self) -> Iterator[tuple[Word, ...]]:
        rng, name = self.rng, self.rng.choice(LOGS)
        expect = self.tips[name][-1]
        wrong = rng.random()
        if wrong < 0.10:
            expect = rng.choice(self.tips[name])
        elif wrong < 0.15:
            expect = Tip(expect.version + rng.randint(1, 3), expect.head)
        elif wrong < 0.20:
            expect = Tip(expect.version, rng.randbytes(32))
        events: list[Event] = []
        for _ in range(rng.choice((1, 1, 1, 2, 5, 32))):
            self.count += 1
            at = events[-1].tip if events else expect
            events.append(
                link(name, at, b"body %d" % self.count + rng.randbytes(rng.choice((0, 90))))
            )
        command = rng.choice((None, rng.choice(COMMANDS), rng.choice(CHANGED)))
        batch = Batch(
            expect=expect, events=tuple(events), command=command, closes=rng.random() < 0.04
        )
        rules = rng.choice(("", "", "d", "d", "a"))
        words: list[Word] = ["FCALL", "hegemon_1_append", 7, *keys.log_keys(name), name]
        words += [expect.version, expect.head, events[-1].head, rules]
        words += [command_key(command), fingerprint_of(command)] if command else ["", ""]
        words.append(rng.choice((64, 64, 2)))
        for entry in entries_of(batch):
            words += [entry, rng.choice((b"", b"", b"openings"))]
        yield tuple(words)
        yield "GET", keys.log_keys(name).head

    def learned(self, words: Sequence[Word], reply: Any) -> None:
        """Notes the state of a log, so that the next command can be valid."""
        if words[1] == "hegemon_1_append" and reply[:1] == [b"APPENDED"]:
            head = words[13]
            assert isinstance(head, bytes)
            self.tips[str(words[10])].append(Tip(reply[1], head))

    def _keep(self) -> Iterator[tuple[Word, ...]]:
        match, field = self.rng.choice(MATCHES), self.rng.choice(("secrets", "overlay", "n1", "n2"))
        kept = keys.match_key(match, "kept")
        feed = keys.feed_key(keys.shard_of(match))
        value = self.rng.choice((b"one", b"two"))
        yield "FCALL", "hegemon_1_keep", 2, kept, feed, match, field, value
        yield "HGET", kept, field
        yield "HGETALL", kept

    def _read(self) -> Iterator[tuple[Word, ...]]:
        rng, names = self.rng, keys.log_keys(self.rng.choice(LOGS))
        first, last = rng.randint(0, 60), rng.randint(0, 60)
        ends = rng.choice(
            ((f"{first}-0", "+"), (f"{first}-0", f"{last}-0"), ("-", "+"), (str(first), str(last)))
        )
        stream = rng.choice((names.events, names.openings))
        yield ("XRANGE", stream, *ends, *rng.choice(((), ("COUNT", rng.randint(0, 40)))))
        yield "XREVRANGE", stream, ends[1], ends[0], "COUNT", rng.randint(0, 3)
        yield "XLEN", stream
        yield "HGET", names.commands, command_key(rng.choice(COMMANDS))
        yield "SMEMBERS", names.matches

    def _feed(self) -> Iterator[tuple[Word, ...]]:
        feeds = [keys.feed_key(shard) for shard in range(keys.SHARDS)]
        after = [f"0-{self.rng.randint(0, 50)}" for _ in feeds]
        yield ("XREAD", "COUNT", 10, "STREAMS", *feeds, *after)
        feed = keys.feed_key(keys.shard_of(MATCHES[0]))
        yield "XRANGE", feed, f"0-{self.rng.randint(0, 50)}", "+", "COUNT", 5

    def _parking(self) -> Iterator[tuple[Word, ...]]:
        match = self.rng.choice(MATCHES)
        key, parked = keys.match_key(match, "parked"), keys.parked_key(keys.shard_of(match))
        notice = self.rng.choice(((b"it cannot be folded",), (), ()))
        yield ("FCALL", "hegemon_1_park", 2, key, parked, match, *notice)
        yield "GET", key
        yield "SMEMBERS", parked

    def _snapshot(self) -> Iterator[tuple[Word, ...]]:
        key = keys.match_key(self.rng.choice(MATCHES), "snapshots")
        yield "HSET", key, f"{self.rng.randint(1, 3)}:terms", self.rng.randbytes(4)
        yield "HKEYS", key
        yield "HGET", key, "1:terms"

    def _damage(self) -> Iterator[tuple[Word, ...]]:
        """Yields commands that need the server's password."""
        rng, name = self.rng, self.rng.choice(LOGS)
        names, tip = keys.log_keys(name), self.tips[name][-1]
        known = command_key(rng.choice(COMMANDS))
        back = rng.choice(self.tips[name])
        yield rng.choice(
            (
                ("XDEL", names.events, f"{tip.version}-0"),
                ("XDEL", names.events, f"{rng.randint(1, 60)}-0", "7-0"),
                ("XADD", names.events, f"{tip.version + rng.randint(0, 2)}-0", "e", b"\0foreign"),
                ("XADD", names.openings, f"{tip.version + 1}-0", "o", b"foreign"),
                ("SET", names.head, b"o%d:%b" % (back.version, back.head)),
                ("SET", names.head, b"no head at all"),
                ("SET", names.commands, b"no hash"),
                ("HSET", names.commands, known, rng.randint(1, 60)),
                ("DEL", names.head), ("DEL", names.events), ("DEL", names.commands),
                ("DEL", names.events, names.head, names.commands, names.openings),
                ("SET", names.feed, b"no stream"), ("DEL", names.feed),
                ("XADD", names.feed, "5-5", "e", b"foreign"),
            )
        )  # fmt: skip
        if rng.random() < 0.5:
            yield "DEL", *names[:5], names.feed
            self.tips[name] = [EMPTY]


def answer_of(connection: Connection | ModelConnection, words: Sequence[Word]) -> Any:
    """A raw reply; of a refusal its code, for the rest of the sentence differs by version."""
    try:
        reply = connection.call(*words)
    except Refusing as refusal:
        code = str(refusal).split(" ", 1)[0]
        return f"refused: {code if code.isupper() else 'ERR'}"
    if words[0] == "SMEMBERS":
        return sorted(reply)
    return reply


def contents_of(connection: Connection) -> dict[bytes, Any]:
    """All that a real server holds."""
    reads: dict[bytes, Any] = {
        b"string": lambda key: connection.call("GET", key),
        b"hash": lambda key: _paired(connection.call("HGETALL", key)),
        b"set": lambda key: set(connection.call("SMEMBERS", key)),
        b"stream": lambda key: connection.call("XRANGE", key, "-", "+"),
    }
    return {key: reads[connection.call("TYPE", key)](key) for key in connection.call("KEYS", "*")}


def _paired(words: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(words[::2], words[1::2], strict=True))


def compared(real: Connection, seed: int, count: int) -> set[str]:
    """Send the same to both; gives what kinds of answer there were."""
    model = ModelConnection(ModelServer())
    RedisStore(real)
    RedisStore(model)  # type: ignore[arg-type]
    dealer, seen = Dealer(seed), set()
    for place, words in enumerate(dealer.commands(count)):
        expected, found = answer_of(real, words), answer_of(model, words)
        assert found == expected, f"seed {seed}, command {place}: {words}"
        dealer.learned(words, expected)
        if words[0] == "FCALL":
            seen.add(expected if isinstance(expected, str) else b" ".join(expected[:1]).decode())
    assert contents(model.server.values) == contents_of(real), f"seed {seed}"
    model.server.crash()
    model.server.start()
    assert contents(model.server.values) == contents_of(real), f"seed {seed}, after a restart"
    return seen


EVERY_ANSWER = {
    "APPENDED", "CONFLICT", "CLOSED", "PARKED", "DUPLICATE", "CHANGED", "DAMAGED", "KEPT",
    "DIFFERS", "UNPARKED", "refused: ERR", "refused: WRONGTYPE",
}  # fmt: skip


def test_the_model_answers_as_a_server_does_and_holds_the_same(ledger: Server):
    connection, seen = Connection(ledger.url), set()
    for seed in range(12):
        connection.call("FLUSHALL")
        seen |= compared(connection, seed, 180)
    assert seen == EVERY_ANSWER


@pytest.mark.full
@pytest.mark.timeout(1800)
def test_the_model_answers_as_a_server_does_at_length(ledger: Server):
    connection = Connection(ledger.url)
    for seed in range(100, 500):
        connection.call("FLUSHALL")
        compared(connection, seed, 600)


def test_the_library_is_listed_as_a_server_lists_it(ledger: Server):
    real, model = Connection(ledger.url), ModelConnection(ModelServer())
    RedisStore(real)
    RedisStore(model)  # type: ignore[arg-type]
    asked = ("FUNCTION", "LIST", "LIBRARYNAME", "hegemon_1", "WITHCODE")
    there = [dict(zip(one[::2], one[1::2], strict=True)) for one in real.call(*asked)]
    here = [dict(zip(one[::2], one[1::2], strict=True)) for one in model.call(*asked)]
    assert [one[b"library_code"] for one in here] == [one[b"library_code"] for one in there]
    assert [list(one) for one in here] == [list(one) for one in there]


def test_only_the_model_that_flushes_before_it_answers_is_sound():
    assert check_sound(ModelConnection(ModelServer("always"))) == []  # type: ignore[arg-type]
    with pytest.raises(Unsound, match="appendfsync is everysec"):
        check_sound(ModelConnection(ModelServer("everysec")))  # type: ignore[arg-type]


# --- what it has more than the real one: its death, and its wire ----------------------------------


class Fated(Wire):
    """A wire that has been told what to do with the next requests."""

    def __init__(self, *fates: Fate) -> None:
        super().__init__()
        self.fates = list(fates)

    def fate(self, words: tuple[bytes, ...]) -> Fate:
        return self.fates.pop(0) if self.fates and words[0] == b"FCALL" else Fate.WELL


def store_over(server: ModelServer, *fates: Fate) -> tuple[RedisStore, Fated]:
    wire = Fated(*fates)
    connection: Any = ModelConnection(server, wire)
    return RedisStore(connection, patience=0.5, sleep=lambda _: server.up or server.start()), wire


def one(store: RedisStore, body: bytes, command: Command | None = None) -> Batch:
    tip = store.tip(LOGS[0])
    return Batch(expect=tip, events=(link(LOGS[0], tip, body),), command=command)


@pytest.mark.parametrize("fate", Fate, ids=lambda fate: fate.value)
@pytest.mark.parametrize("command", [None, COMMANDS[0]], ids=["act", "command"])
def test_whatever_becomes_of_a_request_it_is_one_event(fate: Fate, command: Command | None):
    server = ModelServer()
    store, wire = store_over(server, fate)
    batch = one(store, b"body", command)
    assert store.append(LOGS[0], batch) == Appended(batch.events[-1].tip)
    for words in wire.late:
        server.run(words)
    assert list(store.events(LOGS[0])) == list(batch.events)


def test_under_always_nothing_acknowledged_is_lost_and_the_rest_may_be():
    server = ModelServer("always")
    store, _ = store_over(server)
    for body in (b"one", b"two"):
        assert isinstance(store.append(LOGS[0], one(store, body)), Appended)
    server.crash()
    server.start()
    assert store.tip(LOGS[0]).version == 2


def test_under_everysec_the_tail_may_be_lost_and_what_is_left_is_whole():
    server = ModelServer("everysec")
    store, _ = store_over(server)
    store.append(LOGS[0], one(store, b"one"))
    server.flush()
    tip = store.tip(LOGS[0])
    two, three = link(LOGS[0], tip, b"two"), None
    three = link(LOGS[0], two.tip, b"three")
    store.append(LOGS[0], Batch(expect=tip, events=(two, three), closes=True))
    store.append(LOGS[1], Batch(expect=EMPTY, events=(link(LOGS[1], EMPTY, b"other"),)))
    for kept, versions in ((0, (1, 0)), (1, (3, 0)), (2, (3, 1))):
        copied = ModelServer("everysec")
        copied.file, copied.flushed = list(server.file), server.flushed
        copied.crash(copied.flushed + kept)
        copied.start()
        again, _ = store_over(copied)
        assert tuple(again.tip(name).version for name in LOGS[:2]) == versions
        assert len(list(again.events(LOGS[0]))) == versions[0]


def test_an_old_copy_put_back_is_a_log_as_it_was():
    server = ModelServer()
    store, _ = store_over(server)
    command = COMMANDS[0]
    store.append(LOGS[0], one(store, b"one"))
    old, tip = server.copy(), store.tip(LOGS[0])
    late = one(store, b"two", command)
    store.append(LOGS[0], late)
    assert store.answered(LOGS[0], command) == Duplicate(2, store.tip(LOGS[0]))
    server.put_back(old)
    assert store.tip(LOGS[0]) == tip
    assert store.answered(LOGS[0], command) is None
    after = Batch(expect=late.events[-1].tip, events=(link(LOGS[0], late.events[-1].tip, b"3"),))
    assert store.append(LOGS[0], after) == Conflict(tip, ())


def test_a_server_that_is_down_full_or_reading_its_file_has_done_nothing():
    server = ModelServer()
    connection = ModelConnection(server)
    RedisStore(connection)  # type: ignore[arg-type]
    written = len(server.file)
    server.full = True
    with pytest.raises(Refusing, match="OOM"):
        connection.call("SET", "key", "value")
    server.full = False
    server.crash()
    with pytest.raises(NotSent):
        connection.call("SET", "key", "value")
    server.start(loading=1)
    with pytest.raises(Refusing, match="LOADING") as refusal:
        connection.call("SET", "key", "value")
    assert refusal.value.passing
    assert len(server.file) == written
    assert connection.call("GET", "key") is None


def test_a_question_is_asked_once_more_where_its_reply_was_lost():
    fates = [Fate.UNHEARD, Fate.WELL, Fate.UNHEARD, Fate.UNHEARD]

    class Deaf(Wire):
        def fate(self, words: tuple[bytes, ...]) -> Fate:
            return fates.pop(0)

    connection = ModelConnection(ModelServer(), Deaf())
    assert connection.ask("GET", "key") is None
    with pytest.raises(NoReply):
        connection.ask("GET", "key")


def test_a_closed_log_of_the_model_takes_what_may_come_after():
    store, _ = store_over(ModelServer())
    end = msg = one(store, b"end")
    tip = end.events[-1].tip
    store.append(LOGS[0], Batch(expect=EMPTY, events=msg.events, closes=True))
    event = (link(LOGS[0], tip, b"dispute"),)
    assert store.append(LOGS[0], Batch(expect=tip, events=event)) == Closed(tip)
    after = Batch(expect=tip, events=event, after_close=True, closes=True)
    assert store.append(LOGS[0], after) == Appended(event[0].tip)


def test_a_line_to_the_model_is_called_as_a_line_is():
    calls = ("call", "calls", "ask", "asks", "forget", "close")
    for name in calls:
        assert signature(getattr(ModelConnection, name)) == signature(getattr(Connection, name)), (
            name
        )
