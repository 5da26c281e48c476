"""Real servers for tests: started, killed, stopped, continued and started again over their files.

Which programs: the embedded one, and those that HEGEMON_TEST_SERVERS names (paths or names on
PATH, separated by colons). A test that takes the fixture `server` runs on each of them.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from services.run.programs import Program, find_bundled_program, program_at
from services.run.servers import SERVERS

from .sweeper import MARK

NAMED = "HEGEMON_TEST_SERVERS"
START_SECONDS = 30.0


@cache
def programs() -> dict[str, Path]:
    """The server programs to test with, by a name for test ids."""
    found: dict[str, Path] = {}
    ours = find_bundled_program(Path(tempfile.mkdtemp(prefix="p", dir=os.environ.get(MARK))))
    assert ours is not None, "the embedded server comes with the environment of the tests"
    found[f"{ours.kind}-{ours.version[0]}.{ours.version[1]}"] = ours.path
    for name in filter(None, os.environ.get(NAMED, "").split(":")):
        path = shutil.which(name)
        program: Program | None = None if path is None else program_at(Path(path))
        assert program is not None, f"{NAMED} names {name}, which is no server program"
        found[f"{program.kind}-{program.version[0]}.{program.version[1]}"] = program.path
    return found


class Server:
    """One server process over one folder, with the ledger's settings where no others are given."""

    def __init__(
        self,
        program: Path,
        folder: Path,
        settings: Mapping[str, str] | None = None,
        *,
        port: bool = False,
        before: tuple[str, ...] = (),
    ) -> None:
        self.program = program
        self.folder = folder
        self.settings = SERVERS["ledger"] | dict(settings or {})
        self.before = before  # a program that starts the server, such as a tracer
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._sockets = Path(tempfile.mkdtemp(prefix="s", dir=os.environ.get(MARK)))
        self.port = _free_port() if port else 0

    @property
    def socket(self) -> Path:
        return self._sockets / "s"

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}" if self.port else f"unix://{self.socket}"

    @property
    def pid(self) -> int:
        assert self.process is not None, "the server is not running"
        return self.process.pid

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def start(self, *, wait: bool = True) -> Server:
        """Start it, and wait until it answers."""
        assert self.process is None, "the server runs already"
        words: list[str | Path] = [*self.before, self.program, "--unixsocket", self.socket]
        for name, value in (self.settings | {"port": str(self.port)}).items():
            words += [f"--{name}", value]
        if self.port:
            words += ["--bind", "127.0.0.1"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                words, cwd=self.folder, stdout=log, stderr=log, env={"LC_ALL": "C"}
            )
        if wait:
            self.wait()
        return self

    def wait(self) -> None:
        """Until it answers."""
        until = time.monotonic() + START_SECONDS
        while not self.answers():
            assert self.process is not None
            code = self.process.poll()
            assert code is None, f"the server ended with {code}: {self.log.read_text()[-2000:]}"
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.005)

    def answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(1.0)
                line.connect(str(self.socket))
                line.sendall(b"PING\r\n")
                return line.recv(100).startswith(b"+PONG")
        except OSError:
            return False

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def restart(self) -> None:
        """kill -9 and start again over the same files."""
        self.kill()
        self.start()

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self._sockets, ignore_errors=True)


@contextmanager
def running(
    program: Path,
    folder: Path,
    settings: Mapping[str, str] | None = None,
    *,
    port: bool = False,
    before: tuple[str, ...] = (),
) -> Iterator[Server]:
    """A server for as long as the block lasts."""
    server = Server(program, folder, settings, port=port, before=before)
    try:
        yield server.start()
    finally:
        server.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


AnyLedger = Callable[[str], Server]
