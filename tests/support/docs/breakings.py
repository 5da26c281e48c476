"""Bundles that are wrong in one way each, and the check that must find it."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import EMPTY, Tip, commit, head_after
from ledger.log.read.bundle import MAGIC, RECORD_BYTES_MAX
from replays.verify.verifier import CHECKS, FAST

from . import matches

Plain: TypeAlias = list[Any]  # a record as its canonical bytes decode
Body: TypeAlias = dict[str, Any]

LENGTH_BYTES = 4


@dataclass(kw_only=True)
class Copy:
    """A bundle taken apart: its records but for the last, and what the last one says."""

    records: list[Plain]
    end: dict[str, Any]
    counted: bool = True  # counts, head and hash are made anew

    @property
    def match(self) -> str:
        """The match that the header names."""
        return str(self.records[0][1]["match"])

    def of_kind(self, kind: str) -> list[Plain]:
        """The records of a kind."""
        return [record for record in self.records if record[0] == kind]

    def place(self, version: int) -> int:
        """Where the record of an event stands."""
        return next(n for n, one in enumerate(self.records) if one[:2] == ["event", version])

    def opening(self, version: int, path: str) -> Plain:
        """The record of an opening."""
        return next(one for one in self.of_kind("opening") if one[1:3] == [version, path])

    def packed(self) -> bytes:
        """The bytes of the bundle."""
        out = MAGIC + b"".join(framed(encode(one, RECORD_BYTES_MAX)) for one in self.records)
        end = dict(self.end)
        if self.counted:
            events = [one for one in self.records if one[0] in {"event", "withheld"}]
            end["events"], end["openings"] = len(events), len(self.of_kind("opening"))
            end["head"] = events[-1][2] if events else bytes(32)
            end["sha256"] = hashlib.sha256(out).digest()
        return out + framed(encode(["end", end]))

    def rebodied(self, edit: Callable[[list[Body]], object]) -> None:
        """Edit the bodies, number the events anew and make every head right again."""
        events = self.of_kind("event")
        bodies = [decode(event[3]) for event in events]
        edit(bodies)
        self.relinked([encode(body) for body in bodies])

    def closed_up(self) -> None:
        """Take every opening out."""
        self.records = [one for one in self.records if one[0] != "opening"]

    def relinked(self, bodies: list[bytes]) -> None:
        """Other bodies, right heads; the openings stay behind the event of their number."""
        tip, linked = EMPTY, []
        for body in bodies:
            tip = Tip(tip.version + 1, head_after(self.match, tip, body))
            linked.append(["event", tip.version, tip.head, body])
        openings = self.of_kind("opening")
        before = [one for one in self.records if one[0] in {"bundle", "overlay"}]
        self.records = before
        for event in linked:
            self.records += [event, *(one for one in openings if one[1] == event[1])]


def framed(packed: bytes) -> bytes:
    """A record after its length."""
    return len(packed).to_bytes(LENGTH_BYTES, "big") + packed


@cache
def _taken_apart(name: str) -> Copy:
    shown = {one.name: one for one in matches.SHOWN}
    made = shown[name] if name in shown else _crooked()
    packed = made.packed
    place, records = len(MAGIC), []
    while place < len(packed):
        size = int.from_bytes(packed[place : place + LENGTH_BYTES], "big")
        place += LENGTH_BYTES + size
        records.append(decode(packed[place - size : place], RECORD_BYTES_MAX))
    return Copy(records=records[:-1], end=records[-1][1])


def _crooked() -> matches.Shown:
    return matches.Shown(name="crooked", shows="a die that no key gave", make=matches.crooked)


def taken_apart(name: str) -> Copy:
    """A bundle of the vectors, to be changed."""
    return copy.deepcopy(_taken_apart(name))


@dataclass(frozen=True, kw_only=True)
class Broken:
    """One broken bundle."""

    name: str
    why: str
    packed: bytes
    fails: str  # the check that must fail; others may, as a consequence
    claimed: bool  # seen without rules: the header or the end record is contradicted

    @property
    def fast_fails(self) -> tuple[str, ...]:
        """Returns the checks that fail if the rules are not known; no others fail."""
        return (self.fails,) if self.claimed or self.fails in FAST else ()


Edit: TypeAlias = Callable[[Copy], object]
_EDITS: list[tuple[str, Broken, Edit]] = []


def breaks(of: str, fails: str, *, claimed: bool = False) -> Callable[[Edit], Edit]:
    """Note an edit: which bundle it changes and what it makes fail; its docstring says why."""

    def noted(edit: Edit) -> Edit:
        name = edit.__name__.strip("_").replace("_", "-")
        why = (edit.__doc__ or "").strip()
        _EDITS.append(
            (of, Broken(name=name, why=why, packed=b"", fails=fails, claimed=claimed), edit)
        )
        return edit

    return noted


def broken() -> Iterator[Broken]:
    """Every broken bundle."""
    from . import damages, misplays, redactions, strictness  # noqa: F401 - they note their edits

    # By check and name, in whatever order the edits were noted.
    for of, noted, edit in sorted(
        _EDITS, key=lambda one: (CHECKS.index(one[1].fails), one[1].name)
    ):
        copied = taken_apart(of)
        edited = edit(copied)
        yield replace(noted, packed=edited if isinstance(edited, bytes) else copied.packed())


def recommitted(copied: Copy, version: int, path: str, plain: bytes) -> None:
    """Put another value behind a commitment, with the salt that it had."""
    opening = copied.opening(version, path)
    opening[4] = plain
    commitment = commit(copied.match, version, path, opening[3], plain)

    def edit(bodies: list[Body]) -> None:
        body = bodies[version - 1]
        body["outcome" if path == "outcome" else "commitment"] = commitment

    copied.rebodied(edit)
