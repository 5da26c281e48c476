"""Fairness: tests if dice and cards fell evenly, over any number of matches.

Dice are counted by domain and sides, draws by domain and by the number of cards left to draw.
Each of m unseen cards is equally likely, so the place of the drawn card, in the order of names, is
equally likely to be any of m. Among copies of a card a lot decides which copy counts as drawn, so
decks with copies can be counted, too.

The chi-square of a row measures how far its counts are from even ones; p is the probability that
fair dice deviate as far or further. Fair dice show neither a very small p nor one very near 1.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ledger.kernel.chance import Draw, Roll, Rolled, Stream

from .dice import Fall

EXPECTED_MIN: Final = 5  # of each face; below that chi-square says nothing
STEPS_MAX: Final = 100_000


class DiceRow(NamedTuple):
    """The counts of one kind of die or draw in one domain."""

    domain: str
    kind: str  # d6, 1 of 11 cards
    counts: Sequence[int]

    @property
    def values(self) -> int:
        """Returns the number of results counted."""
        return sum(self.counts)

    @property
    def freedom(self) -> int:
        """Returns the degrees of freedom: one less than the number of counts."""
        return len(self.counts) - 1

    @property
    def enough(self) -> bool:
        """Tells if there are enough results, of several kinds, for a test."""
        return self.freedom > 0 and self.values >= EXPECTED_MIN * len(self.counts)

    @property
    def chi_square(self) -> float:
        """Returns the chi-square statistic against even counts."""
        expected = self.values / len(self.counts)
        return sum((count - expected) ** 2 / expected for count in self.counts)

    @property
    def p(self) -> float:
        """Returns the probability that fair results deviate as far or further."""
        return beyond(self.chi_square, self.freedom)


class Tally:
    """Counts the results of dice and draws."""

    def __init__(self) -> None:
        self.how: Counter[tuple[str, str]] = Counter()  # answers by domain, and how they came about
        self._dice: dict[tuple[str, int], Counter[int]] = {}
        self._cards: dict[tuple[str, int], Counter[int]] = {}

    def take(self, fall: Fall) -> None:
        """Counts one result, including results entered at a table."""
        domain = fall.wish.domain
        self.how[domain, fall.how] += 1
        if isinstance(fall.wish, Roll):
            assert isinstance(fall.answer, Rolled)
            self._dice.setdefault((domain, fall.wish.sides), Counter()).update(fall.answer.values)
            return
        assert not isinstance(fall.answer, Rolled)
        deck = fall.wish.deck if isinstance(fall.wish, Draw) else fall.wish.spread.deck
        left = dict(deck.unseen)
        for number, card in enumerate(fall.answer.cards):
            size = sum(left.values())
            if size > 1:  # the last one is no chance
                place = _place(left, card, f"{fall.match}/{fall.version}/{number}")
                self._cards.setdefault((domain, size), Counter())[place] += 1
            left[card] -= 1

    def rows(self) -> list[DiceRow]:
        """Returns all counts by domain and kind, dice first."""
        dice = [
            DiceRow(domain, f"d{sides}", [counts[face] for face in range(1, sides + 1)])
            for (domain, sides), counts in sorted(self._dice.items())
        ]
        cards = [
            DiceRow(domain, f"1 of {size} cards", [counts[place] for place in range(size)])
            for (domain, size), counts in sorted(self._cards.items())
        ]
        return dice + cards


def together(rows: Sequence[DiceRow]) -> tuple[float, int, float]:
    """Returns chi-square, freedom and p over all rows with enough results; p is 1 if there are
    none.
    """
    enough = [row for row in rows if row.enough]
    chi_square = sum(row.chi_square for row in enough)
    freedom = sum(row.freedom for row in enough)
    return chi_square, freedom, beyond(chi_square, freedom) if enough else 1.0


def _place(unseen: Mapping[str, int], card: str, about: str) -> int:
    before = sum(unseen[other] for other in unseen if other < card)
    copies = unseen[card]
    if copies == 1:
        return before
    return before + Stream(hashlib.sha256(about.encode()).digest()).below(copies)


def beyond(chi_square: float, freedom: int) -> float:
    """Returns the share of the chi-square distribution beyond a value.

    Computes the incomplete gamma function: its series below the mean, its continued fraction above.
    """
    a, x = freedom / 2, chi_square / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for step in range(1, STEPS_MAX):
            term *= x / (a + step)
            total += term
            if term < total * 1e-15:
                break
        return max(0.0, 1 - total * scale)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    for step in range(1, STEPS_MAX):
        factor = -step * (step - a)
        b += 2
        d = 1 / (factor * d + b or tiny)
        c = b + factor / c or tiny
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return fraction * scale
