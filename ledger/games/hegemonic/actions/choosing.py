"""Phases 3 to 5, Actions: choose a card in secret, reveal, resolve by order number.

ActionPhase ─▶ ChooseActions (sealed) ─▶ RevealActions ─▶ ResolveNumber ... ─▶ RecoverCards
│ one or more of a number
[NameStarter] ─▶ TakeTurn (resolving.py) ...
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.leaders.activation import Window
from ledger.games.hegemonic.rounds.clock import PhaseBegun
from ledger.games.hegemonic.state.components import ORDERS
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open, Own
from ledger.kernel.chance import ChanceQuestion, Roll, Rolled
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.sealed import Revealing, SealedQuestion
from ledger.parts.seats import ListedQuestion, SeatFact

from .resolving import TakeTurn


class CommitCard(Decision, tag="action.commit-card"):
    """Choose an action card, face down."""

    card: Own[str]


class ChooseStarter(Decision, tag="action.choose-tie-starter"):
    """Name the player who goes first among equal order numbers."""

    number: Open[int]
    seat: Open[Seat]


# --- facts ----------------------------------------------------------------------------------------


class CardCommitted(SeatFact, tag="action.committed"):
    """A player placed an action card face down."""

    card: Own[str]
    key: Open[str]  # of the answer

    def apply(self, galaxy: Galaxy) -> None:
        """The other players see only that it has chosen."""
        house = galaxy.houses[self.seat]
        house.chosen, house.has_chosen, house.chosen_by = self.card, True, self.key


class CardRevealed(Revealing, tag="action.revealed"):
    """A player's action card was turned up."""

    irrevocable = True
    card: Open[str]
    key: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        house = galaxy.houses[self.seat]
        house.played, house.chosen, house.has_chosen, house.chosen_by = self.card, "", False, ""


class StarterNamed(Fact, tag="action.starter-named"):
    """A player was named to go first among equal order numbers."""

    number: Open[int]
    seat: Open[Seat]

    def apply(self, galaxy: Galaxy) -> None:
        """Clears the player that a leader may have named."""
        galaxy.starter = None


class CardsRecovered(Fact, tag="action.recovered"):
    def apply(self, galaxy: Galaxy) -> None:
        for house in galaxy.houses:
            house.played = ""


# --- choosing and revealing -----------------------------------------------------------------------


class ActionPhase(Step):
    """`action.choose`: every player chooses a card; all are revealed, resolved and taken back."""

    phase: Open[int]

    def run(self, galaxy: Galaxy) -> Happenings:
        yield PhaseBegun(self.phase)
        yield ChooseActions(tuple(galaxy.seats))
        yield RevealActions()
        yield Window("revealed")
        yield ResolveCards()
        yield RecoverCards()


class ChooseActions(SealedQuestion):
    """`action.choose`: every player chooses one of six action cards, face down, at the
    same time.
    """

    answers = (CommitCard,)
    waiting: Open[tuple[Seat, ...]]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{galaxy.when}/card"

    def options(self, galaxy: Galaxy, seat: Seat) -> list[CommitCard]:
        return [CommitCard(card) for card in ORDERS.of(galaxy)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: CommitCard) -> Happenings:
        yield CardCommitted(seat, decision.card, self.key(galaxy, seat))
        yield from self.without(seat)


class ChangeCard(ListedQuestion):
    """`action.choose`: a reading lets a player change its card until all have chosen."""

    answers = (CommitCard,)

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        return tuple(house.seat for house in galaxy.houses if house.has_chosen)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{galaxy.houses[seat].chosen_by}/changed"

    def standing_open(self, galaxy: Galaxy) -> bool:
        """Open only under that reading."""
        return bool(galaxy.reads("action.recommit") == "on")

    def options(self, galaxy: Galaxy, seat: Seat) -> list[CommitCard]:
        held = galaxy.houses[seat].chosen
        return [CommitCard(card) for card in ORDERS.of(galaxy) if card != held]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: CommitCard) -> Happenings:
        """The new card replaces the old one, face down."""
        yield CardCommitted(seat, decision.card, self.key(galaxy, seat))


class RevealActions(Step):
    """`action.reveal`: the players turn all cards up together."""

    def run(self, galaxy: Galaxy) -> Happenings:
        for house in galaxy.houses:
            yield CardRevealed(house.seat, house.chosen, house.chosen_by)


# --- the order ------------------------------------------------------------------------------------


def order_number(galaxy: Galaxy, seat: Seat) -> int:
    """`action.order`: the number of the card that a player has played.

    `card.assault`: its number is 1. `card.industrialize`, `card.politicize`, `card.martialize`: its
    number is 2. `card.subvert`: its number is 3. `card.discover`: its number is 4.
    `err.04`: Martialize has number 3, Subvert 4, Discover 5.

    Returns the printed number unless a leader has changed it.
    """
    house = galaxy.houses[seat]
    return ORDERS.of(galaxy)[house.played].number if house.order is None else house.order


class ResolveCards(Step):
    """`action.order`: cards resolve in increasing order number.

    The step reads all numbers now. A correction of the numbers that comes into force while cards
    resolve applies from the next phase, so every card resolves exactly once.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        numbers = {seat: order_number(galaxy, seat) for seat in galaxy.seats}
        for number in sorted(set(numbers.values())):
            yield ResolveNumber(number, tuple(seat for seat in numbers if numbers[seat] == number))


class ResolveNumber(Step):
    """`action.ties`: on equal numbers the arbiter names the first player, then clockwise.

    `arbiter.ties`: it does so in every action phase. A reading lets chance name the player.
    """

    number: Open[int]
    tied: Open[tuple[Seat, ...]]  # who has it, in seat order

    def run(self, galaxy: Galaxy) -> Happenings:
        """A single player needs no naming."""
        if len(self.tied) == 1:
            yield TakeTurn(self.tied[0])
            return
        yield Window("tied", tied=self.tied)
        yield SettleStarter(self.number, self.tied)


class SettleStarter(Step):
    """`action.ties`: a player named by a leader goes first; else the arbiter or chance
    names one.
    """

    number: Open[int]
    tied: Open[tuple[Seat, ...]]

    def run(self, galaxy: Galaxy) -> Happenings:
        if galaxy.starter is not None:
            yield from turns_from(galaxy, self.number, self.tied, galaxy.starter)
        elif galaxy.reads("order.tie") == "random":
            yield RollStarter(self.number, self.tied)
        else:
            yield NameStarter(self.number, self.tied)


def turns_from(
    galaxy: Galaxy, number: int, tied: tuple[Seat, ...], first: Seat
) -> Iterator[Fact | Step | Question]:
    """Yields the turns of a number, clockwise from the first player."""
    yield StarterNamed(number, first)
    for seat in galaxy.clockwise(first):
        if seat in tied:
            yield TakeTurn(seat)


class NameStarter(Question):
    """`action.ties`: the arbiter names one of the tied players."""

    answers = (ChooseStarter,)
    number: Open[int]
    tied: Open[tuple[Seat, ...]]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        return (galaxy.arbiter,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{galaxy.when}/tie/{self.number}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: ChooseStarter) -> bool:
        """Accepts only the number that resolves now and one of the players tied on it."""
        if decision.number != self.number or decision.seat not in self.tied:
            evidence = {"number": self.number, "tied": list(self.tied)}
            raise Refused("not_tied", "action.ties", "The player is not tied there.", evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseStarter]:
        return [ChooseStarter(self.number, one) for one in self.tied]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseStarter) -> Happenings:
        yield from turns_from(galaxy, self.number, self.tied, decision.seat)


class RollStarter(ChanceQuestion):
    """`action.ties`: under a reading, a die names one of the tied players."""

    number: Open[int]
    tied: Open[tuple[Seat, ...]]

    def address(self, galaxy: Galaxy) -> str:
        return f"{galaxy.when}/tie/{self.number}"

    def wish(self, galaxy: Galaxy) -> Roll:
        """Requests a die with one side for each tied player."""
        return Roll(sides=len(self.tied))

    def fallen(self, galaxy: Galaxy, answer: Rolled) -> Happenings:
        """Counts the tied players in seat order."""
        first = self.tied[answer.values[0] - 1]
        yield from turns_from(galaxy, self.number, self.tied, first)


class RecoverCards(Step):
    """`action.recover`: after all cards have resolved, they return to their owners' hands."""

    def run(self, galaxy: Galaxy) -> Happenings:
        yield CardsRecovered()
