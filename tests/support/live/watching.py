"""A process of viewers: `python -m tests.support.live.watching [--again] PORT MATCH...`.

One thread reads all their streams. When it is told how far each match has come it waits until all
have it, and says what came to whom, and when. With `--again` whoever loses a stream comes again
with the number of the last event that they have, as browsers do.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
from dataclasses import asdict, dataclass, field

AGAIN_SECONDS = 0.3


@dataclass
class Report:
    """The events that a viewer got: their numbers, and the times by the machine's clock."""

    match: str
    events: list[int] = field(default_factory=list)
    came: list[float] = field(default_factory=list)
    lost: int = 0  # how often the stream broke off, or was not to be had


class Stream:
    """A viewer's connection."""

    def __init__(self, port: int, match: str) -> None:
        self.report = Report(match)
        self.after = 0.0  # of who has lost it: when they come again
        self._port = port
        self.connect()

    def connect(self) -> None:
        """From the event on that comes after the last one that was had as a whole."""
        self._rest, self._number = b"", 0
        self.socket = socket.create_connection(("127.0.0.1", self._port), 30)
        words = f"GET /live/matches/{self.report.match} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if self.report.events:
            words += f"Last-Event-ID: {self.report.events[-1]}\r\n"
        self.socket.sendall(f"{words}\r\n".encode())

    @property
    def last(self) -> int:
        return self.report.events[-1] if self.report.events else 0

    def read(self) -> None:
        found = self.socket.recv(262_144)
        now = time.monotonic()
        if not found:
            raise OSError("the service has ended a stream")
        *lines, self._rest = (self._rest + found).split(b"\n")
        for line in lines:
            if line.startswith(b"id: "):
                self._number = int(line[4:])
            elif not line and self._number:  # the end of an event, as a browser has it
                self.report.events.append(self._number)
                self.report.came.append(now)
                self._number = 0
            if line.startswith(b"HTTP/1.1") and b" 200 " not in line:
                raise OSError(line.decode())


def lose(chosen: selectors.BaseSelector, stream: Stream) -> None:
    """A stream has broken off; in a moment its viewer comes again."""
    chosen.unregister(stream.socket)
    stream.socket.close()
    stream.report.lost += 1
    stream.after = time.monotonic() + AGAIN_SECONDS


def come_again(chosen: selectors.BaseSelector, streams: list[Stream]) -> None:
    """Asks again for each lost stream."""
    for stream in streams:
        if not 0 < stream.after <= time.monotonic():
            continue
        try:
            stream.connect()
        except OSError:
            stream.report.lost += 1
            stream.after = time.monotonic() + AGAIN_SECONDS
        else:
            stream.after = 0.0
            chosen.register(stream.socket, selectors.EVENT_READ, stream)


def watch(port: int, matches: list[str], *, again: bool = False) -> None:
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
    while not ends or any(one.last < ends[one.report.match] for one in streams):
        assert time.monotonic() < until, "not everybody has got everything"
        come_again(chosen, streams)
        for key, _ in chosen.select(0.1):
            if key.data is not None:
                try:
                    key.data.read()
                except OSError:
                    if not again:
                        raise
                    lose(chosen, key.data)
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
    words = [word for word in sys.argv[1:] if word != "--again"]
    watch(int(words[0]), words[1:], again="--again" in sys.argv)
