"""The base classes of a ruleset's records: state, decisions, facts, steps and questions.

Record
├── Decision   a seat's choice: imperative, kept for ever, written by field name
├── Fact       a result of the rules: past tense; its `apply` alone changes the state
├── Step       a part of the sequence of play that runs by itself
└── Question   a part of the sequence of play that waits for seats
    └── ChanceQuestion (chance.py)   ... that only dice and cards can answer
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, TypeVar

import msgspec

from .frozen import Frozen
from .refusals import Refused

if TYPE_CHECKING:
    from .lookup import Lookup

Seat: TypeAlias = int
CHANCE: Final[Seat] = -1  # dice and decks are a seat too
CONTROL: Final[Seat] = -2  # the referee, in a game that has one


class State(msgspec.Struct, array_like=True, kw_only=True, dict=True):
    """The position of a match. Mutable inside one fold, bytes everywhere else.

    The lookup is attached to the state so that rules can read readings and content. It is no
    field, so it is never stored, compared or shown.
    """

    @property
    def lookup(self) -> Lookup:
        """Returns the lookup for readings and content: it records inside a fold only."""
        lookup: Lookup = self.__dict__["lookup"]
        return lookup

    def reads(self, name: str) -> Any:
        """Returns the value in force for a reading. Call it only in the branch that needs it."""
        return self.__dict__["lookup"].reads(name)

    def table(self, name: str) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.__dict__["lookup"].table(name)
        return table


class Record(Frozen, frozen=True, tag=True, array_like=True, tag_field="type", gc=False):
    """An immutable record, identified by its tag."""


class Disturbs(Enum):
    """Says which seats must look again at decisions composed before this one."""

    EVERYBODY = "everybody"
    TOUCHED = "touched"  # those of the seats whose accounts it moves
    NOBODY = "nobody"


class Decision(Record, array_like=False, forbid_unknown_fields=True):
    """A seat's choice: `class Mark(Decision, tag="play.mark")`.

    A field with an audience other than `Open` is committed in the event, not written; `Own`
    means the seat that decides, so a decision needs no field `seat` for it.
    """

    owned_by_the_decider: ClassVar[bool] = True
    disturbs: ClassVar[Disturbs] = Disturbs.EVERYBODY


D = TypeVar("D", bound=Decision)


class Fact(Record, array_like=False):
    """A result of the rules: `class Marked(Fact, tag="play.marked")`. Only facts change state."""

    # A round, or the like, ends with it: a good place to come back to.
    checkpoint: ClassVar[bool] = False
    # A fact that ends instant undo: something was learned, or cannot be taken back.
    irrevocable: ClassVar[bool] = False

    def apply(self, state: Any) -> None:
        """Changes `state`; by default a fact changes nothing and only informs."""

    def discloses(self) -> Iterable[tuple[str, Seat]]:
        """Returns the sealed answers (question key, seat) that this fact reveals to all."""
        return ()


class Step(Record):
    """A part of the sequence of play that runs by itself. Its docstring cites the rule."""

    def run(self, state: Any) -> Happenings:
        """Yields the facts and what follows."""
        raise NotImplementedError


class Question(Record):
    """A part of the sequence of play that waits for a decision. Its docstring cites the rule.

    The first answer uses it up; a question that must stay open yields itself again. A
    *standing* question can be answered at any time, unless `standing_open` says otherwise, and
    is never used up.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = ()
    sealed: ClassVar[bool] = False  # nobody learns an answer before all have been given

    def asks(self, state: Any) -> tuple[Seat, ...]:
        """Returns the seats that may answer. It is public: it must not depend on hidden values."""
        raise NotImplementedError

    def key(self, state: Any, seat: Seat) -> str:
        """Returns the question's name on this line; it does not depend on the order of play."""
        raise NotImplementedError

    def allows(self, state: Any, seat: Seat, decision: Any) -> bool:
        """Returns whether `seat` may decide so. It may raise `Refused` to explain a no."""
        raise NotImplementedError

    def options(self, state: Any, seat: Seat) -> Iterable[Decision]:
        """Returns the listable answers of `seat`: generated, then filtered by `legal`."""
        raise NotImplementedError

    def legal(self, state: Any, seat: Seat, candidates: Iterable[D]) -> list[D]:
        """Returns those of the candidates that the question allows."""

        def allowed(decision: D) -> bool:
            try:
                return self.allows(state, seat, decision)
            except Refused:
                return False

        return [decision for decision in candidates if allowed(decision)]

    def decide(self, state: Any, seat: Seat, decision: Any) -> Happenings:
        """Yields the facts and what follows."""
        raise NotImplementedError

    def default(self, state: Any, seat: Seat) -> Decision | None:
        """Returns the decision after a time-out; None leaves it to the organizer's policy."""
        return next(iter(self.options(state, seat)), None)

    def standing_open(self, state: Any) -> bool:
        """Returns whether this standing question is open now (never while CHANCE is asked)."""
        return True


# A rule yields facts (each applied at once) and steps to come (done in the order yielded).
Happenings: TypeAlias = Iterator[Fact | Step | Question]

_RULE_ID = re.compile(r"`([a-z0-9_]+(?:[.-][a-z0-9_-]+)*)`")


def rule_of(kind: type[Any]) -> str:
    """Returns the rule id that a class cites first in its docstring."""
    return rule_cited(kind.__doc__ or "")


def rule_cited(docstring: str) -> str:
    """Returns the first rule id in a docstring, or an empty text."""
    found = _RULE_ID.search(docstring)
    return found.group(1) if found else ""


def tag_of(kind: type[msgspec.Struct] | msgspec.Struct) -> str:
    """Returns the wire name of a record."""
    return str(kind.__struct_config__.tag)
