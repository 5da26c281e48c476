"""The recount's own map: distances, hex by hex, and the worth of each piece in its place.

This module does not use power.py, reach.py, chart.py or tracks.py. It reads the map anew
from the places of sectors and pieces. Figures, tiles and cards come from the tables in force.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ledger.games.hegemonic.state.contest import Side
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Seat
from ledger.kernel.recount import TotalItem

SIDES: Final = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
FAR: Final = 99


class RecountedGalaxy:
    """The recount's reading of the rulebook for one table, with the figures in force."""

    def __init__(self, galaxy: Galaxy, lookup: Lookup) -> None:
        self.galaxy, self.lookup = galaxy, lookup

    # --- tables ---------------------------------------------------------------------------------

    def figure(self, name: str) -> int:
        return int(self.lookup.table("figures")[name].value)

    def tile(self, sector: str) -> Any:
        """Returns the tile in a sector; None for a home, which has no faction tile."""
        lying = self.galaxy.sectors[sector].tile
        return self.lookup.table("tiles").get(lying)

    def card(self, card: str) -> Any:
        return self.lookup.table("cards")[card]

    def has(self, seat: Seat, technology: str) -> bool:
        """Returns whether one of a player's advanced cards shows a technology."""
        cards = self.galaxy.houses[seat].advanced
        return technology in [self.card(card).technology for card in cards]

    # --- distance -------------------------------------------------------------------------------

    def distances(self, start: str, most: int = FAR, to: str | None = None) -> dict[str, int]:
        """`range.metric`: steps to all sectors no further away than `most`, or than `to`.

        A gate pair is one step. The centre is a step only by a reading.
        """
        beside = self._beside()
        linked: dict[str, list[str]] = {}
        for house in self.galaxy.houses:
            for gate in house.gates:
                if gate.first:
                    linked.setdefault(gate.first, []).append(gate.second)
                    linked.setdefault(gate.second, []).append(gate.first)
        found, todo = {start: 0}, [start]
        for sector in todo:
            away = found[sector] + 1
            if away > most or to in found:
                break
            near = beside[sector]
            for one in (*near, *linked[sector]) if sector in linked else near:
                if one not in found:
                    found[one] = away
                    todo.append(one)
        return found

    def _beside(self) -> dict[str, tuple[str, ...]]:
        """Returns the neighbours of each sector; cached until a board is added."""
        sectors, center = self.galaxy.sectors, self.lookup.reads("range.center") == "open"
        held: Any = self.galaxy.__dict__.get("beside")
        if held is None or held[0] != (len(sectors), center):
            at = {(one.q, one.r): one.id for one in sectors.values()}
            if center:
                at.setdefault((0, 0), "")
            beside = {
                sector: tuple(at[q + dq, r + dr] for dq, dr in SIDES if (q + dq, r + dr) in at)
                for (q, r), sector in at.items()
            }
            held = self.galaxy.__dict__["beside"] = ((len(sectors), center), beside)
        found: dict[str, tuple[str, ...]] = held[1]
        return found

    # --- what bases are worth -------------------------------------------------------------------

    def located(self, seat: Seat, sector: str) -> int:
        """`power.embassy`, `power.home-embassy`: the figure of the location; none in a home."""
        tile = self.tile(sector)
        home = sector == self.galaxy.houses[seat].home
        return 0 if home or tile is None or tile.faction is None else int(tile.political)

    def worth(self, seat: Seat, type_: str, sector: str) -> int:
        """`power.types`: the power of the bases of a type in a sector, by themselves."""
        house = self.galaxy.houses[seat]
        if type_ == "political":
            return self.located(seat, sector) if sector in house.embassies else 0
        return (house.complexes if type_ == "industrial" else house.outposts).get(sector, 0)

    def space(self, seat: Seat, type_: str) -> Any:
        """Returns the right-most vacated space of a track; None if all are covered."""
        house = self.galaxy.houses[seat]
        stacks = house.complexes if type_ == "industrial" else house.outposts
        built = len(house.embassies) if type_ == "political" else sum(stacks.values())
        return self.lookup.table("spaces")[f"{type_}-{built}"] if built else None

    def fleet(self, seat: Seat) -> int:
        """`power.fleet`: the martial tier of the player board."""
        space = self.space(seat, "martial")
        return int(self.lookup.reads("board.zero-tier") if space is None else space.tier)

    # --- starting power -------------------------------------------------------------------------

    def starting(self, side: Side) -> list[TotalItem]:
        """Returns the items of step 1 for a side that has chosen its draws."""
        seat, sector = side.seat, side.sector
        if side.type == "industrial":
            return list(self._industrial(seat, sector, group=bool(side.bases)))
        if side.type == "political":
            if side.bases:
                faction = str(self.tile(sector).faction)
                agents = self.galaxy.houses[seat].agents.count(sector)
                units = self._units(seat, "agent", agents, sector, "step1.embassy")
                return [*self._faction(seat, faction, "step1.embassy"), *units]
            own = list(self._units(seat, "agent", len(side.units), sector, "step1.agent"))
            drawn = [list(self._faction(seat, one, "step1.agent")) for one in side.draws]
            return _merge_draws(own, drawn)
        if side.bases:
            return list(self._stacks(seat, sector, ()))
        own = list(self._units(seat, "fleet", len(side.units), sector, "step1.fleet"))
        return _merge_draws(own, [list(self._stacks(seat, at, side.units)) for at in side.draws])

    def _industrial(self, seat: Seat, sector: str, *, group: bool) -> Iterator[TotalItem]:
        """`step1.complex`, `step1.gate`: complexes no further away than their range."""
        house, range_ = self.galaxy.houses[seat], self.figure("range.complex")
        away = self.distances(sector, range_)
        rule = "step1.complex" if group else "step1.gate"
        for at, count in house.complexes.items():
            if away.get(at, FAR) <= range_:
                yield TotalItem(rule, "complex", count, count, at, away[at])
        halves = sum(sector in (gate.first, gate.second) for gate in house.gates)
        dyson = "dyson-sphere-assembly"
        if group and halves and self.has(seat, dyson):
            worth = halves * self.figure("tech.dyson")
            yield TotalItem(f"tech.{dyson}", dyson, worth, halves, sector)

    def _faction(self, seat: Seat, faction: str, rule: str) -> Iterator[TotalItem]:
        """`step1.embassy`: all embassies of a faction, wherever they are."""
        house = self.galaxy.houses[seat]
        for at in house.embassies:
            tile = self.tile(at)
            if at == house.home:
                if self.lookup.reads("opt.wild"):
                    yield TotalItem("opt.wild-conflict", "embassy", 1, 1, at)
            elif tile is not None and tile.faction == faction:
                yield TotalItem(rule, "embassy", self.located(seat, at), 1, at)

    def _units(
        self, seat: Seat, unit: str, count: int, sector: str, rule: str
    ) -> Iterator[TotalItem]:
        """`power.agent`, `power.fleet`: each unit that counts, and its bonus by technology."""
        if not count:
            return
        each = 1 if unit == "agent" else self.fleet(seat)
        yield TotalItem(rule, unit, count * each, count, sector)
        more = {"agent": "nano-accelerants", "fleet": "hyper-cannon-batteries"}[unit]
        if self.has(seat, more):
            amount = self.figure({"agent": "tech.nanoacc", "fleet": "tech.hyper"}[unit])
            yield TotalItem(f"tech.{more}", more, count * amount, count, sector)

    def _stacks(self, seat: Seat, sector: str, fighting: tuple[int, ...]) -> Iterator[TotalItem]:
        """`step1.outpost`: stacks that reach this one, or that it reaches, and the fleets there."""
        house = self.galaxy.houses[seat]
        own = house.outposts[sector]
        away = self.distances(sector, max(house.outposts.values()) - 1)
        for at, height in house.outposts.items():
            if away.get(at, FAR) <= max(own, height) - 1:
                yield TotalItem("step1.outpost", "outpost", height, height, at, away[at])
        beside = [n for n, at in enumerate(house.fleets) if at == sector and n not in fighting]
        yield from self._units(seat, "fleet", len(beside), sector, "step1.outpost")


def _merge_draws(own: list[TotalItem], drawn: list[list[TotalItem]]) -> list[TotalItem]:
    """`step1.count-once`: a piece in several draws counts once."""
    counted: dict[tuple[str, str], TotalItem] = {}
    for lent in drawn:
        for item in lent:
            counted.setdefault((item.piece, item.sector), item)
    return [*own, *counted.values()]
