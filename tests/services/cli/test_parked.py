"""Parked matches from the command line."""

from __future__ import annotations

import pytest

from ledger.log.stores.files import FileStore
from tests.support.cli.calls import Hegemon


def test_nothing_is_parked_to_begin_with(hegemon: Hegemon) -> None:
    match = hegemon.new()
    assert hegemon.done("parked").out == "No match is parked.\n"
    assert hegemon.done("parked", "--json").json == {}
    assert hegemon.refused("unpark", match).startswith("hegemon: not_parked")


def test_a_match_that_folds_again_is_unparked(hegemon: Hegemon) -> None:
    match = hegemon.new()
    FileStore(hegemon.data).park(match, b"event 4: a bug of ours")
    assert hegemon.done("parked").out == f"{match}  event 4: a bug of ours\n"
    assert hegemon.done("parked", "--json").json == {match: "event 4: a bug of ours"}
    assert "match_parked" in hegemon.refused("decide", match, 0, "mark", "cell=4")
    assert hegemon.done("unpark", match).out == f"{match} is unparked at event 4.\n"
    hegemon.done("decide", match, 0, "mark", "cell=4")


def test_a_match_that_still_cannot_be_folded_stays_parked(
    hegemon: Hegemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = hegemon.new()
    hegemon.done("decide", match, 0, "mark", "cell=4")
    FileStore(hegemon.data).park(match, b"event 5: engine differs")
    monkeypatch.setattr("ledger.log.read.history.facts_bytes", lambda _: b"other facts")
    said = hegemon.refused("unpark", match)
    assert said.startswith("hegemon: still_parked")
    assert "event 4: Refused: engine_differs" in said
    assert hegemon.done("parked", "--json").json == {match: "event 5: engine differs"}
    hegemon.done("unpark", match, "--anyway")
    assert hegemon.done("parked", "--json").json == {}
