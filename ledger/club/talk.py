"""Talk: chat and notes at a match's table, in a log separate from the match's.

It has its own chain, like the match, and never changes the match's version: each chat
message has the version at which it was sent.

The chain's own numbers count private messages too, so viewers do not see them. A viewer
gets numbers that count only the messages for that viewer (`TalkIndex`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from ledger.kernel.audience import Viewer
from ledger.log.format.bodies import Submitter
from ledger.log.format.canonical import decode
from ledger.log.format.chain import EMPTY, Tip, head_after, link
from ledger.log.format.shapes import StoredPart
from ledger.log.stores.protocol import Appended, Batch, Store, Unavailable

TALK: Final = "/talk"
_ATTEMPTS_MAX: Final = 100
_SORTED: Final = msgspec.msgpack.Encoder(order="sorted")


class Said(StoredPart, frozen=True, kw_only=True):
    """A chat message or note."""

    version: int  # of the match, when it was said
    at: int  # the server's time in milliseconds
    by: Submitter
    text: str
    to: tuple[int, ...] | None = None  # the seats it is for; None: everybody


class Message(NamedTuple):
    """A chat message and its place in the talk."""

    number: int
    head: bytes
    said: Said


_SAID: Final = msgspec.msgpack.Decoder(Said)


def say(store: Store, match: str, said: Said) -> Message:
    body = _SORTED.encode(said)
    decode(body)  # refuses what is too large for a log
    for _ in range(_ATTEMPTS_MAX):
        tip = store.tip(match + TALK)
        event = link(match + TALK, tip, body)
        if isinstance(store.append(match + TALK, Batch(expect=tip, events=(event,))), Appended):
            return Message(event.version, event.head, said)
    raise Unavailable(f"too many writers send chat messages at {match} at once")


def talk(store: Store, match: str, first: int = 1, last: int | None = None) -> Iterator[Message]:
    """Yields the messages from `first` on."""
    for event in store.events(match + TALK, first, last):
        yield Message(event.version, event.head, _SAID.decode(event.body))


def is_for(said: Said, ear: Viewer) -> bool:
    """Returns whether a message is for a seat, or (None) for a viewer without one."""
    return said.to is None or ear in said.to


class TalkIndex:
    """The senders, times and receivers of all messages; the texts stay in the store."""

    def __init__(self, store: Store, match: str) -> None:
        self._store = store
        self._match = match
        self._tip = EMPTY
        self._lines: list[Said] = []

    def read(self) -> list[Said]:
        """Returns all messages so far without their texts; the first is number 1."""
        tip = self._store.tip(self._match + TALK)
        if tip != self._tip and not self._goes_on(tip):
            self._tip, self._lines = EMPTY, []  # another store than it was
            self._goes_on(tip)
        return self._lines

    def _goes_on(self, tip: Tip) -> bool:
        """Takes the messages up to a tip; returns False if they do not follow those read before."""
        name = self._match + TALK
        if tip.version <= self._tip.version:
            return False
        for event in self._store.events(name, self._tip.version + 1, tip.version):
            if event.head != head_after(name, self._tip, event.body):
                return False
            self._lines.append(msgspec.structs.replace(_SAID.decode(event.body), text=""))
            self._tip = event.tip
        return self._tip == tip
