"""A line to a site that can be cut in the middle: bytes that are under way are lost for good."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

CHUNK = 65_536


class Cuttable:
    """Passes bytes on to a site, both ways, as long as it is whole.

    `deaf()` lets what the browser sends through and keeps the answers; `cut()` ends all connections
    and refuses new ones; `mend()` lets everything through again.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._to = (str(parts.hostname), int(parts.port or 80))
        self._listens = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._whole = self._hears = True
        self.address = f"http://127.0.0.1:{self._listens.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def deaf(self) -> None:
        """From now on no answer comes."""
        self._hears = False

    def cut(self) -> None:
        """Nothing goes through, and what was open is gone."""
        self._whole = False
        with self._lock:
            ends, self._open = self._open, set()
        for end in ends:
            _end(end)

    def mend(self) -> None:
        """As if nothing had happened; what was open stays gone."""
        self._whole = self._hears = True

    def close(self) -> None:
        """For good."""
        self.cut()
        _end(self._listens)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listens.accept()
            except OSError:
                return
            if not self._whole:
                _end(near)
                continue
            far = socket.create_connection(self._to)
            with self._lock:
                self._open |= {near, far}
            for here, there, answers in ((near, far, False), (far, near, True)):
                threading.Thread(
                    target=self._pass_on, args=(here, there, answers), daemon=True
                ).start()

    def _pass_on(self, here: socket.socket, there: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while chunk := here.recv(CHUNK):
                if self._hears or not answers:
                    there.sendall(chunk)
        for end in (here, there):
            _end(end)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
