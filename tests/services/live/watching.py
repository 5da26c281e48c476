"""A process of viewers: `python -m tests.services.live.watching PORT MATCH...`.

One thread reads all their streams. When it is told how far each match has come it waits until all
have it, and says what came to whom, and when.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
from dataclasses import asdict, dataclass, field


@dataclass
class Report:
    """What came to a viewer: the numbers of the events, and the times by the machine's clock."""

    match: str
    events: list[int] = field(default_factory=list)
    came: list[float] = field(default_factory=list)


class Stream:
    """A viewer's connection."""

    def __init__(self, port: int, match: str) -> None:
        self.report = Report(match)
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        request = f"GET /live/matches/{match} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        self.socket.sendall(request.encode())
        self._rest = b""

    def read(self) -> None:
        found = self.socket.recv(262_144)
        now = time.monotonic()
        assert found, "the service has ended a stream"
        *lines, self._rest = (self._rest + found).split(b"\n")
        for line in lines:
            if line.startswith(b"id: "):
                self.report.events.append(int(line[4:]))
                self.report.came.append(now)
            assert not line.startswith(b"HTTP/1.1") or b" 200 " in line, line


def watch(port: int, matches: list[str]) -> None:
    """Watch until standard input says how far each match has come."""
    chosen = selectors.DefaultSelector()
    streams = []
    for match in matches:
        streams.append(Stream(port, match))
        chosen.register(streams[-1].socket, selectors.EVENT_READ, streams[-1])
    connected = False
    chosen.register(sys.stdin, selectors.EVENT_READ, None)
    ends: dict[str, int] = {}
    until = float("inf")
    while not ends or any(one.report.events[-1] < ends[one.report.match] for one in streams):
        assert time.monotonic() < until, "not everybody has got everything"
        for key, _ in chosen.select(0.5):
            if key.data is not None:
                key.data.read()
            else:
                ends = json.loads(sys.stdin.readline())
                chosen.unregister(sys.stdin)
                until = time.monotonic() + 30
        if not connected and all(one.report.events for one in streams):
            connected = True
            print("connected", flush=True)
    time.sleep(0.3)  # what comes twice comes now
    for key, _ in chosen.select(0):
        key.data.read()
    print(json.dumps([asdict(one.report) for one in streams]))


if __name__ == "__main__":
    watch(int(sys.argv[1]), sys.argv[2:])
