"""Divisions of a match: setup, rounds, phases, turns, conflicts, with deals between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.games.hegemonic.shown.names import order_name
from ledger.games.hegemonic.shown.phrases import Seen, name_of, who
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Begins, HeadingRule

from .deals import deal_name
from .rounds import PHASES

ROUND, PHASE, TURN, CONFLICT, DEAL = LEVELS = ("round", "phase", "turn", "conflict", "deal")

# What a part of the setup begins with, and what it is called.
SETUP: Final[Mapping[str, str]] = {
    "setup.arbiter-named": "Arbiter and boards",
    "setup.color-taken": "Colours",
    "setup.leader-taken": "Leaders",
    "setup.hand-dealt": "Cards",
    "draft.packet-dealt": "Draft",
    "setup.tiles-dealt": "Tiles",
    "setup.home-placed": "Homes",
    "setup.first-tile-drawn": "First tiles",
    "setup.first-tile-placed": "First tiles",
}


def conflict_label(fact: Seen) -> str:
    """Names a conflict by attacker, defender and sector."""
    attacker, defender = (name_of(fact, fact[side]["seat"]) for side in ("attacker", "defender"))
    return f"{attacker} against {defender} at {fact['sector']}"


def _said(level: str, label: str) -> Begins:
    return lambda _, __: HeadingRule(level, label)


def _round(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(ROUND, f"Round {fact['round']}")


def _phase(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(PHASE, PHASES[fact["phase"] - 1])


def _turn(fact: Seen, door: Lookup) -> HeadingRule:
    return HeadingRule(TURN, f"{who(fact)}: {order_name(door, fact['card'])}", fact["seat"])


def _conflict(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(CONFLICT, conflict_label(fact), whole=True)


def _deal(fact: Seen, _: Lookup) -> HeadingRule | None:
    if not fact["deal"]:  # CAPs may be given away for nothing
        return None
    return HeadingRule(DEAL, deal_name(fact, fact["deal"]), whole=True, aside=True)


BEGINS: Final[Mapping[str, Begins]] = {
    "setup.cards-shuffled": lambda _, __: HeadingRule(ROUND, "Setup", whole=True),
    **{fact: _said(PHASE, label) for fact, label in SETUP.items()},
    "round.begun": _round,
    "round.phase-begun": _phase,
    "turn.begun": _turn,
    "conflict.begun": _conflict,
    "score.board": _said(PHASE, "Scoring"),
    "score.final": _said(ROUND, "The end"),
    "end.winners": _said(ROUND, "The end"),
    **dict.fromkeys(
        (
            "deal.proposed",
            "deal.accepted",
            "deal.rejected",
            "deal.withdrawn",
            "deal.outcome-stated",
            "deal.caps-given",
        ),
        _deal,
    ),
}

ENDS: Final[Mapping[str, str]] = {
    "turn.ended": TURN,
    "conflict.ended": CONFLICT,
    "round.ended": PHASE,
}
