"""A round: its phases, income, tiles, technologies, action cards, turns, CAPs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ledger.games.hegemonic.actions import advancing, choosing, discover, piles, turn
from ledger.games.hegemonic.conflicts.inactive import InactiveReturned
from ledger.games.hegemonic.map import tiles
from ledger.games.hegemonic.rounds import clock, ending, sequence
from ledger.games.hegemonic.shown.names import order_name, pattern_name, source_name
from ledger.games.hegemonic.shown.phrases import plain
from ledger.kernel.accounts import BANK, Transferred, holder
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, HeadingRule, Seen
from ledger.parts.text import counted, name_of, who

from .divisions import MOVED, PASSED, PHASE, ROUND, SCORED, TURN

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


def _tell_transfer(fact: Seen, lookup: Lookup) -> str:
    amount = counted(fact["amount"], "CAP")
    giver, getter, rule = holder(fact["source"]), holder(fact["target"]), fact["rule"]
    if fact["source"] != BANK and fact["target"] != BANK:
        if rule == "deal.caps":  # it has been told as given
            return ""
        return f"{amount} from {name_of(fact, giver)} to {name_of(fact, getter)}."
    who, said = (getter, GAINS) if fact["source"] == BANK else (giver, LOSSES)
    other = "{who} gains {n}{by}." if said is GAINS else "{who} pays {n}."
    technology = source_name(lookup, rule.removeprefix("tech.")) if rule.startswith("tech.") else ""
    by = f" by {technology}" if technology else ""
    return said.get(rule, other).format(who=name_of(fact, who), n=amount, by=by)


def _tag_transfer(fact: Seen) -> Sequence[str]:
    """Tags CAPs that go from player to player; the bank's transfers appear with their reason."""
    return () if BANK in (fact["source"], fact["target"]) else MOVED


def _round(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(ROUND, f"Round {fact['round']}")


def _phase(fact: Seen, _: Lookup) -> str:
    return f"{PHASES[fact['phase'] - 1]}."


def _phase_heading(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(PHASE, PHASES[fact["phase"] - 1])


def _scores(fact: Seen, _: Lookup) -> str:
    scores = [f"{name_of(fact, seat)} {score}" for seat, score in enumerate(fact["scores"])]
    return f"Round {fact['round']} is over: {', '.join(scores)}."


def _turn_heading(fact: Seen, lookup: Lookup) -> HeadingRule:
    return HeadingRule(TURN, f"{who(fact)}: {order_name(lookup, fact['card'])}", fact["seat"])


ACTIONS: Final[Mapping[str, str]] = {
    "basic": "{who} takes a basic action.",
    "build": "{who} builds.",
    "capitalize": "{who} capitalizes.",
    "survey": "{who} surveys.",
    "research": "{who} researches.",
    "conflict": "{who} prepares a conflict.",
}


def _tell_action(fact: Seen, lookup: Lookup) -> str:
    if fact["pattern"]:
        return f"{who(fact)} turns to {pattern_name(lookup, fact['pattern'])}."
    return ACTIONS.get(fact["action"], "{who} begins.").format(who=who(fact))


BEATS: Final = (
    Beat(Transferred, _tell_transfer, tags=_tag_transfer),
    Beat(clock.RoundBegun, plain("Round {round}."), begins=_round),
    Beat(clock.PhaseBegun, _phase, begins=_phase_heading),
    Beat(ending.RoundEnded, _scores, tags=SCORED, ends=PHASE),
    Beat(
        sequence.IncomeCollected,
        plain("{who}'s income: {industrial} industrial, {political} political, {martial} martial."),
    ),
    Beat(sequence.LeaderRose, plain("{who}'s leader rises to level {level}.")),
    # Expansion and technologies
    Beat(
        sequence.ExpansionSkipped,
        plain("The stack is empty: {who}'s expansion is left out."),
        tags=PASSED,
    ),
    Beat(tiles.TileTurned, plain("Into the pool: {tile:tile}.")),
    Beat(tiles.StackEmpty, plain("The stack is empty: no tile is turned.")),
    Beat(tiles.TilePlaced, plain("{who} puts {tile:tile} at {sector}.")),
    Beat(piles.CardDrawn, plain("{who} draws {card:card}.", unseen="{who} draws a card.")),
    Beat(piles.TopCardDrawn, plain("{who} draws {card:card}.", unseen="{who} draws a card.")),
    Beat(piles.DiscardTaken, plain("{who} takes {card:card} from the discards.")),
    Beat(piles.AdvancedTaken, plain("{who} takes the advanced {card:card} back to its hand.")),
    Beat(piles.NothingDrawn, plain("There is nothing for {who} to draw.")),
    Beat(piles.CardDiscarded, plain("{who} discards {card:card}.")),
    Beat(piles.AdvancedDiscarded, plain("{who} gives the advanced {card:card} up.")),
    Beat(piles.StandingDiscardCounted, plain("Out of turn,")),
    Beat(piles.PilesReshuffled, plain("The {count} discards are shuffled into a new pile.")),
    Beat(advancing.TechnologyAdvanced, plain("{who} advances {card:card}.")),
    Beat(advancing.Kept, plain("{who} keeps its hand."), tags=PASSED),
    Beat(InactiveReturned, plain("{who} takes back from its inactive pile: {cards:cards}.")),
    Beat(discover.Capitalized, plain("{who} collects from its {income} bases again.")),
    # Action phases and turns
    Beat(
        choosing.CardCommitted,
        plain("{who} chooses {card:order}.", unseen="{who} has chosen an action card."),
    ),
    Beat(choosing.CardRevealed, plain("{who} reveals {card:order}.")),
    Beat(choosing.StarterNamed, plain("{who} goes first of those with number {number}.")),
    Beat(choosing.CardsRecovered, plain("All take their action cards back.")),
    Beat(turn.TurnBegun, plain("{who}'s turn, with {card:order}."), begins=_turn_heading),
    Beat(turn.TurnEnded, plain("{who}'s turn is over."), ends=TURN),
    Beat(turn.ActionOpened, _tell_action),
    Beat(turn.ActionUsed, silent="what was done is told"),
    Beat(turn.ActionTakenBack, plain("{who} takes the action back.")),
)
