"""matches, show, events, tell and options: what is read, and through whose eyes."""

from __future__ import annotations

import json

import pytest

from ledger.log.format.canonical import decode
from ledger.log.format.chain import SEALED_PATH, unpad_value
from services.cli.support.words import format_decision
from tests.support.cli.calls import SEALED, Hegemon

VIEWERS = ("spectator", "0", "1")


@pytest.fixture
def sealed(hegemon: Hegemon) -> str:
    """A match in which seat 0 has written down the centre, and seat 1 nothing yet."""
    match = hegemon.new(*SEALED)
    hegemon.done("decide", match, 0, "write", "cell=4")
    return match


def test_an_empty_store_has_no_matches(hegemon: Hegemon) -> None:
    assert hegemon.done("matches").out == hegemon.done("matches", "--json").out == ""


def test_matches_say_how_far_they_are(hegemon: Hegemon) -> None:
    running, closed = hegemon.new(), hegemon.played()
    hegemon.done("close", closed)
    listed = {one["match"]: one for one in hegemon.done("matches", "--json").lines}
    assert listed[running]["state"] == "running"
    assert listed[closed]["state"] == "closed"
    assert set(listed[closed]) == {"match", "title", "ruleset", "state", "events", "origin"}
    assert len(hegemon.done("matches").out.splitlines()) == 2


def test_a_position_is_drawn_with_who_is_asked(hegemon: Hegemon) -> None:
    match = hegemon.new()
    hegemon.done("decide", match, 0, "mark", "cell=4")
    out = hegemon.done("show", match).out
    assert out.splitlines()[0] == f"{match} after event 5, as a spectator"
    assert " X " in out
    assert out.splitlines()[-1] == "asked: seat 1"


def test_a_position_as_json_has_the_view_and_for_a_seat_its_options(hegemon: Hegemon) -> None:
    match = hegemon.new()
    seen = hegemon.done("show", match, "--as", 0, "--json").json
    assert seen["asked"] == [0]
    assert (seen["started"], seen["seat"], seen["version"]) == (True, 0, 4)
    assert len(seen["options"]) == 9
    assert "options" not in hegemon.done("show", match, "--as", 1, "--json").json


def test_any_event_can_be_shown(hegemon: Hegemon) -> None:
    match = hegemon.played()
    assert "not started yet" in hegemon.done("show", match, "--at", 1).out
    assert hegemon.done("show", match, "--at", 1, "--json").json["started"] is False
    for version in range(4, 10):
        cells = hegemon.done("show", match, "--at", version, "--json").json["state"]["cells"]
        assert sum(cell is not None for cell in cells) == version - 4


def test_an_ended_match_is_shown_with_its_result(hegemon: Hegemon) -> None:
    match = hegemon.played()
    assert hegemon.done("show", match).out.splitlines()[-1] == "ended: seat 0 (line middle, 1 : 0)"
    assert hegemon.done("show", match, "--json").json["result"]["winners"] == [0]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_but_its_seat_is_shown_what_is_sealed(
    hegemon: Hegemon, sealed: str, viewer: str
) -> None:
    hegemon.done("export", sealed, "--as", viewer, "--out", "match.hgm")
    knows = viewer == "0"
    assert ("cell 4" in hegemon.done("show", sealed, "--as", viewer).out) is knows
    note = hegemon.done("show", sealed, "--as", viewer, "--json").json["state"]["notes"][0]
    assert note["cell"] == (4 if knows else {"hidden": True})
    told = hegemon.done("tell", sealed, "--as", viewer)
    assert ("the centre" in told.out) is knows
    assert ("the centre" in hegemon.done("tell", sealed, "--as", viewer, "--json").out) is knows
    for source in (sealed, "match.hgm"):
        shown = openings(hegemon.done("events", source, "--as", viewer).out)
        assert [path for _, path in shown] == ([SEALED_PATH] if knows else [])
    assert hegemon.done("options", sealed, 0, "--as", viewer).out == "seat 0: not asked now\n"


def openings(out: str) -> dict[tuple[int, str], bytes]:
    """The values that an output of `events` opens."""
    return {
        (one["version"], one["path"]): bytes.fromhex(one["plain"])
        for line in out.splitlines()
        for one in json.loads(line)["openings"]
    }


def test_all_eyes_see_every_opening(hegemon: Hegemon, sealed: str) -> None:
    shown = openings(hegemon.done("events", sealed, "--as", "all").out)
    assert decode(unpad_value(shown[5, SEALED_PATH])) == {"type": "opening.write", "cell": 4}
    assert (4, "outcome") in shown


def test_the_last_answer_opens_the_notes_to_everybody(hegemon: Hegemon, sealed: str) -> None:
    hegemon.done("decide", sealed, 1, "write", "cell=0")
    for viewer in VIEWERS:
        shown = openings(hegemon.done("events", sealed, "--as", viewer, "--from", 6).out)
        assert {(5, SEALED_PATH), (6, SEALED_PATH)} == set(shown)
        assert "X shows the centre" in hegemon.done("tell", sealed, "--as", viewer).out


def test_a_bundle_that_does_not_disclose_says_so_and_what_it_can_show(
    hegemon: Hegemon, sealed: str
) -> None:
    hegemon.done("export", sealed, "--out", "match.hgm")
    said = hegemon.refused("show", "match.hgm", "--as", 0)
    assert said == (
        "hegemon: not_disclosed: event 5 has not been disclosed (decision); "
        "--at 4 shows the match before it\n"
    )
    assert "asked: seat 0, seat 1" in hegemon.done("show", "match.hgm", "--at", 4).out
    assert "has not been disclosed" in hegemon.done("tell", "match.hgm").out
    assert "not_disclosed" in hegemon.refused("options", "match.hgm")
    assert "not_disclosed" in hegemon.refused("fork", "match.hgm")


def test_events_are_json_with_or_without_the_option_and_from_any_of_them(hegemon: Hegemon) -> None:
    match = hegemon.played()
    every = hegemon.done("events", match)
    assert every.out == hegemon.done("events", match, "--json").out
    assert [one["version"] for one in every.lines] == list(range(1, 10))
    assert hegemon.done("events", match, "--from", 8).lines == every.lines[7:]
    assert hegemon.done("events", match, "--from", 10).out == ""
    assert set(every.lines[0]) == {"version", "head", "body", "bytes", "opened", "openings"}
    assert decode(bytes.fromhex(every.lines[4]["bytes"]))["seat"] == 0


def test_a_match_is_told_event_by_event(hegemon: Hegemon) -> None:
    match = hegemon.played()
    lines = hegemon.done("tell", match).out.splitlines()
    assert len(lines) == 9
    assert lines[3] == "   4  The match begins. X begins."
    assert lines[8] == "   9  X marks the right. X wins with the middle line."
    told = hegemon.done("tell", match, "--json").lines
    assert told[8]["sentences"] == ["X marks the right.", "X wins with the middle line."]
    assert told[8]["undone"] is False


def test_names_cannot_steer_the_terminal_of_who_is_told(hegemon: Hegemon) -> None:
    match = hegemon.new("--player", "Zo\u00eb \u202e", "--title", "caf\u00e9")
    assert "Zo\u00eb \\u202e takes seat 0." in hegemon.done("tell", match).out
    assert "caf\u00e9" in hegemon.done("matches").out


def test_options_are_listed_as_they_are_typed(hegemon: Hegemon) -> None:
    match = hegemon.new()
    assert len(hegemon.done("options", match).out.splitlines()) == 9
    listed = hegemon.done("options", match, 0, "--json").lines
    assert listed[4]["decision"] == {"type": "play.mark", "cell": 4}
    assert listed[4]["typed"] == format_decision(listed[4]["decision"])
    hegemon.done("decide", match, listed[4]["seat"], *listed[4]["typed"].split())
    assert hegemon.done("options", match, 0).out == "seat 0: not asked now\n"
    assert hegemon.done("options", match, 0, "--json").out == ""


def test_options_as_somebody_are_only_their_own(hegemon: Hegemon) -> None:
    match = hegemon.new(*SEALED)
    assert len(hegemon.done("options", match, "--json").lines) == 18
    for viewer, count in (("0", 9), ("1", 9), ("spectator", 0)):
        listed = hegemon.done("options", match, "--as", viewer, "--json").lines
        assert len(listed) == count
        assert {str(one["seat"]) for one in listed} == ({viewer} if count else set())
    assert hegemon.done("options", match, "--as", "spectator").out == (
        "seat 0: asked\nseat 1: asked\n"
    )


def test_an_ended_match_asks_nobody(hegemon: Hegemon) -> None:
    match = hegemon.played()
    assert hegemon.done("options", match).out == "the match has ended: no seat is asked\n"
    assert hegemon.done("options", match, "--json").out == ""


def test_a_bundle_is_read_as_its_match_is(hegemon: Hegemon) -> None:
    match = hegemon.played(*SEALED[2:])
    hegemon.done("rewind", match, 6)
    hegemon.done("export", match, "--as", "all", "--out", "match.hgm")
    for words in (
        ("show",),
        ("tell",),
        ("events", "--as", "all"),
        ("options",),
        ("tell", "--json"),
    ):
        command, *rest = words
        in_store, in_file = (
            hegemon.done(command, match, *rest),
            hegemon.done(command, "match.hgm", *rest),
        )
        assert in_store.out == in_file.out


def test_rules_are_listed_and_found_by_id(hegemon: Hegemon) -> None:
    assert "tictactoe" in hegemon.done("rules").out
    assert hegemon.done("rules", "--json").lines[0]["seats"] == [2, 2]
    every = hegemon.done("rules", "tictactoe", "--json").lines
    assert {"play.turn", "begin.first", "e1"} <= {one["rule"] for one in every}
    found = hegemon.done("rules", "tictactoe", "play.turn").out
    assert "Turn" in found
    assert "erratum e3" in found
    assert "first-seat|rolled" in hegemon.done("rules", "tictactoe", "begin.first").out
    shown = hegemon.done("rules", "hegemonic", "advance.tier-by-base").out  # cited by a function
    assert "meets_requirement" in shown
    assert "has reached the tier" in shown
    refused = hegemon.refused("rules", "hegemonic", "move.fleeet")
    assert "move.fleet" in refused
    assert "setup.tracks" not in refused
