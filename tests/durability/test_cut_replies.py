"""Replies that are lost: everybody ends with a definite answer, and nothing is there twice."""

from __future__ import annotations

from pathlib import Path

from tests.support.durability.breaking import CUT_REPLIES, EVERYTHING, broken
from tests.support.servers import Server


def test_three_hundred_cut_replies_double_nothing(ledger: Server, tmp_path: Path):
    seen = broken(ledger.url, tmp_path, "cut replies", CUT_REPLIES, cuts=300, only=b"FCALL")
    print(seen)
    assert seen.storm.wrong == []
    assert seen.storm.open == 0
    assert seen.storm.unknown > 0  # but those who were told so have asked again
    assert seen.cut >= 300


def test_every_fault_at_once_on_every_command(ledger: Server, tmp_path: Path):
    seen = broken(ledger.url, tmp_path, "every fault", EVERYTHING, cuts=150, only=b"")
    print(seen)
    assert seen.storm.wrong == []
    assert seen.storm.open == 0
