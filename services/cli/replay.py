"""The `replay` command, which writes a match as a page, picture, text or table."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, TypeAlias

import click

from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.kernel.refusals import Refused
from ledger.log.read.history import History
from services.cli.support.exits import UnreadableInput
from services.cli.support.output import Progress, printable, say, show_text
from services.cli.support.params import as_option, force_option, html_option
from services.cli.support.sources import folding, history_for, version_of
from services.cli.support.writing import check_can_write, check_not_read, write_bytes

Eyes: TypeAlias = Viewer | Literal["all"]
FORMS: Final = ("text", "json", "ndjson", "csv")  # what may be printed
PAGE_BYTES_LARGE: Final = 1_048_576  # of a replay in one file; a longer match may need more


def form_option(name: str, help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds an option for one printed format."""
    return click.option(f"--{name}", "form", flag_value=name, help=help)


@click.command()
@click.argument("match", metavar="MATCH|FILE")
@html_option
@click.option("--png", metavar="OUT", help="Write a picture of one event: see --at.")
@form_option("text", "Print a readable report (the default).")
@form_option("json", "Print the document that programs and pages read.")
@form_option("ndjson", "Print the document line by line: a header, the events, an end.")
@form_option("csv", "Print a table: a row for each event, with the figures of each seat.")
@click.option("--out", metavar="FILE", help="Write to this file instead of printing.")
@click.option("--at", metavar="N", type=int, help="The event to draw; else the last.")
@as_option(all_eyes=True)
@click.option("--edition", metavar="NAME", help="Replay the same decisions under this edition.")
@force_option
def replay(
    match: str,
    html: str | None,
    png: str | None,
    form: str | None,
    out: str | None,
    at: int | None,
    viewer: Eyes,
    edition: str | None,
    force: bool,
) -> None:
    r"""Write a match as a page, a picture, a report or a table.

    The page (--html) loads nothing, holds the bundle that the viewer may have, and verifies it in
    the browser. It is as large as a photograph.

    \b
        hegemon replay match.hgm --html match.html
        hegemon replay match.hgm --png moment.png --at 7
        hegemon replay MATCH --csv --as 0 --out account.csv
    """
    if sum(one is not None for one in (html, png, form)) > 1:
        message = "one form at a time: --html, --png, --text, --json, --ndjson or --csv"
        raise UnreadableInput(message)
    if out is not None and (html is not None or png is not None):
        raise UnreadableInput("--html and --png name their own file: leave out --out")
    if at is not None and png is None:
        raise UnreadableInput("--at names the event of a picture: use it with --png")
    if edition is not None and png is not None:
        raise UnreadableInput("a picture shows the match as it was played: leave out --edition")
    for option, target in (("--html", html), ("--png", png), ("--out", out)):
        if target is not None:
            check_not_read(match, target, option, "it would be lost")
            check_can_write(target, option, force=force)
    history = history_for(match, viewer)
    if edition is not None:
        history.rules.errata_of(edition)  # refuses one that the game does not have
    version = version_of(history, at)
    with folding(history):
        history.read_overlay()  # what is kept beside the log may have been changed
        if png is not None:
            _picture(history, png, version, viewer)
        elif html is not None:
            _page(history, html, viewer, edition)
        else:
            _write_replay(history, form or "text", out, viewer, edition)


def _picture(history: History, out: str, at: int, viewer: Eyes) -> None:
    from services.matches.exports import picture_of

    drawn = picture_of(history, at, ALL_SEATS if isinstance(viewer, str) else viewer)
    write_bytes(drawn, out)
    show_text(f"{out}  event {at} of {history.match}, {len(drawn):,} bytes")


def _page(history: History, out: str, viewer: Eyes, edition: str | None) -> None:
    from services.matches.exports import page_for

    with _disclosed(), Progress("events") as progress:
        page = page_for(history, viewer, edition, progress)
    write_bytes(page, out)
    if len(page) > PAGE_BYTES_LARGE:
        say(f"{out} has {len(page):,} bytes: some mail servers refuse this size")
    show_text(f"{out}  {history.tip.version} events, {len(page):,} bytes")


def _write_replay(
    history: History, form: str, out: str | None, viewer: Eyes, edition: str | None
) -> None:
    from replays.document import report, spreadsheet, structs
    from services.matches.exports import document_of

    with _disclosed(), Progress("events") as progress:
        made = document_of(history, viewer, edition, progress)
    content = {
        "text": lambda: report.text(made).encode(),
        "json": lambda: structs.pack_replay(made),
        "ndjson": lambda: b"".join(structs.ndjson(made)),
        "csv": lambda: spreadsheet.csv(made).encode(),
    }[form]()
    if out is None:
        print_whole(content.decode())
        return
    write_bytes(content, out)
    digest = hashlib.sha256(content).hexdigest()
    show_text(f"{out}  sha256 {digest}")


def print_whole(text: str) -> None:
    """Prints a text unchanged into a pipe, and with escapes on a terminal."""
    if sys.stdout.isatty():
        text = "\n".join(printable(line) for line in text.splitlines())
    click.echo(text, nl=not text.endswith("\n"))


@contextmanager
def _disclosed() -> Iterator[None]:
    """Refuses a viewpoint that is not disclosed."""
    from replays.document.builder import NotOpen

    try:
        yield
    except NotOpen as reason:
        raise Refused("not_disclosed", "", str(reason)) from None


COMMANDS = (replay,)
