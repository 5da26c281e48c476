"""Setup, the draft: six cards each; keep one, pass the rest on, until one is left."""

from __future__ import annotations

from ledger.games.hegemonic.actions.piles import Piles
from ledger.games.hegemonic.state.components import figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open, Own
from ledger.kernel.records import Decision, Fact, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts import cards
from ledger.parts.sealed import SealedQuestion
from ledger.parts.seats import SeatFact


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
        for seat in galaxy.clockwise(galaxy.arbiter):
            yield DealPacket(seat)
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
            evidence = {"card": decision.card}
            message = "The packet has no such card."
            raise Refused("card_not_in_packet", "opt.draft-pick", message, evidence)
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
