"""Click targets: the thing of the scene that decides each offered option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from ledger.games.hegemonic.shown.wording import wording_of
from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Scene, Target
from ledger.parts.deals.shown.proposals import deal_id

from .galaxy import gate_id, ghost_id
from .panels import caps_id, leader_id, order_id

Option: TypeAlias = Mapping[str, Any]

ELSEWHERE: Final = "phase"  # the counter that is there in every scene


def with_targets(scene: Scene, options: Sequence[Option], seen: Option, lookup: Lookup) -> Scene:
    """Returns the scene with a target for every option, on a thing that is there."""
    parts = (scene.cells, scene.pieces, scene.links, scene.cards, scene.tracks, scene.counters)
    there = {thing.id for part in parts for thing in part}
    targets = [
        Target(
            on=next(on for on in (*_places(option, seen["seat"]), ELSEWHERE) if on in there),
            label=wording_of(option, seen, lookup),
            decision=dict(option),
        )
        for option in options
    ]
    return msgspec.structs.replace(scene, targets=tuple(targets))


# --- where ----------------------------------------------------------------------------------------


def _places(option: Option, viewer: int | None) -> Iterator[str]:
    """Yields the ids of the things that an option is about, the nearest first."""
    seat = -1 if viewer is None else viewer
    yield from _on_the_map(option, seat)
    yield from _list_named_ids(option)
    if option["type"].startswith("leader."):
        yield leader_id(seat)
    if option["type"].startswith(("turn.", "build.", "conflict.")):
        yield f"played-s{seat}"


def _on_the_map(option: Option, seat: int) -> Iterator[str]:
    """Yields the ids of the places and pieces that an option names."""
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


def _list_named_ids(option: Option) -> Iterator[str]:
    """Yields the ids of the cards, tiles, deals and players that an option names."""
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
