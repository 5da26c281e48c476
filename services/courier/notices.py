"""Finds the people an event concerns, and writes their deliveries.

| news | caused by | goes to |
|---|---|---|
| turn | a seat is asked that was not asked before the event | the deciders for the seat |
| deal | an offer | the deciders for its parties, except the proposer |
| dispute, ruling, result | an act | the deciders for every seat, and the host |
| reminder | an entry of a tournament | the deciders for each reminded player's seat |

A delivery says that there is something to look at, and where: ids, a version, a seat. All
of that is public within the match. Anything secret is seen only by looking through one's
own seat. News of an offer is sent only if the field that names its parties is public.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from ledger.club.table import MatchTable
from ledger.club.tournament.entries import Reminded
from ledger.club.tournament.state import Seating, TournamentState
from ledger.club.webhooks import Kind, Webhook, Webhooks
from ledger.kernel.audience import Audience, audiences
from ledger.kernel.records import Fact, Seat, tag_of
from ledger.log.format.acts import Act, Closed, Disputed, Ruled
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import Moment
from services.webhooks.retries import Delivery, make_delivery

OFFER: Final = "deal.proposed"  # what rulesets call the fact that an offer was made


class Notice(NamedTuple):
    """News that concerns one seat, or (None) the whole table."""

    kind: Kind
    seat: Seat | None = None
    about: str = ""  # the deal or the dispute


def news_of(before: Iterable[Seat], moment: Moment) -> Iterator[Notice]:
    """Yields the news of an event. `before` are the seats asked before it."""
    asked = () if moment.match is None else moment.match.asked()
    for seat in sorted(set(asked) - set(before)):
        if seat >= 0:
            yield Notice("turn", seat)
    for fact in moment.facts:
        yield from _offers(fact)
    if isinstance(moment.body, ActBody):
        yield from _acts(moment.body.act)


def _offers(fact: Fact) -> Iterator[Notice]:
    if tag_of(type(fact)) != OFFER:
        return
    open_to_all = {one.name for one in audiences(type(fact)) if one.audience is Audience.EVERYONE}
    if {"seat", "parties", "deal"} <= open_to_all:
        said: Any = fact
        for seat in said.parties:
            if seat != said.seat:
                yield Notice("deal", seat, str(said.deal))


def _acts(act: Act) -> Iterator[Notice]:
    match act:
        case Disputed():
            yield Notice("dispute", None, act.dispute)
        case Ruled():
            yield Notice("ruling", None, act.dispute)
        case Closed():
            yield Notice("result")


def persons(table: MatchTable) -> set[str]:
    """Returns everybody who gets any news of a table."""
    found = {table.host}
    for one in table.sitting.values():
        found |= {one.person, *one.delegates}
    return found - {""}


def list_recipients(table: MatchTable, news: Notice) -> list[tuple[str, Seat | None]]:
    """Returns the people whom news concerns, and the seat through which each may look."""
    if news.seat is not None:
        sitting = table.sitting.get(news.seat)
        who = () if sitting is None else (sitting.person, *sitting.delegates)
        return [(one, news.seat) for one in who if one]
    found: list[tuple[str, Seat | None]] = []
    for one in sorted(persons(table)):
        seats = table.seats_of(one)
        found.append((one, seats[0] if seats else None))
    return found


def deliveries(
    hooks: Webhooks,
    table: MatchTable,
    match: str,
    moment: Moment,
    news: Iterable[Notice],
    site: str,
) -> list[Delivery]:
    """Returns the deliveries for an event's news, one for each webhook that wants it."""
    found = []
    for one in news:
        for person, seat in list_recipients(table, one):
            told = hooks.told(person, one.kind, moment.body.at)
            found += [delivery(hook, match, moment, one, seat, site) for hook in told]
    return found


def delivery_id(*which: object) -> str:
    """Derives an id from content and receiver, so that repeats share it."""
    return hashlib.sha256(b"hegemon/delivery/1" + msgspec.msgpack.encode(which)).hexdigest()[:32]


def delivery(
    hook: Webhook, match: str, moment: Moment, news: Notice, seat: Seat | None, site: str
) -> Delivery:
    name = delivery_id(hook.id, match, moment.version, news.kind, news.seat, news.about)
    said: dict[str, Any] = {
        "match": match,
        "version": moment.version,
        "at": moment.body.at,
        "link": f"{site}/matches/{match}",
    }
    if seat is not None:
        said["seat"] = seat
    if news.about:
        said["deal" if news.kind == "deal" else "dispute"] = news.about
    return make_delivery(hook.id, name, news.kind, said)


def find_reminded_seats(state: TournamentState, entry: Reminded) -> Iterator[tuple[Seating, Seat]]:
    """Yields the tables and seats of the reminded players."""
    for table in state.round(entry.round).tables:
        for seat, player in enumerate(table.players):
            if table.match and player in entry.players:
                yield table, seat
