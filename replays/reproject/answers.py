"""The answers of a projection: those of the line by question key, and substitutes for the others.

Under its own edition a match takes its events in the order of the log. Under another edition the
rules ask, and the answer with the question's key is taken, wherever it is in the log. Two kinds of
events answer no waiting question and keep their place instead: acts, and decisions that a seat may
take at any time. Each is due once the ordinary answer before it, or a later one, has been used.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from ledger.kernel.bots import BOTS
from ledger.kernel.chance import ChanceQuestion, Stream, domain_key
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Question, Seat
from ledger.log.format.acts import Closed
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History

from .policies import Policies

Drawn = Literal["keys", "assumed"]

SUBSTITUTES_MAX: Final = 2_000  # of one match; more would be another match


class Due(NamedTuple):
    """An act or an unasked decision, and the answer after which it is due."""

    version: int
    after: int


class Answers:
    """The answers and acts of a line after an event that have not been used yet."""

    def __init__(
        self, history: History, line: Sequence[int], standing: Container[int], after: int
    ) -> None:
        self._history = history
        self._found: dict[tuple[str, Seat], int] = {}
        self._due: list[Due] = []
        self._next = 0
        self.frontier = after  # the last event, in the order of the log, that has had its turn
        self.last = after  # ordinary answer of the line
        ordinary = after
        for version in line:
            if version <= after:
                continue
            body = history.body(version)
            if isinstance(body, ActBody) or version in standing:
                self._due.append(Due(version, ordinary))
                continue
            ordinary = self.last = version
            self._found[body.question, body.seat] = version

    def due(self) -> Due | None:
        """Returns the next event that keeps its place, if it is due."""
        if self._next < len(self._due) and self._due[self._next].after <= self.frontier:
            return self._due[self._next]
        return None

    def done(self, due: Due) -> None:
        self._next += 1
        self.frontier = max(self.frontier, due.version)

    def answer(self, key: str, seat: Seat) -> int | None:
        return self._found.get((key, seat))

    def take(self, key: str, seat: Seat) -> None:
        self.frontier = max(self.frontier, self._found.pop((key, seat)))

    def left(self) -> list[int]:
        """Returns the answers that no question took, in the order of the log."""
        late = [one.version for one in self._due[self._next :]]
        acts = {one for one in late if isinstance(self._history.body(one), ActBody)}
        return sorted([*self._found.values(), *(one for one in late if one not in acts)])

    @property
    def spent(self) -> bool:
        """Tells if every ordinary answer has been used."""
        return not self._found


class Substitutes:
    """Makes the decisions and draws that the log lacks; a draw number always gives the same
    ones.
    """

    def __init__(self, history: History, policies: Policies, draw: int = 0) -> None:
        self._history = history
        self._policies = policies
        self._draw = draw
        self._keys = _keys_of(history)
        self.assumed = 0
        self.made = 0

    def decided(self, how: str, match: Match, question: Question, seat: Seat) -> Decision | None:
        """Decides for a seat; None if the policy has no answer."""
        self.made += 1
        if how == "default":
            return question.default(match.state, seat)
        stream = self._stream(how, match.key(seat), str(seat))
        options = match.options(seat)
        if not options:
            return None
        bot = BOTS[self._policies.bot if how == "bot" else "random"]
        return bot(match.terms, partial(match.view, seat), options, stream)

    def fallen(
        self, match: Match, question: ChanceQuestion, after: int, *, copied: bool
    ) -> tuple[Decision, Drawn]:
        """Draws chance after an event of the log. For events copied into a fork no keys are known
        here.
        """
        self.made += 1
        wish = question.wish(match.state)
        epoch, address = self._history.lines.epoch(after), question.address(match.state)
        key = None if copied else self._keys.get(wish.domain)
        if key is not None:
            return wish.answer(key, epoch, address), "keys"
        self.assumed += 1
        made_up = self._stream("assumed", wish.domain).take(32)
        return wish.answer(made_up, epoch, address), "assumed"

    def _stream(self, *names: str) -> Stream:
        seed = self._policies.seed.to_bytes(8, "big")
        return Stream.named(seed, "re-project", self._history.match, str(self._draw), *names)


def _keys_of(history: History) -> dict[str, bytes]:
    """Returns the published keys of chance; a running match has none."""
    found: dict[str, Any] = {}
    for event in history.events:
        act = history.act(event.version)
        if isinstance(act, Closed):
            found |= act.seeds
    nonces = history.life.nonces
    return {domain: domain_key(seed, domain, nonces) for domain, seed in found.items()}
