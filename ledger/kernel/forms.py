"""Forms, struggles and offers: a page needs these to let people decide, in any game.

Besides the options that a question lists there are decisions that cannot be listed: texts,
sums, lists of parts. A ruleset's `forms` says from a view which fields each needs. The
result is a plain decision, checked like any other. A *struggle* is a current fight between
two or more sides: who they are, and how much each has so far. An *offer* is an open
proposal to other seats: its terms, who has agreed, and how it can be answered.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One value of a field, and its label."""

    value: Any
    label: str


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a form. Its name is a path into the decision: `terms.text`."""

    name: str
    label: str
    kind: Literal["text", "number", "choice", "choices", "list"]
    note: str = ""
    value: Any = None  # where nothing is filled in
    choices: tuple[Choice, ...] = ()  # of a choice, or of several
    always: tuple[Any, ...] = ()  # among several choices: these in any case
    low: int = 0  # of a number; of how many choices or parts
    high: int = 0  # the same; of how many letters a text has
    fields: tuple[Field, ...] = ()  # of each part of a list


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that a player composes: its fixed part, and the fields to fill in."""

    id: str  # tells forms of one decision apart
    label: str
    decision: dict[str, Any]  # with its type; what the fields name is put in
    fields: tuple[Field, ...]
    offer: str = ""  # the id of the offer that it answers


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """The contribution of one thing, or one effect, to a side."""

    name: str
    value: int
    cell: str = ""  # of the scene, where it stands


class Contender(msgspec.Struct, frozen=True, kw_only=True):
    seat: int
    role: str  # attacker, defender
    force: str  # with what it fights
    total: int
    shares: tuple[Share, ...] = ()


class Struggle(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    stage: str  # what is going on in it
    cell: str = ""
    sides: tuple[Contender, ...]
    notes: tuple[str, ...] = ()  # who has said what to it
    counters: tuple[str, ...] = ()  # of the scene, that say no more than this


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A way to answer an offer. The rules check only when it is given whether they allow it."""

    label: str
    decision: dict[str, Any]


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """An open proposal to other seats."""

    id: str
    title: str
    seat: int  # who made it
    parties: tuple[int, ...]  # with who made it
    agreed: tuple[int, ...]  # so far
    terms: tuple[str, ...]  # one after another
    private: bool = False
    until: str = ""  # in words, where it does not stand for ever
    answers: tuple[Answer, ...] = ()  # of whoever looks
