"""Acts: what the service or the organizer did to a match. This is the whole list.

| act | life | what it does |
|---|---|---|
| match.created | created | pins ruleset, edition, options, overlay, chance and disclosure |
| match.joined | | a seat is taken; its nonce is committed |
| match.started | started | the nonces are opened; the fold begins |
| match.paused, match.resumed | | clocks stop and go on |
| match.rewound | | the line goes on from an earlier event, which is this act's parent |
| match.edition-changed | | the rules in force from here on the line |
| match.seat-given | | another player, a delegate or a bot decides for a seat |
| match.abandoned | | nobody plays on; there is no result |
| match.disputed, match.ruled | | a claim; the organizer's answer |
| match.closed | closed | the result is approved; the policy's secrets are disclosed |

A match *ends* when its agenda is empty; that is a fact of the fold, no act. A closed match is
*sealed* by writing its bundle.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from ledger.kernel.frozen import FrozenByName

Policy: TypeAlias = Literal["decisions", "outcomes", "chance"]
FULL: tuple[Policy, ...] = ("decisions", "outcomes", "chance")


class Act(FrozenByName, frozen=True, kw_only=True, tag_field="type"):
    """Something done to a match from outside its rules."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match comes from. Only a live one is what it seems to be."""

    kind: Literal["live", "entered", "seeded", "fork"]
    seed: int | None = None  # seeded: anybody can make the same match again
    match: str | None = None  # fork: of this match,
    version: int | None = None  # after this event,
    head: bytes | None = None  # whose head this is


class Created(Act, tag="match.created"):
    """Event 1: everything the fold depends on, by name and hash."""

    match: str
    ruleset: str
    edition: str
    source: str  # hash of the rules' source at creation
    seats: int
    options: dict[str, int | bool | str]
    overlay: bytes | None  # hash of a content overlay, kept beside the log
    chance: Literal["keys", "entered"]
    domains: dict[str, bytes]  # commitment to the seed of each domain of chance
    discloses: tuple[Policy, ...]  # what is opened at the close
    origin: Origin
    title: str = ""
    tournament: str | None = None


class Joined(Act, tag="match.joined"):
    """A seat is taken, under a name that is no person's."""

    seat: int
    name: str
    nonce: bytes  # commitment


class Started(Act, tag="match.started"):
    """The fold begins."""

    nonces: tuple[bytes, ...]  # by seat, opened


class Paused(Act, tag="match.paused"):
    """Clocks stop, decisions wait."""

    reason: str


class Resumed(Act, tag="match.resumed"):
    """Play goes on."""

    reason: str = ""


class Rewound(Act, tag="match.rewound"):
    """The line goes on after event `to`; what came between stays readable on its own line."""

    to: int
    reason: str
    consents: tuple[int, ...] = ()  # the seats that agreed


class EditionChanged(Act, tag="match.edition-changed"):
    """Another edition is in force from here on the line."""

    edition: str
    reason: str
    consents: tuple[int, ...] = ()


class SeatGiven(Act, tag="match.seat-given"):
    """Who decides for a seat from now on."""

    seat: int
    to: Literal["player", "delegate", "bot"]
    name: str
    reason: str = ""


class Abandoned(Act, tag="match.abandoned"):
    """Play stops without a result."""

    reason: str


class Disputed(Act, tag="match.disputed"):
    """A claim about events of this match; the dossier has the words."""

    dispute: str
    first: int
    last: int
    dossier: bytes | None = None


class Ruled(Act, tag="match.ruled"):
    """The organizer's answer to a dispute."""

    dispute: str
    finding: Literal["upheld", "dismissed", "void"]
    reason: str
    rules: tuple[str, ...] = ()
    remedy: str = ""


class Closed(Act, tag="match.closed"):
    """The result is approved and the secrets of the policy are disclosed."""

    result: dict[str, Any] | None  # None: abandoned
    seeds: dict[str, bytes]  # of the domains of chance that the policy discloses
    discloses: tuple[Policy, ...]


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
