"""Bots: they get what a seat may see and decide, and numbers of their own; never a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from .chance import Stream
from .fold import fold
from .records import Decision, Seat
from .refusals import Refused
from .terms import Terms

Bot: TypeAlias = Callable[[Terms, Mapping[str, Any], Sequence[Decision], Stream], Decision]


def random_bot(
    terms: Terms,  # noqa: ARG001 - every bot is called alike
    seen: Mapping[str, Any],  # noqa: ARG001
    options: Sequence[Decision],
    stream: Stream,
) -> Decision:
    """Any option, each as likely."""
    chosen: Decision = stream.choose(options)
    return chosen


def greedy_bot(
    terms: Terms, seen: Mapping[str, Any], options: Sequence[Decision], stream: Stream
) -> Decision:
    """The option that scores best one decision ahead, in a position that fits what is seen.

    What the seat may not see is filled in by the ruleset's `sample`; ties are broken by chance.
    """
    rules = terms.rules
    if rules.sample is None or rules.score is None:
        return random_bot(terms, seen, options, stream)
    seat: Seat = seen["seat"]
    state, agenda = rules.sample(seen, stream)
    held = terms.snapshot(terms.match(seen["version"], state, agenda))
    best: list[Decision] = []
    best_score: int | None = None
    for option in options:
        imagined = terms.restore(held)
        try:
            fold(imagined, seat, option)
        except Refused:
            continue  # legal in the real position, not in the imagined one
        score = rules.score(imagined.state, seat)
        if best_score is None or score > best_score:
            best, best_score = [], score
        if score == best_score:
            best.append(option)
    chosen: Decision = stream.choose(best or options)
    return chosen


BOTS: Final[Mapping[str, Bot]] = {"random": random_bot, "greedy": greedy_bot}
