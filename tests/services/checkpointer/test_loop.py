"""Heads are signed over all events of all matches, and never against what was signed before."""

from __future__ import annotations

import shutil

import pytest

from ledger.anchors.notes import leaf_of, read_checkpoint
from ledger.anchors.proofs import contradiction, proof_text, read_proof
from ledger.anchors.trees import root
from ledger.log.format.chain import Tip
from services.checkpointer.loop import BEHIND_SECONDS, SIGNED_KEY, Contradiction
from services.keep.heads.keys import KEY_FILE, key_in, note_signed
from services.keep.heads.tree import (
    HEADS,
    WIDTH,
    DamagedTiles,
    Place,
    Tiles,
    Tree,
    TreeInUse,
    TreeWriter,
    carry_heads,
    tile_path,
)
from services.matches.play import play_on
from tests.support.services.browsing import begun


def heads_in(store):
    """Every event of every match, by the store itself."""
    return [(match, event.tip) for match in store.matches() for event in store.events(match)]


def test_every_event_of_every_match_is_under_the_signed_head(
    store, copied, opened, tmp_path, signer
):
    matches = [begun(store).match_id for _ in range(3)]
    copied()
    checkpointer = opened()
    assert checkpointer.step() == len(heads_in(store))
    tree = Tree(tmp_path / HEADS)
    note = tree.checkpoint()
    head = read_checkpoint(note, signer.verifier)
    assert head.size == len(heads_in(store)) > 3 * len(matches)
    for match, tip in heads_in(store):
        place = tree.places.find(match, tip.version, head.size)
        shown = tree.inclusion(place.leaf, head.size)
        text = proof_text(match, tip.version, place.leaf, shown, note)
        read_proof(text, signer.verifier).check(tip.head)


def test_a_head_is_signed_when_something_came_and_not_otherwise(store, copied, opened, tmp_path):
    now = [100.0]
    begun(store)
    copied()
    checkpointer = opened(lambda: now[0])
    checkpointer.step()
    first = checkpointer.signed
    now[0] += 60
    checkpointer.step()
    assert checkpointer.signed is first
    begun(store)
    copied()
    now[0] += 1
    checkpointer.step()
    assert checkpointer.signed.size > first.size
    tree = Tree(tmp_path / HEADS)
    proof = tree.consistency(first.size, checkpointer.signed.size)
    assert contradiction(first, checkpointer.signed, proof) is None


def test_few_events_wait_for_the_next_head(store, copied, opened):
    now = [100.0]
    begun(store)
    copied()
    checkpointer = opened(lambda: now[0])
    checkpointer.step()
    signed = checkpointer.signed
    begun(store)
    copied()
    now[0] += 1
    assert checkpointer.step() > 0
    assert checkpointer.signed is signed
    now[0] += 5
    checkpointer.step()
    assert checkpointer.signed.size > signed.size


def test_what_is_said_at_tables_and_books_are_no_leaves(store, copied, opened, tmp_path):
    from services.matches.club import Club, founders_link

    founders_link(Club(store))
    copied()
    checkpointer = opened()
    assert checkpointer.step() == 0
    assert checkpointer.signed is None
    assert Tree(tmp_path / HEADS).state.read


def test_a_checkpointer_that_starts_again_goes_on(store, copied, opened, tmp_path):
    begun(store)
    copied()
    opened().step()
    begun(store)
    copied()
    second = opened()
    second.step()
    assert second.signed.size == len(heads_in(store))
    leaves = sorted(leaf_of(match, tip) for match, tip in heads_in(store))
    tiles = Tiles(tmp_path / HEADS)
    assert sorted(tiles.hash(0, index) for index in range(second.signed.size)) == leaves


def test_what_was_written_and_does_not_count_is_cut_off(store, copied, opened, tmp_path):
    begun(store)
    copied()
    checkpointer = opened()
    checkpointer.step()
    size = checkpointer.signed.size
    Tiles(tmp_path / HEADS).add(size, [number.to_bytes(32, "big") for number in range(300)])
    again = opened()
    assert not (tmp_path / HEADS / tile_path(0, 1)).exists()
    begun(store)
    copied()
    again.step()
    assert again.tree.root(size) == checkpointer.signed.root
    assert again.tree.now.size == len(heads_in(store))


def test_nothing_is_signed_over_a_tree_that_has_gone_back(store, copied, opened, tmp_path):
    begun(store)
    copied()
    opened().step()
    shutil.copytree(tmp_path / HEADS, tmp_path / "old")
    begun(store)
    copied()
    opened().step()
    shutil.rmtree(tmp_path / HEADS)
    shutil.copytree(tmp_path / "old", tmp_path / HEADS)
    # The segments still have it all: what was signed follows from them again.
    again = opened()
    assert again.signed.size == len(heads_in(store))
    shutil.rmtree(tmp_path / HEADS)
    shutil.copytree(tmp_path / "old", tmp_path / HEADS)
    shutil.rmtree(tmp_path / "segments")
    (tmp_path / "segments").mkdir()
    with pytest.raises(Contradiction, match="are left"):
        opened()


def test_nothing_is_signed_over_other_events_than_before(store, copied, opened, tmp_path):
    begun(store)
    copied()
    signed = opened().step()
    shutil.rmtree(tmp_path / HEADS)
    tree = TreeWriter(tmp_path / HEADS)
    other = [Place("other", Tip(at + 1, bytes([at]) * 32), at) for at in range(signed)]
    tree.add(other, {str(shard): 1 << 20 for shard in range(16)})
    tree.close()
    with pytest.raises(Contradiction, match="differ from the signed ones"):
        opened()


def test_a_changed_tile_is_found_before_anything_is_signed(store, copied, opened, tmp_path):
    begun(store)
    copied()
    checkpointer = opened()
    checkpointer.step()
    path = tmp_path / HEADS / tile_path(0, 0)
    held = bytearray(path.read_bytes())
    held[5] ^= 1
    path.write_bytes(held)
    with pytest.raises(Contradiction):
        checkpointer.sign()
    with pytest.raises(DamagedTiles):
        opened()


def test_a_note_of_another_key_is_not_gone_on_from(store, copied, opened, tmp_path):
    begun(store)
    copied()
    opened().step()
    note = store.connection.call("GET", SIGNED_KEY).decode()
    store.connection.call("SET", SIGNED_KEY, note.replace("— hegemon", "— hegemonx"))
    with pytest.raises(Contradiction, match="cannot be read"):
        opened()


def test_two_cannot_write_one_tree(tmp_path):
    first = TreeWriter(tmp_path / "t")
    with pytest.raises(TreeInUse):
        TreeWriter(tmp_path / "t")
    first.close()
    TreeWriter(tmp_path / "t").close()


@pytest.mark.parametrize("parts", [[1], [255, 1, 1], [256, 256], [1000, 7, 300], [70_000]])
def test_the_tiles_come_to_the_root_however_the_leaves_came(tmp_path, parts):
    tiles, leaves = Tiles(tmp_path), []
    for part in parts:
        new = [(len(leaves) + number).to_bytes(32, "big") for number in range(part)]
        tiles.add(len(leaves), new)
        leaves += new
    level, wanted = list(leaves), {}
    for height in range(3):
        wanted[height] = list(level)
        while len(level) % WIDTH:
            level.pop()
        whole = len(level) // WIDTH
        level = [tiles.hash(8 * (height + 1), number) for number in range(whole)]
    from ledger.anchors.trees import node_hash

    def over(height, index):
        if height == 0:
            return leaves[index]
        return node_hash(over(height - 1, 2 * index), over(height - 1, 2 * index + 1))

    assert root(tiles.hash, len(leaves)) == root(over, len(leaves))


def test_where_a_tile_lies():
    assert tile_path(0, 7) == "tile/0/007"
    assert tile_path(2, 1_234_067) == "tile/2/x001/x234/067"


def test_a_whole_match_is_signed(store, copied, opened):
    journal = begun(store)
    play_on(journal, {0: "random", 1: "random"})
    copied()
    checkpointer = opened()
    assert checkpointer.step() == journal.history.tip.version > 6


def test_a_leaf_that_was_changed_in_a_whole_tile_is_found_at_the_start(tmp_path):
    """The root is made of the hash above a whole tile, so the leaves are looked at as well."""
    tree = TreeWriter(tmp_path / "heads")
    tree.add([Place("m", Tip(at + 1, bytes([at % 256]) * 32), at) for at in range(WIDTH + 3)], {})
    tree.close()
    path = tmp_path / "heads" / tile_path(0, 0)
    held = bytearray(path.read_bytes())
    held[7] ^= 1
    path.write_bytes(held)
    with pytest.raises(DamagedTiles, match="the hash above it"):
        TreeWriter(tmp_path / "heads")


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
