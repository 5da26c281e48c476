"""A key that has signed goes on from what it signed, and from nothing else."""

from __future__ import annotations

import shutil

import pytest

from ledger.anchors.proofs import contradiction
from services.checkpointer.loop import BEHIND_SECONDS, SIGNED_KEY, Contradiction
from services.keep.heads.keys import KEY_FILE, key_in, note_signed
from services.keep.heads.tree import HEADS, Tree, carry_heads
from tests.support.services.browsing import begun


def test_a_key_remembers_that_it_has_signed(tmp_path):
    first = key_in(tmp_path)
    assert not first.has_signed
    note_signed(tmp_path)
    note_signed(tmp_path)
    again = key_in(tmp_path)
    assert again.has_signed
    assert again.signer.verifier == first.signer.verifier
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    line = (tmp_path / KEY_FILE).read_text().strip()
    assert key_in(tmp_path / "elsewhere", line).has_signed


def test_a_key_that_has_signed_signs_no_first_head_again(store, copied, opened, tmp_path):
    begun(store)
    copied()
    opened().step()
    shutil.rmtree(tmp_path / HEADS)
    store.connection.call("DEL", SIGNED_KEY)
    with pytest.raises(Contradiction, match="bring back the folder"):
        opened(has_signed=True)


def test_heads_that_were_carried_along_are_gone_on_from(store, copied, opened, tmp_path):
    for _ in range(4):
        begun(store)
    copied()
    first = opened()
    first.step()
    assert carry_heads(tmp_path / HEADS, tmp_path / "backup")
    begun(store)
    copied()
    shutil.rmtree(tmp_path / HEADS)
    store.connection.call("DEL", SIGNED_KEY)
    assert carry_heads(tmp_path / "backup", tmp_path / HEADS)
    second = opened(has_signed=True)
    second.step()
    old, new = first.signed, second.signed
    assert new.size > old.size
    proof = Tree(tmp_path / HEADS).consistency(old.size, new.size)
    assert contradiction(old, new, proof) is None


def test_a_folder_without_heads_carries_none(tmp_path):
    assert not carry_heads(tmp_path / "nothing", tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_a_second_copy_takes_over_what_has_come_since(store, copied, opened, tmp_path):
    begun(store)
    copied()
    opened().step()
    carry_heads(tmp_path / HEADS, tmp_path / "backup")
    begun(store)
    copied()
    opened().step()
    carry_heads(tmp_path / HEADS, tmp_path / "backup")
    here, there = Tree(tmp_path / HEADS), Tree(tmp_path / "backup")
    assert there.state == here.state
    assert there.checkpoint() == here.checkpoint()
    assert there.root(there.state.size) == here.root(here.state.size)


@pytest.mark.parametrize("left", ["some", "none"])
def test_a_ledger_that_is_older_than_what_was_signed_is_noticed(
    store, copied, opened, tmp_path, left
):
    now = [0.0]
    begun(store)
    copied()
    shutil.copytree(tmp_path / "segments", tmp_path / "older")
    opened().step()
    for _ in range(6):
        begun(store)
    copied()
    opened().step()
    shutil.rmtree(tmp_path / "segments")
    if left == "some":
        shutil.copytree(tmp_path / "older", tmp_path / "segments")
    else:
        (tmp_path / "segments").mkdir()
    third = opened(lambda: now[0])
    third.step()  # after a power cut the segments may only have to be copied anew
    now[0] += BEHIND_SECONDS + 1
    with pytest.raises(Contradiction, match="older than the signed head"):
        third.step()
