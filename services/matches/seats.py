"""Changes of seats: in the match's log, then in the table's book.

The log is written first: it names seats and the names of their players. Then the book
records the people. After an interruption the next attempt finds the log ahead, and repeats
the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.club import table as tables
from ledger.club.table import TableEntry
from ledger.kernel.records import Seat
from ledger.log.format.acts import SeatGiven
from ledger.log.format.bodies import Submitter
from ledger.log.write.journal import SERVICE
from ledger.log.write.lifecycle import check_not_closed, make_refusal

from .cache import OpenMatch, until_first

CLOCK: Final = Submitter(role="service", name="clock")  # so the log says whose act it was
STAND_IN: Final = "greedy"  # the bot that plays for who is gone


def sit_down(opened: OpenMatch, seat: Seat, person: str, name: str, nonce: bytes | None) -> None:
    """Takes a free seat: first the log gets a name, then the table a person.

    The log has no act for leaving. So a seat that was left before the start is given to the new
    player.
    """
    tables.take_seat(opened.table, seat, person)
    if seat in opened.table.vacant():
        give_to_person(opened, seat, person, name, SERVICE, takes=tables.take_free_seat)
        return
    by = Submitter(role="seat", name=person, seat=seat)
    if not is_ones_own(opened, seat, person):
        until_first(lambda: opened.journal.join(seat, name, by, nonce=nonce))
    opened.book.write(person, lambda table: tables.take_free_seat(table, seat, person))


def is_ones_own(opened: OpenMatch, seat: Seat, person: str) -> bool:
    """Returns whether this person has joined in the log, but the book was not written yet."""
    if seat not in opened.history.life.joined or opened.table.sitting.get(seat) is not None:
        return False
    history, own = opened.history, Submitter(role="seat", name=person, seat=seat)
    return any(history.body(version).by == own for version in range(1, history.tip.version + 1))


def seat_invited(opened: OpenMatch, seat: Seat, person: str, name: str) -> None:
    """Seats a guest with an invitation: on a seat that is free, was left, or has a bot."""
    check_invited(opened, seat, person)
    if opened.table.bot_at(seat):
        give_to_person(opened, seat, person, name, SERVICE, "by invitation")
    else:
        sit_down(opened, seat, person, name, None)


def check_invited(opened: OpenMatch, seat: Seat, person: str) -> None:
    """Refuses before the invitation is used up. An empty `person` means a new one."""
    history = opened.history
    if not 0 <= seat < history.created.seats:
        raise make_refusal("seat_taken", {"seat": seat, "taken": []})
    if history.life.over:
        raise make_refusal("match_closed", {"version": history.tip.version})
    sitting = opened.table.sitting.get(seat)
    taken = sitting is not None and sitting.person not in ("", person)
    imported = sitting is None and seat in history.life.joined
    if taken or (imported and not is_ones_own(opened, seat, person)):
        raise make_refusal("seat_taken", {"seat": seat, "taken": sorted(history.life.joined)})
    if person:
        tables.take_seat(opened.table, seat, person)


def give_to_person(
    opened: OpenMatch,
    seat: Seat,
    person: str,
    name: str,
    by: Submitter,
    reason: str = "",
    *,
    takes: Callable[..., list[TableEntry]] = tables.take_seat,
) -> None:
    """Gives a seat to another person. The previous one has seen what the seat saw so far."""
    check_joined(opened, seat)
    tables.take_seat(opened.table, seat, person)
    record(opened, SeatGiven(seat=seat, to="player", name=name, reason=reason), by)
    knew = find_last_seen(opened)
    opened.book.write(by.name, lambda table: takes(table, seat, person, name=name, knew=knew))


def put_bot(opened: OpenMatch, seat: Seat, bot: str, by: Submitter) -> None:
    """Gives a seat to a bot: before the start a free one, which it joins, afterwards any."""
    check_not_closed(opened.history)
    life, table = opened.history.life, opened.table
    begun = seat in table.unclaimed(life.joined)  # and never brought to an end
    begun = begun or bool(table.bot_at(seat))
    if not life.started and seat not in table.vacant() and not begun:
        until_first(lambda: opened.journal.join(seat, f"{bot} bot", by))
    give_to_bot(opened, seat, bot, by)


def begin(opened: OpenMatch, by: Submitter) -> None:
    """Starts the match. Refuses while a seat is free."""
    table, joined = opened.table, opened.history.life.joined
    if left := [*table.vacant(), *table.unclaimed(joined)]:
        raise make_refusal("seats_free", {"free": sorted(left)})
    until_first(lambda: opened.journal.start(by))


def give_to_bot(opened: OpenMatch, seat: Seat, bot: str, by: Submitter, reason: str = "") -> None:
    check_joined(opened, seat)
    given = SeatGiven(seat=seat, to="bot", name=bot, reason=reason)
    if last_given(opened, seat) != given or opened.table.bot_at(seat) != bot:
        if last_given(opened, seat) != given:
            record(opened, given, by)
        knew = find_last_seen(opened)
        who = "" if by is CLOCK else by.name  # a book names people
        opened.book.write(who, lambda table: tables.seat_bot(table, seat, bot, knew))


def find_last_seen(opened: OpenMatch) -> int:
    """Returns the last event that seats have seen; 0 before the start."""
    history = opened.history
    return history.tip.version if history.life.started else 0


def last_given(opened: OpenMatch, seat: Seat) -> SeatGiven | None:
    """Returns the log's last `SeatGiven` act for a seat, or None."""
    acts = (opened.history.act(version) for version in range(opened.history.tip.version, 1, -1))
    return next((act for act in acts if isinstance(act, SeatGiven) and act.seat == seat), None)


def check_joined(opened: OpenMatch, seat: Seat) -> None:
    """Refuses to give away a seat that has not joined."""
    if seat not in opened.history.life.joined:
        raise tables.make_refusal("nobody_sits_there", {"seat": seat})


def record(opened: OpenMatch, act: SeatGiven, by: Submitter) -> None:
    """Writes an act that depends on nothing others may write meanwhile."""
    until_first(lambda: opened.journal.record(act, by))
