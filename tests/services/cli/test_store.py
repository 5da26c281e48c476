"""restore, backup and check-store on the command line, over servers of a data folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys
from services.cli.commands import cli
from services.cli.store import COMMANDS
from services.run.servers import EmbeddedServers
from tests.support.cli.calls import Hegemon
from tests.support.log.filling import everything, witnessed
from tests.support.log.matches import FULL_PLAN, SEALED, played


@pytest.fixture(autouse=True)
def registered() -> None:
    for command in COMMANDS:
        cli.add_command(command)


@pytest.fixture
def up(hegemon: Hegemon) -> Iterator[EmbeddedServers]:
    """The servers of a data folder that an `up` runs on, with matches and segments."""
    with EmbeddedServers(hegemon.data) as servers:
        connection = Connection(servers.ledger_url)
        for seed, plan in enumerate((FULL_PLAN, SEALED)):
            played(plan, seed, store=RedisStore(connection))
        witnessed(connection, hegemon.data / "segments")
        servers.announce()
        yield servers
        connection.close()


def kept_by(servers: EmbeddedServers) -> dict[str, object]:
    connection = Connection(servers.ledger_url)
    found = everything(connection)
    connection.close()
    return found


def test_a_server_that_lost_its_files_is_restored(hegemon: Hegemon, up: EmbeddedServers):
    before = kept_by(up)
    matches = RedisStore(Connection(up.ledger_url)).matches()
    up.stop()
    shutil.rmtree(hegemon.data / "servers" / "ledger" / "appendonlydir")
    assert "missing" in hegemon("check-store").err
    done = hegemon("restore", "--from-segments")
    assert (done.code, done.err) == (0, "")
    assert "were missing and are restored" in done.out
    assert "none of them was missing" in hegemon("restore", "--from-segments").out
    checked = hegemon("check-store", "--json")
    assert checked.code == 0
    assert checked.json["matches"] == len(matches)
    assert checked.json["findings"] == []
    with EmbeddedServers(hegemon.data) as again:
        assert kept_by(again) == before


def test_a_server_that_was_put_back_is_refused_and_restored(hegemon: Hegemon, up: EmbeddedServers):
    before = kept_by(up)
    name = RedisStore(Connection(up.ledger_url)).matches()[0]
    connection = Connection(up.ledger_url)
    for key in connection.ask("KEYS", f"*{name}*"):
        connection.call("DEL", key)
    connection.close()
    up.stop()
    refused = hegemon("check-store")
    assert refused.code == 4
    assert "hegemon restore --from-segments" in refused.err
    assert name in refused.err
    assert hegemon("restore", "--from-segments").code == 0
    assert hegemon("check-store").code == 0
    with EmbeddedServers(hegemon.data) as again:
        assert kept_by(again) == before


def test_half_a_restored_server_is_not_served(
    hegemon: Hegemon, up: EmbeddedServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hegemon.done("backup", tmp_path / "backup")
    elsewhere = ("--data", tmp_path / "other")
    with monkeypatch.context() as stopped:

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        stopped.setattr("services.keep.restore.ship_words", stop)
        assert hegemon(*elsewhere, "restore", "--from-segments", tmp_path / "backup").code == 130
    assert hegemon(*elsewhere, "check-store").code == 4
    assert hegemon(*elsewhere, "restore", "--from-segments", tmp_path / "backup").code == 0
    assert hegemon(*elsewhere, "check-store").code == 0


def test_damaged_segments_leave_a_folder_as_it_is(hegemon: Hegemon, up: EmbeddedServers):
    up.stop()
    shutil.rmtree(hegemon.data / "servers" / "ledger" / "appendonlydir")
    path = next((hegemon.data / "segments").rglob("*.seg"))
    packed = path.read_bytes()
    path.write_bytes(packed[:50] + bytes((packed[50] ^ 1,)) + packed[51:])
    said = hegemon.refused("restore", "--from-segments", code=4)
    assert "is damaged at byte 0" in said


def test_a_backup_makes_a_server_elsewhere(hegemon: Hegemon, up: EmbeddedServers, tmp_path: Path):
    before = kept_by(up)
    first = hegemon("backup", tmp_path / "backup", "--json")
    assert (first.code, first.json["new"]) == (0, first.json["records"])
    assert hegemon("backup", tmp_path / "backup", "--json").json["new"] == 0
    elsewhere = ("--data", tmp_path / "other")
    done = hegemon(*elsewhere, "restore", "--from-segments", tmp_path / "backup")
    assert (done.code, done.err) == (0, "")
    assert hegemon(*elsewhere, "check-store").code == 0
    with EmbeddedServers(tmp_path / "other") as again:
        assert kept_by(again) == before


def test_nothing_is_restored_while_an_up_runs(hegemon: Hegemon, up: EmbeddedServers):
    before = kept_by(up)
    refused = hegemon("restore", "--from-segments")
    assert refused.code != 0
    assert "is in use by process" in refused.err
    assert kept_by(up) == before


def test_a_server_that_went_on_differently_is_left_alone(hegemon: Hegemon, up: EmbeddedServers):
    connection = Connection(up.ledger_url)
    name = RedisStore(connection).matches()[0]
    connection.call("HSET", log_keys(name).head.replace("head", "kept"), "secrets", "others")
    connection.close()
    up.stop()
    refused = hegemon("restore", "--from-segments")
    assert refused.code == 1
    assert f"nothing was changed: 1 log differs ({name}" in refused.err


def test_damage_is_told_line_by_line(hegemon: Hegemon, up: EmbeddedServers):
    connection = Connection(up.ledger_url)
    name, other = RedisStore(connection).matches()
    connection.call("HSET", log_keys(name).commands, b"x" * 12, "3")
    connection.close()
    found = hegemon("check-store")
    assert found.code == 4
    assert found.out.splitlines()[0].startswith(f"damaged: {name}: event 3")
    assert ": 1 finding\n" in found.out
    assert hegemon("check-store", "--match", other).code == 0
    assert [one["where"] for one in json.loads(hegemon("check-store", "--json").out)["findings"]]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("restore",), 2),
        (("restore", "--from-segments"), 2),
        (("restore", "--from-segments", "no-such-folder"), 2),
        (("backup",), 2),
        (("backup", "elsewhere"), 1),  # the matches of this folder lie in files
        (("check-store", "--match", "nobody"), 4),
    ],
)
def test_what_cannot_be_done_is_one_line(hegemon: Hegemon, words: tuple[str, ...], code: int):
    ran = hegemon(*words)
    assert ran.code == code
    assert ran.err.count("\n") == 1


def test_matches_in_files_are_checked_too(hegemon: Hegemon):
    assert hegemon("new", "tictactoe").code == 0
    assert hegemon("check-store", "--json").json["matches"] == 1
