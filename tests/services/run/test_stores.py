"""Which store the settings mean, and what is said where it cannot be opened."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from socket import create_server

import pytest

from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Store
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection, NoReply, NotSent, Refusing
from ledger.log.stores.redis.store import LIBRARY
from services.run.programs import STAMP, CannotServe
from services.run.servers import COMMAND, EmbeddedServers
from services.run.settings import Settings, read_settings
from services.run.stores import open_store, standing_store
from tests.support.log.matches import PLAIN, played
from tests.support.servers import AnyLedger, Server, programs, running
from tests.support.services.processes import alive, wait_until
from tests.support.starting import surroundings

PASSWORD = "s3cret/with?marks"
QUOTED = "s3cret%2Fwith%3Fmarks"
MISLEADING = ("redis://:{p}@127.0.0.1:1", "redis://h/0?password={p}", "redis://:{p}", "unix://:{p}")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A sound server of an operator's own, with a password."""
    settings = {"requirepass": PASSWORD}
    folder = tmp_path_factory.mktemp("guarded")
    program = next(iter(programs().values()))
    server = Server(program, folder, settings, port=True).start(wait=False)
    url = f"redis://:{QUOTED}@127.0.0.1:{server.port}"
    assert wait_until(lambda: _answers(url), 20)
    yield server
    server.close()


def _answers(url: str) -> bool:
    connection = Connection(url)
    try:
        return bool(connection.call("PING") == b"PONG")
    except (NotSent, NoReply, Refusing):
        return False
    finally:
        connection.close()


@pytest.mark.parametrize(("login", "word"), [("", "NOAUTH"), (":wrong@", "WRONGPASS")])
def test_the_servers_word_for_a_refused_login_is_kept(guarded: Server, login: str, word: str):
    address = f"127.0.0.1:{guarded.port}"
    with pytest.raises(Refusing, match=rf"{word} redis://{address}: ") as caught:
        Connection(f"redis://{login}{address}").call("PING")
    assert "wrong@" not in str(caught.value)


def refusal(settings: Settings, code: int = 7) -> str:
    with pytest.raises(CannotServe) as caught, open_store(settings):
        pass
    line = str(caught.value)
    assert "\n" not in line
    assert caught.value.exit_code == code
    return line


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@contextmanager
def speaking(answer: Callable[[bytes], bytes]) -> Iterator[int]:
    """Something on a port that answers what it is told to."""
    with create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    line, _ = listener.accept()
                except OSError:
                    return
                with line:
                    while asked := line.recv(10_000):
                        line.sendall(answer(asked))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]


# --- a data folder --------------------------------------------------------------------------------


def test_where_no_up_has_run_matches_lie_in_files(tmp_path: Path) -> None:
    with open_store(Settings(data=tmp_path)) as store:
        assert isinstance(store, FileStore)
        assert everything_in(tmp_path) == []
    with open_store(Settings(data=tmp_path / "new")) as store:
        match = played(PLAIN, store=store).match_id
    assert FileStore(tmp_path / "new").matches() == [match]


def test_files_need_no_client_of_a_server(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom services.cli import main\nmain(['matches'])\n"
        "sys.exit('redis' in sys.modules)"
    )
    environment = surroundings(HEGEMON_DATA=str(tmp_path))
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=True)


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """A data folder over which an `up` has run, with a match in its server."""
    with EmbeddedServers(tmp_path):
        pass
    with open_store(Settings(data=tmp_path)) as store:
        played(PLAIN, store=store)
    return tmp_path


def test_where_an_up_has_run_a_server_runs_for_as_long_as_the_store_is_open(served: Path) -> None:
    servers = EmbeddedServers(served, ("ledger",))
    with open_store(Settings(data=served)) as store:
        assert isinstance(store, RedisStore)
        [match] = store.matches()
        assert store.tip(match).version > 5
        pid = int(_info(store, "process_id"))
        with pytest.raises(CannotServe, match=f"{served} is in use by process"):
            servers.__class__(served, ("ledger",), patience=0).start()
    assert alive([pid]) == []
    assert not Path(store.connection.url.removeprefix("unix://")).parent.exists()
    assert not (served / "servers" / "jobs.sock").exists()
    assert '"holds": ["ledger", "jobs"]' in (served / "servers" / STAMP).read_text()


def _info(store: RedisStore, name: str) -> str:
    text = store.connection.ask("INFO", "server").decode()
    return str(dict(row.split(":", 1) for row in text.splitlines() if ":" in row)[name])


def test_an_up_that_runs_is_asked(served: Path) -> None:
    with EmbeddedServers(served) as servers:
        servers.announce()
        with open_store(Settings(data=served)) as store, open_store(Settings(data=served)) as same:
            for one in (store, same):
                assert isinstance(one, RedisStore)
                assert (one.connection.url, one.cache.url) == (servers.ledger_url, servers.jobs_url)
            assert store.matches() == same.matches() != []
        standing = standing_store(Settings(data=served))
        assert standing is not None
        assert standing.matches() == store.matches()
        standing.connection.close()


def test_an_up_that_is_not_ready_is_waited_for(served: Path) -> None:
    with EmbeddedServers(served) as servers, ThreadPoolExecutor(1) as waiting:

        def matches() -> tuple[float, list[str]]:
            with open_store(Settings(data=served)) as store:
                return time.monotonic(), store.matches()

        found = waiting.submit(matches)
        time.sleep(0.3)
        ready = time.monotonic()
        servers.announce()
        when, listed = found.result(20)
        assert when > ready
        assert len(listed) == 1


def test_two_commands_at_once_take_turns(served: Path) -> None:
    with ThreadPoolExecutor(3) as commands:

        def play(seed: int) -> str:
            with open_store(Settings(data=served)) as store:
                return played(PLAIN, seed, store=store).match_id

        made = [done.result(60) for done in [commands.submit(play, seed) for seed in (1, 2, 3)]]
    with open_store(Settings(data=served)) as store:
        assert set(made) < set(store.matches())


def test_after_a_while_the_second_is_told_who_has_the_folder(
    served: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.run.stores.COMMAND_SECONDS", 0.2)
    with EmbeddedServers(served, ("ledger",), by=COMMAND):
        said = refusal(Settings(data=served), code=1)
    assert said.startswith(f"{served} is in use by process ")


def test_an_up_waits_for_a_command(served: Path) -> None:
    command = EmbeddedServers(served, ("ledger",), by=COMMAND)
    command.start()
    threading.Timer(0.3, command.stop).start()
    with EmbeddedServers(served) as servers:
        assert servers.ended() is None


def test_an_up_with_a_server_of_the_operators_own_is_named(tmp_path: Path) -> None:
    for names in (("jobs",), ()):
        with EmbeddedServers(tmp_path, names) as servers:
            servers.announce()
            said = refusal(Settings(data=tmp_path))
            assert said.startswith("`hegemon up` (process ")
            assert "set HEGEMON_REDIS_URL as it has" in said


def test_matches_that_an_interrupted_start_left_in_files_are_moved_first(
    served: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = played(PLAIN, 9, store=FileStore(served)).match_id
    with open_store(Settings(data=served)) as store:
        assert match in store.matches()
    assert "1 match was moved into the server" in capsys.readouterr().err
    assert FileStore(served).matches() == []


def test_a_standing_process_starts_no_server(served: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="are on its servers, but none runs: start `hegemon"):
        standing_store(Settings(data=served))
    assert standing_store(Settings(data=tmp_path / "new")) is None


def test_files_are_used_by_a_command_while_an_up_begins_to_move_them(tmp_path: Path) -> None:
    tmp_path.joinpath("matches").mkdir()
    with ThreadPoolExecutor(1) as other, open_store(Settings(data=tmp_path)) as files:
        made = [played(PLAIN, 1, store=files).match_id]
        with EmbeddedServers(tmp_path):
            pass  # now there is a stamp
        after = other.submit(_matches_of_a_command, tmp_path)
        time.sleep(0.3)
        assert not after.done()  # it has the server, and waits for us before it moves
        made.append(played(PLAIN, 2, store=files).match_id)
        assert files.matches() == sorted(made)
    assert after.result(60) == sorted(made)


def _matches_of_a_command(data: Path) -> list[str]:
    with open_store(Settings(data=data)) as store:
        return store.matches()


# --- a server of the operator's own ---------------------------------------------------------------


def url_of(server: Server, password: str = QUOTED) -> str:
    return f"redis://:{password}@127.0.0.1:{server.port}"


def test_a_sound_server_is_used_with_its_password(guarded: Server, tmp_path: Path) -> None:
    environment = {"HEGEMON_REDIS_URL": url_of(guarded), "HEGEMON_DATA": str(tmp_path)}
    with open_store(read_settings(environment)) as store:
        assert isinstance(store, RedisStore)
        match = played(PLAIN, store=store).match_id
        assert match in store.matches()
        assert store.cache is store.connection
    assert everything_in(tmp_path) == []


@pytest.mark.parametrize("kind", tuple(programs()))
def test_snapshots_go_to_the_second_server(
    kind: str, guarded: Server, any_ledger: AnyLedger, tmp_path: Path
) -> None:
    jobs = any_ledger(kind).url
    settings = Settings(data=tmp_path, redis_url=url_of(guarded), jobs_url=jobs)
    told = Settings(data=tmp_path, ledger_url=url_of(guarded), jobs_url=jobs)
    for one in (settings, told):
        with open_store(one) as store:
            assert isinstance(store, RedisStore)
            assert (store.connection.url, store.cache.url) == (url_of(guarded), jobs)


@pytest.fixture(scope="module")
def careless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {"appendonly": "no", "appendfsync": "everysec", "maxmemory-policy": "allkeys-lru"}
    program = next(iter(programs().values()))
    with running(program, tmp_path_factory.mktemp("careless"), settings, port=True) as server:
        yield server


def test_a_server_that_would_lose_events_is_refused_setting_by_setting(
    careless: Server, tmp_path: Path
) -> None:
    said = refusal(Settings(data=tmp_path, redis_url=careless.url))
    for wrong in ("appendonly is no", "appendfsync is everysec", "maxmemory-policy is allkeys-lru"):
        assert wrong in said
    assert "no-appendfsync-on-rewrite" not in said
    assert "use --unsafe" in said


def test_unsafe_goes_on_and_warns_in_one_line(
    careless: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {"HEGEMON_REDIS_URL": careless.url, "HEGEMON_UNSAFE": "1"}
    with open_store(read_settings(environment, data=str(tmp_path))) as store:
        assert store.matches() == []
    said = capsys.readouterr().err
    assert said.startswith(f"hegemon: warning: {careless.url}: appendonly is no, not yes: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("version", ["redis_version:6.2.14", "valkey_version:7.0.1"])
def test_an_old_server_is_refused_whatever_is_said(
    version: str, unsafe: bool, tmp_path: Path
) -> None:
    def answer(asked: bytes) -> bytes:
        if b"INFO" in asked:
            text = f"# Server\r\n{version}\r\n".encode()
            return b"$%d\r\n%b\r\n" % (len(text), text)
        return b"+PONG\r\n" if b"PING" in asked else b"-ERR unknown command\r\n"

    with speaking(answer) as port:
        url = f"redis://127.0.0.1:{port}"
        said = refusal(Settings(data=tmp_path, redis_url=url, unsafe=unsafe))
    assert version.replace("_version:", " ") in said
    assert "Redis 7.0 or Valkey 7.2 is the minimum" in said


@pytest.mark.parametrize("password", ["wrong-one", ""])
def test_a_wrong_password_is_one_line_and_is_not_shown(
    password: str, guarded: Server, tmp_path: Path
) -> None:
    said = refusal(Settings(data=tmp_path, redis_url=url_of(guarded, password)))
    assert f"redis://127.0.0.1:{guarded.port}" in said
    assert "wrong-one" not in said
    assert "HEGEMON_REDIS_URL" in said


def test_no_server_there_is_one_line(tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    for url in (f"redis://:{QUOTED}@127.0.0.1:{port}", f"unix://{tmp_path}/none.sock"):
        for settings in (
            Settings(data=tmp_path, redis_url=url),
            Settings(data=tmp_path, ledger_url=url),
        ):
            said = refusal(settings)
            assert said.startswith("no server is reached at ")
            assert "s3cret" not in said


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"220 mail.example\r\n"])
def test_what_is_no_redis_is_one_line(answer: bytes, tmp_path: Path) -> None:
    with speaking(lambda _: answer) as port:
        said = refusal(Settings(data=tmp_path, redis_url=f"redis://:{QUOTED}@127.0.0.1:{port}"))
    assert str(port) in said
    assert "s3cret" not in said


@pytest.mark.parametrize("url", MISLEADING)
def test_a_password_that_spoils_the_address_is_not_shown(url: str, tmp_path: Path) -> None:
    for password in ("pa?ss/w:ord", "pass/word@h", "99999", "p@ss#word"):
        said = refusal(Settings(data=tmp_path, redis_url=url.format(p=password)))
        for part in ("pa?", "pass", "word", "99999"):
            assert part not in said.replace("USER:PASSWORD", "").replace("a password", "")


def test_settings_in_an_address_that_nobody_knows_are_one_line(tmp_path: Path) -> None:
    said = refusal(Settings(data=tmp_path, redis_url="redis://127.0.0.1:1/0?colour=red"))
    assert said.startswith("HEGEMON_REDIS_URL is not a valid address. ")


def test_a_foreign_library_of_our_name_is_refused(careless: Server, tmp_path: Path) -> None:
    connection = Connection(careless.url)
    connection.call("FLUSHALL")
    connection.call("FUNCTION", "FLUSH")
    code = f"#!lua name={LIBRARY}\nredis.register_function('nothing', function() return 1 end)"
    connection.call("FUNCTION", "LOAD", code)
    said = refusal(Settings(data=tmp_path, redis_url=careless.url, unsafe=True))
    assert f"the server's function library {LIBRARY} is not ours" in said
    connection.call("FUNCTION", "FLUSH")
    connection.close()


def test_a_server_that_nobody_named_is_never_spoken_to(tmp_path: Path) -> None:
    asked: list[bytes] = []

    def answer(words: bytes) -> bytes:
        asked.append(words)
        return b"+PONG\r\n"

    stores: list[Store] = []
    with speaking(answer) as port:
        for settings in (
            Settings(data=tmp_path, port=port),
            Settings(data=tmp_path, jobs_url=f"redis://127.0.0.1:{port}"),
        ):
            with open_store(settings) as store:
                stores.append(store)
    assert [type(store) for store in stores] == [FileStore, FileStore]
    assert asked == []
