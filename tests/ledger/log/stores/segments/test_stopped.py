"""Segments whose writer was stopped, or whose disk refused, at the worst moment; their rights."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from ledger.log.format.chain import Tip
from ledger.log.stores.disk import DamagedSegment
from ledger.log.stores.redis.keys import shard_of
from ledger.log.stores.segments import KeptValue, Witness
from ledger.log.stores.segments.reader import (
    FEED,
    NAME,
    SegmentReader,
    read_heads,
    segment_files,
    shard_folder,
    shards_in,
)
from ledger.log.stores.segments.witness import HeadsLog, SegmentsInUse, SegmentWriter

MATCH = "aaaabbbbccccdddd"
SHARD = shard_of(MATCH)
VALUES = [KeptValue(n, MATCH, f"field {n}", b"x" * 40) for n in range(1, 8)]
SMALL = 250  # bytes: two or three records


class Stopped(Exception):
    """The process ends here."""


def stop(*_: object) -> None:
    raise Stopped


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


# --- stopped as a file begins ---------------------------------------------------------------------


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Segments whose last file was made, and whose writer was stopped at that."""
    with Witness(tmp_path, size=SMALL) as witness:
        witness.open(SHARD)
        witness.take(VALUES[:2])
        witness.sync()
        witness.take(VALUES[2:])
        with monkeypatch.context() as stopped:
            make = SegmentWriter._open

            def open_and_stop(self: SegmentWriter, begins: int, end: int) -> None:
                make(self, begins, end)
                raise Stopped

            stopped.setattr(SegmentWriter, "_open", open_and_stop)
            with pytest.raises(Stopped):
                witness.sync()
    assert segment_files(shard_folder(tmp_path, SHARD))[-1].stat().st_size == 0
    return tmp_path


def test_a_last_file_without_a_record_leaves_the_one_before_as_the_end(begun: Path):
    for _ in range(2):  # whoever opens it notes the end, and whoever comes next believes that
        with Witness(begun, size=SMALL) as witness:
            assert witness.open(SHARD) == 3
            witness.sync()
    *_, end = SegmentReader(begun, SHARD).placed()
    assert read_heads(shard_folder(begun, SHARD) / NAME)[FEED] == Tip(3, end.frame.digest)


def test_a_last_file_without_a_record_is_filled(begun: Path):
    with Witness(begun, size=SMALL) as witness:
        witness.open(SHARD)
        witness.take(VALUES)
        witness.sync()
    assert [record for record, _ in SegmentReader(begun, SHARD).checked()] == VALUES


# --- heads.log on a disk that is full -------------------------------------------------------------


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def noted(log: HeadsLog, version: int) -> None:
    log.note({"match-1": Tip(version, bytes(32))})


@pytest.mark.parametrize("failing", ["write_all", "os.fsync", "Path.rename"])
def test_heads_that_could_not_be_written_anew_are_kept_and_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
):
    monkeypatch.setattr("ledger.log.stores.segments.witness._SPARE_LINES", 3)
    log = HeadsLog(tmp_path)
    for version in range(1, 6):
        noted(log, version)
    path, before = tmp_path / NAME, open_files()
    with monkeypatch.context() as refusing:
        # What fails is only the writing anew: the line itself was added before it.
        real = HeadsLog._rewrite

        def rewrite(self: HeadsLog) -> None:
            refusing.setattr(f"ledger.log.stores.disk.{failing}", full)
            real(self)

        refusing.setattr(HeadsLog, "_rewrite", rewrite)
        with pytest.raises(OSError):
            noted(log, 6)
    assert open_files() == before
    assert [one.name for one in tmp_path.iterdir()] == [NAME]
    assert read_heads(path)["match-1"].version == 6
    for version in range(7, 30):
        noted(log, version)
        assert read_heads(path)["match-1"].version == version
        assert path.read_bytes().count(b"\n") <= 6
    log.close()


def test_heads_whose_folder_could_not_be_synced_go_to_the_file_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ledger.log.stores.segments.witness._SPARE_LINES", -1)
    log = HeadsLog(tmp_path)
    with monkeypatch.context() as refusing:
        refusing.setattr("ledger.log.stores.segments.witness.sync_folder", full)
        with pytest.raises(OSError):
            for version in range(1, 9):
                noted(log, version)
    noted(log, 9)
    log.close()
    assert read_heads(tmp_path / NAME)["match-1"].version == 9


def test_a_shard_is_let_go_whole_even_if_its_heads_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    witness = Witness(tmp_path)
    witness.open(SHARD)
    with monkeypatch.context() as failing:
        failing.setattr(HeadsLog, "close", stop)
        with pytest.raises(Stopped):
            witness.close()
    with Witness(tmp_path) as another:
        assert another.open(SHARD) == 0  # the lock is free
        with Witness(tmp_path) as third, pytest.raises(SegmentsInUse):
            third.open(SHARD)


# --- files that are gone --------------------------------------------------------------------------


def test_a_shard_whose_files_are_gone_is_no_empty_shard(tmp_path: Path):
    with Witness(tmp_path) as witness:
        witness.open(SHARD)
        witness.open((SHARD + 1) % 16)  # nothing was ever written here
        witness.take(VALUES)
        witness.sync()
    for path in segment_files(shard_folder(tmp_path, SHARD)):
        path.unlink()
    assert shards_in(tmp_path) == [SHARD]
    for look in (SegmentReader.heads, lambda reader: list(reader.checked())):
        with pytest.raises(DamagedSegment, match=r"ends at 0: heads\.log knows 7 records"):
            look(SegmentReader(tmp_path, SHARD))


def test_a_file_that_has_come_after_the_reader_is_read(tmp_path: Path):
    with Witness(tmp_path, size=SMALL) as witness:
        witness.open(SHARD)
        witness.take(VALUES[:2])
        witness.sync()
        early = [SegmentReader(tmp_path, SHARD) for _ in range(2)]
        witness.take(VALUES[2:])
        witness.sync()
    assert early[0].heads() == {}
    assert [record for record, _ in early[1].checked()] == VALUES


# --- rights ---------------------------------------------------------------------------------------


def modes(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder.parent)): stat.S_IMODE(path.stat().st_mode)
        for path in (folder, *folder.rglob("*"))
    }


def test_folders_that_are_made_are_their_owners_alone(tmp_path: Path):
    before = os.umask(0o022)
    try:
        with Witness(tmp_path / "a backup" / "segments") as witness:
            witness.open(SHARD)
            witness.take(VALUES)
            witness.sync()
    finally:
        os.umask(before)
    found = modes(tmp_path / "a backup")
    assert {mode for name, mode in found.items() if not Path(name).suffix} == {0o700}
    assert {mode for name, mode in found.items() if Path(name).suffix} == {0o600}


def test_what_was_opened_to_others_is_closed_to_them_again(tmp_path: Path):
    folder = tmp_path / "segments"
    with Witness(folder) as witness:
        witness.open(SHARD)
        witness.take(VALUES[:3])
        witness.sync()
    right = modes(folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    assert modes(folder) != right
    with Witness(folder) as witness:
        witness.open(SHARD)
        assert modes(folder) == right
