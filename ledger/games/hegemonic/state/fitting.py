"""Checks of content and options: refuses combinations that no match can be played with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

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
    FATES,
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
FIGURED: Final = (
    "action.max", "advance.slots", "basic.caps", "build.max-items", "build.relocate-cost",
    "conflict.attacks-per-phase", "cost.destroy", "cost.takeover", "end.extra-rounds",
    "final.vp-per-tier", "fleet.outpost-uses", "learn.tiles-per-player", "move.agent-border",
    "move.fleet-cost", "move.fleet-range", "range.agent", "range.complex", "range.embassy",
    "range.fleet", "score.control", "score.core", "score.exclusive", "score.home-embassy",
    "score.influence", "score.presence", "score.tie-first", "score.tie-second", "setup.hand",
    "setup.pool-extra-2p", "setup.tiles-per-player", "tech.bio", "tech.brane", "tech.drones",
    "tech.dyson", "tech.efficiency", "tech.emergent", "tech.ftl-cost", "tech.ftl-range",
    "tech.hyper", "tech.nanoacc", "tech.nanofab", "tech.phased", "tech.predictive", "tech.psi",
    "tech.psionic", "tech.relay", "tech.sentient", "tech.telepathy", "tech.transcend",
)  # fmt: skip
UNLIMITED: Final = ("build.max-items", "build.relocate-cost")
SWITCHED: Final = (
    "advance.unique", "end.hexes", "end.stack", "retention.on", "setup.home-adjacent-ban",
)  # fmt: skip
FATED: Final = ("draw.attacking-units", "draw.bases", "draw.defending-units")


def fitting(door: Lookup) -> None:
    """Refuses the first value that does not fit."""
    _fit_options(door)
    _fit_numbers(door)
    _fit_rows(door)
    _fit_action_cards(door)
    _fit_end(door)
    _fit_tracks(door)
    _fit_cards_and_tiles(door)
    _fit_layouts(door)
    _fit_leaders(door)


def _fit_options(door: Lookup) -> None:
    """`learn.layout`: suggested layouts only, and no options that the Learning Game lacks."""
    if not door.reads("learning"):
        return
    for option, plain in (("opt.draft", False), ("opt.long", False), ("layout", "suggested")):
        if door.reads(option) != plain:
            evidence = {"learning": True, option: door.reads(option)}
            message = "The Learning Game is not played so."
            raise Refused("bad_value", "learn.layout", message, evidence)


def _fit_numbers(door: Lookup) -> None:
    """`general.caps`: figures are whole numbers that people can count with tokens."""
    for table in TABLES:
        for row in table.behind(door).values():
            for cell in msgspec.structs.astuple(row):
                if isinstance(cell, int) and abs(cell) > LARGEST:
                    _refuse(table, row.id, f"No number here is beyond {LARGEST:,}.")
    for piece in PIECES.behind(door).values():
        if not 0 <= piece.number <= MOST_PIECES:
            _refuse(PIECES, piece.id, f"There are none, or up to {MOST_PIECES}.")


def _fit_rows(door: Lookup) -> None:
    _need(door, PIECES, (*BASES, *UNITS))
    _need(door, HOMES, (HOME,))
    _need(door, PLAYERS, map(str, SEATS))
    _need(door, TIERS, ("1", "2", "3"))
    _need(door, SWITCHES, SWITCHED)
    _need(door, FATES, FATED)
    _need(door, FIGURES, FIGURED)
    for row in FIGURES.behind(door).values():
        if (row.value is None and row.id not in UNLIMITED) or (row.value or 0) < 0:
            _refuse(FIGURES, row.id, "A figure is a number, and not below nothing.")
    for unit in UNITS:
        if (PIECES.behind(door)[unit].cost or -1) < 0:
            _refuse(PIECES, unit, "A unit has a price.")
    for base in BASES:
        if PIECES.behind(door)[base].number < 1:
            _refuse(PIECES, base, "One of each stands at home.")
    for table, fewest in ((COLORS, SEATS.stop - 1), (LEADERS, SEATS.stop - 1), (SHAPE, 1)):
        if len(table.behind(door)) < fewest:
            _refuse(table, "", f"There must be {fewest} at least.")


def _fit_action_cards(door: Lookup) -> None:
    """Each building card must name a type, and each pattern an existing card."""
    for pattern in PATTERNS.behind(door).values():
        if pattern.card not in ORDERS.behind(door):
            _refuse(PATTERNS, pattern.id, "There is no such action card.")
    for card in ORDERS.behind(door).values():
        if "build" in card.actions and card.builds is None:
            _refuse(ORDERS, card.id, "A card that builds says what.")


def _fit_end(door: Lookup) -> None:
    """`end.stack`, `end.hexes`: one of them ends the game; `opt.long-end`: the second, if long."""
    switches = SWITCHES.behind(door)
    ends = [switches["end.hexes"].on, switches["end.stack"].on and not door.reads("opt.long")]
    if not any(ends):
        _refuse(SWITCHES, "end.hexes", "Nothing would ever end the game.")


def _fit_tracks(door: Lookup) -> None:
    """Each base needs a valid space on its track."""
    for type_, base in BASE_OF.items():
        for number in range(1, PIECES.behind(door)[base].number + 1):
            space = SPACES.behind(door).get(f"{type_}-{number}")
            if space is None:
                _refuse(SPACES, f"{type_}-{number}", "A space for each base is needed.")
            elif min(space.cost, space.income, space.retention) < 0 or not 0 < space.tier <= 3:
                _refuse(SPACES, space.id, "No figure is below nothing; there are three tiers.")


def _fit_cards_and_tiles(door: Lookup) -> None:
    for card in CARDS.behind(door).values():
        if card.technology not in TECHNOLOGIES.behind(door):
            _refuse(CARDS, card.id, "There is no such technology.")
    for technology in TECHNOLOGIES.behind(door).values():
        if technology.cost < 0 or not 0 < technology.tier <= 3:
            _refuse(TECHNOLOGIES, technology.id, "No price is below nothing; there are 3 tiers.")
    _fit_tiles(door)
    _fit_stack(door)
    tiles = TILES.behind(door)
    hand = FIGURES.behind(door)["setup.hand"].value or 0
    for players in PLAYERS.behind(door).values():
        seats = int(players.id)
        cards = sum(card.small or not players.small for card in CARDS.behind(door).values())
        used = sum(tile.small or not players.small for tile in tiles.values())
        # A draft deals one more than a hand.
        if cards < (hand + 1) * seats or used < FEWEST_TILES * seats:
            _refuse(PLAYERS, players.id, "There are not cards and tiles enough for so many.")
        if players.boards < seats:
            _refuse(PLAYERS, players.id, "Each home lies on a board of its own.")


def _fit_tiles(door: Lookup) -> None:
    tiles = TILES.behind(door)
    for tile in (*tiles.values(), HOMES.behind(door)[HOME]):
        if min(tile.political, tile.industrial, tile.martial) < 0:
            _refuse(TILES, tile.id, "No location is below nothing.")
        if (tile.faction is None) != (not tile.political) and tile.id != HOME:
            _refuse(TILES, tile.id, "Embassies belong to factions, and factions have embassies.")
        if tile.faction not in (None, *FACTIONS.behind(door)):
            _refuse(TILES, tile.id, "There is no such faction.")
    home = HOMES.behind(door)[HOME]
    if not (home.political and home.industrial and home.martial) or home.faction:
        _refuse(HOMES, HOME, "A home has a location of each type, and no faction.")


def _fit_stack(door: Lookup) -> None:
    """`setup.deal-tiles`, `learn.pool`: the setup takes two tiles a player, and with two one more.

    The stack must hold them. It grows with the number of players, so two players are the test.
    """
    figures = FIGURES.behind(door)
    name = "learn.tiles-per-player" if door.reads("learning") else "setup.tiles-per-player"
    extra = figures["setup.pool-extra-2p"].value or 0
    if (figures[name].value or 0) * SEATS.start < 2 * SEATS.start + extra:
        _refuse(FIGURES, name, "The setup takes more tiles than that.")


def _fit_layouts(door: Lookup) -> None:
    """Boards must not overlap, and each player's home must be on one."""
    core = {(one.q, one.r) for one in CORE_SECTORS.behind(door).values()} | {CENTER}
    for layout in LAYOUTS.behind(door).values():
        players = PLAYERS.behind(door).get(str(layout.players))
        if players is None or len(layout.slots) != players.boards:
            _refuse(LAYOUTS, layout.id, "There are other boards for so many players.")
        places = dict.fromkeys(core, "")
        for slot in layout.slots:
            lies = SLOTS.behind(door).get(slot)
            if lies is None:
                _refuse(LAYOUTS, layout.id, "There is no such slot.")
                return
            for one in SHAPE.behind(door).values():
                place = shape((lies.q, lies.r), lies.rotation, one.along, one.across)
                if place in places:
                    _refuse(LAYOUTS, layout.id, "Two boards lie on one hex.")
                places[place] = slot + one.id
        if len(layout.homes) < layout.players or not set(layout.homes) <= set(places.values()):
            _refuse(LAYOUTS, layout.id, "There is a home on the boards for each player.")
    for seats in SEATS:
        if all(layout.players != seats for layout in LAYOUTS.behind(door).values()):
            _refuse(LAYOUTS, "", f"There is none for {seats} players.")


def _fit_leaders(door: Lookup) -> None:
    """`leader.choose`: the rules must know each leader, and its card each ability's number."""
    for row in LEADERS.behind(door).values():
        if row.id not in ABILITIES:
            _refuse(LEADERS, row.id, "The rules know no such leader.")
            return
        for ability in ABILITIES[row.id]:
            amount = ability.amount_in(row)
            if ability.counts and (amount is None or amount < 0):
                message = f"What level {ability.level} amounts to is a number, not below nothing."
                _refuse(LEADERS, row.id, message)


def _need(door: Lookup, table: Table[Any], rows: Iterable[str]) -> None:
    needed, held = tuple(rows), tuple(table.behind(door))
    if missing := sorted(row for row in needed if row not in held):
        _refuse(table, ", ".join(missing), "The rules need what is missing.")
    if unknown := sorted(row for row in held if row not in needed):
        _refuse(table, ", ".join(unknown), "The rules know nothing of this.")


def _refuse(table: Table[Any], row: str, message: str) -> None:
    raise Refused("bad_value", "", message, {"table": table.name, "row": row})
