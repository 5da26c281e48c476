"""`http`: decisions over HTTP beside a bare endpoint.

Ours: the decision endpoint under gunicorn with two workers: who may, the rules, chain, commitments,
and what came of it in the answer. Beside it: an endpoint of Flask alone (bare.py) under the same
gunicorn, with the same check of the token, the same rate limit, the same marshmallow load and one
append. Both write to embedded servers under `appendfsync always`, count on a jobs server, and are
asked by the same clients on connections that are kept. Decisions per second; the sides take turns.
"""

from __future__ import annotations

import json
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import flask
import msgspec

from ledger.club.table import MatchTable, SeatTaken, TableEntry, TableLaid, book_of
from ledger.log.books import Book
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from services.matches.club import Club, now_ms
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match
from services.run.children import python
from services.run.servers import SERVERS
from services.run.settings import ROOT
from tests.support.servers import Server, programs, running
from tests.support.starting import surroundings

GATE = 0.4
GOAL = 0.6
SEED = 23
WORKERS = 2
CLIENTS = 6
PARTS = 4  # so often the sides take turns in a round: what else goes on befalls both
PLAN = Plan(ruleset="tictactoe", seats=2)
OURS, BARE = "services.web:create_app()", "tests.benchmarks.bare:create_app()"


class Sent(NamedTuple):
    """The requests of one match: one that warms it up, and its decisions."""

    warm: bytes
    decisions: list[bytes]


def measure(*, full: bool = False) -> dict[str, Any]:
    """Both sides, and their ratio."""
    rounds, matches = (7, 30) if full else (1, 12)
    ours: list[float] = []
    bare: list[float] = []
    began = time.perf_counter()
    for turn in range(rounds):
        mine, other = _round(SEED + turn, matches)
        ours.append(mine)
        bare.append(other)
    ratios = [mine / other for mine, other in zip(ours, bare, strict=True)]
    ratio = statistics.median(ratios)
    return {
        "name": "http",
        "seed": SEED,
        "rounds": rounds,
        "seconds": round(time.perf_counter() - began, 1),
        "ours": {
            "what": f"decisions/s at the endpoint, {WORKERS} workers, {CLIENTS} clients",
            "rate": round(statistics.median(ours)),
        },
        "beside": {
            "what": f"the same requests/s at a bare endpoint of Flask {_version()}",
            "rate": round(statistics.median(bare)),
        },
        "ratio": round(ratio, 3),
        "spread": [round(min(ratios), 3), round(max(ratios), 3)],
        "gate": GATE,
        "goal": GOAL,
        "reached": {"gate": ratio >= GATE, "goal": ratio >= GOAL},
    }


def _version() -> str:
    from importlib.metadata import version

    return version(flask.__name__)


def _round(seed: int, matches: int) -> tuple[float, float]:
    """Decisions per second of both sides, each over servers of its own."""
    program = next(iter(programs().values()))
    with ExitStack() as held, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = []
        for side, application in (("ours", OURS), ("bare", BARE)):
            ledger = held.enter_context(running(program, folder / side / "ledger"))
            jobs = held.enter_context(running(program, folder / side / "jobs", SERVERS["jobs"]))
            sent = _prepared(ledger, seed, matches)
            port = held.enter_context(_gunicorn(application, folder / side, ledger, jobs))
            found.append((port, sent))
        counts, seconds = [0, 0], [0.0, 0.0]
        for part in range(PARTS):
            for side, (port, sent) in enumerate(found):
                count, took = _asked(port, [own[part::PARTS] for own in sent])
                counts[side] += count
                seconds[side] += took
    return counts[0] / seconds[0], counts[1] / seconds[1]


def _prepared(server: Server, seed: int, matches: int) -> list[list[Sent]]:
    """A club, and matches of its two players that have started; the requests of each client."""
    store = RedisStore(Connection(server.url))
    club = Club(store)
    ann = club.let_in(club.make("founder").words, "Ann")[0]
    bob = club.add("Bob", ["player"], ann.id)[0]
    people = (ann.id, bob.id)
    tokens = [club.make("token", one, person=one, scopes=("read", "play")).words for one in people]
    found: list[list[Sent]] = []
    for client in range(CLIENTS):
        own = [(seed * CLIENTS + client) * 1_000 + number for number in range(matches)]
        found.append([_requests(_seated(store, one, people), one, tokens) for one in own])
    store.connection.close()
    return found


def _seated(store: RedisStore, seed: int, people: Sequence[str]) -> str:
    journal = Journal.create(make_seeded_surroundings(store, seed), PLAN)
    book = Book(store, book_of(journal.match_id), TableEntry, MatchTable, now_ms)
    book.write(people[0], lambda _: [TableLaid(host=people[0])])
    for seat, person in enumerate(people):
        journal.join(seat, f"player {seat}")
        taken = SeatTaken(seat=seat, person=person)
        book.write(person, lambda _, taken=taken: [taken])  # type: ignore[misc]
    journal.start()
    return journal.match_id


def _requests(match: str, seed: int, tokens: Sequence[str]) -> Sent:
    """A whole match's decisions, played elsewhere, as they are sent."""
    around = make_seeded_surroundings(MemoryStore(), seed)
    history = play_whole_match(around, PLAN, bots_for(["random"], 2)).history
    path = f"/api/v1/matches/{match}"
    made = []
    for moment in history.replay():
        if moment.seat is None or moment.decision is None:
            continue
        decision = msgspec.to_builtins(moment.decision)
        body = json.dumps({"seat": moment.seat, "decision": decision}).encode()
        headers = [
            f"POST {path}/decisions HTTP/1.1",
            "Host: 127.0.0.1",
            f"Authorization: Bearer {tokens[moment.seat]}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            f'If-Match: "{moment.version - 1}"',
            f"Idempotency-Key: {match}-{moment.version}",
        ]
        made.append("\r\n".join([*headers, "", ""]).encode() + body)
    warm = f"GET {path}/options?as=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    return Sent(f"{warm}Authorization: Bearer {tokens[0]}\r\n\r\n".encode(), made)


@contextmanager
def _gunicorn(application: str, folder: Path, ledger: Server, jobs: Server) -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = int(listener.getsockname()[1])
    command = python("-m", "gunicorn", "-c", "python:services.web.server.config", application)
    command += ["--bind", f"127.0.0.1:{port}", "--workers", str(WORKERS), "--keep-alive", "60"]
    environment = {
        "HEGEMON_DATA": str(folder),
        "HEGEMON_LEDGER_URL": ledger.url,
        "HEGEMON_JOBS_URL": jobs.url,
        "HEGEMON_LIMITS": "1000000",  # counted, and never reached
        "HEGEMON_LOG": "quiet",
        "HEGEMON_LIVE_PLACES": "0",
    }
    with (folder / "gunicorn.txt").open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=surroundings(**environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        until = time.monotonic() + 30
        while not _listens(port):
            assert process.poll() is None, (folder / "gunicorn.txt").read_text()
            assert time.monotonic() < until, "gunicorn does not answer"
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as line:
            line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return line.recv(12).startswith(b"HTTP/1.1")
    except OSError:
        return False


# --- the clients ----------------------------------------------------------------------------------


def _asked(port: int, sent: Sequence[Sequence[Sent]]) -> tuple[int, float]:
    """All clients at once; decisions, and seconds from the first to begin to the last to end."""
    ready = threading.Barrier(len(sent))
    spans: list[tuple[int, float, float]] = []
    threads = [
        threading.Thread(target=lambda own=own: spans.append(_client(port, own, ready)))
        for own in sent
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(spans) == len(sent), "a client was refused"
    count = sum(span[0] for span in spans)
    return count, max(span[2] for span in spans) - min(span[1] for span in spans)


def _client(port: int, sent: Sequence[Sent], ready: threading.Barrier) -> tuple[int, float, float]:
    with socket.create_connection(("127.0.0.1", port), 30) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for one in sent:
            _answer(line, one.warm)
        ready.wait()
        began, count = time.monotonic(), 0
        # By turns, as many matches are played at once.
        for turn in range(max(len(one.decisions) for one in sent)):
            for one in sent:
                if turn < len(one.decisions):
                    status = _answer(line, one.decisions[turn])
                    assert status == b"201", status
                    count += 1
        return count, began, time.monotonic()


def _answer(line: socket.socket, request: bytes) -> bytes:
    """The status of an answer, which is read to its end."""
    line.sendall(request)
    found = b""
    while b"\r\n\r\n" not in found:
        more = line.recv(65_536)
        assert more, "the connection was ended"
        found += more
    head, _, body = found.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
    while len(body) < length:
        body += line.recv(65_536)
    return head[9:12]


if __name__ == "__main__":
    print(json.dumps(measure(full="--full" in sys.argv), indent=2))
