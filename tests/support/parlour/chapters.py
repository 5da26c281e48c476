"""The chapters of the parlour: its table, its records and its sequence of play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import msgspec

from ledger.kernel.accounts import BANK, Accounts, pay
from ledger.kernel.audience import Open, Own, OwnCounted
from ledger.kernel.chance import ChanceQuestion, Dealt, Deck, Draw
from ledger.kernel.content import Row, Table
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, State, Step
from ledger.kernel.refusals import Refused

COINS = "coins"


class Kind(Row):
    copies: int
    points: int


KINDS = Table("kinds", Kind)


class Player(msgspec.Struct, array_like=True):
    seat: Open[Seat]
    cards: OwnCounted[list[str]]
    has_bid: Open[bool] = False
    bid: Own[int | None] = None
    tips: Open[int] = 0
    points: Open[int] = 0
    played: Open[int] = 0


class Room(State):
    players: Open[list[Player]]
    deck: Open[Deck]
    accounts: Open[Accounts]
    round: Open[int] = 0
    gossip: Open[int] = 0  # nobody's business; where a leak is planted it holds a bid

    def secret(self, seat: Seat, leak: str) -> int:
        """Returns another seat's bid if this leak is planted, or nothing."""
        if self.reads("leak") != leak:
            return 0
        return sum(player.bid or 0 for player in self.players if player.seat != seat)


def purse(seat: Seat) -> str:
    return f"seat.{seat}"


# --- decisions and facts --------------------------------------------------------------------------


class Bid(Decision, tag="parlour.bid"):
    coins: Own[int]


class Play(Decision, tag="parlour.play"):
    card: Open[str]


class Tip(Decision, tag="parlour.tip"):
    to: Open[Seat]


class RoundBegun(Fact, tag="parlour.round-begun"):
    number: Open[int]

    def apply(self, room: Room) -> None:
        room.round = self.number


class CardDealt(Fact, tag="parlour.dealt"):
    seat: Open[Seat]
    cards: OwnCounted[tuple[str, ...]]
    epoch: Open[int]

    def apply(self, room: Room) -> None:
        room.deck.take(self.cards, self.epoch)
        room.players[self.seat].cards.extend(self.cards)
        if room.reads("leak") == "card":
            room.gossip = len(set(self.cards))


class BidMade(Fact, tag="parlour.bid-made"):
    seat: Open[Seat]
    coins: Own[int]
    told: Open[int]  # nothing, or a planted leak

    def apply(self, room: Room) -> None:
        player = room.players[self.seat]
        player.has_bid, player.bid = True, self.coins
        if room.reads("leak") == "field":
            room.gossip = self.coins


class BidShown(Fact, tag="parlour.bid-shown"):
    seat: Open[Seat]
    coins: Open[int]

    def apply(self, room: Room) -> None:
        player = room.players[self.seat]
        player.has_bid, player.bid = False, None
        room.gossip = 0

    def discloses(self) -> Iterable[tuple[str, Seat]]:
        return ((f"bid/{number}", self.seat) for number in (1, 2))


class Played(Fact, tag="parlour.played"):
    seat: Open[Seat]
    card: Open[str]
    points: Open[int]

    def apply(self, room: Room) -> None:
        player = room.players[self.seat]
        player.cards.remove(self.card)
        player.points += self.points
        player.played += 1


class Tipped(Fact, tag="parlour.tipped"):
    seat: Open[Seat]

    def apply(self, room: Room) -> None:
        room.players[self.seat].tips += 1


# --- the sequence of play -------------------------------------------------------------------------


class Opening(Step):
    """`parlour.open`: five coins each, and two rounds."""

    def run(self, room: Room) -> Happenings:
        for player in room.players:
            yield from pay(room.accounts, COINS, BANK, purse(player.seat), 5, "parlour.open")
        yield Round(1)
        yield Round(2)


class Round(Step):
    """`parlour.round`: a card is dealt to each seat, all bid at once, each plays a card."""

    number: Open[int]

    def run(self, room: Room) -> Happenings:
        yield RoundBegun(self.number)
        seats = tuple(player.seat for player in room.players)
        for seat in seats:
            yield Deal(seat)
        yield Bidding(seats)
        for seat in seats:
            yield Playing(seat)


class Deal(ChanceQuestion):
    """`parlour.deal`: from the deck, unseen by the others."""

    seat: Open[Seat]

    def address(self, room: Room) -> str:
        return f"r{room.round}/deal/s{self.seat}"

    def wish(self, room: Room) -> Draw:
        return Draw(room.deck, 2, self.seat)

    def fallen(self, room: Room, answer: Dealt) -> Happenings:
        yield CardDealt(self.seat, answer.cards, answer.epoch)


class Bidding(Question):
    """`parlour.bid`: each bids coins it has, unseen."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Bid,)
    sealed: ClassVar[bool] = True
    waiting: Open[tuple[Seat, ...]]
    gossip: Open[int] = 0

    def asks(self, room: Room) -> tuple[Seat, ...]:
        return self.waiting[:1] if room.secret(-1, "asks") % 2 else self.waiting

    def key(self, room: Room, seat: Seat) -> str:
        return f"bid/{room.round}" + ("!" if room.secret(seat, "key") % 2 else "")

    def allows(self, room: Room, seat: Seat, bid: Bid) -> bool:
        held = room.accounts.balance(COINS, purse(seat))
        if 0 <= bid.coins <= held:
            return not (bid.coins == 1 and room.secret(seat, "legal") % 2)
        secret = room.secret(seat, "evidence")
        message = "Too much." + " Really." * (room.secret(seat, "text") % 2)
        code = "not_allowed" if room.secret(seat, "code") % 2 else "too_much"
        raise Refused(code, "parlour.bid", message, {"has": held, "gossip": secret})

    def options(self, room: Room, seat: Seat) -> list[Bid]:
        held = room.accounts.balance(COINS, purse(seat))
        leaked = room.secret(seat, "options") % 2
        every = [Bid(coins) for coins in range(leaked and held, held + 1)]
        return [bid for bid in every if self.allows(room, seat, bid)]

    def decide(self, room: Room, seat: Seat, bid: Bid) -> Happenings:
        leak = room.reads("leak")
        yield BidMade(seat, bid.coins, bid.coins if leak == "fact" else 0)
        if still := tuple(other for other in self.waiting if other != seat):
            yield Bidding(still, bid.coins if leak == "agenda" else 0)
        else:
            yield ShowBids()


class ShowBids(Step):
    """`parlour.show`: all are shown; the highest, of equals the first, pays the bank."""

    def run(self, room: Room) -> Happenings:
        bids = {player.seat: player.bid or 0 for player in room.players}
        for seat, coins in bids.items():
            yield BidShown(seat, coins)
        highest = max(bids, key=lambda seat: (bids[seat], -seat))
        amount = min(bids[highest], room.accounts.balance(COINS, purse(highest)))
        yield from pay(room.accounts, COINS, purse(highest), BANK, amount, "parlour.show")


class Playing(Question):
    """`parlour.play`: a card from the hand, for the points that are printed on it."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Play,)
    seat: Open[Seat]

    def asks(self, room: Room) -> tuple[Seat, ...]:
        return (self.seat,)

    def key(self, room: Room, seat: Seat) -> str:
        return f"play/{room.round}/s{self.seat}"

    def allows(self, room: Room, seat: Seat, play: Play) -> bool:
        return play.card in room.players[seat].cards

    def options(self, room: Room, seat: Seat) -> list[Play]:
        return [Play(card) for card in sorted(set(room.players[seat].cards))]

    def decide(self, room: Room, seat: Seat, play: Play) -> Happenings:
        yield Played(seat, play.card, KINDS.of(room)[play.card].points)


class Tipping(Question):
    """`parlour.tip`: at any time, one coin, five times at most."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Tip,)

    def asks(self, room: Room) -> tuple[Seat, ...]:
        return tuple(player.seat for player in room.players)

    def key(self, room: Room, seat: Seat) -> str:
        return f"tip/s{seat}/{room.players[seat].tips + 1}"

    def standing_open(self, room: Room) -> bool:
        return not room.secret(-1, "standing") % 2

    def allows(self, room: Room, seat: Seat, tip: Tip) -> bool:
        there = 0 <= tip.to < len(room.players)
        return there and tip.to != seat and room.players[seat].tips < 5

    def options(self, room: Room, seat: Seat) -> list[Tip]:
        if not room.accounts.balance(COINS, purse(seat)):
            return []
        every = [Tip(player.seat) for player in room.players]
        return [tip for tip in every if self.allows(room, seat, tip)]

    def decide(self, room: Room, seat: Seat, tip: Tip) -> Happenings:
        source, target = purse(seat), purse(tip.to)
        for transfer in pay(room.accounts, COINS, source, target, 1, "parlour.tip"):
            yield Tipped(seat)
            yield transfer
