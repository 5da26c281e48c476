"""The simulated write path: many seeds hold, a seed is a schedule, and planted bugs are found."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ledger.games.tictactoe.play import Mark
from ledger.log.format.chain import EMPTY, Event, link
from ledger.log.stores.protocol import Batch, Closed, Command, Unavailable
from ledger.log.stores.redis import RedisStore
from tests.support.durability.model.connection import Fate, ModelConnection, Wire
from tests.support.durability.model.server import ModelServer
from tests.support.durability.simulation.bugs import BUGS, MissesItself, found_after
from tests.support.durability.simulation.many import (
    FULL,
    PIECE,
    RUN_BY,
    code_hash,
    files_of,
    noted,
    run_many,
    write_page,
)
from tests.support.durability.simulation.run import (
    Made,
    Simulation,
    main,
    replay_command,
    simulated,
)
from tests.support.durability.simulation.truth import Finding
from tests.support.log.matches import started
from tests.support.log.standing import code_of
from tests.support.starting import surroundings

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
LANDING = 600
CHUNK = 100
FULL_CHUNK = 5_000

# What a hundred runs have to have met, or they have not tried what they should.
MET = (
    "Appended", "Duplicate", "Changed", "Conflict", "Closed", "Parked", "others went first",
    "server died", "clients died", "came late", "guard: went back", "guard: sound",
)  # fmt: skip


@pytest.mark.timeout(300)
@pytest.mark.parametrize("first", range(0, LANDING, CHUNK))
def test_whatever_goes_wrong_what_must_hold_holds(first: int):
    met: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        met += simulated(seed).counted
    assert [what for what in MET if not met[what]] == []


@pytest.mark.full
@pytest.mark.timeout(0)
@pytest.mark.parametrize("first", range(0, FULL, FULL_CHUNK))
def test_whatever_goes_wrong_what_must_hold_holds_at_length(first: int):
    """Goes on where it was stopped; who comes last writes the page."""
    for piece in run_many(first, FULL_CHUNK):
        print(f"{piece.first + piece.count:,} seeds, {piece.seconds:.0f} s")
    done = noted(code_hash())
    if len(done) >= FULL // PIECE:
        write_page([done[start] for start in range(0, FULL, PIECE)])


@pytest.mark.parametrize("pattern", RUN_BY)
def test_what_was_noted_counts_for_the_code_of_every_part_of_a_run(pattern: str, tmp_path: Path):
    for file in (file for every in RUN_BY for file in files_of(every)):
        copied = tmp_path / file.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copied)
    before = code_hash(tmp_path)
    assert before == code_hash()
    with files_of(pattern, tmp_path)[0].open("ab") as changed:
        changed.write(b"\n")
    assert code_hash(tmp_path) != before


# --- one seed, one schedule -----------------------------------------------------------------------

SEEDS = (*range(6), 10, 20, 30)  # every tenth is played through journals

DIGESTS = f"""
from tests.support.durability.simulation.run import Simulation
for seed in {SEEDS}:
    print(Simulation(seed, told=True).run().digest())
"""


def digests(hash_seed: str) -> list[str]:
    """Returns the digests of the same runs, made in another process."""
    words = [sys.executable, "-c", DIGESTS]
    env = surroundings(PYTHONHASHSEED=hash_seed)
    done = subprocess.run(words, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_same_seed_is_the_same_run_to_the_last_word_in_any_process():
    here = [Simulation(seed, told=True).run().digest() for seed in SEEDS]
    assert [Simulation(seed, told=True).run().digest() for seed in SEEDS] == here
    assert len(set(here)) == len(SEEDS)
    assert digests("1") == digests("2") == here


def test_telling_a_run_does_not_change_it():
    for seed in SEEDS:
        told, silent = Simulation(seed, told=True).run(), Simulation(seed).run()
        assert (told.server.file, told.counted) == (silent.server.file, silent.counted)


def test_a_run_that_fails_says_how_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    seed, finding = first_that_fails(Made(store=MissesItself))
    assert replay_command(seed) in finding.__notes__[0]
    monkeypatch.setattr(RedisStore, "_answer", MissesItself._answer_anew)
    assert main(["--seed", str(seed), "--trace"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("Profile(")
    assert any("FCALL" in line or "the server dies" in line for line in told)
    assert told[-1] == f"Finding: {finding}"


def first_that_fails(made: Made) -> tuple[int, Finding]:
    for seed in range(200):
        try:
            simulated(seed, made)
        except Finding as finding:
            return seed, finding
    raise AssertionError("nothing was found")


# --- its teeth ------------------------------------------------------------------------------------


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found(bug: str):
    found = found_after(BUGS[bug])
    assert found is not None, f"not found within {BUGS[bug].within} seeds"
    print(f"{bug}: seed {found[0]}: {found[1]}")


# --- what it has found ----------------------------------------------------------------------------

MATCH = "aaaabbbbccccdddd"


class Fated(Wire):
    """A wire that loses the next replies to a command."""

    def __init__(self, **lost: int) -> None:
        super().__init__()
        self.lost = Counter(lost)

    def fate(self, words: tuple[bytes, ...]) -> Fate:
        name = words[0].decode()
        if not self.lost[name]:
            return Fate.WELL
        self.lost[name] -= 1
        return Fate.UNHEARD


def store_over(server: ModelServer, wire: Wire | None = None) -> RedisStore:
    connection: Any = ModelConnection(server, wire)
    now = itertools.count()
    return RedisStore(
        connection, patience=3.0, sleep=lambda _: None, clock=lambda: float(next(now))
    )


def test_a_batch_that_fits_nowhere_is_refused_however_often_it_is_sent():
    server = ModelServer()
    store = store_over(server)
    end = link(MATCH, EMPTY, b"end")
    store.append(MATCH, Batch(expect=EMPTY, events=(end,), closes=True))
    torn = Batch(expect=end.tip, events=(Event(2, bytes(32), b"torn"),))
    assert store_over(server, Fated(FCALL=1)).append(MATCH, torn) == Closed(end.tip)


def test_an_answer_that_cannot_be_read_is_not_called_a_batch_that_was_not_written():
    server, command = ModelServer(), Command("c1", b"mark 4")
    batch = Batch(expect=EMPTY, events=(link(MATCH, EMPTY, b"one"),), command=command)
    with pytest.raises(Unavailable) as failure:
        store_over(server, Fated(FCALL=1, XRANGE=99)).append(MATCH, batch)
    assert failure.value.unknown
    assert list(store_over(server).events(MATCH)) == list(batch.events)


def test_a_journal_whose_match_is_not_there_any_more_says_so():
    server = ModelServer()
    before = server.copy()
    journal = started(store=store_over(server))
    server.flush()
    server.put_back(before)
    store_over(server)
    assert code_of(journal.match) == "no_such_match"
    assert code_of(lambda: journal.decide(0, Mark(4))) == "no_such_match"
