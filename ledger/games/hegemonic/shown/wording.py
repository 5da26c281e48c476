"""The words of each offered decision: what to do, where, with what, to whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from ledger.games.hegemonic.actions.relocating import BRANE, TRANSCENDENCY
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.shown.story.deals import WORDS as DEALS
from ledger.games.hegemonic.state.components import (
    AGENT,
    BASE_OF,
    CARDS,
    FLEET,
    LEADERS,
    PATTERNS,
    UNIT_OF,
)
from ledger.games.hegemonic.state.galaxy import ONE_PILE
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Seen
from ledger.parts.deals.shown.wording import wordings
from ledger.parts.shown.wording import Words, wording_with
from ledger.parts.text import counted, join_words, plural, spelled

from .names import (
    NAMINGS,
    card_words,
    leader_name,
    names_of,
    technology_name,
)

Option: TypeAlias = Seen

BASES_ON: Final = {TRANSCENDENCY: " by Transcendency Routine", BRANE: " by Brane Manipulation"}


def unit_words(seen: Seen, seat: int, kind: str, number: int | None) -> str:
    """Names an agent or a fleet by number and place: fleet 2 at S1a."""
    if number is None:
        return f"the {kind}"
    units = seen["state"]["houses"][seat][f"{kind}s"]
    at = units[number] if number < len(units) else ""
    return f"{kind} {number + 1} at {at}" if at else f"{kind} {number + 1}"


# --- setup and cards ------------------------------------------------------------------------------


def _draw(option: Option, _: Seen, lookup: Lookup) -> str:
    if option["source"] == "advanced":
        return f"take {technology_name(lookup, option['card'])} back to the hand"
    if option["source"] == "deck":
        return "draw from the pile"
    pile = option["pile"]
    return "draw the top discard" + ("" if pile == ONE_PILE else f" of the {pile} pile")


def _clean_up(option: Option, seen: Seen, lookup: Lookup) -> str:
    if not option["source"]:
        return "put the card on the inactive pile"
    return f"discard the card and {_draw(option, seen, lookup)}"


def _commit(option: Option, seen: Seen, lookup: Lookup) -> str:
    if not option["card"]:
        return "commit no card"
    contest = seen["state"]["contest"]
    sides = [contest[part] for part in ("attacker", "defender")] if contest else []
    mine = next((side for side in sides if side["seat"] == seen["seat"]), None)
    if mine is None:
        return f"commit {card_words(lookup, option['card'])}"
    value = getattr(CARDS.behind(lookup)[option["card"]], mine["type"])
    return f"commit {technology_name(lookup, option['card'])} for {value} {mine['type']} power"


# --- building -------------------------------------------------------------------------------------


def _gate(option: Option, seen: Seen, _: Lookup) -> str:
    gate = seen["state"]["houses"][seen["seat"]]["gates"][option["gate"]]
    was = f" that joins {gate['first']} and {gate['second']}" if gate["first"] else ""
    return f"move gate {option['gate'] + 1}{was} to {option['first']} and {option['second']}"


# --- conflict -------------------------------------------------------------------------------------


def number_things(thing: str, numbers: Sequence[int]) -> str:
    """Lists things of a kind by their numbers: units 1 and 3."""
    listed = join_words([str(number + 1) for number in numbers])
    return f"{thing if len(numbers) == 1 else plural(thing)} {listed}"


def _effect(lookup: Lookup, pattern: str) -> str:
    row = PATTERNS.behind(lookup)[pattern]
    effect = "take over" if row.action == "takeover" else "destroy"
    return f"{effect} what is {row.target}, by {row.attacker} power"


def _declare(option: Option, seen: Seen, lookup: Lookup) -> str:
    whom = names_of(seen, lookup)[option["defender"]]
    said = f"attack {whom} at {option['sector']}"
    turn = seen["state"]["turn"]
    row = PATTERNS.behind(lookup).get(turn["pattern"]) if turn else None
    if option["origin"]:
        said += f" from {option['origin']}"
    if option["units"] and row is not None:
        unit = UNIT_OF[row.attacker]
        units = [unit_words(seen, seen["seat"], unit, number) for number in option["units"]]
        said += f" with {join_words(units)}"
    if option["targets"]:
        said += f", against its {number_things('unit', option['targets'])}"
    return said


def _move(option: Option, seen: Seen, _: Lookup) -> str:
    *by, to = option["path"]
    said = f"move {unit_words(seen, seen['seat'], option['unit'], option['number'])} to {to}"
    return f"{said} by {join_words(by)}" if by else said


# --- leaders --------------------------------------------------------------------------------------


def _activate(option: Option, seen: Seen, lookup: Lookup) -> str:
    house = seen["state"]["houses"][seen["seat"]]
    rows = LEADERS.behind(lookup)
    said = f"use the leader at level {option['level']}"
    if house["leader"] in rows:
        text = getattr(rows[house["leader"]], f"level_{option['level']}")
        leader = leader_name(lookup, house["leader"])
        said = f"{leader}, level {option['level']} ({text.rstrip('.')})"
    about = _about(option, seen, lookup)
    return f"{said}: {', '.join(about)}" if about else said


def _about(option: Option, seen: Seen, lookup: Lookup) -> list[str]:
    """Returns the words for what an ability needs to know."""
    found = []
    if option["seat"] is not None:
        found.append(names_of(seen, lookup)[option["seat"]])
    if option["card"]:
        found.append(technology_name(lookup, option["card"]))
    if option["piece"] and option["number"] is not None and option["piece"] in (AGENT, FLEET):
        found.append(unit_words(seen, seen["seat"], option["piece"], option["number"]))
    elif option["piece"]:
        found.append(option["piece"])
    elif option["number"] is not None:
        found.append(f"number {option['number'] + 1}")
    if option["sector"]:
        found.append(f"at {option['sector']}")
    if option["path"]:
        found.append(f"by {join_words(list(option['path']))}")
    return found


WORDINGS: Final[Mapping[str, str | Words]] = {
    "setup.choose-first-arbiter": "{seat:seat} is the first arbiter",
    "setup.choose-color": "play {color}",
    "setup.choose-layout": "use the layout {layout}",
    "setup.choose-leader": "take {leader:ruler}",
    "setup.place-board": "lay the board at {q},{r}, rotated {rotation}",
    "setup.place-home": "make a home at {sector}",
    "setup.place-first-tile": "put {tile:tile} on {sector}",
    "draft.keep-card": "keep {card:figures}",
    "expansion.place-tile": "put {tile:tile} on {sector}",
    "tech.draw": _draw,
    "tech.discard": "discard {card:figures}",
    "tech.advance": "advance {card:figures}{discards:instead}",
    "tech.keep": "neither discard nor advance",
    "tech.discard-advanced": "discard the advanced {card:figures}",
    "action.commit-card": "choose {card:order}",
    "action.choose-tie-starter": "{seat:seat} goes first",
    "turn.start-build": "build",
    "turn.start-conflict": "{pattern:pattern}: {pattern:effect}",
    "turn.basic-collect": "collect CAPs",
    "turn.basic-draw": "draw a technology card",
    "turn.capitalize": "capitalize: collect from the smallest income again",
    "turn.capitalize-from": "collect from the {income} bases again",
    "turn.survey": "survey: turn a tile up, then place one",
    "turn.research": "research: change cards of the hand",
    "turn.research-discard": "discard {cards:titles}",
    "turn.cancel-action": "take the action back",
    "turn.end": "end the turn",
    "build.place-complex": "build a complex at {sector}",
    "build.place-embassy": "build an embassy at {sector}",
    "build.place-outpost": "build an outpost at {sector}",
    "build.place-agent": "build an agent at {sector}",
    "build.place-fleet": "build a fleet at {sector}",
    "build.place-gate": "build a gate from {first} to {second}",
    "build.relocate-gate": _gate,
    "build.relocate-base": "move an own {base:base} from {origin} to {sector}{basis:by}",
    "build.finish": "finish building",
    "conflict.skip": "attack nobody after all",
    "conflict.move-unit": _move,
    "conflict.declare": _declare,
    "conflict.choose-draw": "draw on {on:lenders}",
    "conflict.choose-draw-sealed": "draw on {on:lenders}",
    "conflict.support": "support {side:seat} with {count:# embassy}",
    "conflict.support-sealed": "support {side:seat}{count:lent}",
    "conflict.decline-support": "support nobody",
    "conflict.commit-card": _commit,
    "conflict.choose-gates": "destroy {gates:gates}",
    "conflict.takeover-fill": "fill {count:locations} from the player board",
    "conflict.takeover-place": "{origins:refill}",
    "conflict.cleanup": _clean_up,
    "react.decline": "do not react",
    "react.predictive-algorithms": _gate,
    "react.subliminal-telepathy": "build agent {unit:number} at home again",
    "react.phased-teleportation": "build fleet {unit:number} at home again",
    "react.bio-adaptive-hulls": "put one of the outposts at {sector}",
    "react.stealth-field-emitter": lambda option, seen, _: (
        f"put {unit_words(seen, seen['seat'], AGENT, option['unit'])} at {option['sector']}"
    ),
    "leader.activate": _activate,
    "leader.order-deck": "put them back as {cards:in_order}",
    "leader.pass": "do nothing{not_again:asked_no_more}",
    "leader.resume": "{go_on:resume}",
    "arbitration.choose-arbiter": "{seat:seat} is the next arbiter",
    "arbitration.confirm": "give no more CAPs away in this round",
    **wordings(DEALS, Transfer),
}

wording_of: Final = wording_with(
    WORDINGS,
    {
        **NAMINGS,
        "base": lambda _, type_: BASE_OF[type_],
        "by": lambda _, basis: BASES_ON.get(basis, ""),
        "effect": _effect,
        "gates": lambda _, gates: number_things("gate", gates) if gates else "no gate",
        "instead": lambda lookup, cards: (
            f" in place of {NAMINGS['titles'](lookup, cards)}" if cards else ""
        ),
        "lent": lambda _, count: f" with {counted(count, 'embassy')}" if count else "",
        "asked_no_more": lambda _, never: ", and ask no more in this phase" if never else "",
        "in_order": lambda lookup, cards: ", ".join(technology_name(lookup, one) for one in cards),
        "locations": lambda _, count: spelled(count, "location"),
        "refill": lambda _, origins: (
            f"move bases there from {join_words(origins)}"
            if origins
            else "leave the locations empty"
        ),
        "resume": lambda _, on: (
            "go on with the action" if on else "drop the action and choose another"
        ),
        "ruler": lambda lookup, leader: (
            f"{leader_name(lookup, leader)} of {LEADERS.behind(lookup)[leader].dynasty}"
        ),
    },
    names_of,
)
