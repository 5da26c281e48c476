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
from ledger.parts.text import SentenceTemplate, capitalized, counted, join_words, spelled

from .names import (
    card_words,
    leader_name,
    names_of,
    pattern_name,
    technology_name,
)
from .phrases import NAMINGS

Option: TypeAlias = Mapping[str, Any]
Seen: TypeAlias = Mapping[str, Any]
Words: TypeAlias = Callable[[Option, Seen, Lookup], str]

BASES_ON: Final = {TRANSCENDENCY: "by Transcendency Routine", BRANE: "by Brane Manipulation"}


def wording_of(option: Option, seen: Seen, lookup: Lookup) -> str:
    """Returns the words of a decision, as a button shows them."""
    return capitalized(WORDINGS[option["type"]](option, seen, lookup))


# --- parts of what is said ------------------------------------------------------------------------


def says(sentence: str) -> Words:
    """Makes words from the fields of the decision."""
    template = SentenceTemplate(sentence, NAMINGS)

    def said(option: Option, seen: Seen, lookup: Lookup) -> str:
        return template.fill({**option, "called": names_of(seen, lookup)}, lookup)

    return said


def unit_words(seen: Seen, seat: int, kind: str, number: int) -> str:
    """Names an agent or a fleet by number and place: fleet 2 at S1a."""
    units = seen["state"]["houses"][seat][f"{kind}s"]
    at = units[number] if number < len(units) else ""
    return f"{kind} {number + 1} at {at}" if at else f"{kind} {number + 1}"


# --- setup and cards ------------------------------------------------------------------------------


def _leader(option: Option, _: Seen, lookup: Lookup) -> str:
    row = LEADERS.behind(lookup)[option["leader"]]
    return f"take {row.name} of {row.dynasty}"


def _draw(option: Option, _: Seen, lookup: Lookup) -> str:
    if option["source"] == "advanced":
        return f"take {technology_name(lookup, option['card'])} back to the hand"
    if option["source"] == "deck":
        return "draw from the pile"
    return "draw the top discard" + _pile(option)


def _pile(option: Option) -> str:
    """Names the discard pile where there are several."""
    return "" if option["pile"] == ONE_PILE else f" of the {option['pile']} pile"


def _clean_up(option: Option, seen: Seen, lookup: Lookup) -> str:
    if not option["source"]:
        return "put the card on the inactive pile"
    return f"discard the card and {_draw(option, seen, lookup)}"


def _advance(option: Option, _: Seen, lookup: Lookup) -> str:
    said = f"advance {card_words(lookup, option['card'])}"
    leaving = [technology_name(lookup, card) for card in option["discards"]]
    return f"{said} in place of {join_words(leaving)}" if leaving else said


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


def _pattern(option: Option, _: Seen, lookup: Lookup) -> str:
    row = PATTERNS.behind(lookup)[option["pattern"]]
    name = pattern_name(lookup, option["pattern"])
    effect = "take over" if row.action == "takeover" else "destroy"
    return f"{name}: {effect} what is {row.target}, by {row.attacker} power"


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
        numbers = join_words([str(number + 1) for number in option["targets"]])
        said += f", against its {'unit' if len(option['targets']) == 1 else 'units'} {numbers}"
    return said


def _move(option: Option, seen: Seen, _: Lookup) -> str:
    *by, to = option["path"]
    said = f"move {unit_words(seen, seen['seat'], option['unit'], option['number'])} to {to}"
    return f"{said} by {join_words(by)}" if by else said


def _support(option: Option, seen: Seen, lookup: Lookup) -> str:
    if option["side"] is None:
        return "support nobody"
    side = names_of(seen, lookup)[option["side"]]
    return f"support {side} with {counted(option['count'], 'embassy')}"


def _fallen_gates(option: Option, _: Seen, __: Lookup) -> str:
    if not option["gates"]:
        return "destroy no gate"
    numbers = join_words([str(number + 1) for number in option["gates"]])
    return f"destroy {'gate' if len(option['gates']) == 1 else 'gates'} {numbers}"


def _word_move_in(option: Option, _: Seen, __: Lookup) -> str:
    if not option["origins"]:
        return "leave the locations empty"
    return f"move bases there from {join_words(list(option['origins']))}"


def _emitter(option: Option, seen: Seen, _: Lookup) -> str:
    number = option["unit"]
    unit = "the agent" if number is None else unit_words(seen, seen["seat"], AGENT, number)
    return f"put {unit} at {option['sector']}"


# --- leaders --------------------------------------------------------------------------------------


def _activate(option: Option, seen: Seen, lookup: Lookup) -> str:
    house = seen["state"]["houses"][seen["seat"]]
    rows = LEADERS.behind(lookup)
    said = f"use the leader at level {option['level']}"
    if house["leader"] in rows:
        text = getattr(rows[house["leader"]], f"level_{option['level']}")
        said = (
            f"{leader_name(lookup, house['leader'])}, level {option['level']} ({text.rstrip('.')})"
        )
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


def _order_deck(option: Option, _: Seen, lookup: Lookup) -> str:
    return f"put them back as {', '.join(technology_name(lookup, one) for one in option['cards'])}"


def _pass(option: Option, _: Seen, __: Lookup) -> str:
    return "do nothing, and ask no more in this phase" if option["not_again"] else "do nothing"


def _resume(option: Option, _: Seen, __: Lookup) -> str:
    return "go on with the action" if option["go_on"] else "drop the action and choose another"


WORDINGS: Final[Mapping[str, Words]] = {
    "setup.choose-first-arbiter": says("{seat:seat} is the first arbiter"),
    "setup.choose-color": says("play {color}"),
    "setup.choose-layout": says("use the layout {layout}"),
    "setup.choose-leader": _leader,
    "setup.place-board": says("lay the board at {q},{r}, rotated {rotation}"),
    "setup.place-home": says("make a home at {sector}"),
    "setup.place-first-tile": says("put {tile:tile} on {sector}"),
    "draft.keep-card": says("keep {card:figures}"),
    "expansion.place-tile": says("put {tile:tile} on {sector}"),
    "tech.draw": _draw,
    "tech.discard": says("discard {card:figures}"),
    "tech.advance": _advance,
    "tech.keep": says("neither discard nor advance"),
    "tech.discard-advanced": says("discard the advanced {card:figures}"),
    "action.commit-card": says("choose {card:order}"),
    "action.choose-tie-starter": says("{seat:seat} goes first"),
    "turn.start-build": says("build"),
    "turn.start-conflict": _pattern,
    "turn.basic-collect": says("collect CAPs"),
    "turn.basic-draw": says("draw a technology card"),
    "turn.capitalize": says("capitalize: collect from the smallest income again"),
    "turn.capitalize-from": says("collect from the {income} bases again"),
    "turn.survey": says("survey: turn a tile up, then place one"),
    "turn.research": says("research: change cards of the hand"),
    "turn.research-discard": says("discard {cards:titles}"),
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
    "conflict.choose-draw": says("draw on {on:lenders}"),
    "conflict.choose-draw-sealed": says("draw on {on:lenders}"),
    "conflict.support": _support,
    "conflict.support-sealed": _support,
    "conflict.decline-support": says("support nobody"),
    "conflict.commit-card": _commit,
    "conflict.choose-gates": _fallen_gates,
    "conflict.takeover-fill": lambda option, _, __: (
        f"fill {spelled(option['count'], 'location')} from the player board"
    ),
    "conflict.takeover-place": _word_move_in,
    "conflict.cleanup": _clean_up,
    "react.decline": says("do not react"),
    "react.predictive-algorithms": _gate,
    "react.subliminal-telepathy": says("build agent {unit:number} at home again"),
    "react.phased-teleportation": says("build fleet {unit:number} at home again"),
    "react.bio-adaptive-hulls": says("put one of the outposts at {sector}"),
    "react.stealth-field-emitter": _emitter,
    "leader.activate": _activate,
    "leader.order-deck": _order_deck,
    "leader.pass": _pass,
    "leader.resume": _resume,
    "arbitration.choose-arbiter": says("{seat:seat} is the next arbiter"),
    "arbitration.confirm": says("give no more CAPs away in this round"),
    **wordings(DEALS, Transfer),
}
