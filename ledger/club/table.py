"""A match's table: the data stored outside its log, in the book `table:<match>`.

Only this book knows which person sits where; the log knows seats and their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.books import Entry
from ledger.log.format.shapes import StoredPart
from ledger.log.write.lifecycle import make_refusal as life_refused

from .claims import Claim, ClaimEntry
from .claims import with_entry as with_claim
from .undo import (
    EditionAsked,
    Request,
    UndoAnswered,
    UndoAsked,
    UndoDone,
    UndoEntry,
    UndoWithdrawn,
    with_entry,
)

Looking: TypeAlias = Literal["everybody", "members", "nobody"]
LOOKING: Final[tuple[Looking, ...]] = ("everybody", "members", "nobody")
TimeOut: TypeAlias = Literal["default", "bot"]

TABLE_REFUSALS: Final[Mapping[str, str]] = {
    "not_your_seat": "Another person sits there.",
    "seated_already": "You sit at this table already.",
    "no_table": "This match has no table here: it was imported, or created on the command line.",
    "not_to_be_watched": "This match may not be watched.",
    "knew_another_seat": "A person who has looked through another seat's eyes may not play here.",
    "nobody_sits_there": "No player sits there.",
    "undo_open": "Another request is open; it must be answered first.",
    "no_such_undo": "No request has this number.",
    "undo_over": "The request was answered or withdrawn, or its time is over.",
    "no_such_line": "No chat message has this number.",
    "too_much_talk": "You have sent many messages just now; wait a little.",
}


def make_refusal(code: str, evidence: Mapping[str, Any] | None = None) -> Refused:
    return Refused(code, "", TABLE_REFUSALS[code], evidence)


def book_of(match: str) -> str:
    return f"table:{match}"


class ClockTerms(StoredPart, frozen=True, kw_only=True):
    """The clock settings of a match; all times are in milliseconds."""

    kind: Literal["decision", "bank"]  # so much for each decision, or a bank for all
    time: int  # for a decision, or in the bank at the start
    increment: int = 0  # added to the bank after each decision
    out: TimeOut = "default"  # what happens when it has run down


# --- entries --------------------------------------------------------------------------------------


class TableLaid(Entry, tag="table-laid"):
    """A match was made."""

    host: str  # a person
    looking: Looking = "everybody"
    delay: int = 0  # so many milliseconds behind spectators see it
    clock: ClockTerms | None = None
    pauses: bool = False  # whether it is paused while a dispute waits for its ruling


class SeatTaken(Entry, tag="seat-taken"):
    """A person took a seat."""

    seat: Seat
    person: str
    name: str = ""  # how the log calls who sits there now; empty: as who joined
    knew: int = 0  # who sat there before has seen what the seat sees up to this event


class BotSeated(Entry, tag="bot-seated"):
    """A bot plays for a seat."""

    seat: Seat
    bot: str
    knew: int = 0


class SeatLeft(Entry, tag="seat-left"):
    """The person on a seat left before the start; the seat is free."""

    seat: Seat
    knew: int = 0


class DelegateNamed(Entry, tag="delegate-named"):
    """A person may decide for a seat, too."""

    seat: Seat
    person: str


class DelegateDropped(Entry, tag="delegate-dropped"):
    """A delegate may no longer decide for a seat."""

    seat: Seat
    person: str
    knew: int = 0  # they have seen what the seat sees up to this event


class OrderGiven(Entry, tag="order-given"):
    """A standing order: when a seat is offered exactly one answer, give it for the seat."""

    seat: Seat
    only_option: bool


class ClocksStopped(Entry, tag="clocks-stopped"):
    """No clock of this match runs from then on, because it cannot be played and no player can
    help it.
    """

    since: int
    why: Literal["parked", "away"]  # its events cannot be folded; the service was not there


class ClocksStarted(Entry, tag="clocks-started"):
    """The clocks run again."""

    until: int


class Blocked(Entry, tag="blocked"):
    """The entry's author no longer wants to read a person's messages."""

    person: str


class Unblocked(Entry, tag="unblocked"):
    """The entry's author reads a person's messages again."""

    person: str


class LineHidden(Entry, tag="line-hidden"):
    """A chat message is no longer shown. It stays in the chain."""

    number: int
    reason: str = ""


class Looked(Entry, tag="looked"):
    """The entry's author, an organizer who does not sit at the table, has seen what every seat
    sees, up to an event. They cannot sit there afterwards.
    """

    knew: int
    at_what: str = ""  # the match itself, unless it says what


TalkEntry: TypeAlias = Blocked | Unblocked | LineHidden
SittingEntry: TypeAlias = (
    TableLaid
    | SeatTaken
    | BotSeated
    | SeatLeft
    | DelegateNamed
    | DelegateDropped
    | OrderGiven
    | ClocksStopped
    | ClocksStarted
    | Looked
)
TableEntry: TypeAlias = SittingEntry | TalkEntry | UndoEntry | ClaimEntry


# --- what they come to ----------------------------------------------------------------------------


class Sitting(msgspec.Struct, kw_only=True):
    """The person, bot and delegates that decide for a seat."""

    person: str = ""
    bot: str = ""
    name: str = ""
    delegates: tuple[str, ...] = ()


class MatchTable:
    """The people at a match and the settings of its table."""

    def __init__(self) -> None:
        self.laid: TableLaid | None = None
        self.sitting: dict[Seat, Sitting] = {}
        self.knew: dict[tuple[str, Seat], int] = {}  # who was there before, and until which event
        self.looked: dict[str, int] = {}  # organizers who have seen what is secret up to an event
        self.orders: frozenset[Seat] = frozenset()  # seats that let their only option be given
        self.stops: tuple[tuple[int, int | None], ...] = ()  # when no clock ran; None: does not
        self.stopped_for = ""  # why they do not run now
        self.blocked: dict[str, frozenset[str]] = {}  # by who does not want to read them
        self.hidden: dict[int, str] = {}  # lines of the talk, and why
        self.requests: tuple[Request, ...] = ()
        self.claims: dict[str, Claim] = {}  # disputes by name; those that the log has, exist
        self.looks: tuple[tuple[int, str, Looked], ...] = ()  # when, who, at what
        self.shown = 0  # entries that change what everybody may see

    def take(self, number: int, at: int, by: str, entry: TableEntry) -> None:
        # Those are shown to who writes them, or hears the line: that there are any, to nobody else.
        quiet = OrderGiven | TalkEntry | ClaimEntry
        self.shown += not isinstance(entry, quiet)
        if isinstance(entry, ClaimEntry):
            self.claims = with_claim(self.claims, entry, by, at)
        elif isinstance(entry, UndoEntry):
            self.requests = with_entry(self.requests, number, entry)
        elif isinstance(entry, TalkEntry):
            self._take_of_talk(by, entry)
        else:
            self._take_of_seat(at, by, entry)

    def _take_of_seat(self, at: int, by: str, entry: SittingEntry) -> None:
        match entry:
            case TableLaid():
                self.laid = entry
            case SeatTaken():
                self._seat(entry.seat, Sitting(person=entry.person, name=entry.name), entry.knew)
            case BotSeated():
                self._seat(entry.seat, Sitting(bot=entry.bot), entry.knew)
            case SeatLeft():
                self._seat(entry.seat, Sitting(), entry.knew)
            case Looked():
                self.looked[by] = max(entry.knew, self.looked.get(by, 0))
                self.looks = (*self.looks, (at, by, entry))
            case DelegateNamed():
                sitting = self.sitting[entry.seat]
                sitting.delegates = (*sitting.delegates, entry.person)
            case DelegateDropped():
                sitting = self.sitting[entry.seat]
                sitting.delegates = tuple(d for d in sitting.delegates if d != entry.person)
                self._know(entry.person, entry.seat, entry.knew)
            case OrderGiven():
                seats = {entry.seat}
                self.orders = self.orders | seats if entry.only_option else self.orders - seats
            case ClocksStopped():
                self.stops, self.stopped_for = (*self.stops, (entry.since, None)), entry.why
            case ClocksStarted():
                if self.stopped_for:
                    since = self.stops[-1][0]
                    self.stops = (*self.stops[:-1], (since, max(entry.until, since)))
                self.stopped_for = ""

    def _take_of_talk(self, by: str, entry: TalkEntry) -> None:
        match entry:
            case Blocked():
                self.blocked[by] = self.blocked.get(by, frozenset()) | {entry.person}
            case Unblocked():
                self.blocked[by] = self.blocked.get(by, frozenset()) - {entry.person}
            case LineHidden():
                self.hidden[entry.number] = entry.reason

    def _seat(self, seat: Seat, sitting: Sitting, knew: int) -> None:
        """Puts another holder on a seat; the orders and delegates of the one before end."""
        before = self.sitting.get(seat, Sitting())
        for person in (before.person, *before.delegates):
            if person and person != sitting.person:
                self._know(person, seat, knew)
        self.orders -= {seat}
        self.sitting[seat] = sitting

    def _know(self, person: str, seat: Seat, until: int) -> None:
        if until:
            self.knew[person, seat] = max(until, self.knew.get((person, seat), 0))

    def bot_at(self, seat: Seat) -> str:
        return self.sitting.get(seat, Sitting()).bot

    def vacant(self) -> list[Seat]:
        return [s for s, one in sorted(self.sitting.items()) if not (one.person or one.bot)]

    @property
    def host(self) -> str:
        """Returns the person who made the match; "" if there is no table."""
        return "" if self.laid is None else self.laid.host

    @property
    def delay(self) -> int:
        """Returns the delay for spectators in milliseconds."""
        return 0 if self.laid is None else self.laid.delay

    def seats_of(self, person: str) -> list[Seat]:
        """Returns the seats that a person decides for, their own first."""
        own = [seat for seat, one in sorted(self.sitting.items()) if one.person == person]
        return own + [seat for seat, one in sorted(self.sitting.items()) if person in one.delegates]

    def knows(self, person: str) -> set[Seat]:
        """Returns the seats whose view a person has or has had."""
        return {one for who, one in self.knew if who == person} | set(self.seats_of(person))

    def unclaimed(self, joined: Iterable[Seat]) -> list[Seat]:
        """Returns the seats that were joined in the log but are unknown here."""
        return [] if self.laid is None else sorted(set(joined) - self.sitting.keys())

    def decides(self, person: str, seat: Seat) -> Literal["seat", "delegate", ""]:
        """Returns the role in which a person decides for a seat, or ""."""
        sitting = self.sitting.get(seat, Sitting())
        if person and sitting.person == person:
            return "seat"
        return "delegate" if person in sitting.delegates else ""

    def lets_watch(self, *, member: bool, seated: bool) -> bool:
        """Tells if a person may watch without the view of a seat."""
        looking = "everybody" if self.laid is None else self.laid.looking
        return seated or looking == "everybody" or (looking == "members" and member)


# --- what may be written --------------------------------------------------------------------------


def take_seat(
    table: MatchTable, seat: Seat, person: str, *, name: str = "", knew: int = 0
) -> list[TableEntry]:
    """Seats a person. The log has already recorded the seat's name or new holder."""
    sitting = table.sitting.get(seat)
    if sitting is not None and sitting.person == person:
        return []
    if person in {one.person for one in table.sitting.values()}:
        raise make_refusal("seated_already", {"seats": table.seats_of(person)})
    known = table.knows(person)
    if known - {seat} or person in table.looked:
        raise make_refusal("knew_another_seat", {"seat": seat, "knew": sorted(known)})
    return [SeatTaken(seat=seat, person=person, name=name, knew=knew)]


def take_free_seat(
    table: MatchTable, seat: Seat, person: str, *, name: str = "", knew: int = 0
) -> list[TableEntry]:
    """Seats a person, unless the seat was taken meanwhile."""
    sitting = table.sitting.get(seat, Sitting())
    if sitting.bot or sitting.person not in ("", person):
        raise life_refused("seat_taken", {"seat": seat, "taken": sorted(table.sitting)})
    return take_seat(table, seat, person, name=name, knew=knew)


def seat_bot(table: MatchTable, seat: Seat, bot: str, knew: int = 0) -> list[TableEntry]:
    """Lets a bot play for a seat from now on."""
    if table.bot_at(seat) == bot:
        return []
    return [BotSeated(seat=seat, bot=bot, knew=knew)]


def leave_seat(table: MatchTable, seat: Seat, by: str) -> list[TableEntry]:
    """Lets the holder leave a seat before the start."""
    check_holder(table, seat, by)
    return [SeatLeft(seat=seat)]


def check_holder(table: MatchTable, seat: Seat, by: str) -> None:
    """Refuses anyone but the holder of the seat: a delegate cannot give a seat away."""
    sitting = table.sitting.get(seat)
    if sitting is None or not by or sitting.person != by:
        raise make_refusal("not_your_seat", {"seat": seat})


def check_decides(table: MatchTable, seat: Seat, by: str) -> None:
    if not table.decides(by, seat):
        raise make_refusal("not_your_seat", {"seat": seat})


def give_order(table: MatchTable, seat: Seat, by: str, *, only_option: bool) -> list[TableEntry]:
    """Gives or takes back the order to answer when there is only one option."""
    check_decides(table, seat, by)
    if (seat in table.orders) == only_option:
        return []
    return [OrderGiven(seat=seat, only_option=only_option)]


def stop_clocks(
    table: MatchTable, since: int, why: Literal["parked", "away"], until: int | None = None
) -> list[TableEntry]:
    """Stops the clocks from a time on; with `until`, records a past stop."""
    if table.stopped_for:
        return []
    entries: list[TableEntry] = [ClocksStopped(since=since, why=why)]
    return entries if until is None else [*entries, ClocksStarted(until=until)]


def start_clocks(table: MatchTable, now: int) -> list[TableEntry]:
    return [ClocksStarted(until=now)] if table.stopped_for else []


def name_delegate(table: MatchTable, seat: Seat, person: str, by: str) -> list[TableEntry]:
    """Lets the holder of a seat name a person who may decide for it, too."""
    check_holder(table, seat, by)
    sitting = table.sitting[seat]
    if person in (sitting.person, *sitting.delegates):
        return []
    # A person with several seats may have the same delegate at all of them.
    known = table.knows(person) - {one for one, at in table.sitting.items() if at.person == by}
    if known - {seat} or person in table.looked:
        raise make_refusal("knew_another_seat", {"seat": seat, "knew": sorted(known)})
    return [DelegateNamed(seat=seat, person=person)]


def drop_delegate(
    table: MatchTable, seat: Seat, person: str, by: str, knew: int
) -> list[TableEntry]:
    """Ends a delegation; the holder or the delegate may do so."""
    sitting = table.sitting.get(seat)
    if sitting is None or by not in (sitting.person, person):
        raise make_refusal("not_your_seat", {"seat": seat})
    gone: list[TableEntry] = [DelegateDropped(seat=seat, person=person, knew=knew)]
    return gone if person in sitting.delegates else []


# --- requests that need everyone's consent --------------------------------------------------------


def seats_asked(table: MatchTable, seats: Sequence[Seat]) -> list[Seat]:
    """Returns the seats that must agree; bots are never asked."""
    return [seat for seat in seats if not table.bot_at(seat)]


def ask_undo(
    table: MatchTable, seats: Sequence[Seat], asked: UndoAsked | EditionAsked, by: str, now: int
) -> list[TableEntry]:
    """Lets a seat ask to go back, or for another edition; one request at a time."""
    check_decides(table, asked.seat, by)
    who = seats_asked(table, seats)
    if any(one.state(who, now) in ("open", "agreed") for one in table.requests):
        raise make_refusal("undo_open")
    return [asked]


def answer_undo(
    table: MatchTable, seats: Sequence[Seat], answer: UndoAnswered, by: str, now: int
) -> list[TableEntry]:
    """Records a seat's one answer to a request."""
    check_decides(table, answer.seat, by)
    request = _open_request(table, seats, answer.request, now)
    if answer.seat in request.answers:
        raise make_refusal("undo_over", {"state": "answered"})
    return [answer]


def withdraw_undo(
    table: MatchTable, seats: Sequence[Seat], number: int, by: str, now: int
) -> list[TableEntry]:
    """Lets the seat that asked withdraw its request."""
    request = _open_request(table, seats, number, now)
    check_decides(table, request.asked.seat, by)
    return [UndoWithdrawn(request=number)]


def finish_undo(table: MatchTable, number: int, version: int) -> list[TableEntry]:
    """Records that the request was carried out by this act."""
    if request_of(table, number).ended:
        return []
    return [UndoDone(request=number, version=version)]


def request_of(table: MatchTable, number: int) -> Request:
    for request in table.requests:
        if request.number == number:
            return request
    raise make_refusal("no_such_undo", {"request": number})


def _open_request(table: MatchTable, seats: Sequence[Seat], number: int, now: int) -> Request:
    request = request_of(table, number)
    state = request.state(seats_asked(table, seats), now)
    if state != "open":
        raise make_refusal("undo_over", {"state": state})
    return request
