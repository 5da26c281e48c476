"""What a page needs to let people decide, in a vocabulary that knows no game.

Beside the options that a question lists there are decisions that nobody can list: words, sums,
lists of parts. A ruleset's `forms` says, of a view, what is to be filled in for each; what comes
of it is a plain decision, which is checked as any other. A *struggle* is what two sides or more
fight over at this moment: who they are, and what each has so far. An *offer* is what somebody has
put to others and nobody has closed: what it says, who has agreed, and how it can be answered.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One value of a field, and what it is called."""

    value: Any
    label: str


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to be filled in. Its name is a path into the decision: `terms.text`."""

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
    """A decision that is composed: what stands in it anyway, and what is filled in."""

    id: str  # tells forms of one decision apart
    label: str
    decision: dict[str, Any]  # with its type; what the fields name is put in
    fields: tuple[Field, ...]
    offer: str = ""  # the id of the offer that it answers


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What one thing, or one effect, gives a side."""

    name: str
    value: int
    cell: str = ""  # of the scene, where it stands


class Contender(msgspec.Struct, frozen=True, kw_only=True):
    """A side of a struggle."""

    seat: int
    role: str  # attacker, defender
    force: str  # with what it fights
    total: int
    shares: tuple[Share, ...] = ()


class Struggle(msgspec.Struct, frozen=True, kw_only=True):
    """What is being fought over."""

    title: str
    stage: str  # what is going on in it
    cell: str = ""
    sides: tuple[Contender, ...]
    notes: tuple[str, ...] = ()  # who has said what to it
    counters: tuple[str, ...] = ()  # of the scene, that say no more than this


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A way to answer an offer; whether it can be given now, the rules say when they are asked."""

    label: str
    decision: dict[str, Any]


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """Something put to others that stands open."""

    id: str
    title: str
    seat: int  # who made it
    parties: tuple[int, ...]  # with who made it
    agreed: tuple[int, ...]  # so far
    terms: tuple[str, ...]  # one after another
    private: bool = False
    until: str = ""  # in words, where it does not stand for ever
    answers: tuple[Answer, ...] = ()  # of whoever looks
