"""The write path in one process, step by step, over a model server: one seed is one schedule.

    python -m tests.support.durability.simulation.run --seed 17 --trace   one run, step by step
    python -m tests.support.durability.simulation.many --count 50000   as many runs, see there

Several clients and a reader take turns as the seed says: between their steps, and inside their
calls, before a request goes out and before its reply is seen, there again and again. What goes
wrong is weather.py; what must hold after every step is truth.py.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from ledger.log.stores.redis import RedisStore, keys
from tests.support.durability.model.connection import ModelConnection, Wire
from tests.support.durability.model.server import ModelServer, Piece
from tests.support.durability.simulation.clients import StoreClient
from tests.support.durability.simulation.reader import Reader, guard
from tests.support.durability.simulation.tables import Tables
from tests.support.durability.simulation.truth import Truth, hold
from tests.support.durability.simulation.weather import Storm, drawn

STEPS = 200
DEPTH = 3  # calls in whose midst others are carried out
TABLES_EVERY = 10  # every so many seeds are played through journals
NAMES = ("aaaabbbbccccdddd", "eeeeffffgggghhhh", "aaaabbbbccccdddd/talk")
COPIES = 10  # the last of them are the likeliest to be put back
READS_LESS = 0.5  # how often the reader waits although it could go on
SETTLING = 60  # steps for everybody, once nothing goes wrong any more


class Dies(BaseException):
    """The client that is being carried out ends here; nobody may catch it on the way."""


class Actor(Protocol):
    """A client of the simulation that takes turns."""

    name: str
    doing: str
    running: bool

    def step(self) -> None: ...
    def die(self) -> None: ...
    def leave(self) -> bool: ...


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a run; a test of the simulation itself plants a bug here."""

    server: type[ModelServer] = ModelServer
    store: type[RedisStore] = RedisStore
    reader: type[Reader] = Reader
    tables: type[Tables] = Tables
    guard: Callable[..., list[str]] = guard


class Simulation:
    """One run."""

    def __init__(
        self, seed: int, *, made: Made | None = None, tables: bool | None = None, told: bool = False
    ) -> None:
        self.seed = seed
        self.made = made or Made()
        self.told: list[str] | None = [] if told else None
        self.rng = random.Random(f"hegemon/{seed}")
        self.profile = drawn(self.rng)
        self.calm = True  # nothing goes wrong yet
        self.over = False  # the guard has found that play went on from an old copy
        self.now = 0.0
        self.steps = 0
        self.counted: Counter[str] = Counter()
        self.running: list[Actor] = []
        self.copies: list[list[Piece]] = []
        self.server = self.made.server(self.profile.mode)
        self.truth = Truth(self.server)
        self.storm = Storm(self)
        self.plain: Any = ModelConnection(self.server, Wire())  # for who only looks on
        self.onlooker = self.made.store(self.plain)
        self.server.flush()
        self.names: tuple[str, ...] = NAMES[: self.profile.names]
        played = seed % TABLES_EVERY == 0 if tables is None else tables
        self.tables = self.made.tables(self) if played else None
        self.actors: list[Actor] = [] if self.tables is None else list(self.tables.players)
        self.actors += [
            StoreClient(f"c{n}", self.rng, self.new_store(), self.truth, self.names)
            for n in range(self.profile.clients if self.tables is None else 0)
        ]
        shards = {keys.shard_of(name) for name in self.names} if self.tables is None else None
        self.reader = self.made.reader(self.rng, self.new_store(), self.truth, shards)
        self.actors.append(self.reader)

    def new_store(self) -> RedisStore:
        """A store over a connection of its own, on the wire where everything happens."""
        connection: Any = ModelConnection(self.server, self.storm)
        return self.made.store(
            connection, patience=self.profile.patience, sleep=self._sleep, clock=lambda: self.now
        )

    def say(self, *words: object) -> None:
        """A line of the trace."""
        if self.told is not None:
            self.told.append("  " * len(self.running) + " ".join(map(str, words)))

    # --- a run ---------------------------------------------------------------------------------

    def run(self, steps: int = STEPS) -> Simulation:
        """So many steps of whoever is next, and then everybody comes to an end."""
        self.say(self.profile)
        self.calm = False
        while self.steps < steps and not self.over:
            self.step()
        self.calm = True
        if self.truth.watching:
            self._settle()
        elif not self.over:
            self.server.crash()
            self._start()
        self.counted += self.truth.counted
        self.say("the end:", self.digest())
        return self

    def digest(self) -> str:
        """All that the server holds in the end, and what was told on the way."""
        made = repr((self.server.file, self.told, sorted(self.counted.items())))
        return hashlib.sha256(made.encode()).hexdigest()[:16]

    def step(self) -> None:
        """One step of whoever is next; then everything must hold."""
        self.steps += 1
        if self.rng.random() < 0.2 or not self.server.up:
            self._weather()
        idle = [actor for actor in self.actors if not actor.running]
        if len(idle) > 1 and idle[-1] is self.reader and self.rng.random() < READS_LESS:
            idle.pop()
        if idle:
            self._turn(self.rng.choice(idle))
        self.truth.look()

    def _turn(self, actor: Actor) -> None:
        if not self.calm and self.rng.random() < self.profile.client_crash:
            self._end(actor)
            return
        actor.running = True
        self.running.append(actor)
        try:
            actor.step()
        except Dies:
            self._end(actor)
        finally:
            self.running.pop()
            actor.running = False
        self.say(actor.name, actor.doing)

    def _end(self, actor: Actor) -> None:
        self.counted["clients died"] += 1
        actor.die()

    def meanwhile(self) -> None:
        """Inside a call: its client dies, or others go first."""
        if not self.running:
            return
        rng = self.rng
        if rng.random() < self.profile.client_crash:
            raise Dies
        if len(self.running) < DEPTH and rng.random() < self.profile.switch:
            self.counted["others went first"] += 1
            self.step()

    def dies(self) -> None:
        """The server is about to die; what it may lose must have been seen, or its loss is not."""
        if self.server.mode == "everysec":
            self.truth.look()

    def crashed(self) -> None:
        """The server has died in the midst of a call."""
        self.counted["server died"] += 1
        self.say("the server dies")
        self.truth.look()

    def _sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.calm:
            return
        if not self.server.up and self.rng.random() < 0.3:
            self._start()
        self.meanwhile()

    # --- what happens to the server ------------------------------------------------------------

    def _weather(self) -> None:
        rng, profile = self.rng, self.profile
        if not self.server.up:
            if rng.random() < 0.5:
                self._start()
            return
        if self.storm.late and rng.random() < profile.arrival:
            self._arrive()
        if rng.random() < 0.3:
            self.server.flush()
        if rng.random() < profile.full:
            self.server.full = not self.server.full
            self.say("the server's memory is", "full" if self.server.full else "free")
        if rng.random() < profile.copy:
            self.copies.append(self.server.copy())
        if rng.random() < profile.server_crash:
            self.server.crash(self.storm.kept(self.server))
            self.storm.late.clear()
            self.crashed()
        elif self.copies and rng.random() < profile.put_back:
            old = [copy for copy in self.copies[-COPIES:] if self._gone(copy)]
            self._put_back(rng.choice(old or self.copies))

    def _arrive(self) -> None:
        words = self.storm.late.pop(self.rng.randrange(len(self.storm.late)))
        reply = self.server.run(words)
        if self.server.mode == "always":
            self.server.flush()
        self.counted["came late"] += 1
        self.say("late:", words[1], reply if isinstance(reply, Exception) else reply[0])

    def _start(self) -> None:
        self.server.start(self.rng.randint(0, self.profile.loading))
        self.say("the server is started")
        self.server.loading, loading = 0, self.server.loading
        found = self._guarded("after a start")
        self.server.loading = loading
        if found:
            expected = self.profile.mode == "everysec" or not self.truth.watching
            hold(expected, "what was noted outside is gone:", found)
            self.over = not self.truth.watching
        self.truth.look_at_all()

    # --- the guard -----------------------------------------------------------------------------

    def _guarded(self, when: str) -> list[str]:
        """Checks that the guard finds what the file shows, and nothing else."""
        gone, noted = self._gone(self.server.file), self.reader.noted
        found = self.made.guard(noted, self.onlooker)
        hold(found == gone, "the guard finds", found, when, "gone are", gone)
        self.counted["guard: sound" if not gone else "guard: went back"] += 1
        return found

    def _gone(self, file: list[Piece]) -> list[str]:
        """The logs that have not, in this file, what was noted of them outside."""
        logs = _logs_in(file)
        return [name for name, tip in self.reader.noted.items() if not logs.log(name).was(tip)]

    def _put_back(self, old: list[Piece]) -> None:
        """Puts an old copy of the disk back; the right one follows, or play goes on."""
        if not self.truth.watching:
            return
        self.truth.look()
        self.server.flush()
        right, before = self.server.copy(), self.server.lives
        self.storm.late.clear()
        self.server.put_back(old)
        self.say("an old copy is put back:", len(old), "of", len(right), "pieces")
        if self.profile.forks and self.tables is None:
            self.truth.watching = False
            self.actors.remove(self.reader)
            return
        self._guarded("after an old copy was put back")
        self.server.put_back(right)
        assert self.server.lives == before + 2

    def _settle(self) -> None:
        """Nothing goes wrong any more: everybody gets an answer, the reader reads all."""
        if not self.server.up:
            self._start()
        self.server.full, self.server.loading = False, 0
        while self.storm.late:
            self._arrive()
        self.truth.look_at_all()
        for actor in self.actors:
            for _ in range(SETTLING * len(self.names) * 10):
                if not actor.leave():
                    break
                self._turn(actor)
                self.truth.look()
            hold(not actor.leave(), actor.name, "has had no answer:", actor.doing)
        hold(self._guarded("in the end") == [], "nothing was lost")
        self.truth.look_at_all()


def _logs_in(file: list[Piece]) -> Truth:
    server = ModelServer("always")
    server.file = file
    found = Truth(server)
    found.look()
    return found


def replay_command(seed: int) -> str:
    """How a run is told again."""
    return f"PYTHONPATH=. python -m tests.support.durability.simulation.run --seed {seed} --trace"


def simulated(seed: int, made: Made | None = None, **how: Any) -> Simulation:
    """A run; of one that fails it is said how to see it again."""
    try:
        return Simulation(seed, made=made, **how).run()
    except Exception as trouble:
        trouble.add_note(f"seed {seed}; see it again with: {replay_command(seed)}")
        raise


def told_run(seed: int, *, aloud: bool, tables: bool | None = None) -> int:
    """One run, told step by step."""
    sim = Simulation(seed, told=True, tables=tables)
    try:
        sim.run()
    except Exception as trouble:  # noqa: BLE001 - whatever it is that stopped the run
        print(*(sim.told or () if aloud else ()), sep="\n")
        print(f"{type(trouble).__name__}: {trouble}")
        return 1
    print(*(sim.told or () if aloud else ()), sep="\n")
    print(f"seed {seed}: {sim.steps} steps, {dict(sim.counted)}, {sim.digest()}")
    return 0


def main(words: list[str] | None = None) -> int:
    """Run one seed."""
    parser = argparse.ArgumentParser(description="The write path, simulated.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--trace", action="store_true", help="tell every step")
    chosen = parser.parse_args(words)
    return told_run(chosen.seed, aloud=chosen.trace)


if __name__ == "__main__":
    sys.exit(main())
