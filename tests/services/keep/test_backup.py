"""Backups: a second copy that grows, that a server can be made from, and that is checked."""

from __future__ import annotations

import json
import os
import random
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.log.stores.disk import DamagedSegment
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.reader import segment_files, shard_folder
from services.keep.backup import MANIFEST, backup
from services.keep.guard import GoneBack
from services.keep.restore import restore
from tests.support.log.filling import MATCHES, everything, fill, grow, whole_feed
from tests.support.servers import Server

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def connection(ledger: Server) -> Iterator[Connection]:
    found = Connection(ledger.url)
    fill(RedisStore(found), seed=51, batches=200)
    yield found
    found.close()


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_server_can_be_made_from_a_backup(connection: Connection, tmp_path: Path):
    before = everything(connection)
    manifest, new = backup(connection, tmp_path)
    assert new == manifest.records == sum(len(found) for found in whole_feed(connection).values())
    assert manifest.heads == len(connection.ask("KEYS", "*head"))
    connection.call("FLUSHALL")
    restore(connection, tmp_path)
    assert everything(connection) == before


def test_a_second_backup_adds_what_is_new(connection: Connection, tmp_path: Path):
    backup(connection, tmp_path)
    again, new = backup(connection, tmp_path)
    assert new == 0
    old = files_in(tmp_path)
    for _ in range(10):
        grow(RedisStore(connection), MATCHES[0], random.Random(52))
    later, new = backup(connection, tmp_path)
    assert new == 10
    assert later.records == again.records + 10
    for name, packed in files_in(tmp_path).items():
        if name.endswith(".seg"):
            assert packed.startswith(old.get(name, b""))
    before = everything(connection)
    connection.call("FLUSHALL")
    restore(connection, tmp_path)
    assert everything(connection) == before


def test_a_backup_is_its_owners_alone(connection: Connection, tmp_path: Path):
    backup(connection, tmp_path / "backup")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*") if path.is_file()}
    assert modes == {0o600}


def test_a_backup_is_right_while_the_server_is_written_to(connection: Connection, tmp_path: Path):
    # Somebody writes all the time: in another process, as in life.
    writing = (
        "import random, sys, time\n"
        "from ledger.log.stores.redis import RedisStore\n"
        "from ledger.log.stores.redis.connection import Connection\n"
        "from tests.support.log.filling import grow, MATCHES\n"
        "store, rng = RedisStore(Connection(sys.argv[1])), random.Random(53)\n"
        "print('open', flush=True)\n"
        "while True:\n"
        "    grow(store, rng.choice(MATCHES) + '/talk', rng)\n"
        "    time.sleep(0.005)\n"
    )
    words = [sys.executable, "-c", writing, connection.url]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        while_written = 0
        while while_written < 4:  # the child has written between these
            while_written += backup(connection, tmp_path)[1] > 0
        child.kill()
    backup(connection, tmp_path)
    before = everything(connection)
    connection.call("FLUSHALL")
    restore(connection, tmp_path)
    assert everything(connection) == before


def test_a_backup_of_another_server_is_refused_and_left_as_it_is(
    connection: Connection, tmp_path: Path
):
    backup(connection, tmp_path)
    before = files_in(tmp_path)
    connection.call("FLUSHALL")
    fill(RedisStore(connection), seed=54, batches=30)
    with pytest.raises(GoneBack) as refusal:
        backup(connection, tmp_path)
    assert str(tmp_path) in str(refusal.value)
    assert files_in(tmp_path) == before


def test_the_manifest_says_what_is_there(connection: Connection, tmp_path: Path):
    manifest, _ = backup(connection, tmp_path)
    said = json.loads((tmp_path / MANIFEST).read_text())
    assert said["format"] == 1
    assert sum(shard["position"] for shard in said["shards"].values()) == manifest.records
    named = {
        f"segments/{shard}/{name}" for shard, of in said["shards"].items() for name in of["files"]
    }
    assert named == {name for name in files_in(tmp_path) if name.endswith(".seg")}


def test_a_file_that_is_not_the_one_of_the_manifest_is_found(
    connection: Connection, tmp_path: Path
):
    backup(connection, tmp_path)
    shard = next(n for n in range(16) if segment_files(shard_folder(tmp_path / "segments", n)))
    path = segment_files(shard_folder(tmp_path / "segments", shard))[0]
    packed = path.read_bytes()
    for spoiled in (packed[:-1], bytes((packed[0] ^ 1,)) + packed[1:], None):
        if spoiled is None:
            path.unlink()
        else:
            path.write_bytes(spoiled)
        with pytest.raises(DamagedSegment):
            restore(connection, tmp_path)
        with pytest.raises(DamagedSegment):
            backup(connection, tmp_path)


def test_a_manifest_that_cannot_be_read_is_said_so(connection: Connection, tmp_path: Path):
    backup(connection, tmp_path)
    for text in (b"", b"\xff{}", b'{"format": 2, "made": "", "shards": {}}'):
        (tmp_path / MANIFEST).write_bytes(text)
        with pytest.raises(DamagedSegment):
            restore(connection, tmp_path)


def test_a_backup_that_was_stopped_goes_on(connection: Connection, tmp_path: Path):
    backup(connection, tmp_path)
    grow(RedisStore(connection), MATCHES[1], random.Random(55))
    manifest = (tmp_path / MANIFEST).read_bytes()
    backup(connection, tmp_path)
    (tmp_path / MANIFEST).write_bytes(manifest)  # it was killed before it wrote this
    last = max(tmp_path.rglob("*.seg"), key=lambda path: path.stat().st_mtime_ns)
    with last.open("ab") as file:
        file.write(os.urandom(3))
    before = everything(connection)
    assert backup(connection, tmp_path)[1] == 0
    connection.call("FLUSHALL")
    restore(connection, tmp_path)
    assert everything(connection) == before
