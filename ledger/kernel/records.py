"""What a ruleset declares: its state, its decisions and facts, and the steps and questions of play.

Record
├── Decision   what a seat chose: imperative, kept for ever, written by field name
├── Fact       what the rules made of it: past tense; its `apply` alone changes the state
├── Step       a line of the sequence of play that runs by itself
└── Question   a line of the sequence of play that waits for seats
└── ChanceQuestion (chance.py)   ... that only dice and cards can answer
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

import msgspec

from .frozen import Frozen

if TYPE_CHECKING:
    from .lookup import Door

Seat: TypeAlias = int
CHANCE: Final[Seat] = -1  # dice and decks are a seat too
CONTROL: Final[Seat] = -2  # the referee, in a game that has one


class State(msgspec.Struct, array_like=True, kw_only=True, dict=True):
    """Where a match stands. Mutable inside one fold, bytes everywhere else.

    The door to readings and content hangs on the state so that rules can ask through it; it is
    no field, so it is never stored, compared or shown.
    """

    @property
    def door(self) -> Door:
        """The way to readings and content: it records inside a fold, and nowhere else."""
        door: Door = self.__dict__["door"]
        return door

    def reads(self, name: str) -> Any:
        """The value in force for a reading. Ask only in the branch where the value matters."""
        return self.__dict__["door"].reads(name)

    def table(self, name: str) -> Mapping[str, Any]:
        """A table of content by row id."""
        table: Mapping[str, Any] = self.__dict__["door"].table(name)
        return table


class Record(Frozen, frozen=True, tag=True, array_like=True, tag_field="type", gc=False):
    """An immutable row, told apart by its tag."""


class Disturbs(Enum):
    """Whose decisions, composed before they knew of this one, have to be looked at again."""

    EVERYBODY = "everybody"
    TOUCHED = "touched"  # those of the seats whose accounts it moves
    NOBODY = "nobody"


class Decision(Record, array_like=False, forbid_unknown_fields=True):
    """What a seat chose: `class Mark(Decision, tag="play.mark")`.

    A field with an audience other than `Open` is committed in the event, not written; `Own` means
    the seat that decides, so a decision needs no field `seat` of its own for it.
    """

    owned_by_the_decider: ClassVar[bool] = True
    disturbs: ClassVar[Disturbs] = Disturbs.EVERYBODY


class Fact(Record, array_like=False):
    """What happened: `class Marked(Fact, tag="play.marked")`. Facts alone change the state."""

    # A round, or the like, ends with it: a good place to come back to.
    checkpoint: ClassVar[bool] = False
    # A fact that ends instant undo: something was learned, or cannot be taken back.
    irrevocable: ClassVar[bool] = False

    def apply(self, state: Any) -> None:
        """Change `state`; by default a fact only tells."""

    def discloses(self) -> Iterable[tuple[str, Seat]]:
        """The sealed answers (question key, seat) that everybody has now seen."""
        return ()


class Step(Record):
    """A line of the sequence of play that runs by itself. Its docstring cites the rule."""

    def run(self, state: Any) -> Happenings:
        """Yield what happens and what comes next."""
        raise NotImplementedError


class Question(Record):
    """A line of the sequence of play that waits for a decision. Its docstring cites the rule.

    The first answer uses it up; a question that must stay open yields itself again. A *standing*
    question can be answered at any time, unless `standing_open` says otherwise, and is never used
    up.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = ()
    sealed: ClassVar[bool] = False  # nobody learns an answer before all have been given

    def asks(self, state: Any) -> tuple[Seat, ...]:
        """Who may answer. Public: it must not depend on what is hidden."""
        raise NotImplementedError

    def key(self, state: Any, seat: Seat) -> str:
        """The question's name on this line of play; it does not depend on the order of play."""
        raise NotImplementedError

    def allows(self, state: Any, seat: Seat, decision: Any) -> bool:
        """The rule: whether `seat` may decide so. It may raise `Refused` to say more than no."""
        raise NotImplementedError

    def options(self, state: Any, seat: Seat) -> Iterable[Decision]:
        """What `seat` may answer, as far as it can be listed: generated, filtered by `allows`."""
        raise NotImplementedError

    def decide(self, state: Any, seat: Seat, decision: Any) -> Happenings:
        """Yield what happens and what comes next."""
        raise NotImplementedError

    def default(self, state: Any, seat: Seat) -> Decision | None:
        """What a time-out decides; None leaves it to the organizer's policy."""
        return next(iter(self.options(state, seat)), None)

    def standing_open(self, state: Any) -> bool:
        """Whether this standing question may be answered now (never while CHANCE is asked)."""
        return True


# A rule yields facts (each applied at once) and steps to come (done in the order yielded).
Happenings: TypeAlias = Iterator[Fact | Step | Question]

_RULE_ID = re.compile(r"`([a-z0-9_]+(?:[.-][a-z0-9_-]+)*)`")


def rule_of(kind: type[Any]) -> str:
    """The rule id that a class cites first in its docstring."""
    found = _RULE_ID.search(kind.__doc__ or "")
    return found.group(1) if found else ""


def tag_of(kind: type[msgspec.Struct] | msgspec.Struct) -> str:
    """The wire name of a record."""
    return str(kind.__struct_config__.tag)
