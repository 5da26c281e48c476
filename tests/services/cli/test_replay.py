"""`hegemon replay`: a match written down as a page, a picture, text, lines, a table."""

from __future__ import annotations

import hashlib
import io
import json
import struct
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.log.read.bundle import read_history
from ledger.log.read.history import History
from replays.drawing.png import MAGIC
from services.cli.support.sources import history_in
from tests.support.cli.calls import Hegemon
from tests.support.replays.one_file import found


def held(page: str) -> History:
    """The match in the bundle of a page."""
    return read_history(io.BytesIO(found(page, "hegemon-bundle")), ruleset)


@pytest.fixture
def match(hegemon: Hegemon) -> str:
    """A closed match of the store, and the same as match.hgm."""
    match = hegemon.played()
    hegemon.done("close", match)
    hegemon.done("export", match, "--out", "match.hgm")
    return match


def test_a_match_of_the_store_and_its_bundle_give_the_same_page(hegemon: Hegemon, match: str):
    said = hegemon.done("replay", match, "--html", "one.html").out
    assert said.startswith("one.html  10 events, ")
    hegemon.done("replay", "match.hgm", "--html", "other.html")
    assert Path("one.html").read_bytes() == Path("other.html").read_bytes()
    page = Path("one.html").read_text(encoding="utf-8")
    assert json.loads(found(page, "hegemon-replay"))["match"] == match
    assert held(page).events == history_in("match.hgm").events


def test_a_page_says_whose_eyes_it_is_for(hegemon: Hegemon, match: str):
    for viewer, words in (("0", "(seat 0)"), ("all", "all seats"), ("spectator", "a spectator")):
        hegemon.done("replay", match, "--html", "seen.html", "--as", viewer, "--force")
        page = Path("seen.html").read_text(encoding="utf-8")
        assert f'<span class="seen-by">seen by {"" if viewer == "0" else words}' in page
        assert words in page
        assert json.loads(found(page, "hegemon-replay"))["as"] == viewer


def test_a_picture_shows_the_event_that_is_named(hegemon: Hegemon, match: str):
    for at in ("6", "7"):
        hegemon.done("replay", match, "--png", f"{at}.png", "--at", at)
    one, other = Path("6.png").read_bytes(), Path("7.png").read_bytes()
    assert one.startswith(MAGIC)
    assert struct.unpack(">II", one[16:24]) == (1200, 630)
    assert one != other
    hegemon.done("replay", "match.hgm", "--png", "again.png", "--at", "7", "--as", "all")
    assert Path("again.png").read_bytes().startswith(MAGIC)


def test_what_is_printed_is_what_is_written(hegemon: Hegemon, match: str):
    for form in ("text", "json", "ndjson", "csv"):
        printed = hegemon.done("replay", match, f"--{form}").out
        said = hegemon.done("replay", match, f"--{form}", "--out", form).out
        written = Path(form).read_bytes()
        assert printed.removesuffix("\n") == written.decode().removesuffix("\n")
        assert said == f"{form}  sha256 {hashlib.sha256(written).hexdigest()}\n"
    assert hegemon.done("replay", match).out == hegemon.done("replay", match, "--text").out
    lines = [json.loads(line) for line in Path("ndjson").read_text("utf-8").splitlines()]
    assert [line["line"] for line in lines] == ["header", *["event"] * 10, "end"]
    assert len(Path("csv").read_text("utf-8").splitlines()) >= 11


def test_the_document_is_the_one_in_the_page(hegemon: Hegemon, match: str):
    hegemon.done("replay", match, "--json", "--out", "match.json")
    hegemon.done("replay", match, "--html", "match.html")
    page = Path("match.html").read_text(encoding="utf-8")
    assert found(page, "hegemon-replay") == Path("match.json").read_bytes()


def test_a_file_that_is_there_is_not_written_over(hegemon: Hegemon, match: str):
    Path("there").write_text("mine")
    for words in (("--html", "there"), ("--png", "there"), ("--csv", "--out", "there")):
        said = hegemon.refused("replay", match, *words, code=2)
        assert "exists already" in said
        assert Path("there").read_text() == "mine"
    hegemon.done("replay", match, "--csv", "--out", "there", "--force")
    assert Path("there").read_text() != "mine"
    assert "it would be lost" in hegemon.refused(
        "replay", "match.hgm", "--html", "match.hgm", "--force", code=2
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("{m}", "--html", "a", "--png", "b"), 2),
        (("{m}", "--html", "a", "--json"), 2),
        (("{m}", "--html", "a", "--out", "b"), 2),
        (("{m}", "--html", "no/such/folder.html"), 2),
        (("{m}", "--html", ""), 2),
        (("{m}", "--csv", "--at", "3"), 2),
        (("{m}", "--png", "a", "--edition", "printed"), 2),
        (("{m}", "--as", "nobody"), 2),
        (("{m}", "--as", "7"), 1),
        (("{m}", "--png", "a", "--at", "99"), 1),
        (("{m}", "--edition", "none"), 1),
        (("nosuch", "--text"), 1),
        (("nosuch.hgm", "--text"), 2),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(hegemon: Hegemon, match, words, code):
    hegemon.refused("replay", *(match if word == "{m}" else word for word in words), code=code)


def test_the_same_decisions_are_tried_under_another_edition(hegemon: Hegemon, match: str):
    sealed = hegemon.new("--option", "opening=sealed")
    said = hegemon.refused("replay", sealed, "--as", "0", "--edition", "printed")
    assert said.startswith("hegemon: not_disclosed: While a match is being played")
    hegemon.done("replay", match, "--json", "--edition", "printed", "--out", "tried.json")
    assert json.loads(Path("tried.json").read_bytes())["played"] is False


def test_a_damaged_bundle_is_named_and_not_written_down(hegemon: Hegemon, match: str):
    whole = bytearray(Path("match.hgm").read_bytes())
    whole[len(whole) // 2] ^= 1
    Path("match.hgm").write_bytes(whole)
    said = hegemon.refused("replay", "match.hgm", "--html", "a.html", code=4)
    assert "damaged or was tampered with" in said
    assert not Path("a.html").exists()


def test_of_a_running_match_a_spectators_page_holds_no_secret(hegemon: Hegemon):
    match = hegemon.new("--option", "opening=sealed")
    hegemon.done("decide", match, 0, "write", "cell=4")
    for viewer, openings in (("spectator", 0), ("1", 0), ("0", 1)):
        hegemon.done("replay", match, "--html", "a.html", "--as", viewer, "--force")
        page = Path("a.html").read_text(encoding="utf-8")
        assert len(held(page).openings) == openings
        told = json.loads(found(page, "hegemon-replay"))["events"][4]
        assert ("cell" in json.dumps(told["facts"]) and '"cell": 4' in json.dumps(told)) == (
            openings == 1
        )
