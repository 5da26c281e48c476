"""Disputes, as far as they are kept beside the log: the words, consents to show talk, appeals.

    filed ─▶ ruled ─▶ appealed ─▶ ruled again, which is final
               └─▶ final, where there is no other organizer to appeal to

That there is a dispute, about which events, and how it was ruled, are acts of the match. What was
claimed is for the parties and the organizer, so it stands in the table's book; the act has its
hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.books import Entry

OPEN_MAX: Final = 3  # disputes of one seat, or of the organizer, that nobody has ruled on
State: TypeAlias = Literal["open", "ruled", "appealed", "final"]

CLAIM_REFUSALS: Final[Mapping[str, str]] = {
    "no_such_deal": "No deal of this name is known at this point of the match.",
    "no_such_conflict": "No conflict began with this event.",
    "too_many_disputes": "There are disputes of yours that wait for a ruling; those come first.",
    "not_a_party": "You are no party of this dispute.",
    "dispute_over": "This dispute has been ruled on already: its state says what is still open.",
    "not_ruled": "Nobody has ruled on this dispute.",
    "no_appeal": "There is no other organizer to appeal to.",
    "own_case": "Nobody rules on a match in which they have a part, or on their own ruling.",
    "other_dossier": "The dossier is not the one that you read: look at it again.",
    "no_transfers": "Nothing can be paid over in this game.",
}


def refused(code: str, evidence: Mapping[str, Any] | None = None) -> Refused:
    """A refusal of the club about a dispute."""
    return Refused(code, "", CLAIM_REFUSALS[code], evidence)


class ClaimFiled(Entry, tag="claim-filed"):
    """A seat, or the organizer, says that something was not as it must be."""

    dispute: str
    words: str
    first: int  # the events that it is about
    last: int
    parties: tuple[Seat, ...]  # the seats that it concerns; they read the words
    salt: bytes  # so that nobody guesses the words from their hash
    seat: Seat | None = None  # None: the organizer
    deal: str = ""
    conflict: int = 0  # the event with which it began
    talk: int = 0  # so many lines had been said at the table


class TalkConsented(Entry, tag="talk-consented"):
    """A seat lets what it said or heard in private be shown in a dossier; or no more."""

    dispute: str
    seat: Seat
    gives: bool


class RulingRested(Entry, tag="ruling-rested"):
    """On which dossier a ruling rests."""

    dispute: str
    version: int  # of the ruling
    dossier: str  # its SHA-256, in hex


class RulingAppealed(Entry, tag="ruling-appealed"):
    """Somebody does not take a ruling as it is."""

    dispute: str
    version: int  # of the ruling
    words: str
    seat: Seat | None = None


ClaimEntry: TypeAlias = ClaimFiled | TalkConsented | RulingRested | RulingAppealed


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute as the book has it. It exists once the log has its act."""

    filed: ClaimFiled
    by: str  # a person
    at: int
    consents: frozenset[Seat] = frozenset()
    rested: Mapping[int, str] = {}  # by the event of the ruling: the dossier
    appeals: tuple[tuple[str, RulingAppealed], ...] = ()  # by whom

    @property
    def dispute(self) -> str:
        """Its name."""
        return self.filed.dispute

    def is_party(self, seat: Seat) -> bool:
        """Whether it concerns a seat."""
        return seat == self.filed.seat or seat in self.filed.parties

    def state(self, rulings: int, *, appealable: bool) -> State:
        """How far it has come, after so many rulings; who could hear an appeal is said beside."""
        if not rulings:
            return "open"
        if rulings > 1 or (not self.appeals and not appealable):
            return "final"
        return "appealed" if self.appeals else "ruled"


def with_entry(
    claims: Mapping[str, Claim], entry: ClaimEntry, by: str, at: int
) -> dict[str, Claim]:
    """The disputes after an entry."""
    if isinstance(entry, ClaimFiled):
        return {**claims, entry.dispute: Claim(filed=entry, by=by, at=at)}
    return {**claims, entry.dispute: _changed(claims[entry.dispute], entry, by)}


def _changed(claim: Claim, entry: TalkConsented | RulingRested | RulingAppealed, by: str) -> Claim:
    replace = msgspec.structs.replace
    match entry:
        case TalkConsented():
            only = frozenset((entry.seat,))
            consents = claim.consents | only if entry.gives else claim.consents - only
            return replace(claim, consents=consents)
        case RulingRested():
            return replace(claim, rested={**claim.rested, entry.version: entry.dossier})
        case RulingAppealed():
            return replace(claim, appeals=(*claim.appeals, (by, entry)))


def words_hash(filed: ClaimFiled) -> bytes:
    """What the act in the log has of the words: SHA-256 of the salt and the words in UTF-8."""
    return hashlib.sha256(filed.salt + filed.words.encode()).digest()


def check_room(claims: Collection[Claim], ruled: Collection[str], seat: Seat | None) -> None:
    """Refuse who has filed so much that it must first be ruled on."""
    waiting = [one for one in claims if one.filed.seat == seat and one.dispute not in ruled]
    if len(waiting) >= OPEN_MAX:
        raise refused("too_many_disputes", {"open": [one.dispute for one in waiting]})


def next_name(claims: Collection[str], known: Collection[str]) -> str:
    """The name of the next dispute of a match: none that the book or the log has."""
    number = 1 + len(claims)
    while f"d{number}" in known or f"d{number}" in claims:
        number += 1
    return f"d{number}"


def consent(claim: Claim, seat: Seat, *, gives: bool) -> list[TalkConsented]:
    """A seat lets its private talk be shown, or does not any more."""
    if (seat in claim.consents) == gives:
        return []
    return [TalkConsented(dispute=claim.dispute, seat=seat, gives=gives)]


def appeal(
    claim: Claim, seat: Seat | None, words: str, rulings: Sequence[int], *, appealable: bool
) -> list[RulingAppealed]:
    """A party, or the organizer who filed it, asks another organizer to rule."""
    state = claim.state(len(rulings), appealable=appealable)
    if state == "open":
        raise refused("not_ruled", {"dispute": claim.dispute})
    if state == "final" and len(rulings) == 1:
        raise refused("no_appeal", {"dispute": claim.dispute})
    if state != "ruled":
        raise refused("dispute_over", {"dispute": claim.dispute, "state": state})
    if seat != claim.filed.seat and (seat is None or not claim.is_party(seat)):
        raise refused("not_a_party", {"seat": seat})
    return [RulingAppealed(dispute=claim.dispute, seat=seat, version=rulings[-1], words=words)]
