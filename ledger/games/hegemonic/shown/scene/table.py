"""The look of the table: the map, the rest of the table, and what a click decides."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.shown.wording import wording_of
from ledger.games.hegemonic.state.components import GATE
from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Scene
from ledger.kernel.story import Seen
from ledger.parts.deals.shown.proposals import deal_id
from ledger.parts.shown.scene import free_id, own_id, with_targets

from . import galaxy, panels
from .panels import order_id


def scene_of(seen: Seen, lookup: Lookup) -> Scene:
    board, viewer = seen["state"], seen["seat"]
    options = [*seen.get("options", ())]
    for standing in seen.get("standing", ()):
        options += standing["options"]
    drawn = Scene(
        title="Hegemonic",
        grid="hex",
        kinds=galaxy.KINDS,
        cells=(*galaxy.cells(board, lookup), *galaxy.free_places(options, board)),
        pieces=tuple(galaxy.pieces(board)),
        links=tuple(galaxy.links(board, lookup)),
        cards=tuple(panels.cards(board, viewer, lookup)),
        tracks=tuple(panels.tracks(board, lookup)),
        counters=tuple(panels.counters(board, viewer, lookup)),
        players=tuple(panels.players(board, lookup)),
        forms=tuple(look.meaning for look in galaxy.LOOKS),
        signs=f"{galaxy.SIGNS}; before it the first letter of the colour",
        legend=galaxy.LEGEND,
    )
    return with_targets(
        drawn,
        options,
        lambda option: _places(option, viewer),
        lambda option: wording_of(option, seen, lookup),
        elsewhere="phase",  # the counter that is there in every scene
    )


# --- where an option is clicked -------------------------------------------------------------------


def _places(option: Seen, viewer: int | None) -> Iterator[str]:
    """Yields the ids of the things that an option is about, the nearest first."""
    seat = -1 if viewer is None else viewer
    yield from _on_the_map(option, seat)
    yield from _list_named_ids(option)
    if option["type"].startswith("leader."):
        yield f"leader-s{seat}"
    if option["type"].startswith(("turn.", "build.", "conflict.")):
        yield f"played-s{seat}"


def _on_the_map(option: Seen, seat: int) -> Iterator[str]:
    """Yields the ids of the places and pieces that an option names."""
    if "rotation" in option:
        yield free_id(option["q"], option["r"])
    if option.get("path"):
        yield option["path"][-1]
    for name in ("second", "sector", "target"):
        yield str(option.get(name) or "")
    yield from option.get("on", ())
    for gate in option.get("gates", ()):
        yield from (own_id(other, GATE, gate, 0) for other in range(6) if other != seat)
    if "gate" in option:
        yield own_id(seat, GATE, option["gate"], 0)


def _list_named_ids(option: Seen) -> Iterator[str]:
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
            yield own_id(option[name], "caps")
