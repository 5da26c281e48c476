"""Leaders and the effects of their abilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.games.hegemonic.actions.interrupts import ActionInterrupted, ActionResumed
from ledger.games.hegemonic.leaders import activation, builders, deck, minds, power, turns
from ledger.games.hegemonic.shown.names import counted, faction_name, leader_name
from ledger.games.hegemonic.shown.phrases import cards_seen, name_of, plain, who
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, Seen

from .divisions import PASSED

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


BEATS: Final = (
    Beat(activation.LeaderActivated, _activated),
    Beat(activation.LeaderReset, plain("{who}'s leader card goes back to its start.")),
    Beat(activation.LeaderPassed, _passed, tags=PASSED),
    Beat(ActionInterrupted, plain("{who}'s action is interrupted.")),
    Beat(ActionResumed, plain("{who} goes on with its action.")),
    Beat(minds.HandSeen, _hand_seen),
    Beat(deck.TopSeen, _top_seen),
    Beat(deck.DeckOrdered, _ordered),
    Beat(power.FactionFreed, _freed),
    Beat(power.RetentionRaised, _retained),
    Beat(turns.AttackAllowed, plain("{who}'s {attacker} may attack once more.")),
    Beat(turns.StarterChosen, _starter),
    Beat(turns.OrderChanged, plain("{who}'s card now has number {number}.")),
    Beat(turns.ActionsAdded, plain("{who} may take {most} actions in this turn.")),
    Beat(builders.ComplexCheapened, _cheaper),
)
