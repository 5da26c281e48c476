"""Promises: the machine-readable meaning of a deal, to judge whether it was kept.

Facts keep or break a promise. A promise *means* one of two things:

    never      no fact fits the pattern while the window is open
    at least   so many facts fit, or their amounts add up to so many

A window opens with the deal, or with the last of several facts in sequence. It closes
likewise, or when the game's clock reaches a number, or with the match. Patterns are
compared with facts as all players see them, never with hidden values: so a verdict reveals
no more than the parties have told each other.

A ruleset names its templates and defines the meaning of each. People judge promises made in
words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from .audience import Open
from .frozen import FrozenByName
from .records import Decision, Seat

Seen: TypeAlias = Mapping[str, Any]  # a fact, as everybody sees it; or a decision that is offered

BY: Final = "event.seat"  # a path that is no field: whose decision the event carries


class Condition(FrozenByName, frozen=True):
    """A test of a fact's value at a path, or at one of several paths.

    A path goes through records by the names of their fields and through lists by number, the
    last being -1: `attacker.seat`, `path.-1`. `is-not` requires that no path has one of the
    values.
    """

    paths: Open[tuple[str, ...]]
    test: Open[Literal["is", "is-not", "least", "most"]]
    values: Open[tuple[int | str, ...]]  # any of them will do; of a bound there is one

    def holds(self, seen: Seen, by: Seat | None) -> bool:
        """Returns whether the condition holds for a fact of an event that this seat decided."""
        found = [by if path == BY else value_at(seen, path) for path in self.paths]
        if self.test == "is-not":
            return not any(value in self.values for value in found)
        if self.test == "is":
            return any(value in self.values for value in found)
        (bound,) = self.values
        assert isinstance(bound, int), f"{self.test} goes with a number"
        numbers = [value for value in found if isinstance(value, int)]
        if self.test == "least":
            return any(value >= bound for value in numbers)
        return any(value <= bound for value in numbers)


class Pattern(FrozenByName, frozen=True):
    """Matches facts (or decisions) of these types for which all conditions hold."""

    facts: Open[tuple[str, ...]]
    where: Open[tuple[Condition, ...]] = ()

    def fits(self, seen: Seen, by: Seat | None = None) -> bool:
        return seen["type"] in self.facts and all(one.holds(seen, by) for one in self.where)


class Window(FrozenByName, frozen=True):
    """The period in which a promise applies."""

    opens: Open[tuple[Pattern, ...]] = ()  # one after another, once the deal is made
    closes: Open[tuple[Pattern, ...]] = ()  # likewise, once it is open
    until: Open[int | None] = None  # or when the clock of the game says so much


class PromiseMeaning(FrozenByName, frozen=True):
    """The meaning of a promise."""

    how: Open[Literal["never", "at-least"]]
    pattern: Open[Pattern]
    window: Open[Window] = Window()
    count: Open[int] = 1  # of facts; or of what they add up to
    summed: Open[str] = ""  # the amount of a fact: a number, or a list that is counted
    # An amount that one promise of a deal uses counts for no other; the one due first takes first.
    spent: Open[bool] = False
    # Decisions that would keep it. If one is never open to who promised it, it was impossible.
    chances: Open[tuple[Pattern, ...]] = ()
    # Facts that may have been meant to keep it: then a person has to decide.
    doubtful: Open[Pattern | None] = None

    def amount(self, seen: Seen) -> int:
        """Returns how much a fact counts towards the promise."""
        if not self.summed:
            return 1
        value = value_at(seen, self.summed)
        return value if isinstance(value, int) else len(value or ())


def value_at(seen: Any, path: str) -> Any:
    """Returns the value at a path, or None where the path leads nowhere."""
    for part in path.split("."):
        if isinstance(seen, Mapping):
            seen = seen.get(part)
        elif isinstance(seen, Sequence) and not isinstance(seen, str) and _is_number(part):
            place = int(part)
            seen = seen[place] if -len(seen) <= place < len(seen) else None
        else:
            return None
    return seen


def _is_number(part: str) -> bool:
    return part.removeprefix("-").isdecimal()


def having(path: str | Iterable[str], *values: int | str) -> Condition:
    """Returns the condition of one of these values at a path."""
    return Condition(paths=_paths(path), test="is", values=values)


def lacking(path: str | Iterable[str], *values: int | str) -> Condition:
    """Returns the condition of none of these values at any path."""
    return Condition(paths=_paths(path), test="is-not", values=values)


def _paths(path: str | Iterable[str]) -> tuple[str, ...]:
    return (path,) if isinstance(path, str) else tuple(path)


# --- what a ruleset says of its deals -------------------------------------------------------------


class Template(NamedTuple):
    """A kind of promise that needs no words."""

    name: str
    label: str  # to be completed: "not to attack"
    about: str = ""  # what its subject may be, if it has one
    judged: bool = True  # whether a machine can say if it was kept


class Paid(NamedTuple):
    """A payment between parties, in CAPs or the game's other currency."""

    seat: Seat
    to: Seat
    amount: int


class Pledge(NamedTuple):
    """A promise of an offer, and the game's own record for it."""

    seat: Seat
    to: Seat
    template: str
    record: msgspec.Struct


class Offered(NamedTuple):
    deal: str
    seat: Seat
    parties: tuple[Seat, ...]
    private: bool
    text: str
    payments: tuple[Paid, ...]  # that are made with the deal
    pledges: tuple[Pledge, ...]
    counters: str = ""


class Agreed(NamedTuple):
    """A party agreed. `made`: it was the last one, and the deal is made."""

    deal: str
    seat: Seat
    made: bool


class Ended(NamedTuple):
    """An offer can no longer be accepted."""

    deal: str
    what: Literal["declined", "withdrawn", "expired"]
    seat: Seat | None = None


class Given(NamedTuple):
    """A party paid on account of a deal."""

    deal: str
    paid: Paid


class Spoken(NamedTuple):
    """A party said whether another one has kept its word."""

    deal: str
    seat: Seat
    about: Seat
    kept: bool
    note: str


PactStep: TypeAlias = Offered | Agreed | Ended | Given | Spoken


@dataclass(frozen=True, kw_only=True)
class Pacts:
    """A game's deals: how facts record them, and the meaning of their promises."""

    binding: bool  # whether the rules hold anybody to a deal
    rule: str  # that says so
    templates: tuple[Template, ...]
    reads: Mapping[str, Callable[[Any], Sequence[PactStep]]]  # of a fact, by its wire name
    # From the state in which it is agreed on, the deal and the game's record; None: words alone.
    meaning: Callable[[Any, str, Any], PromiseMeaning | None]
    # From the record and the names of the seats.
    words: Callable[[Any, Sequence[str]], str]
    # After a fact, by its wire name: a number that never goes back.
    clock: Mapping[str, Callable[[int, Any], int]]
    # To whom, and how much: what a seat decides that pays another, whoever is asked for what.
    pays: Callable[[Seat, int], Decision] | None = None


def check_pacts(pacts: Pacts | None, facts: Iterable[str]) -> None:
    """Refuses to read deals from facts that a game does not have."""
    if pacts is not None and (lost := {*pacts.reads, *pacts.clock} - set(facts)):
        msg = f"deals are read from facts that there are not: {', '.join(sorted(lost))}"
        raise TypeError(msg)
