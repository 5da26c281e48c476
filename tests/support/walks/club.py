"""A running `hegemon up`, and people of its club: all that is known of it is commands and HTTP."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

READY_SECONDS = 300.0
READY = re.compile(r"Hegemon is ready: (http://[^/]+)/")
LINK = re.compile(r"(http://\S+/welcome/\S+)")


class WentWrong(Exception):
    """The service did not do what was asked of it."""


class Up:
    """The service, from its start to its end."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._log = log
        with log.open("w") as file:
            self._process = subprocess.Popen(
                command,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self.address = self._says(READY)
            self.founding = self._says(LINK)
        except BaseException:
            self.close()
            raise

    def _says(self, wanted: re.Pattern[str]) -> str:
        until = time.monotonic() + READY_SECONDS
        while (found := wanted.search(self._log.read_text())) is None:
            if self._process.poll() is not None or time.monotonic() > until:
                raise WentWrong(f"`up` is not ready: {self._log.read_text()[-2000:]}")
            time.sleep(0.1)
        return found[1]

    def close(self) -> None:
        """Stop it as Ctrl-C does."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        self._process.wait(30)


class Person:
    """A member of the club with a token, or an unknown caller."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address
        self._said = {"Authorization": f"Bearer {token}"} if token else {}

    @classmethod
    def entered(cls, address: str, link: str, name: str, *scopes: str) -> Person:
        """Signs a person in by a link."""
        asked = {"link": link, "label": "walks", "scopes": list(scopes)}
        if name:
            asked["name"] = name
        _, found = cls(address).asks("POST", "/api/v1/me", asked)
        return cls(address, found["token"])

    def opened(
        self, method: str, path: str, said: Any = None, headers: Mapping[str, str] | None = None
    ) -> HTTPResponse:
        """Ask; the answer as it comes."""
        body = None if said is None else json.dumps(said).encode()
        more = {**self._said, **(headers or {})}
        if body is not None:
            more["Content-Type"] = "application/json"
        asked = urllib.request.Request(self.address + path, body, more, method=method)
        try:
            answer: HTTPResponse = urllib.request.urlopen(asked, timeout=120)
        except urllib.error.HTTPError as why:
            raise WentWrong(f"{method} {path}: {why.code}: {why.read()[:800]!r}") from None
        return answer

    def asks(
        self, method: str, path: str, said: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """Ask in JSON; the status and what was answered."""
        with self.opened(method, path, said, headers) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text else None


class Table:
    """A match of two people."""

    def __init__(self, game: str, people: Sequence[Person]) -> None:
        self._people = people
        host = people[0]
        asked = {"ruleset": game, "seats": len(people)}
        self.match: str = host.asks("POST", "/api/v1/matches", asked)[1]["id"]
        self.path = f"/api/v1/matches/{self.match}"
        for seat, person in enumerate(people):
            person.asks("PUT", f"{self.path}/seats/{seat}", {})
        host.asks("POST", f"{self.path}/start")
        self._decided = 0

    def ready(self) -> Decision:
        """The first decision that is listed for whoever is asked now, not yet sent."""
        for seat, person in enumerate(self._people):
            found = person.asks("GET", f"{self.path}/options?as={seat}")[1]
            question = found["asked"]
            if question and question["options"]:
                self._decided += 1
                said = {
                    "seat": seat,
                    "question": question["question"],
                    "decision": question["options"][0],
                }
                headers = {
                    "If-Match": f'"{found["version"]}"',
                    "Idempotency-Key": f"walk-{self._decided}",
                }
                return Decision(person, f"{self.path}/decisions", said, headers)
        raise WentWrong("nobody is asked")


class Decision:
    """A decision that can be sent."""

    def __init__(
        self, person: Person, path: str, said: Mapping[str, Any], headers: Mapping[str, str]
    ) -> None:
        self._person, self._path, self._said, self._headers = person, path, said, headers

    def send(self) -> int:
        """Send it and wait for its acknowledgement; the version that it made."""
        status, found = self._person.asks("POST", self._path, self._said, self._headers)
        if status != 201:
            raise WentWrong(f"a decision was answered {status}")
        return int(found["version"])


class Watching:
    """A viewer of a match, event by event, in a thread of the tool."""

    def __init__(self, person: Person, table: Table, seat: int) -> None:
        self._answer = person.opened("GET", f"/live/matches/{table.match}?as={seat}")
        self._came = threading.Condition()
        self._last = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._answer:
            if line.startswith(b"id: "):
                with self._came:
                    self._last = int(line[4:])
                    self._came.notify_all()

    def wait_for(self, version: int, seconds: float = 60.0) -> None:
        """Wait until an event has come whole."""
        with self._came:
            if not self._came.wait_for(lambda: self._last >= version, seconds):
                raise WentWrong(f"event {version} did not come to its viewer")
