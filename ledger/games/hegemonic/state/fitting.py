"""Checks of content and options: refuses combinations that no match can be played with."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NoReturn

import msgspec

from ledger.games.hegemonic.leaders.cards import ABILITIES
from ledger.games.hegemonic.map.chart import CENTER, shape
from ledger.kernel.content import Table
from ledger.kernel.lookup import Lookup
from ledger.kernel.refusals import Refused

from .components import (
    BASE_OF,
    BASES,
    CARDS,
    COLORS,
    CORE_SECTORS,
    FACTIONS,
    FATED,
    FATES,
    FIGURED,
    FIGURES,
    HOME,
    HOMES,
    LAYOUTS,
    LEADERS,
    ORDERS,
    PATTERNS,
    PIECES,
    PLAYERS,
    SHAPE,
    SLOTS,
    SPACES,
    SWITCHED,
    SWITCHES,
    TABLES,
    TECHNOLOGIES,
    TIERS,
    TILES,
    UNITS,
)

SEATS: Final = range(2, 7)
FEWEST_TILES = 8
LARGEST = 1_000_000
MOST_PIECES = 99
NEEDED: Final[Mapping[Table[Any], Collection[str]]] = {  # the rows that the rules know by name
    PIECES: (*BASES, *UNITS), HOMES: (HOME,), PLAYERS: tuple(map(str, SEATS)),
    TIERS: ("1", "2", "3"), SWITCHES: SWITCHED, FATES: FATED, FIGURES: FIGURED,
}  # fmt: skip
UNLIMITED: Final = ("build.max-items", "build.relocate-cost")


def fitting(lookup: Lookup) -> None:
    """Refuses the first value that does not fit."""
    _fit_options(lookup)
    _fit_numbers(lookup)
    _fit_rows(lookup)
    _fit_action_cards(lookup)
    _fit_end(lookup)
    _fit_tracks(lookup)
    _fit_cards_and_tiles(lookup)
    _fit_layouts(lookup)
    _fit_leaders(lookup)


def _fit_options(lookup: Lookup) -> None:
    """`learn.layout`: suggested layouts only, and no options that the Learning Game lacks."""
    if not lookup.reads("learning"):
        return
    for option, plain in (("opt.draft", False), ("opt.long", False), ("layout", "suggested")):
        if lookup.reads(option) != plain:
            evidence = {"learning": True, option: lookup.reads(option)}
            message = "The Learning Game does not allow this."
            raise Refused("bad_value", "learn.layout", message, evidence)


def _fit_numbers(lookup: Lookup) -> None:
    """`general.caps`: figures are whole numbers that people can count with tokens."""
    for table in TABLES:
        for row in table.behind(lookup).values():
            for cell in msgspec.structs.astuple(row):
                if isinstance(cell, int) and abs(cell) > LARGEST:
                    _refuse(table, row.id, f"Numbers here can be at most {LARGEST:,}.")
    for piece in PIECES.behind(lookup).values():
        if not 0 <= piece.number <= MOST_PIECES:
            _refuse(PIECES, piece.id, f"There can be 0 to {MOST_PIECES} of these.")


def _fit_rows(lookup: Lookup) -> None:
    for table, needed in NEEDED.items():
        held = table.behind(lookup).keys()
        if missing := sorted({*needed} - held):
            _refuse(table, ", ".join(missing), "Something that the rules need is missing.")
        if unknown := sorted(held - {*needed}):
            _refuse(table, ", ".join(unknown), "The rules do not know this.")
    for row in FIGURES.behind(lookup).values():
        if (row.value is None and row.id not in UNLIMITED) or (row.value or 0) < 0:
            _refuse(FIGURES, row.id, "A figure must be a number of 0 or more.")
    for unit in UNITS:
        if (PIECES.behind(lookup)[unit].cost or -1) < 0:
            _refuse(PIECES, unit, "A unit must have a price.")
    for base in BASES:
        if PIECES.behind(lookup)[base].number < 1:
            _refuse(PIECES, base, "One of each must be at home.")
    for table, fewest in ((COLORS, SEATS.stop - 1), (LEADERS, SEATS.stop - 1), (SHAPE, 1)):
        if len(table.behind(lookup)) < fewest:
            _refuse(table, "", f"There must be at least {fewest}.")


def _fit_action_cards(lookup: Lookup) -> None:
    """Each building card must name a type, and each pattern an existing card."""
    for pattern in PATTERNS.behind(lookup).values():
        if pattern.card not in ORDERS.behind(lookup):
            _refuse(PATTERNS, pattern.id, "There is no such action card.")
    for card in ORDERS.behind(lookup).values():
        if "build" in card.actions and card.builds is None:
            _refuse(ORDERS, card.id, "A card that builds must say what it builds.")


def _fit_end(lookup: Lookup) -> None:
    """`end.stack`, `end.hexes`: one of them ends the game; `opt.long-end`: the second, if long."""
    switches = SWITCHES.behind(lookup)
    ends = [switches["end.hexes"].on, switches["end.stack"].on and not lookup.reads("opt.long")]
    if not any(ends):
        _refuse(SWITCHES, "end.hexes", "The game would never end.")


def _fit_tracks(lookup: Lookup) -> None:
    """Each base needs a valid space on its track."""
    for type_, base in BASE_OF.items():
        for number in range(1, PIECES.behind(lookup)[base].number + 1):
            space = SPACES.behind(lookup).get(f"{type_}-{number}")
            if space is None:
                _refuse(SPACES, f"{type_}-{number}", "There must be a space for each base.")
            elif min(space.cost, space.income, space.retention) < 0 or not 0 < space.tier <= 3:
                _refuse(SPACES, space.id, "Figures must be 0 or more, and there are three tiers.")


def _fit_cards_and_tiles(lookup: Lookup) -> None:
    for card in CARDS.behind(lookup).values():
        if card.technology not in TECHNOLOGIES.behind(lookup):
            _refuse(CARDS, card.id, "There is no such technology.")
    for technology in TECHNOLOGIES.behind(lookup).values():
        if technology.cost < 0 or not 0 < technology.tier <= 3:
            _refuse(TECHNOLOGIES, technology.id, "Prices must be 0 or more, and there are 3 tiers.")
    _fit_tiles(lookup)
    _fit_stack(lookup)
    tiles = TILES.behind(lookup)
    hand = FIGURES.behind(lookup)["setup.hand"].value or 0
    for players in PLAYERS.behind(lookup).values():
        seats = int(players.id)
        cards = sum(card.small or not players.small for card in CARDS.behind(lookup).values())
        used = sum(tile.small or not players.small for tile in tiles.values())
        # A draft deals one more than a hand.
        if cards < (hand + 1) * seats or used < FEWEST_TILES * seats:
            message = "There are not enough cards and tiles for so many players."
            _refuse(PLAYERS, players.id, message)
        if players.boards < seats:
            _refuse(PLAYERS, players.id, "Each home must be on its own board.")


def _fit_tiles(lookup: Lookup) -> None:
    tiles = TILES.behind(lookup)
    for tile in (*tiles.values(), HOMES.behind(lookup)[HOME]):
        if min(tile.political, tile.industrial, tile.martial) < 0:
            _refuse(TILES, tile.id, "Numbers of locations must be 0 or more.")
        if (tile.faction is None) != (not tile.political) and tile.id != HOME:
            message = "Embassies must have a faction, and a faction must have embassies."
            _refuse(TILES, tile.id, message)
        if tile.faction not in (None, *FACTIONS.behind(lookup)):
            _refuse(TILES, tile.id, "There is no such faction.")
    home = HOMES.behind(lookup)[HOME]
    if not (home.political and home.industrial and home.martial) or home.faction:
        _refuse(HOMES, HOME, "A home must have a location of each type, and no faction.")


def _fit_stack(lookup: Lookup) -> None:
    """`setup.deal-tiles`, `learn.pool`: the setup takes two tiles a player, and with two one more.

    The stack must hold them. It grows with the number of players, so two players are the test.
    """
    figures = FIGURES.behind(lookup)
    name = "learn.tiles-per-player" if lookup.reads("learning") else "setup.tiles-per-player"
    extra = figures["setup.pool-extra-2p"].value or 0
    if (figures[name].value or 0) * SEATS.start < 2 * SEATS.start + extra:
        _refuse(FIGURES, name, "The setup needs more tiles than that.")


def _fit_layouts(lookup: Lookup) -> None:
    """Boards must not overlap, and each player's home must be on one."""
    core = {(one.q, one.r) for one in CORE_SECTORS.behind(lookup).values()} | {CENTER}
    for layout in LAYOUTS.behind(lookup).values():
        players = PLAYERS.behind(lookup).get(str(layout.players))
        if players is None or len(layout.slots) != players.boards:
            _refuse(LAYOUTS, layout.id, "This number of players uses other boards.")
        places = dict.fromkeys(core, "")
        for slot in layout.slots:
            lies = SLOTS.behind(lookup).get(slot)
            if lies is None:
                _refuse(LAYOUTS, layout.id, "There is no such slot.")
            for one in SHAPE.behind(lookup).values():
                place = shape((lies.q, lies.r), lies.rotation, one.along, one.across)
                if place in places:
                    _refuse(LAYOUTS, layout.id, "Two boards overlap on a hex.")
                places[place] = slot + one.id
        if len(layout.homes) < layout.players or not set(layout.homes) <= set(places.values()):
            _refuse(LAYOUTS, layout.id, "The boards must have a home for each player.")
    for seats in SEATS:
        if all(layout.players != seats for layout in LAYOUTS.behind(lookup).values()):
            _refuse(LAYOUTS, "", f"It has no row for {seats} players.")


def _fit_leaders(lookup: Lookup) -> None:
    """`leader.choose`: the rules must know each leader, and its card each ability's number."""
    for row in LEADERS.behind(lookup).values():
        if row.id not in ABILITIES:
            _refuse(LEADERS, row.id, "The rules have no such leader.")
        for ability in ABILITIES[row.id]:
            amount = ability.amount_in(row)
            if ability.counts and (amount is None or amount < 0):
                message = f"The amount of level {ability.level} must be a number of 0 or more."
                _refuse(LEADERS, row.id, message)


def _refuse(table: Table[Any], row: str, message: str) -> NoReturn:
    raise Refused("bad_value", "", message, {"table": table.name, "row": row})
