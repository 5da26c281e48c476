"""The parameters of an address, checked before anything is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ledger.games import ruleset, rulesets
from ledger.kernel.audience import Viewer
from ledger.kernel.ruleset import Ruleset
from ledger.log.read.history import History
from replays.story.moments import first_board
from replays.story.names import SPECTATOR, why_not_through_seats

_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_SHOWN_MAX: Final = 40


class NotAnswered(Exception):
    """A page that cannot be shown, with the status and the words that explain why."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


def first_shown(query: Mapping[str, str], history: History) -> int:
    """Returns the event `at` names; else the first board of a finished match, or the last event."""
    if "at" not in query and history.life.over:
        return first_board(history)
    return parse_event(query, history)


def parse_event(query: Mapping[str, str], history: History) -> int:
    """Returns the event `at` names, or the last one."""
    last = history.tip.version
    if "at" not in query:
        return last
    number = _number(query["at"], f"at must be the number of an event, from 1 to {last}")
    if not 1 <= number <= last:
        raise NotAnswered(404, f"There is no event {number}: this match has 1 to {last}.")
    return number


def parse_viewer(query: Mapping[str, str], history: History) -> Viewer:
    """Returns the seat `as` names; None for a spectator. Refuses one the visitor may not see."""
    name = query.get("as", SPECTATOR)
    if name == SPECTATOR:
        return None
    seats = history.created.seats
    seat = _number(name, f"as must be {SPECTATOR}, or the number of a seat from 0 to {seats - 1}")
    if seat >= seats:
        raise NotAnswered(404, f"There is no seat {seat}: this match has 0 to {seats - 1}.")
    if closed := why_not_through_seats(history):
        raise NotAnswered(403, closed)
    return seat


def parse_edition(query: Mapping[str, str], history: History) -> str:
    """Returns the edition `edition` names, or "" for the match as it was played."""
    name = query.get("edition", "")
    if name and name not in history.rules.editions:
        raise NotAnswered(404, f"There is no edition “{_short(name)}” of this game.")
    return name


def find_game(name: str) -> Ruleset:
    """Returns a game by its name. Refuses one that is not played here."""
    if name not in rulesets():
        raise NotAnswered(404, "There is no such game here.")
    return ruleset(name)


def _number(text: str, otherwise: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotAnswered(400, f"{otherwise}, not “{_short(text)}”.")
    return int(text)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}…"
