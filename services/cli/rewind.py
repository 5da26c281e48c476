"""Commands that go back: rewind on the same log, fork into a new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import Submitter
from ledger.log.write.fork import fork as fork_match
from services.cli.support.output import show
from services.cli.support.params import as_json_option, consent_option, reason_option, title_option
from services.cli.support.sources import (
    around,
    check_seat,
    folding,
    history_of,
    journal_of,
    version_of,
)
from services.matches.trial import Trial


@click.command()
@click.argument("match")
@click.argument("to", metavar="N", type=int)
@reason_option
@click.option("--seat", metavar="N", type=int, help="The seat that takes its own decision back.")
@consent_option
@as_json_option
def rewind(
    match: str, to: int, reason: str | None, seat: int | None, consents: Sequence[int]
) -> None:
    r"""Go on from an earlier event of the same match.

    The later events stay in the log, marked as undone. Without --seat the organizer does it. With
    --seat a seat takes back what it alone has decided since; anything else needs the consent of
    every seat.

    \b
        hegemon rewind MATCH 6 --reason "misread the die"
    """
    journal = journal_of(match)
    for one in (*consents, *(() if seat is None else (seat,))):
        check_seat(journal.history, one)
    by = Submitter(role="organizer" if seat is None else "seat")
    if reason is None:
        agreed = journal.history.life.all_agree(consents)
        alone = "by the organizer" if seat is None else f"taken back by seat {seat}"
        reason = "by agreement" if agreed else alone
    journal.rewind(to, by, reason, consents, seat=seat)
    said = {"match": match, "to": to, "version": journal.history.tip.version}
    show(said, f"{match} goes on from event {to}")


@click.command()
@click.argument("match", metavar="MATCH|FILE")
@click.option("--at", metavar="N", type=int, help="The event to fork from; else the last.")
@title_option
@as_json_option
def fork(match: str, at: int | None, title: str) -> None:
    r"""Make a new match that goes on from an event of another.

    Prints the id of the new match, which is kept in the store. Its first event records what it
    was forked from. From there on it has its own dice and cards. Only what is public by event N
    is copied.

    \b
        hegemon fork MATCH --at 6
        hegemon fork match.hgm --title "what if"
    """
    history = history_of(match)
    version = version_of(history, at)
    if not 0 < history.life.started <= version:
        evidence = {"at": version, "first": history.life.started, "last": history.tip.version}
        raise Refused("no_such_event", "", "The match has no such event to fork from.", evidence)
    world, trial = around(), Trial()
    with folding(history):
        journal = fork_match(replace(world, store=trial), history, version, title)
    trial.write_to(world.store)
    said = {"match": journal.match_id, "from": history.match, "at": version}
    show(said, journal.match_id)


COMMANDS = (rewind, fork)
