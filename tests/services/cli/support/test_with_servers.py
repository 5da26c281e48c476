"""The command line on a data folder that has servers: the same words, the same answers.

One owner, as `up` is one, runs for all tests here; each test has matches of its own in it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.log.read.history import History
from ledger.log.stores.protocol import DamagedLog, Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys
from services.cli.support.exits import LACKING, report_failure
from services.run.servers import EmbeddedServers
from services.run.settings import Settings
from services.run.stores import open_store
from tests.support.cli.calls import MOVES, SEALED, Hegemon, every_byte, one_line
from tests.support.servers import programs, running
from tests.support.starting import surroundings


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServers]:
    with EmbeddedServers(tmp_path_factory.mktemp("data")) as servers:
        servers.announce()
        yield servers


@pytest.fixture
def served(owner: EmbeddedServers, hegemon: Hegemon, monkeypatch: pytest.MonkeyPatch) -> Hegemon:
    """The command line on the folder of the owner."""
    data = owner.folder.parent
    monkeypatch.setenv("HEGEMON_DATA", str(data))
    return Hegemon(data, hegemon.capsys)


@pytest.fixture
def store(owner: EmbeddedServers) -> Iterator[RedisStore]:
    connection = Connection(owner.ledger_url)
    yield RedisStore(connection)
    connection.close()


def refused(hegemon: Hegemon, store: RedisStore, *words: object) -> str:
    """A call that must be refused in one line, and changes no log."""
    before = store.tips(store.matches())
    ran = hegemon(*words)
    assert (ran.code, one_line(ran.err)) == (1, True), ran
    assert store.tips(store.matches()) == before
    return ran.err


def test_a_match_from_its_creation_to_its_close(served: Hegemon, store: RedisStore) -> None:
    match = served.new("--player", "Ann", "--player", "Bob")
    assert match in store.matches()
    assert "seat 0: play.mark cell=4" in served.done("options", match).out
    for seat, cell in MOVES:
        served.done("decide", match, seat, "mark", f"cell={cell}")
    assert "is closed, won by seat 0" in served.done("close", match).out
    assert "match_closed" in refused(served, store, "decide", match, 1, "mark", "cell=1")
    told = served.done("tell", match).out
    assert "Ann takes seat 0." in told
    assert "The match is closed: Ann wins (line middle)." in told.splitlines()[-1]
    [listed] = [one for one in served.done("matches", "--json").lines if one["match"] == match]
    assert (listed["state"], listed["events"]) == ("closed", 10)
    assert not (served.data / "matches").exists()


def test_what_is_refused_changes_nothing(served: Hegemon, store: RedisStore) -> None:
    match = served.new()
    served.done("decide", match, 0, "mark", "cell=4")
    for words in (
        ("decide", match, 1, "mark", "cell=4"),
        ("decide", match, 0, "mark", "cell=1"),
        ("close", match),
        ("rewind", match, 99),
        ("show", match, "--at", 99),
        ("tell", "nosuchmatch"),
        ("tell", "NO-SUCH"),
    ):
        refused(served, store, *words)


def test_a_decision_that_is_repeated_under_its_id_goes_in_once(served: Hegemon) -> None:
    match = served.new()
    words = ("decide", match, 0, "mark", "cell=4", "--command", "c-1")
    assert served.done(*words).out == served.done(*words).out
    assert len(served.done("events", match).lines) == 5


def test_a_sealed_match_is_shown_to_each_as_before(served: Hegemon, hegemon: Hegemon) -> None:
    match = served.new(*SEALED)
    served.done("decide", match, 0, "write", "cell=3")
    assert "cell=3" not in served.done("tell", match, "--as", 1).out
    mine = served.done("events", match, "--as", 0).lines[-1]
    assert mine["openings"]
    assert served.done("events", match, "--as", 1).lines[-1]["openings"] == []
    assert served.done("show", match, "--as", 0, "--json").json["seat"] == 0


def test_rewinds_forks_and_bundles(served: Hegemon, store: RedisStore) -> None:
    match = served.played()
    served.done("rewind", match, 6, "--reason", "a slip")
    fork = served.done("fork", match, "--at", 6).out.strip()
    assert "(fork)" in served.done("tell", fork).out
    assert store.tip(fork).version == 6
    served.done("export", match, "--as", "all", "--out", "match.hgm")
    assert "VALID, NOT ANCHORED" in served.done("verify", "match.hgm").out
    before = History.of(store, match, ruleset).tip
    assert "0 of them new" in served.done("import", "match.hgm").out
    assert store.tip(match) == before


def test_a_bundle_is_taken_in_from_elsewhere(served: Hegemon, store: RedisStore) -> None:
    said = served.done("play", "tictactoe", "--seed", 71, "--out", "match.hgm", "--json").json
    assert said["match"] not in store.matches()
    assert f"{said['events']} of them new" in served.done("import", "match.hgm").out
    assert store.tip(said["match"]).version == said["events"]
    assert served.done("tell", said["match"]).out == served.done("tell", "match.hgm").out


def test_two_at_once_and_one_of_them_goes_in(served: Hegemon) -> None:
    match = served.new()
    words = [sys.executable, "-m", "services.cli", "decide", match, "0", "mark"]

    def decide(cell: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*words, f"cell={cell}"],
            env=surroundings(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    with ThreadPoolExecutor(3) as hands:
        ran = list(hands.map(decide, (0, 4, 8)))
    assert sorted(one.returncode for one in ran) == [0, 1, 1]
    assert all(one_line(one.stderr) for one in ran if one.returncode)
    assert len(served.done("events", match).lines) == 5


# --- a server of the command's own, and none ------------------------------------------------------


def test_without_an_up_commands_take_turns_with_a_server_of_their_own(hegemon: Hegemon) -> None:
    with EmbeddedServers(hegemon.data):
        pass
    match = hegemon.new()
    words = [sys.executable, "-m", "services.cli", "decide", match]
    both = [
        subprocess.Popen(
            [*words, *rest], env=surroundings(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for rest in (("0", "mark", "cell=4"), ("1", "mark", "cell=0"))
    ]
    said = [one.communicate(timeout=60) for one in both]
    # Whoever comes second has waited; if that was seat 0, seat 1 was not asked yet.
    assert both[0].returncode == 0, said
    assert both[1].returncode in (0, 1)
    hegemon("decide", match, 1, "mark", "cell=0")
    assert "X marks the centre." in hegemon.done("tell", match).out
    assert len(hegemon.done("events", match).lines) == 6
    assert not (hegemon.data / "matches").exists()


def test_an_operators_server_is_looked_at_before_each_command(
    hegemon: Hegemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = next(iter(programs().values()))
    with running(program, tmp_path / "server", {"appendfsync": "everysec"}) as server:
        monkeypatch.setenv("HEGEMON_REDIS_URL", server.url)
        ran = hegemon("new", "tictactoe")
        assert (ran.code, one_line(ran.err)) == (7, True)
        assert "appendfsync is everysec, not always" in ran.err
        ran = hegemon("--unsafe", "new", "tictactoe")
        assert (ran.code, one_line(ran.err)) == (0, True)
        assert "warning" in ran.err
        monkeypatch.setenv("HEGEMON_UNSAFE", "1")
        assert ran.out.strip() in hegemon("matches").out
    ran = hegemon("matches")
    assert (ran.code, one_line(ran.err)) == (7, True)
    assert every_byte(hegemon.data) == {}


def test_a_store_that_stops_answering_is_said_with_what_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert report_failure(Unavailable("it is gone", unknown=True)) == LACKING
    said = capsys.readouterr().err
    assert one_line(said)
    assert "so this may or may not be done" in said
    assert "you can repeat `decide --command ID`" in said
    assert report_failure(Unavailable("it is gone")) == LACKING
    assert "nothing more was written" in capsys.readouterr().err


def test_a_log_that_was_changed_on_the_server_is_damaged(
    served: Hegemon, store: RedisStore
) -> None:
    match = served.new()
    store.connection.call("SET", log_keys(match).head, b"o9:" + bytes(32))
    try:
        ran = served("tell", match)
        assert (ran.code, one_line(ran.err)) == (4, True)
        with pytest.raises(DamagedLog):
            list(store.events(match))
        ran = served("matches")
        assert ran.code == 4
        assert match in ran.err
    finally:
        store.connection.call("FLUSHALL")


def test_a_store_is_opened_once_and_closed_with_the_command(
    served: Hegemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def counting(settings: Settings) -> object:
        opened.append("opened")
        return open_store(settings)

    monkeypatch.setattr("services.cli.support.sources.open_store", counting)
    match = served.played()
    assert len(opened) == 6
    served.done("fork", match, "--at", 5)
    assert len(opened) == 7
