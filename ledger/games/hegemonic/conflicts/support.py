"""Conflict, step 2: third players may lend political power to a side that fights with it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.leaders.activation import Window
from ledger.games.hegemonic.state.components import EMBASSY
from ledger.games.hegemonic.state.contest import SealedSupport, Side, Support
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import EMPATHY_TRANSMITTER, holds
from ledger.kernel.audience import Open, Own
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.battle import Contribution, total
from ledger.parts.refusals import passes
from ledger.parts.sealed import Revealing, SealedQuestion
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from .facts import StepBegun, contest_of, side_of


class LendSupport(Decision, tag="conflict.support"):
    """Support a side with this many embassies."""

    side: Open[Seat]
    count: Open[int]


class DeclineSupport(Decision, tag="conflict.decline-support"):
    """Support nobody."""


class SealSupport(Decision, tag="conflict.support-sealed"):
    """Support a side with this many embassies, or nobody, where third players answer together."""

    side: Own[Seat | None] = None
    count: Own[int] = 0


# --- facts ----------------------------------------------------------------------------------------


class Supported(Revealing, tag="conflict.supported"):
    """A player lent political power to a side."""

    side: Open[Seat]
    contributions: Open[tuple[Contribution, ...]]
    key: Open[str] = ""  # of the answer, where it was sealed

    def apply(self, galaxy: Galaxy) -> None:
        """Keeps support separate from what the side has of its own."""
        amount = total(self.contributions)
        side_of(galaxy, self.side).power += amount
        lent = Support(self.seat, self.side, len(self.contributions), amount, self.contributions)
        contest_of(galaxy).support.append(lent)


class SupportDeclined(Revealing, tag="conflict.support-declined"):
    """A player supported nobody."""

    key: Open[str] = ""

    def apply(self, galaxy: Galaxy) -> None:
        contest_of(galaxy).support.append(Support(self.seat, None, 0, 0))


class SupportSealed(SeatFact, tag="conflict.support-was-sealed"):
    """A player chose in secret whom it supports."""

    side: Own[Seat | None]
    count: Own[int]
    key: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """Lets the others see that the player has answered."""
        sealed = SealedSupport(self.seat, self.side, self.count, self.key)
        contest_of(galaxy).sealed.append(sealed)


# --- who can support whom, with what --------------------------------------------------------------


def check_supportable(galaxy: Galaxy, seat: Seat) -> Side:
    """`step2.whom`: a side that fights with political power, and uses a faction; one side at most.

    `tech.empathy-transmitter`: nobody supports the opponent of its owner.

    Returns the side of a seat; refuses one that cannot be supported.
    """
    side = contest_of(galaxy).side_of(seat)
    evidence = {"side": seat}
    if side is None or not side.factions:
        message = "This side uses no faction from which others could lend."
        raise Refused("not_supportable", "step2.whom", message, evidence)
    opponent = contest_of(galaxy).against(side).seat
    if holds(galaxy, opponent, EMPATHY_TRANSMITTER):
        message = "Players may not support this side."
        raise Refused("support_barred", "tech.empathy-transmitter", message, evidence)
    return side


def list_supportable(galaxy: Galaxy) -> Iterator[Side]:
    """Yields the sides that can be supported."""
    for side in contest_of(galaxy).sides:
        if side.factions and passes(check_supportable, galaxy, side.seat):
            yield side


def lendable(galaxy: Galaxy, seat: Seat, side: Side) -> list[Contribution]:
    """`step2.faction`: embassies on tiles of a faction that the side uses.

    `step2.value`: each counts 1; by a reading, the power of its location. `err.03`: each counts
    the power of its location. `step2.home`: an embassy in a home gives none. `opt.wild-support`: a
    wild one supports all the same, and belongs to every faction.

    Returns a contribution for each embassy, those that add most first.
    """
    house, factions = galaxy.houses[seat], side.factions
    found = [
        Contribution("step2.value", EMBASSY, 1, at, 0, _value_of(galaxy, at))
        for at in house.embassies
        if at != house.home and galaxy.faction_at(at) in factions
    ]
    if house.home in house.embassies and galaxy.reads("opt.wild"):
        found.append(Contribution("opt.wild-support", EMBASSY, 1, house.home, 0, 1))
    return sorted(found, key=lambda one: -one.amount)


def _value_of(galaxy: Galaxy, sector: str) -> int:
    """Returns the power that an embassy in a sector adds."""
    tile = galaxy.tile_at(sector)
    assert tile is not None, f"an embassy stands at {sector}"
    if tile.political != 1 and galaxy.reads("support.value") == "location-power":
        return tile.political
    return 1


def check_support(galaxy: Galaxy, seat: Seat, side: Seat, count: int) -> None:
    """`step2.partial`: any number of the embassies that match support; by a reading, all.

    `step2.who`: only players who take no part in the conflict are asked.

    Refuses a side that cannot be supported, or a wrong number of embassies.
    """
    most = len(lendable(galaxy, seat, check_supportable(galaxy, side)))
    evidence = {"count": count, "most": most}
    if not 1 <= count <= most:
        message = "The player does not have so many embassies of the faction."
        raise Refused("too_much_support", "step2.faction", message, evidence)
    if count < most and not galaxy.reads("support.partial"):
        message = "The player must lend all matching embassies, or none."
        raise Refused("all_or_none", "step2.partial", message, evidence)


def list_support(galaxy: Galaxy, seat: Seat) -> Iterator[tuple[Seat, int]]:
    """Yields the sides that can be supported, with the numbers allowed."""
    if seat in contest_of(galaxy).barred:
        return
    for side in list_supportable(galaxy):
        most = len(lendable(galaxy, seat, side))
        least = 1 if most < 2 or galaxy.reads("support.partial") else most
        yield from ((side.seat, count) for count in range(least, most + 1))


def give_support(galaxy: Galaxy, seat: Seat, side: Seat, count: int) -> tuple[Contribution, ...]:
    return tuple(lendable(galaxy, seat, side_of(galaxy, side))[:count])


# --- the step -------------------------------------------------------------------------------------


class PoliticalSupport(Step):
    """`step2.whom`: the step matters only if a side uses a faction.

    `learn.no-support`: the Learning Game leaves it out.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Runs between two moments at which leaders act."""
        yield StepBegun(2)
        if not any(side.factions for side in contest_of(galaxy).sides) or galaxy.reads("learning"):
            return
        yield Window("support-begins")
        yield AskForSupport()
        yield Window("support-answered")


class AskForSupport(Step):
    """`step2.order`: clockwise from the attacker's left, each once, openly; or all at once."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks all players but the two who fight."""
        contest = contest_of(galaxy)
        round_ = galaxy.clockwise((contest.attacker.seat + 1) % len(galaxy.houses))
        third = [seat for seat in round_ if contest.side_of(seat) is None]
        able = [seat for seat in third if any(list_support(galaxy, seat))]
        if len(able) < 2 or galaxy.reads("support.order") == "clockwise-from-attacker":
            for seat in third:
                yield AskSupporter(seat)
            return
        for seat in third:
            if seat not in able:
                yield SupportDeclined(seat)
        yield SupportTogether(tuple(able))
        yield OpenSupport()


class AskSupporter(SeatStep):
    """`step2.order`: a player with no embassy of a faction in use is not asked."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Declines for a player who has nothing to lend."""
        if any(list_support(galaxy, self.seat)):
            yield ChooseSupport(self.seat)
        else:
            yield SupportDeclined(self.seat)


class ChooseSupport(SeatQuestion):
    """`step2.who`: a third player supports a side, or nobody.

    `step2.negotiate`: deals and transfers of CAPs stay open during the question, as always.
    """

    answers = (LendSupport, DeclineSupport)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/support/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: LendSupport | DeclineSupport) -> bool:
        if isinstance(decision, LendSupport):
            check_support(galaxy, seat, decision.side, decision.count)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        """Lists declining first, as it is the answer of a player who does not answer."""
        lent = list_support(galaxy, seat)
        return [DeclineSupport(), *(LendSupport(side, count) for side, count in lent)]

    def decide(
        self, galaxy: Galaxy, seat: Seat, decision: LendSupport | DeclineSupport
    ) -> Happenings:
        if isinstance(decision, DeclineSupport):
            yield SupportDeclined(seat)
            return
        given = give_support(galaxy, seat, decision.side, decision.count)
        yield Supported(seat, decision.side, given)


class SupportTogether(SealedQuestion):
    """`step2.order`: by a reading, all third players answer in secret."""

    answers = (SealSupport,)
    waiting: Open[tuple[Seat, ...]]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/support"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: SealSupport) -> bool:
        """Applies the limits of the open question; no side and a count of 0 means to decline."""
        if decision.side is None:
            return decision.count == 0
        check_support(galaxy, seat, decision.side, decision.count)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[SealSupport]:
        lent = list_support(galaxy, seat)
        return [SealSupport(), *(SealSupport(side, count) for side, count in lent)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: SealSupport) -> Happenings:
        yield SupportSealed(seat, decision.side, decision.count, self.key(galaxy, seat))
        yield from self.without(seat)


class OpenSupport(Step):
    """`step2.order`: secret answers are revealed, clockwise from the attacker's left."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Does not check again: the support was allowed when chosen."""
        contest = contest_of(galaxy)
        sealed = {one.seat: one for one in contest.sealed}
        for seat in galaxy.clockwise(contest.attacker.seat):
            if seat not in sealed:
                continue
            one = sealed[seat]
            if one.side is None:
                yield SupportDeclined(seat, one.key)
            else:
                given = give_support(galaxy, seat, one.side, one.count)
                yield Supported(seat, one.side, given, one.key)
