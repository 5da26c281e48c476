"""Sentences about a round: its phases, income, tiles, technologies, action cards, turns, CAPs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.games.hegemonic.shown.names import (
    counted,
    order_name,
    pattern_name,
    source_name,
    tile_words,
)
from ledger.games.hegemonic.shown.phrases import (
    Chapter,
    Seen,
    cards_seen,
    name_of,
    plain,
    who,
    with_card,
)
from ledger.kernel.accounts import BANK, holder
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup

PHASES: Final = (
    "Collection", "Expansion", "First action phase", "Second action phase", "Third action phase",
    "Arbitration",
)  # fmt: skip

# Why CAPs came or went, by the rule that moved them.
GAINS: Final[Mapping[str, str]] = {
    "setup.caps": "{who} begins with {n}.",
    "collection.income": "{who} collects {n}.",
    "basic.collect": "It brings {n}.",
    "discover.capitalize": "{who} collects {n}.",
}
LOSSES: Final[Mapping[str, str]] = {
    "advance.cost": "{who} pays {n} for a technology.",
    "cost.destroy": "{who} pays {n} for the attack.",
    "cost.takeover": "{who} pays {n} for the takeover.",
    "move.agent-cost": "{who} pays {n} for the way.",
    "move.fleet-cost": "{who} pays {n} for the way.",
    "arb.retention": "{who} loses {n}.",
}


def _transferred(fact: Seen, door: Lookup) -> str:
    amount = counted(fact["amount"], "CAP")
    giver, getter, rule = holder(fact["source"]), holder(fact["target"]), fact["rule"]
    if fact["source"] != BANK and fact["target"] != BANK:
        if rule == "deal.caps":  # it has been told as given
            return ""
        return f"{amount} from {name_of(fact, giver)} to {name_of(fact, getter)}."
    who, said = (getter, GAINS) if fact["source"] == BANK else (giver, LOSSES)
    other = "{who} gains {n}{by}." if said is GAINS else "{who} pays {n}."
    technology = source_name(door, rule.removeprefix("tech.")) if rule.startswith("tech.") else ""
    by = f" by {technology}" if technology else ""
    return said.get(rule, other).format(who=name_of(fact, who), n=amount, by=by)


def _phase(fact: Seen, _: Lookup) -> str:
    return f"{PHASES[fact['phase'] - 1]}."


def _turned(fact: Seen, door: Lookup) -> str:
    return f"Into the pool: {tile_words(door, fact['tile'])}."


def _placed(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} puts {tile_words(door, fact['tile'])} at {fact['sector']}."


def _committed(fact: Seen, door: Lookup) -> str:
    if hidden(fact["card"]):
        return f"{who(fact)} has chosen an action card."
    return f"{who(fact)} chooses {order_name(door, fact['card'])}."


def _revealed(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} reveals {order_name(door, fact['card'])}."


def _turn(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)}'s turn, with {order_name(door, fact['card'])}."


ACTIONS: Final[Mapping[str, str]] = {
    "basic": "{who} takes a basic action.",
    "build": "{who} builds.",
    "capitalize": "{who} capitalizes.",
    "survey": "{who} surveys.",
    "research": "{who} researches.",
    "conflict": "{who} prepares a conflict.",
}


def _opened(fact: Seen, door: Lookup) -> str:
    if fact["pattern"]:
        return f"{who(fact)} turns to {pattern_name(door, fact['pattern'])}."
    return ACTIONS.get(fact["action"], "{who} begins.").format(who=who(fact))


def _capitalized(fact: Seen, _: Lookup) -> str:
    return f"{who(fact)} collects from its {fact['income']} bases again."


def _returned(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} takes back from its inactive pile: {cards_seen(fact['cards'], door)}."


SENTENCES: Final[Chapter] = {
    "accounts.transferred": _transferred,
    "round.begun": plain("Round {round}."),
    "round.phase-begun": _phase,
    "round.ended": lambda fact, _: (
        f"Round {fact['round']} is over: "
        + ", ".join(f"{name_of(fact, n)} {score}" for n, score in enumerate(fact["scores"]))
        + "."
    ),
    "collection.income": plain(
        "{who}'s income: {industrial} industrial, {political} political, {martial} martial."
    ),
    "collection.leader-rose": plain("{who}'s leader rises to level {level}."),
    # Expansion and technologies
    "expansion.skipped": plain("The stack is empty: {who}'s expansion is left out."),
    "expansion.tile-turned": _turned,
    "expansion.stack-empty": lambda _, __: "The stack is empty: no tile is turned.",
    "expansion.tile-placed": _placed,
    "tech.drawn": with_card("{who} draws {card}.", "{who} draws a card."),
    "tech.top-drawn": with_card("{who} draws {card}.", "{who} draws a card."),
    "tech.discard-taken": with_card("{who} takes {card} from the discards."),
    "tech.advanced-taken": with_card("{who} takes the advanced {card} back to its hand."),
    "tech.nothing-drawn": plain("There is nothing for {who} to draw."),
    "tech.discarded": with_card("{who} discards {card}."),
    "tech.advanced-discarded": with_card("{who} gives the advanced {card} up."),
    "tech.discard-counted": plain("Out of turn,"),
    "tech.reshuffled": plain("The {count} discards are shuffled into a new pile."),
    "tech.advanced": with_card("{who} advances {card}."),
    "tech.kept": plain("{who} keeps its hand."),
    "inactive.returned": _returned,
    "discover.capitalized": _capitalized,
    # Action phases and turns
    "action.committed": _committed,
    "action.revealed": _revealed,
    "action.starter-named": plain("{who} goes first of those with number {number}."),
    "action.recovered": lambda _, __: "All take their action cards back.",
    "turn.begun": _turn,
    "turn.ended": plain("{who}'s turn is over."),
    "turn.action-opened": _opened,
    "turn.action-taken-back": plain("{who} takes the action back."),
}
