"""Arbitration, scoring and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.games.hegemonic.rounds import arbitration, ending, scoring
from ledger.games.hegemonic.shown.names import board_name, technology_name
from ledger.games.hegemonic.shown.phrases import plain
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, HeadingRule, Seen
from ledger.parts.text import counted, join_words, name_of, names, who

from .divisions import PASSED, PHASE, ROUND, SCORED

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
ENDS: Final[Mapping[str, str]] = {
    "end.stack": "The stack of tiles is empty",
    "end.hexes": "No hex is left to fill",
    "opt.long-end": "No hex is left to fill",
}


def _tell_comparison(fact: Seen, _: Lookup) -> str:
    if not fact["caps"]:
        verb = "has" if len(fact["richest"]) == 1 else "have"
        return f"{names(fact, fact['richest'])} {verb} most CAPs."
    held = ", ".join(f"{name_of(fact, n)} {caps}" for n, caps in enumerate(fact["caps"]))
    return f"CAPs: {held}."


def _arbiter(fact: Seen, _: Lookup) -> str:
    return ARBITERS.get(fact["rule"], "{who} is the arbiter.").format(who=who(fact))


def _board(fact: Seen, _: Lookup) -> str:
    """Describes a scoring: Board S2: Yellow 6 (power 5: control), Blue 3 (power 4: influence)."""
    said = []
    for seat, power in fact["powers"]:
        own = [award for award in fact["awards"] if award["seat"] == seat]
        why = ", ".join(PLACES.get(award["rule"], award["rule"]) for award in own)
        points = sum(award["points"] for award in own)
        said.append(f"{name_of(fact, seat)} {points} (power {power}: {why or 'nothing'})")
    return f"{board_name(fact['board'])}: {', '.join(said)}."


def _tell_last_round(fact: Seen, _: Lookup) -> str:
    why = ENDS.get(fact["rule"], "The end has come")
    return f"{why}: round {fact['last_round']} is the last."


def _final(fact: Seen, lookup: Lookup) -> str:
    cards = [f"{technology_name(lookup, card)} {points}" for card, points in fact["cards"]]
    points = counted(fact["points"], "point")
    return f"{who(fact)}'s advanced technologies are worth {points}: {join_words(cards)}."


def _winners(fact: Seen, _: Lookup) -> str:
    winners = fact["winners"]
    points = fact["scores"][winners[0]] if winners else 0
    scores = ", ".join(f"{name_of(fact, n)} {score}" for n, score in enumerate(fact["scores"]))
    verb = "wins" if len(winners) == 1 else "share the victory: each of them wins"
    incomes = ""
    if fact["incomes"]:
        found = enumerate(fact["incomes"])
        incomes = f" Incomes: {', '.join(f'{name_of(fact, n)} {one}' for n, one in found)}."
    said = f"{names(fact, winners)} {verb} with {counted(points, 'point')}: {fact['reason']}."
    return f"{said} Final scores: {scores}.{incomes}"


END: Final = HeadingRule(ROUND, "The end")

BEATS: Final = (
    Beat(arbitration.CapsCompared, _tell_comparison),
    Beat(arbitration.ArbiterFound, _arbiter),
    Beat(
        arbitration.TransfersConfirmed,
        plain("{who} is done with giving CAPs away."),
        tags=PASSED,
    ),
    Beat(arbitration.RetentionCut, plain("{who} may keep {limit}: {amount:# CAP} too many.")),
    Beat(scoring.BoardScored, _board, tags=SCORED, begins=HeadingRule(PHASE, "Scoring")),
    Beat(ending.EndKnown, _tell_last_round),
    Beat(ending.FinalScored, _final, tags=SCORED, begins=END),
    Beat(ending.WinnersDeclared, _winners, tags=SCORED, begins=END),
)
