"""One's own name, tokens and links; and the people of the club."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from flask import url_for
from flask.views import MethodView
from marshmallow.validate import Length, OneOf, Range
from msgspec.structs import asdict

from ledger.club.people import LABEL_MAX, NAME_MAX, ROLES, SCOPES, Pass, Person
from services.matches.club import DAY_MS, NewPass, Wish
from services.web.app.access import allowed
from services.web.app.identity import address, club, require_caller
from services.web.app.routes import Routes
from services.web.app.shapes import ABSENT, Page, Shape, one_line, page_of
from services.web.matches.invitations import check_seat, take_seat

ACCOUNT: Final = Routes("account", "/me", "One's own account")
PEOPLE: Final = Routes("people", "/people", "The club's people")

Name: TypeAlias = Annotated[str, {"metadata": {"minLength": 1, "maxLength": NAME_MAX}}]
Id: TypeAlias = Annotated[str, {"metadata": {"pattern": "^[a-z0-9]{16}$"}}]
Roles: TypeAlias = list[Annotated[str, OneOf(ROLES)]]
Scopes: TypeAlias = list[Annotated[str, OneOf(SCOPES)]]
Secret: TypeAlias = Annotated[str, "shown once, and never again"]


class PersonShape(Shape):
    """A person of the club."""

    id: Id
    name: Name
    roles: Roles
    since: Annotated[int, "when they came, in milliseconds"]


class MeShape(PersonShape):
    """The caller."""

    scopes: Annotated[Scopes, "what this token or session allows"]


class NamedShape(Shape):
    """A person's new name."""

    name: Name


class PassShape(Shape):
    """A token, session, link or invitation, without its secret."""

    id: Id
    kind: str
    label: str
    scopes: list[str]
    made: int
    expires: int


class NewTokenShape(Shape):
    """The label, scopes and lifetime of a new token."""

    label: Annotated[str, Length(1, LABEL_MAX), one_line]
    scopes: Annotated[Scopes, Length(1), {"load_default": ["read"]}] = ABSENT
    days: Annotated[int, Range(1, 3650)] = 365


class EnteringShape(NewTokenShape):
    """A link that was handed on, and the token wanted for it."""

    link: Annotated[str, Length(1, 500), "the whole link, or only its last part: `hgm_...`"]
    name: Annotated[str, one_line, "your name, if the link is not for a known person"] = ""


class EnteredShape(MeShape):
    """The account that was entered, and its token."""

    token: Secret


class ShownTokenShape(PassShape):
    """A token, shown only this once."""

    token: Secret


class ShownLinkShape(PassShape):
    """A link that works once."""

    link: Secret


class NewPersonShape(Shape):
    """A person to add to the club."""

    name: Name
    roles: Annotated[Roles, Length(1), {"load_default": ["player"]}] = ABSENT


class NewPersonShownShape(PersonShape):
    """A new person, and the link that lets them in."""

    link: Annotated[str, "a link for the person; it opens once"]


class ChangedPersonShape(Shape):
    """Changes to a person."""

    name: Name = ABSENT
    roles: Annotated[Roles, Length(1)] = ABSENT


PeoplePageShape: Final = page_of("PeoplePageShape", "people", PersonShape)


class PassesShape(Shape):
    """The caller's tokens, sessions and links."""

    passes: list[PassShape]


def plain_pass(found: Pass) -> dict[str, Any]:
    made = found.made
    return {
        "id": made.pass_id,
        "kind": made.kind,
        "label": made.label,
        "scopes": list(made.scopes),
        "made": found.at,
        "expires": made.expires,
    }


def plain_shown(shown: NewPass) -> dict[str, Any]:
    return plain_pass(Pass(made=shown.made, at=club().clock(), by=""))


def wish_of(asked: dict[str, Any]) -> Wish:
    """Returns the requested token's label, scopes and lifetime."""
    scopes = tuple(scope for scope in SCOPES if scope in asked["scopes"])
    return Wish(asked["label"], scopes, asked["days"] * DAY_MS)


def token_of(asked: dict[str, Any]) -> NewPass:
    """Makes a requested token for the caller."""
    me = require_caller().person.id
    return club().make("token", me, person=me, **wish_of(asked)._asdict())


def link_of(shown: NewPass) -> str:
    """Returns the address of a link."""
    return address() + url_for("door.look", words=shown.words)


@ACCOUNT.route("")
class Me(MethodView):
    """One's own account."""

    @ACCOUNT.gives(200, MeShape)
    @allowed("person")
    def get(self) -> dict[str, Any]:
        """Returns the caller's account and scopes."""
        me = require_caller()
        return {**asdict(me.person), "scopes": list(me.scopes)}

    @ACCOUNT.takes(EnteringShape)
    @ACCOUNT.gives(201, EnteredShape, (409, 410))
    @allowed("anyone")  # who has a link that opens once
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Enters by a link, as a program: the link works once and gives a token."""
        words = asked["link"].rstrip("/").rpartition("/")[2]
        made = club().looked_at(words)
        check_seat(made, "")
        person, shown = club().let_in(words, asked["name"].strip(), wish=wish_of(asked))
        take_seat(made, person)
        scopes = list(shown.made.scopes)
        return {**asdict(person), "scopes": scopes, "token": shown.words}

    @ACCOUNT.takes(NamedShape)
    @ACCOUNT.gives(200, PersonShape)
    @allowed("person", scope="play")
    def patch(self, asked: dict[str, Any]) -> Person:
        """Renames the caller."""
        me = require_caller().person.id
        return club().change(me, me, name=asked["name"])


@ACCOUNT.route("/passes")
class Passes(MethodView):
    """The caller's tokens, sessions and links."""

    @ACCOUNT.gives(200, PassesShape)
    @allowed("person")
    def get(self) -> dict[str, Any]:
        """Lists the caller's tokens, sessions and links that are still valid."""
        me, now = require_caller().person.id, club().clock()
        people = club().people()
        found = [
            one
            for kind in ("token", "session", "link")
            for one in people.open_passes(me, kind, now)
        ]
        return {"passes": [plain_pass(one) for one in found]}


@ACCOUNT.route("/passes/<string:pass_id>")
class OnePass(MethodView):
    """A token, session, link or invitation."""

    @ACCOUNT.gives(204)
    @allowed("person", scope="play")
    def delete(self, pass_id: str) -> None:
        """Revokes a token, session, link or invitation."""
        me = require_caller()
        club().take_back(pass_id, me.person.id, anybodys=me.organizer)


@ACCOUNT.route("/tokens")
class Tokens(MethodView):
    """Tokens for programs."""

    @ACCOUNT.takes(NewTokenShape)
    @ACCOUNT.gives(201, ShownTokenShape, (409,))
    @allowed("person", scope="organize")
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Makes a token. Its words are shown only this once."""
        shown = token_of(asked)
        return {**plain_shown(shown), "token": shown.words}


@ACCOUNT.route("/links")
class Links(MethodView):
    """Links to one's own account."""

    @ACCOUNT.gives(201, ShownLinkShape, (409,))
    @allowed("person", scope="organize")
    def post(self) -> dict[str, Any]:
        """Makes a link that signs in another of the caller's devices once."""
        me = require_caller().person.id
        shown = club().make("link", me, person=me)
        return {**plain_shown(shown), "link": link_of(shown)}


@PEOPLE.route("")
class Everybody(MethodView):
    """The people of the club."""

    @PEOPLE.takes(Page, location="query")
    @PEOPLE.gives(200, PeoplePageShape)
    @allowed("person")
    def get(self, page: dict[str, Any]) -> dict[str, Any]:
        """Lists the people of the club, by id."""
        people = club().people()
        ids = sorted(one for one in list(people.people) if one > page["after"])
        shown = ids[: page["limit"]]
        return {
            "people": [people.person(one) for one in shown],
            "more": len(ids) > len(shown),
        }

    @PEOPLE.takes(NewPersonShape)
    @PEOPLE.gives(201, NewPersonShownShape)
    @allowed("organizer", scope="organize")
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Adds a person to the club. The link in the answer is for them."""
        person, shown = club().add(asked["name"], asked["roles"], require_caller().person.id)
        return {**asdict(person), "link": link_of(shown)}


@PEOPLE.route("/<string:person>")
class Somebody(MethodView):
    """A person of the club."""

    @PEOPLE.gives(200, PersonShape)
    @allowed("person")
    def get(self, person: str) -> Person:
        """Returns a person of the club."""
        return club().people().person(person)

    @PEOPLE.takes(ChangedPersonShape)
    @PEOPLE.gives(200, PersonShape, (409,))
    @allowed("organizer", scope="organize")
    def patch(self, asked: dict[str, Any], person: str) -> Person:
        """Changes a person's name or roles."""
        me = require_caller().person.id
        return club().change(person, me, **asked)


@PEOPLE.route("/<string:person>/links")
class TheirLinks(MethodView):
    """Sign-in links for another person."""

    @PEOPLE.gives(201, ShownLinkShape, (409,))
    @allowed("organizer", scope="organize")
    def post(self, person: str) -> dict[str, Any]:
        """Makes a link that signs a person in once, for a person who lost every way in."""
        me = require_caller().person.id
        shown = club().make("link", me, person=club().people().person(person).id)
        return {**plain_shown(shown), "link": link_of(shown)}
