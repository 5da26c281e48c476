"""The part of a dispute that the table's book stores: words, consents to show talk, appeals.

    filed ─▶ ruled ─▶ appealed ─▶ ruled again, which is final
               └─▶ final, where there is no other organizer to appeal to

The existence of a dispute, its events and its rulings are acts of the match. The words of the claim
are only for the parties and the organizer, so the table's book has them; the act has their hash.
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
    "no_such_deal": "The match has no deal with this name at this point.",
    "no_such_conflict": "No conflict began with this event.",
    "too_many_disputes": "Your other disputes still wait for a ruling; those come first.",
    "not_a_party": "You are not a party to this dispute.",
    "dispute_over": "An organizer has ruled on this dispute: its state shows what is still open.",
    "not_ruled": "No organizer has ruled on this dispute yet.",
    "no_appeal": "There is no other organizer to appeal to.",
    "own_case": "Organizers may not rule on their own matches, or on their own rulings.",
    "other_dossier": "The dossier has changed since you read it: read it again.",
    "no_transfers": "This game has no payments.",
}


def make_refusal(code: str, evidence: Mapping[str, Any] | None = None) -> Refused:
    return Refused(code, "", CLAIM_REFUSALS[code], evidence)


class ClaimFiled(Entry, tag="claim-filed"):
    """A seat, or the organizer, claimed that something went wrong."""

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
    """A seat agreed that its private talk may be shown in a dossier, or withdrew that."""

    dispute: str
    seat: Seat
    gives: bool


class RulingRested(Entry, tag="ruling-rested"):
    """The dossier on which a ruling is based."""

    dispute: str
    version: int  # of the ruling
    dossier: str  # its SHA-256, in hex


class RulingAppealed(Entry, tag="ruling-appealed"):
    """A party, or the organizer, appealed against a ruling."""

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
        return self.filed.dispute

    def is_party(self, seat: Seat) -> bool:
        """Tells if the seat filed the dispute or is a party to it."""
        return seat == self.filed.seat or seat in self.filed.parties

    def state(self, rulings: int, *, appealable: bool) -> State:
        """Returns the state after a number of rulings; `appealable` says if an appeal could be
        heard.
        """
        if not rulings:
            return "open"
        if rulings > 1 or (not self.appeals and not appealable):
            return "final"
        return "appealed" if self.appeals else "ruled"


def with_entry(
    claims: Mapping[str, Claim], entry: ClaimEntry, by: str, at: int
) -> dict[str, Claim]:
    replace = msgspec.structs.replace
    match entry:
        case ClaimFiled():
            claim = Claim(filed=entry, by=by, at=at)
        case TalkConsented():
            claim, only = claims[entry.dispute], {entry.seat}
            consents = claim.consents | only if entry.gives else claim.consents - only
            claim = replace(claim, consents=consents)
        case RulingRested():
            claim = claims[entry.dispute]
            claim = replace(claim, rested={**claim.rested, entry.version: entry.dossier})
        case RulingAppealed():
            claim = claims[entry.dispute]
            claim = replace(claim, appeals=(*claim.appeals, (by, entry)))
    return {**claims, entry.dispute: claim}


def words_hash(filed: ClaimFiled) -> bytes:
    """Hashes the words for the act in the log: SHA-256 of the salt and the words in UTF-8."""
    return hashlib.sha256(filed.salt + filed.words.encode()).digest()


def check_room(claims: Collection[Claim], ruled: Collection[str], seat: Seat | None) -> None:
    """Refuses a new dispute while too many of the filer's own have no ruling yet."""
    waiting = [one for one in claims if one.filed.seat == seat and one.dispute not in ruled]
    if len(waiting) >= OPEN_MAX:
        raise make_refusal("too_many_disputes", {"open": [one.dispute for one in waiting]})


def next_name(claims: Collection[str], known: Collection[str]) -> str:
    """Returns the next name that neither the book nor the log has."""
    number = 1 + len(claims)
    while f"d{number}" in known or f"d{number}" in claims:
        number += 1
    return f"d{number}"


def consent(claim: Claim, seat: Seat, *, gives: bool) -> list[TalkConsented]:
    """Lets a seat's private talk be shown in dossiers, or withdraws that."""
    if (seat in claim.consents) == gives:
        return []
    return [TalkConsented(dispute=claim.dispute, seat=seat, gives=gives)]


def appeal(
    claim: Claim, seat: Seat | None, words: str, rulings: Sequence[int], *, appealable: bool
) -> list[RulingAppealed]:
    """Lets a party, or the organizer who filed the dispute, ask another organizer to rule."""
    state = claim.state(len(rulings), appealable=appealable)
    if state == "open":
        raise make_refusal("not_ruled", {"dispute": claim.dispute})
    if state == "final" and len(rulings) == 1:
        raise make_refusal("no_appeal", {"dispute": claim.dispute})
    if state != "ruled":
        raise make_refusal("dispute_over", {"dispute": claim.dispute, "state": state})
    if seat != claim.filed.seat and (seat is None or not claim.is_party(seat)):
        raise make_refusal("not_a_party", {"seat": seat})
    return [RulingAppealed(dispute=claim.dispute, seat=seat, version=rulings[-1], words=words)]
