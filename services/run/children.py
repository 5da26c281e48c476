"""Child processes that never outlive us, not even if we are killed.

A child starts this very file as a script, which ties the child to us and then becomes the
program:

- On Linux the kernel sends the child SIGTERM when the thread that started it is gone
  (PR_SET_PDEATHSIG). So this works from the main thread only.
- Elsewhere, and from other threads, a small watcher process waits at a pipe whose other end only
  we hold. When we are gone the pipe ends, and the watcher sends the SIGTERM.

Each child leads its own session: a Ctrl-C on the terminal reaches us alone, and we stop the
children in order. It needs the standard library only.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

PR_SET_PDEATHSIG = 1


def python(*words: str) -> list[str]:
    """Returns a command of the Python we run on, which sees the same packages as we do."""
    return [sys.executable, *(["-S"] if sys.flags.no_site else []), *words]


def by_kernel() -> bool:
    """Returns whether the kernel can be asked to end the child with us."""
    on_main = threading.current_thread() is threading.main_thread()
    return sys.platform == "linux" and on_main


class Child:
    """A process that ends when we do."""

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        *,
        folder: Path,
        environment: Mapping[str, str],
        output: IO[bytes] | None = None,
        descriptors: Sequence[int] = (),
    ) -> None:
        """Starts the process. `descriptors` stay open in it, and `output` receives its output."""
        self.name = name
        self._watched = None if by_kernel() else os.pipe()
        watch = [self._watched[0]] if self._watched else []
        launch = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(sum(watch))]
        try:
            self._process = subprocess.Popen(
                [*launch, *(str(word) for word in command)],
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output and subprocess.STDOUT,
                pass_fds=[*descriptors, *watch],
                start_new_session=True,
            )
        except BaseException:
            self._let_go()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def ended(self) -> str | None:
        """Describes how the process ended; None while it runs."""
        code = self._process.poll()
        if code is None:
            return None
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"exit code {code}"

    def ask_to_stop(self) -> None:
        """Sends SIGTERM, which every program that we start takes as a request."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)

    def wait(self, until: float) -> None:
        """Waits for the end up to a time of the monotonic clock, then kills what is left."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, until - time.monotonic()))
        # The whole session: a web server that was killed leaves its workers.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._let_go()

    def _let_go(self) -> None:
        """Closes the pipe, which also ends the watcher."""
        for descriptor in self._watched or ():
            os.close(descriptor)
        self._watched = None


def ask_kernel(parent: int) -> None:
    """Asks the kernel for SIGTERM at the parent's end; exits if the parent is gone already."""
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)


def watch_pipe(pipe: int) -> None:
    """Leaves a watcher behind that ends this process when the pipe ends."""
    child = os.getpid()
    first = os.fork()
    if first:
        os.waitpid(first, 0)
        os.close(pipe)
        return
    # Forked twice, so that the program does not find a child that it never had.
    if os.fork():
        os._exit(0)
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.closerange(3, pipe)
    os.closerange(pipe + 1, 4096)
    os.read(pipe, 1)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGTERM)
    os._exit(0)


def launch(parent: int, pipe: int, command: list[str]) -> None:
    """Ties this process to its parent, by the pipe if there is one, and becomes the command."""
    if pipe:
        watch_pipe(pipe)
    else:
        ask_kernel(parent)
    os.execvp(command[0], command)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    launch(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
