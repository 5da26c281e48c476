"""Naming: a match, its players and its result in words, from its log alone."""

from __future__ import annotations

from typing import Any, Final

from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.kernel.refusals import Refused
from ledger.log.read.bundle import last_close
from ledger.log.read.history import History

SPECTATOR: Final = "spectator"
ALL: Final = "all"


def viewer_word(viewer: Viewer) -> str:
    """Returns a viewer as written in addresses."""
    if viewer is None:
        return SPECTATOR
    return ALL if viewer == ALL_SEATS else str(viewer)


def match_title(history: History) -> str:
    return history.created.title or f"Match {history.match}"


def ruleset_title(history: History) -> str:
    """Returns the ruleset's title, or its bare name if it is not known here."""
    try:
        return history.rules.title
    except Refused:
        return history.created.ruleset


def state_of(history: History) -> str:
    """Returns the match's state as a word."""
    life = history.life
    if life.abandoned:
        return "abandoned"
    if life.closed:
        return "finished"
    if not life.started:
        return "open"
    return "paused" if life.paused else "running"


def player_name(history: History, seat: int) -> str:
    """Returns the name of the seat's player, or "free"."""
    joined = history.life.joined.get(seat)
    return joined.name if joined is not None else "free"


def player_names(history: History) -> list[str]:
    return [player_name(history, seat) for seat in range(history.created.seats)]


def result_words(history: History) -> str:
    """Describes the result for people; "" until a result is approved."""
    closing = last_close(history)
    if closing is None or closing.result is None:
        return ""
    result: dict[str, Any] = closing.result
    scores = " : ".join(str(score) for score in result["scores"])
    winners = [player_name(history, seat) for seat in result["winners"]]
    if not winners:
        return f"nobody won ({result['reason']}, {scores})"
    if len(winners) == history.created.seats > 1:
        return f"{result['reason']}, {scores}"
    return f"{' and '.join(winners)} won {scores} ({result['reason']})"


def why_not_through_seats(history: History) -> str:
    """Says why not every reader may watch as a seat, or ""."""
    closing = last_close(history)
    if closing is None:
        return "While a match is being played, only that seat may see what it sees."
    if "decisions" in closing.discloses:
        return ""
    return "This match was closed without opening its secret decisions, so they stay secret."
