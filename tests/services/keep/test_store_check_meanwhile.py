"""check-store beside somebody who plays: nothing is found that is not so, and all that is so."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ledger.club.talk import Said, say
from ledger.games import ruleset
from ledger.log.format.bodies import Submitter
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection, Reply, Word
from ledger.log.stores.redis.keys import feed_key, log_keys, match_key, matches_key, shard_of
from ledger.log.write.journal import Journal
from replays.verify.recheck import DAMAGED
from services.keep.store_check import check_store
from tests.support.log.filling import rewrite, witnessed
from tests.support.log.matches import FULL_PLAN, SEALED, STAKED, played, started, step
from tests.support.servers import Server
from tests.support.starting import surroundings

ROOT = Path(__file__).resolve().parents[3]
PLANS = (FULL_PLAN, SEALED, STAKED)


class Player:
    """Plays one match after the other, a little at a time."""

    def __init__(self, store: RedisStore, seed: int) -> None:
        self._store = store
        self._rng = random.Random(seed)
        self._moves = self._play()
        self.acts = 0

    def act(self) -> None:
        """Do one thing that comes to the log."""
        next(self._moves)
        self.acts += 1

    def _play(self) -> Iterator[None]:
        for number in itertools.count(1_000):
            journal = started(PLANS[number % len(PLANS)], number, self._store)
            yield
            while not journal.match().ended:
                step(journal, self._rng)
                yield
                self._talk(journal)
                self._store.keep(journal.match_id, f"note {self._rng.random()}", b"value")
                yield
            journal.close()

    def _talk(self, journal: Journal) -> None:
        by = Submitter(role="seat")
        say(self._store, journal.match_id, Said(version=1, at=5, by=by, text="well"))


class Watched(Connection):
    """A line over which nothing is asked before somebody has played."""

    player: Player

    def call(self, *words: Word, wait: float | None = None) -> Reply:
        self.player.act()
        return super().call(*words, wait=wait)

    def calls(self, commands: Sequence[Sequence[Word]]) -> list[Reply]:
        self.player.act()
        return super().calls(commands)


@pytest.fixture
def connection(ledger: Server) -> Iterator[Connection]:
    found = Connection(ledger.url)
    yield found
    found.close()


@pytest.fixture
def watched(connection: Connection) -> Iterator[RedisStore]:
    """A store with matches, and with a player who acts before each question."""
    for seed, plan in enumerate(PLANS):
        played(plan, seed, store=RedisStore(connection))
    player = Player(RedisStore(connection), 71)
    for _ in range(30):
        player.act()
    asking = Watched(connection.url)
    asking.player = player
    yield RedisStore(asking)
    asking.close()


def player_of(store: RedisStore) -> Player:
    assert isinstance(store.connection, Watched)
    return store.connection.player


def test_who_plays_between_any_two_questions_is_no_damage(
    watched: RedisStore, connection: Connection, tmp_path: Path
):
    witnessed(connection, tmp_path / "segments")
    before = player_of(watched).acts
    assert check_store(watched, ruleset, tmp_path).findings == []
    assert player_of(watched).acts > before + 50
    assert check_store(RedisStore(connection), ruleset, tmp_path).findings == []


def lose_the_end(connection: Connection, name: str) -> None:
    rows = connection.ask("XRANGE", log_keys(name).events, "-", "+")
    rewrite(connection, log_keys(name).events, rows[:-1])


def put_the_head_back(connection: Connection, name: str) -> None:
    [event] = [one for one in RedisStore(connection).events(name) if one.version == 5]
    connection.call("SET", log_keys(name).head, b"o5:" + event.head)


def add_a_command(connection: Connection, name: str) -> None:
    connection.call("HSET", log_keys(name).commands, b"x" * 12, "3")


def add_an_event(connection: Connection, name: str) -> None:
    version = RedisStore(connection).tip(name).version
    connection.call("XADD", log_keys(name).events, f"{version + 1}-0", "e", b"\0more")


def add_openings(connection: Connection, name: str) -> None:
    connection.call("XADD", log_keys(name).openings, "999-0", "o", b"\x90")


def keep_more(connection: Connection, name: str) -> None:
    connection.call("HSET", match_key(name, "kept"), "more", "value")


def take_off_the_list(connection: Connection, name: str) -> None:
    connection.call("SREM", matches_key(shard_of(name)), name)


def add_to_the_list(connection: Connection, name: str) -> None:
    connection.call("SADD", matches_key(shard_of(name)), name)
    for key in connection.ask("KEYS", f"*match:{name}:*"):
        connection.call("DEL", key)
    kept = [
        row
        for row in connection.ask("XRANGE", feed_key(shard_of(name)), "-", "+")
        if not row[1][1].startswith(name.encode())
    ]
    rows = [(f"0-{at}", row[1]) for at, row in enumerate(kept, start=1)]
    rewrite(connection, feed_key(shard_of(name)), rows)


DAMAGES = [
    lose_the_end,
    put_the_head_back,
    add_a_command,
    add_an_event,
    add_openings,
    keep_more,
    take_off_the_list,
    add_to_the_list,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_and_named_beside_who_plays(
    watched: RedisStore, connection: Connection, damage
):
    name = next(n for n in watched.matches() if connection.ask("GET", log_keys(n).head)[:1] == b"c")
    damage(connection, name)
    found = check_store(watched, ruleset).findings
    assert {(one.kind, one.where) for one in found} == {(DAMAGED, name)}


PLAYING = """
import sys
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from tests.services.keep.test_store_check_meanwhile import Player
player = Player(RedisStore(Connection(sys.argv[1])), int(sys.argv[2]))
print("ready", flush=True)
while True:
    player.act()
"""


def test_a_process_that_plays_on_is_no_damage(connection: Connection, tmp_path: Path):
    store = RedisStore(connection)
    for seed, plan in enumerate(PLANS * 3):
        played(plan, seed, store=store)
    words = [sys.executable, "-c", PLAYING, connection.url, "72"]
    with subprocess.Popen(words, cwd=ROOT, env=surroundings(), stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        try:
            counts = [0]
            while len(set(counts)) < 5:  # the child has played between four checks
                done = check_store(store, ruleset, tmp_path)
                assert done.findings == []
                counts.append(done.events)
        finally:
            child.kill()
    assert counts == sorted(counts)
    assert check_store(store, ruleset, tmp_path).findings == []
