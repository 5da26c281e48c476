"""Building blocks of sentences: who does something, with what; sums that explain themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ledger.games.hegemonic.state.components import BASES, UNITS
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Seen, Sentence

from .names import counted, listed, source_name, technology_name

NOBODY: Final = "nobody"


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
    return listed([name_of(fact, seat) for seat in seats], NOBODY)


def plain(sentence: str) -> Sentence:
    """Makes a sentence from the fields of its fact, with `{who}` for its player."""

    def said(fact: Seen, _: Lookup) -> str:
        named = who(fact) if "seat" in fact else ""
        return sentence.format(**{**fact, "who": named})

    return said


def one(piece: str) -> str:
    """Returns a piece with its article."""
    return f"an {piece}" if piece[0] in "aeiou" else f"a {piece}"


def with_card(sentence: str, unseen: str = "") -> Sentence:
    """Makes a sentence about a technology card, or another for viewers who cannot see which."""

    def said(fact: Seen, door: Lookup) -> str:
        if hidden(fact["card"]):
            return unseen.format(who=who(fact))
        return sentence.format(who=who(fact), card=technology_name(door, fact["card"]))

    return said


def cards_seen(cards: Any, door: Lookup) -> str:
    """Lists cards by title; only counts them where they are hidden."""
    if hidden(cards):
        return counted(cards["hidden"], "card")
    return listed([technology_name(door, card) for card in cards], "no card")


def summed(contributions: Iterable[Seen], door: Lookup) -> str:
    """Lists each contribution: 3 complexes at S2b +3, Dyson Sphere Assembly +1."""
    said = [f"{part_words(part, door)} {part['amount']:+d}" for part in contributions]
    return ", ".join(said) or "nothing"


def part_words(part: Seen, door: Lookup) -> str:
    """Names the source of a contribution: 3 complexes at S2b, Dyson Sphere Assembly."""
    source = source_name(door, part["piece"])
    where = f" at {part['sector']}" if part["sector"] else ""
    what = counted(part["count"], source) if source in PIECES_COUNTED else source
    return f"{what}{where}"


PIECES_COUNTED: Final = frozenset((*BASES, *UNITS))
