"""The look of the table: the map (galaxy.py), the rest of the table, and click targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Scene

from . import galaxy, panels, targets


def scene_of(seen: Mapping[str, Any], lookup: Lookup) -> Scene:
    board, viewer = seen["state"], seen["seat"]
    options = [*seen.get("options", ())]
    for standing in seen.get("standing", ()):
        options += standing["options"]
    drawn = Scene(
        title="Hegemonic",
        grid="hex",
        kinds=galaxy.KINDS,
        cells=(*galaxy.cells(board, lookup), *galaxy.ghosts(options, board)),
        pieces=tuple(galaxy.pieces(board)),
        links=tuple(galaxy.links(board, lookup)),
        cards=tuple(panels.cards(board, viewer, lookup)),
        tracks=tuple(panels.tracks(board, lookup)),
        counters=tuple(panels.counters(board, viewer, lookup)),
        players=tuple(panels.players(board, lookup)),
        forms=tuple(galaxy.forms()),
        signs=galaxy.signs(),
        legend=galaxy.LEGEND,
    )
    return targets.with_targets(drawn, options, seen, lookup)
