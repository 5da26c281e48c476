"""Published errata: corrections that a club writes itself, as a log records them.

The event that puts one in force carries it whole, so the log includes the rules it was
played by. The name of a match's edition lists the errata in force:

    err.03                            the ruleset's own edition
    err.03+club.01@80                 followed by the erratum club.01, which event 80 brought
    err.03+club.01@80+club.02@95      followed by a second one
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import BEHIND, Erratum, Ruleset

from .canonical import encode
from .shapes import StoredPart

ID_PATTERN: Final = r"^[a-z0-9][a-z0-9.-]{0,39}$(?!\n)"
DATE_PATTERN: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)"
TEXT_MAX: Final = 2_000
BEHIND_MAX: Final = 16  # published errata in force in one match
PUBLISHED_BYTES_MAX: Final = 1 << 14

Scope: TypeAlias = Literal["from-now-on", "retroactive"]
SCOPES: Final[tuple[Scope, ...]] = ("from-now-on", "retroactive")
ErratumId: TypeAlias = Annotated[str, msgspec.Meta(pattern=ID_PATTERN)]
Date: TypeAlias = Annotated[str, msgspec.Meta(pattern=DATE_PATTERN)]
Said: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT_MAX)]

_PART: Final = re.compile(r"([a-z0-9][a-z0-9.-]{0,39})@([1-9][0-9]{0,9})")


class Published(StoredPart, frozen=True, kw_only=True):
    """An erratum that a club has written: readings and content, and the reason."""

    id: ErratumId
    ruleset: str
    date: Date
    text: Said
    scope: Scope
    source: str = ""
    readings: dict[str, int | bool | str] = {}  # noqa: RUF012 - msgspec copies it
    content: dict[str, dict[str, dict[str, Any] | None]] = {}  # noqa: RUF012

    @property
    def erratum(self) -> Erratum:
        """Returns the erratum as the kernel applies it to the rules."""
        return Erratum(
            id=self.id,
            date=self.date,
            source=self.source,
            text=self.text,
            readings=self.readings,
            content=self.content,
        )

    @property
    def packed(self) -> bytes:
        return encode(msgspec.to_builtins(self), PUBLISHED_BYTES_MAX)

    @property
    def mark(self) -> str:
        """Returns its hash, which differs for errata with the same id and other content."""
        return hashlib.sha256(self.packed).hexdigest()


class Brought(NamedTuple):
    """A published erratum that is in force, and the event that brought it."""

    id: str
    version: int


def edition_of(base: str, behind: Iterable[Brought]) -> str:
    """Returns the name of an edition with published errata after it."""
    return base + "".join(f"{BEHIND}{one.id}@{one.version}" for one in behind)


def base_of(edition: str) -> str:
    """Returns the ruleset's own part of an edition."""
    return edition.partition(BEHIND)[0]


def behind_in(edition: str) -> list[Brought]:
    """Returns the published errata that an edition's name lists as in force."""
    _, *parts = edition.split(BEHIND)
    found = [_PART.fullmatch(part) for part in parts]
    if None in found or len(found) > BEHIND_MAX:
        raise Refused("unknown_edition", "", "", {"edition": edition[:80]})
    return [Brought(one[1], int(one[2])) for one in found if one is not None]


def edition_name_of(edition: str) -> str:
    """Returns an edition's name for people, without the numbers of events."""
    base, *parts = edition.split(BEHIND)
    return " + ".join([base, *(part.partition("@")[0] for part in parts)])


def behind_of(rules: Ruleset, errata: Iterable[Published]) -> list[Erratum]:
    """Returns published errata for the kernel; refuses those of another game."""
    found = list(errata)
    for one in found:
        if one.ruleset != rules.name:
            evidence = {"erratum": one.id, "ruleset": one.ruleset[:80], "match": rules.name}
            raise Refused("bad_value", "", "The erratum is of another game.", evidence)
    return [one.erratum for one in found]


def trouble_of(edition: str, errata: Sequence[Published], ruleset: str, version: int) -> str:
    """Returns the fault of an edition that an event puts in force, or ""."""
    try:
        behind = behind_in(edition)
    except Refused:
        return "its edition does not determine which errata apply"
    names = [one.id for one in behind]
    if len(names) != len(set(names)) or any(one.version > version for one in behind):
        return "its edition names an erratum twice, or one that the log has not brought yet"
    if [one.id for one in behind if one.version == version] != [one.id for one in errata]:
        return "its edition does not name the errata that it brings"
    return "" if all(one.ruleset == ruleset for one in errata) else "an erratum of another game"


def one_of(errata: Sequence[Published], brought: Brought, edition: str) -> Published:
    """Returns the erratum that an event brought; refuses if it brought none of this name."""
    for one in errata:
        if one.id == brought.id:
            return one
    evidence = {"edition": edition[:80], "at": brought.version}
    message = "The named event does not bring this erratum."
    raise Refused("unknown_edition", "", message, evidence)
