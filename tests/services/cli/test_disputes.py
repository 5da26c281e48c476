"""Disputes on the command line, on a data folder that has servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.run.servers import EmbeddedServers
from tests.support.cli.calls import SEALED, Hegemon


@pytest.fixture
def served(hegemon: Hegemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hegemon]:
    with EmbeddedServers(tmp_path / "data") as servers:
        servers.announce()
        monkeypatch.setenv("HEGEMON_DATA", str(servers.folder.parent))
        yield Hegemon(servers.folder.parent, hegemon.capsys)


def test_a_dispute_from_the_claim_to_the_ruling(served: Hegemon, tmp_path: Path):
    made = served("new", "tictactoe", "--player", "Ann", "--player", "Bob")
    match = made.out.strip()
    for seat, cell in ((0, 4), (1, 0)):
        assert served("decide", match, seat, "mark", f"cell={cell}").code == 0
    said = ("--first", 5, "--words", "the hand slipped", "--seat", 1)
    filed = served("dispute", match, *said)
    assert (filed.code, filed.out.strip()) == (0, "d1"), filed
    assert "waits for a ruling" in served("disputes", match).out

    everything = served("dossier", match, "d1")
    found = json.loads(everything.out)
    assert (found["as"], found["claim"]["words"]) == ("all", "the hand slipped")
    assert json.loads(served("dossier", match, "d1", "--as", 0).out)["as"] == "0"
    html = tmp_path / "dossier.html"
    assert served("dossier", match, "d1", "--html", html).code == 0
    assert "the hand slipped" in html.read_text("utf-8")

    ruling = ("rule", match, "d1", "upheld", "--reason", "it did", "--rule", "play.turn")
    assert served(*ruling, "--rewind", 99).code == 1
    assert served(*ruling[:-1], "no.rule").code == 1
    assert served(*ruling, "--rewind", 4, "--note", "once").code == 2
    dismissed = ("dismissed" if word == "upheld" else word for word in ruling)
    assert served(*dismissed, "--rewind", 4).code == 2
    ruled = served(*ruling, "--rewind", 4)
    assert ruled.code == 0, ruled
    again = served(*ruling, "--rewind", 4)  # nobody has appealed
    assert (again.code, "dispute_over" in again.err) == (1, True)
    assert "remedy: rewind 4" in served("disputes", "--rule", "play.turn").out
    assert served("disputes", "--rule", "play.none").out == ""
    done = served("operations", match).out
    assert "Dispute d1 is upheld: it did." in done
    assert "Back to event 4: it did." in done


def test_a_folder_of_files_has_no_book_for_a_claim(hegemon: Hegemon):
    match = hegemon("new", "tictactoe", *SEALED).out.strip()
    refused = hegemon("dispute", match, "--first", 2, "--words", "no")
    assert refused.code == 1
    assert "no_table" in refused.err
    assert hegemon("disputes", match).code == 0
