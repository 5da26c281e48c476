"""The setup: arbiter, boards, colours, leaders, cards and tiles, homes."""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.map.placing import PlayerBoardFilled
from ledger.games.hegemonic.setup import boards, dealing, draft, homes, sequence
from ledger.games.hegemonic.shown.names import (
    counted,
    leader_name,
    listed,
    technology_name,
    tile_words,
)
from ledger.games.hegemonic.shown.phrases import cards_seen, plain, who, with_card
from ledger.games.hegemonic.state.components import COLORS, CORE
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, HeadingRule, Seen

from .divisions import PHASE, ROUND


def _shuffled(fact: Seen, _: Lookup) -> str:
    aside = f"; {fact['aside']} without the icon lie aside" if fact["aside"] else ""
    return f"{counted(len(fact['cards']), 'technology card')} are shuffled{aside}."


def _tiles(fact: Seen, _: Lookup) -> str:
    aside = f"; {fact['aside']} without the icon lie aside" if fact["aside"] else ""
    box = f"; {counted(len(fact['box']), 'tile')} more may be added" if fact["box"] else ""
    return f"{counted(len(fact['tiles']), 'sector tile')} are shuffled{aside}{box}."


def _leaders(fact: Seen, _: Lookup) -> str:
    return f"{counted(len(fact['leaders']), 'leader card')} are shuffled."


def _added(fact: Seen, _: Lookup) -> str:
    return f"{counted(fact['count'], 'tile')} from the box are shuffled in, unseen."


def _board(fact: Seen, _: Lookup) -> str:
    name = "The core board" if fact["board"] == CORE else f"Board {fact['board']}"
    return f"{name} is laid: {counted(len(fact['sectors']), 'sector')}."


def _layout(fact: Seen, _: Lookup) -> str:
    homes = listed(fact["homes"])
    return f"The boards are laid as {fact['layout']}; homes are recommended at {homes}."


def _color(fact: Seen, door: Lookup) -> str:
    name = COLORS.behind(door)[fact["color"]].name
    return f"Seat {fact['seat']} takes {name}."


def _leader(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} is led by {leader_name(door, fact['leader'])}."


def _hand(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} is dealt {cards_seen(fact['cards'], door)}."


def _dealt_tiles(fact: Seen, door: Lookup) -> str:
    if hidden(fact["tiles"]):
        return f"{who(fact)} is dealt {counted(fact['tiles']['hidden'], 'tile')}."
    tiles = listed([tile_words(door, tile) for tile in fact["tiles"]])
    return f"{who(fact)} is dealt {tiles}."


def _packet(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} is dealt a packet: {cards_seen(fact['cards'], door)}."


def _first_tile(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} puts {tile_words(door, fact['tile'])} at {fact['sector']}."


def _drawn_tile(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)} draws {tile_words(door, fact['tile'])}."


def _pooled(fact: Seen, door: Lookup) -> str:
    return f"{who(fact)}'s other tile goes to the pool: {tile_words(door, fact['tile'])}."


def _supplied(fact: Seen, _: Lookup) -> str:
    units = [counted(fact[unit], unit[:-1]) for unit in ("gates", "agents", "fleets")]
    return f"{who(fact)}'s player board is filled: {listed(units)}, and all bases."


def _last(fact: Seen, door: Lookup) -> str:
    return (
        f"{who(fact)} discards the last card of its packet: {technology_name(door, fact['card'])}."
    )


def _part(label: str) -> HeadingRule:
    return HeadingRule(PHASE, label)


BEATS: Final = (
    Beat(dealing.CardsShuffled, _shuffled, begins=HeadingRule(ROUND, "Setup", whole=True)),
    Beat(dealing.TilesShuffled, _tiles),
    Beat(dealing.LeadersShuffled, _leaders),
    Beat(dealing.TilesAdded, _added),
    Beat(dealing.StackMade, plain("{count} of the tiles form the stack, unseen.")),
    Beat(
        sequence.ArbiterNamed,
        plain("{who} is the first arbiter."),
        begins=_part("Arbiter and boards"),
    ),
    Beat(boards.BoardLaid, _board),
    Beat(boards.LayoutChosen, _layout),
    Beat(PlayerBoardFilled, _supplied),
    Beat(sequence.ColorTaken, _color, begins=_part("Colours")),
    Beat(sequence.LeaderTaken, _leader, begins=_part("Leaders")),
    Beat(dealing.HandDealt, _hand, begins=_part("Cards")),
    Beat(dealing.TilesDealt, _dealt_tiles, begins=_part("Tiles")),
    Beat(homes.HomePlaced, plain("{who}'s home is {sector}."), begins=_part("Homes")),
    Beat(homes.FirstTileDrawn, _drawn_tile, begins=_part("First tiles")),
    Beat(homes.FirstTilePlaced, _first_tile, begins=_part("First tiles")),
    Beat(dealing.TilePooled, _pooled),
    Beat(draft.PacketDealt, _packet, begins=_part("Draft")),
    Beat(draft.CardKept, with_card("{who} keeps {card}.", "{who} keeps a card.")),
    Beat(draft.PacketsPassed, lambda _, __: "The packets go on clockwise."),
    Beat(draft.LastDiscarded, _last),
)
