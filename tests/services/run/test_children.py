"""Child processes: told to stop, killed, and never left behind, by the kernel's help or without."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from services.run.children import Child
from tests.support.services.processes import alive, wait_until

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[3]

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(60)",
]
OWNER = """
import os, sys, threading, time
from pathlib import Path
from services.run.children import Child

def start():
    child = Child("x", sys.argv[2:], folder=Path("/"), environment=os.environ)
    print(child.pid, flush=True)

if sys.argv[1] == "thread":
    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
else:
    start()
time.sleep(60)
"""


def child(command: list[str], **more: object) -> Child:
    return Child("sleeper", command, folder=Path("/"), environment=os.environ, **more)


def in_thread(command: list[str]) -> Child:
    made: list[Child] = []
    thread = threading.Thread(target=lambda: made.append(child(command)))
    thread.start()
    thread.join()
    return made[0]


@pytest.mark.parametrize("start", [child, in_thread])
def test_it_stops_when_it_is_asked_to(start: object) -> None:
    started = start(SLEEPER)
    time.sleep(0.2)
    assert started.ended() is None
    started.ask_to_stop()
    began = time.monotonic()
    started.wait(began + 5)
    assert time.monotonic() - began < 2
    assert started.ended() == "killed by SIGTERM"


def test_it_is_killed_when_it_does_not(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        stubborn = child(STUBBORN, output=log)
    assert wait_until(lambda: (tmp_path / "log").read_bytes() == b"1\n")
    stubborn.ask_to_stop()
    stubborn.wait(time.monotonic() + 0.2)
    assert stubborn.ended() == "killed by SIGKILL"


def test_an_exit_code_is_told() -> None:
    ended = child([sys.executable, "-c", "raise SystemExit(5)"])
    assert wait_until(lambda: ended.ended() is not None)
    assert ended.ended() == "exit code 5"
    ended.wait(time.monotonic())


# From a thread the kernel's help cannot be used, which is how it is on macOS everywhere.
@pytest.mark.parametrize("starter", ["main", "thread"])
def test_it_ends_with_an_owner_that_is_killed(starter: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, starter, *SLEEPER],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout
        pid = int(owner.stdout.readline())
        time.sleep(0.3)
        assert alive([pid])
        owner.kill()
    assert wait_until(lambda: not alive([pid]))


def launchers() -> list[str]:
    """The command lines of launchers and watchers of this process, where /proc tells them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [line for line in found if f"children.py {os.getpid()} " in line]


def test_no_watcher_stays() -> None:
    watched = in_thread(SLEEPER)
    if sys.platform == "linux":
        assert wait_until(lambda: len(launchers()) == 1)
    watched.ask_to_stop()
    watched.wait(time.monotonic() + 5)
    assert wait_until(lambda: launchers() == [])
