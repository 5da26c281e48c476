"""The scene: the map of hexes, the planet cards, the tracks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.games.galactic_hegemony.phases.tracks import PHASES, two_tokens
from ledger.games.galactic_hegemony.state.board import ACTIVE, PLAYER, STOCK
from ledger.games.galactic_hegemony.state.components import (
    KINDS,
    MORALE_MAX,
    MORALE_MIN,
    PLANETS,
    PLANETS_COUNT,
    RESOURCES,
    TURNS,
)
from ledger.games.galactic_hegemony.state.hexes import Adjacency, Galaxy
from ledger.kernel.accounts import BANK
from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Card, Cell, Counter, Ground, Meaning, Piece, Scene, Target, Track

Seen: TypeAlias = Mapping[str, Any]

UNKNOWN: Final = "??"
SHIP, SABOTEUR = "s", "x"
FORMS: Final = (
    Meaning(form="disc", name="planet"),
    Meaning(form="ship", name="spacecraft"),
    Meaning(form="person", name="saboteur"),
)
LIMIT_HIGHEST: Final = 26


def scene_of(seen: Seen, lookup: Lookup) -> Scene:
    board = seen["state"]
    return Scene(
        title="Galactic Hegemony",
        forms=FORMS,
        signs=f"{UNKNOWN} unexplored planet, {SHIP} spacecraft, {SABOTEUR} saboteur; "
        "a planet by its first two letters",
        legend="A planet has its first two letters, one that is unexplored a question mark",
        grid="hex",
        kinds=("planet", "colony", "unexplored", "space", "revolt"),
        cells=tuple(_cells(board, lookup)),
        pieces=tuple(_pieces(board, lookup)),
        cards=tuple(_cards(board, lookup)),
        tracks=tuple(_tracks(board, lookup)),
        counters=tuple(_counters(board)),
        targets=tuple(_target(board, option) for option in seen.get("options", ())),
    )


def cell_id(place: Sequence[int]) -> str:
    return f"h{place[0]},{place[1]}"


def _cells(board: Seen, lookup: Lookup) -> Iterator[Cell]:
    layout = lookup.reads("hex-layout")
    tiles = {tuple(tile["hex"]): tile for tile in board["tiles"]}
    revolts = {one["planet"] for one in board["colonies"] if one["morale"] < 0}
    colonies = {one["planet"] for one in board["colonies"]}
    for place in Galaxy.hexes:
        x, y = Adjacency.axial(layout, place)
        kind, tile = "space", tiles.get(place)
        if tile is not None:
            kind = "planet" if tile["explored"] else "unexplored"
            if tile["explored"] and tile["planet"] in colonies:
                kind = "revolt" if tile["planet"] in revolts else "colony"
        yield Cell(
            id=cell_id(place),
            x=x,
            y=y,
            label=f"{place[0]},{place[1]}",
            kind=kind,
            ground=_ground(kind),
        )


def _ground(kind: str) -> Ground:
    return "stars" if kind == "space" else "star"


def _pieces(board: Seen, lookup: Lookup) -> Iterator[Piece]:
    colonies = {one["planet"]: one for one in board["colonies"]}
    for place, tile in enumerate(board["tiles"], 1):
        sign, name = UNKNOWN, "unexplored planet"
        if tile["planet"] is not None:
            planet = PLANETS.behind(lookup)[str(tile["planet"])].name
            sign, name = planet[:2], planet if tile["explored"] else f"{planet}, unexplored"
        colony = colonies.get(tile["planet"]) if tile["explored"] else None
        if colony is not None:
            name += ", in revolt" if colony["morale"] < 0 else ", colonised"
        seat = None if colony is None or colony["morale"] < 0 else PLAYER
        yield Piece(
            id=f"t{place}",
            cell=cell_id(tile["hex"]),
            sign=sign,
            name=name,
            form="disc",
            mark=sign.replace(UNKNOWN, "?"),
            seat=seat,
        )
    for one in sorted({tuple(place) for place in board["spacecraft"]}):
        count = sum(tuple(place) == one for place in board["spacecraft"])
        yield Piece(
            id=f"s{one[0]},{one[1]}",
            cell=cell_id(one),
            sign=SHIP,
            name="spacecraft",
            form="ship",
            seat=PLAYER,
            count=count,
        )
    for saboteur in board["saboteurs"]:
        if saboteur["hex"] is not None:
            number = saboteur["number"]
            yield Piece(
                id=f"x{number}",
                cell=cell_id(saboteur["hex"]),
                sign=SABOTEUR,
                name=f"saboteur {number}",
                form="person",
                mark=str(number),
            )


def _cards(board: Seen, lookup: Lookup) -> Iterator[Card]:
    for colony in board["colonies"]:
        name = PLANETS.behind(lookup)[str(colony["planet"])].name
        built = [kind for kind in KINDS for _ in range(colony[kind])]
        said = f"{name} ({colony['planet']}), morale {colony['morale']}"
        if built:
            said += f", {', '.join(built)}"
        if colony["morale"] < 0:
            said += ", in revolt"
        yield Card(id=f"p{colony['planet']}", place="planet", name=said, seat=PLAYER)


def size_seen(board: Seen) -> int:
    """Returns the hegemony size: planets under control, less those counted off twice."""
    controlled = sum(one["morale"] >= 0 for one in board["colonies"])
    return int(max(0, controlled - board["overcounted"]))


def _tracks(board: Seen, lookup: Lookup) -> Iterator[Track]:
    stock = board["accounts"]["balances"][RESOURCES].get(STOCK, 0)
    yield Track(id="size", name="hegemony size", value=size_seen(board), high=PLANETS_COUNT)
    yield Track(id="stock", name="resources", value=stock, high=LIMIT_HIGHEST)
    first, second = two_tokens(board["token"]) if board["counts_up"] else (board["token"], None)
    yield Track(id="token", name="turn token", value=first, high=TURNS)
    if second is not None:
        high = max(TURNS, second)
        yield Track(id="token2", name="second turn token", value=second, high=high)
    for colony in board["colonies"]:
        name = PLANETS.behind(lookup)[str(colony["planet"])].name
        yield Track(
            id=f"m{colony['planet']}",
            name=f"morale of {name}",
            value=colony["morale"],
            low=MORALE_MIN,
            high=MORALE_MAX,
            seat=PLAYER,
        )


def _counters(board: Seen) -> Iterator[Counter]:
    if board["turn"]:
        yield Counter(id="turn", name="turn", value=board["turn"])
    if board["phase"]:
        yield Counter(id="phase", name="phase", value=PHASES[board["phase"] - 1])
    active = sum(one["status"] == ACTIVE for one in board["saboteurs"])
    yield Counter(id="saboteurs", name="saboteurs in the game", value=active)
    if board["debt"]:
        yield Counter(id="debt", name=f"owed to the {BANK}", value=board["debt"])


def _target(board: Seen, option: Seen) -> Target:
    """Returns the click target for an option, with its label."""
    kind = option["type"].rpartition(".")[2]
    if "origin" in option:
        origin = option["origin"]
        label = f"move {option['ships']} from {origin[0]},{origin[1]}"
        return Target(on=cell_id(option["to"]), label=label, decision=dict(option))
    if "hex" in option:
        label = f"attack with {option['commit']}"
        return Target(on=cell_id(option["hex"]), label=label, decision=dict(option))
    if "planet" not in option:
        return Target(on="phase", label=kind, decision=dict(option))
    label = f"{kind} {option['kind']}" if "kind" in option else kind
    colonised = any(one["planet"] == option["planet"] for one in board["colonies"])
    where = next(tile["hex"] for tile in board["tiles"] if tile["planet"] == option["planet"])
    on = f"p{option['planet']}" if colonised else cell_id(where)
    return Target(on=on, label=label, decision=dict(option))
