"""new, decide, play and close: matches come to be, are played, and end."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.games.tictactoe.play import Mark
from ledger.log.format.bodies import Submitter
from ledger.log.stores.files import FileStore
from ledger.log.write.journal import Journal
from services.matches.play import surroundings
from tests.support.cli.calls import SEALED, Hegemon


def test_a_new_match_is_started_and_its_id_is_all_that_is_printed(hegemon: Hegemon) -> None:
    match = hegemon.new("--player", "Ann", "--title", "A title")
    assert len(match) == 16
    told = hegemon.done("tell", match).out
    assert "Ann takes seat 0." in told
    assert "seat 1 takes seat 1." in told
    assert "A title" in hegemon.done("matches").out


def test_new_as_json_says_the_id_and_the_last_event(hegemon: Hegemon) -> None:
    said = hegemon.done("new", "tictactoe", "--json").json
    assert said == {"match": said["match"], "version": 4}


def test_a_live_match_takes_no_seed(hegemon: Hegemon) -> None:
    assert "No such option" in hegemon.refused("new", "tictactoe", "--seed", 1, code=2)


def test_options_and_edition_of_a_new_match_stand_in_its_first_event(hegemon: Hegemon) -> None:
    match = hegemon.new(*SEALED, "--edition", "e1")
    act = hegemon.done("events", match).lines[0]["body"]["act"]
    assert act["edition"] == "e1"
    assert act["options"] == {"opening": "sealed", "begin.stake": 2}
    assert act["origin"]["kind"] == "live"


def test_an_overlay_is_kept_and_played_by(hegemon: Hegemon, tmp_path: Path) -> None:
    (tmp_path / "lines.toml").write_text("[bent]\ncells = [0, 1, 5]\n")
    match = hegemon.new("--overlay", tmp_path)
    for seat, cell in ((0, 0), (1, 8), (0, 1), (1, 7), (0, 5)):
        hegemon.done("decide", match, seat, "mark", f"cell={cell}")
    assert "bent" in hegemon.done("show", match).out


def test_a_decision_says_what_happened(hegemon: Hegemon) -> None:
    match = hegemon.new()
    assert hegemon.done("decide", match, 0, "play.mark", "cell=4").out == "X marks the centre.\n"
    said = hegemon.done("decide", match, 1, "mark", "cell=0", "--json").json
    assert said["version"] == 6
    assert said["facts"] == [{"type": "play.marked", "seat": 1, "cell": 0}]


def test_a_refused_decision_names_code_rule_and_evidence(hegemon: Hegemon) -> None:
    match = hegemon.new()
    hegemon.done("decide", match, 0, "mark", "cell=4")
    said = hegemon.refused("decide", match, 1, "mark", "cell=4")
    assert said.startswith("hegemon: cell_taken [play.turn]: ")
    assert "cell=4" in said


def test_a_decision_that_expects_another_event_is_stale(hegemon: Hegemon) -> None:
    match = hegemon.new()
    hegemon.done("decide", match, 0, "mark", "cell=4", "--expect", 4)
    assert "stale" in hegemon.refused("decide", match, 1, "mark", "cell=0", "--expect", 4)
    hegemon.done("decide", match, 1, "mark", "cell=0", "--expect", 5)


def test_a_decision_that_comes_second_meets_what_there_is_by_then(
    hegemon: Hegemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = hegemon.new()
    other = Journal(surroundings(FileStore(hegemon.data)), match)

    def overtaking() -> int:
        # The clock is asked when the decision has been folded and is about to be written.
        if other.history.tip.version == 4:
            other.decide(0, Mark(8), Submitter(role="seat"))
        return 1_800_000_000_000

    monkeypatch.setattr("services.matches.play.now_ms", overtaking)
    ran = hegemon("decide", match, 0, "mark", "cell=4")
    assert ran.code == 1
    assert ran.err.startswith("hegemon: not_asked")
    assert hegemon.done("events", match, "--from", 5).lines[0]["body"]["decision"]["cell"] == 8


def test_bots_play_a_whole_match_that_is_kept_and_closed(hegemon: Hegemon) -> None:
    said = hegemon.done("play", "tictactoe", "--bots", "random", "--json").json
    assert said["origin"] == "live"
    assert said["out"] is None
    [kept] = hegemon.done("matches", "--json").lines
    assert (kept["match"], kept["state"]) == (said["match"], "closed")
    assert kept["events"] == said["events"]


def test_what_bots_played_can_go_to_a_file_as_well(hegemon: Hegemon) -> None:
    text = hegemon.done("play", "tictactoe", "--out", "match.hgm").out
    assert text.endswith("written to match.hgm\n")
    match = text.partition(":")[0]
    assert hegemon.done("tell", match).out == hegemon.done("tell", "match.hgm").out


@pytest.mark.parametrize("words", [(), (*SEALED, "--option", "begin.first=rolled")])
def test_with_a_seed_two_runs_give_the_same_bytes(hegemon: Hegemon, words: tuple[str, ...]) -> None:
    call = ("play", "tictactoe", "--seed", 3, *words)
    one = hegemon.done(*call, "--out", "one.hgm", "--json").json
    two = hegemon.done(*call, "--out", "two.hgm", "--json").json
    assert Path("one.hgm").read_bytes() == Path("two.hgm").read_bytes()
    assert (one["sha256"], one["head"]) == (two["sha256"], two["head"])
    assert hegemon.done("matches").out == ""


def test_another_seed_or_another_bot_gives_another_match(hegemon: Hegemon) -> None:
    calls = [("--seed", 1), ("--seed", 2), ("--seed", 1, "--bots", "random")]
    ids = {hegemon.done("play", "tictactoe", *call, "--json").json["match"] for call in calls}
    assert len(ids) == 3


def test_a_seeded_match_says_so_in_its_first_event_and_when_it_is_verified(
    hegemon: Hegemon,
) -> None:
    hegemon.done("play", "tictactoe", "--seed", 5, "--out", "match.hgm")
    origin = hegemon.done("events", "match.hgm").lines[0]["body"]["act"]["origin"]
    assert (origin["kind"], origin["seed"]) == ("seeded", 5)
    assert "seeded" in hegemon.done("verify", "match.hgm").out.splitlines()[0]
    assert hegemon.done("verify", "match.hgm", "--json").json["origin"] == "seeded"
    assert "(seeded)" in hegemon.done("tell", "match.hgm").out.splitlines()[0]


def test_a_seeded_match_without_a_file_is_kept_once(hegemon: Hegemon) -> None:
    first = hegemon.done("play", "tictactoe", "--seed", 5, "--json").json
    again = hegemon.done("play", "tictactoe", "--seed", 5, "--json").json
    assert first == again
    [kept] = hegemon.done("matches", "--json").lines
    assert kept["origin"] == "seeded"


def test_a_match_is_closed_once_it_has_ended(hegemon: Hegemon) -> None:
    match = hegemon.new()
    assert "not_ended" in hegemon.refused("close", match)
    match = hegemon.played()
    said = hegemon.done("close", match, "--json").json
    assert said["result"]["winners"] == [0]
    assert "match_closed" in hegemon.refused("close", match)
    assert "match_closed" in hegemon.refused("decide", match, 1, "mark", "cell=1")


def test_a_close_in_words_says_who_won_and_by_what(hegemon: Hegemon) -> None:
    match = hegemon.played()
    assert hegemon.done("close", match).out == f"{match} is closed, won by seat 0 (line middle)\n"


SOLO = ("play", "galactic_hegemony", "--bots", "greedy", "--option", "turns=1")  # for one alone


def test_a_game_that_nobody_wins_says_so(hegemon: Hegemon) -> None:
    played = hegemon.done(*SOLO, "--seed", 11, "--out", "solo.hgm").out
    assert "won by nobody (out of time)" in played
    assert "VALID" in hegemon.done("verify", "solo.hgm").out
    told = hegemon.done("tell", "solo.hgm").out.splitlines()
    assert told[0].endswith("for 1 seat with turns=1 (seeded).")
    assert told[-1].endswith("The match is closed: nobody wins (out of time).")
    shown = hegemon.done("show", "solo.hgm").out.splitlines()
    assert shown[-1] == "ended: nobody wins (out of time, 0)"


def test_a_rule_that_a_fact_cites_is_listed_too(hegemon: Hegemon) -> None:
    assert "MoraleSet" in hegemon.done("rules", "galactic_hegemony", "card.morale-track").out
    assert "for 1 seat\n" in hegemon.done("rules").out


def test_the_data_option_names_the_store(hegemon: Hegemon, tmp_path: Path) -> None:
    match = hegemon.done("--data", tmp_path / "other", "new", "tictactoe").out.strip()
    assert hegemon.done("matches").out == ""
    assert match in hegemon.done("--data", tmp_path / "other", "matches").out


def test_a_decision_that_is_repeated_under_its_id_goes_in_once(hegemon: Hegemon) -> None:
    match = hegemon.new()
    words = ("decide", match, 0, "mark", "cell=4", "--command", "c-1")
    first = hegemon.done(*words).out
    assert hegemon.done(*words).out == first
    assert "command_changed" in hegemon.refused(
        "decide", match, 0, "mark", "cell=5", "--command", "c-1"
    )
    hegemon.done("decide", match, 1, "mark", "cell=0")
    assert hegemon.done(*words).out == first
    assert hegemon.done("matches", "--json").lines[0]["events"] == 6


def test_a_decision_can_name_the_question_that_it_answers(hegemon: Hegemon) -> None:
    match = hegemon.new()
    said = hegemon.refused("decide", match, 0, "mark", "cell=4", "--question", "turn/9")
    assert said.startswith("hegemon: question_gone")
    assert hegemon.done("matches", "--json").lines[0]["events"] == 4
