"""Cuts the file of a server after a known run, anywhere, and starts a server over what is left.

Under `always` the file grows with each answer, so its length then is where that batch ends. What a
server holds over the first n bytes must be what it held after the last batch that ends there:
never a part of one, and never anything else.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ledger.log.format.chain import EMPTY, Event, Opening, Tip, link
from ledger.log.stores.protocol import Appended, Batch, Command
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from tests.support.servers import Server, running

from .holding import Held, contradictions, held_by

OPERATIONS = 40
LAST = 12  # operations whose bytes are cut into
LOGS = ("aaaabbbbccccdddd", "eeeeffffgggghhhh", "aaaabbbbccccdddd/talk")

Step = Callable[[RedisStore], object]


class State(NamedTuple):
    """The values of a server when its file had some length."""

    length: int
    held: Held


class Known(NamedTuple):
    """A run of which every step and every state is known; there is one state more than steps."""

    folder: Path
    steps: list[Step]
    states: list[State]


def steps(seed: int) -> Iterator[Step]:
    """Batches of several sizes to several logs, with and without what there can be beside them."""
    rng = random.Random(seed)
    tips = dict.fromkeys(LOGS, EMPTY)
    for number in range(OPERATIONS):
        match = rng.choice(LOGS)
        if rng.random() < 0.15:
            yield _keeping(match.partition("/")[0], f"nonce-{number}", rng.randbytes(32))
            continue
        events: list[Event] = []
        tip = tips[match]
        for _ in range(rng.choice((1, 1, 2, 3, 7))):
            events.append(link(match, tip, rng.randbytes(rng.choice((0, 5, 90, 700)))))
            tip = events[-1].tip
        versions = [event.version for event in events if rng.random() < 0.6]
        batch = Batch(
            expect=tips[match],
            events=tuple(events),
            openings=tuple(
                Opening(version, "outcome", b"s" * 32, b"\r\n*") for version in versions
            ),
            command=Command(f"c{number}", b"x") if rng.random() < 0.7 else None,
            after_close=True,
            closes=rng.random() < 0.1,
        )
        tips[match] = tip
        yield _appending(match, batch)


def _keeping(match: str, name: str, value: bytes) -> Step:
    return lambda store: store.keep(match, name, value)


def _appending(match: str, batch: Batch) -> Step:
    tip: Tip = batch.events[-1].tip

    def append(store: RedisStore) -> None:
        answer = store.append(match, batch)
        assert answer == Appended(tip), answer

    return append


def file_of(folder: Path) -> Path:
    """The file that a server's answers have gone into."""
    (found,) = (folder / "appendonlydir").glob("*.incr.aof")
    return found


def known_run(program: Path, folder: Path, seed: int) -> Known:
    """Carry out the steps one by one, and remember what the server holds after each."""
    with running(program, folder) as server:
        connection = Connection(server.url)
        store = RedisStore(connection)
        done = list(steps(seed))
        states = [State(file_of(folder).stat().st_size, held_by(connection))]
        for step in done:
            step(store)
            states.append(State(file_of(folder).stat().st_size, held_by(connection)))
        connection.close()
    return Known(folder, done, states)


def boundaries(data: bytes) -> list[int]:
    """Where the parts of the file's RESP frames end."""
    found, at = [], 0
    while at < len(data):
        end = data.index(b"\r\n", at) + 2
        if data[at : at + 1] == b"$":
            found.append(end)
            end += int(data[at + 1 : end - 2]) + 2
        found.append(end)
        at = end
    return found


def offsets(known: Known, count: int, seed: int) -> list[int]:
    """So many places in the last operations: where frames end, beside it, and anywhere."""
    rng = random.Random(seed)
    first, end = known.states[-1 - LAST].length, known.states[-1].length
    edges = {at for at in boundaries(file_of(known.folder).read_bytes()) if first <= at <= end}
    near = {edge + by for edge in edges for by in (-1, 1)} & set(range(first, end))
    ends = {state.length for state in known.states[-1 - LAST :]}
    anywhere = set(range(first, end)) - edges - near
    share = max(0, count - len(ends))
    drawn = set(rng.sample(sorted(edges - ends), min(share // 2, len(edges - ends))))
    drawn |= set(rng.sample(sorted(near - ends), min(share // 4, len(near - ends))))
    drawn |= ends
    return sorted(drawn | set(rng.sample(sorted(anywhere), count - len(drawn))))


def found_after(known: Known, program: Path, folder: Path, offset: int) -> list[str]:
    """Returns what is wrong with a server over the first `offset` bytes, which then goes on."""
    shutil.copytree(known.folder / "appendonlydir", folder / "appendonlydir")
    with file_of(folder).open("r+b") as file:
        file.truncate(offset)
    server = Server(program, folder)
    try:
        server.start()
        return _compared(known, server, offset)
    finally:
        server.close()
        shutil.rmtree(folder)


def _compared(known: Known, server: Server, offset: int) -> list[str]:
    connection = Connection(server.url)
    held = held_by(connection)
    whole = max(n for n, state in enumerate(known.states) if state.length <= offset)
    wrong = [f"cut at {offset}: {text}" for text in contradictions(held)]
    if held != known.states[whole].held:
        wrong.append(f"cut at {offset}: not what was held after {whole} operations")
    if whole < len(known.steps) and not wrong:
        # What was cut off was never acknowledged: asked for again, it goes in as if for the
        # first time; and it lasts.
        known.steps[whole](RedisStore(connection))
        server.restart()
        connection.forget()
        if held_by(connection) != known.states[whole + 1].held:
            wrong.append(f"cut at {offset}: what was asked for again is not there as it should be")
    connection.close()
    return wrong
