"""The callers of requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Json = dict[str, Any]


class Asker(NamedTuple):
    """A caller with a viewpoint, which may be the caller's own or not."""

    name: str
    headers: Mapping[str, str]
    seat: int | None  # of theirs
    other: int  # a seat that is not
    persons: tuple[str, ...]  # of the seats
    match: str
    secret: int  # the event that not everybody may know all of
    last: int
    offered: Json | None  # something to decide that nobody learns anything from


class Wanted(NamedTuple):
    """A request."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}
    form: Mapping[str, str] | None = None
