"""Curves: the figures of a game by seat, with a point wherever one changed."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.kernel.story import SeatFigures as Figures
from replays.document.structs import Curve, Series


class Curves:
    """Collects the curves of a match event by event."""

    def __init__(self) -> None:
        self._found: dict[str, Curve] = {}
        self._series: dict[tuple[str, int], Series] = {}

    def take(self, version: int, figures: Iterable[Figures]) -> None:
        for one in figures:
            for seat, value in enumerate(one.values):
                if value is not None:
                    self._point(one, seat, version, value)

    def _point(self, one: Figures, seat: int, version: int, value: int) -> None:
        series = self._series.get((one.id, seat))
        if series is None:
            if one.id not in self._found:
                self._found[one.id] = Curve(id=one.id, name=one.name, column=one.column, series=[])
            series = self._series[one.id, seat] = Series(seat=seat, points=[])
            self._found[one.id].series.append(series)
        if not series.points or series.points[-1][1] != value:
            series.points.append((version, value))

    def finish(self) -> list[Curve]:
        for curve in self._found.values():
            curve.series.sort(key=lambda one: one.seat)
        return list(self._found.values())
