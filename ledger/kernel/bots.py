"""Bots: they get what a seat may see and decide, and numbers of their own; never a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from .chance import Stream
from .fold import fold
from .records import Decision, Seat
from .refusals import Refused
from .terms import Terms

# What the seat sees, for who looks: to draw it is the dearest part of a move that is made blindly.
Look: TypeAlias = Callable[[], Mapping[str, Any]]
Bot: TypeAlias = Callable[[Terms, Look, Sequence[Decision], Stream], Decision]


def random_bot(
    terms: Terms,  # noqa: ARG001 - every bot is called alike
    look: Look,  # noqa: ARG001
    options: Sequence[Decision],
    stream: Stream,
) -> Decision:
    """Any option, each as likely."""
    chosen: Decision = stream.choose(options)
    return chosen


def greedy_bot(terms: Terms, look: Look, options: Sequence[Decision], stream: Stream) -> Decision:
    """The option that scores best one decision ahead, in a position that fits what is seen.

    What the seat may not see is filled in by the ruleset's `sample`; ties are broken by chance.
    Its `ideas`, which no question has listed, must be better than all options.
    """
    rules = terms.rules
    if rules.sample is None or rules.score is None:
        return random_bot(terms, look, options, stream)
    seen = look()
    seat: Seat = seen["seat"]
    state, agenda = rules.sample(seen, stream, terms.silent)
    held = terms.snapshot(terms.match(seen["version"], state, agenda))
    best: list[Decision] = []
    best_score: int | None = None
    for option in options if rules.promising is None else rules.promising(seen, options):
        score = _score_after(terms, held, seat, option)
        if score is None:
            continue  # legal in the real position, not in the imagined one
        if best_score is None or score > best_score:
            best, best_score = [], score
        if score == best_score:
            best.append(option)
    for idea in () if rules.ideas is None else rules.ideas(seen, terms.silent):
        score = _score_after(terms, held, seat, idea)
        if score is not None and best_score is not None and score > best_score:
            best, best_score = [idea], score
    chosen: Decision = stream.choose(best or options)
    return chosen


def _score_after(terms: Terms, held: bytes, seat: Seat, decision: Decision) -> int | None:
    """What the position is worth after a decision; nothing if it is refused."""
    imagined = terms.restore(held)
    assert terms.rules.score is not None
    try:
        fold(imagined, seat, decision)
    except Refused:
        return None
    return terms.rules.score(imagined.state, seat)


BOTS: Final[Mapping[str, Bot]] = {"random": random_bot, "greedy": greedy_bot}
