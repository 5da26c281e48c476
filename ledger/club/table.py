"""A match's table: what is kept of it beside its log, in the book `table:<match>`.

Who sits where is a person's business and stands here; the log knows seats, and names for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ledger.kernel.frozen import FrozenByName
from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.books import Entry
from ledger.log.write.lifecycle import refused as life_refused

from .claims import Claim, ClaimEntry
from .claims import with_entry as with_claim
from .looks import Looked
from .undo import Request, UndoEntry, with_entry

Looking: TypeAlias = Literal["everybody", "members", "nobody"]
LOOKING: Final[tuple[Looking, ...]] = ("everybody", "members", "nobody")
TimeOut: TypeAlias = Literal["default", "bot"]

TABLE_REFUSALS: Final[Mapping[str, str]] = {
    "not_your_seat": "Somebody else sits there.",
    "seated_already": "You sit at this table already.",
    "no_table": "This match has no table here: it was imported, or made on the command line.",
    "not_to_be_watched": "This match is not to be watched.",
    "knew_another_seat": "Who has looked through the eyes of another seat has no part in this one.",
    "nobody_sits_there": "Nobody sits there.",
    "undo_open": "Something has been asked for already; that is answered first.",
    "no_such_undo": "Nobody has asked for anything under this number.",
    "undo_over": "This has been answered, withdrawn, or not answered in time.",
    "no_such_line": "Nothing was said under this number.",
    "too_much_talk": "You have said a great deal just now; wait a little.",
}


def refused(code: str, evidence: Mapping[str, Any] | None = None) -> Refused:
    """A refusal of the table."""
    return Refused(code, "", TABLE_REFUSALS[code], evidence)


def book_of(match: str) -> str:
    """The name of a match's book."""
    return f"table:{match}"


class ClockTerms(
    FrozenByName, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """By which clock a match is played; all in milliseconds."""

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
    """Somebody sits down."""

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
    """Who sat there has left before the start; the seat waits for somebody."""

    seat: Seat
    knew: int = 0


class DelegateNamed(Entry, tag="delegate-named"):
    """Somebody else may decide for a seat, too."""

    seat: Seat
    person: str


class DelegateDropped(Entry, tag="delegate-dropped"):
    """... and may no more."""

    seat: Seat
    person: str
    knew: int = 0  # they have seen what the seat sees up to this event


class OrderGiven(Entry, tag="order-given"):
    """A standing order: where a seat is offered exactly one answer, give it for the seat."""

    seat: Seat
    only_option: bool


class ClocksStopped(Entry, tag="clocks-stopped"):
    """No clock of this match runs from then on: it cannot be played, and nobody can help it."""

    since: int
    why: Literal["parked", "away"]  # its events cannot be folded; the service was not there


class ClocksStarted(Entry, tag="clocks-started"):
    """They run again."""

    until: int


class Blocked(Entry, tag="blocked"):
    """Who writes this does not want to read what somebody says."""

    person: str


class Unblocked(Entry, tag="unblocked"):
    """... and does again."""

    person: str


class LineHidden(Entry, tag="line-hidden"):
    """A line of the talk is shown no more. It stays in the chain."""

    number: int
    reason: str = ""


TableEntry: TypeAlias = (
    TableLaid
    | SeatTaken
    | BotSeated
    | SeatLeft
    | DelegateNamed
    | DelegateDropped
    | OrderGiven
    | ClocksStopped
    | ClocksStarted
    | Blocked
    | Unblocked
    | LineHidden
    | Looked
    | UndoEntry
    | ClaimEntry
)


# --- what they come to ----------------------------------------------------------------------------


class Sitting(msgspec.Struct, kw_only=True):
    """Who decides for a seat."""

    person: str = ""
    bot: str = ""
    name: str = ""
    delegates: tuple[str, ...] = ()


class Table:
    """Who sits at a match, and how it is played there."""

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
        """Take the next entry."""
        # Those are shown to who writes them, or hears the line: that there are any, to nobody else.
        quiet = OrderGiven | Blocked | Unblocked | LineHidden | ClaimEntry
        self.shown += not isinstance(entry, quiet)
        if isinstance(entry, ClaimEntry):
            self.claims = with_claim(self.claims, entry, by, at)
            return
        if isinstance(entry, UndoEntry):
            self.requests = with_entry(self.requests, number, entry)
            return
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
            case Blocked() | Unblocked() | LineHidden():
                self._take_of_talk(by, entry)
            case _:
                self._take_of_seat(entry)

    def _take_of_seat(
        self, entry: DelegateNamed | DelegateDropped | OrderGiven | ClocksStopped | ClocksStarted
    ) -> None:
        match entry:
            case DelegateNamed():
                sitting = self.sitting[entry.seat]
                sitting.delegates = (*sitting.delegates, entry.person)
            case DelegateDropped():
                sitting = self.sitting[entry.seat]
                sitting.delegates = tuple(d for d in sitting.delegates if d != entry.person)
                self._know(entry.person, entry.seat, entry.knew)
            case OrderGiven():
                self.orders = (
                    self.orders | {entry.seat} if entry.only_option else self.orders - {entry.seat}
                )
            case ClocksStopped():
                self.stops, self.stopped_for = (*self.stops, (entry.since, None)), entry.why
            case ClocksStarted():
                if self.stopped_for:
                    since = self.stops[-1][0]
                    self.stops = (*self.stops[:-1], (since, max(entry.until, since)))
                self.stopped_for = ""

    def _take_of_talk(self, by: str, entry: Blocked | Unblocked | LineHidden) -> None:
        match entry:
            case Blocked():
                self.blocked[by] = self.blocked.get(by, frozenset()) | {entry.person}
            case Unblocked():
                self.blocked[by] = self.blocked.get(by, frozenset()) - {entry.person}
            case LineHidden():
                self.hidden[entry.number] = entry.reason

    def _seat(self, seat: Seat, sitting: Sitting, knew: int) -> None:
        """Somebody else sits there; orders and delegates were of who sat there before."""
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
        """The bot that plays for a seat, if any."""
        return self.sitting.get(seat, Sitting()).bot

    def vacant(self) -> list[Seat]:
        """The seats that somebody has left and nobody has taken."""
        return [s for s, one in sorted(self.sitting.items()) if not (one.person or one.bot)]

    @property
    def host(self) -> str:
        """Who made the match; nobody's id where there is no table."""
        return "" if self.laid is None else self.laid.host

    @property
    def delay(self) -> int:
        """How many milliseconds behind spectators see it."""
        return 0 if self.laid is None else self.laid.delay

    def seats_of(self, person: str) -> list[Seat]:
        """The seats that somebody decides for, their own first."""
        own = [seat for seat, one in sorted(self.sitting.items()) if one.person == person]
        return own + [seat for seat, one in sorted(self.sitting.items()) if person in one.delegates]

    def knows(self, person: str) -> set[Seat]:
        """The seats through whose eyes somebody looks, or has looked."""
        return {one for who, one in self.knew if who == person} | set(self.seats_of(person))

    def unclaimed(self, joined: Iterable[Seat]) -> list[Seat]:
        """The seats that the log has taken somebody in at, of whom nothing is known here."""
        return [] if self.laid is None else sorted(set(joined) - self.sitting.keys())

    def decides(self, person: str, seat: Seat) -> Literal["seat", "delegate", ""]:
        """As what somebody decides for a seat, if at all."""
        sitting = self.sitting.get(seat, Sitting())
        if person and sitting.person == person:
            return "seat"
        return "delegate" if person in sitting.delegates else ""

    def lets_watch(self, *, member: bool, seated: bool) -> bool:
        """Whether somebody who does not look through a seat may look at all."""
        looking = "everybody" if self.laid is None else self.laid.looking
        return seated or looking == "everybody" or (looking == "members" and member)


# --- what may be written --------------------------------------------------------------------------


def take_seat(
    table: Table, seat: Seat, person: str, *, name: str = "", knew: int = 0, several: bool = False
) -> list[TableEntry]:
    """Somebody sits down; the log has taken them in under this seat, or says who has it now."""
    sitting = table.sitting.get(seat)
    if sitting is not None and sitting.person == person:
        return []
    if person in {one.person for one in table.sitting.values()} and not several:
        raise refused("seated_already", {"seats": table.seats_of(person)})
    known = table.knows(person)
    if (known - {seat} or person in table.looked) and not several:
        raise refused("knew_another_seat", {"seat": seat, "knew": sorted(known)})
    return [SeatTaken(seat=seat, person=person, name=name, knew=knew)]


def take_free_seat(
    table: Table, seat: Seat, person: str, *, name: str = "", knew: int = 0
) -> list[TableEntry]:
    """The same, unless somebody else has sat down there meanwhile."""
    sitting = table.sitting.get(seat, Sitting())
    if sitting.bot or sitting.person not in ("", person):
        raise life_refused("seat_taken", {"seat": seat, "taken": sorted(table.sitting)})
    return take_seat(table, seat, person, name=name, knew=knew)


def seat_bot(table: Table, seat: Seat, bot: str, knew: int = 0) -> list[TableEntry]:
    """A bot plays from now on."""
    if table.bot_at(seat) == bot:
        return []
    return [BotSeated(seat=seat, bot=bot, knew=knew)]


def leave_seat(table: Table, seat: Seat, by: str, knew: int = 0) -> list[TableEntry]:
    """Who sits there gets up before the start."""
    check_holder(table, seat, by)
    return [SeatLeft(seat=seat, knew=knew)]


def check_holder(table: Table, seat: Seat, by: str) -> None:
    """Refuse who is not the one that sits there: a delegate cannot give a seat away."""
    sitting = table.sitting.get(seat)
    if sitting is None or not by or sitting.person != by:
        raise refused("not_your_seat", {"seat": seat})


def check_decides(table: Table, seat: Seat, by: str) -> None:
    """Refuse who does not decide for a seat."""
    if not table.decides(by, seat):
        raise refused("not_your_seat", {"seat": seat})


def give_order(table: Table, seat: Seat, by: str, *, only_option: bool) -> list[TableEntry]:
    """Give or take back the order to answer where there is but one option."""
    check_decides(table, seat, by)
    if (seat in table.orders) == only_option:
        return []
    return [OrderGiven(seat=seat, only_option=only_option)]


def stop_clocks(
    table: Table, since: int, why: Literal["parked", "away"], until: int | None = None
) -> list[TableEntry]:
    """Stop the clocks from a time on; or say that they had stopped, and run again."""
    if table.stopped_for:
        return []
    entries: list[TableEntry] = [ClocksStopped(since=since, why=why)]
    return entries if until is None else [*entries, ClocksStarted(until=until)]


def start_clocks(table: Table, now: int) -> list[TableEntry]:
    """Let them run again."""
    return [ClocksStarted(until=now)] if table.stopped_for else []
