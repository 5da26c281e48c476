"""What a click on a thing of the scene decides, for every decision that is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from ledger.kernel.door import Door
from ledger.kernel.scene import Scene, Target

from .components import PATTERNS
from .scene_beside import caps_id, deal_id, leader_id, order_id
from .scene_map import gate_id, ghost_id
from .words import (
    counted,
    leader_name,
    listed,
    order_name,
    pattern_name,
    technology_name,
    tile_words,
)

Option: TypeAlias = Mapping[str, Any]

ELSEWHERE: Final = "phase"  # the counter that is there in every scene


def with_targets(scene: Scene, options: Sequence[Option], viewer: int | None, door: Door) -> Scene:
    """The scene with a target for every option, on a thing that is there."""
    parts = (scene.cells, scene.pieces, scene.links, scene.cards, scene.tracks, scene.counters)
    there = {thing.id for part in parts for thing in part}
    targets = [
        Target(
            on=next(on for on in (*_places(option, viewer), ELSEWHERE) if on in there),
            label=label_of(option, door),
            decision=dict(option),
        )
        for option in options
    ]
    return msgspec.structs.replace(scene, targets=tuple(targets))


# --- where ----------------------------------------------------------------------------------------


def _places(option: Option, viewer: int | None) -> Iterator[str]:
    """The things that an option is about, the nearest first."""
    seat = -1 if viewer is None else viewer
    yield from _on_the_map(option, seat)
    yield from _beside_it(option)
    if option["type"].startswith("leader."):
        yield leader_id(seat)
    if option["type"].startswith(("turn.", "build.", "conflict.")):
        yield f"played-s{seat}"


def _on_the_map(option: Option, seat: int) -> Iterator[str]:
    """A place, or a piece."""
    if "rotation" in option:
        yield ghost_id(option["q"], option["r"])
    if option.get("path"):
        yield option["path"][-1]
    for name in ("second", "sector", "target"):
        yield str(option.get(name) or "")
    yield from option.get("on", ())
    for gate in option.get("gates", ()):
        yield from (gate_id(other, gate, 0) for other in range(6) if other != seat)
    if "gate" in option:
        yield gate_id(seat, option["gate"], 0)


def _beside_it(option: Option) -> Iterator[str]:
    """A card, a tile, a deal, a player."""
    if option["type"] == "tech.draw":
        sources = {"deck": "pile", "discard": f"discards-{option['pile']}"}
        yield str(sources.get(option["source"], option["card"]))
    for name in ("card", "tile"):
        yield str(option.get(name) or "")
        yield order_id(str(option.get(name)))
    if "deal" in option:
        yield deal_id(str(option["deal"]))
    for name in ("to", "seat", "side", "defender"):
        if isinstance(option.get(name), int):
            yield caps_id(option[name])


# --- in which words -------------------------------------------------------------------------------


def label_of(option: Option, door: Door) -> str:
    """What is decided, in a few words."""
    said = LABELS.get(option["type"])
    return _plainly(option) if said is None else said(option, door)


def _plainly(option: Option) -> str:
    words = option["type"].rpartition(".")[2].replace("-", " ")
    values = [_value(value) for name, value in option.items() if name != "type"]
    return " ".join([words, *(value for value in values if value)])


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(_value(one) for one in value)
    return "" if value is None or isinstance(value, Mapping) else str(value)


def _says(sentence: str) -> Callable[[Option, Door], str]:
    return lambda option, _: sentence.format(**option)


def _card(sentence: str) -> Callable[[Option, Door], str]:
    return lambda option, door: sentence.format(technology_name(door, option["card"]))


def _draw(option: Option, door: Door) -> str:
    if option["source"] == "advanced":
        return f"take {technology_name(door, option['card'])} back"
    return "draw from the pile" if option["source"] == "deck" else "draw the top discard"


def _advance(option: Option, door: Door) -> str:
    said = f"advance {technology_name(door, option['card'])}"
    leaving = [technology_name(door, card) for card in option["discards"]]
    return f"{said} in place of {listed(leaving)}" if leaving else said


def _tile(option: Option, door: Door) -> str:
    return f"put {tile_words(door, option['tile'])} on {option['sector']}"


def _conflict(option: Option, door: Door) -> str:
    row = PATTERNS.behind(door)[option["pattern"]]
    name = pattern_name(door, option["pattern"])
    return f"{name}: {row.action}, {row.attacker} against {row.target}"


def _transfer(option: Option, _: Door) -> str:
    return f"give {counted(option['amount'], 'CAP')} to seat {option['to']}"


def _relocate(option: Option, _: Door) -> str:
    return f"relocate from {option['origin']} to {option['sector']} ({option['basis']})"


LABELS: Final[Mapping[str, Callable[[Option, Door], str]]] = {
    "setup.choose-first-arbiter": _says("seat {seat} is the first arbiter"),
    "setup.choose-color": _says("take {color}"),
    "setup.choose-layout": _says("layout {layout}"),
    "setup.choose-leader": lambda option, door: f"take {leader_name(door, option['leader'])}",
    "setup.place-board": _says("lay the board, rotated {rotation}"),
    "setup.place-home": _says("home at {sector}"),
    "setup.place-first-tile": _tile,
    "draft.keep-card": _card("keep {}"),
    "expansion.place-tile": _tile,
    "tech.draw": _draw,
    "tech.discard": _card("discard {}"),
    "tech.advance": _advance,
    "tech.discard-advanced": _card("discard {} now"),
    "action.commit-card": lambda option, door: f"choose {order_name(door, option['card'])}",
    "action.choose-tie-starter": _says("seat {seat} begins at {number}"),
    "turn.start-build": _says("build"),
    "turn.start-conflict": _conflict,
    "build.place-gate": _says("gate from {first} to {second}"),
    "build.relocate-gate": _says("move the gate to {first} and {second}"),
    "build.relocate-base": _relocate,
    "caps.transfer": _transfer,
}
