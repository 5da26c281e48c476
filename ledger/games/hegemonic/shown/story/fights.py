"""Conflicts: who attacks what, what each step adds to a side, who wins, what is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from ledger.games.hegemonic.conflicts import (
    cleanup,
    committing,
    facts,
    outcome,
    reactions,
    rescues,
    sequence,
    starting_power,
    support,
    takeover,
)
from ledger.games.hegemonic.leaders.power import SupportRaised
from ledger.games.hegemonic.shown.names import (
    pattern_name,
    technology_name,
)
from ledger.games.hegemonic.shown.phrases import part_words, plain
from ledger.games.hegemonic.shown.scene.galaxy import base_id
from ledger.games.hegemonic.state.components import BASE_OF, BASES, GATE, UNIT_OF
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import (
    Beat,
    ConflictBegun,
    ConflictDecided,
    ConflictEnded,
    ConflictStep,
    Fought,
    HeadingRule,
    PartsAdded,
    Seen,
    SidePart,
    SupportTaken,
)
from ledger.parts.text import capitalized, counted, join_words, name_of, spelled, who, with_article

from .divisions import CONFLICT, FOUGHT, PASSED

Begun: TypeAlias = ConflictBegun | None

RULES_OF_OUTCOMES: Final[Mapping[str, str]] = {
    "tech.polymorphic-matter": ", by Polymorphic Matter",
}


# --- declaring ------------------------------------------------------------------------------------


def _tell_attack(fact: Seen, lookup: Lookup) -> str:
    """Describes an attack: Yellow's three complexes at S2b attack Blue's embassy at S4a."""
    attacker, defender = fact["attacker"], fact["defender"]
    many = attacker["bases"] + len(attacker["units"]) != 1
    said = f"{force_words(fact, attacker)} {'attack' if many else 'attacks'}"
    how = pattern_name(lookup, fact["pattern"])
    return f"{said} {force_words(fact, defender)} ({how})."


def force_words(fact: Seen, force: Seen) -> str:
    """Names a force by owner, pieces and place: Yellow's three complexes at S2b."""
    pieces = []
    base, unit = BASE_OF[force["type"]], UNIT_OF[force["type"]]
    for piece, count in ((base, force["bases"]), (unit, len(force["units"]))):
        if count:
            pieces.append(piece if count == 1 else spelled(count, piece))
    return f"{name_of(fact, force['seat'])}'s {join_words(pieces)} at {force['sector']}"


# --- steps ----------------------------------------------------------------------------------------


def _tell_sealed_support(fact: Seen, _: Lookup) -> str:
    if hidden(fact["side"]):
        return f"{who(fact)} has decided whom to support."
    count = counted(fact["count"], "embassy")
    return f"{who(fact)} will support {name_of(fact, fact['side'])}, with {count}."


def _tell_exchange(fact: Seen, lookup: Lookup) -> str:
    change = sum(part["amount"] for part in fact["contributions"])
    back, card = (technology_name(lookup, fact[name]) for name in ("back", "card"))
    return f"{who(fact)} takes {back} back and shows {card} instead: {change:+d}."


# --- outcome --------------------------------------------------------------------------------------


def _tell_comparison(fact: Seen, _: Lookup) -> str:
    attacker, defender = name_of(fact, fact["attacker"]), name_of(fact, fact["defender"])
    said = f"{attacker} against {defender}: {fact['attack']} against {fact['defense']}"
    if fact["winner"] is None:
        return f"{said}. It is a draw."
    by = RULES_OF_OUTCOMES.get(fact["rule"], "")
    return f"{said}. {name_of(fact, fact['winner'])} prevails{by}."


def _gates(fact: Seen, _: Lookup) -> str:
    if not fact["gates"]:
        return f"{who(fact)}'s gates are left standing."
    return f"{spelled(len(fact['gates']), GATE).capitalize()} of {who(fact)}'s must fall."


def _tell_loss(fact: Seen, _: Lookup) -> str:
    many = fact["count"] != 1
    what = spelled(fact["count"], fact["piece"]) if many else with_article(fact["piece"])
    done = "taken over" if fact["taken_over"] else "destroyed"
    verb = "are" if many else "is"
    return f"{capitalized(what)} of {who(fact)}'s at {fact['sector']} {verb} {done}."


def _tell_departure(fact: Seen, _: Lookup) -> str:
    return f"{who(fact)} leaves {spelled(fact['count'], 'location')} at {fact['sector']} empty."


# --- piece by piece -------------------------------------------------------------------------------


def _heading(fact: Seen, _: Lookup) -> HeadingRule:
    return HeadingRule(CONFLICT, conflict_label(fact), whole=True)


def conflict_label(fact: Seen) -> str:
    """Names a conflict by attacker, defender and sector."""
    attacker, defender = (name_of(fact, fact[side]["seat"]) for side in ("attacker", "defender"))
    return f"{attacker} against {defender} at {fact['sector']}"


def _fight(fact: Seen, _: Lookup, __: Begun) -> Sequence[ConflictStep]:
    forces = (fact["attacker"], fact["defender"])
    sides = tuple((force["seat"], force_words(fact, force)) for force in forces)
    return [ConflictBegun(conflict_label(fact), fact["sector"], sides)]


def _adds(to: str) -> Fought:
    """Returns how the contributions of a fact count for a side: its own, or the one it supports."""

    def added(fact: Seen, lookup: Lookup, begun: Begun) -> Sequence[ConflictStep]:
        sides = [] if begun is None else [seat for seat, _ in begun.sides]
        if fact[to] not in sides:
            return []
        parts = fact["contributions"] if "contributions" in fact else [fact["contribution"]]
        shares = tuple(_share(fact, lookup, part) for part in parts)
        return [PartsAdded(sides.index(fact[to]), shares)]

    return added


def _share(fact: Seen, lookup: Lookup, part: Seen) -> SidePart:
    piece, sector, seat = part["piece"], part["sector"] or None, fact["seat"]
    return SidePart(
        name=part_words(part, lookup),
        value=part["amount"],
        rule=part["rule"],
        seat=seat,
        cell=sector,
        piece=base_id(seat, piece, sector) if piece in BASES and sector else None,
    )


def _support_taken(fact: Seen, _: Lookup, __: Begun) -> Sequence[ConflictStep]:
    return [SupportTaken(fact["seat"], f"{who(fact)}'s support is canceled")]


def _steps_of_outcome(fact: Seen, lookup: Lookup, _: Begun) -> Sequence[ConflictStep]:
    return [ConflictDecided(_tell_comparison(fact, lookup))]


def _steps_of_end(_: Seen, __: Lookup, ___: Begun) -> Sequence[ConflictStep]:
    return [ConflictEnded()]


OWN, LENT = _adds("seat"), _adds("side")

BEATS: Final = (
    Beat(sequence.ConflictSkipped, plain("{who} attacks nobody.")),
    Beat(facts.ContestBegun, _tell_attack, tags=FOUGHT, begins=_heading, conflict=_fight),
    Beat(facts.StepBegun, silent="what a step brings says which one it is"),
    Beat(starting_power.DrawChosen, plain("{who} draws on {on:lenders}."), tags=FOUGHT),
    Beat(starting_power.DrawSealed, plain("{who} has chosen what to draw on."), tags=FOUGHT),
    Beat(
        starting_power.StartingPowerCounted,
        plain("{who} starts with {contributions:sum}."),
        tags=FOUGHT,
        conflict=OWN,
    ),
    Beat(
        support.Supported,
        plain("{who} supports {side:seat} with {contributions:sum}."),
        tags=FOUGHT,
        conflict=LENT,
    ),
    Beat(support.SupportDeclined, plain("{who} supports nobody."), tags=FOUGHT + PASSED),
    Beat(support.SupportSealed, _tell_sealed_support, tags=FOUGHT),
    Beat(facts.SupportBarred, plain("{who} may not support anybody."), tags=FOUGHT),
    Beat(
        facts.SupportCanceled,
        plain("{who}'s support counts no longer."),
        tags=FOUGHT,
        conflict=_support_taken,
    ),
    Beat(facts.PowerAdded, plain("{who} has {contribution:amount_by}."), tags=FOUGHT, conflict=OWN),
    Beat(
        SupportRaised,
        plain("{who}'s support of {side:seat} counts {contribution:amount} more."),
        tags=FOUGHT,
        conflict=LENT,
    ),
    Beat(
        committing.TechnologyCommitted,
        plain("{who} commits {card:card}.", unseen="{who} commits a card."),
        tags=FOUGHT,
    ),
    Beat(
        committing.TechnologyRevealed,
        plain("{who} plays {card:card} for {contribution:amount}."),
        tags=FOUGHT,
        conflict=OWN,
    ),
    Beat(committing.NothingPlayed, plain("{who} plays no card."), tags=FOUGHT),
    Beat(
        committing.TopCardTurned,
        plain("The top card is turned for {who}: {card:card}, {contribution:amount}."),
        tags=FOUGHT,
        conflict=OWN,
    ),
    Beat(committing.CardExchanged, _tell_exchange, tags=FOUGHT, conflict=OWN),
    Beat(outcome.Compared, _tell_comparison, tags=FOUGHT, conflict=_steps_of_outcome),
    Beat(outcome.GatesChosen, _gates, tags=FOUGHT),
    Beat(outcome.PieceLost, _tell_loss, tags=FOUGHT),
    Beat(facts.UnitSaved, plain("{who}'s {unit} is saved."), tags=FOUGHT),
    Beat(takeover.LocationsLeft, _tell_departure, tags=FOUGHT),
    Beat(rescues.Reacted, plain("{who} uses {technology:source}."), tags=FOUGHT),
    Beat(reactions.ReactionsDeclined, plain("{who} does not react."), tags=FOUGHT + PASSED),
    Beat(
        cleanup.CardMadeInactive,
        plain("{who} lays {card:card} on its inactive pile."),
        tags=FOUGHT,
    ),
    Beat(cleanup.PlayedDiscarded, plain("{who} discards {card:card}."), tags=FOUGHT),
    Beat(
        facts.ContestEnded,
        plain("The conflict is over."),
        tags=FOUGHT,
        ends=CONFLICT,
        conflict=_steps_of_end,
    ),
)
