"""Retelling: how a game divides its story, and what it says of it besides sentences.

A ruleset names, by the type of a fact, what begins and ends with it, which tags it bears, what it
adds to a deal or a conflict; and of a position, the figures whose course is drawn as curves. All of
it is made from *views*, as scenes and sentences are: so it cannot say more than a viewer may know.

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
    from .lookup import Door

Seen: TypeAlias = Mapping[str, Any]  # a view: of a position, or of a fact


class Heading(NamedTuple):
    """What begins with a fact; it lasts until one of its level or of a higher one begins or ends.

    The same label again, while it lasts, begins nothing.
    """

    level: str  # one of the retelling's levels
    label: str
    seat: Seat | None = None  # whose it is, as a turn is
    whole: bool = False  # the event belongs to it from its first word
    aside: bool = False  # it is over with its event, unless the next one goes on with it


class DealStep(NamedTuple):
    """What happened to a deal."""

    deal: str
    what: str  # proposed, countered, accepted, made, declined, withdrawn, expired, paid, kept ...
    label: str = ""  # of the deal; said once, as it is proposed
    seats: tuple[Seat, ...] = ()  # its parties; likewise


class Part(NamedTuple):
    """What one piece, or one effect, adds to a side of a conflict."""

    name: str
    value: int
    rule: str = ""
    seat: Seat | None = None  # who gave it: the side itself, or a supporter
    cell: str | None = None  # ids of the scene
    piece: str | None = None


class ConflictBegun(NamedTuple):
    """A conflict began."""

    label: str
    cell: str | None
    sides: tuple[tuple[Seat | None, str], ...]  # the seat, and what fights
    summed: bool = True  # whether what a side has is the sum of its parts


class PartsAdded(NamedTuple):
    """Something was added to a side; it may be less than nothing."""

    side: int  # by number
    parts: tuple[Part, ...]


class SupportTaken(NamedTuple):
    """What somebody had added counts no longer."""

    seat: Seat
    name: str


class ConflictDecided(NamedTuple):
    """It is settled how the conflict ends."""

    outcome: str


class ConflictEnded(NamedTuple):
    """Nothing of it follows."""


ConflictStep: TypeAlias = (
    ConflictBegun | PartsAdded | SupportTaken | ConflictDecided | ConflictEnded
)


class Curve(NamedTuple):
    """A figure of each seat, as it is now; None for who has none, or whose is not to be known."""

    id: str
    name: str
    values: tuple[int | None, ...]
    column: bool = False  # whether an account of the match has a column of it


Begins: TypeAlias = Callable[[Seen, "Door"], Heading | None]
Tagged: TypeAlias = Callable[[Seen], Sequence[str]]
Dealing: TypeAlias = Callable[[Seen, "Door"], Sequence[DealStep]]
# Of a fact, and of the conflict as it began: which side is whose.
Fought: TypeAlias = Callable[[Seen, "Door", ConflictBegun | None], Sequence[ConflictStep]]


@dataclass(frozen=True, kw_only=True)
class Retelling:
    """What a game says of its story; facts are named by their wire names."""

    levels: tuple[str, ...] = ()  # of headings, the highest first
    begins: Mapping[str, Begins] = field(default_factory=dict)
    ends: Mapping[str, str] = field(default_factory=dict)  # a level, and all below it
    tags: Mapping[str, Tagged] = field(default_factory=dict)
    deals: Mapping[str, Dealing] = field(default_factory=dict)
    conflicts: Mapping[str, Fought] = field(default_factory=dict)
    curves: Callable[[Seen, Door], Sequence[Curve]] | None = None

    def check(self, facts: Sequence[str]) -> None:
        """Refuse what no fact of the ruleset would ever call for."""
        named = {*self.begins, *self.ends, *self.tags, *self.deals, *self.conflicts}
        if unknown := sorted(named - set(facts)):
            msg = f"the retelling speaks of facts that there are not: {', '.join(unknown)}"
            raise TypeError(msg)
        if lost := sorted(set(self.ends.values()) - set(self.levels)):
            msg = f"the retelling ends levels that it does not list: {', '.join(lost)}"
            raise TypeError(msg)


def tagged(*tags: str) -> Tagged:
    """The same tags for every fact of a type."""
    return lambda _: tags
