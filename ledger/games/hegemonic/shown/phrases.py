"""How sentences are made: who does something, with what; sums that explain themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from ledger.games.hegemonic.state.components import BASES, UNITS
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Door

from .names import counted, listed, source_name, technology_name

Seen: TypeAlias = Mapping[str, Any]
Sentence: TypeAlias = Callable[[Seen, Door], str]
Chapter: TypeAlias = Mapping[str, Sentence]

NOBODY: Final = "nobody"


def name_of(fact: Seen, seat: int | None) -> str:
    """A player by the name that the table knows it by."""
    if seat is None:
        return NOBODY
    called = fact.get("called", ())
    return called[seat] if 0 <= seat < len(called) else f"Seat {seat}"


def who(fact: Seen) -> str:
    """The player whom a fact is about."""
    return name_of(fact, fact["seat"])


def names(fact: Seen, seats: Iterable[int]) -> str:
    """Several players."""
    return listed([name_of(fact, seat) for seat in seats], NOBODY)


def plain(sentence: str) -> Sentence:
    """A sentence with the fields of its fact in it, and `{who}` for its player."""

    def said(fact: Seen, _: Door) -> str:
        named = who(fact) if "seat" in fact else ""
        return sentence.format(**{**fact, "who": named})

    return said


def nothing_said(_: Seen, __: Door) -> str:
    """What goes without saying."""
    return ""


def one(piece: str) -> str:
    """A piece with its article."""
    return f"an {piece}" if piece[0] in "aeiou" else f"a {piece}"


def with_card(sentence: str, unseen: str = "") -> Sentence:
    """A sentence about a technology card, or one for those who do not see which it is."""

    def said(fact: Seen, door: Door) -> str:
        if hidden(fact["card"]):
            return unseen.format(who=who(fact))
        return sentence.format(who=who(fact), card=technology_name(door, fact["card"]))

    return said


def cards_seen(cards: Any, door: Door) -> str:
    """Cards by their titles, or how many they are."""
    if hidden(cards):
        return counted(cards["hidden"], "card")
    return listed([technology_name(door, card) for card in cards], "no card")


def summed(contributions: Iterable[Seen], door: Door) -> str:
    """What each piece, or effect, has added: 3 complexes at S2b 3, Dyson Sphere Assembly 1."""
    said = [f"{part_words(part, door)} {part['amount']:+d}" for part in contributions]
    return ", ".join(said) or "nothing"


def part_words(part: Seen, door: Door) -> str:
    """What it is that adds: 3 complexes at S2b, Dyson Sphere Assembly."""
    source = source_name(door, part["piece"])
    where = f" at {part['sector']}" if part["sector"] else ""
    what = counted(part["count"], source) if source in PIECES_COUNTED else source
    return f"{what}{where}"


PIECES_COUNTED: Final = frozenset((*BASES, *UNITS))
