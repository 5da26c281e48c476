"""`hegemon deals`: what became of the deals of a match, for one viewer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from replays.deals.statements import deals_of, pack_deals_report, text
from tests.support.cli.calls import Hegemon
from tests.support.log.matches import bundled
from tests.support.replays.bargaining import SECRET, played
from tests.support.replays.gathered import flagship


@pytest.fixture
def bundle(hegemon: Hegemon) -> str:
    """The match with all kinds of deals, every opening in it."""
    Path("deals.hgm").write_bytes(bundled(played().history))
    return "deals.hgm"


@pytest.mark.parametrize("viewer", ["0", "1", "spectator", "all"])
def test_it_says_what_the_report_says(hegemon: Hegemon, bundle: str, viewer: str):
    eyes = {"all": "all", "spectator": None}.get(viewer, viewer)
    report = deals_of(played().history, int(eyes) if eyes in ("0", "1") else eyes)  # type: ignore[arg-type]
    said = hegemon.done("deals", bundle, "--as", viewer).out
    assert said == text(report) + "\n"
    assert (SECRET in said) == (viewer in ("0", "all"))
    in_json = hegemon.done("deals", bundle, "--as", viewer, "--json").out
    assert in_json.encode() == pack_deals_report(report) + b"\n"


def test_without_a_word_it_is_for_a_spectator(hegemon: Hegemon, bundle: str):
    assert json.loads(hegemon.done("deals", bundle, "--json").out)["as"] == "spectator"


def test_a_match_of_the_store_is_read_too(hegemon: Hegemon, bundle: str):
    hegemon.done("import", bundle)
    match = played().history.match
    from_store = hegemon.done("deals", match, "--as", "all", "--json").out
    assert from_store == hegemon.done("deals", bundle, "--as", "all", "--json").out


def test_of_a_running_match_a_viewer_has_no_more_than_was_opened_to_them(hegemon: Hegemon):
    Path("mine.hgm").write_bytes(bundled(played().history, 2))
    said = hegemon.done("deals", "mine.hgm", "--as", "2").out
    assert "0 deals" in said
    assert "from event 12 on, this reader may not see everything" in said  # another's hand


def test_a_closed_match_has_all_its_deals_in_everybody_s_bundle(hegemon: Hegemon):
    Path("open.hgm").write_bytes(bundled(flagship(), None))
    read = hegemon.done("deals", "open.hgm", "--json").out
    assert read.encode() == pack_deals_report(deals_of(flagship(), None)) + b"\n"
    assert json.loads(read)["lost"] is None
    assert len(json.loads(read)["deals"]) == 40


def test_a_game_without_deals_says_so(hegemon: Hegemon):
    match = hegemon.played()
    assert "0 deals, 0 made; promises: none" in hegemon.done("deals", match).out


@pytest.mark.parametrize(
    ("words", "code"), [(("nosuchmatch",), 1), (("deals.hgm", "--as", "7"), 1), ((), 2)]
)
def test_what_cannot_be_listed_has_its_exit_code(hegemon: Hegemon, bundle: str, words, code):
    hegemon.refused("deals", *words, code=code)


def test_an_altered_bundle_is_not_listed(hegemon: Hegemon, bundle: str):
    held = bytearray(Path(bundle).read_bytes())
    held[len(held) // 2] ^= 1
    Path("altered.hgm").write_bytes(held)
    hegemon.refused("deals", "altered.hgm", code=4)
