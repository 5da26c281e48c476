"""Outcomes: the facts of each event's fold, with the salts under which events commit to them.

Facts are derived, so no store keeps them: with the salt key, a reader folds the log again
and gets the opening of every outcome. If a fold gives other facts than the events commit
to, a different engine wrote them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ledger.kernel.match import Match
from ledger.log.format.commitments import OUTCOME_PATH, Opening

from .history import History


def know_outcomes(history: History) -> None:
    """Adds the opening of every event's outcome to a history that has the salt key.

    If a fold fails or gives other facts than the event commits to, its outcome and all later
    ones stay undisclosed. The log itself can still be exported.
    """
    missing = [
        version
        for version, body in enumerate(history.bodies, 1)
        if body.outcome is not None and (version, OUTCOME_PATH) not in history.openings
    ]
    if missing and history.salt_key is not None:
        with suppress(Exception):  # whatever is wrong with the rules is no matter of the log's
            for opening in _outcomes(history, missing[0]):
                history.know([opening])


def _outcomes(history: History, first: int) -> Iterator[Opening]:
    """Yields the opening of every event's outcome from `first` on, on every line."""
    match: Match | None = None
    at = 0
    for event in history.events[first - 1 :]:
        version, body = event.version, history.body(event.version)
        if body.parent != at:
            match = history.at(body.parent)
        moment = history.fold_event(match, version)
        match, at = moment.match, version
        if body.outcome is not None:
            opening = history.open_outcome(version, moment.facts)
            assert opening is not None, "the salt key is known"
            yield opening
