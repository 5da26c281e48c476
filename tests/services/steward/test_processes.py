"""Real processes: two bots and a program at one table, and the steward killed in the middle."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.services.processes import family, wait_until
from tests.support.starting import surroundings

ROOT = Path(__file__).resolve().parents[3]
READY = re.compile(r"Hegemon is ready: (http://\S+)/")
WELCOME = re.compile(r"/welcome/(hgm_\S+)")
DECISIONS = 12  # of the program at its seat
_KEYS = count()


class Club:
    """A running `up`, and the one who came in by its first link."""

    def __init__(self, process: subprocess.Popen[str], said: Path) -> None:
        self.process = process
        assert wait_until(lambda: WELCOME.search(said.read_text()) is not None, 60), (
            said.read_text()
        )
        found = READY.search(said.read_text())
        welcome = WELCOME.search(said.read_text())
        assert found is not None
        assert welcome is not None
        self._place = urlsplit(found[1]).netloc
        self._headers: dict[str, str] = {}
        scopes = ["read", "play", "organize"]
        asked = {"link": welcome[1], "name": "Ann", "label": "test", "scopes": scopes}
        token = self.asks("POST", "/me", asked, 201)["token"]
        self._headers = {"Authorization": f"Bearer {token}"}

    def asks(self, method: str, path: str, body: Any = None, *statuses: int, **headers: str) -> Any:
        connection = http.client.HTTPConnection(self._place, timeout=20)
        sent = self._headers | {name.replace("_", "-"): value for name, value in headers.items()}
        packed = None if body is None else json.dumps(body)
        if packed is not None:
            sent["Content-Type"] = "application/json"
        try:
            connection.request(method, f"/api/v1{path}", packed, sent)
            answer = connection.getresponse()
            said = answer.read()
        finally:
            connection.close()
        assert answer.status in (statuses or (200,)), said
        return json.loads(said)

    def steward(self) -> int:
        """The process that tends the tables; 0 where none runs."""
        for pid in family(self.process.pid):
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"services.steward" in words:
                return pid
        return 0


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    said = tmp_path / "said"
    with said.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "services.cli", "--data", str(tmp_path / "data"), "up"],
            cwd=ROOT,
            env=surroundings(),
            stdout=output,
            stderr=output,
            text=True,
        )
        try:
            yield Club(process, said)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)
    assert "Traceback" not in said.read_text()


def decide(club: Club, match: str) -> None:
    """The first of what is offered to seat 0; waits until it is asked.

    A bot may do at any time what the seat has to see first: then it looks again.
    """
    deadline = time.monotonic() + 30
    while True:
        assert time.monotonic() < deadline, "the bots do not come to an end"
        offered = club.asks("GET", f"/matches/{match}/options?as=0")
        asked = offered["asked"]
        if asked is None:
            time.sleep(0.05)
            continue
        said = club.asks(
            "POST",
            f"/matches/{match}/decisions",
            {"seat": 0, "question": asked["question"], "decision": asked["options"][0]},
            *(201, 412),
            If_Match=f'"{offered["version"]}"',
            Idempotency_Key=f"key {next(_KEYS)}",
        )
        if "code" not in said:
            return
        assert said["code"] == "stale", said


def test_a_steward_that_is_killed_is_followed_by_another_and_every_event_is_there_once(club: Club):
    match = club.asks("POST", "/matches", {"ruleset": "hegemonic", "seats": 3}, 201)["id"]
    club.asks("PUT", f"/matches/{match}/seats/0", {})
    for seat in (1, 2):
        club.asks("PUT", f"/matches/{match}/seats/{seat}/bot", {"bot": "random"})
    assert wait_until(lambda: club.steward() > 0, 20)
    club.asks("POST", f"/matches/{match}/start")
    for number in range(DECISIONS):
        decide(club, match)
        if number in (2, 6):
            os.kill(club.steward(), signal.SIGKILL)
    assert wait_until(lambda: club.steward() > 0, 20)
    events = club.asks("GET", f"/matches/{match}/events")["events"]
    said = [event["said"] for event in events if event["said"]["kind"] != "act"]
    answers = [(one["question"], one["seat"]) for one in said]
    assert len(answers) == len(set(answers))
    assert {one["by"]["role"] for one in said} == {"seat", "bot", "dice"}
    assert sum(one["seat"] == 0 for one in said) == DECISIONS
