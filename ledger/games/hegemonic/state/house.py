"""A player's house: its pieces on the map, its player board and its cards."""

from __future__ import annotations

from typing import Final

import msgspec

from ledger.kernel.audience import Open, Own, OwnCounted
from ledger.kernel.records import Seat

from .components import AGENT, FLEET, INDUSTRIAL, MARTIAL, POLITICAL

SUPPLY: Final = ""  # where a unit is that is not on the map: on the player board


class Gate(msgspec.Struct, array_like=True):
    """A gate pair. Its halves are both on the player board or both on the map."""

    first: Open[str] = SUPPLY
    second: Open[str] = SUPPLY

    @property
    def placed(self) -> bool:
        """True if the pair is on the map. Both halves are placed at once."""
        return self.first != SUPPLY

    @property
    def sectors(self) -> tuple[str, ...]:
        """Returns the sectors of the halves, if placed."""
        return (self.first, self.second) if self.placed else ()


class House(msgspec.Struct, array_like=True):
    """One player's side of the table.

    `board.build-order`: bases leave the player board from the left, so a track is one number: the
    number of its bases on the map. `board.return-order`: they come back to it from the right.
    `board.units-supply`: a unit that is not on the map waits on the player board.
    """

    seat: Open[Seat]
    color: Open[str] = ""
    home: Open[str] = ""  # the sector
    complexes: Open[dict[str, int]] = msgspec.field(default_factory=dict)  # by sector, never 0
    embassies: Open[list[str]] = msgspec.field(default_factory=list)
    outposts: Open[dict[str, int]] = msgspec.field(default_factory=dict)  # heights, never 0
    agents: Open[list[str]] = msgspec.field(default_factory=list)  # by number, from agent 0
    fleets: Open[list[str]] = msgspec.field(default_factory=list)
    gates: Open[list[Gate]] = msgspec.field(default_factory=list)
    hand: OwnCounted[list[str]] = msgspec.field(default_factory=list)
    inactive: Open[list[str]] = msgspec.field(default_factory=list)
    advanced: Open[list[str]] = msgspec.field(default_factory=list)
    tiles: OwnCounted[list[str]] = msgspec.field(default_factory=list)  # dealt in the setup
    packet: OwnCounted[list[str]] = msgspec.field(default_factory=list)  # of a draft
    chosen: Own[str] = ""  # the action card that lies face down
    has_chosen: Open[bool] = False
    chosen_by: Open[str] = ""  # the key of the answer that chose it
    played: Open[str] = ""  # the action card that lies face up
    committed: Own[str] = ""  # the technology card that lies face down in a conflict
    has_committed: Open[bool] = False
    leader: Open[str] = ""
    level: Open[int] = 0  # of the leader card
    score: Open[int] = 0
    attacked: Open[list[str]] = msgspec.field(default_factory=list)  # with what, in this phase
    drawn_on: Open[list[str]] = msgspec.field(default_factory=list)  # factions and stacks, likewise
    leading: Open[int] = 0  # the ability of the leader card that is being resolved
    passed: Open[list[str]] = msgspec.field(default_factory=list)  # moments, not again this phase
    order: Open[int | None] = None  # the number of its card, where a leader says otherwise
    retained: Open[int] = 0  # that a leader adds to the retention limit of this round

    # --- bases ----------------------------------------------------------------------------------

    def bases(self, type_: str) -> dict[str, int]:
        """Returns the number of bases of a type in each sector that has one."""
        if type_ == INDUSTRIAL:
            return self.complexes
        if type_ == MARTIAL:
            return self.outposts
        return dict.fromkeys(self.embassies, 1)

    def bases_at(self, type_: str, sector: str) -> int:
        if type_ == POLITICAL:
            return int(sector in self.embassies)
        return self.bases(type_).get(sector, 0)

    def has_base_at(self, sector: str) -> bool:
        """Returns whether a base of any type is in a sector."""
        return sector in self.complexes or sector in self.embassies or sector in self.outposts

    def built(self, type_: str) -> int:
        """Returns the number of bases of a type on the map."""
        return len(self.embassies) if type_ == POLITICAL else sum(self.bases(type_).values())

    def add_base(self, type_: str, sector: str) -> None:
        """Adds a base in a sector. Only facts call it."""
        if type_ == POLITICAL:
            self.embassies.append(sector)
        else:
            standing = self.bases(type_)
            standing[sector] = standing.get(sector, 0) + 1

    def remove_base(self, type_: str, sector: str) -> None:
        """Removes a base from a sector. Only facts call it."""
        if type_ == POLITICAL:
            self.embassies.remove(sector)
            return
        standing = self.bases(type_)
        standing[sector] -= 1
        if not standing[sector]:
            del standing[sector]

    # --- units ----------------------------------------------------------------------------------

    def supply(self, agents: int, fleets: int, gates: int) -> None:
        """Puts all units on the player board. Only facts call it."""
        self.agents, self.fleets = [SUPPLY] * agents, [SUPPLY] * fleets
        self.gates = [Gate() for _ in range(gates)]

    def movers(self, unit: str) -> list[str]:
        """Returns the places of all agents, or all fleets, by number."""
        assert unit in (AGENT, FLEET), f"a {unit} does not move"
        return self.agents if unit == AGENT else self.fleets

    def movers_at(self, unit: str, sector: str) -> tuple[int, ...]:
        """Returns the numbers of the agents, or fleets, in a sector."""
        return tuple(number for number, at in enumerate(self.movers(unit)) if at == sector)

    def gates_at(self, sector: str) -> tuple[int, ...]:
        """Returns the numbers of the gate pairs that have a half in a sector."""
        return tuple(n for n, gate in enumerate(self.gates) if sector in gate.sectors)

    def units_at(self, type_: str, sector: str) -> tuple[int, ...]:
        """Returns the numbers of the units of a type in a sector."""
        if type_ == INDUSTRIAL:
            return self.gates_at(sector)
        return self.movers_at(AGENT if type_ == POLITICAL else FLEET, sector)

    def in_supply(self, unit: str) -> tuple[int, ...]:
        """Returns the numbers of the units that wait on the player board."""
        if unit in (AGENT, FLEET):
            return self.movers_at(unit, SUPPLY)
        return tuple(number for number, gate in enumerate(self.gates) if not gate.placed)
