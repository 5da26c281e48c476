"""How the table looks: the map (scene_map.py), what lies beside it, and what a click decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.door import Door
from ledger.kernel.scene import Scene

from . import scene_beside, scene_map, scene_targets


def scene_of(seen: Mapping[str, Any], door: Door) -> Scene:
    """The scene of a view."""
    board, viewer = seen["state"], seen["seat"]
    options = [*seen.get("options", ())]
    for standing in seen.get("standing", ()):
        options += standing["options"]
    drawn = Scene(
        title="Hegemonic",
        grid="hex",
        kinds=scene_map.KINDS,
        cells=(*scene_map.cells(board, door), *scene_map.ghosts(options, board)),
        pieces=tuple(scene_map.pieces(board)),
        links=tuple(scene_map.links(board, door)),
        cards=tuple(scene_beside.cards(board, viewer, door)),
        tracks=tuple(scene_beside.tracks(board, door)),
        counters=tuple(scene_beside.counters(board, viewer, door)),
        players=tuple(scene_beside.players(board, door)),
        forms=tuple(scene_map.forms()),
        signs=scene_map.signs(),
        legend=scene_map.LEGEND,
    )
    return scene_targets.with_targets(drawn, options, seen, door)
