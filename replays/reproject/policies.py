"""Policies: the replacement for a decision that is now illegal, or that the log does not have.

| policy | illegal | missing |
|---|---|---|
| stop | the re-projection ends there | the same |
| skip | it is marked and left out; what is then missing is as `missing` says | |
| default | the decision that a time-out would make | the same |
| bot | the decision of a bot that sees what the seat sees | the same |
| chance | one of the options, each equally likely | the same |

Dice and cards that the log does not have are drawn from the keys that the closing event disclosed,
at the address they would have been drawn at. If no key is known they are *assumed*, from a stated
seed, and a result that depends on them is undetermined.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final, Literal

from ledger.kernel.bots import BOTS
from ledger.kernel.chance import ChanceQuestion, Stream, domain_key
from ledger.kernel.frozen import FrozenByName
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Question, Seat
from ledger.log.format.acts import Closed
from ledger.log.read.history import History

Illegal = Literal["stop", "skip", "default", "bot", "chance"]
Missing = Literal["stop", "default", "bot", "chance"]
Drawn = Literal["keys", "assumed"]

SUBSTITUTES_MAX: Final = 2_000  # of one match; more would be another match


class Policies(FrozenByName, frozen=True, kw_only=True):
    """The chosen policies; every result includes them."""

    illegal: Illegal = "stop"
    missing: Missing = "default"
    bot: str = "greedy"
    seed: int = 0  # of bots, of options drawn, of dice and cards that are assumed
    draws: int = 10  # how often what is assumed is assumed, for the spread


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
