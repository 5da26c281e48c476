"""Words in sentences of any game: names of players, lists, counts, and templates of sentences.

    draws = Template("{who} draws {card:technology}.", {"technology": technology_name})
    draws.fill(fact, lookup)

A field's format names how it is said: `{to:seat}` and `{winners:seats}` by the players' names,
`{scores:each}` with what each player has, `{amount:# CAP}` counted, `{dice:list}` joined, others by
the game's own naming function. `{who}` is the fact's seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ledger.kernel.audience import hidden
from ledger.kernel.story import Seen, Sentence

if TYPE_CHECKING:
    from ledger.kernel.lookup import Lookup

NOBODY: Final = "nobody"
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

Naming: TypeAlias = Callable[["Lookup", Any], str]
Namings: TypeAlias = Mapping[str, Naming]


def join_words(words: Sequence[str], nothing: str = "nothing") -> str:
    """Joins words with commas, and an `and` before the last."""
    *first, last = words or (nothing,)
    return f"{', '.join(first)} and {last}" if first else last


def plural(word: str) -> str:
    """Returns the regular plural."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def counted(number: int, one: str, many: str = "") -> str:
    """Counts things in figures: 1 CAP, 2 CAPs."""
    return f"{number} {one if number == 1 else many or plural(one)}"


def spelled(number: int, one: str, many: str = "") -> str:
    """Counts things in words up to nine."""
    said = NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)
    return f"{said} {one if number == 1 else many or plural(one)}"


def with_article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def capitalized(words: str) -> str:
    """Capitalizes the first letter and leaves the others as they are."""
    return words[:1].upper() + words[1:]


# --- players --------------------------------------------------------------------------------------


def name_of(fact: Seen, seat: int | None) -> str:
    """Returns the name that the table knows a player by."""
    if seat is None:
        return NOBODY
    called = fact.get("called", ())
    return called[seat] if 0 <= seat < len(called) else f"Seat {seat}"


def who(fact: Seen) -> str:
    """Returns the name of the player whom a fact is about."""
    return name_of(fact, fact["seat"])


def names(fact: Seen, seats: Iterable[int]) -> str:
    return join_words([name_of(fact, seat) for seat in seats], NOBODY)


def each_seat(fact: Seen, values: Sequence[object]) -> str:
    """Says what each seat has: Yellow 6, Blue 3."""
    return ", ".join(f"{name_of(fact, seat)} {value}" for seat, value in enumerate(values))


# --- templates ------------------------------------------------------------------------------------


OF_SEATS: Final[Mapping[str, Callable[[Seen, Any], str]]] = {
    "seat": name_of,
    "seats": names,
    "each": each_seat,
}


class SentenceTemplate:
    """A sentence with fields, parsed once."""

    def __init__(self, sentence: str, namings: Namings) -> None:
        self.namings = namings
        self.parts = tuple(
            (text, field, kind or "") for text, field, kind, _ in Formatter().parse(sentence)
        )
        self.named = tuple(field for _, field, kind in self.parts if field and kind)

    def fill(self, fact: Seen, lookup: Lookup) -> str:
        """Returns the sentence with the words for the fields."""
        return "".join(
            text if field is None else text + self._words(fact, lookup, field, kind)
            for text, field, kind in self.parts
        )

    def _words(self, fact: Seen, lookup: Lookup, field: str, kind: str) -> str:
        if field == "who":
            return who(fact) if "seat" in fact else ""
        value = fact[field]
        if not kind:
            return str(value)
        if kind.startswith("# "):
            return counted(value if isinstance(value, int) else len(value), kind[2:])
        if kind == "list":
            return join_words([str(part) for part in value])
        if kind in OF_SEATS:
            return OF_SEATS[kind](fact, value)
        return self.namings[kind](lookup, value)


def sentences(namings: Namings) -> Callable[..., Sentence]:
    """Returns the maker of a game's sentences.

    With `unseen`, a fact has that sentence where a named field is hidden from the viewer.
    """

    def plain(sentence: str, *, unseen: str = "") -> Sentence:
        shown, covered = SentenceTemplate(sentence, namings), SentenceTemplate(unseen, namings)

        def said(fact: Seen, lookup: Lookup) -> str:
            if unseen and any(hidden(fact[field]) for field in shown.named):
                return covered.fill(fact, lookup)
            return shown.fill(fact, lookup)

        return said

    return plain
