"""Forks at a table: a person plays on from an event of a finished match, against bots.

A fork copies only what everybody may know. A running match cannot be forked here, because
its players could try out their decisions. The new match's first event names its source;
`fork_of` returns it for display.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

import msgspec

from ledger.club.table import Looking, TableLaid
from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Created
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from ledger.log.write.fork import fork
from ledger.log.write.lifecycle import make_refusal
from services.matches.trial import Trial

from .cache import MatchCache, OpenMatch
from .play import surroundings
from .seats import give_to_bot, give_to_person

TITLE_MAX: Final = 60
BY: Final = "organizer"  # of the fork: who makes it is its host


class ForkOrigin(msgspec.Struct, frozen=True, kw_only=True):
    match: str
    version: int
    head: Annotated[str, msgspec.Meta(description="of that event, in hex")]


def fork_of(created: Created) -> ForkOrigin | None:
    """Returns the source of a forked match, or None if it is no fork."""
    origin = created.origin
    if origin.kind != "fork" or origin.match is None or origin.version is None:
        return None
    return ForkOrigin(match=origin.match, version=origin.version, head=(origin.head or b"").hex())


def check_can_fork(history: History, at: int) -> None:
    """Refuses to fork a running match, or at an event with nothing left to play."""
    if not history.life.closed:
        message = "You can fork a match when it is closed; until then it belongs to its players."
        raise Refused("fork_running", "", message, {"match": history.match})
    started, last = history.life.started, history.tip.version
    if not 0 < started <= at <= last:
        raise make_refusal("no_such_event", {"at": at, "first": started, "last": last})
    match = history.at(at)
    if match is None or match.ended:
        raise Refused("match_over", "", "", {"at": at})


def _title(created: Created, at: int) -> str:
    """Returns a fork's title. If the source is a fork itself, the title uses its id."""
    begun = created.origin.kind != "fork" and 0 < len(created.title) <= TITLE_MAX
    return f"Fork of {created.title if begun else created.match} from event {at}"


def seat_to_take(history: History, at: int, own: list[Seat]) -> Seat:
    """Returns the seat for a person who names none: their own, or the first that is asked."""
    match = history.at(at)
    asked = [] if match is None else [seat for seat in match.asked() if seat >= 0]
    return next(iter((*own, *asked)), 0)


def fork_to_play(
    tables: MatchCache, source: OpenMatch, at: int, seat: Seat, person: str, name: str, bot: str
) -> str:
    """Makes a match with a person on one seat and bots on the others; returns its id."""
    history = source.history
    check_can_fork(history, at)
    around, trial = surroundings(tables.store, tables.clock), Trial()
    journal = fork(replace(around, store=trial), history, at, _title(history.created, at))
    trial.write_to(tables.store)  # whole, in a few appends
    laid = source.table.laid
    looking: Looking = "everybody" if laid is None else laid.looking
    by = Submitter(role=BY, name=person)
    with tables.opened(journal.match_id) as forked:
        forked.book.write(person, lambda _: [TableLaid(host=person, looking=looking)])
        why = f"plays on from event {at} of {history.match}"
        give_to_person(forked, seat, person, name, by, why)
        for other in range(history.created.seats):
            if other != seat:
                give_to_bot(forked, other, bot, by, why)
    return journal.match_id
