"""Invitations to a seat: looked at before the link is used up, carried out after it."""

from __future__ import annotations

from contextlib import suppress

from ledger.club.people import PassMade, Person
from ledger.kernel.refusals import Refused
from services.matches.seats import check_invited, seat_invited

from .view import all_tables


def check_seat(made: PassMade, person: str) -> None:
    """Refuse where the seat is no longer to be had, so that the link is not spent for nothing."""
    if made.kind != "invitation" or made.seat is None:
        return
    try:
        with all_tables().opened(made.match) as opened:
            check_invited(opened, made.seat, person)
    except Refused as refusal:
        if refusal.code != "no_such_match":  # then it is an invitation to the club, and no more
            raise


def take_seat(made: PassMade, person: Person) -> None:
    """Sit down. Who was a moment too late is in all the same, and sees that the seat is taken."""
    if made.kind != "invitation" or made.seat is None:
        return
    with suppress(Refused), all_tables().opened(made.match) as opened:
        seat_invited(opened, made.seat, person.id, person.name)
