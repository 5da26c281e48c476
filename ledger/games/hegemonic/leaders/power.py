"""Leaders in conflicts: Izanagi, The Speaker, Occulus Magnus, The Entombed.

LD07, LD09 and LD12 add power to their player's side; LD08 supports more, bars others from support,
or takes back the cost of a lost attack. LD12 retains more CAPs as well.
"""

from __future__ import annotations

from typing import ClassVar

from ledger.games.hegemonic.conflicts.facts import PowerAdded, SupportBarred, contest_of, side_of
from ledger.games.hegemonic.rounds.clock import ARBITRATION
from ledger.games.hegemonic.state.caps import caps_of, gain
from ledger.games.hegemonic.state.components import MARTIAL, POLITICAL
from ledger.games.hegemonic.state.contest import Side, Support
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import House
from ledger.games.hegemonic.state.tracks import Retention
from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Seat
from ledger.parts.abilities import Use
from ledger.parts.battle import Contribution
from ledger.parts.seats import SeatFact

from .activation import RULE, Ability, Moment


class SupportRaised(SeatFact, tag="leader.support-raised"):
    """A player's support counts for more than its embassies."""

    side: Open[Seat]
    contribution: Open[Contribution]

    def apply(self, galaxy: Galaxy) -> None:
        """The addition is part of the support and is canceled with it."""
        contest, added = contest_of(galaxy), self.contribution
        (place,) = (n for n, one in enumerate(contest.support) if one.seat == self.seat)
        lent = contest.support[place]
        given = (*lent.given, added)
        amount = lent.amount + added.amount
        contest.support[place] = Support(lent.seat, lent.side, lent.count, amount, given)
        side_of(galaxy, self.side).power += added.amount


class FactionFreed(SeatFact, tag="leader.faction-freed"):
    """A faction that a player drew on in this conflict does not count as used."""

    faction: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """The faction can lend to an agent again in this phase."""
        galaxy.houses[self.seat].drawn_on.remove(self.faction)


class RetentionRaised(SeatFact, tag="leader.retention-raised"):
    """A player may keep more CAPs in this round."""

    amount: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].retained += self.amount


# --- LD07 Izanagi, LD09 Occulus Magnus, LD12 The Entombed -----------------------------------------


class AddPower(Ability):
    """`leader.anytime`: before cards are chosen, a side adds power (`LD07`, `LD09`, `LD12`)."""

    moments = ("before-cards",)
    at_any_time = False
    counts = True

    type: ClassVar[str]  # of power

    def helps(self, galaxy: Galaxy, side: Side) -> bool:
        """Returns whether the leader adds power to this side, its player's."""
        return side.type == self.type

    def fits(self, galaxy: Galaxy, seat: Seat, moment: Moment) -> bool:
        side = contest_of(galaxy).side_of(seat)
        return side is not None and self.helps(galaxy, side)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        sector = contest_of(galaxy).sector
        added = Contribution(RULE, self.owner, 1, sector, 0, self.amount(galaxy))
        yield PowerAdded(use.seat, added)


class AddMartial(AddPower):
    """`leader.choose`, `LD07`: the side gets 1, 2 or 3 more with martial power."""

    type = MARTIAL


class AddPolitical(AddPower):
    """`leader.choose`, `LD09` levels 1 and 2: the side gets 1 or 2 more with political power."""

    type = POLITICAL


class AddPoliticalAndFree(AddPolitical):
    """`leader.choose`, `LD09` level 3: 3 more, and a faction drawn on does not count as used.

    `step1.agent-limit`: so the faction can lend to the player's agents once more in this phase.
    """

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield from super().carry(galaxy, use)
        for faction in side_of(galaxy, use.seat).draws:
            yield FactionFreed(use.seat, faction)


class AddDefence(AddPower):
    """`leader.choose`, `LD12` levels 2 and 3: the side gets 2 or 4 more as the defender."""

    def helps(self, galaxy: Galaxy, side: Side) -> bool:
        return side is contest_of(galaxy).defender


class RetainMore(Ability):
    """`leader.anytime`, `LD12` level 1: in arbitration, before the discards, retain 3 more."""

    moments = ("before-retention",)
    counts = True

    def fits(self, galaxy: Galaxy, seat: Seat, moment: Moment) -> bool:
        limit = Retention.limit(galaxy, seat)
        return limit is not None and caps_of(galaxy, seat) > limit

    def open(self, galaxy: Galaxy, seat: Seat) -> bool:
        return galaxy.phase == ARBITRATION and Retention.limit(galaxy, seat) is not None

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield RetentionRaised(use.seat, self.amount(galaxy))


# --- LD08 The Speaker -----------------------------------------------------------------------------


class SupportMore(Ability):
    """`leader.anytime`, `LD08` level 1: in step 2, support given of at least 1 counts 1 more.

    It may be used after giving support, and until the support of all is counted.
    """

    in_conflict = True
    moments = ("support-answered",)
    counts = True

    def fits(self, galaxy: Galaxy, seat: Seat, moment: Moment) -> bool:
        return _supported_by(galaxy, seat) is not None

    def open(self, galaxy: Galaxy, seat: Seat) -> bool:
        contest = galaxy.contest
        return contest is not None and contest.step == 2 and _supported_by(galaxy, seat) is not None

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        supported = _supported_by(galaxy, use.seat)
        assert supported is not None
        sector = contest_of(galaxy).sector
        added = Contribution(RULE, self.owner, 1, sector, 0, self.amount(galaxy))
        yield SupportRaised(use.seat, supported, added)


def _supported_by(galaxy: Galaxy, seat: Seat) -> Seat | None:
    """Returns the side to which a player has lent support in the conflict, or None."""
    lent = (one for one in contest_of(galaxy).support if one.seat == seat and one.count)
    return next((one.side for one in lent), None)


class TakeCostBack(Ability):
    """`leader.anytime`, `LD08` level 2: after a lost attack, its conflict cost is taken back.

    `general.pay-first`: nothing is refunded unless an ability says so, as this one does.
    `cost.plus-movement`: the cost of a movement is not given back.
    """

    moments = ("attack-lost",)
    at_any_time = False

    def fits(self, galaxy: Galaxy, seat: Seat, moment: Moment) -> bool:
        contest = contest_of(galaxy)
        return contest.attacker.seat == seat and contest.cost > 0

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield from gain(galaxy, use.seat, contest_of(galaxy).cost, RULE)


class BarOthers(Ability):
    """`leader.anytime`, `LD08` level 3: at the start of step 2, nobody else may support."""

    moments = ("support-begins",)
    at_any_time = False

    def fits(self, galaxy: Galaxy, seat: Seat, moment: Moment) -> bool:
        return any(_third(galaxy, seat))

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        for house in _third(galaxy, use.seat):
            yield SupportBarred(house.seat)


def _third(galaxy: Galaxy, seat: Seat) -> list[House]:
    """Returns the other houses that take no part in the conflict."""
    contest = contest_of(galaxy)
    return [house for house in galaxy.others(seat) if contest.side_of(house.seat) is None]
