"""Segment files: what was synced is there, a torn end is cut, and every changed byte is found."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

import pytest

from ledger.log.format.chain import EMPTY, Tip, link
from ledger.log.stores.disk import DamagedSegment, frames
from ledger.log.stores.protocol import Batch, DamagedLog
from ledger.log.stores.redis.keys import MORE, entries_of, shard_of
from ledger.log.stores.segments import KeptValue, Record, WrittenBatch
from ledger.log.stores.segments.reader import (
    FEED,
    NAME,
    SegmentReader,
    read_heads,
    segment_files,
    shard_folder,
)
from ledger.log.stores.segments.records import read_record, record_bytes
from ledger.log.stores.segments.witness import HeadsLog, SegmentsInUse, SegmentWriter, Witness

NAMES = ("aaaabbbbccccdddd", "aaaabbbbccccdddd/talk")
SHARD = shard_of(NAMES[0])


def made(count: int, seed: int = 0, first: int = 1) -> list[Record]:
    """Records of a shard, one following on the other."""
    rng = random.Random(seed)
    tips = dict.fromkeys(NAMES, EMPTY)
    found: list[Record] = []
    for position in range(1, count + 1):
        name = rng.choice(NAMES)
        if position % 7 == 3:
            found.append(KeptValue(position, NAMES[0], f"field {position}", rng.randbytes(9)))
            continue
        events = []
        before = tips[name]
        for _ in range(rng.choice((1, 1, 2, 5))):
            events.append(link(name, tips[name], rng.randbytes(rng.randint(1, 40))))
            tips[name] = events[-1].tip
        packed = entries_of(Batch(expect=before, events=tuple(events)))
        openings = [rng.choice((b"", rng.randbytes(20))) for _ in events]
        versions = [event.version for event in events]
        found.append(
            WrittenBatch(position, name, tuple(zip(versions, packed, openings, strict=True)))
        )
    return found[first - 1 :]


def written(folder: Path, records: list[Record], *, size: int = 2_000) -> list[Path]:
    """The files of a shard that holds these records."""
    with Witness(folder, size=size) as witness:
        witness.open(SHARD)
        for at in range(0, len(records), 5):
            witness.take(records[at : at + 5])
            witness.sync()
    return segment_files(shard_folder(folder, SHARD))


def read(folder: Path) -> list[Record]:
    return [record for record, _ in SegmentReader(folder, SHARD).checked()]


def test_a_record_is_the_same_again_from_its_bytes():
    for record in made(30):
        assert read_record(record_bytes(record)) == record


def test_a_batch_with_a_gap_is_no_record():
    with pytest.raises(ValueError):
        read_record(record_bytes(WrittenBatch(1, NAMES[0], ((1, b"\0a", b""), (3, b"\0b", b"")))))


def test_what_was_written_is_read_from_as_many_files_as_it_took(tmp_path: Path):
    records = made(120)
    files = written(tmp_path, records)
    assert len(files) > 3
    assert read(tmp_path) == records
    assert next(path.name for path in files) == "000000000001.seg"
    firsts = [read_record(next(frames(path)).record).position for path in files]
    assert [int(path.stem) for path in files] == firsts
    for after in (0, 1, 50, 119, 120):
        assert list(SegmentReader(tmp_path, SHARD).records(after)) == records[after:]


def test_nobody_else_may_read_them(tmp_path: Path):
    for path in written(tmp_path / "segments", made(20)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE((path.parent / NAME).stat().st_mode) == 0o600


def test_only_one_writes_to_a_shard(tmp_path: Path):
    with Witness(tmp_path) as first, Witness(tmp_path) as second:
        first.open(SHARD)
        with pytest.raises(SegmentsInUse):
            second.open(SHARD)
        assert second.open((SHARD + 1) % 16) == 0
        first.release(SHARD)
        assert second.open(SHARD) == 0


def test_a_record_that_does_not_follow_is_refused(tmp_path: Path):
    records = made(10)
    with Witness(tmp_path) as witness:
        witness.open(SHARD)
        witness.take(records[:4])
        with pytest.raises(ValueError):
            witness.take(records[5:6])
        left_out = [one for one in records[4:] if isinstance(one, WrittenBatch)][-1]
        forged = WrittenBatch(5, left_out.name, left_out.entries)
        with pytest.raises(DamagedLog):
            witness.take([forged])
        witness.take(records)  # those that are there already are passed over
        witness.sync()
    assert read(tmp_path) == records


def test_a_witness_knows_what_the_feed_said_last(tmp_path: Path):
    records = made(20)
    with Witness(tmp_path) as witness:
        assert (witness.open(SHARD), witness.feed(SHARD)) == (0, b"")
        for record in records:
            witness.take([record])
            assert witness.feed(SHARD) == record.feed
        witness.sync()
    with Witness(tmp_path) as witness:
        assert (witness.open(SHARD), witness.feed(SHARD)) == (20, records[-1].feed)


def test_a_batch_that_does_not_say_where_it_ends_is_refused(tmp_path: Path):
    [record] = made(1)
    assert isinstance(record, WrittenBatch)
    version, entry, openings = record.entries[-1]
    unended = bytes((entry[0] | MORE,)) + entry[1:]
    forged = WrittenBatch(1, record.name, (*record.entries[:-1], (version, unended, openings)))
    with Witness(tmp_path) as witness:
        witness.open(SHARD)
        with pytest.raises(DamagedLog):
            witness.take([forged])


@pytest.mark.parametrize("size", [700, 1 << 20])
def test_a_torn_end_is_cut_wherever_it_tore(tmp_path: Path, size: int):
    records = made(12)
    whole = written(tmp_path / "whole", records[:10], size=size)[-1]
    packed = whole.read_bytes()
    begins = [0, *(frame.end for frame in frames(whole))]
    for cut in (*range(begins[-2], len(packed), 4), len(packed) - 1):
        folder = tmp_path / f"{cut}"
        torn = written(folder, records[:10], size=size)[-1]
        torn.write_bytes(packed[:cut])
        (torn.parent / NAME).unlink()  # it was not written yet when the writer died
        assert list(SegmentReader(folder, SHARD).records()) == records[:9]
        with Witness(folder, size=size) as witness:
            assert witness.open(SHARD) == 9
            witness.take(records)
            witness.sync()
        assert read(folder) == records


def test_zeros_behind_the_end_are_cut(tmp_path: Path):
    records = made(12)
    path = written(tmp_path, records[:10])[-1]
    with path.open("ab") as file:
        file.write(bytes(4096))
    with Witness(tmp_path) as witness:
        assert witness.open(SHARD) == 10
        witness.take(records)
        witness.sync()
    assert read(tmp_path) == records


def test_an_end_that_heads_log_knows_and_is_gone_is_found(tmp_path: Path):
    path = written(tmp_path, made(10))[-1]
    *_, before, _ = [0, *(frame.end for frame in frames(path))]
    os.truncate(path, before)
    with pytest.raises(DamagedSegment):
        read(tmp_path)
    with Witness(tmp_path) as witness, pytest.raises(DamagedSegment):
        witness.open(SHARD)


def test_every_changed_byte_is_found(tmp_path: Path):
    rng = random.Random(11)
    for path in written(tmp_path, made(30)):
        packed = path.read_bytes()
        for at in range(rng.randrange(5), len(packed), 5):
            flipped = bytearray(packed)
            flipped[at] ^= 1 << rng.randrange(8)
            path.write_bytes(flipped)
            with pytest.raises(DamagedLog):
                read(tmp_path)
        path.write_bytes(packed)
    read(tmp_path)


def test_a_record_that_was_changed_with_its_hash_is_found(tmp_path: Path):
    records = made(20)
    at = next(n for n, one in enumerate(records) if isinstance(one, WrittenBatch) and n > 5)
    old = records[at]
    assert isinstance(old, WrittenBatch)
    version, entry, openings = old.entries[0]
    changed = (version, entry[:-1] + bytes((entry[-1] ^ 1,)), openings)
    records[at] = WrittenBatch(old.position, old.name, (changed, *old.entries[1:]))
    writer = SegmentWriter(tmp_path, SHARD)
    for record in records:
        writer.append(record)
    writer.sync()
    writer.close()
    (tmp_path / "right").mkdir()
    written(tmp_path / "right", made(20))
    heads = shard_folder(tmp_path / "right", SHARD) / NAME
    (shard_folder(tmp_path, SHARD) / NAME).write_bytes(heads.read_bytes())
    with pytest.raises(DamagedSegment):
        read(tmp_path)


@pytest.mark.parametrize("which", [0, 1, -1])
def test_a_file_that_is_gone_is_found(tmp_path: Path, which: int):
    written(tmp_path, made(120))[which].unlink()
    with pytest.raises(DamagedSegment):
        read(tmp_path)


def test_damage_in_the_last_file_is_reported_and_not_cut(tmp_path: Path):
    path = written(tmp_path, made(30))[-1]
    packed = bytearray(path.read_bytes())
    packed[50] ^= 4
    path.write_bytes(packed)
    with Witness(tmp_path) as witness, pytest.raises(DamagedSegment):
        witness.open(SHARD)
    assert path.read_bytes() == packed


def test_a_disk_that_is_full_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    records = made(40)
    with Witness(tmp_path, size=500) as witness:
        witness.open(SHARD)
        witness.take(records[:10])
        witness.sync()
        witness.take(records[10:])
        with monkeypatch.context() as full:
            left = [3]
            real = os.fsync

            def fsync(descriptor: int) -> None:
                left[0] -= 1
                if left[0] < 0:
                    raise OSError(28, "No space left on device")
                real(descriptor)

            full.setattr(os, "fsync", fsync)
            for _ in range(3):
                with pytest.raises(OSError):
                    witness.sync()
        assert len(list(SegmentReader(tmp_path, SHARD).records())) >= 10
        witness.sync()
    assert read(tmp_path) == records


# --- heads.log ------------------------------------------------------------------------------------


def heads_of(records: list[Record]) -> dict[str, int]:
    return {one.name: one.last for one in records if isinstance(one, WrittenBatch)}


def test_the_latest_head_of_each_log_is_in_heads_log(tmp_path: Path):
    records = made(40)
    written(tmp_path, records)
    heads = read_heads(shard_folder(tmp_path, SHARD) / NAME)
    assert heads.pop(FEED).version == 40
    assert {name: tip.version for name, tip in heads.items()} == heads_of(records)
    assert SegmentReader(tmp_path, SHARD).heads() == heads


def test_heads_that_were_not_written_follow_from_the_segments(tmp_path: Path):
    records = made(40)
    path = shard_folder(tmp_path, SHARD) / NAME
    written(tmp_path, records[:20])
    early = path.read_bytes()
    written(tmp_path, records)
    late = read_heads(path)
    for kept in (early, b"", early[: len(early) // 2]):
        path.write_bytes(kept)
        heads = SegmentReader(tmp_path, SHARD).heads()
        assert {**late, **heads} == late
        assert heads_of(records) == {name: tip.version for name, tip in heads.items()}
        with Witness(tmp_path) as witness:
            assert witness.open(SHARD) == 40
            witness.sync()
        assert read_heads(path) == late


def test_a_torn_last_line_does_not_count(tmp_path: Path):
    tips = {f"match-{n}": Tip(n, bytes([n]) * 32) for n in range(1, 4)}
    log = HeadsLog(tmp_path)
    log.note(tips)
    log.close()
    packed = (tmp_path / NAME).read_bytes()
    last = packed[:-1].rfind(b"\n") + 1
    for cut in range(last, len(packed)):
        (tmp_path / NAME).write_bytes(packed[:cut])
        assert read_heads(tmp_path / NAME) == {n: t for n, t in tips.items() if n != "match-3"}
    (tmp_path / NAME).write_bytes(packed + bytes(100))
    assert read_heads(tmp_path / NAME) == tips


def test_every_changed_byte_of_a_whole_line_is_found(tmp_path: Path):
    log = HeadsLog(tmp_path)
    log.note({"match-1": Tip(7, bytes(range(32)))})
    log.close()
    packed = (tmp_path / NAME).read_bytes()
    for at in range(len(packed) - 1):
        flipped = bytearray(packed)
        flipped[at] ^= 2
        (tmp_path / NAME).write_bytes(flipped)
        with pytest.raises(DamagedSegment):
            read_heads(tmp_path / NAME)


def test_the_file_holds_few_lines_that_no_longer_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ledger.log.stores.segments.witness._SPARE_LINES", 50)
    log = HeadsLog(tmp_path)
    for version in range(1, 500):
        log.note({"match-1": Tip(version, bytes(32)), "match-2": Tip(version + 1, bytes(32))})
        assert (tmp_path / NAME).read_bytes().count(b"\n") <= 60
    log.close()
    HeadsLog(tmp_path).close()
    assert (tmp_path / NAME).read_bytes().count(b"\n") == 2
    assert read_heads(tmp_path / NAME)["match-2"] == Tip(500, bytes(32))
