"""Bots get a seat's view, its options and a random stream, but never the state."""

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
    chosen: Decision = stream.choose(options)
    return chosen


def greedy_bot(terms: Terms, look: Look, options: Sequence[Decision], stream: Stream) -> Decision:
    """Chooses the option that scores best one decision ahead, in a position that fits the view.

    The ruleset's `sample` fills in what the seat may not see. Chance breaks ties. A decision
    from the ruleset's `ideas`, which no question lists, must score better than all options.
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
    """Returns the score of the position after a decision, or None if it is refused."""
    imagined = terms.restore(held)
    assert terms.rules.score is not None
    try:
        fold(imagined, seat, decision)
    except Refused:
        return None
    return terms.rules.score(imagined.state, seat)


BOTS: Final[Mapping[str, Bot]] = {"random": random_bot, "greedy": greedy_bot}
