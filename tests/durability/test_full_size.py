"""The full sizes: hours of what the other tests do in seconds. See measuring.py."""

from __future__ import annotations

import pytest

from tests.support.durability import measuring
from tests.support.durability.measuring import CUTS, EVENTS, KILLS, OFFSETS, ROUNDS, SEED
from tests.support.durability.slowing import can_slow
from tests.support.servers import programs

pytestmark = [
    pytest.mark.full,
    pytest.mark.timeout(7_200),
    pytest.mark.parametrize("server", programs()),
]


def test_three_hundred_kills_lose_double_and_reorder_nothing(server: str):
    found = measuring.kills(server, SEED)
    assert [text for piece in found.pieces for text in piece.wrong] == []
    assert sum(sum(piece.killed.values()) for piece in found.pieces) >= ROUNDS * KILLS == 300
    assert found.sum("acknowledged")[0] >= ROUNDS * EVENTS > 200_000


def test_a_hundred_kills_leave_matches_that_verify(server: str):
    found = measuring.players(server, SEED)
    assert [text for piece in found.pieces for text in piece.wrong] == []


@pytest.mark.skipif(not can_slow(), reason="strace, which slows the disk down, is not here")
def test_always_loses_nothing_however_slow_the_disk(server: str):
    found = measuring.losses(server, SEED)
    assert [text for piece in found.pieces for text in piece.wrong] == []
    assert sum(piece.lost for piece in found.pieces if piece.policy == "always") == 0


def test_two_thousand_cut_replies_double_nothing(server: str):
    found = measuring.replies(server, SEED)
    storms = [piece.storm for piece in found.pieces]
    assert [text for storm in storms for text in storm.wrong] == []
    assert sum(storm.open for storm in storms) == 0
    assert found.sum("cut")[0] >= CUTS


def test_a_file_cut_at_three_hundred_places_leaves_a_prefix(server: str):
    found = measuring.cuts(server, SEED)
    assert [text for piece in found.pieces for text in piece.wrong] == []
    assert len({piece.offset for piece in found.pieces}) == OFFSETS
