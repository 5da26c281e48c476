"""Positions of tic-tac-toe that the tests of its chapters start from."""

from __future__ import annotations

from typing import Any

from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.readings import Value
from ledger.kernel.refusals import Refused
from tests.support.given import match_of

NAME = "tictactoe"
SEALED: dict[str, Value] = {"opening": "sealed"}
STAKED: dict[str, Value] = {"begin.stake": 2}

# Nine marks in turn, none of which makes a line.
DRAWN = (0, 1, 2, 4, 3, 5, 7, 6, 8)


def marked(*cells: int, **terms: Any) -> Match:
    """After these cells have been marked in turn."""
    match = match_of(NAME, **terms)
    begin(match)
    for cell in cells:
        fold(match, match.asked()[0], Mark(cell))
    return match


def written(first: int, second: int, **terms: Any) -> Match:
    """A sealed opening after both have written down their cell."""
    terms["options"] = SEALED | terms.get("options", {})
    match = match_of(NAME, **terms)
    begin(match)
    fold(match, 0, Write(first))
    fold(match, 1, Write(second))
    return match


def allowed(match: Match, cell: int) -> bool:
    """Whether the seat that is asked may mark a cell."""
    question = match.question
    assert question is not None
    try:
        return question.allows(match.state, match.asked()[0], Mark(cell))
    except Refused:
        return False
