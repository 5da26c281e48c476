"""The service as it runs: gunicorn over a real server, players who ask by HTTP, and viewers."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.cluster import connection_to
from services.matches.club import Club
from services.run.children import python
from services.run.settings import ROOT
from tests.support.live.watching import Report
from tests.support.starting import surroundings

ANSWER_SECONDS = 10.0
_KEYS = count()


class Gunicorn:
    """The service under gunicorn, in a process group of its own."""

    def __init__(
        self,
        folder: Path,
        ledger: str,
        application: str = "services.web:create_app()",
        *options: str,
        **environment: str,
    ) -> None:
        self.port = free_port()
        self.output = folder / f"gunicorn-{self.port}.txt"
        self._command = python(
            "-m", "gunicorn", "-c", "python:services.web.server.config", *options
        )
        self._command += ["-b", f"127.0.0.1:{self.port}", application]
        said = {"HEGEMON_DATA": str(folder), "HEGEMON_LEDGER_URL": ledger, "HEGEMON_LIMITS": "off"}
        self._environment = surroundings(**{**said, "HEGEMON_LOG": "quiet", **environment})
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Gunicorn:
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        until = time.monotonic() + 30
        while not self.answers():
            assert self.process.poll() is None, self.output.read_text()
            assert time.monotonic() < until, "gunicorn does not answer"
            time.sleep(0.05)
        return self

    def answers(self) -> bool:
        try:
            return asks(self.port, "GET", "/health")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def kill(self) -> None:
        """kill -9, all of it."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def end(self) -> float:
        """SIGTERM, as whoever runs it stops it; the seconds that it took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(20)
        self.process = None
        return time.monotonic() - began


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def asks(
    port: int, method: str, path: str, token: str = "", body: Any = None, **headers: str
) -> tuple[int, Any]:
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
    try:
        return asked_on(connection, method, path, token, body, **headers)
    finally:
        connection.close()


def asked_on(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    token: str = "",
    body: Any = None,
    **headers: str,
) -> tuple[int, Any]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    packed = None if body is None else json.dumps(body)
    if packed is not None:
        sent["Content-Type"] = "application/json"
    connection.request(method, path, packed, sent)
    with connection.getresponse() as answer:
        text = answer.read()
    plain = answer.headers.get_content_type().endswith("json")
    return answer.status, json.loads(text) if plain and text else text


@dataclass
class Tokens:
    """A club of two players, who sit at every table, with a token each."""

    store: RedisStore
    tokens: list[str] = field(init=False)

    def __post_init__(self) -> None:
        club = Club(self.store)
        ann = club.let_in(club.make("founder").words, "Ann")[0]
        bob = club.add("Bob", ["player"], ann.id)[0]
        self.tokens = [
            club.make("token", one.id, person=one.id, scopes=("read", "play")).words
            for one in (ann, bob)
        ]

    def table(self, port: int, ruleset: str = "tictactoe") -> str:
        """A match that has started."""
        ann, bob = self.tokens
        status, match = asks(port, "POST", "/api/v1/matches", ann, {"ruleset": ruleset, "seats": 2})
        assert status == 201, match
        for seat, token in ((0, ann), (1, bob)):
            path = f"/api/v1/matches/{match['id']}/seats/{seat}"
            assert asks(port, "PUT", path, token, {})[0] == 200
        status, said = asks(port, "POST", f"/api/v1/matches/{match['id']}/start", ann)
        assert status == 200, said
        return str(match["id"])


def club_on(url: str) -> Tokens:
    return Tokens(RedisStore(connection_to(url)))


@dataclass
class Decided:
    """A decision that was acknowledged."""

    match: str
    first: int
    version: int
    head: str
    at: float  # when it was sent, by the machine's clock
    seconds: float


class Bots:
    """Plays matches by HTTP, whatever becomes of the service: the same is sent until it answers."""

    def __init__(self, club: Tokens, port: Callable[[], int], pause: float = 0.0) -> None:
        self._club = club
        self._port = port
        self._pause = pause
        self._connection: http.client.HTTPConnection | None = None
        self.decided: list[Decided] = []
        self.overtaken = 0
        self.going = True

    def step(self, match: str) -> bool:
        """One decision, by whoever is asked; False where nobody is any more."""
        began_at = time.monotonic()
        for seat, token in enumerate(self._club.tokens):
            path = f"/api/v1/matches/{match}"
            status, said = self._until_answered("GET", f"{path}/options?as={seat}", token)
            assert status == 200, said
            if not said["asked"] or not said["asked"]["options"]:
                continue
            options = said["asked"]["options"]
            decision = options[(said["version"] * 7 + seat) % len(options)]
            question = said["asked"]["question"]
            body = {"seat": seat, "question": question, "decision": decision}
            key = f"key {next(_KEYS)}"
            precondition = {"If_Match": f'"{said["version"]}"', "Idempotency_Key": key}
            began = time.monotonic()
            status, said = self._until_answered(
                "POST", f"{path}/decisions", token, body, **precondition
            )
            took = time.monotonic() - began
            if status == 412:
                self.overtaken += 1  # somebody else has decided meanwhile: look again
                return True
            assert status == 201, said
            done = Decided(match, said["first"], said["version"], said["head"], began, took)
            self.decided.append(done)
            time.sleep(max(0.0, self._pause - (time.monotonic() - began_at)))
            return True
        return False

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def _until_answered(self, *words: Any, **headers: str) -> tuple[int, Any]:
        until = time.monotonic() + 30
        while True:
            try:
                if self._connection is None:
                    self._connection = http.client.HTTPConnection(
                        "127.0.0.1", self._port(), timeout=ANSWER_SECONDS
                    )
                status, said = asked_on(self._connection, *words, **headers)
                if status != 503:
                    return status, said
            except (OSError, http.client.HTTPException):
                if self._connection is not None:
                    self._connection.close()
                self._connection = None
                if not self.going:
                    raise
            assert time.monotonic() < until, "the service does not come back"
            time.sleep(0.02)


class Viewer:
    """A viewer of a match who reconnects with the last number that they have."""

    def __init__(
        self, port: Callable[[], int], match: str, token: str = "", word: str = ""
    ) -> None:
        self._port = port
        self._path = f"/live/matches/{match}" + (f"?as={word}" if word else "")
        self._token = token
        self.match = match
        self.events: list[int] = []
        self.came: dict[int, float] = {}
        self.heads: dict[int, str] = {}
        self.kinds: list[str] = []
        self.cleanly = 0  # how often the stream was ended by the service, as it should be
        self.broken = 0
        self.turned_away = 0
        self.connected = threading.Event()
        self.going = True
        self.again = True
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Viewer:
        self.thread.start()
        return self

    def stop(self) -> None:
        self.going = False

    def _run(self) -> None:
        while self.going:
            try:
                self._watch()
                self.cleanly += 1
            except (OSError, http.client.HTTPException, ValueError):
                self.broken += 1
            self.connected.clear()
            if not self.again:
                return
            time.sleep(0.1)

    def _watch(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port(), timeout=3)
        try:
            headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
            if self.events:
                headers["Last-Event-ID"] = str(self.events[-1])
            connection.request("GET", self._path, headers=headers)
            connection.sock.settimeout(40)
            with connection.getresponse() as answer:
                if answer.status == 503:
                    self.turned_away += 1
                    return
                assert answer.status == 200, answer.read()
                self.connected.set()
                self._read(answer)
        finally:
            connection.close()

    def _read(self, answer: http.client.HTTPResponse) -> None:
        number, kind = 0, "event"
        while self.going:
            line = answer.readline()
            if not line:
                if not answer.isclosed():
                    raise OSError("the stream broke off")
                return
            name, _, value = line.decode().strip().partition(": ")
            if name == "id":
                number = int(value)
            elif name == "event":
                kind = value
                self.kinds.append(kind)
            elif name == "data" and kind == "event":
                self.came.setdefault(number, time.monotonic())
                self.heads[number] = json.loads(value)["head"]
                self.events.append(number)


def in_order(viewer: Viewer, last: int) -> bool:
    """Whether every event came once, in its order."""
    return viewer.events == list(range(1, last + 1))


def percentile(found: Sequence[float], share: float) -> float:
    ordered = sorted(found)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def list_deliveries(
    players: Sequence[Bots], viewers: Sequence[Report]
) -> list[tuple[float, float]]:
    """Returns when each event was sent, and how long it took to each viewer who got it."""
    sent = {
        (done.match, version): done.at
        for player in players
        for done in player.decided
        for version in range(done.first, done.version + 1)
    }
    return [
        (at, came - at)
        for viewer in viewers
        for version, came in zip(viewer.events, viewer.came, strict=True)
        if (at := sent.get((viewer.match, version))) is not None
    ]
