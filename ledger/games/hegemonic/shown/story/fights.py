"""Sentences about conflicts: who attacks what, what each step adds, who wins, what is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
    Chapter,
    Seen,
    name_of,
    one,
    plain,
    summed,
    who,
    with_card,
)
from ledger.games.hegemonic.state.components import BASE_OF, GATE, UNIT_OF
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup

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


SENTENCES: Final[Chapter] = {
    "conflict.skipped": plain("{who} attacks nobody."),
    "conflict.begun": _begun,
    "conflict.draw-chosen": _drawn_on,
    "conflict.draw-sealed": plain("{who} has chosen what to draw on."),
    "conflict.starting-power": _starting,
    "conflict.supported": _supported,
    "conflict.support-declined": plain("{who} supports nobody."),
    "conflict.support-was-sealed": _sealed_support,
    "conflict.support-barred": plain("{who} may not support anybody."),
    "conflict.support-canceled": plain("{who}'s support counts no longer."),
    "conflict.power-added": _added,
    "leader.support-raised": _raised,
    "conflict.card-committed": with_card("{who} commits {card}.", "{who} commits a card."),
    "conflict.card-revealed": _revealed,
    "conflict.nothing-played": plain("{who} plays no card."),
    "conflict.top-card-turned": _top,
    "conflict.card-exchanged": _exchanged,
    "conflict.compared": _compared,
    "conflict.gates-chosen": _gates,
    "conflict.lost": _lost,
    "conflict.unit-saved": plain("{who}'s {unit} is saved."),
    "conflict.locations-left": _left,
    "react.used": _reacted,
    "react.declined": plain("{who} does not react."),
    "conflict.card-made-inactive": with_card("{who} lays {card} on its inactive pile."),
    "conflict.card-discarded": with_card("{who} discards {card}."),
    "conflict.ended": lambda _, __: "The conflict is over.",
}
