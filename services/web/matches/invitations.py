"""Invitations to a seat: checked before the link is used up, carried out after it."""

from __future__ import annotations

from contextlib import suppress

from ledger.club.people import PassMade, Person
from ledger.kernel.refusals import Refused
from services.matches.seats import check_invited, seat_invited
from services.web.app.parts import match_cache


def check_seat(made: PassMade, person: str) -> None:
    """Refuses a seat that is no longer free, so that the link is not used up for nothing."""
    if made.kind != "invitation" or made.seat is None:
        return
    try:
        with match_cache().opened(made.match) as opened:
            check_invited(opened, made.seat, person)
    except Refused as refusal:
        if refusal.code != "no_such_match":  # then it is an invitation to the club, and no more
            raise


def take_seat(made: PassMade, person: Person) -> None:
    """Seats an invited person. One who is too late is signed in and sees the seat taken."""
    if made.kind != "invitation" or made.seat is None:
        return
    with suppress(Refused), match_cache().opened(made.match) as opened:
        seat_invited(opened, made.seat, person.id, person.name)
