"""Verdicts on the events and the result of a match that was folded again.

| event | means |
|---|---|
| applied | it answers its question as before |
| moved | the same, at another place in the order; as few as possible are called so |
| illegal | its question was asked and the rules refuse it: rule id, needed and has |
| unasked | there is no such question now |
| missing | a question that the log has no answer to, and who answered it instead |
| unreached | the re-projection had stopped by then |

| match | means |
|---|---|
| unchanged | no event came out differently |
| same result | some did, and winners and scores are the same |
| score differs, winner differs | they are not |
| decision now illegal | the rules now refuse a seat's decision, whatever was put in its place |
| undetermined | the result depends on assumed dice or cards; `spread` says how it varies |
| unfinished | at least one of the two has not ended |
| error | it could not be folded, and why |
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

import msgspec

from ledger.kernel.frozen import FrozenByName
from ledger.kernel.records import CHANCE, Seat
from ledger.kernel.ruleset import Result

from .change import Change
from .policies import Policies

MatchClass = Literal[
    "unchanged",
    "same result",
    "score differs",
    "winner differs",
    "decision now illegal",
    "undetermined",
    "unfinished",
    "error",
]
CLASSES: Final[tuple[MatchClass, ...]] = get_args(MatchClass)
SAME: Final = ("unchanged", "same result")


class EventVerdict(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on an event that did not simply apply."""

    verdict: str
    version: int | None = None  # None: the log has no such event
    question: str = ""
    seat: Seat = CHANCE
    how: str = ""
    code: str = ""
    rule: str = ""
    message: str = ""
    evidence: dict[str, Any] = {}  # noqa: RUF012 - msgspec copies it


class Cause(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """A difference between the rules that the match used."""

    kind: str  # reading | cell | row | rows | record
    name: str
    before: Any = None
    after: Any = None
    asked: int | None = None  # the first event that asked for it as it was played,
    asked_now: int | None = None  # and under the other rules
    rule: str = ""
    errata: tuple[str, ...] = ()


class Divergence(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """The first event that comes out differently."""

    version: int
    kind: str  # facts | illegal | order | missing | unasked
    question: str = ""
    seat: Seat = CHANCE
    rule: str = ""
    asked: str = ""  # order and missing: what is asked instead
    causes: tuple[Cause, ...] = ()
    exact: bool = False  # the causes are what this very event asked for


class ResultSpread(FrozenByName, frozen=True, kw_only=True):
    """The spread of results over the draws of assumed chance."""

    draws: int
    ended: int
    winners: dict[str, int]  # seats, and in how many draws
    scores: tuple[tuple[int, int], ...]  # by seat: the lowest and the highest


class Stop(FrozenByName, frozen=True, kw_only=True):
    """The point where the re-projection stopped before the match ended."""

    why: str
    version: int | None
    question: str
    seat: Seat
    rule: str


class MatchVerdict(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on one match. The stored log and its original result stay unchanged."""

    match: str
    verdict: MatchClass
    change: Change
    policies: Policies
    head: str = ""  # of the log that was looked at
    ruleset: str = ""
    edition: str = ""
    proved: Literal["index", "fold"] = "fold"
    resumed: int = 0  # folded after this event; 0: from the beginning
    events: dict[str, int] = {}  # noqa: RUF012 - how many of each verdict
    first: Divergence | None = None
    before: Result | None = None  # None: it has not ended
    after: Result | None = None
    stopped: Stop | None = None
    assumed: int = 0
    spread: ResultSpread | None = None
    marked: tuple[EventVerdict, ...] = ()
    accounts: dict[str, dict[str, tuple[int, int]]] = {}  # noqa: RUF012 - before and after
    positions: tuple[tuple[str, Any, Any], ...] = ()
    positions_more: int = 0
    pinned: tuple[str, ...] = ()
    error: str = ""

    @property
    def finding(self) -> dict[str, Any]:
        """Returns the findings without their method, so that a full and a partial fold compare
        equal.
        """
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {name: value for name, value in plain.items() if name not in ("proved", "resumed")}
