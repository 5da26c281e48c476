"""The scene: the map of hexes, the planet cards, the tracks."""

from __future__ import annotations

from collections import Counter as Counted
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

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
from ledger.kernel.scene import Card, Cell, Counter, Meaning, Piece, Scene, Track
from ledger.kernel.story import Seen
from ledger.parts.shown.scene import PieceLook, list_signs, with_targets

UNKNOWN: Final = "??"
PLANET = PieceLook("unexplored planet", UNKNOWN, "disc")
SHIP = PieceLook("spacecraft", "s", "ship", "spacecraft")
SABOTEUR = PieceLook("saboteur", "x", "person")
LIMIT_HIGHEST: Final = 26


def scene_of(seen: Seen, lookup: Lookup) -> Scene:
    board = seen["state"]
    drawn = Scene(
        title="Galactic Hegemony",
        forms=(Meaning(form=PLANET.form, name="planet"), SHIP.meaning, SABOTEUR.meaning),
        signs=f"{list_signs((PLANET, SHIP, SABOTEUR))}; a planet by its first two letters",
        legend="A planet has its first two letters, one that is unexplored a question mark",
        grid="hex",
        kinds=("planet", "colony", "unexplored", "space", "revolt"),
        cells=tuple(_cells(board, lookup)),
        pieces=tuple(_pieces(board, lookup)),
        cards=tuple(_cards(board, lookup)),
        tracks=tuple(_tracks(board, lookup)),
        counters=tuple(_counters(board)),
    )
    places = partial(_places, board)
    return with_targets(drawn, seen.get("options", ()), places, _label, elsewhere="phase")


def planet_name(lookup: Lookup, planet: int) -> str:
    name: str = PLANETS.behind(lookup)[str(planet)].name
    return name


def cell_id(place: Sequence[int]) -> str:
    return f"h{place[0]},{place[1]}"


def _cells(board: Seen, lookup: Lookup) -> Iterator[Cell]:
    layout = lookup.reads("hex-layout")
    tiles = {tuple(tile["hex"]): tile for tile in board["tiles"]}
    colonies = {colony["planet"]: colony for colony in board["colonies"]}
    for place in Galaxy.hexes:
        x, y = Adjacency.axial(layout, place)
        kind = _kind(tiles.get(place), colonies)
        yield Cell(
            id=cell_id(place),
            x=x,
            y=y,
            label=f"{place[0]},{place[1]}",
            kind=kind,
            ground="stars" if kind == "space" else "star",
        )


def _kind(tile: Seen | None, colonies: Mapping[int, Seen]) -> str:
    if tile is None:
        return "space"
    if not tile["explored"]:
        return "unexplored"
    colony = colonies.get(tile["planet"])
    return "planet" if colony is None else "revolt" if colony["morale"] < 0 else "colony"


def _pieces(board: Seen, lookup: Lookup) -> Iterator[Piece]:
    colonies = {colony["planet"]: colony for colony in board["colonies"]}
    for place, tile in enumerate(board["tiles"], 1):
        sign, name = PLANET.sign, PLANET.name
        if tile["planet"] is not None:
            planet = planet_name(lookup, tile["planet"])
            sign, name = planet[:2], planet if tile["explored"] else f"{planet}, unexplored"
        colony = colonies.get(tile["planet"]) if tile["explored"] else None
        if colony is not None:
            name += ", in revolt" if colony["morale"] < 0 else ", colonised"
        seat = None if colony is None or colony["morale"] < 0 else PLAYER
        mark = sign.replace(UNKNOWN, "?")
        yield PLANET.piece(
            f"t{place}", cell_id(tile["hex"]), sign=sign, name=name, mark=mark, seat=seat
        )
    for (row, column), count in sorted(Counted(map(tuple, board["spacecraft"])).items()):
        yield SHIP.piece(f"s{row},{column}", cell_id((row, column)), count=count, seat=PLAYER)
    for saboteur in board["saboteurs"]:
        if saboteur["hex"] is not None:
            number = saboteur["number"]
            name, cell = f"{SABOTEUR.name} {number}", cell_id(saboteur["hex"])
            yield SABOTEUR.piece(f"x{number}", cell, name=name, mark=str(number))


def _cards(board: Seen, lookup: Lookup) -> Iterator[Card]:
    for colony in board["colonies"]:
        name = planet_name(lookup, colony["planet"])
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
        name = planet_name(lookup, colony["planet"])
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


# --- where an option is clicked -------------------------------------------------------------------


def _places(board: Seen, option: Seen) -> Iterator[str]:
    """Yields the ids of the things that an option is about, the nearest first."""
    for name in ("to", "hex"):
        if name in option:
            yield cell_id(option[name])
    if "planet" in option:
        yield f"p{option['planet']}"
        yield from (
            cell_id(tile["hex"]) for tile in board["tiles"] if tile["planet"] == option["planet"]
        )


def _label(option: Seen) -> str:
    if "origin" in option:
        return f"move {option['ships']} from {option['origin'][0]},{option['origin'][1]}"
    if "hex" in option:
        return f"attack with {option['commit']}"
    kind: str = option["type"].rpartition(".")[2]
    return f"{kind} {option['kind']}" if "kind" in option else kind
