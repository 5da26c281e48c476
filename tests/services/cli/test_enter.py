"""enter: a match of a real table, typed in line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ledger.kernel.records import CHANCE
from ledger.log.format.canonical import decode
from ledger.log.format.chain import OUTCOME_PATH, SEALED_PATH, unpad_value
from services.cli.support.words import format_decision
from tests.support.cli.calls import Hegemon, every_byte

HEAD = "match tictactoe seats=2 begin.first=rolled begin.stake=2 opening=sealed edition=e1\n"
SCRIPT = f"""# a match of the club's evening
{HEAD}players Ann Bob

chance begin 2
0 opening.write cell=4
1 write cell=4      # the same cell: it is rolled for
chance opening/clash 1
0 give amount=1
1 mark cell=0
"""


def sheet(text: str | bytes, name: str = "table.txt") -> str:
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def test_a_sheet_makes_a_match_that_says_it_was_entered(hegemon: Hegemon) -> None:
    match = hegemon.done("enter", sheet(SCRIPT)).out.strip()
    told = hegemon.done("tell", match).out
    assert "(entered)" in told
    assert "O begins. [referee]" in told
    assert "X gives 1 chip away." in told
    hegemon.done("export", match, "--as", "all", "--out", "match.hgm")
    assert "(tictactoe, entered)" in hegemon.done("verify", "match.hgm").out


def test_enter_as_json_counts_lines_and_events(hegemon: Hegemon) -> None:
    said = hegemon.done("enter", sheet(SCRIPT), "--json").json
    assert said == {"match": said["match"], "lines": 8, "events": 10, "written": True}


def test_a_check_writes_nothing(hegemon: Hegemon) -> None:
    before = every_byte(hegemon.data)
    out = hegemon.done("enter", sheet(SCRIPT), "--check").out
    assert out == "table.txt: 8 lines can be entered\n"
    said = hegemon.done("enter", "table.txt", "--check", "--json").json
    assert (said["match"], said["written"]) == (None, False)
    assert every_byte(hegemon.data) == before


def test_a_sheet_that_copies_an_online_match_gives_the_same_facts(hegemon: Hegemon) -> None:
    words = [f"--option={word}" for word in HEAD.split()[3:-1]]
    hegemon.done("play", "tictactoe", "--edition", "e1", *words, "--seed", 11, "--out", "a.hgm")
    every = hegemon.done("events", "a.hgm", "--as", "all").lines
    lines = [HEAD, *(line_of(one) for one in every if one["body"]["kind"] != "act")]
    entered = hegemon.done("enter", sheet("".join(lines))).out.strip()
    assert any("chance" in line for line in lines)
    assert facts_of(hegemon, entered) == facts_of(hegemon, "a.hgm")


def line_of(event: dict[str, Any]) -> str:
    """An event of the on-line match as somebody at a table would write it down."""
    body = event["body"]
    decision = body.get("decision")
    if decision is None:
        [sealed] = [one for one in event["openings"] if one["path"] == SEALED_PATH]
        decision = decode(unpad_value(bytes.fromhex(sealed["plain"])))
    if body["seat"] == CHANCE:
        return f"chance {body['question']} {' '.join(map(str, decision['values']))}\n"
    return f"{body['seat']} {format_decision(decision)}\n"


def facts_of(hegemon: Hegemon, match: str) -> list[str]:
    """The facts of a match, as the bytes that its outcomes open, up to its close."""
    return [
        opening["plain"]
        for one in hegemon.done("events", match, "--as", "all").lines
        for opening in one["openings"]
        if opening["path"] == OUTCOME_PATH
    ]


def test_a_match_of_the_store_is_continued(hegemon: Hegemon) -> None:
    match = hegemon.done("enter", sheet(SCRIPT)).out.strip()
    more = sheet(f"continue {match}\n0 mark cell=8\n1 mark cell=1\n", "more.txt")
    hegemon.done("enter", more, "--check")
    assert hegemon.done("enter", more).out.strip() == match
    told = hegemon.done("tell", match).out.splitlines()
    assert told[-1].endswith("O marks the top. [referee]")
    assert len(told) == 12


def test_decisions_of_an_online_match_can_be_entered_and_its_dice_fall(hegemon: Hegemon) -> None:
    match = hegemon.new(
        "--option", "opening=sealed", "--option", "begin.first=rolled", "--edition=e1"
    )
    text = f"continue {match}\n0 write cell=4\n1 write cell=4\n"
    hegemon.done("enter", sheet(text))
    assert [one["body"].get("question") for one in hegemon.done("events", match).lines][-1] == (
        "opening/clash"
    )
    sheet(f"continue {match}\nchance begin 1\n")
    assert ":2: not_asked" in hegemon("enter", "table.txt").err


WRONG = {
    "0 mark cell=4": (10, "not_asked", "1 play.mark cell=1"),
    "1 mark cell=9": (10, "no_such_cell", "1 play.mark cell=1"),
    "1 mark cell=x": (10, "malformed_decision", "1 play.mark cell=1"),
    "1 mark": (10, "malformed_decision", "1 play.mark cell=1"),
    "1 mark cell=1 cell=1": (10, "malformed_decision", "1 play.mark cell=1"),
    "1": (10, "malformed_decision", "1 play.mark cell=1"),
    "2 mark cell=1": (10, "not_asked", "1 play.mark cell=1"),
    "one mark cell=1": (10, "no_such_seat", "1 play.mark cell=1"),
    "1 jump cell=1": (10, "unknown_decision", "1 play.mark cell=1"),
    "1 give amount=99": (10, "overdrawn", "1 play.mark cell=1"),
    "chance begin 1": (10, "not_asked", "1 play.mark cell=1"),
    "players Ann": (10, "bad_value", "1 play.mark cell=1"),
    "match tictactoe": (10, "bad_value", "1 play.mark cell=1"),
    "continue abc": (10, "bad_value", "1 play.mark cell=1"),
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_is_named_with_what_could_stand_there(hegemon: Hegemon, line: str) -> None:
    number, code, option = WRONG[line]
    before = every_byte(hegemon.data)
    for words in (("--check",), ()):
        ran = hegemon("enter", sheet(SCRIPT.replace("1 mark cell=0", line)), *words)
        first, heading, *listing = ran.err.splitlines()
        assert ran.code == 1
        assert first.startswith(f"hegemon: table.txt:{number}: {code}")
        assert heading == "  possible lines here:"
        assert f"  {option}" in listing
        assert all(one.startswith("  ") for one in listing)
    assert every_byte(hegemon.data) == before


DICE = {
    "chance begin 3": "not_allowed",
    "chance begin 0": "not_allowed",
    "chance begin": "not_allowed",
    "chance begin 1 1": "not_allowed",
    "chance begin one": "malformed_decision",
    f"chance begin {'9' * 10_000}": "malformed_decision",
    "chance start 1": "wrong_address",
    "chance": "wrong_address",
    "0 write cell=1": "chance_pending",
}


@pytest.mark.parametrize("line", DICE)
def test_wrong_dice_are_named_with_those_that_could_fall(hegemon: Hegemon, line: str) -> None:
    ran = hegemon("enter", sheet(SCRIPT.replace("chance begin 2", line)))
    assert ran.code == 1
    first, *listing = ran.err.splitlines()
    assert first.startswith(f"hegemon: table.txt:5: {DICE[line]}")
    assert listing == ["  possible lines here:", "  chance begin 1", "  chance begin 2"]


HEADS = {
    "": "no line",
    "# nothing\n": "no line",
    "0 mark cell=1\n": ":1: no_such_match",
    "players Ann\n": ":1: bad_value",
    "match chess\n": ":1: unknown_ruleset",
    "match\n": ":1: unknown_ruleset",
    "match tictactoe seats=3\n": ":1: bad_seats",
    "match tictactoe seats=x\n": ":1: bad_seats",
    "match tictactoe seats=2 seats=2\n": ":1: bad_value",
    "match tictactoe tempo=2\n": ":1: unknown_reading",
    "match tictactoe begin.stake=10\n": ":1: bad_value",
    "match tictactoe begin.stake=--5\n": ":1: bad_value",
    "match tictactoe begin.stake\n": ":1: bad_value",
    "match tictactoe edition=e9\n": ":1: unknown_edition",
    "match tictactoe\nplayers A B C\n": ":2: bad_seats",
    "match tictactoe\nplayers A\nplayers B\n": ":3: bad_value",
    f"match tictactoe\nplayers {'A' * 81}\n": ":2: bad_value",
    "continue\n": ":1: no_such_match",
    "continue nobody\n": ":1: no_such_match",
    "continue ../x.hgm\n": "is a bundle",
}


@pytest.mark.parametrize("text", HEADS)
def test_a_sheet_begins_with_a_match_that_can_be(hegemon: Hegemon, text: str) -> None:
    before = every_byte(hegemon.data)
    ran = hegemon("enter", sheet(text))
    assert ran.code in (1, 2)
    assert HEADS[text] in ran.err.splitlines()[0]
    assert every_byte(hegemon.data) == before


def test_lines_are_numbered_as_an_editor_numbers_them(hegemon: Hegemon) -> None:
    ran = hegemon(
        "enter", sheet("# \x0b \x85 \u2028 one line\r\nmatch tictactoe\r\n7 mark cell=1\r\n")
    )
    assert "table.txt:3: not_asked" in ran.err
