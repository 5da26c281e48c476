"""The `deals` command: the deals of a match, and whether promises were kept."""

from __future__ import annotations

from typing import Literal

import click

from ledger.kernel.audience import Viewer
from services.cli.support.output import Progress, show_text, wants_json
from services.cli.support.params import as_json_option, as_option
from services.cli.support.sources import folding, history_for

from .replay import print_whole


@click.command()
@click.argument("match", metavar="MATCH|FILE")
@as_option(all_eyes=True)
@as_json_option
def deals(match: str, viewer: Viewer | Literal["all"]) -> None:
    r"""List the deals of a match, and whether their promises were kept.

    Each promise is kept, broken (with the event that broke it), open, void, or for a person to
    judge, because only words say what it means. Private terms are shown to the parties only: use
    --as with one of them, or all.

    \b
        hegemon deals MATCH
        hegemon deals match.hgm --as 0
        hegemon deals match.hgm --as all --json
    """
    from replays.deals.statements import deals_of, pack_deals_report, text

    history = history_for(match, viewer)
    with folding(history), Progress("events") as progress:
        history.read_overlay()  # what is kept beside the log may have been changed
        report = deals_of(history, viewer, progress)
    if wants_json():
        print_whole(pack_deals_report(report).decode())
    else:
        show_text(text(report))


COMMANDS = (deals,)
