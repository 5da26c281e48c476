"""Facts about the conflict in progress as a whole: it begins, its power changes, it ends.

The steps of a conflict have facts of their own. These serve several steps, or leaders, who may
add to a side's power, cancel support or save a unit.
"""

from __future__ import annotations

from ledger.games.hegemonic.actions.base import turn_of
from ledger.games.hegemonic.state.contest import Contest, Side
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Seat
from ledger.parts.battle import Contribution, Force
from ledger.parts.seats import SeatFact


def contest_of(galaxy: Galaxy) -> Contest:
    """Returns the conflict in progress. There must be one."""
    assert galaxy.contest is not None, "no conflict is being fought out"
    return galaxy.contest


def side_of(galaxy: Galaxy, seat: Seat) -> Side:
    """Returns the side of a player, who must take part."""
    side = contest_of(galaxy).side_of(seat)
    assert side is not None, f"seat {seat} takes no part in the conflict"
    return side


class ContestBegun(Fact, tag="conflict.begun"):
    """A player declared a conflict and paid for it."""

    key: Open[str]
    pattern: Open[str]
    action: Open[str]
    sector: Open[str]
    distance: Open[int]  # from the attacker to the sector
    attacker: Open[Force]
    defender: Open[Force]
    faction: Open[str]  # of the defending embassy
    attacked_with: Open[tuple[str, ...]]
    cost: Open[int]
    price: Open[tuple[Contribution, ...]]

    def apply(self, galaxy: Galaxy) -> None:
        """The attackers have attacked in this phase; the action can no longer be taken back."""
        attacker, defender = _side(self.attacker), _side(self.defender)
        defender.faction = self.faction
        contest = Contest(self.key, self.pattern, self.action, self.sector, attacker, defender)
        contest.cost, contest.price = self.cost, self.price
        galaxy.contest = contest
        galaxy.houses[attacker.seat].attacked += self.attacked_with
        turn_of(galaxy).done += 1


def _side(force: Force) -> Side:
    return Side(force.seat, force.type, force.sector, force.bases, force.units)


class StepBegun(Fact, tag="conflict.step-begun"):
    """The next step of the conflict began."""

    step: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        contest_of(galaxy).step = self.step


class PowerAdded(SeatFact, tag="conflict.power-added"):
    """An effect outside the five steps added to a side's power."""

    contribution: Open[Contribution]

    def apply(self, galaxy: Galaxy) -> None:
        side_of(galaxy, self.seat).add(self.contribution)


class SupportBarred(SeatFact, tag="conflict.support-barred"):
    """A player may not support anyone in this conflict."""

    def apply(self, galaxy: Galaxy) -> None:
        contest_of(galaxy).barred.append(self.seat)


class SupportCanceled(SeatFact, tag="conflict.support-canceled"):
    """A player's support in this conflict no longer counts."""

    def apply(self, galaxy: Galaxy) -> None:
        """Treats the player as if it had declined."""
        contest = contest_of(galaxy)
        (place,) = (n for n, one in enumerate(contest.support) if one.seat == self.seat)
        lent = contest.support[place]
        assert lent.side is not None, f"seat {self.seat} has supported nobody"
        side_of(galaxy, lent.side).power -= lent.amount
        contest.support[place] = type(lent)(self.seat, None, 0, 0)


class UnitSaved(SeatFact, tag="conflict.unit-saved"):
    """A unit that was about to be destroyed is saved, wherever it is."""

    unit: Open[str]
    number: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """Later steps of the conflict do not destroy it."""
        contest_of(galaxy).saved.append((self.seat, self.unit, self.number))


class ContestEnded(Fact, tag="conflict.ended"):
    """A conflict is over."""

    key: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.contest = None
