"""`export --events --disclose`: a copy that shows what was chosen, and what others do with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.anchors.notes import receipt_text
from ledger.games import ruleset
from ledger.log.read.bundle import read_history
from tests.services.cli.support.test_anchors import KEY, SIGNER
from tests.support.cli.calls import SEALED, Hegemon


def half_written(hegemon: Hegemon) -> str:
    """A match in which seat 0 has written in secret."""
    match = hegemon.new(*SEALED)
    hegemon.done("decide", match, 0, "write", "cell=4")
    return match


def test_a_copy_shows_what_was_chosen_and_verifies(hegemon: Hegemon) -> None:
    match = half_written(hegemon)
    chosen = ("--as", "all", "--events", "5", "--disclose", "5@0", "--out", "shown.hgm")
    hegemon.done("export", match, *chosen)
    said = hegemon.done("verify", "shown.hgm")
    assert said.out.startswith("VALID AS FAR AS DISCLOSED, NOT ANCHORED:")
    assert "2 of 5 events are in this copy" in said.out
    lines = hegemon.done("events", "shown.hgm").lines
    assert ["body" in line for line in lines] == [True, False, False, False, True]
    assert lines[4]["opened"] == {"5 decision": {"cell": 4, "type": "opening.write"}}
    assert hegemon.done("events", "shown.hgm", "--from", 5).lines == lines[4:]
    whole = hegemon.done("events", match, "--as", "all").lines
    assert [line["head"] for line in lines] == [line["head"] for line in whole]


def test_a_copy_of_a_copy_shows_less(hegemon: Hegemon) -> None:
    match = half_written(hegemon)
    hegemon.done("export", match, "--as", "all", "--events", "4-5", "--out", "first.hgm")
    hegemon.done("export", "first.hgm", "--events", "2-4", "--out", "second.hgm")
    lines = hegemon.done("events", "second.hgm").lines
    assert ["body" in line for line in lines] == [True, False, False, True, False]
    hegemon.refused("export", "first.hgm", "--out", "third.hgm", code=2)
    hegemon.refused("export", "first.hgm", "--events", "all", "--out", "first.hgm", code=2)


def test_an_anchor_vouches_for_a_copy_as_well(hegemon: Hegemon) -> None:
    match = half_written(hegemon)
    hegemon.done("export", match, "--out", "whole.hgm")
    hegemon.done("export", match, "--events", "2", "--out", "shown.hgm")
    with Path("whole.hgm").open("rb") as file:
        events = read_history(file, ruleset).events
    Path("mine.txt").write_text(receipt_text(SIGNER, match, events[-2].tip, events[-1], 1))
    anchored = ("--anchored", "--receipt", "mine.txt", "--key", KEY)
    said = hegemon.done("verify", "shown.hgm", *anchored)
    assert said.out.startswith("VALID AS FAR AS DISCLOSED:")
    other = hegemon.new()
    hegemon.done("export", other, "--events", "1", "--out", "other.hgm")
    hegemon.refused("verify", "other.hgm", *anchored, code=2)


@pytest.mark.parametrize("words", [("show",), ("tell",), ("import",), ("fork",), ("replay",)])
def test_what_needs_every_event_says_that_some_are_withheld(
    hegemon: Hegemon, words: tuple[str, ...]
) -> None:
    match = half_written(hegemon)
    hegemon.done("export", match, "--events", "2", "--out", "shown.hgm")
    assert "withheld" in hegemon.refused(*words, "shown.hgm", code=2)


def test_what_is_no_choice_is_refused(hegemon: Hegemon) -> None:
    match = half_written(hegemon)
    for words in (("--events", "x"), ("--disclose", "5@a"), ("--events", "9-2")):
        hegemon.refused("export", match, *words, "--out", "no.hgm", code=2)
    assert not Path("no.hgm").exists()
