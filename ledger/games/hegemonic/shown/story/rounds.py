"""The story of all but conflicts and deals: setup, rounds, pieces, leaders, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ledger.games.hegemonic.actions import advancing, choosing, discover, piles, turn
from ledger.games.hegemonic.actions.items import ItemDone
from ledger.games.hegemonic.conflicts.inactive import InactiveReturned
from ledger.games.hegemonic.conflicts.moving import MoverNamed
from ledger.games.hegemonic.leaders import activation, builders, minds, power, turns
from ledger.games.hegemonic.map import placing, tiles
from ledger.games.hegemonic.rounds import arbitration, clock, ending, scoring
from ledger.games.hegemonic.rounds import sequence as phases
from ledger.games.hegemonic.setup import boards, dealing, homes, sequence
from ledger.games.hegemonic.shown.names import (
    NAMINGS,
    board_name,
    order_name,
    pattern_name,
    source_name,
    technology_name,
)
from ledger.games.hegemonic.state.components import CORE
from ledger.kernel.accounts import BANK, Transferred, holder
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, HeadingRule, Seen
from ledger.parts.shown.story import rows
from ledger.parts.text import counted, each_seat, join_words, name_of, names, who

# The levels of headings, from the highest, and the tags of events.
ROUND, PHASE, TURN, CONFLICT, DEAL = LEVELS = ("round", "phase", "turn", "conflict", "deal")

FOUGHT: Final = ("conflict",)
DEALT: Final = ("deal",)
MOVED: Final = ("transfer",)
SCORED: Final = ("scoring",)
PASSED: Final = ("pass",)

PHASES: Final = (
    "Collection", "Expansion", "First action phase", "Second action phase", "Third action phase",
    "Arbitration",
)  # fmt: skip
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
ENDS: Final[Mapping[str, str]] = {
    "end.stack": "The stack of tiles is empty",
    "end.hexes": "No hex is left to fill",
    "opt.long-end": "No hex is left to fill",
}
ASKED_AGAIN: Final = ", and will not be asked again in this phase"

row = rows(
    {
        **NAMINGS,
        "aside": lambda _, number: f"; {number} without the icon lie aside" if number else "",
        "again": lambda _, never: ASKED_AGAIN if never else "",
        "end": lambda _, rule: ENDS.get(rule, "The end has come"),
        "laid": lambda _, board: "The core board" if board == CORE else f"Board {board}",
        "more": lambda _, box: f"; {counted(len(box), 'tile')} more may be added" if box else "",
        "moment": lambda _, moment: MOMENTS.get(moment, "for now"),
        "phase": lambda _, phase: PHASES[phase - 1],
    }
)

# --- setup ----------------------------------------------------------------------------------------


def _part(label: str) -> HeadingRule:
    return HeadingRule(PHASE, label)


SETUP: Final = (
    row(
        dealing.CardsShuffled,
        "{cards:# technology card} are shuffled{aside:aside}.",
        begins=HeadingRule(ROUND, "Setup", whole=True),
    ),
    row(dealing.TilesShuffled, "{tiles:# sector tile} are shuffled{aside:aside}{box:more}."),
    row(dealing.LeadersShuffled, "{leaders:# leader card} are shuffled."),
    row(dealing.TilesAdded, "{count:# tile} from the box are shuffled in, unseen."),
    row(dealing.StackMade, "{count} of the tiles form the stack, unseen."),
    row(sequence.ArbiterNamed, "{who} is the first arbiter.", begins=_part("Arbiter and boards")),
    row(boards.BoardLaid, "{board:laid} is laid: {sectors:# sector}."),
    row(
        boards.LayoutChosen,
        "The boards are laid as {layout}; homes are recommended at {homes:list}.",
    ),
    row(
        placing.PlayerBoardFilled,
        "{who}'s player board is filled: "
        "{gates:# gate}, {agents:# agent} and {fleets:# fleet}, and all bases.",
    ),
    row(sequence.ColorTaken, "Seat {seat} takes {color:color}.", begins=_part("Colours")),
    row(sequence.LeaderTaken, "{who} is led by {leader:leader}.", begins=_part("Leaders")),
    row(dealing.HandDealt, "{who} is dealt {cards:cards}.", begins=_part("Cards")),
    row(dealing.TilesDealt, "{who} is dealt {tiles:tiles}.", begins=_part("Tiles")),
    row(homes.HomePlaced, "{who}'s home is {sector}.", begins=_part("Homes")),
    row(homes.FirstTileDrawn, "{who} draws {tile:tile}.", begins=_part("First tiles")),
    row(homes.FirstTilePlaced, "{who} puts {tile:tile} at {sector}.", begins=_part("First tiles")),
    row(dealing.TilePooled, "{who}'s other tile goes to the pool: {tile:tile}."),
    row(dealing.PacketDealt, "{who} is dealt a packet: {cards:cards}.", begins=_part("Draft")),
    row(dealing.CardKept, "{who} keeps {card:card}.", unseen="{who} keeps a card."),
    row(dealing.PacketsPassed, "The packets go on clockwise."),
    row(dealing.LastDiscarded, "{who} discards the last card of its packet: {card:card}."),
)

# --- rounds ---------------------------------------------------------------------------------------

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


def _phase_heading(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(PHASE, PHASES[fact["phase"] - 1])


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


ROUNDS: Final = (
    row(Transferred, _tell_transfer, tags=_tag_transfer),
    row(clock.RoundBegun, "Round {round}.", begins=_round),
    row(clock.PhaseBegun, "{phase:phase}.", begins=_phase_heading),
    row(ending.RoundEnded, "Round {round} is over: {scores:each}.", tags=SCORED, ends=PHASE),
    row(
        phases.IncomeCollected,
        "{who}'s income: {industrial} industrial, {political} political, {martial} martial.",
    ),
    row(phases.LeaderRose, "{who}'s leader rises to level {level}."),
    # Expansion and technologies
    row(
        phases.ExpansionSkipped,
        "The stack is empty: {who}'s expansion is left out.",
        tags=PASSED,
    ),
    row(tiles.TileTurned, "Into the pool: {tile:tile}."),
    row(tiles.StackEmpty, "The stack is empty: no tile is turned."),
    row(tiles.TilePlaced, "{who} puts {tile:tile} at {sector}."),
    row(piles.CardDrawn, "{who} draws {card:card}.", unseen="{who} draws a card."),
    row(piles.TopCardDrawn, "{who} draws {card:card}.", unseen="{who} draws a card."),
    row(piles.DiscardTaken, "{who} takes {card:card} from the discards."),
    row(piles.AdvancedTaken, "{who} takes the advanced {card:card} back to its hand."),
    row(piles.NothingDrawn, "There is nothing for {who} to draw."),
    row(piles.CardDiscarded, "{who} discards {card:card}."),
    row(piles.AdvancedDiscarded, "{who} gives the advanced {card:card} up."),
    row(piles.StandingDiscardCounted, "Out of turn,"),
    row(piles.PilesReshuffled, "The {count} discards are shuffled into a new pile."),
    row(advancing.TechnologyAdvanced, "{who} advances {card:card}."),
    row(advancing.Kept, "{who} keeps its hand.", tags=PASSED),
    row(InactiveReturned, "{who} takes back from its inactive pile: {cards:cards}."),
    row(discover.Capitalized, "{who} collects from its {income} bases again."),
    # Action phases and turns
    row(
        choosing.CardCommitted,
        "{who} chooses {card:order}.",
        unseen="{who} has chosen an action card.",
    ),
    row(choosing.CardRevealed, "{who} reveals {card:order}."),
    row(choosing.StarterNamed, "{who} goes first of those with number {number}."),
    row(choosing.CardsRecovered, "All take their action cards back."),
    row(turn.TurnBegun, "{who}'s turn, with {card:order}.", begins=_turn_heading),
    row(turn.TurnEnded, "{who}'s turn is over.", ends=TURN),
    row(turn.ActionOpened, _tell_action),
    Beat(turn.ActionUsed, silent="what was done is told"),
    row(turn.ActionTakenBack, "{who} takes the action back."),
)

# --- pieces ---------------------------------------------------------------------------------------


def _tell_move(fact: Seen, _: Lookup) -> str:
    path = fact["path"]
    between = path[1:-1]
    way = f" by way of {', '.join(between)}" if between else ""
    return f"{who(fact)}'s {fact['unit']} goes from {path[0]} to {path[-1]}{way}."


def _item(fact: Seen, lookup: Lookup) -> str:
    """Says only why the price was lower; the payment has its own sentence."""
    less = [
        f"{counted(-part['amount'], 'CAP')} less by {_by(part, lookup)}"
        for part in fact["parts"]
        if part["amount"] < 0
    ]
    said = f"The {fact['item']} costs {join_words(less)}." if less else ""
    return said if fact["price"] else f"{said} It costs nothing.".strip()


def _by(part: Seen, lookup: Lookup) -> str:
    return source_name(lookup, part["rule"].removeprefix("tech."))


LOST: Final = "what is lost is told in one, and why"

PIECES: Final = (
    row(placing.BasePlaced, "{who} has {piece:a} at {sector}."),
    row(placing.BaseMoved, "{who}'s {piece} goes from {origin} to {sector}."),
    Beat(placing.BaseReturned, silent=LOST),
    row(placing.UnitPlaced, "{who} has {unit:a} at {sector}."),
    row(placing.UnitMoved, _tell_move),
    Beat(MoverNamed, silent="the way that the unit goes is told"),
    Beat(placing.UnitReturned, silent=LOST),
    row(placing.GatePlaced, "{who}'s gate connects {first} and {second}."),
    Beat(placing.GateReturned, silent=LOST),
    row(ItemDone, _item),
)

# --- leaders --------------------------------------------------------------------------------------

LEADERS: Final = (
    row(activation.LeaderActivated, "{leader:leader} acts for {who}, at level {level}."),
    row(activation.LeaderReset, "{who}'s leader card goes back to its start."),
    row(
        activation.LeaderPassed,
        "{who}'s leader does nothing {moment:moment}{not_again:again}.",
        tags=PASSED,
    ),
    row(activation.ActionInterrupted, "{who}'s action is interrupted."),
    row(activation.ActionResumed, "{who} goes on with its action."),
    row(minds.HandSeen, "{who} looks at {of:seat}'s hand: {cards:cards}."),
    row(minds.TopSeen, "{who} looks at the top of the pile: {cards:cards}."),
    row(minds.DeckOrdered, "{who} puts back: {cards:cards}."),
    row(power.FactionFreed, "{who} may draw on {faction:faction} once more."),
    row(power.RetentionRaised, "{who} may keep {amount:# CAP} more in this round."),
    row(turns.AttackAllowed, "{who}'s {attacker} may attack once more."),
    row(turns.StarterChosen, "{who}'s leader has {starter:seat} go first."),
    row(turns.OrderChanged, "{who}'s card now has number {number}."),
    row(turns.ActionsAdded, "{who} may take {most} actions in this turn."),
    row(builders.ComplexCheapened, "{who}'s next complex costs {amount:# CAP} less."),
)

# --- ending ---------------------------------------------------------------------------------------

PLACES: Final[Mapping[str, str]] = {
    "score.control": "control",
    "score.influence": "influence",
    "score.presence": "presence",
    "score.tie-first": "tied first",
    "score.tie-second": "tied second",
    "score.exclusive": "alone",
    "score.core": "core",
}
ARBITERS: Final[Mapping[str, str]] = {
    "arb.most-caps": "{who}, who has most CAPs, is the arbiter.",
    "arb.tie": "{who} is chosen as arbiter among those with most CAPs.",
    "arb.tie-incumbent": "{who} is the arbiter: a tied arbiter passes the token on.",
    "learn.arbiter": "The arbiter's token passes to {who}.",
}


def _tell_comparison(fact: Seen, _: Lookup) -> str:
    if not fact["caps"]:
        verb = "has" if len(fact["richest"]) == 1 else "have"
        return f"{names(fact, fact['richest'])} {verb} most CAPs."
    return f"CAPs: {each_seat(fact, fact['caps'])}."


def _board(fact: Seen, _: Lookup) -> str:
    """Describes a scoring: Board S2: Yellow 6 (power 5: control), Blue 3 (power 4: influence)."""
    said = []
    for seat, strength in fact["powers"]:
        own = [award for award in fact["awards"] if award["seat"] == seat]
        why = ", ".join(PLACES.get(award["rule"], award["rule"]) for award in own)
        points = sum(award["points"] for award in own)
        said.append(f"{name_of(fact, seat)} {points} (power {strength}: {why or 'nothing'})")
    return f"{board_name(fact['board'])}: {', '.join(said)}."


def _final(fact: Seen, lookup: Lookup) -> str:
    cards = [f"{technology_name(lookup, card)} {points}" for card, points in fact["cards"]]
    points = counted(fact["points"], "point")
    return f"{who(fact)}'s advanced technologies are worth {points}: {join_words(cards)}."


def _winners(fact: Seen, _: Lookup) -> str:
    winners = fact["winners"]
    points = fact["scores"][winners[0]] if winners else 0
    verb = "wins" if len(winners) == 1 else "share the victory: each of them wins"
    incomes = f" Incomes: {each_seat(fact, fact['incomes'])}." if fact["incomes"] else ""
    said = f"{names(fact, winners)} {verb} with {counted(points, 'point')}: {fact['reason']}."
    return f"{said} Final scores: {each_seat(fact, fact['scores'])}.{incomes}"


END: Final = HeadingRule(ROUND, "The end")

ENDING: Final = (
    row(arbitration.CapsCompared, _tell_comparison),
    row(arbitration.ArbiterFound, "{who} is the arbiter.", cases=("rule", ARBITERS)),
    row(arbitration.TransfersConfirmed, "{who} is done with giving CAPs away.", tags=PASSED),
    row(arbitration.RetentionCut, "{who} may keep {limit}: {amount:# CAP} too many."),
    row(scoring.BoardScored, _board, tags=SCORED, begins=HeadingRule(PHASE, "Scoring")),
    row(ending.EndKnown, "{rule:end}: round {last_round} is the last."),
    row(ending.FinalScored, _final, tags=SCORED, begins=END),
    row(ending.WinnersDeclared, _winners, tags=SCORED, begins=END),
)
