"""`hegemon up` as people meet it: real servers, a real web process, real signals."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger.log.stores.files import FileStore
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import shard_of
from ledger.log.stores.redis.projections import Projections
from ledger.log.stores.segments.reader import SegmentReader
from services.projector.shards import standings_of
from services.run.children import Child
from services.run.programs import CannotServe
from services.run.servers import EmbeddedServers
from services.run.up import Process
from tests.support.log.filling import witnessed
from tests.support.log.matches import PLAIN, STAKED, played
from tests.support.servers import Server, programs, running
from tests.support.services.processes import alive, family, wait_until

ROOT = Path(__file__).resolve().parents[3]

WEB = """
import os, time

def app(environ, start_response):
    if environ["PATH_INFO"] == "/slow":
        time.sleep(30)
    if environ["PATH_INFO"] == "/die":
        os.kill(os.getppid(), 9)
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/health":
        return [b"here"]
    return [os.environ[environ["PATH_INFO"].strip("/") or "HOME"].encode()]
"""

START = """
import sys, types
from pathlib import Path

sample = types.ModuleType("services.matches.samples")
sample.ensure_samples = lambda store, data: (data / "sample").write_text("there")
sys.modules["services.matches.samples"] = sample

from services.run.settings import read_settings
from services.run.up import run_up

options = dict(word.split("=", 1) for word in sys.argv[2:])
unsafe = bool(options.pop("unsafe", ""))
sys.exit(run_up(read_settings(unsafe=unsafe, **options), sys.argv[1]))
"""


class Up:
    """A running `up` and what it printed."""

    def __init__(self, process: subprocess.Popen[str], data: Path) -> None:
        self.process = process
        self.data = data
        assert process.stdout
        self.line = process.stdout.readline()

    @property
    def address(self) -> str:
        return self.line.split()[3]

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=10) as answer:
            text: str = answer.read().decode()
        return text

    def family(self) -> list[int]:
        """Every process of this `up`, itself left out."""
        return family(self.process.pid)

    def end(self, number: int = signal.SIGINT) -> tuple[int, str, float]:
        """Sends a signal; gives the exit code, what was said on stderr and the seconds it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=20)
        return self.process.returncode, said, time.monotonic() - began


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    (tmp_path / "web_for_tests.py").write_text(WEB)
    (tmp_path / "start.py").write_text(START)
    paths = [
        str(tmp_path),
        *(path for path in sys.path if path and "python" not in Path(path).name),
    ]
    started = []

    def starting(*options: str, app: str = "web_for_tests:app") -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, tmp_path / "start.py", app, *options],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *paths])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield starting
    for process in started:
        process.terminate()
        process.communicate(timeout=10)


@pytest.fixture
def up(start: Callable[..., subprocess.Popen[str]], tmp_path: Path) -> Up:
    data = tmp_path / "the data"
    return Up(start(f"data={data}"), data)


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_says_one_line_with_an_address_that_answers(up: Up) -> None:
    assert up.line.startswith("Hegemon is ready: http://127.0.0.1:")
    assert up.line.endswith(f"/  (Ctrl-C stops it; data in {up.data})\n")
    assert up.get("HEGEMON_DATA") == str(up.data)
    assert (up.data / "sample").read_text() == "there"
    for name in ("HEGEMON_LEDGER_URL", "HEGEMON_JOBS_URL"):
        path = up.get(name).removeprefix("unix://")
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(path)
            line.sendall(b"PING\r\n")
            assert line.recv(100) == b"+PONG\r\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything(up: Up, number: int) -> None:
    others = up.family()
    # Two servers, web and its process for requests, and five others.
    assert len(others) == 9
    code, said, seconds = up.end(number)
    assert (code, said) == (0, "")
    assert seconds < 5
    assert alive(others) == []


def test_an_open_request_does_not_hold_up_the_end(up: Up) -> None:
    host, port = up.address.split("/")[2].split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(b"GET /slow HTTP/1.1\r\nHost: here\r\n\r\n")
        time.sleep(0.3)
        others = up.family()
        code, _, seconds = up.end()
    assert code == 0
    assert 2 < seconds < 5
    assert alive(others) == []


def test_killed_outright_it_leaves_no_process_and_the_data_can_be_opened(
    up: Up, start: Callable[..., subprocess.Popen[str]]
) -> None:
    others = up.family()
    sockets = Path(up.get("HEGEMON_LEDGER_URL").removeprefix("unix://")).parent
    up.end(signal.SIGKILL)
    again = Up(start(f"data={up.data}"), up.data)
    assert again.get("HEGEMON_DATA") == str(up.data)
    assert wait_until(lambda: not alive(others))
    assert not sockets.exists()


def test_a_server_that_dies_ends_all_and_is_named(up: Up) -> None:
    others = up.family()
    log = (up.data / "servers" / "ledger.log").read_text()
    os.kill(int(log.split(":", 1)[0]), signal.SIGKILL)
    _, said = up.process.communicate(timeout=10)
    assert up.process.returncode == 1
    assert said.startswith("hegemon: the ledger server ended (killed by SIGKILL); see ")
    assert said.count("\n") == 1
    assert alive(others) == []


def projectors(up: Up) -> list[int]:
    """Our projectors, by what they were started as."""
    return [pid for pid in up.family() if b"services.projector" in started_as(pid)]


def started_as(pid: int) -> bytes:
    """The words that a process was started with; nothing where it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are told apart by /proc")
def test_a_projector_that_dies_is_started_again_and_goes_on(up: Up) -> None:
    store = RedisStore(
        Connection(up.get("HEGEMON_LEDGER_URL")), Connection(up.get("HEGEMON_JOBS_URL"))
    )
    first = projectors(up)
    os.kill(first[0], signal.SIGKILL)
    assert wait_until(lambda: projectors(up) not in ([], first))
    journal = played(STAKED, seed=5, store=store)
    # The new one waits until the lease of the one that was killed has run out.
    tip = journal.history.tip
    assert wait_until(lambda: standing_of(store, journal.match_id) == tip.version, 20)
    folder, shard = up.data / "segments", shard_of(journal.match_id)
    assert wait_until(lambda: SegmentReader(folder, shard).heads().get(journal.match_id) == tip, 20)
    code, said, _ = up.end()
    assert code == 0
    assert said == (
        "hegemon: the projector process ended (killed by SIGKILL); starting it again.\n"
    )


def standing_of(store: RedisStore, match: str) -> int:
    found = {one.match: one.version for one in standings_of(Projections(store.cache))}
    return found.get(match, 0)


def test_a_web_process_that_dies_ends_all_and_is_named(up: Up) -> None:
    others = up.family()
    with pytest.raises(OSError):
        up.get("die")
        up.get("HOME")
    _, said = up.process.communicate(timeout=10)
    assert up.process.returncode == 1
    assert "hegemon: the web process ended (killed by SIGKILL)" in said
    assert alive(others) == []


def test_a_web_process_that_cannot_start_ends_all(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    process = start(f"data={tmp_path / 'd'}", app="no_such_module:app")
    _, said = process.communicate(timeout=20)
    assert process.returncode == 1
    assert said.splitlines()[-1].startswith("hegemon: the web process did not start (exit code 3)")


def test_a_second_up_on_the_same_data_is_refused_and_names_the_first(
    up: Up, start: Callable[..., subprocess.Popen[str]]
) -> None:
    second = start(f"data={up.data}")
    _, said = second.communicate(timeout=10)
    assert second.returncode == 1
    assert said == (
        f"hegemon: {up.data} is in use by process {up.process.pid}. Stop that one, or name another "
        "folder with --data DIR.\n"
    )
    assert up.get("HEGEMON_DATA")
    assert json.loads((up.data / "servers" / "owner").read_text())["pid"] == up.process.pid


def test_matches_in_files_are_in_the_server_once_it_is_ready(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    match = played(PLAIN, store=FileStore(tmp_path / "d")).match_id
    up = Up(start(f"data={tmp_path / 'd'}"), tmp_path / "d")
    connection = Connection(up.get("HEGEMON_LEDGER_URL"))
    assert RedisStore(connection).matches() == [match]
    connection.close()
    code, said, _ = up.end()
    assert code == 0
    assert said.startswith("hegemon: 1 match was moved into the server; the files are now in ")
    assert said.count("\n") == 1
    assert (tmp_path / "d" / "matches.moved" / match / "log").exists()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of the operator's own, which would lose a second's events."""
    program = next(iter(programs().values()))
    with running(program, tmp_path / "own", {"appendfsync": "everysec"}) as server:
        yield server


def test_with_a_server_of_ones_own_no_other_ledger_is_started(
    start: Callable[..., subprocess.Popen[str]],
    own_server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HEGEMON_REDIS_URL", own_server.url)
    data = tmp_path / "d"
    process = start(f"data={data}")
    _, said = process.communicate(timeout=20)
    assert process.returncode == 7
    assert "appendfsync is everysec, not always: a crash can lose acknowledged events" in said
    assert said.count("\n") == 1
    up = Up(start(f"data={data}", "unsafe=1"), data)
    assert up.get("HEGEMON_LEDGER_URL") == own_server.url
    assert up.get("HEGEMON_REDIS_URL") == ""
    assert "/hegemon-" in up.get("HEGEMON_JOBS_URL")
    # The jobs' server, web and its process for requests, and five others.
    assert len(up.family()) == 8
    assert not (data / "servers" / "ledger").exists()
    monkeypatch.setenv("HEGEMON_JOBS_URL", own_server.url)
    assert up.end()[0] == 0
    up = Up(start(f"data={data}", "unsafe=1"), data)
    assert up.get("HEGEMON_JOBS_URL") == own_server.url
    assert len(up.family()) == 7


def test_a_server_that_has_gone_back_is_not_served(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    data = tmp_path / "d"
    with EmbeddedServers(data) as servers:
        connection = Connection(servers.ledger_url)
        played(PLAIN, store=RedisStore(connection))
        witnessed(connection, data / "segments")
        connection.call("FLUSHALL")
        connection.close()
    process = start(f"data={data}")
    _, said = process.communicate(timeout=20)
    assert process.returncode == 4
    assert said.count("\n") == 1
    assert "restore --from-segments" in said


def sleeper(seconds: float) -> Child:
    return Child("sleeper", ["sleep", str(seconds)], folder=ROOT, environment=dict(os.environ))


def test_a_process_that_may_end_is_started_again_a_few_times(
    capsys: pytest.CaptureFixture[str],
) -> None:
    process = Process(lambda: sleeper(60), restarts=2)
    pids = []
    try:
        for _ in range(2):
            pids.append(process.child.pid)
            os.kill(process.child.pid, signal.SIGKILL)
            assert wait_until(lambda: process.child.ended() is not None)
            process.look()
            assert process.child.ended() is None
        said = capsys.readouterr().err
        ended = "hegemon: the sleeper process ended (killed by SIGKILL); starting it again.\n"
        assert said == ended * 2
        os.kill(process.child.pid, signal.SIGKILL)
        assert wait_until(lambda: process.child.ended() is not None)
        with pytest.raises(CannotServe, match=r"the sleeper process ended .*; everything else was"):
            process.look()
    finally:
        process.child.wait(0.0)
    assert alive(pids) == []


def test_two_on_different_data_get_different_ports(
    up: Up, start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    other = Up(start(f"data={tmp_path / 'other'}"), tmp_path / "other")
    assert other.address != up.address
    assert other.get("HEGEMON_DATA") == str(tmp_path / "other")


def test_a_port_that_was_asked_for_and_is_taken_is_one_line(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    with taken_port() as port:
        process = start(f"data={tmp_path / 'd'}", f"port={port}")
        _, said = process.communicate(timeout=10)
    assert process.returncode == 1
    assert said == (
        f"hegemon: port {port} cannot be used (Address already in use). Choose another with --port,"
        " or leave the port out to get a free one.\n"
    )


def test_a_port_that_was_asked_for_and_is_free_is_used(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    with taken_port() as port:
        pass
    asked = Up(start(f"data={tmp_path / 'd'}", f"port={port}"), tmp_path / "d")
    assert asked.address == f"http://127.0.0.1:{port}/"
