"""Nothing that the tests start outlives them, not even if they are killed with -9.

Each test process starts a sweeper, in a session of its own. It waits at a pipe whose other end only
the test process holds. When that is gone, the sweeper kills whatever still runs with the mark of
the test process in its environment, and removes its folder of sockets.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

MARK: Final = "HEGEMON_TEST_PROCESS"
ROUNDS: Final = 20  # what is killed may have started something meanwhile
ROUND_SECONDS: Final = 0.1


class Sweeper:
    """Marks all processes that this one starts, and has them killed when it is gone."""

    def __init__(self) -> None:
        # The address of a socket is short, and temporary folders of tests are not.
        self.folder = Path(tempfile.mkdtemp(prefix="hgm-", dir="/tmp"))
        self._mark()
        read, self._write = os.pipe()
        subprocess.Popen(
            [sys.executable, __file__, str(read), self.folder],
            pass_fds=[read],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ).returncode = 0  # nobody waits for it: it outlives this process by a moment
        os.close(read)
        os.register_at_fork(after_in_child=lambda: os.close(self._write))

    def _mark(self) -> None:
        """Puts the mark into the environment of every process that is started from here."""
        os.environ[MARK] = str(self.folder)
        original = subprocess.Popen.__init__

        def marked(popen: Any, *words: Any, env: Any = None, **more: Any) -> None:
            if env is not None:
                env = {**env, MARK: str(self.folder)}
            original(popen, *words, env=env, **more)

        subprocess.Popen.__init__ = marked  # type: ignore[method-assign]


def marked_with(folder: str) -> Iterator[int]:
    """Yields the processes that have the mark, except this one."""
    wanted = f"{MARK}={folder}"
    if Path("/proc/self/environ").exists():
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if wanted.encode() in (process / "environ").read_bytes().split(b"\0"):
                    yield int(process.name)
        return
    listed = subprocess.run(
        ["ps", "-axEww", "-o", "pid=,command="], capture_output=True, text=True, check=False
    )
    for line in listed.stdout.splitlines():
        if wanted in line.split():
            yield int(line.split()[0])


def sweep(folder: str) -> None:
    """Kills all that has the mark, and removes the folder."""
    for _ in range(ROUNDS):
        found = [process for process in marked_with(folder) if process != os.getpid()]
        if not found:
            break
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(ROUND_SECONDS)
    shutil.rmtree(folder, ignore_errors=True)


def main(pipe: int, folder: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.read(pipe, 1)
    sweep(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
