"""Caravan: a game that goes on for as long as one likes, for the benchmarks.

Its state is of the size of a large board game's, and its log is made of what such games write: in a
round four sealed bids, sixteen moves with transfers between accounts, and two rolls of dice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import msgspec

from ledger.kernel.accounts import BANK, Accounts, Transferred, account_of, pay
from ledger.kernel.audience import Open, Own
from ledger.kernel.chance import ChanceQuestion, Roll, Rolled, Stream
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, State, Step
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import KERNEL_DECISIONS, Result, Ruleset
from ledger.log.stores.protocol import Store
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from services.matches.play import make_seeded_surroundings

SEATS = 4
PLACES = 120
GOODS = ("salt", "silk", "tea", "iron", "gold")
MOVES = 16


class Place(msgspec.Struct, array_like=True):
    owner: Open[int]
    wagons: Open[list[int]]
    price: Open[int]


class Trader(msgspec.Struct, array_like=True):
    seat: Open[Seat]
    at: Open[int]
    bid: Own[int | None] = None
    has_bid: Open[bool] = False
    stalls: Open[list[int]] = msgspec.field(default_factory=list)


class Desert(State):
    traders: Open[list[Trader]]
    places: Open[list[Place]]
    accounts: Open[Accounts]
    round: Open[int] = 0
    wind: Open[int] = 0


class Bid(Decision, tag="caravan.bid"):
    coins: Own[int]


class Go(Decision, tag="caravan.go"):
    place: Open[int]
    good: Open[str]


class RoundEnded(Fact, tag="caravan.round-ended"):
    checkpoint: ClassVar[bool] = True
    round: Open[int]

    def apply(self, desert: Desert) -> None:
        desert.round = self.round


class BidMade(Fact, tag="caravan.bid-made"):
    seat: Open[Seat]
    coins: Own[int]

    def apply(self, desert: Desert) -> None:
        trader = desert.traders[self.seat]
        trader.has_bid, trader.bid = True, self.coins


class BidsShown(Fact, tag="caravan.bids-shown"):
    round: Open[int]
    coins: Open[tuple[int, ...]]

    def apply(self, desert: Desert) -> None:
        for trader in desert.traders:
            trader.has_bid, trader.bid = False, None

    def discloses(self) -> list[tuple[str, Seat]]:
        return [(f"r{self.round}/bid", seat) for seat in range(SEATS)]


class Went(Fact, tag="caravan.went"):
    seat: Open[Seat]
    place: Open[int]
    price: Open[int]

    def apply(self, desert: Desert) -> None:
        trader, place = desert.traders[self.seat], desert.places[self.place]
        place.wagons[self.seat] += 1
        place.owner = self.seat if place.wagons[self.seat] > 2 else place.owner
        place.price = self.price
        trader.at = self.place


class WindTurned(Fact, tag="caravan.wind"):
    values: Open[tuple[int, ...]]

    def apply(self, desert: Desert) -> None:
        desert.wind = sum(self.values)


class Begin(Step):
    """`caravan.begin`: twenty of each good for everybody."""

    def run(self, desert: Desert) -> Happenings:
        for good in GOODS:
            for seat in range(SEATS):
                yield from pay(desert.accounts, good, BANK, account_of(seat), 20, "caravan.begin")
        yield Round(1)


class Round(Step):
    """`caravan.round`: the wind, sealed bids, moves in turn."""

    number: Open[int]

    def run(self, desert: Desert) -> Happenings:
        yield Wind(self.number, 1)
        yield Bidding(self.number, tuple(range(SEATS)))
        yield ShowBids(self.number)
        yield Wind(self.number, 2)
        yield Going(self.number, 0)


class Wind(ChanceQuestion):
    """`caravan.wind`: two dice."""

    round: Open[int]
    turn: Open[int]

    def address(self, desert: Desert) -> str:
        return f"r{self.round}/wind/{self.turn}"

    def wish(self, desert: Desert) -> Roll:
        return Roll(6, 2)

    def fallen(self, desert: Desert, answer: Rolled) -> Happenings:
        yield WindTurned(answer.values)


class Bidding(Question):
    """`caravan.bid`: a sealed bid."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Bid,)
    sealed: ClassVar[bool] = True
    round: Open[int]
    waiting: Open[tuple[Seat, ...]]

    def asks(self, desert: Desert) -> tuple[Seat, ...]:
        return self.waiting

    def key(self, desert: Desert, seat: Seat) -> str:
        return f"r{self.round}/bid"

    def allows(self, desert: Desert, seat: Seat, decision: Bid) -> bool:
        return 0 <= decision.coins < 10

    def options(self, desert: Desert, seat: Seat) -> list[Decision]:
        return [Bid(coins) for coins in range(10)]

    def decide(self, desert: Desert, seat: Seat, decision: Bid) -> Happenings:
        yield BidMade(seat, decision.coins)
        if still := tuple(other for other in self.waiting if other != seat):
            yield Bidding(self.round, still)


class ShowBids(Step):
    """`caravan.show`: all bids at once."""

    round: Open[int]

    def run(self, desert: Desert) -> Happenings:
        yield BidsShown(self.round, tuple(trader.bid or 0 for trader in desert.traders))


class Going(Question):
    """`caravan.go`: each in turn goes to a place and pays for it."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Go,)
    round: Open[int]
    turn: Open[int]

    def asks(self, desert: Desert) -> tuple[Seat, ...]:
        return (self.turn % SEATS,)

    def key(self, desert: Desert, seat: Seat) -> str:
        return f"r{self.round}/go/{self.turn}"

    def allows(self, desert: Desert, seat: Seat, decision: Go) -> bool:
        if not 0 <= decision.place < PLACES or decision.good not in GOODS:
            evidence = {"place": decision.place, "good": decision.good}
            raise Refused("no_such_place", "caravan.go", "", evidence)
        return desert.accounts.balance(decision.good, account_of(seat)) > 0

    def options(self, desert: Desert, seat: Seat) -> list[Decision]:
        return [Go(place, "salt") for place in range(PLACES)]

    def decide(self, desert: Desert, seat: Seat, decision: Go) -> Happenings:
        place = desert.places[decision.place]
        payee = account_of((seat + 1) % SEATS)
        yield from pay(desert.accounts, decision.good, account_of(seat), payee, 1, "caravan.go")
        yield Went(seat, decision.place, (place.price + desert.wind) % 7 + 1)
        if self.turn + 1 < MOVES:
            yield Going(self.round, self.turn + 1)
        else:
            yield RoundEnded(self.round)
            yield Round(self.round + 1)


def setup(seats: int) -> Desert:
    return Desert(
        traders=[Trader(seat, 0, stalls=[0] * 8) for seat in range(seats)],
        places=[Place(-1, [0] * seats, 1) for _ in range(PLACES)],
        accounts=Accounts.opened(*GOODS),
    )


CARAVAN = Ruleset(
    name="caravan",
    title="Caravan",
    seats=range(SEATS, SEATS + 1),
    state=Desert,
    setup=setup,
    first=Begin(),
    result=lambda _: Result(winners=(), scores=(0,) * SEATS, reason="it goes on"),
    agenda=(Begin, Round, Wind, Bidding, ShowBids, Going),
    decisions=(Bid, Go, *KERNEL_DECISIONS),
    facts=(RoundEnded, BidMade, BidsShown, Went, WindTurned, Transferred),
    source="caravan",
)


def journey(store: Store, seed: int, events: int) -> Journal:
    """A match of so many events, every decision with a command of its own."""
    around = replace(make_seeded_surroundings(store, seed), rules_of=lambda _: CARAVAN)
    journal = Journal.create(around, Plan(ruleset="caravan", seats=SEATS))
    for seat in range(SEATS):
        journal.join(seat, f"trader {seat}")
    journal.start()
    stream = Stream.named(b"caravan", str(seed))
    while journal.history.tip.version < events:
        seat, decision = choice(journal, stream)
        asked = journal.command(f"{journal.match_id}-{journal.history.tip.version}", seat, decision)
        journal.decide(seat, decision, command=asked)
    return journal


def choice(journal: Journal, stream: Stream) -> tuple[Seat, Any]:
    """Something that the next seat may decide."""
    match = journal.match()
    seat = match.asked()[0]
    if isinstance(match.question, Bidding):
        return seat, Bid(stream.below(10))
    rich = [good for good in GOODS if match.state.accounts.balance(good, account_of(seat))]
    return seat, Go(stream.below(PLACES), stream.choose(rich))
