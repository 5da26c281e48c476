"""Seats change hands: what the log says of it, and the table's book after it.

The log is written first: it names seats and what their players are called. The book then says who
it is. Whoever comes in between the two finds the log ahead, and does the same again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.club import table as tables
from ledger.club.table import Table, TableEntry
from ledger.kernel.records import Seat
from ledger.log.format.acts import SeatGiven
from ledger.log.format.bodies import Submitter
from ledger.log.write.lifecycle import refused
from ledger.log.write.pen import SERVICE

from .tables import Opened, until_first

CLOCK: Final = Submitter(role="service", name="clock")  # so the log says whose act it was
STAND_IN: Final = "greedy"  # the bot that plays for who is gone


def sit_down(opened: Opened, seat: Seat, person: str, name: str, nonce: bytes | None) -> None:
    """Take a free seat: the log takes a name in, the table a person.

    The log knows no leaving: who takes a seat that was left before the start is given it.
    """
    tables.take_seat(opened.table, seat, person)
    if seat in opened.table.vacant():
        give_to_person(opened, seat, person, name, SERVICE, takes=tables.take_free_seat)
        return
    by = Submitter(role="seat", name=person, seat=seat)
    if not is_ones_own(opened, seat, person):
        until_first(lambda: opened.journal.join(seat, name, by, nonce=nonce))
    opened.book.write(person, lambda table: tables.take_free_seat(table, seat, person))


def is_ones_own(opened: Opened, seat: Seat, person: str) -> bool:
    """Whether the log has taken somebody in here, and the book was not written after it."""
    if seat not in opened.history.life.joined or opened.table.sitting.get(seat) is not None:
        return False
    history = opened.history
    for version in range(1, history.tip.version + 1):
        by = history.body(version).by
        if by.role == "seat" and by.name == person and by.seat == seat:
            return True
    return False


def seat_invited(opened: Opened, seat: Seat, person: str, name: str) -> None:
    """Who opened an invitation sits down: on a seat that is free, was left, or a bot plays for."""
    check_invited(opened, seat, person)
    if opened.table.bot_at(seat):
        give_to_person(opened, seat, person, name, SERVICE, "by invitation")
    else:
        sit_down(opened, seat, person, name, None)


def check_invited(opened: Opened, seat: Seat, person: str) -> None:
    """Refuse before the invitation is used up; nobody's id stands for who is new."""
    history = opened.history
    if not 0 <= seat < history.created.seats:
        raise refused("seat_taken", {"seat": seat, "taken": []})
    if history.life.over:
        raise refused("match_closed", {"version": history.tip.version})
    sitting = opened.table.sitting.get(seat)
    taken = sitting is not None and sitting.person not in ("", person)
    imported = sitting is None and seat in history.life.joined
    if taken or (imported and not is_ones_own(opened, seat, person)):
        raise refused("seat_taken", {"seat": seat, "taken": sorted(history.life.joined)})
    if person:
        tables.take_seat(opened.table, seat, person)


def give_to_person(
    opened: Opened,
    seat: Seat,
    person: str,
    name: str,
    by: Submitter,
    reason: str = "",
    *,
    takes: Callable[..., list[TableEntry]] = tables.take_seat,
) -> None:
    """Somebody else decides for a seat from now on; who did before has seen what it saw so far."""
    check_joined(opened, seat)
    tables.take_seat(opened.table, seat, person)
    record(opened, SeatGiven(seat=seat, to="player", name=name, reason=reason), by)
    knew = seen_by_seats(opened)

    def follows(table: Table) -> list[TableEntry]:
        return takes(table, seat, person, name=name, knew=knew)

    opened.book.write(by.name, follows)


def put_bot(opened: Opened, seat: Seat, bot: str, by: Submitter) -> None:
    """Let a bot play for a seat: a free one before the start, which it joins, any after it."""
    life, table = opened.history.life, opened.table
    begun = seat in table.unclaimed(life.joined)  # and never brought to an end
    begun = begun or bool(table.bot_at(seat))
    if not life.started and seat not in table.vacant() and not begun:
        until_first(lambda: opened.journal.join(seat, f"{bot} bot", by))
    give_to_bot(opened, seat, bot, by)


def begin(opened: Opened, by: Submitter) -> None:
    """Start, when somebody sits on every seat."""
    table, joined = opened.table, opened.history.life.joined
    if left := [*table.vacant(), *table.unclaimed(joined)]:
        raise refused("seats_free", {"free": sorted(left)})
    until_first(lambda: opened.journal.start(by))


def give_to_bot(opened: Opened, seat: Seat, bot: str, by: Submitter, reason: str = "") -> None:
    """A bot decides for a seat from now on."""
    check_joined(opened, seat)
    given = SeatGiven(seat=seat, to="bot", name=bot, reason=reason)
    if last_given(opened, seat) != given or not is_bots(opened.table, seat, bot):
        if last_given(opened, seat) != given:
            record(opened, given, by)
        knew = seen_by_seats(opened)
        who = "" if by is CLOCK else by.name  # a book names people
        opened.book.write(who, lambda table: tables.seat_bot(table, seat, bot, knew))


def seen_by_seats(opened: Opened) -> int:
    """The last event that seats have seen; none before the start, when there is nothing to see."""
    history = opened.history
    return history.tip.version if history.life.started else 0


def is_bots(table: Table, seat: Seat, bot: str) -> bool:
    """Whether this bot plays there already."""
    return table.bot_at(seat) == bot


def last_given(opened: Opened, seat: Seat) -> SeatGiven | None:
    """What the log said last of who decides for a seat."""
    history = opened.history
    for version in range(history.tip.version, 1, -1):
        act = history.act(version)
        if isinstance(act, SeatGiven) and act.seat == seat:
            return act
    return None


def check_joined(opened: Opened, seat: Seat) -> None:
    """Refuse to give what nobody has."""
    if seat not in opened.history.life.joined:
        raise tables.refused("nobody_sits_there", {"seat": seat})


def record(opened: Opened, act: SeatGiven, by: Submitter) -> None:
    """Write an act that depends on nothing that others may write meanwhile."""
    until_first(lambda: opened.journal.record(act, by))
