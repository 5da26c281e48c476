"""The end: tested after the scoring of a round; then final scoring and the winner."""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.state.caps import caps_of
from ledger.games.hegemonic.state.components import figure, in_force
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import technology_of
from ledger.games.hegemonic.state.tracks import Income
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings, Seat, Step
from ledger.kernel.ruleset import Result
from ledger.parts.rankings import list_most
from ledger.parts.seats import SeatFact

# Why somebody has won.
POINTS: Final = "most points"
INCOME: Final = "highest income of equal points"
MOST_CAPS: Final = "most CAPs of equal points and income"
ARBITER_ORDER: Final = "first from the arbiter of equal points and income"
SHARED: Final = "equal points and income"


# --- facts ----------------------------------------------------------------------------------------


class RoundEnded(Fact, tag="round.ended"):
    """A round was scored."""

    checkpoint = True
    round: Open[int]
    scores: Open[tuple[int, ...]]


class EndKnown(Fact, tag="end.known"):
    """A condition of the end holds, which fixes the last round: this one or a later one."""

    rule: Open[str]
    last_round: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """The last round is fixed from now on."""
        galaxy.last_round = self.last_round


class FinalScored(SeatFact, tag="score.final"):
    """A player got points for its advanced technologies, card by card."""

    cards: Open[tuple[tuple[str, int], ...]]
    points: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].score += self.points


class WinnersDeclared(Fact, tag="end.winners"):
    """The game is over. Several players win where no tiebreak separates them."""

    winners: Open[tuple[Seat, ...]]
    reason: Open[str]
    scores: Open[tuple[int, ...]]
    incomes: Open[tuple[int, ...]] = ()  # where they decided, or could not

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.winners, galaxy.reason = self.winners, self.reason


# --- the test -------------------------------------------------------------------------------------


def find_end(galaxy: Galaxy) -> str:
    """`end.stack`: no sector tile is left in the stack. `end.hexes`: no hex can be filled.

    `opt.long-end`: in the longer game an empty stack ends nothing, and placing goes on from the
    pool. Without any tile left, in the stack or the pool, no hex can be filled.

    Returns the rule that ends the game now, or an empty string.
    """
    if not galaxy.stack and in_force(galaxy, "end.stack") and not galaxy.reads("opt.long"):
        return "end.stack"
    full = not galaxy.empty_sectors() or not (galaxy.stack or galaxy.pool)
    if full and in_force(galaxy, "end.hexes"):
        return "opt.long-end" if galaxy.reads("opt.long") else "end.hexes"
    return ""


class CheckEnd(Step):
    """`end.when`: the end is tested only after the scoring of a complete round.

    A figure of the rules may add more rounds.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Marks the round as a checkpoint, and ends the game after the last."""
        yield RoundEnded(galaxy.round, tuple(house.score for house in galaxy.houses))
        if galaxy.last_round is None and (rule := find_end(galaxy)):
            yield EndKnown(rule, galaxy.round + figure(galaxy, "end.extra-rounds"))
        if galaxy.last_round is not None and galaxy.round >= galaxy.last_round:
            yield FinalScoring()
            yield DeclareWinners()


class FinalScoring(Step):
    """`end.final-tech`: each advanced technology gives points by its tier."""

    def run(self, galaxy: Galaxy) -> Happenings:
        for house in galaxy.houses:
            if house.advanced:
                a_tier = figure(galaxy, "final.vp-per-tier")
                cards = [(card, technology_of(galaxy, card).tier) for card in house.advanced]
                points = tuple((card, a_tier * tier) for card, tier in cards)
                yield FinalScored(house.seat, points, sum(gained for _, gained in points))


class DeclareWinners(Step):
    """`end.winner`: the player with most points wins.

    `end.tiebreak`: of players with equally many, the one with the highest total income.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Compares incomes only where points do not decide."""
        scores = tuple(house.score for house in galaxy.houses)
        tied = list_most(dict(enumerate(scores)))
        if len(tied) == 1:
            yield WinnersDeclared(tied, POINTS, scores)
            return
        incomes = tuple(Income.total(galaxy, seat) for seat in galaxy.seats)
        winners, reason = list_most({seat: incomes[seat] for seat in tied}), INCOME
        if len(winners) > 1:
            winners, reason = break_last_tie(galaxy, winners)
        yield WinnersDeclared(winners, reason, scores, incomes)


def break_last_tie(galaxy: Galaxy, tied: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], str]:
    """`end.tiebreak-rest`: players still tied share the victory.

    A reading lets CAPs decide between them, or the first seat clockwise from the arbiter.

    Returns the winners and the reason.
    """
    last = galaxy.reads("tiebreak.last")
    if last == "caps":
        richest = list_most({seat: caps_of(galaxy, seat) for seat in tied})
        return richest, MOST_CAPS if len(richest) == 1 else SHARED
    if last == "arbiter-order":
        order = galaxy.clockwise(galaxy.arbiter)
        return (next(seat for seat in order if seat in tied),), ARBITER_ORDER
    return tied, SHARED


def result_of(galaxy: Galaxy) -> Result:
    """Returns the result, read entirely from recorded facts."""
    scores = tuple(house.score for house in galaxy.houses)
    return Result(winners=galaxy.winners, scores=scores, reason=galaxy.reason)
