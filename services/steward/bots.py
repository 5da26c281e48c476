"""A bot's decisions. It gets its seat's view and its own random numbers, never the state."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ledger.kernel.bots import BOTS
from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms

TRIES_MAX = 50  # options that are tried where the rules do not take what a bot thought of


def answers_of(match: Match, seat: Seat, bot: str, stream: Stream) -> Iterator[Decision]:
    """Yields a bot's answers to the current question: its choice, then alternatives."""
    options = match.options(seat)
    if options:
        chosen = BOTS[bot](match.terms, partial(match.view, seat), options, stream)
        yield chosen
        rest = [option for option in options if option != chosen]
        for _ in range(min(len(rest), TRIES_MAX)):
            yield rest.pop(stream.below(len(rest)))
    if (default := default_of(match, seat)) is not None:
        yield default


def default_of(match: Match, seat: Seat) -> Decision | None:
    """Returns the rules' decision for a silent seat."""
    question = match.question
    assert question is not None, "somebody is asked"
    return question.default(match.state, seat)


def offered(match: Match, seat: Seat) -> list[Decision]:
    """Returns a seat's possible answers to standing questions, as far as they can be listed."""
    return [
        option
        for question in match.standing(seat)
        for option in question.options(match.state, seat)
    ]


def says_to_offers(match: Match, seat: Seat, bot: str, stream: Stream) -> Decision | None:
    """Returns an answer to an offer that improves a bot's position, or None to wait.

    Only a bot that evaluates positions can judge offers; others let them wait.
    """
    rules, terms = match.terms.rules, match.terms
    if bot == "random" or rules.sample is None or rules.score is None or rules.ideas is None:
        return None
    listed = offered(match, seat)
    if not listed:
        return None
    seen = match.view(seat)
    wanted = [idea for idea in rules.ideas(seen, terms.silent) if idea in listed]
    if not wanted:
        return None
    state, agenda = rules.sample(seen, stream, terms.silent)
    held = terms.snapshot(terms.match(seen["version"], state, agenda))
    best, best_score = None, rules.score(state, seat)
    for idea in wanted:
        score = _score_after(terms, held, seat, idea)
        if score is not None and score > best_score:
            best, best_score = idea, score
    return best


def _score_after(terms: Terms, held: bytes, seat: Seat, decision: Decision) -> int | None:
    imagined: Match = terms.restore(held)
    score: Any = terms.rules.score
    try:
        fold(imagined, seat, decision)
    except Refused:
        return None
    worth: int = score(imagined.state, seat)
    return worth
