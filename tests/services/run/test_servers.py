"""The embedded servers over real data: settings, stamps, owners, deaths."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import redis

from services.run.programs import STAMP, CannotServe, find_bundled_program
from services.run.servers import EmbeddedServers
from tests.support.services.processes import alive, pretend, wait_until

ROOT = Path(__file__).resolve().parents[3]

HOLDER = """
import sys, threading, time
from pathlib import Path
from services.run.servers import EmbeddedServers

servers = EmbeddedServers(Path(sys.argv[1]))
if sys.argv[2] == "thread":
    starter = threading.Thread(target=servers.start)
    starter.start()
    starter.join()
else:
    servers.start()
print(servers.ledger_url, *(child.pid for child in servers.children), flush=True)
time.sleep(60)
"""


def client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, decode_responses=True)


def stamp_of(data: Path) -> dict[str, object]:
    stored: dict[str, object] = json.loads((data / "servers" / STAMP).read_text())
    return stored


def restamp(data: Path, **changes: object) -> None:
    path = data / "servers" / STAMP
    path.write_text(json.dumps(stamp_of(data) | changes))


def refusal(data: Path) -> str:
    with pytest.raises(CannotServe) as caught:
        EmbeddedServers(data).start()
    line = str(caught.value)
    assert "\n" not in line
    return line


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "a folder with spaces"


@pytest.fixture
def written(data: Path) -> Path:
    """A data folder with one event in it."""
    with EmbeddedServers(data) as servers, client(servers.ledger_url) as ledger:
        ledger.xadd("match:1:events", {"body": "first"}, id="1-0")
    return data


def test_both_have_the_settings_of_their_work(data: Path) -> None:
    with EmbeddedServers(data) as servers:
        with client(servers.ledger_url) as ledger, client(servers.jobs_url) as jobs:
            for each, fsync in ((ledger, "always"), (jobs, "everysec")):
                settings = each.config_get("*")
                assert settings["appendonly"] == "yes"
                assert settings["appendfsync"] == fsync
                assert settings["maxmemory-policy"] == "noeviction"
                assert settings["no-appendfsync-on-rewrite"] == "no"
                assert settings["save"] == ""
                assert settings["port"] == "0"
            assert ledger.config_get("stream-node-max-*") == {
                "stream-node-max-bytes": "2048",
                "stream-node-max-entries": "100",
            }
        folder = Path(servers.ledger_url.removeprefix("unix://")).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert len(str(folder / "ledger.sock")) < 104
    assert not folder.exists()


def test_data_are_there_again_at_the_next_start(written: Path) -> None:
    with EmbeddedServers(written) as servers, client(servers.ledger_url) as ledger:
        assert ledger.xrange("match:1:events") == [("1-0", {"body": "first"})]


def test_a_locale_that_the_system_lacks_does_no_harm(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "xx_XX.UTF-8")
    with EmbeddedServers(data) as servers:
        assert servers.ended() is None


def test_a_long_temporary_folder_is_passed_over(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 30)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    monkeypatch.setattr("tempfile.tempdir", None)
    with EmbeddedServers(data) as servers:
        assert str(long) not in servers.ledger_url
    assert list(long.iterdir()) == []


@pytest.mark.parametrize("starter", ["main", "thread"])
def test_killed_outright_nothing_acknowledged_is_lost_and_no_process_stays(
    data: Path, starter: str
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, data, starter],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout
        url, *pids = holder.stdout.readline().split()
        with client(url) as ledger:
            for number in range(1, 51):
                ledger.xadd("match:1:events", {"n": number}, id=f"{number}-0")
        holder.kill()
    with EmbeddedServers(data) as servers, client(servers.ledger_url) as ledger:
        assert ledger.xlen("match:1:events") == 50
        assert wait_until(lambda: not alive(map(int, pids)))
    assert not Path(url.removeprefix("unix://")).parent.exists()


def test_servers_started_in_a_thread_outlive_it(data: Path) -> None:
    servers = EmbeddedServers(data)
    starter = threading.Thread(target=servers.start)
    starter.start()
    starter.join()
    try:
        time.sleep(0.2)
        assert servers.ended() is None
    finally:
        servers.stop()


def test_a_server_that_died_is_named(data: Path) -> None:
    with EmbeddedServers(data) as servers:
        assert servers.ended() is None
        os.kill(servers.children[1].pid, signal.SIGKILL)
        assert wait_until(lambda: servers.ended() is not None)
        assert (servers.ended() or "").startswith("the jobs server ended (killed by SIGKILL)")


def test_a_server_that_does_not_stop_is_killed(data: Path) -> None:
    servers = EmbeddedServers(data)
    servers.start()
    pid = servers.children[0].pid
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    servers.stop(0.3)
    assert time.monotonic() - began < 2
    assert not alive([pid])


def test_one_owner_at_a_time(data: Path) -> None:
    with EmbeddedServers(data):
        line = refusal(data)
    assert f"{data} is in use by process {os.getpid()}." in line
    with EmbeddedServers(data):
        pass


def test_the_stamp_says_who_wrote_the_data(written: Path, tmp_path: Path) -> None:
    program = find_bundled_program(tmp_path)
    assert program
    version = ".".join(map(str, program.version))
    assert stamp_of(written) == {"kind": "valkey", "version": version, "holds": ["ledger", "jobs"]}


def test_data_of_a_newer_server_are_refused(written: Path, no_system_server: Path) -> None:
    restamp(written, version="99.0.0")
    before = sorted(path.name for path in written.rglob("*"))
    line = refusal(written)
    assert f"the data in {written} was written by valkey 99.0.0; found only: valkey 9." in line
    assert sorted(path.name for path in written.rglob("*")) == before


def test_data_of_an_older_server_move_up(written: Path, no_system_server: Path) -> None:
    for kind, version in (("valkey", "8.0.1"), ("redis", "7.2.4")):
        restamp(written, kind=kind, version=version)
        with EmbeddedServers(written) as servers, client(servers.ledger_url) as ledger:
            assert ledger.xlen("match:1:events") == 1
        assert stamp_of(written)["kind"] == "valkey"
        assert str(stamp_of(written)["version"]).startswith("9.")


def test_data_of_a_redis_that_valkey_cannot_read_are_refused(
    written: Path, no_system_server: Path
) -> None:
    restamp(written, kind="redis", version="7.4.0")
    assert "was written by redis 7.4.0; found only: valkey 9." in refusal(written)


def test_without_a_bundled_server_the_systems_own_is_used(
    data: Path, no_bundled_server: Path, no_system_server: Path
) -> None:
    (no_system_server / "valkey-server").symlink_to(no_bundled_server)
    with EmbeddedServers(data) as servers:
        assert servers.program
        assert servers.program.path == no_system_server / "valkey-server"


@pytest.mark.parametrize("says", ["Redis server v=6.2.14", "Valkey server v=7.0.0", "nonsense"])
def test_without_a_server_that_is_new_enough_there_is_one_line(
    data: Path, no_bundled_server: Path, no_system_server: Path, says: str
) -> None:
    pretend(no_system_server, "redis-server", says)
    with pytest.raises(CannotServe) as caught:
        EmbeddedServers(data).start()
    assert caught.value.exit_code == 7
    assert str(caught.value).startswith("no server program was found")
    assert "redis-server >= 7.0" in str(caught.value)


def test_the_systems_server_is_no_swap_for_the_bundled_one(
    written: Path, no_bundled_server: Path, no_system_server: Path
) -> None:
    pretend(no_system_server, "redis-server", "Redis server v=7.0.15")
    line = refusal(written)
    assert "was written by valkey 9." in line
    assert "found only: redis 7.0.15. Nothing was started." in line


def test_lost_files_are_not_replaced_by_empty_ones(written: Path) -> None:
    shutil.rmtree(written / "servers" / "ledger" / "appendonlydir")
    assert "the files of the ledger server are missing from " in refusal(written)


def test_a_lost_stamp_is_not_guessed(written: Path) -> None:
    (written / "servers" / STAMP).unlink()
    assert f"holds data but no {STAMP} file" in refusal(written)


def test_a_damaged_stamp_is_not_guessed(written: Path) -> None:
    (written / "servers" / STAMP).write_text('{"kind": ')
    assert "is damaged" in refusal(written)


def test_a_damaged_log_is_told_with_the_servers_own_words(written: Path) -> None:
    files = written / "servers" / "ledger" / "appendonlydir"
    next(files.glob("*.base.rdb")).write_bytes(b"nonsense, and long enough to be read as a file")
    line = refusal(written)
    assert line.startswith("the ledger server did not start (exit code 1): ")
    assert str(written / "servers" / "ledger.log") in line


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    line = refusal(tmp_path / "file" / "data")
    assert line.startswith("cannot write to ")
    assert "--data DIR" in line
