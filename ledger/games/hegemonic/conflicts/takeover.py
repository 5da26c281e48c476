"""A won takeover: the attacker's bases take the place of those that were destroyed.

TakeOver ─▶ [by a reading: FillLocations] ─▶ bases of the player board ─▶ MoveIn ─▶ [ChooseMovedIn]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

from ledger.games.hegemonic.map.placing import BaseMoved, BasePlaced
from ledger.games.hegemonic.state.caps import caps_of, check_price, spend
from ledger.games.hegemonic.state.components import BASE_OF
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.tracks import BASE_TRACKS, Cost, Track
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.refusals import passes
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from .facts import contest_of


class FillTaken(Decision, tag="conflict.takeover-fill"):
    """Put so many bases of the player board where bases fell, where a reading allows the choice."""

    count: Open[int]


class PlaceTaken(Decision, tag="conflict.takeover-place"):
    """Move your bases from these sectors to where bases fell; places left over stay empty."""

    origins: Open[tuple[str, ...]] = ()


class LocationsLeft(SeatFact, tag="conflict.locations-left"):
    """Some locations where bases fell were left empty."""

    sector: Open[str]
    count: Open[int]


def count_taken(galaxy: Galaxy) -> int:
    """`step4.takeover-count`: as many bases may come as were destroyed.

    Counts the bases that the defender has lost to the attacker.
    """
    return sum(one.count for one in contest_of(galaxy).losses if one.taken_over)


def count_ready(galaxy: Galaxy) -> int:
    """Counts those that can come from the player board and be paid for."""
    contest = contest_of(galaxy)
    seat, type_ = contest.attacker.seat, contest.defender.type
    most = min(count_taken(galaxy), Track.left(galaxy, seat, type_))
    prices = list(list_prices(galaxy, most))
    return max(n for n in range(most + 1) if sum(prices[:n]) <= caps_of(galaxy, seat))


def list_prices(galaxy: Galaxy, count: int) -> Iterator[int]:
    """`step4.takeover-free`: no price; by a reading, each base's price on the track."""
    contest = contest_of(galaxy)
    seat, type_ = contest.attacker.seat, contest.defender.type
    if not count or galaxy.reads("takeover.place-cost") == "0":
        yield from (0 for _ in range(count))
        return
    built = galaxy.houses[seat].built(type_)
    for number in range(built + 1, built + count + 1):
        yield BASE_TRACKS.space(galaxy, number, type_).cost


class TakeOver(Step):
    """`step4.takeover-free`: bases of the player board come first, without a choice.

    By a reading, the attacker may leave locations empty.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        if not count_taken(galaxy):
            return
        ready = count_ready(galaxy)
        if ready and not galaxy.reads("takeover.mandatory"):
            yield FillLocations(contest_of(galaxy).attacker.seat)
        else:
            yield from _fill(galaxy, ready)


def _fill(galaxy: Galaxy, count: int) -> Happenings:
    contest = contest_of(galaxy)
    seat, type_ = contest.attacker.seat, contest.defender.type
    missing = count_taken(galaxy) - count
    for price in tuple(list_prices(galaxy, count)):
        yield from spend(galaxy, seat, price, "step4.takeover-free")
        yield BasePlaced(seat, BASE_OF[type_], contest.sector)
    if missing:
        yield MoveIn(seat, missing)


class FillLocations(SeatQuestion):
    """`step4.takeover-free`: by a reading, the attacker chooses how many locations to fill."""

    answers = (FillTaken,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/fill"

    def options(self, galaxy: Galaxy, seat: Seat) -> list[FillTaken]:
        return [FillTaken(count) for count in range(count_ready(galaxy), -1, -1)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: FillTaken) -> Happenings:
        yield from _fill(galaxy, decision.count)


def count_sources(galaxy: Galaxy) -> Counter[str]:
    """`step4.takeover-short`: without bases on the player board, bases on the map may move there.

    They come from anywhere on the map for nothing, even from the home and the attacking complexes.
    By a reading, each costs the price of a relocation.

    Counts the bases that could move in, by sector.
    """
    contest = contest_of(galaxy)
    house = galaxy.houses[contest.attacker.seat]
    standing = Counter(house.bases(contest.defender.type))
    del standing[contest.sector]
    return standing


def price_of_moving(galaxy: Galaxy) -> int:
    if galaxy.reads("takeover.relocate-cost") == "0":
        return 0
    return Cost.left_most(galaxy, contest_of(galaxy).defender.type)


def check_moving_in(galaxy: Galaxy, missing: int, origins: tuple[str, ...]) -> None:
    """Refuses more bases than are missing, bases that are not there, and unaffordable ones."""
    evidence = {"origins": list(origins), "missing": missing}
    if len(origins) > missing:
        message = "The player cannot move in more bases than are missing."
        raise Refused("too_many_bases", "step4.takeover-short", message, evidence)
    if Counter(origins) - count_sources(galaxy):
        message = "The player has no such bases elsewhere."
        raise Refused("no_such_bases", "step4.takeover-short", message, evidence)
    if origins:
        seat = contest_of(galaxy).attacker.seat
        price = len(origins) * price_of_moving(galaxy)
        check_price(galaxy, seat, price, "step4.takeover-short")


def list_moving_in(galaxy: Galaxy, missing: int) -> Iterator[PlaceTaken]:
    """Yields every choice of bases, leaving all locations empty first."""
    sources = count_sources(galaxy)
    for count in range(missing + 1):
        for origins in combinations_with_replacement(sources, count):
            if passes(check_moving_in, galaxy, missing, origins):
                yield PlaceTaken(origins)


class MoveIn(SeatStep):
    """`step4.takeover-short`: while the player board has bases of the type, none moves in."""

    missing: Open[int]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Leaves the locations empty where no base can come."""
        contest = contest_of(galaxy)
        left = Track.left(galaxy, self.seat, contest.defender.type)
        if not left and len(list(list_moving_in(galaxy, self.missing))) > 1:
            yield ChooseMovedIn(self.seat, self.missing)
        else:
            yield LocationsLeft(self.seat, contest.sector, self.missing)


class ChooseMovedIn(SeatQuestion):
    """`step4.takeover-short`: the attacker chooses which of its bases move in, if any."""

    answers = (PlaceTaken,)
    missing: Open[int]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/place"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PlaceTaken) -> bool:
        check_moving_in(galaxy, self.missing, decision.origins)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[PlaceTaken]:
        """Returns each set of bases once, in one order."""
        return list(list_moving_in(galaxy, self.missing))

    def decide(self, galaxy: Galaxy, seat: Seat, decision: PlaceTaken) -> Happenings:
        contest = contest_of(galaxy)
        piece = BASE_OF[contest.defender.type]
        price = price_of_moving(galaxy) if decision.origins else 0
        for origin in decision.origins:
            yield from spend(galaxy, seat, price, "step4.takeover-short")
            yield BaseMoved(seat, piece, origin, contest.sector)
        if empty := self.missing - len(decision.origins):
            yield LocationsLeft(seat, contest.sector, empty)
