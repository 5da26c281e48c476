"""Conflicts: who attacks what, what each step adds to a side, who wins, what is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from ledger.games.hegemonic.conflicts import (
    cleanup,
    committing,
    facts,
    losses,
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
    counted,
    faction_name,
    listed,
    pattern_name,
    source_name,
    spelled,
    technology_name,
)
from ledger.games.hegemonic.shown.phrases import (
    name_of,
    one,
    part_words,
    plain,
    summed,
    who,
    with_card,
)
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
    HeadingRule,
    PartsAdded,
    Seen,
    Share,
    SupportTaken,
)

from .divisions import CONFLICT, FOUGHT, PASSED

Begun: TypeAlias = ConflictBegun | None

RULES_OF_OUTCOMES: Final[Mapping[str, str]] = {
    "tech.polymorphic-matter": ", by Polymorphic Matter",
}


# --- declaring ------------------------------------------------------------------------------------


def _begun(fact: Seen, door: Lookup) -> str:
    """Describes an attack: Yellow's three complexes at S2b attack Blue's embassy at S4a."""
    attacker, defender = fact["attacker"], fact["defender"]
    many = attacker["bases"] + len(attacker["units"]) != 1
    said = f"{force_words(fact, attacker)} {'attack' if many else 'attacks'}"
    how = pattern_name(door, fact["pattern"])
    return f"{said} {force_words(fact, defender)} ({how})."


def force_words(fact: Seen, force: Seen) -> str:
    """Names a force by owner, pieces and place: Yellow's three complexes at S2b."""
    pieces = []
    base, unit = BASE_OF[force["type"]], UNIT_OF[force["type"]]
    for piece, count in ((base, force["bases"]), (unit, len(force["units"]))):
        if count:
            pieces.append(piece if count == 1 else spelled(count, piece))
    return f"{name_of(fact, force['seat'])}'s {listed(pieces)} at {force['sector']}"


# --- steps ----------------------------------------------------------------------------------------


def _drawn_on(fact: Seen, door: Lookup) -> str:
    if not fact["on"]:
        return f"{who(fact)} draws on nothing."
    return f"{who(fact)} draws on {listed([_lender(door, name) for name in fact['on']])}."


def _lender(door: Lookup, name: str) -> str:
    """Names a faction, or the outposts of a sector."""
    faction = faction_name(door, name)
    return f"the outposts at {name}" if faction == name else faction


def _starting(fact: Seen, door: Lookup) -> str:
    given = fact["contributions"]
    power = sum(part["amount"] for part in given)
    return f"{who(fact)} starts with {power}: {summed(given, door)}."


def _supported(fact: Seen, door: Lookup) -> str:
    given = fact["contributions"]
    power = sum(part["amount"] for part in given)
    whom = name_of(fact, fact["side"])
    return f"{who(fact)} supports {whom} with {power}: {summed(given, door)}."


def _sealed_support(fact: Seen, _: Lookup) -> str:
    if hidden(fact["side"]):
        return f"{who(fact)} has decided whom to support."
    count = counted(fact["count"], "embassy")
    return f"{who(fact)} will support {name_of(fact, fact['side'])}, with {count}."


def _added(fact: Seen, door: Lookup) -> str:
    more = fact["contribution"]
    return f"{who(fact)} has {more['amount']} more by {source_name(door, more['piece'])}."


def _raised(fact: Seen, _: Lookup) -> str:
    amount = fact["contribution"]["amount"]
    return f"{who(fact)}'s support of {name_of(fact, fact['side'])} counts {amount} more."


def _revealed(fact: Seen, door: Lookup) -> str:
    power = fact["contribution"]["amount"]
    return f"{who(fact)} plays {technology_name(door, fact['card'])} for {power}."


def _top(fact: Seen, door: Lookup) -> str:
    power = fact["contribution"]["amount"]
    card = technology_name(door, fact["card"])
    return f"The top card is turned for {who(fact)}: {card}, {power}."


def _exchanged(fact: Seen, door: Lookup) -> str:
    change = sum(part["amount"] for part in fact["contributions"])
    back, card = (technology_name(door, fact[name]) for name in ("back", "card"))
    return f"{who(fact)} takes {back} back and shows {card} instead: {change:+d}."


# --- outcome --------------------------------------------------------------------------------------


def _compared(fact: Seen, _: Lookup) -> str:
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


def _lost(fact: Seen, _: Lookup) -> str:
    many = fact["count"] != 1
    what = spelled(fact["count"], fact["piece"]) if many else one(fact["piece"])
    done = "taken over" if fact["taken_over"] else "destroyed"
    verb = "are" if many else "is"
    return f"{_begun_with(what)} of {who(fact)}'s at {fact['sector']} {verb} {done}."


def _begun_with(words: str) -> str:
    """Capitalizes the first letter and leaves the others as they are."""
    return words[0].upper() + words[1:]


def _left(fact: Seen, _: Lookup) -> str:
    return f"{who(fact)} leaves {spelled(fact['count'], 'location')} at {fact['sector']} empty."


def _reacted(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} uses {source_name(door, fact['technology'])}."


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


def _parts_added(
    fact: Seen, door: Lookup, begun: Begun, to: int, parts: Iterable[Seen]
) -> list[ConflictStep]:
    """Returns the parts that a fact adds to a side."""
    sides = [] if begun is None else [seat for seat, _ in begun.sides]
    if to not in sides:
        return []
    return [PartsAdded(sides.index(to), tuple(_share(fact, door, part) for part in parts))]


def _share(fact: Seen, door: Lookup, part: Seen) -> Share:
    piece, sector, seat = part["piece"], part["sector"] or None, fact["seat"]
    return Share(
        name=part_words(part, door),
        value=part["amount"],
        rule=part["rule"],
        seat=seat,
        cell=sector,
        piece=base_id(seat, piece, sector) if piece in BASES and sector else None,
    )


def _own_parts(fact: Seen, door: Lookup, begun: Begun) -> Sequence[ConflictStep]:
    return _parts_added(fact, door, begun, fact["seat"], fact["contributions"])


def _own_part(fact: Seen, door: Lookup, begun: Begun) -> Sequence[ConflictStep]:
    return _parts_added(fact, door, begun, fact["seat"], [fact["contribution"]])


def _lent_parts(fact: Seen, door: Lookup, begun: Begun) -> Sequence[ConflictStep]:
    return _parts_added(fact, door, begun, fact["side"], fact["contributions"])


def _lent_part(fact: Seen, door: Lookup, begun: Begun) -> Sequence[ConflictStep]:
    return _parts_added(fact, door, begun, fact["side"], [fact["contribution"]])


def _support_taken(fact: Seen, _: Lookup, __: Begun) -> Sequence[ConflictStep]:
    return [SupportTaken(fact["seat"], f"{who(fact)}'s support is canceled")]


def _decided(fact: Seen, door: Lookup, _: Begun) -> Sequence[ConflictStep]:
    return [ConflictDecided(_compared(fact, door))]


def _ended(_: Seen, __: Lookup, ___: Begun) -> Sequence[ConflictStep]:
    return [ConflictEnded()]


BEATS: Final = (
    Beat(sequence.ConflictSkipped, plain("{who} attacks nobody.")),
    Beat(facts.ContestBegun, _begun, tags=FOUGHT, begins=_heading, conflict=_fight),
    Beat(facts.StepBegun, silent="what a step brings says which one it is"),
    Beat(starting_power.DrawChosen, _drawn_on, tags=FOUGHT),
    Beat(starting_power.DrawSealed, plain("{who} has chosen what to draw on."), tags=FOUGHT),
    Beat(starting_power.StartingPowerCounted, _starting, tags=FOUGHT, conflict=_own_parts),
    Beat(support.Supported, _supported, tags=FOUGHT, conflict=_lent_parts),
    Beat(support.SupportDeclined, plain("{who} supports nobody."), tags=FOUGHT + PASSED),
    Beat(support.SupportSealed, _sealed_support, tags=FOUGHT),
    Beat(facts.SupportBarred, plain("{who} may not support anybody."), tags=FOUGHT),
    Beat(
        facts.SupportCanceled,
        plain("{who}'s support counts no longer."),
        tags=FOUGHT,
        conflict=_support_taken,
    ),
    Beat(facts.PowerAdded, _added, tags=FOUGHT, conflict=_own_part),
    Beat(SupportRaised, _raised, tags=FOUGHT, conflict=_lent_part),
    Beat(
        committing.TechnologyCommitted,
        with_card("{who} commits {card}.", "{who} commits a card."),
        tags=FOUGHT,
    ),
    Beat(committing.TechnologyRevealed, _revealed, tags=FOUGHT, conflict=_own_part),
    Beat(committing.NothingPlayed, plain("{who} plays no card."), tags=FOUGHT),
    Beat(committing.TopCardTurned, _top, tags=FOUGHT, conflict=_own_part),
    Beat(committing.CardExchanged, _exchanged, tags=FOUGHT, conflict=_own_parts),
    Beat(outcome.Compared, _compared, tags=FOUGHT, conflict=_decided),
    Beat(outcome.GatesChosen, _gates, tags=FOUGHT),
    Beat(losses.PieceLost, _lost, tags=FOUGHT),
    Beat(facts.UnitSaved, plain("{who}'s {unit} is saved."), tags=FOUGHT),
    Beat(takeover.LocationsLeft, _left, tags=FOUGHT),
    Beat(rescues.Reacted, _reacted, tags=FOUGHT),
    Beat(reactions.ReactionsDeclined, plain("{who} does not react."), tags=FOUGHT + PASSED),
    Beat(
        cleanup.CardMadeInactive,
        with_card("{who} lays {card} on its inactive pile."),
        tags=FOUGHT,
    ),
    Beat(cleanup.PlayedDiscarded, with_card("{who} discards {card}."), tags=FOUGHT),
    Beat(
        facts.ContestEnded,
        lambda _, __: "The conflict is over.",
        tags=FOUGHT,
        ends=CONFLICT,
        conflict=_ended,
    ),
)
