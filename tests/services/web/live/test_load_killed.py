"""Every process killed once in the middle of the load: nothing is lost, and all go on."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from ledger.log.format.bodies import ActBody, read_body
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.feeds.lag import LagWatch
from services.jobs.queue import JobQueue, server_at
from services.run.children import python
from services.run.settings import ROOT
from tests.services.web.live.test_load import Watchers, _figures
from tests.support.live.served import Bots, Gunicorn, Tokens, asks, list_deliveries
from tests.support.servers import Server
from tests.support.services.processes import wait_until
from tests.support.starting import surroundings

FULL = {"viewers": 400, "matches": 50, "seconds": 60.0, "pause": 0.8, "watchers": 2}
SMALL = {"viewers": 40, "matches": 5, "seconds": 8.0, "pause": 0.1, "watchers": 1}
BEFORE_SECONDS, AFTER_SECONDS = 3.0, 12.0  # of an end of web or live
LATE_SECONDS = 40.0  # by then all have recovered


class Lasting:
    """A process without a port, started as the unit files have it."""

    def __init__(self, name: str, folder: Path, environment: dict[str, str]) -> None:
        self.name = name
        self.output = folder / f"{name}.txt"
        self._environment = surroundings(**environment)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Lasting:
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                python("-m", f"services.{self.name}"),
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        return self

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Service:
    """All processes of the service, on two servers."""

    def __init__(self, serve: Callable[..., Gunicorn], ledger: str, jobs: str, folder: Path):
        said = {"HEGEMON_DATA": str(folder), "HEGEMON_LEDGER_URL": ledger}
        said |= {"HEGEMON_JOBS_URL": jobs, "HEGEMON_LOG": "quiet"}
        self.lasting = {
            name: Lasting(name, folder, said).start() for name in ("projector", "steward", "worker")
        }
        more = {"HEGEMON_JOBS_URL": jobs}
        self.web = serve(HEGEMON_LIVE_PLACES="0", **more)
        self.live = serve("services.web.live:create_app()", **more)
        self.store = RedisStore(Connection(ledger), Connection(jobs))
        self.queue = JobQueue(server_at(jobs))
        self.killed: dict[str, float] = {}
        self.fell: dict[str, float] = {}  # the same by the machine's clock

    def kill(self, name: str) -> None:
        """kill -9, and a start as whoever watches over it starts it."""
        process: Any = self.lasting.get(name) or getattr(self, name)
        if name == "worker":  # in the middle of a job, if one comes
            wait_until(lambda: any(one.state == "running" for one in self.queue.all()), 2)
        process.kill()
        self.killed[name], self.fell[name] = time.time(), time.monotonic()
        process.start()

    def end(self) -> None:
        for process in self.lasting.values():
            process.kill()
        self.store.connection.close()
        self.store.cache.close()
        self.queue.server.close()


class Reader:
    """A client that asks for one replay after the other, and waits for each."""

    def __init__(self, port: int, matches: list[str]) -> None:
        self._port = port
        self._matches = matches
        self.going = True
        self.had: list[float] = []  # when
        self.took: list[float] = []
        self.refused: set[int] = set()
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        number = 0
        while self.going:
            began = time.monotonic()
            if self._has(self._matches[number % len(self._matches)]):
                self.had.append(time.time())
                self.took.append(time.monotonic() - began)
            number += 1
            time.sleep(0.05)

    def _has(self, match: str) -> bool:
        until = time.monotonic() + LATE_SECONDS
        while time.monotonic() < until:
            try:
                status, said = asks(self._port, "GET", f"/api/v1/matches/{match}/replay")
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
                continue
            if status == 200:
                assert said["match"] == match
                return True
            if status not in (202, 503):
                self.refused.add(status)
            time.sleep(0.1)
        return False


class Found(NamedTuple):
    """The measured figures."""

    events: int
    decisions: int  # that were acknowledged
    by_bots: int  # decisions of the steward's
    delivered: int
    lost_streams: int
    delivery: tuple[float, float, float]  # seconds: the median, p99, the longest
    steady: tuple[float, float, float]  # ... of what was sent while nobody had to come again
    decision: tuple[float, float, float]
    page: tuple[float, float, float]
    page_refused: int
    replays: int
    replay: tuple[float, float, float]
    recovered: float  # seconds after the end of play until nothing waits any more


def test_each_process_killed_once_a_few_viewers_and_matches_go_on_and_nothing_is_lost(
    serve: Callable[..., Gunicorn],
    club: Tokens,
    server: Server,
    jobs_server: Server,
    tmp_path: Path,
):
    found = _load(serve, club, server.url, jobs_server.url, tmp_path, **SMALL)
    assert found.decisions > 20
    assert found.replays > 3


@pytest.mark.full
@pytest.mark.timeout(600)
def test_each_process_killed_once_among_four_hundred_viewers_and_fifty_matches(
    serve: Callable[..., Gunicorn],
    club: Tokens,
    server: Server,
    jobs_server: Server,
    tmp_path: Path,
):
    found = _load(serve, club, server.url, jobs_server.url, tmp_path, **FULL)
    print(json.dumps(found._asdict()), "load", os.getloadavg())
    assert found.decisions > 1_000
    assert found.replays > 20


def _load(
    serve: Callable[..., Gunicorn],
    club: Tokens,
    ledger: str,
    jobs: str,
    folder: Path,
    *,
    viewers: int,
    matches: int,
    seconds: float,
    pause: float,
    watchers: int,
) -> Found:
    service = Service(serve, ledger, jobs, folder)
    try:
        return _killed_by_turns(service, club, viewers, matches, seconds, pause, watchers)
    finally:
        service.end()


def _killed_by_turns(
    service: Service,
    club: Tokens,
    viewers: int,
    matches: int,
    seconds: float,
    pause: float,
    watchers: int,
) -> Found:
    port, live = service.web.port, service.live.port
    # Every other match is played against a bot of the steward's.
    tables = [
        _against_a_bot(club, port) if number % 2 else club.table(port, "hegemonic")
        for number in range(matches)
    ]
    watched = [tables[number % matches] for number in range(viewers)]
    reports = [Watchers(live, watched[part::watchers], "--again") for part in range(watchers)]
    for report in reports:
        report.wait_until_connected()
    alone = SimpleNamespace(tokens=club.tokens[:1])
    players = [
        Bots(alone if number % 2 else club, lambda: port, pause) for number in range(matches)
    ]
    threads = [
        threading.Thread(target=_play, args=(player, match))
        for player, match in zip(players, tables, strict=True)
    ]
    reader = Reader(port, tables)
    for thread in (*threads, reader.thread):
        thread.start()
    pages, refused = _kill_by_turns(service, seconds)
    for one in (*players, reader):
        one.going = False
    ended = time.monotonic()
    for thread in (*threads, reader.thread):
        thread.join(LATE_SECONDS + 20)
        assert not thread.is_alive(), "somebody still waits for an answer"
    assert wait_until(lambda: LagWatch().look(service.store).events == 0, LATE_SECONDS)
    assert wait_until(lambda: service.queue.all() == [], LATE_SECONDS), service.queue.all()
    recovered = time.monotonic() - ended
    bots = [
        _check_log(service, match, player) for player, match in zip(players, tables, strict=True)
    ]
    by_bots, since = (sum(found) for found in zip(*bots, strict=True))
    assert since > 0, "the steward has not gone on"
    assert reader.refused == set()
    assert any(had > service.killed["worker"] for had in reader.had)
    fell = [service.fell["web"], service.fell["live"]]
    return _found(club, reports, tables, players, viewers, fell)._replace(
        by_bots=by_bots,
        page=_figures(pages),
        page_refused=refused,
        replays=len(reader.had),
        replay=_figures(reader.took),
        recovered=round(recovered, 1),
    )


def _kill_by_turns(service: Service, seconds: float) -> tuple[list[float], int]:
    """Each once, evenly; all the while a page is asked for."""
    names = ["steward", "worker", "web", "projector", "live"]
    killing = [
        threading.Timer(seconds * (number + 1) / (len(names) + 1), service.kill, (name,))
        for number, name in enumerate(names)
    ]
    for one in killing:
        one.start()
    pages, refused, until = [], 0, time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            assert asks(service.web.port, "GET", "/api/v1/matches")[0] == 200
            pages.append(time.monotonic() - began)
        except (OSError, http.client.HTTPException):
            refused += 1  # between its end and its start
        time.sleep(0.1)
    for one in killing:
        one.join()
    assert sorted(service.killed) == sorted(names)
    return pages, refused


def _against_a_bot(club: Tokens, port: int) -> str:
    ann = club.tokens[0]
    status, match = asks(port, "POST", "/api/v1/matches", ann, {"ruleset": "hegemonic", "seats": 2})
    assert status == 201, match
    path = f"/api/v1/matches/{match['id']}"
    assert asks(port, "PUT", f"{path}/seats/0", ann, {})[0] == 200
    status, said = asks(port, "PUT", f"{path}/seats/1/bot", ann, {"bot": "random"})
    assert status == 200, said
    assert asks(port, "POST", f"{path}/start", ann)[0] == 200
    return str(match["id"])


def _play(player: Bots, match: str) -> None:
    while player.going:
        if not player.step(match):
            time.sleep(0.05)  # it is the bot's turn
    player.close()


def _check_log(service: Service, match: str, player: Bots) -> tuple[int, int]:
    """Checks that the log has each acknowledged decision once, as it was answered.

    Gives how often bots have decided, and how often since the steward was killed.
    """
    events = list(service.store.events(match))
    heads = {event.version: event.head.hex() for event in events}
    assert player.decided
    last = 0
    for decided in player.decided:
        assert last < decided.first <= decided.version
        assert heads[decided.version] == decided.head
        last = decided.version
    bodies = {event.version: read_body(event.body) for event in events}
    own = {version: body for version, body in bodies.items() if not isinstance(body, ActBody)}
    by_bots = [body for body in own.values() if body.by.role == "bot"]
    people = [version for version, body in own.items() if body.by.role == "seat"]
    assert people == [decided.first for decided in player.decided], "one is lost, or there twice"
    since = service.killed["steward"] * 1_000
    return len(by_bots), sum(body.at > since for body in by_bots)


def _found(
    club: Tokens,
    reports: list[Watchers],
    tables: list[str],
    players: list[Bots],
    viewers: int,
    fell: list[float],
) -> Found:
    ends = {match: club.store.tip(match).version for match in tables}
    seen = [one for report in reports for one in report.ends_with(ends)]
    assert len(seen) == viewers
    for viewer in seen:
        assert viewer.events == list(range(1, ends[viewer.match] + 1)), viewer.match
    assert all(viewer.lost for viewer in seen), "somebody's stream outlived its process"
    deliveries = list_deliveries(players, seen)
    delays = [delay for _, delay in deliveries]
    steady = [
        delay
        for at, delay in deliveries
        if not any(-BEFORE_SECONDS < at - when < AFTER_SECONDS for when in fell)
    ]
    decided = [done.seconds for player in players for done in player.decided]
    nothing = (0.0, 0.0, 0.0)
    return Found(
        events=sum(ends.values()),
        decisions=len(decided),
        by_bots=0,
        delivered=len(delays),
        lost_streams=sum(viewer.lost for viewer in seen),
        delivery=_figures(delays),
        steady=_figures(steady) if steady else nothing,
        decision=_figures(decided),
        page=nothing,
        page_refused=0,
        replays=0,
        replay=nothing,
        recovered=0.0,
    )
