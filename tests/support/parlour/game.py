"""Parlour: a second, small ruleset for the laws, with all that tic-tac-toe has not.

Cards are dealt unseen, bids are sealed, coins are tipped at any time, a deck is drawn from. Its
reading `leak` plants one leak of what is hidden; a checker of the laws that lets it pass is broken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.accounts import Accounts, Transferred
from ledger.kernel.audience import Open
from ledger.kernel.chance import Deck
from ledger.kernel.content import read_rows
from ledger.kernel.readings import read_readings
from ledger.kernel.records import Happenings, Seat
from ledger.kernel.ruleset import KERNEL_DECISIONS, AuditRules, Erratum, Result, Ruleset
from tests.support.parlour.chapters import (
    COINS,
    KINDS,
    Bid,
    Bidding,
    BidMade,
    BidShown,
    CardDealt,
    Deal,
    Opening,
    Play,
    Played,
    Player,
    Playing,
    Room,
    Round,
    RoundBegun,
    ShowBids,
    Tip,
    Tipped,
    Tipping,
)

LEAKS = (
    "field", "fact", "agenda", "options", "evidence", "text", "code", "asks", "key", "standing",
    "legal", "card",
)  # fmt: skip

# --- the errata: a cell, a standing question, and one question twice -----------------------------


class StingyTipping(Tipping, tag="Tipping"):
    """`parlour.tip` under erratum p2: twice at most."""

    def allows(self, room: Room, seat: Seat, tip: Tip) -> bool:
        return super().allows(room, seat, tip) and room.players[seat].tips < 2


class PlayingHigh(Playing, tag="Playing"):
    """`parlour.play` under erratum p3: never the least of one's cards."""

    at_least: Open[int] = 1

    def allows(self, room: Room, seat: Seat, play: Play) -> bool:
        return super().allows(room, seat, play) and play.card in self.highest(room, seat)

    def options(self, room: Room, seat: Seat) -> list[Play]:
        return [play for play in super().options(room, seat) if self.allows(room, seat, play)]

    def highest(self, room: Room, seat: Seat) -> list[str]:
        kinds = KINDS.of(room)
        cards = room.players[seat].cards
        least = min(kinds[card].points for card in cards)
        return [card for card in cards if kinds[card].points > least] or cards


class PlayingTwice(PlayingHigh, tag="Playing"):
    """`parlour.play` under erratum p4: for twice the points."""

    def decide(self, room: Room, seat: Seat, play: Play) -> Happenings:
        yield Played(seat, play.card, 2 * KINDS.of(room)[play.card].points)


ERRATA = (
    Erratum(
        id="p1", date="2026-01-01", source="", text="The rare card is worth four points.",
        content={"kinds": {"rare": {"points": 4}}},
    ),
    Erratum(
        id="p2", date="2026-02-01", source="", text="Two tips at most.",
        replaces={Tipping: StingyTipping},
    ),
    Erratum(
        id="p3", date="2026-03-01", source="", text="Never the least of one's cards.",
        replaces={Playing: PlayingHigh},
    ),
    Erratum(
        id="p4", date="2026-04-01", source="", text="For twice the points.",
        replaces={PlayingHigh: PlayingTwice},
    ),
)  # fmt: skip


# --- the ruleset ----------------------------------------------------------------------------------

READINGS = f"""
[leak]
value = "none"
also = {list(LEAKS)}
rule = "parlour.bid"
why = "A planted leak; none in a match that is played."
"""
CONTENT = """
plain = { copies = 6, points = 1 }
fine = { copies = 3, points = 2 }
rare = { copies = 1, points = 5 }
more = { copies = 4, points = 0 }
"""
ROWS: Mapping[str, Any] = read_rows(CONTENT, KINDS)


def setup(seats: int) -> Room:
    cards = [kind.id for kind in ROWS.values() for _ in range(kind.copies)]
    players = [Player(seat, []) for seat in range(seats)]
    return Room(players=players, deck=Deck.of("kinds", cards), accounts=Accounts.opened(COINS))


def result_of(room: Room) -> Result:
    scores = tuple(player.points for player in room.players)
    best = max(scores)
    winners = tuple(seat for seat, points in enumerate(scores) if points == best)
    return Result(winners=winners, scores=scores, reason="points")


def conserved(room: Room) -> Mapping[str, int]:
    out = sum(len(player.cards) + player.played for player in room.players)
    coins = sum(room.accounts.out_of_balance().values())
    return {"coins out of balance": coins, "cards": room.deck.size() + out}


PARLOUR = Ruleset(
    name="parlour",
    title="Parlour",
    seats=range(3, 4),
    state=Room,
    setup=setup,
    first=Opening(),
    result=result_of,
    agenda=(Opening, Round, Deal, Bidding, ShowBids, Playing, Tipping),
    decisions=(Bid, Play, Tip, *KERNEL_DECISIONS),
    facts=(RoundBegun, CardDealt, BidMade, BidShown, Played, Tipped, Transferred),
    standing=(Tipping(),),
    readings=read_readings(READINGS),
    tables=(KINDS,),
    content={"kinds": ROWS},
    errata=ERRATA,
    domains=("deck.kinds",),
    audit=AuditRules(conserved=conserved),
)
