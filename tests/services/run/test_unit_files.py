"""The commands of the unit files and of the Procfile, started as they stand there."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.cluster import connection_to
from services.matches.club import Club
from services.run.settings import ROOT
from tests.support.live.served import asks, free_port
from tests.support.servers import programs, running
from tests.support.services.processes import wait_until
from tests.support.starting import surroundings

PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
UNITS = re.findall(r"^    ExecStart=/opt/hegemon/\.venv/bin/(.+)$", PAGE, re.MULTILINE)
PROCFILE = dict(
    line.split(": ", 1) for line in (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
)
LASTING = ("projector", "steward", "courier", "worker", "checkpointer")
KEY = "5a" * 32


def called(command: str) -> str:
    """The process that a command starts, by its name in the Procfile."""
    if "services.web.live:" in command:
        return "live"
    for name in ("web", *LASTING):
        if f"services.{name}" in command:
            return name
    raise AssertionError(command)


def without_numbers(command: str) -> list[str]:
    """A command without what differs from host to host."""
    words = shlex.split(command)
    words = [word for word in words if not re.match(r"HEGEMON_\w+=|127\.0\.0\.1:|-b$|\d$", word)]
    return [word for word in words if word != "--workers"]


def test_the_unit_files_start_what_the_procfile_starts():
    assert {called(unit): without_numbers(unit) for unit in UNITS} == {
        name: without_numbers(command) for name, command in PROCFILE.items()
    }


class Host:
    """A host on which each unit was started."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.ports = {"web": free_port(), "live": free_port()}
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        for unit in UNITS:
            name = called(unit)
            port = self.ports.get(name, 0)
            words = shlex.split(re.sub(r"127\.0\.0\.1:\d+", f"127.0.0.1:{port}", unit))
            said = dict(environment)
            if name == "web":
                said["HEGEMON_LIVE_PLACES"] = "0"
            self.processes[name] = self._start(name, words, said)

    def _start(self, name: str, words: list[str], said: dict[str, str]) -> subprocess.Popen[bytes]:
        program, *rest = words
        command = [sys.executable, *rest] if program == "python" else []
        if program == "gunicorn":
            command = [sys.executable, "-m", "gunicorn", *rest]
        assert command, f"{name} is started by neither"
        with (self.folder / f"{name}.txt").open("wb") as output:
            return subprocess.Popen(
                command,
                cwd=ROOT,
                env=surroundings(**said),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.txt").read_text()

    def stop(self, name: str) -> tuple[int, float]:
        began = time.monotonic()
        self.processes[name].send_signal(signal.SIGTERM)
        return self.processes[name].wait(15), time.monotonic() - began

    def kill(self) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[tuple[Host, RedisStore]]:
    program = next(iter(programs().values()))
    with ExitStack() as held:
        ledger = held.enter_context(running(program, tmp_path / "ledger", port=True))
        jobs = held.enter_context(running(program, tmp_path / "jobs", port=True))
        made = Host(
            tmp_path,
            {
                "HEGEMON_DATA": str(tmp_path / "data"),
                "HEGEMON_REDIS_URL": ledger.url,
                "HEGEMON_JOBS_URL": jobs.url,
                "HEGEMON_METRICS_TOKEN": "watch",
                "HEGEMON_WEBHOOK_KEY": KEY,
                "HEGEMON_LOG": "json",
            },
        )
        held.callback(made.kill)
        store = RedisStore(connection_to(ledger.url))
        held.callback(store.connection.close)
        yield made, store


def test_started_one_by_one_they_are_a_service(host: tuple[Host, RedisStore]):
    units, store = host
    web, live = units.ports["web"], units.ports["live"]
    for port in (web, live):
        assert wait_until(lambda port=port: _answers(port), 40), units.said("web")
    club = Club(store)
    ann = club.let_in(club.make("founder").words, "Ann")[0]
    token = club.make("token", ann.id, person=ann.id, scopes=("read", "play")).words
    match = _against_a_bot(web, token)
    path = f"/api/v1/matches/{match}"
    # The bot is the steward's, the replay the worker's, what is projected the projector's.
    assert wait_until(lambda: asks(web, "GET", f"{path}/replay", token)[0] == 200, 30)
    assert wait_until(lambda: _figure(web, "hegemon_projection_lag_events") == 0, 30)
    assert _figure(web, "hegemon_workers") == 1
    done = 'hegemon_jobs_total{job="replay",outcome="done"}'
    assert wait_until(lambda: _figure(live, done) >= 1)
    assert _figure(live, "hegemon_deliveries_waiting") == 0
    assert wait_until(lambda: _bot_has_decided(web, path, token), 30)
    for name in ("web", "live", *LASTING):
        code, seconds = units.stop(name)
        assert (name, code) == (name, 0), units.said(name)
        assert seconds < 5
    for name in LASTING:
        lines = [json.loads(line) for line in units.said(name).splitlines()]
        assert all(line["process"] == name for line in lines), lines
    assert any(line.get("outcome") == "done" for line in _lines(units, "worker"))
    everything = "".join(units.said(name) for name in units.processes)
    assert token not in everything
    assert KEY not in everything


def _lines(units: Host, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in units.said(name).splitlines()]


def _answers(port: int) -> bool:
    try:
        return asks(port, "GET", "/ready")[0] in (200, 503)
    except OSError:
        return False


def _figure(port: int, name: str) -> float:
    status, said = asks(port, "GET", "/metrics", "watch")
    assert status == 200
    found = re.search(rf"^{re.escape(name)} (\S+)$", said.decode(), re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def _against_a_bot(port: int, token: str) -> str:
    asked = {"ruleset": "tictactoe", "seats": 2}
    status, match = asks(port, "POST", "/api/v1/matches", token, asked)
    assert status == 201, match
    path = f"/api/v1/matches/{match['id']}"
    assert asks(port, "PUT", f"{path}/seats/1", token, {})[0] == 200
    assert asks(port, "PUT", f"{path}/seats/0/bot", token, {"bot": "random"})[0] == 200
    assert asks(port, "POST", f"{path}/start", token)[0] == 200
    return str(match["id"])


def _bot_has_decided(port: int, path: str, token: str) -> bool:
    return int(asks(port, "GET", path, token)[1]["version"]) > 4
