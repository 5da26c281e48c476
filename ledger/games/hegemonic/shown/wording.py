"""The words of each offered decision: what to do, where, with what, to whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

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
from ledger.parts.deals.shown.wording import wordings

from .names import (
    card_words,
    counted,
    faction_name,
    leader_name,
    listed,
    names_of,
    order_name,
    pattern_name,
    spelled,
    technology_name,
    tile_words,
)

Option: TypeAlias = Mapping[str, Any]
Seen: TypeAlias = Mapping[str, Any]
Words: TypeAlias = Callable[[Option, Seen, Lookup], str]

BASES_ON: Final = {TRANSCENDENCY: "by Transcendency Routine", BRANE: "by Brane Manipulation"}


def wording_of(option: Option, seen: Seen, door: Lookup) -> str:
    """Returns the words of a decision, as a button shows them."""
    words = WORDINGS[option["type"]](option, seen, door)
    return words[0].upper() + words[1:]


# --- parts of what is said ------------------------------------------------------------------------


def says(sentence: str) -> Words:
    """Makes words from the fields of the decision."""
    return lambda option, _, __: sentence.format(**option)


def says_whom(sentence: str, field: str = "seat") -> Words:
    """Makes words that also name a player, as `{whom}`."""

    def said(option: Option, seen: Seen, door: Lookup) -> str:
        return sentence.format(**{**option, "whom": names_of(seen, door)[option[field]]})

    return said


def says_card(sentence: str) -> Words:
    """Makes words that include a technology card and its figures."""
    return lambda option, _, door: sentence.format(card_words(door, option["card"]))


def _called(seen: Seen, door: Lookup) -> dict[str, Any]:
    return {"called": names_of(seen, door), "seat": seen["seat"]}


def unit_words(seen: Seen, seat: int, kind: str, number: int) -> str:
    """Names an agent or a fleet by number and place: fleet 2 at S1a."""
    units = seen["state"]["houses"][seat][f"{kind}s"]
    at = units[number] if number < len(units) else ""
    return f"{kind} {number + 1} at {at}" if at else f"{kind} {number + 1}"


# --- setup and cards ------------------------------------------------------------------------------


def _leader(option: Option, _: Seen, door: Lookup) -> str:
    row = LEADERS.behind(door)[option["leader"]]
    return f"take {row.name} of {row.dynasty}"


def _draw(option: Option, _: Seen, door: Lookup) -> str:
    if option["source"] == "advanced":
        return f"take {technology_name(door, option['card'])} back to the hand"
    if option["source"] == "deck":
        return "draw from the pile"
    return "draw the top discard" + _pile(option)


def _pile(option: Option) -> str:
    """Names the discard pile where there are several."""
    return "" if option["pile"] == ONE_PILE else f" of the {option['pile']} pile"


def _clean_up(option: Option, seen: Seen, door: Lookup) -> str:
    if not option["source"]:
        return "put the card on the inactive pile"
    return f"discard the card and {_draw(option, seen, door)}"


def _order(option: Option, _: Seen, door: Lookup) -> str:
    return f"choose {order_name(door, option['card'])}"


def _advance(option: Option, _: Seen, door: Lookup) -> str:
    said = f"advance {card_words(door, option['card'])}"
    leaving = [technology_name(door, card) for card in option["discards"]]
    return f"{said} in place of {listed(leaving)}" if leaving else said


def _research(option: Option, _: Seen, door: Lookup) -> str:
    return f"discard {listed([technology_name(door, one) for one in option['cards']])}"


def _tile(option: Option, _: Seen, door: Lookup) -> str:
    return f"put {tile_words(door, option['tile'])} on {option['sector']}"


def _commit(option: Option, seen: Seen, door: Lookup) -> str:
    if not option["card"]:
        return "commit no card"
    contest = seen["state"]["contest"]
    sides = [contest[part] for part in ("attacker", "defender")] if contest else []
    mine = next((side for side in sides if side["seat"] == seen["seat"]), None)
    if mine is None:
        return f"commit {card_words(door, option['card'])}"
    value = getattr(CARDS.behind(door)[option["card"]], mine["type"])
    return f"commit {technology_name(door, option['card'])} for {value} {mine['type']} power"


# --- building -------------------------------------------------------------------------------------


def _relocate(option: Option, _: Seen, __: Lookup) -> str:
    basis = BASES_ON.get(option["basis"], "")
    base = BASE_OF[option["base"]]
    said = f"move an own {base} from {option['origin']} to {option['sector']}"
    return f"{said} {basis}" if basis else said


def _gate(option: Option, seen: Seen, _: Lookup) -> str:
    gate = seen["state"]["houses"][seen["seat"]]["gates"][option["gate"]]
    was = f" that joins {gate['first']} and {gate['second']}" if gate["first"] else ""
    return f"move gate {option['gate'] + 1}{was} to {option['first']} and {option['second']}"


# --- conflict -------------------------------------------------------------------------------------


def _pattern(option: Option, _: Seen, door: Lookup) -> str:
    row = PATTERNS.behind(door)[option["pattern"]]
    name = pattern_name(door, option["pattern"])
    effect = "take over" if row.action == "takeover" else "destroy"
    return f"{name}: {effect} what is {row.target}, by {row.attacker} power"


def _declare(option: Option, seen: Seen, door: Lookup) -> str:
    whom = names_of(seen, door)[option["defender"]]
    said = f"attack {whom} at {option['sector']}"
    turn = seen["state"]["turn"]
    row = PATTERNS.behind(door).get(turn["pattern"]) if turn else None
    if option["origin"]:
        said += f" from {option['origin']}"
    if option["units"] and row is not None:
        unit = UNIT_OF[row.attacker]
        said += (
            f" with {listed([unit_words(seen, seen['seat'], unit, n) for n in option['units']])}"
        )
    if option["targets"]:
        numbers = listed([str(number + 1) for number in option["targets"]])
        said += f", against its {'unit' if len(option['targets']) == 1 else 'units'} {numbers}"
    return said


def _move(option: Option, seen: Seen, _: Lookup) -> str:
    *by, to = option["path"]
    said = f"move {unit_words(seen, seen['seat'], option['unit'], option['number'])} to {to}"
    return f"{said} by {listed(by)}" if by else said


def _draw_on(option: Option, _: Seen, door: Lookup) -> str:
    named = [
        name if (name := faction_name(door, one)) != one else f"the outposts at {one}"
        for one in option["on"]
    ]
    return f"draw on {listed(named)}"


def _support(option: Option, seen: Seen, door: Lookup) -> str:
    if option["side"] is None:
        return "support nobody"
    return (
        f"support {names_of(seen, door)[option['side']]} with {counted(option['count'], 'embassy')}"
    )


def _fallen_gates(option: Option, _: Seen, __: Lookup) -> str:
    if not option["gates"]:
        return "destroy no gate"
    numbers = listed([str(number + 1) for number in option["gates"]])
    return f"destroy {'gate' if len(option['gates']) == 1 else 'gates'} {numbers}"


def _moved_in(option: Option, _: Seen, __: Lookup) -> str:
    if not option["origins"]:
        return "leave the locations empty"
    return f"move bases there from {listed(list(option['origins']))}"


def _built_again(unit: str) -> Words:
    return lambda option, _, __: f"build {unit} {option['unit'] + 1} at home again"


def _emitter(option: Option, seen: Seen, _: Lookup) -> str:
    number = option["unit"]
    unit = "the agent" if number is None else unit_words(seen, seen["seat"], AGENT, number)
    return f"put {unit} at {option['sector']}"


# --- leaders --------------------------------------------------------------------------------------


def _activate(option: Option, seen: Seen, door: Lookup) -> str:
    house = seen["state"]["houses"][seen["seat"]]
    rows = LEADERS.behind(door)
    said = f"use the leader at level {option['level']}"
    if house["leader"] in rows:
        text = getattr(rows[house["leader"]], f"level_{option['level']}")
        said = f"{leader_name(door, house['leader'])}, level {option['level']} ({text.rstrip('.')})"
    about = _about(option, seen, door)
    return f"{said}: {', '.join(about)}" if about else said


def _about(option: Option, seen: Seen, door: Lookup) -> list[str]:
    """Returns the words for what an ability needs to know."""
    found = []
    if option["seat"] is not None:
        found.append(names_of(seen, door)[option["seat"]])
    if option["card"]:
        found.append(technology_name(door, option["card"]))
    if option["piece"] and option["number"] is not None and option["piece"] in (AGENT, FLEET):
        found.append(unit_words(seen, seen["seat"], option["piece"], option["number"]))
    elif option["piece"]:
        found.append(option["piece"])
    elif option["number"] is not None:
        found.append(f"number {option['number'] + 1}")
    if option["sector"]:
        found.append(f"at {option['sector']}")
    if option["path"]:
        found.append(f"by {listed(list(option['path']))}")
    return found


def _order_deck(option: Option, _: Seen, door: Lookup) -> str:
    return f"put them back as {', '.join(technology_name(door, one) for one in option['cards'])}"


def _pass(option: Option, _: Seen, __: Lookup) -> str:
    return "do nothing, and ask no more in this phase" if option["not_again"] else "do nothing"


def _resume(option: Option, _: Seen, __: Lookup) -> str:
    return "go on with the action" if option["go_on"] else "drop the action and choose another"


WORDINGS: Final[Mapping[str, Words]] = {
    "setup.choose-first-arbiter": says_whom("{whom} is the first arbiter"),
    "setup.choose-color": says("play {color}"),
    "setup.choose-layout": says("use the layout {layout}"),
    "setup.choose-leader": _leader,
    "setup.place-board": says("lay the board at {q},{r}, rotated {rotation}"),
    "setup.place-home": says("make a home at {sector}"),
    "setup.place-first-tile": _tile,
    "draft.keep-card": says_card("keep {}"),
    "expansion.place-tile": _tile,
    "tech.draw": _draw,
    "tech.discard": says_card("discard {}"),
    "tech.advance": _advance,
    "tech.keep": says("neither discard nor advance"),
    "tech.discard-advanced": says_card("discard the advanced {}"),
    "action.commit-card": _order,
    "action.choose-tie-starter": says_whom("{whom} goes first"),
    "turn.start-build": says("build"),
    "turn.start-conflict": _pattern,
    "turn.basic-collect": says("collect CAPs"),
    "turn.basic-draw": says("draw a technology card"),
    "turn.capitalize": says("capitalize: collect from the smallest income again"),
    "turn.capitalize-from": says("collect from the {income} bases again"),
    "turn.survey": says("survey: turn a tile up, then place one"),
    "turn.research": says("research: change cards of the hand"),
    "turn.research-discard": _research,
    "turn.cancel-action": says("take the action back"),
    "turn.end": says("end the turn"),
    "build.place-complex": says("build a complex at {sector}"),
    "build.place-embassy": says("build an embassy at {sector}"),
    "build.place-outpost": says("build an outpost at {sector}"),
    "build.place-agent": says("build an agent at {sector}"),
    "build.place-fleet": says("build a fleet at {sector}"),
    "build.place-gate": says("build a gate from {first} to {second}"),
    "build.relocate-gate": _gate,
    "build.relocate-base": _relocate,
    "build.finish": says("finish building"),
    "conflict.skip": says("attack nobody after all"),
    "conflict.move-unit": _move,
    "conflict.declare": _declare,
    "conflict.choose-draw": _draw_on,
    "conflict.choose-draw-sealed": _draw_on,
    "conflict.support": _support,
    "conflict.support-sealed": _support,
    "conflict.decline-support": says("support nobody"),
    "conflict.commit-card": _commit,
    "conflict.choose-gates": _fallen_gates,
    "conflict.takeover-fill": lambda option, _, __: (
        f"fill {spelled(option['count'], 'location')} from the player board"
    ),
    "conflict.takeover-place": _moved_in,
    "conflict.cleanup": _clean_up,
    "react.decline": says("do not react"),
    "react.predictive-algorithms": _gate,
    "react.subliminal-telepathy": lambda option, _, __: (
        f"build agent {option['unit'] + 1} at home again"
    ),
    "react.phased-teleportation": lambda option, _, __: (
        f"build fleet {option['unit'] + 1} at home again"
    ),
    "react.bio-adaptive-hulls": says("put one of the outposts at {sector}"),
    "react.stealth-field-emitter": _emitter,
    "leader.activate": _activate,
    "leader.order-deck": _order_deck,
    "leader.pass": _pass,
    "leader.resume": _resume,
    "arbitration.choose-arbiter": says_whom("{whom} is the next arbiter"),
    "arbitration.confirm": says("give no more CAPs away in this round"),
    **wordings(DEALS, Transfer),
}
