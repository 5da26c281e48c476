"""The truth of a run, whatever clients were told: read from the file of the server, piece by
piece, and compared with every answer that a client was given.

    a piece of the file is whole: events, head, command and feed entry together, or none of them
    heads follow from each other, versions have no gap, a command stands in the log once
    a closed log takes only what may come after, a parked match no decision
    what a client was told is in the log stays there, and what it was told is not never comes
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ledger.log.format.acts import Disputed, Ruled
from ledger.log.format.bodies import ActBody, read_body
from ledger.log.format.chain import EMPTY, Event, Opening, Tip, head_after
from ledger.log.stores.memory import fits
from ledger.log.stores.protocol import (
    Answer,
    Appended,
    Batch,
    Changed,
    Closed,
    Command,
    Conflict,
    Duplicate,
    Parked,
)
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.keys import command_key, fingerprint_of, read_entry, read_openings
from tests.support.durability.model.server import ModelServer, Piece


class Finding(AssertionError):
    """Something that must always hold does not."""


def hold(condition: object, *what: object) -> None:
    """Stop the run unless this holds."""
    if not condition:
        raise Finding(" ".join(map(str, what)))


class TrueLog:
    """One log, as the file has it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.events: list[Event] = []
        self.openings: dict[int, list[Opening]] = {}
        self.commands: dict[bytes, tuple[bytes, int, int]] = {}
        self.bodies: set[bytes] = set()
        self.batches: dict[int, int] = {}  # the first version of each by its last
        self.closed = False
        self.closed_at: set[int] = set()

    @property
    def tip(self) -> Tip:
        return self.events[-1].tip if self.events else EMPTY

    def was(self, tip: Tip) -> bool:
        """Whether the log ended so at some time."""
        if not 0 < tip.version <= len(self.events):
            return tip == EMPTY
        return self.events[tip.version - 1].tip == tip


class Moment(NamedTuple):
    """When a call began: how long the file was, how often it had lost its tail, who was parked."""

    pieces: int
    losses: int
    parked: frozenset[str]


class Truth:
    """All logs as the file has them, and what was said of them."""

    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self.watching = True  # False while play goes on from an old copy
        self.losses = 0  # how often a crash took a tail with it
        self.counted: Counter[str] = Counter()
        self.denied: dict[str, dict[bytes, str]] = {}
        self.promised: dict[str, dict[int, bytes]] = {}
        self._begin()

    def _begin(self) -> None:
        self.logs: dict[str, TrueLog] = {}
        self.parked: set[str] = set()
        self.parkings: list[tuple[int, str]] = []  # where in the file a match was parked
        self.kept: dict[tuple[str, str], bytes] = {}
        self.fed: dict[bytes, int] = {}
        self.read: list[Piece] = []

    def log(self, name: str) -> TrueLog:
        """A log by its name."""
        if name not in self.logs:
            self.logs[name] = TrueLog(name)
        return self.logs[name]

    # --- reading the file ----------------------------------------------------------------------

    def look(self) -> None:
        """Take what has come to the file; after a crash all of it is looked at again."""
        file = self.server.file
        if not self.watching or len(file) == len(self.read):
            return
        if len(file) < len(self.read):
            hold(self.server.mode != "always", "what was acknowledged is gone")
            self.forgive()
            return
        for piece in file[len(self.read) :]:
            self.read.append(piece)
            self._take(piece)

    def now(self) -> Moment:
        """When a call begins."""
        self.look()
        return Moment(len(self.read), self.losses, frozenset(self.parked))

    def past(self, since: Moment) -> bool:
        """Whether nothing can be said of a call that began then: its log is another by now."""
        self.look()
        return not self.watching or since.losses != self.losses

    def forgive(self) -> None:
        """A crash took the tail with it: what was said of it no longer counts."""
        self.losses += 1
        self._begin()
        self.denied = {}
        promised, self.promised = self.promised, {}
        self.look()
        for name, heads in promised.items():
            there = self.log(name).events
            still = {v: h for v, h in heads.items() if v <= len(there)}
            self.promised[name] = still
            for version, head in still.items():
                hold(there[version - 1].head == head, name, version, "is another event")

    def look_at_all(self) -> None:
        """Read the whole file anew, and compare it with the memory of the server."""
        if not self.watching:
            return
        self.look()
        again = Truth(self.server)
        again.look()
        for name, log in self.logs.items():
            hold(again.log(name).events == log.events, name, "was changed")
        for name, heads in self.promised.items():
            events = again.log(name).events
            for version, head in heads.items():
                is_in = version <= len(events) and events[version - 1].head == head
                hold(is_in, name, version, "was acknowledged and is not there")
        if self.server.up:
            self._compare_memory()

    def _compare_memory(self) -> None:
        values: Any = self.server.values
        for name, log in self.logs.items():
            named = [key.encode() for key in keys.log_keys(name)[:3]]
            stream, head, commands = (values.get(key) for key in named)
            hold((stream.ids[-1][0] if stream else 0) == len(log.events), name, "ends elsewhere")
            if log.events:
                mark = b"c" if log.closed else b"o"
                wanted = b"%b%d:%b" % (mark, log.tip.version, log.tip.head)
                hold(head == wanted, name, "has another head")
            known = {key: b"%d" % first for key, (_, first, _) in log.commands.items()}
            hold((commands or {}) == known, name, "knows other commands")

    def _take(self, piece: Piece) -> None:
        adds = [change for change in piece if change[0] == "XADD"]
        feeds = [change for change in adds if change[1].endswith(b":feed")]
        for change in piece:
            what, key = change[0], change[1].decode()
            if key.endswith(":parked") and ":match:" in key:
                self._park(key.split(":")[2], what == "SET")
            elif key.endswith(":kept"):
                where = key.split(":")[2], change[2].decode()
                hold(where not in self.kept, where, "was kept twice")
                self.kept[where] = change[3]
        for change in feeds:
            last = self.fed.get(change[1], 0)
            hold(change[2] == (0, last + 1), "the feed goes from", last, "to", change[2])
            self.fed[change[1]] = last + 1
        if any(
            change[0] == "XADD" and change[1].endswith((b":events", b":talk")) for change in adds
        ):
            hold(len(feeds) == 1, "a batch has", len(feeds), "entries in the feed")
            self._batch(piece, feeds[0][3][1].decode())
        elif feeds:
            name, _, field = feeds[0][3][1].decode().partition("/kept ")
            hold((name, field) in self.kept, "the feed tells of what is not there:", name, field)

    def _park(self, match: str, parked: bool) -> None:
        self.parked.discard(match)
        if parked:
            self.parked.add(match)
            self.parkings.append((len(self.read), match))

    def _batch(self, piece: Piece, told: str) -> None:
        name, _, last = told.rpartition(" ")
        log, named = self.log(name), [key.encode() for key in keys.log_keys(name)]
        before = len(log.events)
        written = [(c[2], c[3][1]) for c in piece if c[0] == "XADD" and c[1] == named[0]]
        hold(len(written) == int(last) - before, name, "the feed says", last, "after", before)
        for place, (given, packed) in enumerate(written):
            self._event(log, given, packed, first=place == 0, last=place == len(written) - 1)
        for change in piece:
            if change[0] == "XADD" and change[1] == named[3]:
                version = change[2][0]
                log.openings[version] = list(read_openings(version, change[3][1]))
        heads = [change[2] for change in piece if change[0] == "SET" and change[1] == named[1]]
        mark = b"c" if log.closed else b"o"
        hold(
            heads == [b"%b%d:%b" % (mark, log.tip.version, log.tip.head)], name, "has a wrong head"
        )
        log.batches[len(log.events)] = before + 1
        command = read_entry(written[0][1]).command
        known = [tuple(c[2:]) for c in piece if c[0] == "HSET" and c[1] == named[2]]
        hold(known == ([(command, b"%d" % (before + 1))] if command else []), name, known)
        if command:
            hold(command not in log.commands, name, "carried out a command twice")
            fingerprint = read_entry(written[0][1]).fingerprint
            log.commands[command] = (fingerprint, before + 1, len(log.events))

    def _event(
        self, log: TrueLog, given: tuple[int, int], packed: bytes, *, first: bool, last: bool
    ) -> None:
        entry, at = read_entry(packed), len(log.events) + 1
        hold(given == (at, 0), log.name, "event", at, "is numbered", given)
        head = head_after(log.name, log.tip, entry.body)
        hold((entry.head is not None) == (at % 16 == 0), log.name, at, "head in its entry")
        hold(entry.head in (None, head), log.name, at, "has another head in its entry")
        hold(entry.more is not last, log.name, at, "does not say where its batch ends")
        hold(first or not entry.command, log.name, at, "names a command in the middle")
        hold(not entry.closed or last, log.name, at, "closes in the middle")
        if first:
            match = log.name.partition("/")[0]
            hold(not log.closed or _after_all(entry.body), log.name, at, "came after the close")
            decided = entry.body[:2] == b"d:" and match in self.parked
            hold(not decided, log.name, at, "was decided in a parked match")
        if entry.body[:2] in (b"d:", b"a:", b"x:"):
            # A log that lost its tail may grow the same events again, and with them comes to a tip
            # that somebody's old request still has in mind; only a command is then known again.
            hold(
                self.losses or entry.body not in log.bodies,
                log.name,
                at,
                "was written twice:",
                entry.body,
            )
            log.bodies.add(entry.body)
        refused = self.denied.get(log.name, {}).get(head)
        hold(refused is None, log.name, at, "was written, and somebody was told:", refused)
        log.events.append(Event(at, head, entry.body))
        if last:
            log.closed = entry.closed
            if entry.closed:
                log.closed_at.add(at)

    # --- what was said -------------------------------------------------------------------------

    def deny(self, name: str, events: Sequence[Event], why: str) -> None:
        """Notes that a client was told: these events are not in the log, and will not be."""
        self.look()
        there = {event.head for event in self.log(name).events}
        for event in events:
            hold(event.head not in there, name, event.version, "is there; told was", why)
            self.denied.setdefault(name, {})[event.head] = why

    def promise(self, name: str, tip: Tip) -> None:
        """Notes that a client was told how the log goes on."""
        if not self.watching:
            return
        self.look()
        hold(self.log(name).was(tip), name, "never ended with", tip.version)
        self.promised.setdefault(name, {})[tip.version] = tip.head

    def answered(self, name: str, batch: Batch, answer: Answer, since: Moment) -> None:
        """Checks that the answer to a batch is true."""
        if self.past(since):
            return
        log = self.log(name)
        hold(answer.__class__ is Changed or log.was(answer.tip), name, answer, "was never its end")
        match answer:
            case Appended(tip):
                hold(fits(name, batch.expect, batch), name, "took what does not fit")
                hold(tip == batch.events[-1].tip, name, "ends after a batch of ours elsewhere")
                for event in batch.events:
                    opened = [one for one in batch.openings if one.version == event.version]
                    there = log.openings.get(event.version, [])
                    hold(there == opened, name, event.version, "has other openings")
                self.promise(name, tip)
                return
            case Duplicate() | Changed():
                assert batch.command is not None
                self.known(name, batch.command, answer)
                if isinstance(answer, Duplicate):
                    return
            case Closed(tip):
                hold(not batch.after_close, name, "is closed for what may come after")
                hold(tip.version in log.closed_at, name, "was not closed at", tip.version)
            case Parked():
                match = name.partition("/")[0]
                parked = match in since.parked or match in self._parked_since(since)
                hold(batch.decides and parked, name, "is not parked")
                return  # so it was then: parking does not move the tip, and may end
            case Conflict(tip, events):
                shown = tuple(log.events[batch.expect.version : tip.version])
                hold(events == shown, name, "showed other events since", batch.expect.version)
                fit = tip == batch.expect and fits(name, tip, batch)
                hold(not fit, name, "conflicts with nothing")
                if self.losses and batch.expect.version > tip.version:
                    return  # the tail that was expected is lost, and may come again
        self.deny(name, batch.events, type(answer).__name__)

    def _parked_since(self, since: Moment) -> list[str]:
        return [match for at, match in self.parkings if at > since.pieces]

    def known(self, name: str, command: Command, answer: Duplicate | Changed | None) -> None:
        """Checks that the answer about a command is true."""
        if not self.watching:
            return
        self.look()
        found = self.log(name).commands.get(command_key(command))
        hold(found is not None, name, "does not know", command.id)
        assert found is not None
        fingerprint, first, last = found
        if isinstance(answer, Duplicate):
            hold(fingerprint == fingerprint_of(command), name, command.id, "was something else")
            right = (first, self.log(name).events[last - 1].tip)
            hold((answer.first, answer.tip) == right, name, command.id, "was answered otherwise")
        else:
            hold(fingerprint != fingerprint_of(command), name, command.id, "was not changed")

    def has(self, name: str, command: Command) -> bool:
        """Whether a command is in a log by now."""
        self.look()
        return self.watching and command_key(command) in self.log(name).commands


def _after_all(body: bytes) -> bool:
    """Whether a closed log takes this: a dispute or a ruling, or what a store's client calls so."""
    if body[:2] in (b"a:", b"d:", b"x:"):
        return body[:2] == b"a:"
    read = read_body(body)
    return isinstance(read, ActBody) and isinstance(read.act, Disputed | Ruled)
