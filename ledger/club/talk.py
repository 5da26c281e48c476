"""What is said at a match's table: chat and notes, in a log of its own beside the match's.

It has a chain as the match has, and never moves the match's version: each line says at which
version it was said.

The chain's own numbers count what others whisper, so nobody is shown them: whoever listens counts
the lines that are for their ears, and those alone (`Roll`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.frozen import FrozenByName
from ledger.log.format.bodies import Submitter
from ledger.log.format.canonical import decode
from ledger.log.format.chain import EMPTY, Tip, head_after, link
from ledger.log.stores.protocol import Appended, Batch, Store, Unavailable

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


def talk(store: Store, match: str, first: int = 1, last: int | None = None) -> Iterator[Line]:
    """What was said, from a line on."""
    for event in store.events(match + TALK, first, last):
        yield Line(event.version, event.head, _SAID.decode(event.body))


def is_for(said: Said, ear: Viewer) -> bool:
    """Whether a line is for a seat, or (None) for who has none."""
    return said.to is None or ear in said.to


class Roll:
    """Who said something when, and to whom; the words are left in the store."""

    def __init__(self, store: Store, match: str) -> None:
        self._store = store
        self._match = match
        self._tip = EMPTY
        self._lines: list[Said] = []

    def read(self) -> list[Said]:
        """All that was said by now, each without its words; the first line is number 1."""
        tip = self._store.tip(self._match + TALK)
        if tip != self._tip and not self._goes_on(tip):
            self._tip, self._lines = EMPTY, []  # another store than it was
            self._goes_on(tip)
        return self._lines

    def _goes_on(self, tip: Tip) -> bool:
        """Take what follows, up to there; False where it does not follow from what was read."""
        name = self._match + TALK
        if tip.version <= self._tip.version:
            return False
        for event in self._store.events(name, self._tip.version + 1, tip.version):
            if event.head != head_after(name, self._tip, event.body):
                return False
            self._lines.append(msgspec.structs.replace(_SAID.decode(event.body), text=""))
            self._tip = event.tip
        return self._tip == tip
