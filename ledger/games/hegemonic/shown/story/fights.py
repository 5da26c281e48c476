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
from ledger.games.hegemonic.shown.names import NAMINGS, part_words, pattern_name, technology_name
from ledger.games.hegemonic.state.components import BASE_OF, BASES, GATE, UNIT_OF
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import (
    Beat,
    ConflictBegun,
    ConflictStep,
    HeadingRule,
    Seen,
    SupportTaken,
)
from ledger.parts.shown.story import add_power, ends, rows
from ledger.parts.text import capitalized, join_words, name_of, spelled, who, with_article

from .rounds import CONFLICT, FOUGHT, PASSED

Begun: TypeAlias = ConflictBegun | None

row = rows({**NAMINGS, "locations": lambda _, count: spelled(count, "location")}, tags=FOUGHT)

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


def _support_taken(fact: Seen, _: Lookup, __: Begun) -> Sequence[ConflictStep]:
    return [SupportTaken(fact["seat"], f"{who(fact)}'s support is canceled")]


OWN, LENT = (add_power(to, part_words, BASES) for to in ("seat", "side"))

BEATS: Final = (
    row(sequence.ConflictSkipped, "{who} attacks nobody.", tags=()),
    row(facts.ContestBegun, _tell_attack, begins=_heading, conflict=_fight),
    Beat(facts.StepBegun, silent="what a step brings says which one it is"),
    row(starting_power.DrawChosen, "{who} draws on {on:lenders}."),
    row(starting_power.DrawSealed, "{who} has chosen what to draw on."),
    row(
        starting_power.StartingPowerCounted, "{who} starts with {contributions:sum}.", conflict=OWN
    ),
    row(support.Supported, "{who} supports {side:seat} with {contributions:sum}.", conflict=LENT),
    row(support.SupportDeclined, "{who} supports nobody.", tags=FOUGHT + PASSED),
    row(
        support.SupportSealed,
        "{who} will support {side:seat}, with {count:# embassy}.",
        unseen="{who} has decided whom to support.",
    ),
    row(facts.SupportBarred, "{who} may not support anybody."),
    row(facts.SupportCanceled, "{who}'s support counts no longer.", conflict=_support_taken),
    row(facts.PowerAdded, "{who} has {contribution:amount_by}.", conflict=OWN),
    row(
        SupportRaised,
        "{who}'s support of {side:seat} counts {contribution:amount} more.",
        conflict=LENT,
    ),
    row(
        committing.TechnologyCommitted, "{who} commits {card:card}.", unseen="{who} commits a card."
    ),
    row(
        committing.TechnologyRevealed,
        "{who} plays {card:card} for {contribution:amount}.",
        conflict=OWN,
    ),
    row(committing.NothingPlayed, "{who} plays no card."),
    row(
        committing.TopCardTurned,
        "The top card is turned for {who}: {card:card}, {contribution:amount}.",
        conflict=OWN,
    ),
    row(committing.CardExchanged, _tell_exchange, conflict=OWN),
    row(outcome.Compared, _tell_comparison, decides=True),
    row(outcome.GatesChosen, _gates),
    row(outcome.PieceLost, _tell_loss),
    row(facts.UnitSaved, "{who}'s {unit} is saved."),
    row(takeover.LocationsLeft, "{who} leaves {count:locations} at {sector} empty."),
    row(rescues.Reacted, "{who} uses {technology:source}."),
    row(reactions.ReactionsDeclined, "{who} does not react.", tags=FOUGHT + PASSED),
    row(cleanup.CardMadeInactive, "{who} lays {card:card} on its inactive pile."),
    row(cleanup.PlayedDiscarded, "{who} discards {card:card}."),
    row(facts.ContestEnded, "The conflict is over.", ends=CONFLICT, conflict=ends),
)
