"""Scoring: after every arbitration each board in play gives points for the bases on it.

Scoring ─▶ Standing of each player on the board ─▶ Places ─▶ awards ─▶ BoardScored
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.games.hegemonic.conflicts.power import base_power
from ledger.games.hegemonic.state.components import CORE, POLITICAL, TYPES, figure
from ledger.games.hegemonic.state.galaxy import Board, Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Fact, Happenings, Seat, Step
from ledger.parts.rankings import list_most


class Award(Frozen, frozen=True, array_like=True):
    """Points for a player, and the rule that gives them."""

    seat: Open[Seat]
    rule: Open[str]
    points: Open[int]


class BoardScored(Fact, tag="score.board"):
    """A board was scored: the power of each player with a base there, and the awards."""

    board: Open[str]
    powers: Open[tuple[tuple[Seat, int], ...]]
    awards: Open[tuple[Award, ...]]

    def apply(self, galaxy: Galaxy) -> None:
        """`score.track`: a score has no upper limit; lap markers are not part of the state."""
        for award in self.awards:
            galaxy.houses[award.seat].score += award.points


class Scoring(Step):
    """`score.when`: at the end of every arbitration phase each board is scored on its own.

    The core is a board too. `learn.rest`: boards are scored so in the Learning Game too.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Scores boards in the order laid, and passes over boards without a base."""
        for board in galaxy.boards:
            if powers := BoardPower.all_of(galaxy, board):
                awards = tuple(Places.awards(galaxy, board, powers))
                yield BoardScored(board.id, tuple(powers.items()), awards)


class BoardPower:
    """`score.power`: the power of a player's bases in all sectors of a board.

    `score.units`: gates, agents and fleets count nothing. `err.08`: home embassies count nothing.
    """

    @staticmethod
    def all_of(galaxy: Galaxy, board: Board) -> dict[Seat, int]:
        """Returns the power of every player with a base there, even one that is worth nothing."""
        held = {
            house.seat: [at for at in board.sectors if house.has_base_at(at)]
            for house in galaxy.houses
        }
        return {seat: BoardPower.of(galaxy, seat, at) for seat, at in held.items() if at}

    @staticmethod
    def of(galaxy: Galaxy, seat: Seat, sectors: list[str]) -> int:
        house = galaxy.houses[seat]
        return sum(
            BoardPower.in_sector(galaxy, seat, type_, sector)
            for sector in sectors
            for type_ in TYPES
            if house.bases_at(type_, sector)
        )

    @staticmethod
    def in_sector(galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> int:
        """`score.home-embassy`: the home embassy, of no power elsewhere, counts here."""
        if type_ == POLITICAL and sector == galaxy.houses[seat].home:
            return figure(galaxy, "score.home-embassy")
        return base_power(galaxy, seat, type_, sector)


class Places:
    """`score.control`, `score.influence`, `score.presence`: points for the first, the second, and
    all others on a board.

    `err.02`: players tied for first get 4.
    """

    @staticmethod
    def awards(galaxy: Galaxy, board: Board, powers: Mapping[Seat, int]) -> Iterator[Award]:
        """Yields the awards place by place, then the bonuses."""
        first, second, others = Places.of(galaxy, powers)
        alone = ("score.control", "score.influence")
        tied = ("score.tie-first", "score.tie-second")
        for place, seats in enumerate((first, second)):
            rule = alone[place] if len(seats) == 1 else tied[place]
            yield from (Award(seat, rule, figure(galaxy, rule)) for seat in seats)
        for seat in others:
            yield Award(seat, "score.presence", figure(galaxy, "score.presence"))
        yield from list_bonuses(galaxy, board, powers, first)

    @staticmethod
    def of(
        galaxy: Galaxy, powers: Mapping[Seat, int]
    ) -> tuple[tuple[Seat, ...], tuple[Seat, ...], tuple[Seat, ...]]:
        """`score.tie-first`, `score.tie-second`: several players of the same power share a place.

        `score.after-tie-first`: after a tie for first there is no second place, unless a reading
        says otherwise.
        """
        first = list_most(powers)
        rest = {seat: power for seat, power in powers.items() if seat not in first}
        if rest and len(first) > 1 and galaxy.reads("score.tie-first-blocks-second"):
            return first, (), tuple(rest)
        second = list_most(rest)
        return first, second, tuple(seat for seat in rest if seat not in second)


def list_bonuses(
    galaxy: Galaxy, board: Board, powers: Mapping[Seat, int], first: tuple[Seat, ...]
) -> Iterator[Award]:
    """`score.exclusive`: the only player with bases on a board gets more.

    `score.core`: on the core board each player with a base gets more, even in a tie. By a reading
    only the controlling player does (`err.07`), and in a tie no player does.

    Yields awards on top of those of the places.
    """
    if len(powers) == 1:
        points = figure(galaxy, "score.exclusive")
        yield from (Award(seat, "score.exclusive", points) for seat in powers)
    if board.id != CORE:
        return
    getting = tuple(powers)
    if galaxy.reads("score.core-who") == "controller":
        getting = first if len(first) == 1 else ()
    for seat in getting:
        yield Award(seat, "score.core", figure(galaxy, "score.core"))
