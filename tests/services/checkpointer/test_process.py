"""The process: killed at any moment it goes on, and never signs two stories."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

from ledger.anchors.notes import read_checkpoint
from ledger.anchors.proofs import contradiction
from services.keep.heads.keys import signer_in
from services.keep.heads.tree import HEADS, Tree
from services.run.settings import ROOT
from tests.support.services.browsing import begun
from tests.support.starting import surroundings

KILLS = 6


def started(ledger, folder):
    return subprocess.Popen(
        [sys.executable, "-m", "services.checkpointer"],
        cwd=ROOT,
        env=surroundings(HEGEMON_DATA=str(folder), HEGEMON_LEDGER_URL=ledger.url),
        stderr=subprocess.PIPE,
    )


def test_killed_again_and_again_it_tells_one_story(ledger, store, copied, tmp_path):
    moments = random.Random(7)
    heads = []
    for _ in range(KILLS):
        begun(store)
        copied()
        process = started(ledger, tmp_path)
        time.sleep(moments.uniform(0.15, 0.9))
        process.kill()
        process.communicate()
        note = Tree(tmp_path / HEADS).checkpoint()
        heads += [note] if note else []
    begun(store)
    copied()
    process = started(ledger, tmp_path)
    tree, wanted = Tree(tmp_path / HEADS), sum(store.tip(one).version for one in store.matches())
    until = time.monotonic() + 20
    while tree.signed_size() < wanted and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=10)
    assert process.returncode == 0
    verifier = signer_in(tmp_path).verifier
    last = read_checkpoint(tree.checkpoint(), verifier)
    assert last.size == wanted
    for note in dict.fromkeys(heads):
        head = read_checkpoint(note, verifier)
        proof = tree.consistency(head.size, last.size)
        assert contradiction(head, last, proof) is None


def test_it_ends_in_one_line_where_it_would_contradict_itself(ledger, store, copied, tmp_path):
    begun(store)
    copied()
    process = started(ledger, tmp_path)
    tree = Tree(tmp_path / HEADS)
    until = time.monotonic() + 20
    while not tree.signed_size() and time.monotonic() < until:
        time.sleep(0.05)
    process.kill()
    process.communicate()
    path = tmp_path / HEADS / "tile" / "0" / "000"
    path.write_bytes(bytes(len(path.read_bytes())))
    process = started(ledger, tmp_path)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 4
    assert said.decode().count("\n") == 1
    assert "no longer give" in said.decode()
