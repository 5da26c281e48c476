"""check-store: what is right is right, each flipped byte is found, another engine told apart."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ledger.club.talk import Said, say
from ledger.games import ruleset
from ledger.games.tictactoe.play import Drew, Mark, Turn
from ledger.games.tictactoe.state import Board
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import OVERLAY
from ledger.log.stores.files import FileStore
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Command
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import (
    COMMAND,
    HEAD,
    feed_key,
    log_keys,
    match_key,
    matches_key,
    shard_of,
)
from ledger.log.stores.segments.reader import segment_files, shard_folder
from ledger.log.write.journal import Journal
from replays.verify.recheck import DAMAGED, ENGINE, UNKNOWN
from services.keep.store_check import Checked, check_store
from services.matches.trial import put
from tests.support.log.filling import rewrite, witnessed
from tests.support.log.matches import (
    FULL_PLAN,
    ROLLED,
    SEALED,
    SEAT,
    STAKED,
    eventful,
    move,
    play_out,
    played,
    started,
)
from tests.support.servers import AnyLedger, programs

PLANS = (FULL_PLAN, SEALED, STAKED, ROLLED)
FLIPS, FLIPS_FULL = 150, 4_000


class World(NamedTuple):
    connection: Connection
    store: RedisStore
    data: Path
    matches: list[str]

    def check(self, *matches: str, segments: bool = True) -> Checked:
        return check_store(self.store, ruleset, self.data if segments else None, matches)


def with_commands(journal: Journal, rng: random.Random) -> None:
    """A few decisions that come with a command."""
    for number in itertools.count():
        match = journal.match()
        if match.ended or number == 4:
            return
        seat = match.asked()[0]
        command = Command(f"{journal.match_id}-{number}", rng.randbytes(8))
        journal.decide(seat, move(match, seat, rng), SEAT, command=command)


@pytest.fixture
def world(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[World]:
    """Matches on a server and in segments: finished ones, and one under way with talk."""
    connection = Connection(any_ledger(next(iter(programs()))).url)
    store, rng = RedisStore(connection), random.Random(61)
    for seed, plan in enumerate(PLANS):
        journal = started(plan, seed, store)
        with_commands(journal, rng)
        if seed:
            play_out(journal, rng, rewinds=1)
            journal.close()
        by = Submitter(role="seat")
        say(store, journal.match_id, Said(version=1, at=5, by=by, text="good luck"))
    witnessed(connection, tmp_path / "segments")
    yield World(connection, store, tmp_path, store.matches())
    connection.close()


def test_a_store_that_is_right_has_no_findings(world: World):
    for segments in (True, False):
        done = world.check(segments=segments)
        assert done.findings == []
        assert done.matches == len(PLANS)
        assert done.events == sum(
            world.store.tip(name).version + world.store.tip(f"{name}/talk").version
            for name in world.matches
        )
    assert world.check().records == sum(
        world.connection.ask("XLEN", feed_key(n)) for n in range(16)
    )


@pytest.mark.parametrize("make", [MemoryStore, FileStore])
def test_stores_without_a_server_are_checked_too(make: Callable[..., MemoryStore], tmp_path: Path):
    store = make(tmp_path) if make is FileStore else make()
    for seed, plan in enumerate(PLANS):
        played(plan, seed, rewinds=1, store=store)
    put(store, eventful(FULL_PLAN, 9).history)  # one that was imported
    done = check_store(store, ruleset)
    assert done.findings == []
    assert done.matches == len(PLANS) + 1


def test_only_the_matches_asked_for_are_checked(world: World):
    done = world.check(world.matches[2])
    assert (done.matches, done.findings) == (1, [])
    assert [one.kind for one in world.check("nobody").findings] == [DAMAGED]


# --- flipped bytes --------------------------------------------------------------------------------


class Place(NamedTuple):
    """A byte of a match's keys: how it is flipped, and what says where it is."""

    what: str
    flip: Callable[[int, int], None]  # at a byte, a bit
    size: int


def changed(packed: bytes, at: int, bit: int) -> bytes:
    return packed[:at] + bytes((packed[at] ^ 1 << bit,)) + packed[at + 1 :]


def flip_entry(
    connection: Connection, key: str, rows: list[Any], number: int, at: int, bit: int
) -> None:
    name, (field, value) = rows[number]
    other = (name, (field, changed(value, at, bit)))
    rewrite(connection, key, [*rows[:number], other, *rows[number + 1 :]])


def flip_field(
    connection: Connection, key: str, field: bytes, value: bytes, at: int, bit: int
) -> None:
    other = changed(field + value, at, bit)
    connection.call("HDEL", key, field)
    connection.call("HSET", key, other[: len(field)], other[len(field) :])


def flip_text(connection: Connection, key: str, text: bytes, at: int, bit: int) -> None:
    connection.call("SET", key, changed(text, at, bit))


def places_of(connection: Connection, name: str) -> Iterator[Place]:
    """Where something can be flipped in the keys of a log."""
    logged, match = log_keys(name), name.partition("/")[0]
    for key in (logged.events, logged.openings):
        rows = connection.ask("XRANGE", key, "-", "+")
        for number, row in enumerate(rows):
            flip = partial(flip_entry, connection, key, rows, number)
            yield Place(f"{key} {row[0].decode()}", flip, len(row[1][1]))
    head = connection.ask("GET", logged.head)
    yield Place(f"{logged.head}", partial(flip_text, connection, logged.head, head), len(head))
    for key in (logged.commands, match_key(match, "kept")):
        pairs = connection.ask("HGETALL", key)
        for field, value in zip(pairs[::2], pairs[1::2], strict=True):
            flip = partial(flip_field, connection, key, field, value)
            yield Place(f"{key} {field!r}", flip, len(field + value))


def flipped(world: World, count: int, seed: int) -> Iterator[tuple[str, Place, int]]:
    """Flip bytes one at a time, wherever the seed says, and put each back."""
    rng = random.Random(seed)
    places = {
        match: [
            place
            for name in (match, f"{match}/talk")
            for place in places_of(world.connection, name)
        ]
        for match in world.matches
    }
    for _ in range(count):
        match = rng.choice(world.matches)
        place = rng.choice(places[match])
        at = rng.randrange(place.size)
        key = place.what.partition(" ")[0]
        dumped = world.connection.ask("DUMP", key)
        place.flip(at, rng.randrange(8))
        yield match, place, at
        world.connection.call("RESTORE", key, 0, dumped, "REPLACE")


@pytest.mark.parametrize("count", [FLIPS, pytest.param(FLIPS_FULL, marks=pytest.mark.full)])
def test_every_flipped_byte_of_a_match_is_found(world: World, count: int):
    missed = [
        f"{place.what}, byte {at}"
        for match, place, at in flipped(world, count, seed=62)
        if not world.check(match).count(DAMAGED)
    ]
    assert missed == []
    assert world.check().findings == []


def test_without_segments_all_is_found_but_what_nothing_can_be_held_against(world: World):
    missed = []
    for match, place, at in flipped(world, FLIPS, seed=63):
        fingerprints = ":events " in place.what and is_fingerprint(world.connection, place, at)
        is_nonce = "'secrets'" in place.what  # where a seat has brought a nonce of its own
        found = world.check(match, segments=False).findings
        if not found and not fingerprints and not is_nonce:
            missed.append(f"{place.what}, byte {at}")
    assert missed == []


def is_fingerprint(connection: Connection, place: Place, at: int) -> bool:
    key, _, version = place.what.partition(" ")
    packed = connection.ask("XRANGE", key, version, version)[0][1][1]
    first = 13 + 32 * bool(packed[0] & HEAD)
    return bool(packed[0] & COMMAND) and first <= at < first + 8


# --- what is missing, or too much -----------------------------------------------------------------


def finding(world: World) -> str:
    found = world.check(segments=False).findings
    assert {one.kind for one in found} == {DAMAGED}
    assert set(found) <= set(world.check().findings)
    return "\n".join(map(str, found))


def test_an_opening_that_is_missing_is_found(world: World):
    name = next(n for n in world.matches if world.connection.ask("EXISTS", log_keys(n).openings))
    key = log_keys(name).openings
    rewrite(world.connection, key, world.connection.ask("XRANGE", key, "-", "+")[1:])
    assert "is missing" in finding(world)


def test_a_command_too_many_is_found(world: World):
    world.connection.call("HSET", log_keys(world.matches[0]).commands, b"x" * 12, "3")
    assert "its command id is not recorded for it" in finding(world)


def test_a_match_that_is_not_listed_is_found(world: World):
    name = world.matches[0]
    world.connection.call("SREM", matches_key(shard_of(name)), name)
    assert name in finding(world)


def test_a_name_that_no_match_can_have_is_found(world: World):
    world.connection.call("SADD", matches_key(3), "No Match")
    assert "a match cannot have the id 'No Match'" in finding(world)


def test_a_feed_that_names_less_is_found(world: World):
    name = world.matches[0]
    key = feed_key(shard_of(name))
    rows = world.connection.ask("XRANGE", key, "-", "+")
    rewrite(world.connection, key, rows[:-1])
    assert "feed names" in finding(world)


def test_something_kept_that_nobody_kept_is_found(world: World):
    world.connection.call("HSET", match_key(world.matches[0], "kept"), "more", "value")
    assert "its other stored values" in finding(world)


def test_secrets_of_another_match_are_found(world: World):
    one, other = world.matches[:2]
    value = world.connection.ask("HGET", match_key(other, "kept"), "secrets")
    world.connection.call("HSET", match_key(one, "kept"), "secrets", value)
    assert one in finding(world)


def test_damaged_segments_are_found(world: World):
    shard = shard_of(world.matches[0])
    path = segment_files(shard_folder(world.data / "segments", shard))[0]
    packed = bytearray(path.read_bytes())
    packed[60] ^= 1
    path.write_bytes(packed)
    assert [one.where for one in world.check(world.matches[1]).findings] == ["the segments"]


def test_a_damaged_file_is_found(tmp_path: Path):
    store = FileStore(tmp_path)
    match = played(FULL_PLAN, 3, store=store).match_id
    path = tmp_path / "matches" / match / "log"
    packed = bytearray(path.read_bytes())
    packed[len(packed) // 2] ^= 1
    path.write_bytes(packed)
    done = check_store(FileStore(tmp_path), ruleset)
    assert [(one.kind, one.where) for one in done.findings] == [(DAMAGED, match)]


def test_an_overlay_that_is_gone_is_found():
    store = MemoryStore()
    match = played(FULL_PLAN, 3, store=store).match_id
    del store._beside[match, OVERLAY]
    assert DAMAGED in {one.kind for one in check_store(store, ruleset).findings}


# --- the engine -----------------------------------------------------------------------------------


def test_an_engine_that_gives_other_facts_is_told_apart(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    right = Turn.decide

    def decide(self: Turn, board: Board, seat: int, mark: Mark) -> Iterator[object]:
        yield from right(self, board, seat, mark)
        yield Drew()

    monkeypatch.setattr(Turn, "decide", decide)
    done = world.check()
    assert {one.kind for one in done.findings} == {ENGINE}
    over = {n for n in world.matches if world.connection.ask("GET", log_keys(n).head)[:1] == b"c"}
    assert {one.where for one in done.findings} >= over != set()


def test_rules_that_are_not_here_are_told_apart(world: World):
    def none_here(name: str):
        return ruleset(f"another-{name}")

    done = check_store(world.store, none_here, world.data)
    assert {one.kind for one in done.findings} == {UNKNOWN}
