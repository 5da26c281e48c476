"""Leaders and the effects of their abilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.games.hegemonic.leaders import activation, builders, minds, power, turns
from ledger.games.hegemonic.leaders.activation import ActionInterrupted, ActionResumed
from ledger.games.hegemonic.shown.phrases import plain
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, Seen
from ledger.parts.text import who

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


def _tell_pass(fact: Seen, _: Lookup) -> str:
    moment = MOMENTS.get(fact["moment"], "for now")
    again = ", and will not be asked again in this phase" if fact["not_again"] else ""
    return f"{who(fact)}'s leader does nothing {moment}{again}."


BEATS: Final = (
    Beat(activation.LeaderActivated, plain("{leader:leader} acts for {who}, at level {level}.")),
    Beat(activation.LeaderReset, plain("{who}'s leader card goes back to its start.")),
    Beat(activation.LeaderPassed, _tell_pass, tags=PASSED),
    Beat(ActionInterrupted, plain("{who}'s action is interrupted.")),
    Beat(ActionResumed, plain("{who} goes on with its action.")),
    Beat(minds.HandSeen, plain("{who} looks at {of:seat}'s hand: {cards:cards}.")),
    Beat(minds.TopSeen, plain("{who} looks at the top of the pile: {cards:cards}.")),
    Beat(minds.DeckOrdered, plain("{who} puts back: {cards:cards}.")),
    Beat(power.FactionFreed, plain("{who} may draw on {faction:faction} once more.")),
    Beat(power.RetentionRaised, plain("{who} may keep {amount:# CAP} more in this round.")),
    Beat(turns.AttackAllowed, plain("{who}'s {attacker} may attack once more.")),
    Beat(turns.StarterChosen, plain("{who}'s leader has {starter:seat} go first.")),
    Beat(turns.OrderChanged, plain("{who}'s card now has number {number}.")),
    Beat(turns.ActionsAdded, plain("{who} may take {most} actions in this turn.")),
    Beat(builders.ComplexCheapened, plain("{who}'s next complex costs {amount:# CAP} less.")),
)
