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

from typing import Final, Literal

from ledger.kernel.frozen import FrozenByName

Illegal = Literal["stop", "skip", "default", "bot", "chance"]
Missing = Literal["stop", "default", "bot", "chance"]


class Policies(FrozenByName, frozen=True, kw_only=True):
    """The chosen policies; every result includes them."""

    illegal: Illegal = "stop"
    missing: Missing = "default"
    bot: str = "greedy"
    seed: int = 0  # of bots, of options drawn, of dice and cards that are assumed
    draws: int = 10  # how often what is assumed is assumed, for the spread


STANDARD: Final = Policies()
