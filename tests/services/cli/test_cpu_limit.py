"""A rule that neither yields nor ends is stopped, and the match is as it was."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from services.run.cpu_limit import OutOfTime, time_limit
from services.run.settings import ROOT
from tests.support.cli.calls import Hegemon, every_byte
from tests.support.starting import surroundings

# Tic-tac-toe with a rule planted in it that never comes back from the third mark.
PLANTED = """
import sys
from ledger.games.tictactoe.play import Turn
from services.cli import main

printed = Turn.decide

def endless(self, board, seat, mark):
    while len(board.empty()) == 7:
        try:
            sum(range(1000))
        except Exception:
            pass
    return printed(self, board, seat, mark)

Turn.decide = endless
sys.exit(main())
"""


def planted(data: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PLANTED, "--data", data, "--time-limit", "1", *map(str, words)],
        cwd=ROOT,
        env=surroundings(),
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )


def stopped(ran: subprocess.CompletedProcess[str]) -> bool:
    said = "hegemon: out_of_time (--time-limit allows more): stopped after 1 s\n"
    return (ran.returncode, ran.stdout, ran.stderr) == (1, "", said)


def test_an_endless_rule_is_stopped_and_leaves_nothing_behind(hegemon: Hegemon) -> None:
    match = hegemon.new()
    for seat in (0, 1):
        ran = planted(hegemon.data, "decide", match, seat, "mark", f"cell={seat}")
        assert (ran.returncode, ran.stderr) == (0, "")
    before = every_byte(hegemon.data)
    assert stopped(planted(hegemon.data, "decide", match, 0, "mark", "cell=4"))
    assert every_byte(hegemon.data) == before
    assert "asked: seat 0" in planted(hegemon.data, "show", match).stdout
    hegemon.done("decide", match, 0, "mark", "cell=4")
    assert "X marks the centre." in hegemon.done("tell", match).out


def test_an_endless_rule_in_a_match_of_bots_leaves_no_match_and_no_file(hegemon: Hegemon) -> None:
    call = ("play", "tictactoe", "--bots", "random", "--seed", 4, "--out", Path("x.hgm").resolve())
    ran = planted(hegemon.data, *call)
    assert stopped(ran)
    assert every_byte(hegemon.data) == {}
    assert list(Path().iterdir()) == []


def test_the_clock_reaches_code_that_takes_every_failure_for_its_own() -> None:
    with pytest.raises(OutOfTime, match=r"stopped after 0\.05 s"), time_limit(0.05):
        while True:
            with contextlib.suppress(Exception):  # as some rule may do
                sum(range(100))


def test_a_time_limit_that_is_not_reached_leaves_no_clock_running() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(50):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before
