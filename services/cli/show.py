"""Commands that read: matches, positions, events, sentences, options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import msgspec

from ledger.kernel.audience import Viewer, view_decision
from ledger.kernel.match import Match
from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.read.history import History
from ledger.log.read.served import Served, know_outcomes, serve_log
from ledger.log.stores.protocol import DamagedLog
from ledger.log.write.lifecycle import make_refusal
from replays.drawing.text import scene_text
from replays.story.names import state_of
from replays.story.sentences import Told, seat_text, tell
from services.cli.support.output import json_line, printable, show, wants_json
from services.cli.support.params import as_json_option, as_option, is_given, json_option
from services.cli.support.sources import (
    around,
    check_seat,
    folding,
    history_for,
    load_history,
    position_at,
    version_of,
)
from services.cli.support.words import format_decision, seat_of

from .redaction import event_line, iter_redacted_lines, read_redacted

MATCH_OR_FILE = "MATCH|FILE"
STATES = {"open": "created", "finished": "closed"}  # the words that we say otherwise


@click.command()
@as_json_option
def matches() -> None:
    r"""List the matches in the store.

    One line per match: id, state (created, running, paused, closed, abandoned), number of events,
    game, origin, title. With --json one JSON object a line.

    \b
        hegemon matches
    """
    world = around()
    damaged = []
    for match in world.store.matches():
        try:
            said = _summary(load_history(world, match))
        except (DamagedLog, Refused):
            damaged.append(match)
            continue
        text = "{match}  {state:8} {events:5}  {ruleset}  {origin:7} {title}".format_map(said)
        show(said, printable(text.rstrip()))
    if damaged:
        raise DamagedLog(f"these logs cannot be read: {', '.join(damaged)}")


def _summary(history: History) -> dict[str, Any]:
    return {
        "match": history.match,
        "title": history.created.title,
        "ruleset": history.created.ruleset,
        "state": STATES.get(state_of(history), state_of(history)),
        "events": history.tip.version,
        "origin": history.created.origin.kind,
    }


@click.command(name="show")
@click.argument("match", metavar=MATCH_OR_FILE)
@click.option("--at", metavar="N", type=int, help="After this event; else after the last.")
@as_option()
@as_json_option
def show_command(match: str, at: int | None, viewer: Viewer) -> None:
    r"""Show the position after an event, as a seat or a spectator sees it.

    \b
        hegemon show MATCH --as 0
        hegemon show match.hgm --at 7 --json
    """
    history = history_for(match, viewer)
    version = version_of(history, at)
    position = position_at(history, version)
    seen: dict[str, Any] = {"match": history.match, "version": version, "started": False}
    if position is None:
        text = f"{history.match} after event {version}: not started yet"
        show(seen, text)
        return
    position.version = version
    with folding(history):
        seen |= {"started": True, **position.view(viewer)}
        if position.ended:
            seen["result"] = msgspec.to_builtins(position.result())
        text = "\n".join(_position_text(history, position, seen))
    show(seen, text)


def _position_text(history: History, position: Match, seen: dict[str, Any]) -> Iterator[str]:
    viewer = "a spectator" if seen["seat"] is None else seat_text(seen["seat"])
    yield f"{history.match} after event {seen['version']}, as {viewer}"
    scene = position.scene(seen["seat"])
    if scene is not None:
        yield scene_text(scene)
    if "result" in seen:
        result = seen["result"]
        winners = " and ".join(seat_text(seat) for seat in result["winners"]) or "nobody wins"
        scores = " : ".join(str(score) for score in result["scores"])
        yield f"ended: {winners} ({result['reason']}, {scores})"
    else:
        yield "asked: " + ", ".join(seat_text(seat) for seat in seen["asked"])


@click.command()
@click.argument("match", metavar=MATCH_OR_FILE)
@click.option(
    "--from",
    "first",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="The first event to print; a number after the last prints nothing.",
)
@as_option(all_eyes=True)
@json_option("Accepted for consistency: events are always JSON.")
def events(match: str, first: int, viewer: Viewer | str) -> None:
    r"""Print the events as JSON, one per line.

    Each event has its openings and the values they open: a spectator or a seat gets what it may
    know by then; `all` gets every opening there is. A redacted bundle shows the same to every
    viewer; for a withheld event there is the hash.

    \b
        hegemon events MATCH --from 5
    """
    redacted = read_redacted(match)
    if redacted is not None:
        for line in iter_redacted_lines(redacted, first):
            click.echo(json_line(line))
        return
    history = history_for(match, viewer)
    if first > history.tip.version + 1:
        raise make_refusal("no_such_event", {"from": first, "last": history.tip.version})
    with folding(history):
        for one in _serve_events(history, viewer, first):
            click.echo(json_line(event_line(one.event, one.openings)))


def _serve_events(history: History, viewer: Viewer | str, first: int) -> Iterator[Served]:
    if not isinstance(viewer, str):
        return serve_log(history, viewer, first)
    know_outcomes(history)
    opened = history.openings.items()
    return (
        Served(event, [one for path, one in opened if path[0] == event.version])
        for event in history.events[first - 1 :]
    )


@click.command(name="tell")
@click.argument("match", metavar=MATCH_OR_FILE)
@as_option()
@as_json_option
def tell_command(match: str, viewer: Viewer) -> None:
    r"""Tell the match in sentences, one line per event.

    A ~ behind the number marks an event undone by a rewind. Brackets name a person who submitted
    an event for another. With --json one JSON object a line.

    \b
        hegemon tell MATCH --as 1
    """
    history = history_for(match, viewer)
    with folding(history):
        for told in tell(history, viewer):
            show(told, printable(_format_told(told)))


def _format_told(told: Told) -> str:
    mark = "~" if told.undone else " "
    by = f" [{told.by}]" if told.by else ""
    return f"{told.version:4}{mark} {' '.join(told.sentences) or '-'}{by}".rstrip()


@click.command()
@click.argument("match", metavar=MATCH_OR_FILE)
@click.argument("seat", required=False, metavar="[SEAT]")
@as_option(help="Only what this viewer may know: a seat sees its own options, a spectator none.")
@as_json_option
def options(match: str, seat: str | None, viewer: Viewer) -> None:
    r"""List the decisions you can make now, as `decide` takes them.

    For SEAT, or for every seat that is asked. Each seat's options are shown as that seat sees
    them; --as keeps them from others.

    \b
        hegemon options MATCH 0
    """
    history = history_for(match, viewer)
    position = position_at(history)
    if position is None:
        raise make_refusal("not_started")
    anybody = not is_given("viewer")
    chosen = position.asked() if seat is None else (_parse_seat(history, seat),)
    with folding(history):
        for asked in chosen:
            _show_options(position, asked, may_see=anybody or viewer == asked)
    if position.ended and not wants_json():
        click.echo("the match has ended: no seat is asked")


def _parse_seat(history: History, word: str) -> Seat:
    seat = seat_of(word)
    if seat >= 0:
        check_seat(history, seat)
    return seat


def _show_options(position: Match, seat: Seat, *, may_see: bool) -> None:
    """Prints the options of a seat, or only whether it is asked if the viewer may not see them."""
    asked = seat in position.asked()
    if asked and may_see:
        for option in position.options(seat):
            shown = view_decision(option, seat, seat)
            said = {"seat": seat, "decision": shown, "typed": format_decision(shown)}
            show(said, f"{seat_text(seat)}: {format_decision(shown)}")
    elif not wants_json() and not position.ended:
        click.echo(f"{seat_text(seat)}: {'asked' if asked else 'not asked now'}")


COMMANDS = (matches, show_command, events, tell_command, options)
