"""Bots get a seat's view, its options and a random stream, but never the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from .audience import rebuild
from .chance import Stream
from .fold import fold
from .records import Decision, Question, Step, tag_of
from .refusals import Refused
from .ruleset import Bot
from .story import Seen
from .terms import Terms

# Draws the seat's view. A bot that chooses blindly does not call it, because it costs most.
Look: TypeAlias = Callable[[], Seen]
Chooser: TypeAlias = Callable[[Terms, Look, Sequence[Decision], Stream], Decision]


def random_bot(
    terms: Terms,  # noqa: ARG001 - every chooser is called alike
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
    bot = terms.rules.bot
    if bot is None:
        return random_bot(terms, look, options, stream)
    seen = look()
    imagined = Imagined(terms, bot, seen, stream)
    tried = list(imagined.tried(options if bot.promising is None else bot.promising(seen, options)))
    best_score = max((score for score, _ in tried), default=None)
    best = [option for score, option in tried if score == best_score]
    if best_score is not None and bot.ideas is not None:
        idea = imagined.best(bot.ideas(seen, terms.silent), best_score)
        best = best if idea is None else [idea]
    chosen: Decision = stream.choose(best or options)
    return chosen


class Imagined:
    """A whole position that fits a seat's view, in which decisions are tried."""

    def __init__(self, terms: Terms, bot: Bot, seen: Seen, stream: Stream) -> None:
        self._terms, self._bot, self._seat = terms, bot, seen["seat"]
        state = bot.sample(seen, stream, terms.silent)
        match = terms.match(seen["version"], state, pending(seen, terms.rules.agenda))
        self._held = terms.snapshot(match)
        self._match = match

    def score(self) -> int:
        """Returns the score before any decision."""
        return self._bot.score(self._match.state, self._seat)

    def tried(self, decisions: Iterable[Decision]) -> Iterator[tuple[int, Decision]]:
        """Yields each decision with the score of the position after it.

        A decision that is refused is left out: it may be legal in the real position only.
        """
        for decision in decisions:
            match = self._terms.restore(self._held)
            try:
                fold(match, self._seat, decision)
            except Refused:
                continue
            yield self._bot.score(match.state, self._seat), decision

    def best(self, decisions: Iterable[Decision], above: int) -> Decision | None:
        """Returns the first of the decisions that score best; None if none scores above that."""
        best = None
        for score, decision in self.tried(decisions):
            if score > above:
                best, above = decision, score
        return best


def pending(seen: Seen, agenda: Sequence[type[Step | Question]]) -> list[Step | Question]:
    """Returns the steps and questions to come, as a view of a position shows them."""
    kinds = {tag_of(kind): kind for kind in agenda}
    return [rebuild(item, kinds[item["type"]]) for item in seen["agenda"]]


BOTS: Final[Mapping[str, Chooser]] = {"random": random_bot, "greedy": greedy_bot}
