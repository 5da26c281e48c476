"""The scene off the map: piles, hands, player boards, the conflict, deals, scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from ledger.games.hegemonic.actions.pile_views import caps_seen, cards_in_pile
from ledger.games.hegemonic.shown.names import (
    card_words,
    leader_name,
    order_name,
    seat_names,
    tile_words,
)
from ledger.games.hegemonic.shown.struggle import contest_counters
from ledger.games.hegemonic.state.components import (
    AGENT,
    BASE_OF,
    FLEET,
    GATE,
    ORDERS,
    PIECES,
    SPACES,
    TYPES,
)
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Card, Counter, Player, Track
from ledger.kernel.story import Seen
from ledger.parts.deals.shown.proposals import deal_cards
from ledger.parts.shown.scene import held_cards, own_id
from ledger.parts.text import counted

PHASES: Final = (
    "collection", "expansion", "first actions", "second actions", "third actions", "arbitration",
)  # fmt: skip
LAP: Final = 50  # points, on the score track; a second token counts the laps


# --- cards ----------------------------------------------------------------------------------------


def cards(board: Seen, viewer: int | None, lookup: Lookup) -> Iterator[Card]:
    """Yields piles, the pool and each player's holdings, as far as the viewer sees them."""
    pile = cards_in_pile(board, lookup)
    if pile:
        yield Card(id="pile", place="technology pile", count=pile)
    for name, discards in board["discards"].items():
        if discards:
            top = card_words(lookup, discards[-1])
            yield Card(
                id=f"discards-{name}",
                place=f"discards of {counted(len(discards), 'card')}",
                name=top,
            )
    if board["stack"]:
        yield Card(id="stack", place="tile stack", count=board["stack"])
    for tile in board["pool"]:
        yield Card(id=tile, place="pool", name=tile_words(lookup, tile))
    for house in board["houses"]:
        yield from _cards_of_house(house, lookup)
        yield from _orders(house, viewer, lookup)
        yield from _leader(house, lookup)
    names = seat_names([house["color"] for house in board["houses"]], lookup)
    yield from deal_cards(board["deals"], (board["round"], board["phase"]), names)


def _cards_of_house(house: Seen, lookup: Lookup) -> Iterator[Card]:
    """Yields hands, tiles, packets, open cards, and face-down cards of a conflict."""
    seat = house["seat"]
    for part in ("hand", "packet"):
        yield from held_cards(part, part, house[part], seat, partial(card_words, lookup))
    yield from held_cards("tiles", "dealt tiles", house["tiles"], seat, partial(tile_words, lookup))
    for place in ("advanced", "inactive"):
        yield from held_cards(place, place, house[place], seat, partial(card_words, lookup))
    if house["has_committed"]:
        name = "" if hidden(house["committed"]) else card_words(lookup, house["committed"])
        yield Card(id=f"committed-s{seat}", place="committed card", name=name, seat=seat)


def _orders(house: Seen, viewer: int | None, lookup: Lookup) -> Iterator[Card]:
    """Yields the action card played or chosen; for the viewer, all other action cards too."""
    seat, chosen = house["seat"], house["chosen"]
    if house["played"]:
        name = order_name(lookup, house["played"])
        yield Card(id=f"played-s{seat}", place="action card", name=name, seat=seat)
    if house["has_chosen"]:
        name = "" if hidden(chosen) else order_name(lookup, chosen)
        yield Card(id=f"chosen-s{seat}", place="chosen action card", name=name, seat=seat)
    if seat == viewer and house["home"]:
        for row in ORDERS.behind(lookup).values():
            if row.id not in (house["played"], chosen):
                name = f"{row.name} ({row.number}: {', '.join(row.actions)})"
                yield Card(id=order_id(row.id), place="own action cards", name=name, seat=seat)


def order_id(card: str) -> str:
    return f"order-{card}"


def _leader(house: Seen, lookup: Lookup) -> Iterator[Card]:
    if house["leader"]:
        name = f"{leader_name(lookup, house['leader'])}, level {house['level']}"
        yield Card(id=f"leader-s{house['seat']}", place="leader", name=name, seat=house["seat"])


# --- player boards and scores ---------------------------------------------------------------------


def players(board: Seen, lookup: Lookup) -> Iterator[Player]:
    """Yields the seats by name, in the colours that they have taken."""
    colors = [house["color"] for house in board["houses"]]
    for color, name in zip(colors, seat_names(colors, lookup), strict=True):
        yield Player(name=name, hue=color or "grey")


def tracks(board: Seen, lookup: Lookup) -> Iterator[Track]:
    """Yields each player's score, and the progress on each track of its board."""
    for house in board["houses"]:
        seat, score = house["seat"], house["score"]
        high = LAP * (1 + max(score, 0) // LAP)
        yield Track(
            id=own_id(seat, "score"), name="points", value=score, high=high, endless=True, seat=seat
        )
        for type_ in TYPES:
            yield Track(
                id=own_id(seat, type_),
                name=type_,
                value=count_bases(house, type_),
                high=PIECES.behind(lookup)[BASE_OF[type_]].number,
                seat=seat,
            )


def count_bases(house: Seen, type_: str) -> int:
    if type_ == "political":
        return len(house["embassies"])
    bases: Mapping[str, int] = house["complexes" if type_ == "industrial" else "outposts"]
    return sum(bases.values())


def board_words(house: Seen, lookup: Lookup) -> str:
    """Describes a player board: income, retention, tiers, prices of the next bases, supply."""
    spaces = SPACES.behind(lookup)
    built = {type_: count_bases(house, type_) for type_ in TYPES}
    vacated = [spaces[f"{type_}-{n + 1}"] for type_ in TYPES for n in range(built[type_])]
    reached = [spaces.get(f"{type_}-{count}") for type_, count in built.items()]
    coming = [spaces.get(f"{type_}-{count + 1}") for type_, count in built.items()]
    income = sum(space.income for space in reached if space)
    tiers = "/".join(str(space.tier) if space else "-" for space in reached)
    prices = "/".join(str(space.cost) if space else "-" for space in coming)
    kept = f"retains {min(space.retention for space in vacated)}, " if vacated else ""
    supply = ", ".join(
        counted(sum(not at for at in waiting), unit)
        for unit, waiting in (
            (GATE, [gate["first"] for gate in house["gates"]]),
            (AGENT, house["agents"]),
            (FLEET, house["fleets"]),
        )
    )
    return f"income {income}, {kept}tiers {tiers}, next bases cost {prices}; waiting: {supply}"


# --- counters -------------------------------------------------------------------------------------


def counters(board: Seen, viewer: int | None, lookup: Lookup) -> Iterator[Counter]:
    """Yields counters for the round, the turn, every player, and the conflict in progress."""
    names = seat_names([house["color"] for house in board["houses"]], lookup)
    yield Counter(id="round", name="round", value=board["round"])
    phase = PHASES[board["phase"] - 1] if board["phase"] else "setup" if not board["round"] else ""
    yield Counter(id="phase", name="phase", value=board["reason"] or phase or "begins")
    yield Counter(id="arbiter", name="arbiter", value=names[board["arbiter"]])
    if board["turn"]:
        turn = board["turn"]
        said = f"{names[turn['seat']]} with {order_name(lookup, turn['card'])}"
        action = f", {turn['action']}" if turn["action"] else ""
        yield Counter(id="turn", name="turn", value=f"{said}, action {turn['used'] + 1}{action}")
    for house in board["houses"]:
        seat = house["seat"]
        caps = caps_seen(board, seat, viewer, lookup)
        if caps is not None:
            yield Counter(id=own_id(seat, "caps"), name="CAPs", value=caps, seat=seat)
        shown = board_words(house, lookup)
        yield Counter(id=own_id(seat, "board"), name="board", value=shown, seat=seat)
    if board["contest"]:
        yield from contest_counters(board["contest"], names, lookup)
