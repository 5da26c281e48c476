"""Real processes: found in /proc (a bare Debian has no `ps`) or else by `ps`; and false servers."""

import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path


def table() -> dict[int, tuple[int, str]]:
    """Every process with its parent and its state."""
    if not Path("/proc/self/stat").exists():
        listed = subprocess.run(
            ["ps", "-Ao", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
        )
        rows = [line.split() for line in listed.stdout.splitlines()]
        return {int(pid): (int(parent), state[0]) for pid, parent, state in rows}
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(folder.name)] = (int(parent), state)
    return found


def family(ancestor: int) -> list[int]:
    """Every process that comes from this one, itself left out."""
    found = table()
    members = {ancestor}
    while more := {pid for pid, (parent, _) in found.items() if parent in members} - members:
        members |= more
    return sorted(members - {ancestor})


def alive(pids: Iterable[int]) -> list[int]:
    """Those that run; one that is dead and waits for its parent to notice does not count."""
    found = table()
    return [pid for pid in pids if found.get(pid, (0, "Z"))[1] != "Z"]


def wait_until(true: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Waits until it is so, on a busy machine too; False if it has not become so."""
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def pretend(folder: Path, name: str, says: str) -> None:
    """Puts a program there that says that it is a server of some version, and is none."""
    program = folder / name
    program.write_text(f'#!/bin/sh\necho "{says} sha=00000000:0 malloc=libc bits=64"\n')
    program.chmod(0o755)
