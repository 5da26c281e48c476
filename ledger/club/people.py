"""The club's people: names, roles, and passes. A pass gives access to something.

| pass | gives access to |
|---|---|
| founder | the club, once: the person who uses it becomes the first organizer |
| link | one's own account, once, on another device |
| invitation | a seat at a match, once |
| session | the pages, for a browser that was let in |
| token | the API, for a program, within its scopes |

Only the hash of a pass is stored. Of people the club knows only the names they choose here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ledger.kernel.refusals import Refused
from ledger.log.books import Entry
from ledger.log.format.shapes import Hash

from .texts import is_one_line

BOOK: Final = "club:people"
NAME_MAX: Final = 40
LABEL_MAX: Final = 60
PASSES_MAX: Final = 50  # tokens, or sessions, of one person that are open at a time

Role: TypeAlias = Literal["organizer", "player"]
ROLES: Final[tuple[Role, ...]] = ("organizer", "player")
Scope: TypeAlias = Literal["read", "play", "organize"]
SCOPES: Final[tuple[Scope, ...]] = ("read", "play", "organize")
PassKind: TypeAlias = Literal["founder", "link", "invitation", "session", "token"]
ONCE: Final = ("founder", "link", "invitation")

CLUB_REFUSALS: Final[Mapping[str, str]] = {
    "no_such_person": "No person here has this id.",
    "bad_name": "A name has 1 to 40 printable letters, and no space at its ends.",
    "which_person": "Several people have this name: give the id.",
    "no_such_pass": "There is no such token, link or invitation, or it is not yours.",
    "pass_ended": "This link was used, has expired or was revoked.",
    "too_many_passes": "You have the most that a person can have; revoke one first.",
    "bad_scope": "A token cannot do more than its owner.",
    "last_organizer": "A club needs an organizer: make another person an organizer first.",
    "founded": "The club has an organizer already.",
}


def make_refusal(code: str, evidence: Mapping[str, Any] | None = None) -> Refused:
    return Refused(code, "", CLUB_REFUSALS[code], evidence)


# --- entries --------------------------------------------------------------------------------------


class PersonAdded(Entry, tag="person-added"):
    """A person joined the club."""

    person: str
    name: str
    roles: tuple[Role, ...]


class PersonNamed(Entry, tag="person-named"):
    """A person changed their name."""

    person: str
    name: str


class RolesSet(Entry, tag="roles-set"):
    """A person's roles were changed."""

    person: str
    roles: tuple[Role, ...]


class PassMade(Entry, tag="pass-made"):
    """A pass was made."""

    pass_id: str
    kind: PassKind
    hash: Hash
    expires: int  # milliseconds
    person: str = ""  # whose door; nobody's yet for a founder's, an open invitation
    scopes: tuple[Scope, ...] = ()
    label: str = ""
    match: str = ""
    seat: int | None = None


class PassEnded(Entry, tag="pass-ended"):
    """A pass became invalid."""

    pass_id: str
    why: Literal["used", "taken back"]


PeopleEntry: TypeAlias = PersonAdded | PersonNamed | RolesSet | PassMade | PassEnded


# --- what they come to ----------------------------------------------------------------------------


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A member of the club."""

    id: str
    name: str
    roles: tuple[Role, ...]
    since: int

    @property
    def organizer(self) -> bool:
        return "organizer" in self.roles


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """A pass, with its maker and its end."""

    made: PassMade
    at: int
    by: str
    ended: str = ""

    def opens(self, now: int) -> bool:
        """Tells if the pass is still valid."""
        return not self.ended and now < self.made.expires


class People:
    """All people and passes.

    One thread takes entries while others read. An entry replaces values and never changes them,
    so a reader's data stays as it was.
    """

    def __init__(self) -> None:
        self.people: dict[str, Person] = {}
        self.passes: dict[str, Pass] = {}
        self._of: dict[str, tuple[str, ...]] = {}  # the passes of a person that may be open

    def take(self, number: int, at: int, by: str, entry: PeopleEntry) -> None:
        match entry:
            case PersonAdded():
                self.people[entry.person] = Person(
                    id=entry.person, name=entry.name, roles=entry.roles, since=at
                )
            case PersonNamed():
                self._change(entry.person, name=entry.name)
            case RolesSet():
                self._change(entry.person, roles=entry.roles)
            case PassMade():
                self.passes[entry.pass_id] = Pass(made=entry, at=at, by=by)
                there = (
                    one for one in self._of.get(entry.person, ()) if self.passes[one].opens(at)
                )
                self._of[entry.person] = (*there, entry.pass_id)
            case PassEnded():
                found = self.passes[entry.pass_id]
                if not found.ended:
                    self.passes[entry.pass_id] = msgspec.structs.replace(found, ended=entry.why)

    def _change(self, person: str, **to: Any) -> None:
        self.people[person] = msgspec.structs.replace(self.people[person], **to)

    def person(self, person: str) -> Person:
        if person not in self.people:
            raise make_refusal("no_such_person", {"person": person[:40]})
        return self.people[person]

    @property
    def founded(self) -> bool:
        """Tells if the club has an organizer."""
        return any(one.organizer for one in list(self.people.values()))

    def open_passes(self, person: str, kind: PassKind, now: int) -> list[Pass]:
        """Returns a person's valid passes of a kind, the oldest first."""
        found = [self.passes[one] for one in self._of.get(person, ())]
        return [one for one in found if one.made.kind == kind and one.opens(now)]

    def opening(self, pass_id: str, hash: bytes, same: Callable[[bytes, bytes], bool]) -> Pass:
        """Returns the pass with this id and hash, or refuses; `same` compares in constant time."""
        found = self.passes.get(pass_id)
        if found is None or not same(found.made.hash, hash):
            raise make_refusal("no_such_pass")
        return found


# --- what may be written --------------------------------------------------------------------------


def check_name(name: str) -> str:
    """Returns the name if it can be shown; refuses it otherwise."""
    fits = 1 <= len(name) <= NAME_MAX and is_one_line(name)
    if not fits:
        raise make_refusal("bad_name", {"name": name[:NAME_MAX], "letters": len(name)})
    return name


def add_person(people: People, person: str, name: str, roles: Sequence[Role]) -> list[PeopleEntry]:
    assert person not in people.people, "a new id is new"
    return [PersonAdded(person=person, name=check_name(name), roles=tuple(roles))]


def rename(people: People, person: str, name: str) -> list[PeopleEntry]:
    if people.person(person).name == name:
        return []  # a name that is theirs already was checked when it became so
    return [PersonNamed(person=person, name=check_name(name))]


def set_roles(people: People, person: str, roles: Sequence[Role]) -> list[PeopleEntry]:
    """Changes a person's roles; refuses if no organizer would remain."""
    found = people.person(person)
    wanted = tuple(role for role in ROLES if role in roles)
    others = any(one.organizer for one in list(people.people.values()) if one.id != person)
    if found.organizer and "organizer" not in wanted and not others:
        raise make_refusal("last_organizer", {"person": person})
    return [] if wanted == found.roles else [RolesSet(person=person, roles=wanted)]


def check_scopes(scopes: Sequence[Scope], roles: Sequence[Role]) -> None:
    """Refuses scopes that exceed the owner's roles."""
    if "organize" in scopes and "organizer" not in roles:
        raise make_refusal("bad_scope", {"scope": "organize", "roles": list(roles)})


def make_pass(people: People, made: PassMade, now: int) -> list[PeopleEntry]:
    """Makes a pass. A token gets no more rights than its owner has."""
    entries: list[PeopleEntry] = []
    if made.person:
        owner = people.person(made.person)
        check_scopes(made.scopes, owner.roles)
        there = people.open_passes(made.person, made.kind, now)
        if len(there) >= PASSES_MAX:
            if made.kind != "session":
                raise make_refusal("too_many_passes", {"kind": made.kind, "most": PASSES_MAX})
            # One more sign-in ends the person's oldest session.
            entries.append(PassEnded(pass_id=there[0].made.pass_id, why="taken back"))
    if made.kind == "founder":
        if people.founded:
            raise make_refusal("founded")
        entries += [
            PassEnded(pass_id=one.made.pass_id, why="taken back")
            for one in people.open_passes("", "founder", now)
        ]
    return [*entries, made]


def take_back(
    people: People, pass_id: str, person: str, *, anybodys: bool = False
) -> list[PeopleEntry]:
    """Ends a pass: one's own, one that the caller made, or as organizer any (`anybodys`)."""
    found = people.passes.get(pass_id)
    if found is None or (person not in (found.made.person, found.by) and not anybodys):
        raise make_refusal("no_such_pass")
    return [] if found.ended else [PassEnded(pass_id=pass_id, why="taken back")]


def use(people: People, pass_id: str, now: int, kinds: Sequence[PassKind]) -> list[PeopleEntry]:
    """Uses up a pass that works once."""
    found = people.passes.get(pass_id)
    if found is None or found.made.kind not in kinds:
        raise make_refusal("no_such_pass")
    if not found.opens(now) or (found.made.kind == "founder" and people.founded):
        raise make_refusal(
            "pass_ended", {"kind": found.made.kind, "ended": found.ended or "expired"}
        )
    return [PassEnded(pass_id=pass_id, why="used")]
