"""Rows of a story: a fact with its sentence, which is a template or a function of the view.

row = rows(NAMINGS, tags=("conflict",))
row(CardDrawn, "{who} draws {card:card}.", unseen="{who} draws a card.")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ledger.kernel.records import Fact
from ledger.kernel.story import Beat, ConflictDecided, ConflictEnded, ConflictStep, Fought, Sentence
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
