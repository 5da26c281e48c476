"""The sample match: made once, found again, and made whole where it was interrupted."""

import contextlib

import pytest

from ledger.games import ruleset
from ledger.kernel.records import tag_of
from ledger.log.read.bundle import read_history
from ledger.log.read.history import History
from ledger.log.stores.files import FileStore
from ledger.log.write.journal import Journal
from replays.verify.verifier import verify
from services.matches import samples
from services.matches.play import surroundings
from services.matches.samples import (
    FLAGSHIP,
    MAKER,
    PLAN,
    ensure_flagship,
    ensure_sample,
    ensure_samples,
    flagship_id,
    sample_id,
)


def history_of(data, match):
    return History.of(FileStore(data), match, ruleset)


def test_the_first_start_plays_a_finished_match(tmp_path):
    match = ensure_sample(FileStore(tmp_path), tmp_path)
    history = history_of(tmp_path, match)
    assert history.life.closed
    assert history.created.title == "Sample match"
    assert history.created.options == dict(PLAN.options)
    assert history.created.options["opening"] == "sealed"
    assert [history.life.joined[seat].name for seat in (0, 1)] == ["greedy bot", "random bot"]
    assert history.at().ended


def test_the_folder_may_be_missing(tmp_path):
    assert ensure_sample(FileStore(tmp_path), tmp_path / "not" / "there")


def test_the_second_start_finds_it(tmp_path):
    match = ensure_sample(FileStore(tmp_path), tmp_path)
    log = (tmp_path / "matches" / match / "log").read_bytes()
    assert ensure_sample(FileStore(tmp_path), tmp_path) == match
    assert FileStore(tmp_path).matches() == [match]
    assert (tmp_path / "matches" / match / "log").read_bytes() == log


def test_it_is_found_without_the_note(tmp_path):
    match = ensure_sample(FileStore(tmp_path), tmp_path)
    (tmp_path / "sample").unlink()
    assert ensure_sample(FileStore(tmp_path), tmp_path) == match
    assert sample_id(tmp_path) == match


@pytest.mark.parametrize(
    "note", [b"", b"../../etc", b"\xff\xfe", b"a" * 1000, b"UPPER", b"nosuchmatch", b"a/b\n"]
)
def test_a_spoiled_note_is_not_believed(tmp_path, note):
    match = ensure_sample(FileStore(tmp_path), tmp_path)
    (tmp_path / "sample").write_bytes(note)
    assert ensure_sample(FileStore(tmp_path), tmp_path) == match


def test_a_note_that_names_another_match_is_not_believed(tmp_path):
    other = Journal.create(surroundings(FileStore(tmp_path)), PLAN).match_id
    (tmp_path / "sample").write_text(other)
    assert ensure_sample(FileStore(tmp_path), tmp_path) != other


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("appends", range(12))
def test_an_interrupted_start_is_made_whole(tmp_path, monkeypatch, appends):
    whole = FileStore.append
    left = iter(range(appends))

    def append(store, match, batch):
        if next(left, None) is None:
            raise Interrupted
        return whole(store, match, batch)

    with monkeypatch.context() as patched:
        patched.setattr(FileStore, "append", append)
        # A match can be over in fewer appends than this: then nothing is interrupted.
        with contextlib.suppress(Interrupted):
            ensure_sample(FileStore(tmp_path), tmp_path)
    match = ensure_sample(FileStore(tmp_path), tmp_path)
    assert history_of(tmp_path, match).life.closed
    assert FileStore(tmp_path).matches() == [match]


def test_interrupted_before_the_note(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(samples, "_remember", lambda *_: (_ for _ in ()).throw(Interrupted))
        with pytest.raises(Interrupted):
            ensure_sample(FileStore(tmp_path), tmp_path)
    match = ensure_sample(FileStore(tmp_path), tmp_path)
    assert FileStore(tmp_path).matches() == [match]


def test_a_damaged_sample_is_replaced(tmp_path):
    match = ensure_sample(FileStore(tmp_path), tmp_path)
    log = tmp_path / "matches" / match / "log"
    packed = bytearray(log.read_bytes())
    packed[100] ^= 1
    log.write_bytes(packed)
    assert ensure_sample(FileStore(tmp_path), tmp_path) not in (match, "")


def test_an_unfinished_sample_whose_secrets_are_lost_is_replaced(tmp_path):
    journal = Journal.create(surroundings(FileStore(tmp_path)), PLAN, MAKER)
    (tmp_path / "matches" / journal.match_id / "kept" / "secrets").unlink()
    assert ensure_sample(FileStore(tmp_path), tmp_path) != journal.match_id


# --- the flagship's -------------------------------------------------------------------------------


def test_the_flagship_comes_with_the_program_and_verifies():
    with FLAGSHIP.open("rb") as bundle:
        report = verify(bundle, ruleset)
    assert report.verdict == "VALID, NOT ANCHORED", (
        "its rules have changed: services/matches/samples.py says how to make it anew"
    )
    assert report.ruleset == "hegemonic"


def test_four_greedy_bots_have_played_it_to_its_end_and_much_happens_in_it(tmp_path):
    history = history_of(tmp_path, ensure_flagship(FileStore(tmp_path)))
    assert (history.life.closed is not None, history.created.seats) == (True, 4)
    kinds = [tag_of(type(fact)) for moment in history.replay() for fact in moment.facts]
    assert kinds.count("conflict.begun") >= 12
    assert {"deal.accepted", "tech.advanced", "piece.gate-placed"} <= set(kinds)


def test_both_samples_are_there_after_the_first_start_and_once_after_the_second(tmp_path):
    for _ in range(2):
        ensure_samples(FileStore(tmp_path), tmp_path)
        matches = FileStore(tmp_path).matches()
        assert sorted(matches) == sorted((flagship_id(), sample_id(tmp_path)))


def test_a_flagship_that_was_put_in_by_half_is_made_whole(tmp_path):
    class Full(FileStore):
        appended = 0

        def append(self, match, batch):
            Full.appended += 1
            if Full.appended > 1:
                raise Interrupted
            return super().append(match, batch)

    with pytest.raises(Interrupted):
        ensure_flagship(Full(tmp_path))
    assert 0 < FileStore(tmp_path).tip(flagship_id()).version < history_events()
    assert history_of(tmp_path, ensure_flagship(FileStore(tmp_path))).life.closed


def history_events():
    with FLAGSHIP.open("rb") as bundle:
        return read_history(bundle, ruleset).tip.version
