"""The store in a folder: what processes, crashes and damaged disks do to it."""

from __future__ import annotations

import errno
import fcntl
import os
import random
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger.log.format.chain import EMPTY, Event, Opening, Tip, link
from ledger.log.stores import files
from ledger.log.stores.disk import _HEADER_BYTES, FRAME_BYTES
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import (
    Appended,
    Batch,
    Changed,
    Command,
    Conflict,
    DamagedLog,
    Duplicate,
)
from tests.support.log.matches import snapshot
from tests.support.starting import surroundings

ROOT = Path(__file__).resolve().parents[4]
MATCH = "aaaabbbbccccdddd"
BODIES = (b"one", b"two" * 40, b"", b"four" * 100)

WRITER = """
import sys
from pathlib import Path
from ledger.log.format.chain import link
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Appended, Batch

store, name, wanted = FileStore(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
sys.stdin.readline()
done = 0
while done < wanted:
    tip = store.tip("aaaabbbbccccdddd")
    body = f"{name} {done} ".encode() * 30
    event = link("aaaabbbbccccdddd", tip, body)
    answer = store.append("aaaabbbbccccdddd", Batch(expect=tip, events=(event,)))
    if isinstance(answer, Appended):
        print(answer.tip.version, event.head.hex(), flush=True)
        done += 1
"""


def writer(folder: Path, name: str, wanted: int) -> subprocess.Popen[str]:
    """A process that appends to the match as soon as it is told to, and says what was taken."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), name, str(wanted)],
        cwd=ROOT,
        env=surroundings(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def batch(tip: Tip, body: bytes, command: Command | None = None) -> Batch:
    event = link(MATCH, tip, body)
    opening = Opening(event.version, "outcome", b"s" * 32, b"plain of " + body[:20])
    return Batch(expect=tip, events=(event,), openings=(opening,), command=command)


def grown(folder: Path) -> Path:
    """A log of four events; returns its file."""
    store = FileStore(folder)
    for number, body in enumerate(BODIES):
        command = Command(f"c{number}", body[:8])
        assert isinstance(store.append(MATCH, batch(store.tip(MATCH), body, command)), Appended)
    return log_of(folder)


def log_of(folder: Path) -> Path:
    return folder / "matches" / MATCH / "log"


def read_by_another(folder: Path) -> list[bytes]:
    return [event.body for event in FileStore(folder).events(MATCH)]


# --- reopening and taking turns -------------------------------------------------------------------


def test_reopening_finds_everything(tmp_path: Path):
    grown(tmp_path)
    first = FileStore(tmp_path)
    first.keep(MATCH, "secrets", b"s")
    first.save(MATCH, snapshot(2))
    again = FileStore(tmp_path)
    assert [event.body for event in again.events(MATCH)] == list(BODIES)
    assert [opening.version for opening in again.openings(MATCH)] == [1, 2, 3, 4]
    assert again.matches() == [MATCH]
    assert again.kept(MATCH, "secrets") == b"s"
    assert again.snapshot(MATCH, 9, None, "source") == snapshot(2)


def test_a_file_system_without_memory_maps_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_words: object, **_more: object) -> None:
        raise OSError(errno.ENODEV, "No such device")

    grown(tmp_path)
    monkeypatch.setattr("mmap.mmap", refuse)
    assert [event.body for event in FileStore(tmp_path).events(MATCH)] == list(BODIES)


def test_reopening_finds_the_commands(tmp_path: Path):
    grown(tmp_path)
    again = FileStore(tmp_path)
    tip = again.tip(MATCH)
    second = next(again.events(MATCH, 2, 2))
    assert again.append(MATCH, batch(tip, b"x", Command("c1", b"twotwotw"))) == Duplicate(
        2, second.tip
    )
    assert again.append(MATCH, batch(tip, b"x", Command("c1", b"other"))) == Changed("c1")


def test_reopening_finds_the_log_closed(tmp_path: Path):
    store = FileStore(tmp_path)
    event = link(MATCH, EMPTY, b"end")
    store.append(MATCH, Batch(expect=EMPTY, events=(event,), closes=True))
    answer = FileStore(tmp_path).append(MATCH, batch(event.tip, b"more"))
    assert type(answer).__name__ == "Closed"


def test_two_instances_take_turns(tmp_path: Path):
    stores = [FileStore(tmp_path), FileStore(tmp_path)]
    tip = EMPTY
    for number in range(10):
        answer = stores[number % 2].append(MATCH, batch(tip, b"%d" % number))
        assert isinstance(answer, Appended)
        tip = answer.tip
    assert isinstance(stores[1].append(MATCH, batch(EMPTY, b"late")), Conflict)
    for store in stores:
        assert [event.body for event in store.events(MATCH)] == [b"%d" % n for n in range(10)]


def test_two_processes_take_turns(tmp_path: Path):
    processes = [writer(tmp_path, name, 40) for name in ("a", "b")]
    for process in processes:
        go(process)
    said: dict[int, str] = {}
    for process in processes:
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        lines = [line.split() for line in out.splitlines()]
        assert len(lines) == 40
        assert not said.keys() & {int(version) for version, _ in lines}
        said |= {int(version): head for version, head in lines}
    events = list(FileStore(tmp_path).events(MATCH))
    assert {event.version: event.head.hex() for event in events} == said
    tip = EMPTY
    for event in events:
        assert event == link(MATCH, tip, event.body)
        tip = event.tip


@contextmanager
def turns(monkeypatch: pytest.MonkeyPatch, *others: Callable[[], object]) -> Iterator[None]:
    """Each time a store is about to take its lock to write, the next of the others acts first."""
    flock, left = fcntl.flock, list(others)

    def slow_flock(file: int, operation: int) -> None:
        if operation == fcntl.LOCK_EX and left:
            left.pop(0)()
        flock(file, operation)

    with monkeypatch.context() as patched:
        patched.setattr(fcntl, "flock", slow_flock)
        yield


def test_two_who_create_one_log_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Both find no log; the slower one is refused and must not clear away the other's."""
    slow, quick = FileStore(tmp_path), FileStore(tmp_path)
    answers = []
    with turns(monkeypatch, lambda: answers.append(quick.append(MATCH, batch(EMPTY, b"quick")))):
        assert isinstance(slow.append(MATCH, batch(EMPTY, b"slow")), Conflict)
    assert isinstance(answers[0], Appended)
    assert read_by_another(tmp_path) == [b"quick"]


def test_a_refused_creation_makes_nothing(tmp_path: Path):
    """Nothing is made, so nothing has to be cleared away under somebody who waits for it."""
    wrong = Batch(expect=EMPTY, events=(Event(1, bytes(32), b"wrong"),))
    assert isinstance(FileStore(tmp_path).append(MATCH, wrong), Conflict)
    assert list(tmp_path.iterdir()) == []


def test_two_who_keep_at_once_do_not_overwrite_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Secrets are written once: the log's commitments are made from the ones that were first."""
    slow, quick = FileStore(tmp_path), FileStore(tmp_path)
    write, left = files.write_once, [lambda: quick.keep(MATCH, "secrets", b"quick")]

    def slow_write(path: Path, value: bytes) -> None:
        if left:
            left.pop()()
        write(path, value)

    monkeypatch.setattr(files, "write_once", slow_write)
    with pytest.raises(ValueError, match="stored already"):
        slow.keep(MATCH, "secrets", b"slow")
    assert slow.kept(MATCH, "secrets") == b"quick"


# --- crashes --------------------------------------------------------------------------------------


def test_a_torn_last_frame_is_cut_and_the_rest_survives(tmp_path: Path):
    path = grown(tmp_path)
    whole = path.read_bytes()
    three = tmp_path / "three"
    store = FileStore(three)
    for body in BODIES[:3]:
        store.append(MATCH, batch(store.tip(MATCH), body, Command(body.decode(), b"x")))
    path.write_bytes(whole)
    frames = frame_starts(whole)
    wrong: list[tuple[int, str]] = []
    for size in range(frames[-1], len(whole)):
        path.write_bytes(whole[:size])
        store = FileStore(tmp_path)
        try:
            assert [event.body for event in store.events(MATCH)] == list(BODIES[:3])
            answer = store.append(MATCH, batch(store.tip(MATCH), b"new"))
            assert isinstance(answer, Appended)
            assert read_by_another(tmp_path) == [*BODIES[:3], b"new"]
        except DamagedLog as damage:
            wrong.append((size - frames[-1], str(damage)))
    assert not wrong, f"bytes of the last frame that were there, and what was said: {wrong}"


def frame_starts(log: bytes) -> list[int]:
    starts, at = [], 0
    while at < len(log):
        starts.append(at)
        at += FRAME_BYTES + int.from_bytes(log[at : at + 4], "big")
    assert at == len(log)
    return starts


@pytest.mark.parametrize("zeros", [1, 3, 4, 39, 40, 41, 4096])
def test_a_tail_of_zeros_is_cut_like_a_torn_frame(tmp_path: Path, zeros: int):
    """A file system may have grown the file before it had the bytes."""
    path = grown(tmp_path)
    path.write_bytes(path.read_bytes() + bytes(zeros))
    store = FileStore(tmp_path)
    assert [event.body for event in store.events(MATCH)] == list(BODIES)
    assert isinstance(store.append(MATCH, batch(store.tip(MATCH), b"new")), Appended)
    assert read_by_another(tmp_path) == [*BODIES, b"new"]


def test_a_writer_that_knew_more_reads_a_shortened_log_again(tmp_path: Path):
    store = FileStore(tmp_path)
    path = grown(tmp_path)
    assert store.tip(MATCH).version == 4
    path.write_bytes(path.read_bytes()[: frame_starts(path.read_bytes())[2]])
    assert [event.body for event in store.events(MATCH)] == list(BODIES[:2])


def test_killed_writers_lose_nothing_that_was_acknowledged(tmp_path: Path):
    rng = random.Random(20)
    acknowledged: dict[int, str] = {}
    processes = [writer(tmp_path, f"w{number}", 1_000_000) for number in range(2)]
    for number in range(2, 22):
        process = processes.pop(0)
        processes.append(writer(tmp_path, f"w{number}", 1_000_000))  # starts while this one works
        go(process)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(rng.randint(1, 12))]
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate(timeout=30)
        assert process.returncode == -signal.SIGKILL
        said = "".join(lines) + rest
        whole_lines = said[: said.rfind("\n") + 1].splitlines()
        assert whole_lines
        acknowledged |= {int(line.split()[0]): line.split()[1] for line in whole_lines}
    for process in processes:
        process.kill()
        process.communicate(timeout=30)
    found = {event.version: event.head.hex() for event in FileStore(tmp_path).events(MATCH)}
    assert {version: found.get(version) for version in acknowledged} == acknowledged


# --- damage ---------------------------------------------------------------------------------------


def test_a_changed_byte_is_never_read_as_less_or_as_something_else(tmp_path: Path):
    path = grown(tmp_path)
    whole = path.read_bytes()
    rng = random.Random(3)
    undetected = 0
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= rng.randint(1, 255)
        path.write_bytes(changed)
        store = FileStore(tmp_path)
        try:
            assert [event.body for event in store.events(MATCH)] == list(BODIES)
            undetected += 1
        except DamagedLog:
            with pytest.raises(DamagedLog):
                store.append(MATCH, batch(EMPTY, b"new"))
            assert path.read_bytes() == changed, "damage is never cut off"
    assert undetected <= 8 * len(BODIES), "only the copy of a length may differ unseen"


def test_a_log_with_a_changed_byte_is_not_written_on_into_damage(tmp_path: Path):
    """A log that can be read can still be read after an append."""
    path = grown(tmp_path)
    whole = path.read_bytes()
    last = frame_starts(whole)[-1]
    wrong = []
    for place in range(last, last + _HEADER_BYTES):
        changed = bytearray(whole)
        changed[place] ^= 1
        path.write_bytes(changed)
        store = FileStore(tmp_path)
        try:
            answer = store.append(MATCH, batch(store.tip(MATCH), b"new"))
        except DamagedLog:
            continue
        assert isinstance(answer, Appended)
        try:
            assert read_by_another(tmp_path) == [*BODIES, b"new"]
        except DamagedLog:
            wrong.append(place - last)
    assert not wrong, f"header bytes whose change shows only after an append: {wrong}"


def test_a_frame_that_is_gone_from_the_middle_is_not_passed_over(tmp_path: Path):
    path = grown(tmp_path)
    whole = path.read_bytes()
    starts = frame_starts(whole)
    path.write_bytes(whole[: starts[1]] + whole[starts[2] :])
    with pytest.raises(DamagedLog):
        read_by_another(tmp_path)


# --- places ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "match",
    ["../x", "..", ".", "", "/etc/passwd", "a/b", "a\\b", "A", "ä", "-a", "a" * 65, "a\n", "a\0b"],
)
def test_an_id_that_could_be_a_path_is_refused(tmp_path: Path, match: str):
    store = FileStore(tmp_path / "store")
    batch_there = Batch(expect=EMPTY, events=(link(match, EMPTY, b"one"),))
    held = snapshot(1)
    for attempt in (
        lambda: store.append(match, batch_there),
        lambda: store.tip(match),
        lambda: store.events(match),
        lambda: store.openings(match),
        lambda: store.keep(match, "secrets", b"s"),
        lambda: store.kept(match, "secrets"),
        lambda: store.save(match, held),
        lambda: store.snapshot(match, 9, None, "source"),
    ):
        with pytest.raises(ValueError, match="a match cannot have the id"):
            attempt()
    assert list(tmp_path.rglob("*")) == []


def test_what_is_kept_is_for_the_owner_alone(tmp_path: Path):
    store = FileStore(tmp_path)
    store.keep(MATCH, "secrets", b"s")
    kept = tmp_path / "matches" / MATCH / "kept"
    assert stat.S_IMODE((kept / "secrets").stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert [path.name for path in kept.iterdir()] == ["secrets"], "no half-written file is left"


def test_a_log_holds_openings_and_is_for_the_owner_alone(tmp_path: Path):
    """The openings in it are as secret as the salts beside it until they are served."""
    path = grown(tmp_path)
    assert not stat.S_IMODE(path.stat().st_mode) & 0o077


def test_a_snapshot_that_cannot_be_read_is_as_good_as_none(tmp_path: Path):
    store = FileStore(tmp_path)
    for version in (1, 2):
        store.save(MATCH, snapshot(version))
    newest = max((tmp_path / "matches" / MATCH / "snapshots").iterdir())
    newest.write_bytes(b"garbage")
    found = store.snapshot(MATCH, 9, None, "source")
    assert found is not None
    assert found.version == 1
