"""A bundle taken apart into plain values, to be changed, repaired and bound again.

Repair recomputes whatever needs no secret, so that a change is found by what it contradicts and not
by a checksum that was forgotten.

| level | recomputes |
|---|---|
| relinked | versions, parents, heads, counts, the last record, the hash of a content overlay |
| recommitted | ... and every commitment whose salt, seed or nonce the bundle itself discloses |
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ledger.kernel.chance import nonce_commitment, seed_commitment
from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import (
    EMPTY,
    OUTCOME_PATH,
    PRIVATE_PATH,
    SEALED_PATH,
    Event,
    Opening,
    commit,
    link,
)
from ledger.log.read.bundle import BundleWriter, End, Header, read_records


@dataclass
class Line:
    """One event: its body in plain types and the openings behind it (path -> salt, value)."""

    body: dict[str, Any]
    openings: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)

    @property
    def act(self) -> dict[str, Any]:
        """The act, or nothing."""
        act: dict[str, Any] = self.body.get("act", {})
        return act

    @property
    def kind(self) -> str:
        """The act's type, or the kind of the body."""
        return str(self.act.get("type", self.body["kind"]))


@dataclass
class Loose:
    """A bundle as plain values; a line's place is its version less one."""

    header: dict[str, Any]
    overlay: bytes | None
    lines: list[Line]
    result: dict[str, Any] | None
    parents_stay: bool = False  # the parents are what was tampered with
    overlay_hash_stays: bool = False  # ... or the overlay alone, without event 1

    @property
    def match(self) -> str:
        """The id under which everything is hashed."""
        return str(self.header["match"])

    def places(self, *kinds: str) -> list[int]:
        """Where events of these kinds stand."""
        return [place for place, line in enumerate(self.lines) if line.kind in kinds]

    def first(self, kind: str) -> Line:
        """The first event of a kind."""
        return self.lines[self.places(kind)[0]]

    @property
    def closing(self) -> Line | None:
        """The closing event, if it is there."""
        places = self.places("match.closed")
        return self.lines[places[-1]] if places else None

    def drop(self, place: int) -> None:
        """Take an event out; what names later ones is renumbered."""
        del self.lines[place]
        self._renumber(lambda version: version - (version > place))

    def double(self, place: int) -> None:
        """Put a copy of an event behind it."""
        line = self.lines[place]
        copy = Line(decode(encode(line.body)), dict(line.openings))
        self._renumber(lambda version: version + (version > place + 1))
        self.lines.insert(place + 1, copy)

    def _renumber(self, moved: Any) -> None:
        for line in self.lines:
            if "opens" in line.body:  # what has its default is left out
                opens = line.body["opens"]
                line.body["opens"] = [[moved(version), path] for version, path in opens]
            if "to" in line.act and line.kind == "match.rewound":
                line.act["to"] = moved(line.act["to"])


def loosened(bundle: bytes) -> Loose:
    """A bundle taken apart."""
    loose = Loose({}, None, [], None)
    for record in read_records(io.BytesIO(bundle)):
        match record:
            case Header():
                loose.header = msgspec.to_builtins(record, builtin_types=(bytes,))
            case bytes():
                loose.overlay = record
            case Event():
                loose.lines.append(Line(decode(record.body)))
            case Opening():
                loose.lines[-1].openings[record.path] = (record.salt, record.plain)
            case End():
                loose.result = record.result
    return loose


def relinked(loose: Loose) -> bytes:
    """The bundle, all of it repaired that anybody can repair who has read the format."""
    created = loose.first("match.created").act if loose.places("match.created") else {}
    is_named = loose.overlay is not None and created.get("overlay")
    if is_named and not loose.overlay_hash_stays:
        assert loose.overlay is not None
        created["overlay"] = hashlib.sha256(loose.overlay).digest()
    return bound(loose)


def recommitted(loose: Loose) -> bytes:
    """The same, and every commitment made anew whose secret stands in the bundle."""
    for place, line in enumerate(loose.lines):
        for path, (salt, plain) in line.openings.items():
            _commit(line.body, path, commit(loose.match, place + 1, path, salt, plain))
    if loose.closing is not None and loose.places("match.created"):
        domains = loose.first("match.created").act["domains"]
        for domain, seed in loose.closing.act["seeds"].items():
            domains[domain] = seed_commitment(seed, domain)
    if loose.places("match.started"):
        nonces = loose.first("match.started").act["nonces"]
        for place in loose.places("match.joined"):
            act = loose.lines[place].act
            act["nonce"] = nonce_commitment(act["seat"], nonces[act["seat"]])
    return relinked(loose)


def _commit(body: dict[str, Any], path: str, commitment: bytes) -> None:
    if path == OUTCOME_PATH:
        body["outcome"] = commitment
    elif path == SEALED_PATH:
        body["commitment"] = commitment
    else:
        body.setdefault("private", {})[path.removeprefix(PRIVATE_PATH)] = commitment


def bound(loose: Loose) -> bytes:
    """The lines as a bundle: numbered, linked and counted."""
    if not loose.parents_stay:
        for place, line in enumerate(loose.lines):
            rewound = line.kind == "match.rewound"
            line.body["parent"] = line.act["to"] if rewound else place
    loose.header["seeds"] = loose.closing.act["seeds"] if loose.closing else {}
    file = io.BytesIO()
    writer = BundleWriter(file)
    writer.write(Header(**loose.header))  # unchecked: it may be what was tampered with
    if loose.overlay is not None:
        writer.write(loose.overlay)
    tip = EMPTY
    for line in loose.lines:
        event = link(loose.match, tip, encode(line.body))
        tip = event.tip
        writer.write(event)
        for path, (salt, plain) in sorted(line.openings.items()):
            writer.write(Opening(event.version, path, salt, plain))
    writer.end(loose.result)
    return file.getvalue()
