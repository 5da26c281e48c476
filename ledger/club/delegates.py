"""Delegates: somebody else who may decide for a seat, too."""

from __future__ import annotations

from ledger.kernel.records import Seat

from .table import DelegateDropped, DelegateNamed, Table, TableEntry, check_holder, refused


def name_delegate(table: Table, seat: Seat, person: str, by: str) -> list[TableEntry]:
    """The holder of a seat lets somebody else decide for it, too."""
    check_holder(table, seat, by)
    sitting = table.sitting[seat]
    if person in (sitting.person, *sitting.delegates):
        return []
    # Whoever holds several seats may have the same person help at all of them.
    known = table.knows(person) - {one for one, at in table.sitting.items() if at.person == by}
    if known - {seat} or person in table.looked:
        raise refused("knew_another_seat", {"seat": seat, "knew": sorted(known)})
    return [DelegateNamed(seat=seat, person=person)]


def drop_delegate(table: Table, seat: Seat, person: str, by: str, knew: int) -> list[TableEntry]:
    """... and no more: the holder says so, or the delegate."""
    sitting = table.sitting.get(seat)
    if sitting is None or by not in (sitting.person, person):
        raise refused("not_your_seat", {"seat": seat})
    gone: list[TableEntry] = [DelegateDropped(seat=seat, person=person, knew=knew)]
    return gone if person in sitting.delegates else []
