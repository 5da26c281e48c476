"""A small game of secrets that nobody ever shows: cards dealt to one seat, words for one ear.

Tic-tac-toe opens all that it seals; here private fields of open decisions, cards in a hand and
what nobody may know stay closed until the match does, or for ever.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from ledger.games import ruleset
from ledger.kernel.audience import Among, Open, Own, Secret
from ledger.kernel.chance import ChanceQuestion, Dealt, Deck, Draw, Rolled
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, State, Step
from ledger.kernel.ruleset import Result, Ruleset

TURNS = 4


class Table(State):
    """The deck, the hands of the seats, and the number of whispers."""

    deck: Open[Deck]
    hands: Secret[list[str]]
    turns: Open[int] = 0


class Whisper(Decision, tag="whisper.say"):
    """Say a word to a seat's ear, another aloud, and keep a third to oneself."""

    to: Open[Seat]
    aloud: Open[str]
    word: Annotated[str, Among("to")]
    thought: Own[str]


class CardDealt(Fact, tag="whisper.dealt"):
    """A card was dealt to a seat, which alone sees it."""

    seat: Open[Seat]
    epoch: Open[int]
    card: Own[str]

    def apply(self, table: Table) -> None:
        """It leaves the deck."""
        table.deck.take((self.card,), self.epoch)
        table.hands[self.seat] = self.card


class Whispered(Fact, tag="whisper.whispered"):
    """A word was said."""

    seat: Open[Seat]
    to: Open[Seat]
    aloud: Open[str]
    word: Annotated[str, Among("to")]

    def apply(self, table: Table) -> None:
        """Count it."""
        table.turns += 1


class Begin(Step):
    """`whisper.begin`: a card each, then words."""

    def run(self, table: Table) -> Happenings:
        """In order of the seats."""
        yield DealCard(0)
        yield DealCard(1)
        yield Speak(0)


class DealCard(ChanceQuestion):
    """`whisper.deal`: one card for one seat."""

    seat: Open[Seat]

    def address(self, table: Table) -> str:
        """One deal a seat."""
        return f"deal/s{self.seat}"

    def wish(self, table: Table) -> Draw:
        """One card."""
        return Draw(table.deck, 1, self.seat)

    def fallen(self, table: Table, answer: Dealt | Rolled) -> Happenings:
        """It is dealt."""
        assert isinstance(answer, Dealt)
        yield CardDealt(self.seat, answer.epoch, answer.cards[0])


class Speak(Question):
    """`whisper.speak`: the seats speak in turn."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Whisper,)
    seat: Open[Seat]

    def asks(self, table: Table) -> tuple[Seat, ...]:
        """Whose turn it is."""
        return (self.seat,)

    def key(self, table: Table, seat: Seat) -> str:
        """Turns are counted."""
        return f"speak/{table.turns + 1}"

    def allows(self, table: Table, seat: Seat, said: Whisper) -> bool:
        """To the other seat."""
        return said.to == 1 - seat

    def options(self, table: Table, seat: Seat) -> list[Whisper]:
        """Some words."""
        return [Whisper(1 - seat, "hm", word, "?") for word in ("yes", "no")]

    def decide(self, table: Table, seat: Seat, said: Whisper) -> Happenings:
        """The word is said, and it is the other's turn."""
        yield Whispered(seat, said.to, said.aloud, said.word)
        if table.turns < TURNS:
            yield Speak(1 - seat)


def empty_table(seats: int) -> Table:
    """Before the deal."""
    return Table(deck=Deck.of("cards", ["ace", "king", "queen", "ten"]), hands=[""] * seats)


def result_of(table: Table) -> Result:
    """The better card wins: secret until here, and told by the result alone."""
    order = ("ten", "queen", "king", "ace")
    best = max((0, 1), key=lambda seat: order.index(table.hands[seat]))
    return Result(winners=(best,), scores=(int(best == 0), int(best == 1)), reason="cards")


WHISPER = Ruleset(
    name="whisper",
    title="Whisper",
    seats=range(2, 3),
    state=Table,
    setup=empty_table,
    first=Begin(),
    result=result_of,
    agenda=(Begin, DealCard, Speak),
    decisions=(Whisper, Rolled, Dealt),
    facts=(CardDealt, Whispered),
    domains=("deck.cards",),
    source="of these tests",
)


def rules_of(name: str) -> Ruleset:
    """The rulesets of the house, and this one."""
    return WHISPER if name == "whisper" else ruleset(name)
