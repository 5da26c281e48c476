"""A game's story: how it is divided, and its tags, deals, conflicts and curves.

A ruleset maps each type of fact to its headings, tags, and steps of deals and conflicts.
For a position it gives the figures to draw as curves. All are made from *views*, like
scenes and sentences, so they reveal no more than the viewer may know.

    Retelling ─┬─ begins, ends   headings: round, phase, turn, conflict ...
               ├─ tags           conflict, deal, transfer, scoring, chance, pass
               ├─ deals          steps of a deal, by its id
               ├─ conflicts      how a conflict begins, what adds to a side, how it ends
               └─ curves         figures of each seat after an event
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .records import Seat

if TYPE_CHECKING:
    from .lookup import Lookup

Seen: TypeAlias = Mapping[str, Any]  # a view: of a position, or of a fact


class HeadingRule(NamedTuple):
    """A heading that begins with a fact.

    It lasts until a heading of its level or a higher one begins or ends. The same label begins
    nothing while it lasts.
    """

    level: str  # one of the retelling's levels
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


class Share(NamedTuple):
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
    parts: tuple[Share, ...]


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


Begins: TypeAlias = Callable[[Seen, "Lookup"], HeadingRule | None]
Tagged: TypeAlias = Callable[[Seen], Sequence[str]]
Dealing: TypeAlias = Callable[[Seen, "Lookup"], Sequence[DealStep]]
# Of a fact, and of the conflict as it began: which side is whose.
Fought: TypeAlias = Callable[[Seen, "Lookup", ConflictBegun | None], Sequence[ConflictStep]]


@dataclass(frozen=True, kw_only=True)
class Story:
    """A game's definition of its story; facts are named by their wire names."""

    levels: tuple[str, ...] = ()  # of headings, the highest first
    begins: Mapping[str, Begins] = field(default_factory=dict)
    ends: Mapping[str, str] = field(default_factory=dict)  # a level, and all below it
    tags: Mapping[str, Tagged] = field(default_factory=dict)
    deals: Mapping[str, Dealing] = field(default_factory=dict)
    conflicts: Mapping[str, Fought] = field(default_factory=dict)
    curves: Callable[[Seen, Lookup], Sequence[SeatFigures]] | None = None

    def check(self, facts: Sequence[str]) -> None:
        """Refuses unknown facts, and levels that are not listed."""
        named = {*self.begins, *self.ends, *self.tags, *self.deals, *self.conflicts}
        if unknown := sorted(named - set(facts)):
            msg = f"the retelling speaks of facts that there are not: {', '.join(unknown)}"
            raise TypeError(msg)
        if lost := sorted(set(self.ends.values()) - set(self.levels)):
            msg = f"the retelling ends levels that it does not list: {', '.join(lost)}"
            raise TypeError(msg)


def tagged(*tags: str) -> Tagged:
    """Returns the same tags for every fact of a type."""
    return lambda _: tags
