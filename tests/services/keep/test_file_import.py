"""Matches in files are moved into a server: the same logs, or nothing is put aside."""

from __future__ import annotations

import itertools
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.club.talk import Said, say, talk
from ledger.games import ruleset
from ledger.games.tictactoe.play import Mark
from ledger.log.format.acts import Disputed, Remedy, Ruled
from ledger.log.format.chain import EMPTY, Opening, link
from ledger.log.read.history import History
from ledger.log.read.served import know_outcomes
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Batch, Changed, Command, Duplicate, Store
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.write.fork import fork
from ledger.log.write.journal import Journal
from services.keep.file_import import MOVED, files_held, move_in
from services.run.programs import CannotServe
from tests.support.log.matches import (
    FULL_PLAN,
    ORGANIZER,
    PLAIN,
    SEALED,
    SEAT,
    around,
    play_out,
    played,
    started,
)
from tests.support.servers import AnyLedger, Server, running
from tests.support.servers import programs as server_programs
from tests.support.starting import surroundings

MOVER = """
import sys
from pathlib import Path
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.keep.file_import import move_in

store = RedisStore(Connection(sys.argv[1]))
print("begun", flush=True)
print(move_in(Path(sys.argv[2]), store).moved, flush=True)
"""


@pytest.fixture
def store(any_ledger: AnyLedger) -> Iterator[RedisStore]:
    connection = Connection(any_ledger(next(iter(server_programs()))).url)
    yield RedisStore(connection)
    connection.close()


@pytest.fixture
def each_store(ledger: Server) -> Iterator[RedisStore]:
    """One on each kind of server."""
    connection = Connection(ledger.url)
    yield RedisStore(connection)
    connection.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with matches of every kind, as the store in files writes them."""
    folder = tmp_path / "data"
    files = FileStore(folder)
    closed = played(FULL_PLAN, 1, rewinds=2, store=files)
    reopened = played(replace(PLAIN, discloses=("decisions",)), 2, store=files)
    reopened.record(Disputed(dispute="d1", first=5, last=6), ORGANIZER)
    ruled = {"dispute": "d1", "finding": "upheld", "reason": "so it was"}
    reopened.record(Ruled(**ruled, remedy=Remedy(kind="rewind", version=4)), ORGANIZER)
    reopened.rewind(4, ORGANIZER, "as ruled", because="d1")
    play_out(reopened, random.Random(3))
    forked = fork(around(4, files), closed.history, closed.history.life.started, "what if")
    play_out(forked, random.Random(5))
    disputed = played(PLAIN, 6, store=files)
    disputed.record(Disputed(dispute="d2", first=5, last=5), ORGANIZER)
    waiting = started(SEALED, 7, files)
    waiting.decide(0, waiting.match().options(0)[3])
    asked = started(PLAIN, 8, files)
    command = asked.command("c-1", 0, Mark(4))
    asked.decide(0, Mark(4), command=command)
    asked.decide(1, Mark(0), command=asked.command("c-2", 1, Mark(0)))
    say(files, asked.match_id, Said(version=5, at=1, by=SEAT, text="well played"))
    files.park(waiting.match_id, b"it cannot be folded")
    return folder


def facts(history: History) -> dict[int, bytes]:
    """Everything that the rules make of a log, on all of its lines, as the events commit to it."""
    know_outcomes(history)
    return {one.version: one.plain for one in history.openings.values() if one.path == "outcome"}


def told(store: Store) -> dict[str, object]:
    """Returns what a store holds of its matches; all kinds of stores give the same."""
    said: dict[str, object] = {}
    for match in store.matches():
        history = History.of(store, match, ruleset)
        names = ("secrets", "overlay", *_nonces(history))
        said[match] = {
            "events": list(store.events(match)),
            "openings": list(store.openings(match)),
            "kept": {name: store.kept(match, name) for name in names},
            "talk": list(talk(store, match)),
            "parked": store.parked(match),
            "facts": facts(history),
            "closed": history.life.closed,
        }
    return said


def _nonces(history: History) -> list[str]:
    return [f"nonce-{joined.nonce.hex()}" for joined in history.life.joined.values()]


def test_every_match_is_in_the_server_as_it_was_in_files(
    each_store: RedisStore, data: Path
) -> None:
    before = told(FileStore(data))
    assert len(before) == 6
    moving = move_in(data, each_store)
    assert (sorted(moving.moved), moving.stay) == (sorted(before), {})
    assert told(each_store) == before
    assert [path.name for path in sorted((data / MOVED).iterdir())] == sorted(before)
    assert FileStore(data).matches() == []
    assert move_in(data, each_store).moved == ()


def test_a_moved_match_takes_what_it_took_before(each_store: RedisStore, data: Path) -> None:
    files = FileStore(data)
    closed = {match: History.of(files, match, ruleset).life.closed for match in files.matches()}
    [parked] = [match for match in closed if files.parked(match)]
    move_in(data, each_store)
    for match, was_closed in closed.items():
        tip = each_store.tip(match)
        batch = Batch(expect=tip, events=(link(match, tip, b"more"),), decides=True)
        answer = type(each_store.append(match, batch)).__name__
        wanted = "Parked" if match == parked else "Closed" if was_closed else "Appended"
        assert answer == wanted


def test_who_repeats_a_command_gets_its_first_answer_after_the_move(
    each_store: RedisStore, data: Path
) -> None:
    files = FileStore(data)
    [match] = [one for one in files.matches() if any(batch.command for batch in files.batches(one))]
    journal = Journal(around(store=files), match)
    commands = [
        journal.command(name, seat, Mark(cell))
        for name, seat, cell in (("c-1", 0, 4), ("c-2", 1, 0))
    ]
    before = [files.answered(match, command) for command in commands]
    assert all(isinstance(answer, Duplicate) for answer in before)
    move_in(data, each_store)
    assert [each_store.answered(match, command) for command in commands] == before
    assert isinstance(each_store.answered(match, Command("c-1", b"another")), Changed)
    moved = Journal(around(store=each_store), match)
    assert moved.decide(0, Mark(4), command=commands[0])
    assert each_store.tip(match) == journal.history.tip


class Interrupted(Exception):
    pass


class Stopping:
    """A store that is gone after so many words with it."""

    def __init__(self, store: RedisStore, left: int) -> None:
        self.store = store
        self.left = left

    def __getattr__(self, name: str) -> object:
        self.left -= 1
        if self.left < 0:
            raise Interrupted
        return getattr(self.store, name)


def test_stopped_after_any_word_with_the_server_it_goes_on(store: RedisStore, data: Path) -> None:
    files = FileStore(data)
    before = told(files)
    for words in itertools.count():
        try:
            moving = move_in(data, Stopping(store, words))  # type: ignore[arg-type]
        except Interrupted:
            aside = [path.name for path in (data / MOVED).glob("*")]
            assert sorted([*files.matches(), *aside]) == sorted(before)
        else:
            break
    assert words > 20
    assert moving.stay == {}
    assert told(store) == before


def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    data, rng = tmp_path / "data", random.Random(11)
    files = FileStore(data)
    for seed in range(20):
        played(FULL_PLAN, seed, store=files)
    before = told(files)
    killed = 0
    with running(next(iter(server_programs().values())), tmp_path / "server") as server:
        words = [sys.executable, "-c", MOVER, server.url, str(data)]
        for _ in range(3):
            with subprocess.Popen(words, env=surroundings(), stdout=subprocess.PIPE) as mover:
                assert mover.stdout is not None
                assert mover.stdout.readline() == b"begun\n"
                time.sleep(rng.uniform(0.0, 0.05))
                killed += mover.poll() is None
                mover.send_signal(signal.SIGKILL)
            server.restart()  # what it acknowledged is there
        connection = Connection(server.url)
        store = RedisStore(connection)
        assert killed
        assert move_in(data, store).stay == {}
        assert told(store) == before
        connection.close()


# --- what is not moved ----------------------------------------------------------------------------


def test_a_damaged_match_stays_in_files_and_is_named(store: RedisStore, data: Path) -> None:
    files = FileStore(data)
    broken, *others = files.matches()
    log = data / "matches" / broken / "log"
    packed = bytearray(log.read_bytes())
    packed[200] ^= 1
    log.write_bytes(packed)
    moving = move_in(data, store)
    assert sorted(moving.moved) == others
    assert moving.stay == {broken: f"the log of {broken} is damaged after event 0"}
    assert log.read_bytes() == packed
    assert broken not in store.matches()
    assert store.kept(broken, "secrets") is None
    [moved, left] = moving.lines(data)
    assert moved == f"5 matches were moved into the server; the files are now in {data / MOVED}."
    assert left.startswith(f"not moved, and unchanged in {data / 'matches'}: {broken} (")
    assert "\n" not in left


def test_a_torn_end_that_nobody_was_told_of_does_no_harm(store: RedisStore, data: Path) -> None:
    before = told(FileStore(data))
    match = FileStore(data).matches()[0]
    with (data / "matches" / match / "log").open("ab") as file:
        file.write(b"\0\0\1")
    assert move_in(data, store).stay == {}
    assert told(store) == before


def test_another_log_under_the_same_id_is_left_alone(store: RedisStore, data: Path) -> None:
    match = FileStore(data).matches()[0]
    other = Batch(expect=EMPTY, events=(link(match, EMPTY, b"somebody's"),))
    store.append(match, other)
    moving = move_in(data, store)
    assert moving.stay == {match: "the server has another log under this id"}
    assert list(store.events(match)) == list(other.events)
    assert FileStore(data).matches() == [match]


def test_other_secrets_under_the_same_id_are_left_alone(store: RedisStore, data: Path) -> None:
    match = FileStore(data).matches()[0]
    store.keep(match, "secrets", b"others")
    assert "is stored already, with another value" in move_in(data, store).stay[match]
    assert store.tip(match) == EMPTY


def test_an_old_copy_of_what_has_gone_on_in_the_server_is_put_aside(
    store: RedisStore, data: Path
) -> None:
    move_in(data, store)
    match = next(one.name for one in (data / MOVED).iterdir() if not store.parked(one.name))
    journal = Journal(around(store=store), match)
    journal.record(Disputed(dispute="d9", first=1, last=1), ORGANIZER)
    shutil.copytree(data / MOVED / match, data / "matches" / match)
    assert move_in(data, store).moved == (match,)
    assert {match, f"{match}.2"} <= {path.name for path in (data / MOVED).iterdir()}
    assert store.tip(match) == journal.history.tip


def test_openings_that_differ_are_found(store: RedisStore, data: Path) -> None:
    class Forgetful(RedisStore):
        def openings(self, *asked: object) -> Iterator[Opening]:
            yield from list(super().openings(*asked))[1:]  # type: ignore[arg-type]

    moving = move_in(data, Forgetful(store.connection))
    assert "the server has other openings of it" in moving.stay.values()


def test_nothing_in_files_is_nothing_to_do(store: RedisStore, tmp_path: Path) -> None:
    assert move_in(tmp_path / "nowhere", store).lines(tmp_path) == []
    assert not (tmp_path / "nowhere").exists()


def test_who_writes_to_the_files_is_waited_for_and_named_after_a_while(
    store: RedisStore, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.keep.file_import.LOCK_SECONDS", 0.1)
    with files_held(data), files_held(data):  # as many commands as like
        with pytest.raises(CannotServe, match=f"a command still writes to the files in {data}"):
            move_in(data, store)
        assert store.matches() == []
    assert len(move_in(data, store).moved) == 6
