"""Readings of Hegemonic: for each a situation in which its values make a difference.

@played("setup.caps", (0, 6), (5, 11))
def _(**terms) -> int:
    ...what the table shows at the end of a situation that is played with these terms
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ledger.games.hegemonic import RULES
from ledger.kernel.readings import Value
from ledger.kernel.records import Decision, Seat
from tests.support.given import Given


@dataclass(frozen=True)
class Played:
    """A reading, and what a situation comes to by each of its values."""

    situation: Callable[..., Any]
    shown: tuple[tuple[Value, Any], ...]


PLAYED: dict[str, Played] = {}


def played(reading: str, *shown: tuple[Value, Any]) -> Callable[[Callable[..., Any]], None]:
    """The situation below shows this of a reading."""

    def note(situation: Callable[..., Any]) -> None:
        assert reading not in PLAYED, f"{reading} is played already"
        PLAYED[reading] = Played(situation, shown)

    return note


def by(reading: str, value: Value) -> dict[str, Any]:
    """The terms of a match in which it is read so."""
    if RULES.readings[reading].option:
        return {"options": {reading: value}}
    return {"overlay": {"readings": {"values": {reading: value}}}}


def said_to(sentence: Given, seat: Seat, decision: Decision) -> str:
    """The code by which a decision is refused; nothing where it is not."""
    sentence.when(seat, decision)
    refusal, sentence.refusal = sentence.refusal, None
    return refusal.code if refusal else ""
