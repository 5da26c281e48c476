"""A replay as CSV: a row for each event, with the figures of each seat in columns."""

from __future__ import annotations

from csv import writer
from io import StringIO
from typing import Final

from msgspec import UNSET

from replays.report.cells import safe_cell
from replays.story.sentences import seat_text

from .report import path
from .structs import Event, Replay

FIRST: Final = ("n", "heading", "seat", "sentence")


def csv(replay: Replay) -> str:
    """Renders the table; the ruleset marks which figures become columns."""
    columns = [
        (curve, series) for curve in replay.curves if curve.column for series in curve.series
    ]
    held: list[int | None] = [None] * len(columns)
    points = [dict(series.points) for _, series in columns]
    file = StringIO()
    rows = writer(file, lineterminator="\r\n")
    rows.writerow(
        [*FIRST, *(safe_cell(f"{curve.name} {_seat(replay, one.seat)}") for curve, one in columns)]
    )
    for event in replay.events:
        held = [known.get(event.n, was) for known, was in zip(points, held, strict=True)]
        rows.writerow([*_words(replay, event), *("" if one is None else one for one in held)])
    return file.getvalue()


def _words(replay: Replay, event: Event) -> list[str | int]:
    undone = "" if event.undone is UNSET else "[undone] "
    return [
        event.n,
        safe_cell(" / ".join(path(replay, event))),
        safe_cell(_seat(replay, event.seat)),
        safe_cell(undone + " ".join(event.said)),
    ]


def _seat(replay: Replay, seat: int | None) -> str:
    if seat is None or seat < 0:
        return seat_text(seat)
    return replay.seats[seat].called or replay.seats[seat].name
