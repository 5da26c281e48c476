"""The replay document: one match as one viewer may know it, ready to be drawn and read.

The page, the single file and the exports all use this one format, for every game. docs/replay.md
describes it field by field. The same match, viewer and rules give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType, field

FORMAT: Final = "hegemon-replay"
VERSION: Final = 1

Optional: TypeAlias = bool | UnsetType  # there and true, or left out


class Ruleset(msgspec.Struct, kw_only=True):
    """The ruleset of the match."""

    name: str
    title: str


class Viewpoint(msgspec.Struct, kw_only=True):
    """A viewpoint from which this match can be watched."""

    as_: str = field(name="as")
    name: str
    seat: int | None


class Seat(msgspec.Struct, kw_only=True):
    """A player: name, what the game calls the seat, and the colour of its pieces."""

    name: str
    called: str
    hue: str


class Heading(msgspec.Struct, kw_only=True):
    """A section of the story, from one event to another. It may begin between sentences of an
    event.
    """

    level: str
    label: str
    first: int = field(name="from")
    last: int = field(name="to")
    up: int | None  # the number of the heading that this one is a part of
    line: int  # before which sentence of its first event it begins, from 0
    seat: int | None
    again: Optional = UNSET  # gone on with, after a rewind


class SceneChange(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The difference to the scene of the event before."""

    set: dict[str, list[dict[str, Any]]] = {}
    gone: dict[str, list[str]] = {}
    all: dict[str, list[dict[str, Any] | str]] = {}
    text: dict[str, Any] = {}


class Event(msgspec.Struct, kw_only=True):
    """One event with its story, its visible facts and the change to the scene."""

    n: int
    at: int
    seat: int | None
    by: str
    said: list[str]
    under: int | None
    tags: list[str]
    facts: list[dict[str, Any]]
    change: SceneChange
    parent: int | UnsetType = UNSET  # where it is not the event before
    undone: Optional = UNSET
    undisclosed: Optional = UNSET  # what was decided is not for this reader, nor what follows
    refused: dict[str, Any] | UnsetType = UNSET  # under this edition it could not be decided


class Series(msgspec.Struct, kw_only=True):
    """The values of one seat's figure: a point for each change."""

    seat: int
    points: list[tuple[int, int]]


class Curve(msgspec.Struct, kw_only=True):
    """A figure, with its values for each seat for which they are known."""

    id: str
    name: str
    column: bool  # of an account
    series: list[Series]


class Step(msgspec.Struct, kw_only=True):
    """A step in the course of a deal."""

    n: int
    what: str
    said: str


class Deal(msgspec.Struct, kw_only=True):
    """A deal from its first offer on."""

    id: str
    seats: list[int]
    label: str
    steps: list[Step]


class Part(msgspec.Struct, kw_only=True):
    """The share of one piece, or one effect, in a side's total."""

    n: int
    name: str
    value: int
    rule: str
    seat: int | None
    cell: str | None
    piece: str | None


class Side(msgspec.Struct, kw_only=True):
    """A side of a conflict."""

    seat: int | None
    name: str
    total: int | None  # the sum of its parts; none where they do not add up
    parts: list[Part]


class Conflict(msgspec.Struct, kw_only=True):
    """A conflict, from the event in which it began to the one in which it ended."""

    first: int = field(name="from")
    last: int = field(name="to")
    label: str
    cell: str | None
    sides: list[Side]
    outcome: str


class Replay(msgspec.Struct, kw_only=True):
    """The whole document."""

    format: Literal["hegemon-replay"] = FORMAT
    version: Literal[1] = VERSION
    match: str
    title: str
    ruleset: Ruleset
    edition: str
    played: bool  # false: the same decisions under another edition
    editions: list[str]  # under which the reader may have the same decisions tried
    as_: str = field(name="as")
    why_not: str
    viewpoints: list[Viewpoint]
    head: str
    last: int
    state: str
    result: str
    finished: bool
    seats: list[Seat]
    headings: list[Heading]
    events: list[Event]
    curves: list[Curve]
    deals: list[Deal]
    conflicts: list[Conflict]


_JSON: Final = msgspec.json.Encoder(order="sorted")


def pack_replay(replay: Replay) -> bytes:
    """Encodes the document as JSON with sorted keys and no spaces: equal content gives equal
    bytes.
    """
    return _JSON.encode(replay)


def unpack_replay(text: bytes) -> Replay:
    return msgspec.json.decode(text, type=Replay)


def ndjson(replay: Replay) -> Iterator[bytes]:
    """Yields the document as NDJSON: a header, each event, and a trailer with the head."""
    header = {
        name: value
        for name, value in msgspec.to_builtins(replay, order="sorted").items()
        if name not in ("events", "head")
    }
    yield _JSON.encode({"line": "header", **header}) + b"\n"
    for event in replay.events:
        yield _JSON.encode({"line": "event", **msgspec.to_builtins(event)}) + b"\n"
    trailer = {"line": "end", "events": len(replay.events), "head": replay.head}
    yield _JSON.encode(trailer) + b"\n"
