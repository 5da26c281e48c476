"""The setup: arbiter, boards, colours, leaders, cards and tiles, homes."""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.map.placing import PlayerBoardFilled
from ledger.games.hegemonic.setup import boards, dealing, homes, sequence
from ledger.games.hegemonic.shown.phrases import plain
from ledger.games.hegemonic.state.components import CORE
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Beat, HeadingRule, Seen
from ledger.parts.text import counted

from .divisions import PHASE, ROUND


def _tell_shuffle(fact: Seen, _: Lookup) -> str:
    aside = f"; {fact['aside']} without the icon lie aside" if fact["aside"] else ""
    return f"{counted(len(fact['cards']), 'technology card')} are shuffled{aside}."


def _tiles(fact: Seen, _: Lookup) -> str:
    aside = f"; {fact['aside']} without the icon lie aside" if fact["aside"] else ""
    box = f"; {counted(len(fact['box']), 'tile')} more may be added" if fact["box"] else ""
    return f"{counted(len(fact['tiles']), 'sector tile')} are shuffled{aside}{box}."


def _board(fact: Seen, _: Lookup) -> str:
    name = "The core board" if fact["board"] == CORE else f"Board {fact['board']}"
    return f"{name} is laid: {counted(len(fact['sectors']), 'sector')}."


def _part(label: str) -> HeadingRule:
    return HeadingRule(PHASE, label)


BEATS: Final = (
    Beat(dealing.CardsShuffled, _tell_shuffle, begins=HeadingRule(ROUND, "Setup", whole=True)),
    Beat(dealing.TilesShuffled, _tiles),
    Beat(dealing.LeadersShuffled, plain("{leaders:# leader card} are shuffled.")),
    Beat(dealing.TilesAdded, plain("{count:# tile} from the box are shuffled in, unseen.")),
    Beat(dealing.StackMade, plain("{count} of the tiles form the stack, unseen.")),
    Beat(
        sequence.ArbiterNamed,
        plain("{who} is the first arbiter."),
        begins=_part("Arbiter and boards"),
    ),
    Beat(boards.BoardLaid, _board),
    Beat(
        boards.LayoutChosen,
        plain("The boards are laid as {layout}; homes are recommended at {homes:list}."),
    ),
    Beat(
        PlayerBoardFilled,
        plain(
            "{who}'s player board is filled: "
            "{gates:# gate}, {agents:# agent} and {fleets:# fleet}, and all bases."
        ),
    ),
    Beat(sequence.ColorTaken, plain("Seat {seat} takes {color:color}."), begins=_part("Colours")),
    Beat(sequence.LeaderTaken, plain("{who} is led by {leader:leader}."), begins=_part("Leaders")),
    Beat(dealing.HandDealt, plain("{who} is dealt {cards:cards}."), begins=_part("Cards")),
    Beat(dealing.TilesDealt, plain("{who} is dealt {tiles:tiles}."), begins=_part("Tiles")),
    Beat(homes.HomePlaced, plain("{who}'s home is {sector}."), begins=_part("Homes")),
    Beat(homes.FirstTileDrawn, plain("{who} draws {tile:tile}."), begins=_part("First tiles")),
    Beat(
        homes.FirstTilePlaced,
        plain("{who} puts {tile:tile} at {sector}."),
        begins=_part("First tiles"),
    ),
    Beat(dealing.TilePooled, plain("{who}'s other tile goes to the pool: {tile:tile}.")),
    Beat(
        dealing.PacketDealt, plain("{who} is dealt a packet: {cards:cards}."), begins=_part("Draft")
    ),
    Beat(dealing.CardKept, plain("{who} keeps {card:card}.", unseen="{who} keeps a card.")),
    Beat(dealing.PacketsPassed, plain("The packets go on clockwise.")),
    Beat(dealing.LastDiscarded, plain("{who} discards the last card of its packet: {card:card}.")),
)
