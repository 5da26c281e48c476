"""Rows of a story: a fact with its sentence, which is a template or a function of the view.

row = rows(NAMINGS, tags=("conflict",))
row(CardDrawn, "{who} draws {card:card}.", unseen="{who} draws a card.")
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Fact
from ledger.kernel.story import (
    Beat,
    ConflictBegun,
    ConflictDecided,
    ConflictEnded,
    ConflictStep,
    Fought,
    PartsAdded,
    Seen,
    Sentence,
    SidePart,
)
from ledger.parts.shown.scene import own_id
from ledger.parts.text import Namings, sentences


def rows(namings: Namings, **usual: Any) -> Callable[..., Beat]:
    """Returns the maker of a game's rows, with what is usual for them.

    `cases` are a field and the templates for some of its values. The sentence of a fact that
    `decides` a conflict is its outcome.
    """
    plain = sentences(namings)

    def row(
        fact: type[Fact],
        sentence: str | Sentence,
        *,
        unseen: str = "",
        cases: tuple[str, Mapping[Any, str]] = ("", {}),
        decides: bool = False,
        **rest: Any,
    ) -> Beat:
        said = plain(sentence, unseen=unseen) if isinstance(sentence, str) else sentence
        if cases[0]:
            said = _choose(*cases, said, plain)
        outcome = {"conflict": _decides(said)} if decides else {}
        return Beat(fact, said, **{**usual, **outcome, **rest})

    return row


def _choose(
    field: str, cases: Mapping[Any, str], other: Sentence, plain: Callable[[str], Sentence]
) -> Sentence:
    told = {value: plain(sentence) for value, sentence in cases.items()}
    return lambda fact, lookup: told.get(fact[field], other)(fact, lookup)


def ends(*_: object) -> Sequence[ConflictStep]:
    """Ends the conflict; the `conflict` of a row."""
    return [ConflictEnded()]


def _decides(sentence: Sentence) -> Fought:
    return lambda fact, lookup, _: [ConflictDecided(sentence(fact, lookup))]


def add_power(to: str, words: Callable[[Seen, Lookup], str], bases: Collection[str] = ()) -> Fought:
    """Returns how the contributions of a fact count: for the side that its field `to` names.

    Contributions of `bases` point at their pieces on the scene.
    """

    def share(fact: Seen, lookup: Lookup, part: Seen) -> SidePart:
        cell, seat = part["sector"] or None, fact["seat"]
        base = own_id(seat, part["piece"], cell) if cell and part["piece"] in bases else None
        return SidePart(words(part, lookup), part["amount"], part["rule"], seat, cell, base)

    def added(fact: Seen, lookup: Lookup, begun: ConflictBegun | None) -> Sequence[ConflictStep]:
        sides = [] if begun is None else [seat for seat, _ in begun.sides]
        if fact[to] not in sides:
            return []
        parts = fact["contributions"] if "contributions" in fact else [fact["contribution"]]
        shares = tuple(share(fact, lookup, part) for part in parts)
        return [PartsAdded(sides.index(fact[to]), shares)]

    return added
