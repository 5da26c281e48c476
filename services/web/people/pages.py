"""The club's people: a list, what they have played, and adding a person."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, render_template, request, url_for

from ledger.club.people import NAME_MAX, ROLES, Role
from ledger.games import rulesets
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.identity import caller, club, require_caller
from services.web.matches.listing import Summary
from services.web.matches.view import list_visible_matches

from .api import ChangedPersonShape, NewPersonShape, link_of

PEOPLE_PAGES: Final = Blueprint("people_pages", __name__)
LISTED: Final = 100


@PEOPLE_PAGES.get("/people")
@allowed("organizer", scope="organize")
def everybody() -> Response:
    """Shows all people of the club and the form that adds one."""
    return _list(TypedForm())


def _list(form: TypedForm) -> Response:
    everybody = club().people().people.values()
    people = sorted(everybody, key=lambda one: (one.name.casefold(), one.id))
    wanted = request.args.get("name", "").strip()[:NAME_MAX]
    found = [one for one in people if wanted.casefold() in one.name.casefold()]
    page = render_template(
        "people.html",
        form=form,
        people=found[:LISTED],
        count=len(found),
        more=len(found) > LISTED,
        wanted=wanted,
        name_max=NAME_MAX,
    )
    return page_response(page, form.status)


@PEOPLE_PAGES.post("/people")
@allowed("organizer", scope="organize")
def add() -> Response:
    """Adds a person and shows the link for them."""
    form, me = TypedForm.sent(), require_caller().person.id
    roles: list[Role] = ["organizer", "player"] if form.has("organizer", "1") else ["player"]
    body = {"name": form.text("name"), "roles": roles}
    made = form.apply(NewPersonShape, body, lambda asked: club().add(asked["name"], roles, me))
    if made is None:
        form.blame("name", form.trouble)
        return _list(form)
    person, shown = made
    said = f"{person.name} is now a member. Send them this link: it works once, within"
    said += " half an hour."
    return led_on(url_for("people_pages.everybody"), said, [(person.name, link_of(shown))])


@PEOPLE_PAGES.get("/people/<string:person>")
@allowed("person")
def somebody(person: str) -> Response:
    """Shows a person: their matches and how they ended."""
    return _person(person, TypedForm())


def _person(person: str, form: TypedForm) -> Response:
    found = club().people().person(person)
    matches = [one for one in list_visible_matches(caller()) if person in one.people]
    over = [one for one in matches if one.state in ("finished", "abandoned")]
    form.said.setlistdefault("roles", list(found.roles))
    page = render_template(
        "person.html",
        form=form,
        person=found,
        roles=ROLES,
        over=over[:LISTED],
        going_on=[one for one in matches if one not in over][:LISTED],
        tally=_tally(over),
    )
    return page_response(page, form.status)


def _tally(over: list[Summary]) -> list[tuple[str, int]]:
    """Counts the matches of each game."""
    games = rulesets()
    counts = {name: sum(one.game == name for one in over) for name in games}
    return [(games[name].title, count) for name, count in counts.items() if count]


@PEOPLE_PAGES.post("/people/<string:person>/roles")
@allowed("organizer", scope="organize")
def set_roles(person: str) -> Response:
    form, me = TypedForm.sent(), require_caller().person.id
    body = {"roles": form.many("roles")}
    form.apply(ChangedPersonShape, body, lambda asked: club().change(person, me, **asked))
    if form.trouble:
        return _person(person, form)
    return led_on(url_for("people_pages.somebody", person=person), "The roles are changed.")


@PEOPLE_PAGES.post("/people/<string:person>/link")
@allowed("organizer", scope="organize")
def new_link(person: str) -> Response:
    """Makes a new link that signs a person in once."""
    form, me = TypedForm.sent(), require_caller().person.id
    found = club().people().person(person)
    shown = form.tries(lambda: club().make("link", me, person=found.id))
    if shown is None:
        return _person(person, form)
    said = f"This link signs in {found.name}, once, within half an hour. Give it to nobody else."
    there = url_for("people_pages.somebody", person=person)
    return led_on(there, said, [(found.name, link_of(shown))])
