"""Who is to be told of what an event brought, and what a delivery says.

| news | of | goes to |
|---|---|---|
| turn | a seat is asked that was not asked before the event | who decides for the seat |
| deal | an offer | who decides for its parties, but for the proposer |
| dispute, ruling, result | an act | who decides for a seat, and the host |
| reminder | an entry of a tournament (reminders.py) | who decides for the seat |

A delivery says that something is there to be looked at, and where: ids, a version, a seat. All of
it is everybody's to see in that match; what is not, is seen by who looks, through their own seat.
Which seats an offer is made to is a field that everybody may see, or it is told to nobody.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from ledger.club.table import Table
from ledger.club.webhooks import Kind, Webhook, Webhooks
from ledger.kernel.audience import Audience, audiences
from ledger.kernel.records import Fact, Seat, tag_of
from ledger.log.format.acts import Act, Closed, Disputed, Ruled
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import Moment
from services.webhooks.retries import Delivery

OFFER: Final = "deal.proposed"  # what rulesets call the fact that an offer was made


class News(NamedTuple):
    """Something that concerns a seat, or (None) everybody at the table."""

    kind: Kind
    seat: Seat | None = None
    about: str = ""  # the deal or the dispute


def news_of(before: Iterable[Seat], moment: Moment) -> Iterator[News]:
    """What an event brought; `before` were asked before it."""
    asked = () if moment.match is None else moment.match.asked()
    for seat in sorted(set(asked) - set(before)):
        if seat >= 0:
            yield News("turn", seat)
    for fact in moment.facts:
        yield from _offers(fact)
    if isinstance(moment.body, ActBody):
        yield from _acts(moment.body.act)


def _offers(fact: Fact) -> Iterator[News]:
    if tag_of(type(fact)) != OFFER:
        return
    open_to_all = {one.name for one in audiences(type(fact)) if one.audience is Audience.EVERYONE}
    if {"seat", "parties", "deal"} <= open_to_all:
        said: Any = fact
        for seat in said.parties:
            if seat != said.seat:
                yield News("deal", seat, str(said.deal))


def _acts(act: Act) -> Iterator[News]:
    match act:
        case Disputed():
            yield News("dispute", None, act.dispute)
        case Ruled():
            yield News("ruling", None, act.dispute)
        case Closed():
            yield News("result")


def persons(table: Table) -> set[str]:
    """Who is told of anything at a table."""
    found = {table.host}
    for one in table.sitting.values():
        found |= {one.person, *one.delegates}
    return found - {""}


def concerned(table: Table, news: News) -> list[tuple[str, Seat | None]]:
    """Whom it concerns, and through which seat they may look."""
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
    hooks: Webhooks, table: Table, match: str, moment: Moment, news: Iterable[News], site: str
) -> list[Delivery]:
    """What is sent, and to which webhooks."""
    found = []
    for one in news:
        for person, seat in concerned(table, one):
            told = hooks.told(person, one.kind, moment.body.at)
            found += [delivery(hook, match, moment, one, seat, site) for hook in told]
    return found


def delivery(
    hook: Webhook, match: str, moment: Moment, news: News, seat: Seat | None, site: str
) -> Delivery:
    """One delivery; its id follows from what it tells and to whom, so a repeat has the same."""
    which = (hook.id, match, moment.version, news.kind, news.seat, news.about)
    name = hashlib.sha256(b"hegemon/delivery/1" + msgspec.msgpack.encode(which)).hexdigest()[:32]
    said: dict[str, Any] = {
        "id": name,
        "kind": news.kind,
        "match": match,
        "version": moment.version,
        "at": moment.body.at,
        "link": f"{site}/matches/{match}",
    }
    if seat is not None:
        said["seat"] = seat
    if news.about:
        said["deal" if news.kind == "deal" else "dispute"] = news.about
    return Delivery(
        id=name,
        webhook=hook.id,
        kind=news.kind,
        made=moment.body.at,
        body=msgspec.json.encode(said),
        match=match,
        version=moment.version,
    )
