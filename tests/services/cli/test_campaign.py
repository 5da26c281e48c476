"""A campaign of Galactic Hegemony from the command line: played, verified, told, shown."""

from __future__ import annotations

import re

import pytest

from tests.support.cli.calls import Hegemon

PLAY = "play galactic_hegemony --seats 1 --bots greedy --seed 11 --out F.hgm"


@pytest.fixture
def events(hegemon: Hegemon) -> int:
    """Plays it; gives the number of its events."""
    out = hegemon.done(*PLAY.split()).out
    return int(re.search(r": (\d+) events, won by ", out)[1])


def test_it_verifies_and_its_dice_and_tiles_are_recomputed(hegemon: Hegemon, events: int):
    lines = hegemon.done("verify", "F.hgm").out.splitlines()
    assert lines[0].startswith("VALID, NOT ANCHORED: ")
    (chance,) = (line for line in lines if line.split()[0] == "chance")
    assert re.fullmatch(r"  chance    ok: dice: \d+ recomputed, deck.tiles: \d+ recomputed", chance)


def test_the_report_has_a_sentence_for_every_event(hegemon: Hegemon, events: int):
    lines = hegemon.done("tell", "F.hgm").out.splitlines()
    assert len(lines) == events
    told = [re.fullmatch(r" *(\d+)  (.+)", line) for line in lines]
    assert [int(one[1]) for one in told] == list(range(1, events + 1))
    for _, sentence in (one.groups() for one in told):
        assert re.match(r"[A-Z0-9]|greedy bot 0 takes", sentence)
        assert not re.search(r"[{}<>]|None|hidden|  ", sentence), sentence
    whole = " ".join(one[2] for one in told)
    for turn in range(1, 11):
        assert f"Turn {turn} begins. Phase 1, Move Saboteurs." in whole
    assert told[-1][2].startswith("The match is closed: ")


def test_every_position_can_be_shown(hegemon: Hegemon, events: int):
    for version in (*range(1, 60, 7), *range(60, events, 30), events):
        lines = hegemon.done("show", "F.hgm", "--at", version).out.splitlines()
        assert f" after event {version}" in lines[0]
        if version > 3:
            rows = [line for line in lines if re.fullmatch(r"  [ .?A-Za-z0-9]+", line)]
            assert sum(row.count(" .") for row in rows) >= 30, "a map of sixty hexes"
    assert lines[-1].startswith("ended: ")
