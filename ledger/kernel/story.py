"""A game's story: one row for each type of fact, and the curves of a position.

A row gives the fact's sentence, its headings and tags, and its steps of deals and conflicts.
For a position the story gives the figures to draw as curves. All are made from *views*, like
scenes, so they reveal no more than the viewer may know.

    Story ─┬─ levels     of headings: round, phase, turn, conflict ...
           ├─ beats      a row for each type of fact
           │   ├─ sentence       or why the fact goes without one
           │   ├─ tags           conflict, deal, transfer, scoring, chance, pass
           │   ├─ begins, ends   headings
           │   ├─ deal           steps of a deal, by its id
           │   └─ conflict       how a conflict begins, what adds to a side, how it ends
           └─ curves     figures of each seat after an event
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .records import Fact, Seat, tag_of

if TYPE_CHECKING:
    from .lookup import Lookup

Seen: TypeAlias = Mapping[str, Any]  # a view: of a position, or of a fact


class HeadingRule(NamedTuple):
    """A heading that begins with a fact.

    It lasts until a heading of its level or a higher one begins or ends. The same label begins
    nothing while it lasts.
    """

    level: str  # one of the story's levels
    label: str
    seat: Seat | None = None  # whose it is, as a turn is
    whole: bool = False  # the event belongs to it from its first word
    aside: bool = False  # it is over with its event, unless the next one goes on with it


class DealStep(NamedTuple):
    """A step of a deal."""

    deal: str
    what: str  # proposed, countered, accepted, made, declined, withdrawn, expired, paid, kept ...
    label: str = ""  # of the deal; said once, as it is proposed
    seats: tuple[Seat, ...] = ()  # its parties; likewise


class SidePart(NamedTuple):
    """The contribution of one piece, or one effect, to a side of a conflict."""

    name: str
    value: int
    rule: str = ""
    seat: Seat | None = None  # who gave it: the side itself, or a supporter
    cell: str | None = None  # ids of the scene
    piece: str | None = None


class ConflictBegun(NamedTuple):
    label: str
    cell: str | None
    sides: tuple[tuple[Seat | None, str], ...]  # the seat, and what fights
    summed: bool = True  # whether what a side has is the sum of its parts


class PartsAdded(NamedTuple):
    """Parts were added to a side; their values may be negative."""

    side: int  # by number
    parts: tuple[SidePart, ...]


class SupportTaken(NamedTuple):
    """A supporter's contribution no longer counts."""

    seat: Seat
    name: str


class ConflictDecided(NamedTuple):
    """The outcome of the conflict was decided."""

    outcome: str


class ConflictEnded(NamedTuple):
    """The conflict is over."""


ConflictStep: TypeAlias = (
    ConflictBegun | PartsAdded | SupportTaken | ConflictDecided | ConflictEnded
)


class SeatFigures(NamedTuple):
    """A figure of each seat at a position; None where a seat has none or it is hidden."""

    id: str
    name: str
    values: tuple[int | None, ...]
    column: bool = False  # whether an account of the match has a column of it


Sentence: TypeAlias = Callable[[Seen, "Lookup"], str]
Tagged: TypeAlias = Callable[[Seen], Sequence[str]]
Begins: TypeAlias = Callable[[Seen, "Lookup"], HeadingRule | None]
Dealing: TypeAlias = Callable[[Seen, "Lookup"], Sequence[DealStep]]
# Takes a fact's view, and how its conflict began: that says which side is whose.
Fought: TypeAlias = Callable[[Seen, "Lookup", ConflictBegun | None], Sequence[ConflictStep]]


@dataclass(frozen=True)
class Beat:
    """The row of one type of fact. Tags and headings may be the same for every fact of the type."""

    fact: type[Fact]
    sentence: Sentence | None = None  # it may be empty where a sentence beside it says the same
    _: KW_ONLY
    silent: str = ""  # why the fact has no sentence
    tags: Tagged | Sequence[str] = ()
    begins: Begins | HeadingRule | None = None
    ends: str = ""  # a level, and all below it
    deal: Dealing | None = None
    conflict: Fought | None = None

    def __post_init__(self) -> None:
        """Refuses a row without a sentence that does not say why."""
        if (self.sentence is None) != bool(self.silent):
            msg = f"{tag_of(self.fact)} needs a sentence or a reason to be silent, and not both"
            raise TypeError(msg)

    def told(self, seen: Seen, lookup: Lookup) -> str:
        """Returns the sentence of a fact; empty if it needs none."""
        return "" if self.sentence is None else self.sentence(seen, lookup)

    def tagged(self, seen: Seen) -> Sequence[str]:
        return self.tags(seen) if callable(self.tags) else self.tags

    def heading(self, seen: Seen, lookup: Lookup) -> HeadingRule | None:
        """Returns the heading that begins with a fact, or None."""
        return self.begins(seen, lookup) if callable(self.begins) else self.begins


@dataclass(frozen=True, kw_only=True)
class Story:
    """A game's definition of its story."""

    levels: tuple[str, ...] = ()  # of headings, the highest first
    beats: Sequence[Beat] = ()
    curves: Callable[[Seen, Lookup], Sequence[SeatFigures]] | None = None

    @cached_property
    def by_tag(self) -> Mapping[str, Beat]:
        """Returns the rows by the wire names of their facts; an erratum's fact keeps the name."""
        return {tag_of(beat.fact): beat for beat in self.beats}

    def check(self, facts: Sequence[str]) -> None:
        """Refuses unknown facts, two rows for one fact, and levels that are not listed."""
        if unknown := sorted(self.by_tag.keys() - set(facts)):
            msg = f"the story has rows of facts that there are not: {', '.join(unknown)}"
            raise TypeError(msg)
        if len(self.by_tag) < len(self.beats):
            msg = "the story has two rows of one fact"
            raise TypeError(msg)
        begun = {beat.begins.level for beat in self.beats if isinstance(beat.begins, HeadingRule)}
        ended = {beat.ends for beat in self.beats if beat.ends}
        if lost := sorted((begun | ended) - set(self.levels)):
            msg = f"the story has headings of levels that it does not list: {', '.join(lost)}"
            raise TypeError(msg)
