"""Hegemonic counted again, from the words of the book and the open map, by none of its code.

A recount is shown every fact before it is applied, with the table as it stands then: it works out
for itself what the fact should say of power, prices, outcomes, CAPs and points, and compares.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import ledger.games.hegemonic as chapters
from ledger.games.hegemonic.conflicts.committing import (
    CardExchanged,
    TechnologyRevealed,
    TopCardTurned,
)
from ledger.games.hegemonic.conflicts.facts import (
    ContestBegun,
    PowerAdded,
    StepBegun,
    SupportCanceled,
    UnitSaved,
)
from ledger.games.hegemonic.conflicts.outcome import Compared
from ledger.games.hegemonic.conflicts.starting_power import StartingPowerCounted
from ledger.games.hegemonic.conflicts.support import Supported
from ledger.games.hegemonic.conflicts.takeover import LocationsLeft
from ledger.games.hegemonic.leaders.power import SupportRaised
from ledger.games.hegemonic.map.placing import BaseMoved, BasePlaced, BaseReturned, UnitReturned
from ledger.games.hegemonic.rounds.scoring import BoardScored
from ledger.games.hegemonic.state.contest import Side
from ledger.games.hegemonic.state.galaxy import CAPS, Galaxy
from ledger.kernel.accounts import Transferred
from ledger.kernel.records import Fact
from ledger.kernel.terms import Terms
from ledger.parts.battle import Contribution, Force

SIDES: Final = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
SUPPLY: Final = {"industrial": 15, "political": 9, "martial": 12}
UNITS: Final = {"political": "agent", "martial": "fleet"}


def cited() -> frozenset[str]:
    """Every rule id that the chapters of the game cite."""
    folder = Path(str(chapters.__file__)).parent
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))]
    return frozenset(re.findall(r"`([a-z0-9]+(?:[.-][a-z0-9-]+)+)`", "\n".join(texts)))


CITED: Final = cited()


# --- the map --------------------------------------------------------------------------------------


def distances(galaxy: Galaxy, start: str) -> dict[str, int]:
    """Steps to every sector, hex by hex, a gate pair being one step."""
    at = {(one.q, one.r): one.id for one in galaxy.sectors.values()}
    linked: dict[str, set[str]] = defaultdict(set)
    for first, second in ((g.first, g.second) for h in galaxy.houses for g in h.gates if g.first):
        linked[first].add(second)
        linked[second].add(first)
    found, todo = {start: 0}, [start]
    for sector in todo:
        here = galaxy.sectors[sector]
        beside = [(here.q + q, here.r + r) for q, r in SIDES]
        for near in {at[hexagon] for hexagon in beside if hexagon in at} | linked[sector]:
            if near not in found:
                found[near] = found[sector] + 1
                todo.append(near)
    return found


class Book:
    """The values that the rulebook gives for a table."""

    def __init__(self, terms: Terms) -> None:
        self.cards, self.tiles = terms.tables["cards"], terms.tables["tiles"]
        self.reads = terms.silent.reads

    def holds(self, galaxy: Galaxy, seat: int, technology: str) -> bool:
        """By the letter, tier and letter that its cards begin with."""
        return any(card.startswith(technology) for card in galaxy.houses[seat].advanced)

    def location(self, galaxy: Galaxy, seat: int, sector: str) -> int:
        """The power of an embassy."""
        if sector == galaxy.houses[seat].home:
            return 0
        return int(self.tiles[galaxy.sectors[sector].tile].political)

    def worth(self, galaxy: Galaxy, seat: int, type_: str, sector: str) -> int:
        """The power of the bases of a type in a sector, by themselves."""
        house = galaxy.houses[seat]
        if type_ == "political":
            return self.location(galaxy, seat, sector) if sector in house.embassies else 0
        return (house.complexes if type_ == "industrial" else house.outposts).get(sector, 0)

    def of_faction(self, galaxy: Galaxy, seat: int, faction: str) -> int:
        """All embassies of it, wherever they are, and the home where it is wild."""
        house, power = galaxy.houses[seat], 0
        for at in house.embassies:
            if at == house.home:
                power += bool(self.reads("opt.wild"))
            elif self.tiles[galaxy.sectors[at].tile].faction == faction:
                power += self.location(galaxy, seat, at)
        return power

    def of_stack(self, galaxy: Galaxy, seat: int, sector: str, fighting: tuple[int, ...]) -> int:
        """A stack, those linked with it by either's range, and the fleets beside it."""
        house, away = galaxy.houses[seat], distances(galaxy, sector)
        own = house.outposts[sector]
        linked = [n for at, n in house.outposts.items() if away.get(at, 99) <= max(own, n) - 1]
        beside = [n for n, at in enumerate(house.fleets) if at == sector and n not in fighting]
        return sum(linked) + len(beside) * self.of_fleet(galaxy, seat)

    def of_fleet(self, galaxy: Galaxy, seat: int) -> int:
        """The tier of the track, and a technology."""
        built = sum(galaxy.houses[seat].outposts.values())
        return 1 + (built > 4) + (built > 8) + self.holds(galaxy, seat, "M2b")

    def starting(self, galaxy: Galaxy, side: Side) -> int:
        """Step 1, for a side that has chosen what it draws on."""
        seat, house, sector = side.seat, galaxy.houses[side.seat], side.sector
        drawn = side.draws[0] if side.draws else ""
        if side.type == "industrial":
            away = distances(galaxy, sector)
            near = sum(n for at, n in house.complexes.items() if away.get(at, 99) <= 1)
            halves = [gate for gate in house.gates if sector in (gate.first, gate.second)]
            dyson = side.bases and self.holds(galaxy, seat, "I2a")
            return near + (len(halves) if dyson else 0)
        if side.type == "political":
            agent = 1 + self.holds(galaxy, seat, "P2a")
            if side.bases:
                faction = str(self.tiles[galaxy.sectors[sector].tile].faction)
                agents = house.agents.count(sector)
                return self.of_faction(galaxy, seat, faction) + agent * agents
            lent = self.of_faction(galaxy, seat, drawn) if drawn else 0
            return agent * len(side.units) + lent
        if side.bases:
            return self.of_stack(galaxy, seat, sector, ())
        lent = self.of_stack(galaxy, seat, drawn, side.units) if drawn else 0
        return len(side.units) * self.of_fleet(galaxy, seat) + lent

    def price(self, galaxy: Galaxy, action: str, attacker: int, defender: Force) -> int:
        """Returns the price of declaring."""
        worth = self.worth(galaxy, defender.seat, defender.type, defender.sector)
        price = worth * (1 if action == "destroy" else 2)
        return max(0, price - self.holds(galaxy, attacker, "I2c"))

    def points(self, galaxy: Galaxy, board: str) -> dict[int, int]:
        """Returns a board's points for each player with a base there."""
        sectors = next(one.sectors for one in galaxy.boards if one.id == board)
        powers: dict[int, int] = {}
        for house in galaxy.houses:
            bases = [house.complexes.get(at, 0) + house.outposts.get(at, 0) for at in sectors]
            embassies = [at for at in house.embassies if at in sectors]
            located = [self.location(galaxy, house.seat, at) for at in embassies]
            homes = sum(at == house.home for at in embassies)
            if any(bases) or embassies:
                powers[house.seat] = sum(bases) + sum(located) + homes
        places = sorted(set(powers.values()), reverse=True)
        tied = Counter(powers.values())
        more = 2 * (len(powers) == 1) + (board == "K")
        return {seat: _place(place, places, tied) + more for seat, place in powers.items()}


def _place(power: int, places: list[int], tied: Mapping[int, int]) -> int:
    place = places.index(power)
    if place == 0:
        return 6 if tied[power] == 1 else 3
    if place == 1 and tied[places[0]] == 1:
        return 3 if tied[power] == 1 else 1
    return 1


# --- the recount ----------------------------------------------------------------------------------


class Recount:
    """Follows a match; the contributions that facts list, side by side with the book."""

    def __init__(self, terms: Terms) -> None:
        self.book = Book(terms)
        self.seen: Counter[type[Fact]] = Counter()
        self.purses: Counter[str] = Counter()
        self.paid = 0  # by the last transfer
        self.power: Counter[int] = Counter()  # but for support
        self.support: dict[int, tuple[int, int]] = {}  # who: whom, how much
        self.due: Counter[tuple[int, str, int]] = Counter()  # units that fall or are saved
        self.bases = self.left = 0  # of the loser: that fall; of the winner: on its player board
        self.placed: Counter[str] = Counter()

    def before(self, galaxy: Galaxy, fact: Fact) -> None:
        """Compare a fact with the table that it is about."""
        self.seen[type(fact)] += 1
        ways: dict[type[Fact], Callable[[Galaxy, Any], None]] = {
            Transferred: self._transfer, ContestBegun: self._begun, Compared: self._compared,
            StartingPowerCounted: self._started, BoardScored: self._scored,
            StepBegun: self._step,
        }  # fmt: skip
        if type(fact) in ways:
            ways[type(fact)](galaxy, fact)
        else:
            self._added(fact)
            self._fallen(galaxy, fact)

    def after(self, galaxy: Galaxy) -> None:
        """No CAP has moved but by a transfer, and none is owed but by the bank."""
        held = {who: n for who, n in galaxy.accounts.balances[CAPS].items() if n}
        assert held == {who: n for who, n in self.purses.items() if n}
        assert min((n for who, n in held.items() if who != "bank"), default=0) >= 0

    def _transfer(self, galaxy: Galaxy, fact: Transferred) -> None:
        assert fact.rule in CITED, f"{fact} is by no rule"
        assert fact.amount > 0
        self.purses[fact.source] -= fact.amount
        self.purses[fact.target] += fact.amount
        self.paid = fact.amount

    def _begun(self, galaxy: Galaxy, fact: ContestBegun) -> None:
        price = self.book.price(galaxy, fact.action, fact.attacker.seat, fact.defender)
        assert fact.cost == price == _total(*fact.price)
        assert not price or self.paid == price
        reach = distances(galaxy, fact.attacker.sector)[fact.sector]
        far = {"political": "P3a", "martial": "M3a"}.get(fact.attacker.type)
        longer = far is None or self.book.holds(galaxy, fact.attacker.seat, far)
        assert reach == fact.distance <= int(longer)
        self.power, self.support = Counter(), {}

    def _started(self, galaxy: Galaxy, fact: StartingPowerCounted) -> None:
        side = galaxy.contest.side_of(fact.seat) if galaxy.contest else None
        assert side is not None
        assert _total(*fact.contributions) == self.book.starting(galaxy, side), side
        self._standing(galaxy, side, fact.contributions)
        self.power[fact.seat] += _total(*fact.contributions)

    def _standing(self, galaxy: Galaxy, side: Side, listed: tuple[Contribution, ...]) -> None:
        """Every base that is listed stands there, so many of them, so far away, and once."""
        house = galaxy.houses[side.seat]
        bases = {"complex": house.complexes, "outpost": house.outposts}
        lending = side.draws[0] if side.type == "martial" and side.draws else side.sector
        away = distances(galaxy, lending)
        of_bases = [one for one in listed if one.piece in bases]
        for one in of_bases:
            assert (one.count, one.distance) == (bases[one.piece][one.sector], away[one.sector])
        assert len({one.sector for one in of_bases}) == len(of_bases)

    def _added(self, fact: Fact) -> None:
        """Adds what a step brings beyond the first, as its fact lists it."""
        if isinstance(fact, Supported):
            self.support[fact.seat] = (fact.side, _total(*fact.contributions))
        elif isinstance(fact, SupportRaised):
            whom, lent = self.support[fact.seat]
            self.support[fact.seat] = (whom, lent + _total(fact.contribution))
        elif isinstance(fact, SupportCanceled):
            del self.support[fact.seat]
        elif isinstance(fact, PowerAdded | TechnologyRevealed | TopCardTurned):
            self.power[fact.seat] += _total(fact.contribution)
        elif isinstance(fact, CardExchanged):
            self.power[fact.seat] += _total(*fact.contributions)

    def _compared(self, galaxy: Galaxy, fact: Compared) -> None:
        contest = galaxy.contest
        assert contest is not None
        totals = self.power + Counter()
        for whom, lent in self.support.values():
            totals[whom] += lent
        assert (totals[fact.attacker], totals[fact.defender]) == (fact.attack, fact.defense)
        ties = [s for s in (fact.attacker, fact.defender) if self.book.holds(galaxy, s, "I3a")]
        higher = fact.attacker if fact.attack > fact.defense else fact.defender
        even = fact.attack == fact.defense
        assert fact.winner == ((ties[0] if ties else None) if even else higher)
        losers = [side for side in contest.sides if side.seat != fact.winner]
        self.due = Counter(
            (side.seat, UNITS[side.type], unit)
            for side in losers if side.type in UNITS for unit in side.units
        )  # fmt: skip
        won = fact.winner == fact.attacker
        self.bases = contest.defender.bases if won else 0
        built = galaxy.houses[fact.attacker].built(contest.defender.type)
        taking = won and contest.action == "takeover"
        self.left = min(self.bases, SUPPLY[contest.defender.type] - built) if taking else -1
        self.placed = Counter()

    def _fallen(self, galaxy: Galaxy, fact: Fact) -> None:
        contest = galaxy.contest
        if contest is None or contest.step != 4:
            return
        if isinstance(fact, UnitReturned | UnitSaved):
            self.due[fact.seat, fact.unit, fact.number] -= 1
        elif isinstance(fact, BaseReturned):
            assert (fact.seat, fact.sector) == (contest.defender.seat, contest.sector)
            self.placed["fallen"] += 1
        elif isinstance(fact, BasePlaced) and fact.seat == contest.attacker.seat:
            self.placed["placed"] += fact.sector == contest.sector
        elif isinstance(fact, BaseMoved):
            self.placed["moved"] += 1
        elif isinstance(fact, LocationsLeft):
            self.placed["empty"] += fact.count

    def _step(self, galaxy: Galaxy, fact: StepBegun) -> None:
        assert galaxy.contest is not None
        assert fact.step == galaxy.contest.step + 1
        if fact.step != 5:
            return
        assert not any(self.due.values()), self.due
        assert self.placed["fallen"] == self.bases
        filled = [self.placed[how] for how in ("placed", "moved", "empty")]
        if self.left < 0:
            assert filled == [0, 0, 0]
        else:
            assert sum(filled) == self.bases
            assert filled[0] == self.left

    def _scored(self, galaxy: Galaxy, fact: BoardScored) -> None:
        given: Counter[int] = Counter()
        for award in fact.awards:
            assert award.rule in CITED
            given[award.seat] += award.points
        assert dict(given) == self.book.points(galaxy, fact.board)


def _total(*contributions: Contribution) -> int:
    """Returns the sum of contributions; each is by a rule."""
    assert {one.rule for one in contributions} <= CITED
    return sum(one.amount for one in contributions)
