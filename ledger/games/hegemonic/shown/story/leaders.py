"""Sentences about leaders and the effects of their abilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.games.hegemonic.shown.names import counted, faction_name, leader_name
from ledger.games.hegemonic.shown.phrases import Chapter, Seen, cards_seen, name_of, plain, who
from ledger.kernel.lookup import Lookup

MOMENTS: Final[Mapping[str, str]] = {
    "revealed": "now that the cards are revealed",
    "tied": "at the tie",
    "support-begins": "before support is asked for",
    "support-answered": "after the answers to support",
    "before-cards": "before cards are chosen",
    "cards-revealed": "now that the cards are shown",
    "unit-falls": "as the unit falls",
    "attack-lost": "after the lost attack",
    "before-retention": "before CAPs are cut",
}


def _activated(fact: Seen, door: Lookup) -> str:
    return f"{leader_name(door, fact['leader'])} acts for {who(fact)}, at level {fact['level']}."


def _passed(fact: Seen, _: Lookup) -> str:
    moment = MOMENTS.get(fact["moment"], "for now")
    again = ", and will not be asked again in this phase" if fact["not_again"] else ""
    return f"{who(fact)}'s leader does nothing {moment}{again}."


def _hand_seen(fact: Seen, door: Lookup) -> str:
    cards = cards_seen(fact["cards"], door)
    return f"{who(fact)} looks at {name_of(fact, fact['of'])}'s hand: {cards}."


def _top_seen(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} looks at the top of the pile: {cards_seen(fact['cards'], door)}."


def _ordered(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} puts back: {cards_seen(fact['cards'], door)}."


def _freed(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} may draw on {faction_name(door, fact['faction'])} once more."


def _starter(fact: Seen, _: Lookup) -> str:
    return f"{who(fact)}'s leader has {name_of(fact, fact['starter'])} go first."


def _retained(fact: Seen, _: Lookup) -> str:
    return f"{who(fact)} may keep {counted(fact['amount'], 'CAP')} more in this round."


def _cheaper(fact: Seen, _: Lookup) -> str:
    return f"{who(fact)}'s next complex costs {counted(fact['amount'], 'CAP')} less."


SENTENCES: Final[Chapter] = {
    "leader.activated": _activated,
    "leader.reset": plain("{who}'s leader card goes back to its start."),
    "leader.passed": _passed,
    "leader.action-interrupted": plain("{who}'s action is interrupted."),
    "leader.action-resumed": plain("{who} goes on with its action."),
    "leader.hand-seen": _hand_seen,
    "leader.top-seen": _top_seen,
    "leader.deck-ordered": _ordered,
    "leader.faction-freed": _freed,
    "leader.retention-raised": _retained,
    "leader.attack-allowed": plain("{who}'s {attacker} may attack once more."),
    "leader.starter-chosen": _starter,
    "leader.order-changed": plain("{who}'s card now has number {number}."),
    "leader.actions-added": plain("{who} may take {most} actions in this turn."),
    "leader.complex-cheapened": _cheaper,
}
