"""Other rules on the command line: reproject, errata, diff, bisect."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from services.cli.commands import cli
from tests.support.cli.calls import MOVES, Hegemon, every_byte

CLUB = """
id = "club.01"
ruleset = "tictactoe"
date = "2027-01-01"
scope = "retroactive"
text = "The rising diagonal no longer counts."
remove = ["lines/rising"]
"""
# Seat 0 completes the rising diagonal, which erratum e2 takes away; then the middle row.
RISING = ((0, 2), (1, 0), (0, 4), (1, 1), (0, 6))


def bundle(hegemon: Hegemon, name: str, moves: tuple[tuple[int, int], ...] = MOVES) -> str:
    match = hegemon.new()
    for seat, cell in moves:
        hegemon.done("decide", match, seat, "mark", f"cell={cell}")
    hegemon.done("close", match)
    hegemon.done("export", match, "--out", name)
    return match


def test_a_match_that_nothing_touches_is_unchanged(hegemon: Hegemon) -> None:
    match = bundle(hegemon, "one.hgm")
    before = every_byte(hegemon.data)
    for name in (match, "one.hgm"):
        ran = hegemon.done("reproject", name, "--edition", "e2")
        assert ran.out.startswith(f"{name}: unchanged (e2)\n")
        assert "5 applied" in ran.out
    assert every_byte(hegemon.data) == before


def test_a_match_that_differs_is_told_of_with_its_cause_and_has_its_exit_code(
    hegemon: Hegemon,
) -> None:
    bundle(hegemon, "one.hgm", RISING)
    held = Path("one.hgm").read_bytes()
    stop = ("--policy", "missing=stop")
    ran = hegemon("reproject", "one.hgm", "--edition", "e2", *stop)
    assert (ran.code, ran.err) == (8, "")
    assert "one.hgm: unfinished (e2)" in ran.out
    assert "first difference: event 9 (turn/5) gives other facts" in ran.out
    assert "(e2), first asked for at event 5" in ran.out
    assert "stopped at turn/6 of seat 1: missing [play.turn]" in ran.out
    (said,) = hegemon("reproject", "one.hgm", "--edition", "e2", *stop, "--json").lines
    assert said["verdict"] == "unfinished"
    assert said["first"]["causes"][0]["name"] == "lines"
    assert said["policies"]["missing"] == "stop"
    assert Path("one.hgm").read_bytes() == held


def test_a_reading_and_a_policy_can_be_given(hegemon: Hegemon) -> None:
    bundle(hegemon, "one.hgm")
    ran = hegemon("reproject", "one.hgm", "--edition", "e3", "--json")
    assert ran.code == 8
    assert ran.json["verdict"] == "decision now illegal"
    marked = ran.json["marked"][0]
    assert (marked["rule"], marked["evidence"]["cell"]) == ("play.turn", 4)
    skip = ("--policy", "illegal=skip", "--policy", "missing=bot", "--bot", "random", "--seed", 3)
    ran = hegemon("reproject", "one.hgm", "--edition", "e3", *skip, "--json")
    assert ran.json["after"] is not None
    assert ran.json["policies"] == {
        "illegal": "skip", "missing": "bot", "bot": "random", "seed": 3, "draws": 10,
    }  # fmt: skip
    ran = hegemon.done("reproject", "one.hgm", "--reading", "begin.stake=2", "--json")
    assert ran.json["accounts"]["chips"]["seat.0"] == [0, 11]


def test_content_is_laid_over_from_a_folder(hegemon: Hegemon) -> None:
    bundle(hegemon, "one.hgm", RISING)
    Path("club").mkdir()
    Path("club/lines.toml").write_text("[bent]\ncells = [0, 1, 5]\n", encoding="utf-8")
    ran = hegemon.done("reproject", "one.hgm", "--overlay", "club", "--json")
    assert ran.json["verdict"] == "unchanged"
    Path("club/lines.toml").write_text("[rising]\ncells = [0, 1, 5]\n", encoding="utf-8")
    ran = hegemon("reproject", "one.hgm", "--overlay", "club", "--json")
    assert ran.json["first"]["causes"][0]["name"] == "lines/rising/cells"


@pytest.mark.process
@pytest.mark.parametrize("workers", [0, 2])
def test_many_matches_give_a_table(hegemon: Hegemon, workers: int) -> None:
    Path("all").mkdir()
    bundle(hegemon, "all/one.hgm", RISING)
    bundle(hegemon, "all/two.hgm")
    Path("all/bad.hgm").write_bytes(Path("all/two.hgm").read_bytes()[:-40])
    Path("all/worse.hgm").write_bytes(b"nothing of the kind")
    words = ("reproject", "all", "--edition", "e2", "--workers", workers, "--run", "run")
    ran = hegemon(*words, "--out", "table.csv", "--index", "index")
    assert ran.code == 1
    assert ran.err.startswith("hegemon: 2 of 4 matches failed; all/bad.hgm could not be")
    assert "e2: 4 matches" in ran.out
    rows = list(csv.DictReader(Path("table.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["source"] for row in rows] == [
        "all/bad.hgm", "all/one.hgm", "all/two.hgm", "all/worse.hgm",
    ]  # fmt: skip
    assert [row["first"] for row in rows] == ["", "9", "", ""]
    assert rows[0]["error"].startswith("damaged: ")
    assert "not a Hegemon bundle" in rows[3]["error"]
    assert len(list(Path("index").iterdir())) == 2
    hegemon(*words, "--out", "table.json")
    table = json.loads(Path("table.json").read_text(encoding="utf-8"))
    assert table["table"]["matches"] == 4
    assert len(Path("run/done.jsonl").read_text(encoding="utf-8").splitlines()) == 4
    hegemon(*words, "--out", "table.txt")
    assert Path("table.txt").read_text(encoding="utf-8").startswith("e2: 4 matches\n")
    other = hegemon("reproject", "all", "--edition", "e1", "--run", "run")
    assert (other.code, "use another folder" in other.err) == (2, True)


def test_the_whole_store_can_be_named_and_other_games_are_left_out(hegemon: Hegemon) -> None:
    bundle(hegemon, "one.hgm")
    hegemon.done("play", "galactic_hegemony", "--seats", 1, "--bots", "random", "--seed", 1)
    ran = hegemon("reproject", "one.hgm", "--all", "--edition", "e2")
    assert ran.code == 0
    assert ran.err == "hegemon: left out, because they are of other games than tictactoe: 1 match\n"
    assert "2  unchanged" in ran.out


def test_the_game_is_the_first_that_knows_what_is_said(hegemon: Hegemon) -> None:
    solo = ("--seats", 1, "--bots", "random", "--seed", 1)
    hegemon.done("play", "galactic_hegemony", *solo, "--out", "a.hgm")
    bundle(hegemon, "b.hgm")
    ran = hegemon("reproject", "a.hgm", "b.hgm", "--reading", "begin.stake=2", "--json")
    assert [one["source"] for one in ran.lines] == ["b.hgm"]
    ran = hegemon("reproject", "a.hgm", "b.hgm", "--reading", "no.such=2")
    assert (ran.code, "unknown_reading" in ran.err) == (1, True)
    Path("club.toml").write_text(CLUB, encoding="utf-8")
    ran = hegemon("reproject", "a.hgm", "--erratum", "club.toml")
    assert (ran.code, "for tictactoe, but none of the matches is" in ran.err) == (2, True)


def test_a_file_that_is_no_bundle_holds_up_none_of_those_named_beside_it(
    hegemon: Hegemon,
) -> None:
    bundle(hegemon, "one.hgm")
    Path("worse.hgm").write_bytes(b"nothing of the kind")
    ran = hegemon("reproject", "one.hgm", "worse.hgm", "--edition", "e2")
    assert ran.code == 1
    assert "one.hgm: unchanged" in ran.out
    assert "worse.hgm: error: damaged: worse.hgm is not a Hegemon bundle" in ran.out
    assert hegemon("reproject", "worse.hgm", "--edition", "e2").code == 2


def test_a_command_that_may_take_hours_has_no_limit_of_its_own() -> None:
    assert "reproject" in cli.commands
    from services.cli.run import ENDLESS

    assert "reproject" in ENDLESS


def test_the_errata_of_a_game_are_listed(hegemon: Hegemon) -> None:
    first, second, third = hegemon.done("errata", "tictactoe", "--json").lines
    assert first["readings"] == {"opening.clash": {"from": "nobody", "to": "rolled"}}
    assert second["content"] == {"lines": {"rising": None}}
    assert third["classes"] == {"Turn": "TurnOffCentre"}
    text = hegemon.done("errata", "hegemonic").out
    assert "err.03  2026-03-01  Support counts the power" in text
    assert "reading support.value: per-sector -> location-power" in text
    assert "figures/score.tie-first: value=4" in text


def test_two_editions_are_shown_side_by_side(hegemon: Hegemon) -> None:
    bundle(hegemon, "one.hgm", RISING)
    ran = hegemon("diff", "one.hgm", "--b", "e2")
    assert (ran.code, ran.err) == (8, "")
    assert "result a: 1 : 0, seat 0 (line rising)" in ran.out
    assert "event 9, turn/5 seat 0" in ran.out
    said = hegemon("diff", "one.hgm", "--b", "e2", "--at", 9, "--json").json
    (line,) = said["lines"]
    assert [fact["type"] for fact in line["a"]["facts"]] == ["play.marked", "play.won"]
    assert [fact["type"] for fact in line["b"]["facts"]] == ["play.marked"]
    assert said["at"] == 9
    assert ["winner", 0, None] in said["positions"]
    same = hegemon.done("diff", "one.hgm", "--b", "e2", "--at", 8)
    assert "no event differs" in same.out
    hegemon.done("diff", "one.hgm", "--a", "e1", "--b", "printed")


def test_the_first_event_that_differs_is_found(hegemon: Hegemon) -> None:
    match = bundle(hegemon, "one.hgm", RISING)
    ran = hegemon("bisect", "one.hgm", "--a", "e1", "--b", "e2")
    assert ran.code == 8
    assert ran.out.startswith(f"{match}: differs at event 9\n")
    assert hegemon("bisect", "one.hgm", "--b", "e2", "--json").json["version"] == 9
    assert hegemon.done("bisect", "one.hgm", "--b", "e1", "--json").json["version"] is None


def test_another_build_is_found_by_the_facts_that_the_log_commits_to(
    hegemon: Hegemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = bundle(hegemon, "one.hgm", RISING)
    for name in (match, "one.hgm"):
        assert "no event of 10 differs" in hegemon.done("bisect", name).out
    from ledger.games.tictactoe.state import Board

    monkeypatch.setattr(
        Board, "line_of", lambda board, _: "falling" if board.cells[6] == 0 else None
    )
    for name in (match, "one.hgm"):
        ran = hegemon("bisect", name)
        assert ran.code == 8
        assert "differs at event 9" in ran.out


def test_a_build_that_refuses_what_was_played_differs_at_that_event(
    hegemon: Hegemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = bundle(hegemon, "one.hgm", RISING)
    from ledger.games import ruleset
    from ledger.games.tictactoe.play import Turn

    allows = Turn.allows
    monkeypatch.setattr(
        Turn,
        "allows",
        lambda turn, board, seat, mark: mark.cell != 4 and allows(turn, board, seat, mark),
    )
    assert hegemon("bisect", "one.hgm").code == 4  # the very same build took it
    monkeypatch.setitem(vars(ruleset("tictactoe")), "source", "newer")
    ran = hegemon("bisect", "one.hgm")
    assert ran.code == 8
    assert ran.out.startswith(f"{match}: differs at event 7\n  event 7 is refused here: ")
    assert hegemon("bisect", "one.hgm", "--json").json["refusal"]["rule"] == "play.turn"


def test_what_cannot_be_asked_is_refused(hegemon: Hegemon) -> None:
    bundle(hegemon, "one.hgm")
    for words, code in (
        ((), 2),
        (("one.hgm", "--edition", "e9"), 1),
        (("one.hgm", "--reading", "nothing=1"), 1),
        (("one.hgm", "--reading", "begin.stake"), 1),
        (("one.hgm", "--reading", f"begin.stake={'9' * 5_000}"), 1),
        (("one.hgm", "--reading", "lines/rising/cells=3"), 1),
        (("one.hgm", "--reading", "lines/rising/cells=-"), 1),
        (("one.hgm", "--policy", "illegal=pray"), 1),
        (("one.hgm", "--policy", "missing=skip"), 1),
        (("one.hgm", "--overlay", "nowhere"), 2),
        (("one.hgm", "--switch", "3"), 1),
        (("one.hgm", "--switch", "0"), 2),
        (("one.hgm", "--workers", "-1"), 2),
        (("one.hgm", "--match-limit", "nan"), 2),
        (("one.hgm", "--draws", "0"), 2),
        (("one.hgm", "--out", "nowhere/table.csv"), 2),
        (("one.hgm", "--out", "table.xls"), 2),
    ):
        ran = hegemon("reproject", *words)
        assert ran.code == code, (words, ran)
        assert ran.err.startswith("hegemon: ")
        assert ran.err.count("\n") == 1
    hegemon.refused("errata", "chess", code=2)
    for command in ("diff", "bisect"):
        hegemon.refused(command, "one.hgm", "--b", "e9")
        hegemon.refused(command, "one.hgm", "--reading", "lines/rising/cells=3")
    hegemon.refused("diff", "one.hgm", "--at", 99)
    hegemon.refused("diff", "one.hgm", "--as", 5)


def test_two_runs_are_compared_by_the_report_that_one_has_left(
    hegemon: Hegemon, tmp_path: Path
) -> None:
    match = bundle(hegemon, "one.hgm", RISING)
    words = ("reproject", match, "--edition")
    report = str(tmp_path / "before.json")
    hegemon(*words, "e2", "--out", report)
    held = json.loads(Path(report).read_text())
    assert held["report"]["format"] == "hegemon-reprojection"
    assert held["report"]["matches"][0]["match"] == match
    assert "different from before: 0 matches" in hegemon(*words, "e2", "--against", report).out
    assert "different from before: 1 match\n" in hegemon(*words, "e3", "--against", report).out
    Path(report).write_text("{}")
    assert hegemon(*words, "e2", "--against", report).code == 2


def test_without_workers_the_queue_is_not_waited_for(hegemon: Hegemon) -> None:
    bundle(hegemon, "one.hgm")
    ran = hegemon("reproject", "one.hgm", "--edition", "e2", "--queue")
    assert ran.code != 0
    assert "no jobs' server runs" in ran.err
