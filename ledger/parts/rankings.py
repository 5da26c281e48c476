"""Rankings: the seats that have most, of points, of money, of whatever is compared."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.kernel.records import Seat


def list_most(values: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Returns the seats with the greatest value, in their order."""
    most = max(values.values(), default=0)
    return tuple(seat for seat, value in values.items() if value == most)
