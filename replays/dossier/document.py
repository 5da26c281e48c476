"""The dossier document: the evidence for a dispute, as one reader may know it.

It is frozen at the event that filed the dispute. Its name is the SHA-256 of `pack_dossier`.
docs/disputes.md describes it field by field.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType, field

from replays.audit.document import AuditCheck, ConflictAudit, pack_document
from replays.deals.statements import SeenDeal
from replays.document.structs import Conflict

FORMAT: Final = "hegemon-dossier"
VERSION: Final = 1


class Filing(msgspec.Struct, kw_only=True):
    """The claim as it was filed."""

    dispute: str
    filed: int  # the event that says so
    at: int
    seat: int | None  # None: the organizer
    parties: list[int]
    words: str
    first: int = field(name="from")
    last: int = field(name="to")
    deal: str
    conflict: int
    salt: str  # with it the words have the hash that stands in the log


class Exhibit(msgspec.Struct, kw_only=True):
    """An event of the range."""

    n: int
    at: int
    seat: int | None
    by: str
    head: str
    said: list[str]
    facts: list[dict[str, Any]]
    parent: int | UnsetType = UNSET  # where it is not the event before
    undone: bool | UnsetType = UNSET
    undisclosed: bool | UnsetType = UNSET


class Delivered(msgspec.Struct, kw_only=True):
    """The events, openings, deals and messages that the service had given to a seat by then."""

    events: int
    opened: list[tuple[int, str]]  # what was secret and had been told to it: event and path
    deals: list[str]  # whose terms it could read
    lines: list[int]  # lines of `talk` that it had heard


class SeenPosition(msgspec.Struct, kw_only=True):
    """The position as a party saw it after an event."""

    seat: int
    after: int
    asked: str  # the question that it was to answer, by its key
    view: Any
    drawn: str
    delivered: Delivered


class Paragraph(msgspec.Struct, kw_only=True):
    """A rule that the evidence cites."""

    rule: str
    text: str
    chapter: str


class InForce(msgspec.Struct, kw_only=True):
    """A reading with the value in force."""

    id: str
    rule: str
    value: Any
    printed: Any
    why: str


class DossierMessage(msgspec.Struct, kw_only=True):
    """A chat message."""

    number: int  # in this dossier
    version: int
    at: int
    seat: int | None  # None: the host or the organizer
    to: list[int] | None
    text: str
    hidden: bool  # it was taken down


class Dossier(msgspec.Struct, kw_only=True):
    """The whole document."""

    format: Literal["hegemon-dossier"] = FORMAT
    version: Literal[1] = VERSION
    match: str
    title: str
    ruleset: str
    edition: str  # in force after the last event of the range
    source: str  # hash of the rules by which it was made
    as_: str = field(name="as")
    head: str  # of the event that filed it
    salt: str  # so that nobody guesses what is in it from its name
    seats: list[str]
    claim: Filing
    events: list[Exhibit]
    positions: list[SeenPosition]
    deals: list[SeenDeal]
    conflicts: list[Conflict]
    counted: list[ConflictAudit]
    checks: list[AuditCheck]
    rules: list[Paragraph]
    readings: list[InForce]
    consents: list[int]
    talk: list[DossierMessage]


def pack_dossier(dossier: Dossier) -> bytes:
    """Encodes the document as JSON: equal content gives equal bytes."""
    return pack_document(dossier)


def unpack_dossier(text: bytes) -> Dossier:
    return msgspec.json.decode(text, type=Dossier)


def name_of(text: bytes) -> str:
    """Returns a dossier's name: the SHA-256 of its bytes."""
    return hashlib.sha256(text).hexdigest()
