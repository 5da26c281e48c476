"""Setup, dealing: the cards and tiles of this game, hands, dealt tiles, pool; or a draft.

The draft: six cards each; keep one, pass the rest on, until one is left.
"""

from __future__ import annotations

from typing import Annotated

from ledger.games.hegemonic.actions.piles import Piles
from ledger.games.hegemonic.map.tiles import TurnTile
from ledger.games.hegemonic.state.components import (
    CARDS,
    CORE_SECTORS,
    LEADERS,
    PLAYERS,
    SHAPE,
    TILES,
    TYPES,
    figure,
)
from ledger.games.hegemonic.state.galaxy import (
    CARD_PILE,
    LEADER_PILE,
    ONE_PILE,
    TILE_BOX,
    TILE_STACK,
    Galaxy,
)
from ledger.kernel.audience import Among, Open, Own, OwnCounted
from ledger.kernel.chance import ChanceQuestion, Dealt, Deck, Draw
from ledger.kernel.records import Decision, Fact, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts import cards
from ledger.parts.sealed import SealedQuestion
from ledger.parts.seats import SeatFact

TILES_DEALT = 2  # to each player


# --- facts ----------------------------------------------------------------------------------------


class CardsShuffled(Fact, tag="setup.cards-shuffled"):
    """The technology cards of this game were shuffled; the others are only counted."""

    cards: Open[tuple[str, ...]]
    aside: Open[int]
    piles: Open[tuple[str, ...]]  # the discard piles that there will be

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.cards = Deck.of(CARD_PILE, self.cards)
        galaxy.cards_aside = self.aside
        galaxy.discards = {pile: [] for pile in self.piles}


class TilesShuffled(Fact, tag="setup.tiles-shuffled"):
    """The sector tiles from which this game's are drawn were shuffled; others are in the box."""

    tiles: Open[tuple[str, ...]]
    box: Open[tuple[str, ...]]
    aside: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.tiles = Deck.of(TILE_STACK, self.tiles)
        galaxy.box = Deck.of(TILE_BOX, self.box)
        galaxy.tiles_aside = self.aside


class LeadersShuffled(Fact, tag="setup.leaders-shuffled"):
    """The leader cards were shuffled."""

    leaders: Open[tuple[str, ...]]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.leaders = Deck.of(LEADER_PILE, self.leaders)


class TilesAdded(Fact, tag="setup.tiles-added"):
    """Tiles were taken from the box, unseen, and shuffled into the others."""

    nobody: Open[tuple[Seat, ...]]  # who has seen them
    tiles: Annotated[tuple[str, ...], Among("nobody")]
    count: Open[int]
    epoch: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.box.take(self.tiles, self.epoch)
        galaxy.tiles.shuffle_in(self.tiles)


class StackMade(Fact, tag="setup.stack-made"):
    """The first tiles, so many, form the stack; the rest leaves the game unseen."""

    count: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """Only the number changes: which tiles these are stays unknown."""
        galaxy.stack = self.count


class HandDealt(cards.HandDealt, tag="setup.hand-dealt"):
    """A player was dealt technology cards."""


class TilesDealt(SeatFact, tag="setup.tiles-dealt"):
    """A player was dealt sector tiles."""

    tiles: OwnCounted[tuple[str, ...]]
    epoch: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.tiles.take(self.tiles, self.epoch)
        galaxy.stack -= len(self.tiles)
        galaxy.houses[self.seat].tiles += self.tiles


class TilePooled(SeatFact, tag="setup.tile-pooled"):
    """A player put a tile it still held into the pool, face up."""

    irrevocable = True
    tile: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """Any player may place it from there."""
        galaxy.houses[self.seat].tiles.remove(self.tile)
        galaxy.pool.append(self.tile)


# --- what is in the game --------------------------------------------------------------------------


class ShuffleAll(Step):
    """`setup.tech-icon`: with two or three players only cards and tiles with the icon are used.

    `setup.tiles-icon`: the same for tiles. `opt.long-icons`: in a longer game for three, others are
    added until every hex can be filled. `opt.piles`: three discard piles, or one.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        small = PLAYERS.of(galaxy)[str(len(galaxy.houses))].small
        printed = CARDS.of(galaxy).values()
        used = tuple(card.id for card in printed if card.small or not small)
        piles = TYPES if galaxy.reads("opt.piles") else (ONE_PILE,)
        yield CardsShuffled(used, len(printed) - len(used), piles)
        tiles = TILES.of(galaxy).values()
        first = tuple(one.id for one in tiles if one.small or not small)
        rest = tuple(one.id for one in tiles if small and not one.small)
        if galaxy.reads("opt.long") and hexes_to_fill(galaxy) > len(first):
            yield TilesShuffled(first, rest, 0)
        else:
            yield TilesShuffled(first, (), len(rest))
        if galaxy.reads("opt.leaders") != "none":
            yield LeadersShuffled(tuple(LEADERS.of(galaxy)))


def hexes_to_fill(galaxy: Galaxy) -> int:
    """Returns the number of hexes of all boards, less one home for each player."""
    seats = len(galaxy.houses)
    boards = PLAYERS.of(galaxy)[str(seats)].boards
    return len(CORE_SECTORS.of(galaxy)) + boards * len(SHAPE.of(galaxy)) - seats


class AddTiles(Step):
    """`opt.long-icons`: as many tiles as are lacking are added from the box."""

    def run(self, galaxy: Galaxy) -> Happenings:
        if galaxy.box.size():
            yield DrawFromBox()


class DrawFromBox(ChanceQuestion):
    """`opt.long-icons`: chance draws them, unseen by all players (`general.chance`)."""

    def address(self, galaxy: Galaxy) -> str:
        return "setup/box"

    def wish(self, galaxy: Galaxy) -> Draw:
        """Deals to a seat that no player has, so the tiles stay unseen."""
        lacking = hexes_to_fill(galaxy) - galaxy.tiles.size()
        return Draw(galaxy.box, min(lacking, galaxy.box.size()), to=NOBODY)

    def fallen(self, galaxy: Galaxy, answer: Dealt) -> Happenings:
        yield TilesAdded((), answer.cards, answer.count, answer.epoch)


NOBODY: Seat = -1


# --- dealing --------------------------------------------------------------------------------------


class DealCards(Step):
    """`setup.tech-deck`: each player gets five technology cards; the rest is the draw pile.

    `opt.draft`: each gets six, keeps one and passes the rest on, until five are kept.
    `learn.no-hand`: in the Learning Game players get none.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        if galaxy.reads("learning"):
            return
        if galaxy.reads("opt.draft"):
            yield Draft()
            return
        yield from map(DealHand, galaxy.clockwise(galaxy.arbiter))


class DealHand(cards.DealHand):
    """`setup.tech-deck`: chance deals one player's hand."""

    where = "setup/hand/s{}"
    told = HandDealt

    def wanted(self, galaxy: Galaxy) -> int:
        return figure(galaxy, "setup.hand")


class MakeStack(Step):
    """`setup.tiles-select`: eight tiles a player are in the game, taken at random.

    `setup.tiles-icon`: they come from the small set where it is used, or are that set as a whole.
    `learn.tiles`: four a player in the Learning Game. `opt.long`: all in the longer game.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Tiles above that number leave the game unseen."""
        seats, every = len(galaxy.houses), galaxy.tiles.size()
        if galaxy.reads("learning"):
            count = figure(galaxy, "learn.tiles-per-player") * seats
        elif galaxy.reads("opt.long") or self._whole_set(galaxy):
            count = every
        else:
            count = figure(galaxy, "setup.tiles-per-player") * seats
        yield StackMade(min(count, every))

    def _whole_set(self, galaxy: Galaxy) -> bool:
        small = PLAYERS.of(galaxy)[str(len(galaxy.houses))].small
        return small and bool(galaxy.reads("setup.tiles-small") == "whole-set")


class DealTiles(Step):
    """`setup.deal-tiles`: each player gets two tiles.

    `learn.pool`: in the Learning Game players get none, and one tile for each goes to the pool.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """With two players the pool gets one more."""
        if not galaxy.reads("learning"):
            yield from map(DealTwoTiles, galaxy.clockwise(galaxy.arbiter))
            return
        for number in range(len(galaxy.houses) + _extra(galaxy)):
            yield TurnTile(f"setup/pool/{number + 1}")


class DealTwoTiles(cards.DealHand):
    """`setup.deal-tiles`: chance deals one player's tiles."""

    deck = "tiles"
    where = "setup/tiles/s{}"
    told = TilesDealt

    def wanted(self, galaxy: Galaxy) -> int:
        return TILES_DEALT


class FillPool(Step):
    """`setup.pool`: the players put the tiles that they still hold into the pool, face up.

    `setup.pool-two-players`: with two players one tile of the stack is added.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """In the Learning Game the pool is already full."""
        for seat in galaxy.clockwise(galaxy.arbiter):
            for tile in tuple(galaxy.houses[seat].tiles):
                yield TilePooled(seat, tile)
        if not galaxy.reads("learning"):
            for number in range(_extra(galaxy)):
                yield TurnTile(f"setup/pool/{number + 1}")


def _extra(galaxy: Galaxy) -> int:
    return figure(galaxy, "setup.pool-extra-2p") if len(galaxy.houses) == 2 else 0


# --- the draft ------------------------------------------------------------------------------------


class KeepCard(Decision, tag="draft.keep-card"):
    """Keep a card of your packet."""

    card: Own[str]


class PacketDealt(cards.HandDealt, tag="draft.packet-dealt"):
    """A player was dealt its first packet."""

    held = "packet"


class CardKept(SeatFact, tag="draft.card-kept"):
    """A player kept a card; no other player learns which."""

    card: Own[str]

    def apply(self, galaxy: Galaxy) -> None:
        house = galaxy.houses[self.seat]
        house.packet.remove(self.card)
        house.hand.append(self.card)


class PacketsPassed(Fact, tag="draft.packets-passed"):
    """All packets were passed clockwise."""

    irrevocable = True

    def apply(self, galaxy: Galaxy) -> None:
        packets = [house.packet for house in galaxy.houses]
        for seat in galaxy.seats:
            galaxy.houses[seat].packet = packets[seat - 1]


class LastDiscarded(cards.CardDiscarded, tag="draft.last-discarded"):
    """The last card of a packet was discarded, face up."""

    irrevocable = True
    held = "packet"


class Draft(Step):
    """`opt.draft`: each player gets six cards instead of five and keeps one at a time."""

    def run(self, galaxy: Galaxy) -> Happenings:
        yield from map(DealPacket, galaxy.clockwise(galaxy.arbiter))
        picks = figure(galaxy, "setup.hand")
        for number in range(1, picks + 1):
            yield KeepOne(number=number, waiting=tuple(galaxy.seats))
            if number < picks:
                yield PassPackets()
        yield DiscardLast()


class DealPacket(cards.DealHand):
    """`opt.draft`: chance deals one player's first packet."""

    where = "setup/packet/s{}"
    told = PacketDealt

    def wanted(self, galaxy: Galaxy) -> int:
        """Returns one card more than a hand has."""
        return figure(galaxy, "setup.hand") + 1


class KeepOne(SealedQuestion):
    """`opt.draft-pick`: every player secretly keeps one card of its packet."""

    answers = (KeepCard,)
    number: Open[int]
    waiting: Open[tuple[Seat, ...]]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"setup/draft/{self.number}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: KeepCard) -> bool:
        if decision.card not in galaxy.houses[seat].packet:
            message = "The packet has no such card."
            raise Refused("card_not_in_packet", "opt.draft-pick", message, {"card": decision.card})
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[KeepCard]:
        return [KeepCard(card) for card in galaxy.houses[seat].packet]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: KeepCard) -> Happenings:
        yield CardKept(seat, decision.card)
        yield from self.without(seat)


class PassPackets(Step):
    """`opt.draft-pick`: the players pass the rest clockwise."""

    def run(self, galaxy: Galaxy) -> Happenings:
        yield PacketsPassed()


class DiscardLast(Step):
    """`opt.draft-last`: each player discards the card it would pass last, the arbiter first."""

    def run(self, galaxy: Galaxy) -> Happenings:
        for seat in galaxy.clockwise(galaxy.arbiter):
            for card in tuple(galaxy.houses[seat].packet):
                yield LastDiscarded(seat, card, Piles.of(galaxy, card))
