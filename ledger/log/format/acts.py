"""Acts: the service's or the organizer's changes to a match. This is the whole list.

| act | life | what it does |
|---|---|---|
| match.created | created | pins ruleset, edition, options, overlay, chance and disclosure |
| match.joined | | a player takes a seat; its nonce is committed |
| match.started | started | the nonces are opened; the fold begins |
| match.paused, match.resumed | | clocks stop and go on |
| match.rewound | | the line goes on from an earlier event, which is this act's parent |
| match.edition-changed | | changes the rules in force from here on the line |
| match.seat-given | | another player, a delegate or a bot decides for a seat |
| match.abandoned | | play ends early; there is no result |
| match.disputed, match.ruled | | a claim; the organizer's answer |
| match.closed | closed | the result is approved; the policy's secrets are disclosed |

A match *ends* when its agenda is empty; that is a fact of the fold, no act. A closed match
is *sealed* by writing its bundle. After the close the log takes only disputes and rulings;
a ruling whose remedy changes the course of play reopens the match, and it is closed anew.

A field that has its default is left out of the bytes: a later field with a default changes
no stored event.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

from ledger.kernel.frozen import FrozenByName

from .chain import OUTCOME_PATH
from .published import Published
from .shapes import DomainName, Hash, MatchId, PolicyName, SeatNumber, Seats, StoredPart, Version

FORMAT: Final = 1  # of the bodies and acts in a log
FULL: Final[tuple[PolicyName, ...]] = ("decisions", "outcomes", "chance")


def domains_disclosed(policy: Iterable[str], domains: Iterable[str]) -> list[str]:
    """Returns the domains of chance that a policy discloses at the close."""
    wanted = set(policy)
    return [one for one in domains if wanted & {"chance", f"chance:{one}"}]


def is_covered(path: str, policy: Iterable[str]) -> bool:
    """Returns whether a policy discloses the commitments of this path at the close."""
    return ("outcomes" if path == OUTCOME_PATH else "decisions") in policy


class Act(FrozenByName, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """A change to a match from outside its rules."""


class Origin(StoredPart, frozen=True, kw_only=True):
    """The origin of a match. Only a live one was played as it appears."""

    kind: Literal["live", "entered", "seeded", "fork"]
    seed: int | None = None  # seeded: anybody can make the same match again
    match: MatchId | None = None  # fork: of this match,
    version: Version | None = None  # after this event,
    head: Hash | None = None  # whose head this is


class Created(Act, tag="match.created"):
    """Event 1: everything the fold depends on, by name and hash."""

    format: Literal[1]
    match: MatchId
    ruleset: str
    edition: str
    source: str  # hash of the rules' source at creation
    seats: Seats
    options: dict[str, int | bool | str]
    chance: Literal["keys", "entered"]
    domains: dict[DomainName, Hash]  # commitment to the seed of each domain of chance
    discloses: tuple[PolicyName, ...]  # what is opened at the close
    origin: Origin
    overlay: Hash | None = None  # of a content overlay, kept beside the log
    title: str = ""
    tournament: str | None = None
    errata: tuple[Published, ...] = ()  # that the edition names as brought by this event


class Joined(Act, tag="match.joined"):
    """A player takes a seat, under a pseudonym."""

    seat: SeatNumber
    name: str
    nonce: Hash  # commitment


class Started(Act, tag="match.started"):
    nonces: tuple[Hash, ...]  # by seat, opened


class Paused(Act, tag="match.paused"):
    """Clocks stop, and decisions wait."""

    reason: str


class Resumed(Act, tag="match.resumed"):
    reason: str = ""


class Rewound(Act, tag="match.rewound"):
    """The line goes on after event `to`; the events in between stay readable on their own line."""

    to: Version
    reason: str
    consents: tuple[SeatNumber, ...] = ()  # the seats that agreed
    because: str = ""  # the dispute whose ruling ordered it


class EditionChanged(Act, tag="match.edition-changed"):
    """Another edition is in force from here on the line."""

    edition: str
    reason: str
    consents: tuple[SeatNumber, ...] = ()
    because: str = ""  # the dispute whose ruling ordered it
    errata: tuple[Published, ...] = ()  # that the edition names as brought by this event


class SeatGiven(Act, tag="match.seat-given"):
    """Another player, a delegate or a bot decides for a seat."""

    seat: SeatNumber
    to: Literal["player", "delegate", "bot"]
    name: str
    reason: str = ""


class Abandoned(Act, tag="match.abandoned"):
    reason: str


class Disputed(Act, tag="match.disputed"):
    """A claim about events of this match; the dossier has the words."""

    dispute: str
    first: Version
    last: Version
    dossier: Hash | None = None


class Remedy(StoredPart, frozen=True, kw_only=True):
    """A ruling's order; later events that name the dispute carry it out."""

    kind: Literal["rewind", "decision", "edition", "annul-deal", "note"]
    version: Version | None = None  # rewind: to this event
    text: str = ""


class Ruled(Act, tag="match.ruled"):
    """The organizer's answer to a dispute."""

    dispute: str
    finding: Literal["upheld", "dismissed", "void"]
    reason: str
    rules: tuple[str, ...] = ()
    remedy: Remedy | None = None


class Closed(Act, tag="match.closed"):
    """The result is approved, and the policy's secrets are disclosed."""

    result: dict[str, Any] | None  # None: abandoned
    seeds: dict[DomainName, Hash]  # of the domains of chance that the policy discloses
    discloses: tuple[PolicyName, ...]


AnyAct: TypeAlias = (
    Created
    | Joined
    | Started
    | Paused
    | Resumed
    | Rewound
    | EditionChanged
    | SeatGiven
    | Abandoned
    | Disputed
    | Ruled
    | Closed
)
