"""Delegates: other people who may decide for a seat, too."""

from __future__ import annotations

from ledger.kernel.records import Seat

from .table import (
    DelegateDropped,
    DelegateNamed,
    MatchTable,
    TableEntry,
    check_holder,
    make_refusal,
)


def name_delegate(table: MatchTable, seat: Seat, person: str, by: str) -> list[TableEntry]:
    """Lets the holder of a seat name a person who may decide for it, too."""
    check_holder(table, seat, by)
    sitting = table.sitting[seat]
    if person in (sitting.person, *sitting.delegates):
        return []
    # Whoever holds several seats may have the same person help at all of them.
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
