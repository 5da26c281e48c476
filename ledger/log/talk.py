"""What is said at a match's table: chat and notes, in a log of its own beside the match's.

It has a chain as the match has, and never moves the match's version: each line says at which
version it was said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from ledger.kernel.frozen import FrozenByName

from .bodies import Submitter
from .canonical import decode
from .chain import link
from .store import Appended, Batch, Store, Unavailable

TALK: Final = "/talk"
_ATTEMPTS_MAX: Final = 100
_SORTED: Final = msgspec.msgpack.Encoder(order="sorted")


class Said(FrozenByName, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that was said."""

    version: int  # of the match, when it was said
    at: int  # the server's time in milliseconds
    by: Submitter
    text: str
    to: tuple[int, ...] | None = None  # the seats it is for; None: everybody


class Line(NamedTuple):
    """What was said, and its place in the talk."""

    number: int
    head: bytes
    said: Said


_SAID: Final = msgspec.msgpack.Decoder(Said)


def say(store: Store, match: str, said: Said) -> Line:
    """Add to the talk of a match."""
    body = _SORTED.encode(said)
    decode(body)  # refuses what is too large for a log
    for _ in range(_ATTEMPTS_MAX):
        tip = store.tip(match + TALK)
        event = link(match + TALK, tip, body)
        if isinstance(store.append(match + TALK, Batch(expect=tip, events=(event,))), Appended):
            return Line(event.version, event.head, said)
    raise Unavailable(f"everybody talks at once at {match}")


def talk(store: Store, match: str, first: int = 1) -> Iterator[Line]:
    """What was said, from a line on."""
    for event in store.events(match + TALK, first):
        yield Line(event.version, event.head, _SAID.decode(event.body))
