"""The bundle: one match as one file, streamed, addressed by its own hash, checked offline.

    "HEGEMON1"                                   8 bytes
    record: length (4 bytes, big-endian) ‖ canonical MessagePack array, its kind first
        ["bundle", {...}]                        once, first: what this is
        ["overlay", bytes]                       at most once: the content overlay of event 1
        ["event", version, head, body]           each event in order, followed by
        ["opening", version, path, salt, plain]  the openings of that event that this copy discloses
        ["withheld", version, head, SHA-256]     in place of an event that is left out
        ["end", {...}]                           once, last: counts, head, hash of all before it

The facts of an event are the plain value of its opening `outcome`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import IO, Any, Final, TypeAlias

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.frozen import FrozenByName
from ledger.log.format.acts import Closed
from ledger.log.format.canonical import KEPT_BYTES_MAX, NotCanonical, decode, encode
from ledger.log.format.chain import FRAMED_BYTES_MAX, Event, Opening, Tip, by_event
from ledger.log.format.shapes import HASH_BYTES, DomainName, Hash, MatchId

from .history import OVERLAY, History, RulesOf
from .served import know_outcomes, openings_for

MAGIC: Final = b"HEGEMON1"
FORMAT: Final = 1
REDACTED: Final = 2  # the format of a bundle that withholds events
SUFFIX: Final = ".hgm"
RECORD_BYTES_MAX: Final = KEPT_BYTES_MAX + 1024
_EVERYTHING: Final = frozenset(("decisions", "outcomes"))
_LENGTH_BYTES: Final = 4
_TEXT_SHOWN: Final = 80


class BadBundle(ValueError):
    """The file is no bundle, or not a whole one."""


class Header(FrozenByName, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bundle's description of itself. The events repeat it, and they take precedence."""

    format: int
    match: MatchId
    ruleset: str
    edition: str
    source: str
    viewer: str  # "all", "spectator", "seat N" or "chosen": whose eyes the openings are for
    seeds: dict[DomainName, Hash]  # of the domains of chance that the closing event discloses
    supersedes: Hash | None  # the bundle that this one replaces after a ruling


class End(FrozenByName, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The counts and hashes that a reader must have found."""

    events: int
    openings: int
    head: Hash
    result: dict[str, Any] | None
    sha256: Hash  # of every byte before this record


class Withheld(msgspec.Struct, frozen=True, array_like=True):
    """An event that a redacted bundle leaves out, with the SHA-256 of its body."""

    version: int
    head: bytes
    digest: bytes

    @property
    def tip(self) -> Tip:
        return Tip(self.version, self.head)


Record: TypeAlias = Header | bytes | Event | Withheld | Opening | End


# --- writing --------------------------------------------------------------------------------------


def bundle_records(
    history: History,
    viewer: Viewer | str = "all",
    supersedes: bytes | None = None,
    *,
    outcomes: bool = True,
) -> Iterator[Record]:
    """Yields all records of a match but the last, as one viewer may have them.

    Facts that are not stored are folded for "all"; without `outcomes` they are left out.
    """
    created = history.created
    last = last_close(history)
    if viewer == "all" and outcomes:
        know_outcomes(history)  # the others know them as far as they have been served
    yield Header(
        format=FORMAT,
        match=history.match,
        ruleset=created.ruleset,
        edition=created.edition,
        source=created.source,
        viewer=viewer_name(viewer),
        seeds={} if last is None else last.seeds,
        supersedes=supersedes,
    )
    if history.overlay is not None and created.overlay is not None:
        yield history.overlay
    known = _group_openings(history, viewer)
    for event in history.events:
        yield event
        yield from known.get(event.version, ())


def _group_openings(history: History, viewer: Viewer | str) -> dict[int, list[Opening]]:
    if viewer == "all":
        openings: Iterable[Opening] = history.openings.values()
    else:
        assert not isinstance(viewer, str), f"no viewer has the name {viewer}"
        openings = {
            (opening.version, opening.path): opening
            for event in history.events
            for opening in openings_for(history, event.version, viewer)
        }.values()
    return by_event(sorted(openings, key=lambda one: (one.version, one.path)))


def viewer_name(viewer: Viewer | str) -> str:
    if isinstance(viewer, str):
        return viewer
    return "spectator" if viewer is None else f"seat {viewer}"


def write_bundle(file: IO[bytes], history: History, viewer: Viewer | str = "all") -> bytes:
    """Writes a match to a file, record by record; returns the bundle's address, its SHA-256."""
    writer = BundleWriter(file)
    for record in bundle_records(history, viewer):
        writer.write(record)
    last = last_close(history)
    return writer.end(None if last is None else last.result)


def last_close(history: History) -> Closed | None:
    """Returns the closing act in force, or None: a ruling with a remedy reopens the match."""
    if not history.life.closed:
        return None
    acts = (history.act(event.version) for event in reversed(history.events))
    return next((act for act in acts if isinstance(act, Closed)), None)


def everything_is_open(history: History) -> bool:
    """Tells whether the match is closed and everything secret in it was opened."""
    closing = last_close(history)
    return closing is not None and set(closing.discloses) >= _EVERYTHING


class BundleWriter:
    """Writes records and keeps the counts for the last one."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._events = self._openings = 0
        self._head = bytes(32)
        self._put(MAGIC)

    def write(self, record: Record) -> None:
        if isinstance(record, Event | Withheld):
            self._events += 1
            self._head = record.head
        elif isinstance(record, Opening):
            self._openings += 1
        packed = record_bytes(record)
        self._put(len(packed).to_bytes(_LENGTH_BYTES, "big") + packed)

    def end(self, result: dict[str, Any] | None) -> bytes:
        """Writes the last record; returns the address."""
        self.write(
            End(
                events=self._events,
                openings=self._openings,
                head=self._head,
                result=result,
                sha256=self._digest.digest(),
            )
        )
        return self._digest.digest()

    def _put(self, packed: bytes) -> None:
        self._file.write(packed)
        self._digest.update(packed)


def record_bytes(record: Record) -> bytes:
    match record:
        case Header():
            plain: list[Any] = ["bundle", msgspec.to_builtins(record, builtin_types=(bytes,))]
        case bytes():
            plain = [OVERLAY, record]
        case Event():
            plain = ["event", record.version, record.head, record.body]
        case Withheld():
            plain = ["withheld", record.version, record.head, record.digest]
        case Opening():
            plain = ["opening", record.version, record.path, record.salt, record.plain]
        case End():
            plain = ["end", msgspec.to_builtins(record, builtin_types=(bytes,))]
    return encode(plain, RECORD_BYTES_MAX)


# --- reading --------------------------------------------------------------------------------------


def read_records(file: IO[bytes]) -> Iterator[Record]:
    """Yields the records of a bundle, one by one; refuses a file that is no whole bundle."""
    digest = hashlib.sha256()
    magic = file.read(len(MAGIC))
    if magic != MAGIC:
        raise BadBundle("this is not a Hegemon bundle: it does not begin with HEGEMON1")
    digest.update(magic)
    events = openings = withheld = number = 0
    format_ = FORMAT
    while True:
        number += 1
        before = digest.digest()
        record = _read_record(file, digest, number)
        if (number == 1) is not isinstance(record, Header):
            raise BadBundle(f"record {number}: a bundle has its header first and once")
        if isinstance(record, bytes) and number != 2:
            raise BadBundle(f"record {number}: the overlay may occur only once, after the header")
        if isinstance(record, Header):
            format_ = record.format
        withheld += isinstance(record, Withheld)
        events += isinstance(record, Event | Withheld)
        openings += isinstance(record, Opening)
        if isinstance(record, Withheld) and format_ < REDACTED:
            raise BadBundle(f"record {number}: a bundle of format {format_} withholds no event")
        if isinstance(record, End):
            _check_end(record, events, openings, before)
            if format_ == REDACTED and not withheld:
                msg = f"a bundle of format {REDACTED} must withhold events, but this one does not"
                raise BadBundle(msg)
            if file.read(1):
                raise BadBundle("the file goes on after the last record")
            yield record
            return
        yield record


def _read_record(file: IO[bytes], digest: Any, number: int) -> Record:
    length = file.read(_LENGTH_BYTES)
    size = int.from_bytes(length, "big")
    if len(length) < _LENGTH_BYTES:
        raise BadBundle(f"the file ends before its last record, after record {number - 1}")
    if size > RECORD_BYTES_MAX:
        msg = f"record {number} says it has {size} bytes, at most {RECORD_BYTES_MAX} are allowed"
        raise BadBundle(msg)
    packed = file.read(size)
    if len(packed) < size:
        raise BadBundle(f"the file ends in the middle of record {number}")
    digest.update(length + packed)
    try:
        record = _record(decode(packed, RECORD_BYTES_MAX))
        # An event and an opening were checked value by value, so only the others are packed again.
        if isinstance(record, Header | End) and record_bytes(record) != packed:
            raise ValueError("a value has the wrong type")
        return record
    except (NotCanonical, msgspec.ValidationError, ValueError) as reason:
        raise BadBundle(f"record {number}: {reason}") from None


def _record(plain: Any) -> Record:
    match plain:
        case ["bundle", dict() as fields]:
            header = msgspec.convert(fields, Header, builtin_types=(bytes,))
            if header.format not in (FORMAT, REDACTED):
                msg = f"format {header.format} is not known here, only {FORMAT} and {REDACTED}"
                raise ValueError(msg)
            return header
        case ["overlay", bytes() as overlay]:
            return overlay
        case [str(), bool(), *_]:
            raise ValueError("a true or false value must not be a number")
        case ["event", int() as version, bytes() as head, bytes() as body]:
            if len(head) != HASH_BYTES:
                raise ValueError("a head has 32 bytes")
            return Event(version, head, body)
        case ["withheld", int() as version, bytes() as head, bytes() as digest]:
            if len(head) != HASH_BYTES or len(digest) != HASH_BYTES:
                raise ValueError("a head has 32 bytes, and so has the hash of a body")
            return Withheld(version, head, digest)
        case ["opening", int() as version, str() as path, bytes() as salt, bytes() as value]:
            if len(salt) != HASH_BYTES or len(path.encode()) > FRAMED_BYTES_MAX:
                raise ValueError("a salt has 32 bytes, a path at most 255")
            return Opening(version, path, salt, value)
        case ["end", dict() as fields]:
            return msgspec.convert(fields, End, builtin_types=(bytes,))
    shown = str(plain)[:_TEXT_SHOWN]
    raise ValueError(f"not a record of a bundle: {shown}")


def _check_end(end: End, events: int, openings: int, digest: bytes) -> None:
    if not events:
        raise BadBundle("the bundle holds no event")
    if (end.events, end.openings) != (events, openings):
        msg = f"the last record counts {end.events} events and {end.openings} openings"
        raise BadBundle(f"{msg}; there are {events} and {openings}")
    if end.sha256 != digest:
        raise BadBundle("the hash in the last record does not match the bytes before it")


def read_history(file: IO[bytes], rules_of: RulesOf) -> History:
    """The history in a bundle, its chain not yet checked; `replays/verify/` does that."""
    records = read_records(file)
    header = next(records)
    assert isinstance(header, Header), "the header is first"
    history = History(header.match, rules_of)
    for record in records:
        match record:
            case bytes():
                history.overlay = record
            case Event():
                _take(history, record)
            case Opening():
                history.know([record])
            case Withheld():
                msg = f"event {record.version} is withheld from this copy: it can be verified, and"
                raise BadBundle(f"{msg} `hegemon events` prints what it shows")
    return history


def _take(history: History, event: Event) -> None:
    if event.version != history.tip.version + 1:
        raise BadBundle(f"event {event.version} follows event {history.tip.version}")
    try:
        history.add(event)
    except (msgspec.MsgspecError, ValueError) as reason:
        raise BadBundle(f"event {event.version}: {reason}") from None
