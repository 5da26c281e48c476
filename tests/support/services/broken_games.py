"""Rulesets that misbehave, for workers of `services.jobs.reprojection`, by name."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from ledger.games import ruleset
from ledger.games.tictactoe.play import Turn
from ledger.games.tictactoe.state import Board
from ledger.kernel.ruleset import Erratum, Ruleset

KILLED_ONCE = "HEGEMON_TEST_KILLED"  # names a file; it is there once a worker has died


class TurnForEver(Turn, tag="Turn"):
    """`play.turn` under erratum endless: whoever marks the centre waits for ever."""

    def decide(self, board: Board, seat: int, mark: Any) -> Any:
        while mark.cell == 4:
            pass
        yield from super().decide(board, seat, mark)


class TurnSlow(Turn, tag="Turn"):
    """`play.turn` under erratum slow: the centre takes some tenths of a second."""

    def decide(self, board: Board, seat: int, mark: Any) -> Any:
        until = time.process_time() + (0.4 if mark.cell == 4 else 0.0)
        while time.process_time() < until:
            pass
        yield from super().decide(board, seat, mark)


class TurnDeaf(Turn, tag="Turn"):
    """`play.turn` under erratum deaf: the same, and no signal is heard."""

    def decide(self, board: Board, seat: int, mark: Any) -> Any:
        if mark.cell == 4:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF, signal.SIGTERM})
            time.sleep(600)
        yield from super().decide(board, seat, mark)


class TurnDeadly(Turn, tag="Turn"):
    """`play.turn` under erratum deadly: whoever marks the centre takes the process along."""

    def decide(self, board: Board, seat: int, mark: Any) -> Any:
        if mark.cell == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        yield from super().decide(board, seat, mark)


class TurnUnlucky(Turn, tag="Turn"):
    """`play.turn` under erratum unlucky: the first process that comes here is killed."""

    def decide(self, board: Board, seat: int, mark: Any) -> Any:
        path = Path(os.environ[KILLED_ONCE])
        if mark.cell == 4 and not path.exists():
            path.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield from super().decide(board, seat, mark)


class TurnBroken(Turn, tag="Turn"):
    """`play.turn` under erratum broken: a bug."""

    def decide(self, board: Board, seat: int, mark: Any) -> Any:
        yield from super().decide(board, seat, mark)
        assert mark.cell != 4


def erratum(name: str, kind: type[Turn]) -> Erratum:
    return Erratum(id=name, date="2027-01-01", source="", text="Broken.", replaces={Turn: kind})


BROKEN: Ruleset = replace(ruleset("tictactoe"), errata=())
EDITIONS = {
    "endless": TurnForEver,
    "slow": TurnSlow,
    "deaf": TurnDeaf,
    "deadly": TurnDeadly,
    "unlucky": TurnUnlucky,
    "broken": TurnBroken,
}


def rules_of(name: str) -> Ruleset:
    """The games as they are, but that tic-tac-toe has one broken edition: the environment's."""
    if name != "tictactoe":
        return ruleset(name)
    wanted = os.environ.get("HEGEMON_TEST_BROKEN", "")
    found = RULES.get(wanted)
    return ruleset(name) if found is None else found


RULES = {name: replace(BROKEN, errata=(erratum(name, kind),)) for name, kind in EDITIONS.items()}
