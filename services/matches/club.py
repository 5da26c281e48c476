"""The club: its people and the passes they show, with the clock, the entropy and the hashes.

A pass is `hgm_KIND_ID_SECRET_CHECK`, where KIND is the first letter of its kind. Its id finds it,
the hash of its secret proves it. The check lets a scanner, or us, tell a leaked pass from a
mistyped word.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypedDict, Unpack

from ledger.club import people as rules
from ledger.club.people import (
    BOOK,
    SCOPES,
    PassKind,
    PassMade,
    People,
    PeopleEntry,
    Person,
    Role,
    Scope,
    make_refusal,
)
from ledger.kernel.refusals import Refused
from ledger.log.books import Book
from ledger.log.stores.protocol import Store
from ledger.log.write.founding import new_id

MINUTE_MS: Final = 60_000
DAY_MS: Final = 24 * 60 * MINUTE_MS
LASTS: Final[dict[PassKind, int]] = {
    "founder": DAY_MS,
    "link": 30 * MINUTE_MS,
    "invitation": 14 * DAY_MS,
    "session": 60 * DAY_MS,
    "token": 365 * DAY_MS,
}
_PASS: Final = re.compile(r"hgm_([flist])_([a-z0-9]{16})_([A-Za-z0-9_-]{43})_([0-9a-f]{8})")
_SECRET: Final = re.compile(r"hgm_([flist])_([a-z0-9]{16})_[A-Za-z0-9_-]+")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class NewPass(NamedTuple):
    """A new pass: its entry, and the words that are shown once."""

    made: PassMade
    words: str


class PassTerms(TypedDict, total=False):
    """The terms of a pass besides its owner and its time."""

    scopes: tuple[Scope, ...]
    label: str
    match: str
    seat: int | None


class Wish(NamedTuple):
    """A token that a program wants instead of a session."""

    label: str
    scopes: tuple[Scope, ...]
    lasts: int


class Caller(NamedTuple):
    person: Person
    scopes: tuple[Scope, ...]
    pass_id: str
    kind: PassKind  # session or token

    @property
    def organizer(self) -> bool:
        """Returns whether the caller acts as an organizer of the club."""
        return self.person.organizer and "organize" in self.scopes


def words_of(kind: PassKind, pass_id: str, secret: str) -> str:
    body = f"hgm_{kind[0]}_{pass_id}_{secret}"
    return f"{body}_{zlib.crc32(body.encode()):08x}"


def parts_of(words: str) -> tuple[PassKind, str, bytes] | None:
    """Returns the kind, the id and the hash of a pass, or None if the words are no pass."""
    found = _PASS.fullmatch(words)
    if found is None:
        return None
    letter, pass_id, secret, check = found.groups()
    if f"{zlib.crc32(words[:-9].encode()):08x}" != check:
        return None
    kind = next(kind for kind in LASTS if kind[0] == letter)
    return kind, pass_id, hash_of(secret)


def without_secrets(text: str) -> str:
    """Returns a text with the secrets of passes removed. Their kinds and ids remain readable."""
    return _SECRET.sub(r"hgm_\1_\2_...", text)


def hash_of(secret: str) -> bytes:
    """Returns the hash kept of a secret. A secret has 256 bits, so a fast hash is enough."""
    return hashlib.sha256(secret.encode()).digest()


class Club:
    def __init__(self, store: Store, clock: Callable[[], int] = now_ms) -> None:
        self.store = store
        self.clock = clock
        self.book: Book[People] = Book(store, BOOK, PeopleEntry, People, clock)

    def people(self) -> People:
        return self.book.read()

    # --- passes --------------------------------------------------------------------------------

    def make(
        self,
        kind: PassKind,
        by: str = "",
        *,
        person: str = "",
        lasts: int | None = None,
        **terms: Unpack[PassTerms],
    ) -> NewPass:
        """Makes a pass. Only its receiver ever sees the words."""
        shown = self._draw(kind, person, lasts, **terms)
        self.book.write(by, lambda all_: rules.make_pass(all_, shown.made, self.clock()))
        return shown

    def _draw(
        self, kind: PassKind, person: str, lasts: int | None = None, **terms: Unpack[PassTerms]
    ) -> NewPass:
        secret, pass_id = secrets.token_urlsafe(32), new_id(os.urandom)
        made = PassMade(
            pass_id=pass_id,
            kind=kind,
            hash=hash_of(secret),
            expires=self.clock() + (LASTS[kind] if lasts is None else lasts),
            person=person,
            **terms,
        )
        return NewPass(made, words_of(kind, pass_id, secret))

    def caller(self, words: str, kinds: Sequence[PassKind]) -> Caller | None:
        """Returns the owner of a session or token, or None if the words are not valid."""
        parts = parts_of(words)
        if parts is None or parts[0] not in kinds:
            return None
        kind, pass_id, hash_ = parts
        people = self.people()
        found = people.passes.get(pass_id)
        if found is None or not hmac.compare_digest(found.made.hash, hash_):
            return None
        if found.made.kind != kind or not found.opens(self.clock()):
            return None
        person = people.people[found.made.person]
        scopes = SCOPES if kind == "session" else found.made.scopes
        return Caller(person, scopes, pass_id, kind)

    def looked_at(self, words: str) -> PassMade:
        """Returns the entry of a one-time pass before it is used: whose it is, and what it
        opens.
        """
        parts = parts_of(words)
        if parts is None:
            raise make_refusal("no_such_pass")
        people, now = self.people(), self.clock()
        found = people.opening(parts[1], parts[2], hmac.compare_digest)
        rules.use(people, found.made.pass_id, now, rules.ONCE)
        return found.made

    def let_in(
        self,
        words: str,
        name: str = "",
        known: str = "",
        leaves: str = "",
        wish: Wish | None = None,
    ) -> tuple[Person, NewPass]:
        """Uses up a one-time pass; returns the person and a session, or the token that is wished
        for.

        A founder's pass makes a new person the organizer. An invitation that names no person is
        taken by `known`, who is signed in already, or by a new person of this name. `leaves` is the
        browser's earlier session, which ends.
        """
        made = self.looked_at(words)
        person = made.person or known or new_id(os.urandom)
        shown = self._draw("session", person)
        if wish is not None:
            shown = self._draw("token", person, wish.lasts, scopes=wish.scopes, label=wish.label)

        def follows(people: People) -> list[PeopleEntry]:
            now = self.clock()
            entries = rules.use(people, made.pass_id, now, rules.ONCE)
            if leaves in people.passes:
                entries.append(rules.PassEnded(pass_id=leaves, why="taken back"))
            founds, member = made.kind == "founder", person in people.people
            if member and not founds:
                return [*entries, *rules.make_pass(people, shown.made, now)]
            roles: tuple[Role, ...] = ("organizer", "player") if founds else ("player",)
            rules.check_scopes(shown.made.scopes, roles)
            if member:
                entries += rules.set_roles(people, person, roles)
            else:
                entries += rules.add_person(people, person, name, roles)
            return [*entries, shown.made]

        self.book.write(person, follows)
        return self.people().person(person), shown

    def take_back(self, pass_id: str, by: str, *, anybodys: bool = False) -> None:
        """Ends a pass. Another person's pass can be ended only if `by` acts as an organizer."""
        self.book.write(by, lambda people: rules.take_back(people, pass_id, by, anybodys=anybodys))

    # --- people --------------------------------------------------------------------------------

    def add(self, name: str, roles: Sequence[Role], by: str) -> tuple[Person, NewPass]:
        """Adds a person, and makes their sign-in link."""
        person = new_id(os.urandom)
        link = self._draw("link", person)
        self.book.write(
            by,
            lambda people: [*rules.add_person(people, person, name, roles), link.made],
        )
        return self.people().person(person), link

    def change(
        self, person: str, by: str, *, name: str | None = None, roles: Sequence[Role] | None = None
    ) -> Person:
        """Changes a person's name, roles, or both: all of it or nothing."""

        def follows(people: People) -> list[PeopleEntry]:
            entries = [] if roles is None else rules.set_roles(people, person, roles)
            if name is not None:
                entries += rules.rename(people, person, name)
            return entries

        self.book.write(by, follows)
        return self.people().person(person)


def founders_link(club: Club) -> str | None:
    """Returns the words of the pass that makes its user the organizer, or None if there is an
    organizer.
    """
    if club.people().founded:
        return None
    try:
        return club.make("founder").words
    except Refused as refusal:
        if refusal.code != "founded":
            raise
        return None  # somebody has come in since we looked


def person_named(people: People, name: str) -> Person:
    """Returns the person with this id or name. Without a name, returns the only organizer."""
    everybody = list(people.people.values())
    if not name:
        found = [one for one in everybody if one.organizer]
    else:
        same = [one for one in everybody if one.name.casefold() == name.casefold()]
        found = [one for one in everybody if one.id == name] or same
    if len(found) > 1:
        those = ", ".join(f"{one.name} is {one.id}" for one in found[:10])
        raise make_refusal("which_person", {"people": those})
    if not found:
        raise make_refusal("no_such_person", {"person": name[:40]})
    return found[0]
