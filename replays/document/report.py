"""A replay as readable text: title, seats, sections of sentences, the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from .structs import Event, Heading, Replay

INDENT: Final = "  "
RULED: Final = ("=", "-")  # what underlines the two highest levels; the others stand indented
ASIDE: Final = "deal"
VIEWERS: Final = {"spectator": "a spectator", "all": "all seats together"}


def text(replay: Replay) -> str:
    return "\n".join([*_head(replay), *_story(replay), "", *_foot(replay)]) + "\n"


def _head(replay: Replay) -> Iterator[str]:
    yield replay.title
    yield "=" * len(replay.title)
    other = "" if replay.played else ", under which it was not played"
    yield f"{replay.ruleset.title}, edition {replay.edition}{other}; match {replay.match}."
    viewer = VIEWERS.get(replay.as_, f"seat {replay.as_}")
    yield f"As seen by {viewer}, {replay.last} events."
    yield ""
    for number, seat in enumerate(replay.seats):
        called = f", {seat.called}" if seat.called else ""
        yield f"Seat {number}: {seat.name}{called}"


def _foot(replay: Replay) -> Iterator[str]:
    yield f"Result: {replay.result}" if replay.result else f"The match is {replay.state}."
    yield f"Head of event {replay.last}: {replay.head}"


def _story(replay: Replay) -> Iterator[str]:
    """Yields the sentences; the first one of each event has the event's number."""
    for event, place, found in lines(replay):
        if isinstance(found, Heading) and found.level == ASIDE:
            continue  # a sentence of its own says so
        if isinstance(found, Heading):
            yield from _heading(replay, found)
            continue
        number = str(event.n) if place == 0 else ""
        undone = "" if event.undone is UNSET else "[undone] "
        yield f"{number:>6}  {undone}{found}"


def _heading(replay: Replay, heading: Heading) -> Iterator[str]:
    depth = sum(1 for _ in above(replay, heading))
    again = "" if heading.again is UNSET else " (again)"
    label = f"{heading.label}{again}"
    if depth < len(RULED):
        yield from ("", label, RULED[depth] * len(label))
    else:
        yield f"{' ' * 6}{INDENT * (depth - 1)}{label}:"


def lines(replay: Replay) -> Iterator[tuple[Event, int, Heading | str]]:
    """Yields headings where they begin, and sentences with their place in the event."""
    begun = iter(replay.headings)
    coming = next(begun, None)
    for event in replay.events:
        for place in range(len(event.said) + 1):
            while coming is not None and coming.first == event.n and coming.line <= place:
                yield event, place, coming
                coming = next(begun, None)
            if place < len(event.said):
                yield event, place, event.said[place]


def above(replay: Replay, heading: Heading) -> Iterator[Heading]:
    up = heading.up
    while up is not None:
        yield replay.headings[up]
        up = replay.headings[up].up


def path(replay: Replay, event: Event) -> tuple[str, ...]:
    """Returns the headings of an event, the outermost first."""
    if event.under is None:
        return ()
    heading = replay.headings[event.under]
    return (*reversed([one.label for one in above(replay, heading)]), heading.label)
