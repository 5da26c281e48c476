"""A bot's decisions. It gets its seat's view and its own random numbers, never the state."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ledger.kernel.bots import BOTS, Imagined
from ledger.kernel.chance import Stream
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Seat

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


def list_offered(match: Match, seat: Seat) -> list[Decision]:
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
    terms, looking = match.terms, match.terms.rules.bot
    if bot == "random" or looking is None or looking.ideas is None:
        return None
    listed = list_offered(match, seat)
    if not listed:
        return None
    seen = match.view(seat)
    wanted = [idea for idea in looking.ideas(seen, terms.silent) if idea in listed]
    if not wanted:
        return None
    imagined = Imagined(terms, looking, seen, stream)
    return imagined.best(wanted, imagined.score())
