"""The `let-in` command, for a person who has lost every way to sign in."""

from __future__ import annotations

from typing import Final

import click

from ledger.log.stores.files import FileStore
from services.cli.support.exits import Failure
from services.cli.support.output import printable, show
from services.cli.support.params import as_json_option
from services.cli.support.sources import around, settings_of
from services.run.servers import running_up
from services.run.settings import Settings
from services.run.up import HOST, link_on

USUAL_PORT: Final = 8000


@click.command(name="let-in")
@click.argument("name", required=False, default="", metavar="[NAME]")
@as_json_option
def let_in(name: str) -> None:
    r"""Print a link that signs a person in once.

    For an organizer who has lost every way in. NAME is a person's name or id; leave it out if the
    club has one organizer. If it has none, the person who opens the link becomes the organizer.

    \b
        hegemon let-in
        hegemon let-in Ann
    """
    from services.matches.club import Club, founders_link, person_named

    settings, store = settings_of(), around().store
    if isinstance(store, FileStore):
        message = f"there are no people in {settings.data}: start `hegemon up`, which prints a link"
        raise Failure(message)
    club = Club(store)
    if not name and (words := founders_link(club)) is not None:
        who = id_ = ""
    else:
        person = person_named(club.people(), name)
        who, id_ = person.name, person.id
        words = club.make("link", person=person.id).words
    link = link_on(address_of(settings), words)
    said = f"signs {printable(who)} in" if who else "makes the person who opens it the organizer"
    show(
        {"person": id_, "name": who, "link": link},
        f"{link}\nIt {said}, once.",
    )


def address_of(settings: Settings) -> str:
    """Returns the address of the pages, now or once `up` runs."""
    if settings.public_url is not None:
        return settings.public_url
    note = running_up(settings.data / "servers")
    port = 0 if note is None else note.port
    return f"http://{HOST}:{port or settings.port or USUAL_PORT}"


COMMANDS = (let_in,)
