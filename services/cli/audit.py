"""The `audit` command, for a match of the store, a bundle or a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.log.stores.protocol import Unavailable
from replays.report.model import ReportPage
from replays.verify.verifier import Verdict
from services.cli.support.anchors import collect_heads
from services.cli.support.exits import Failure, RulesUnknown, Tampered, UnreadableInput
from services.cli.support.output import Progress, Watched, format_count, say, show_text, wants_json
from services.cli.support.params import (
    as_option,
    force_option,
    html_option,
    is_given,
    json_option,
    several,
)
from services.cli.support.sources import (
    around,
    check_magic,
    history_for,
    is_file,
    settings_of,
)
from services.cli.support.writing import check_can_write, write_page

if TYPE_CHECKING:
    from replays.audit.document import Audit
    from services.jobs.tournament_audits import TournamentAudit


@click.command()
@click.argument("match", required=False, metavar="[MATCH|FILE]")
@json_option("Print the report as canonical JSON.")
@html_option
@click.option("--brief", is_flag=True, help="Print only the verdict and the checks.")
@as_option(
    help="As a seat (its number), or a spectator, may know the match; else all of a closed one."
)
@click.option("--tournament", metavar="ID", help="Audit a tournament and all its matches.")
@several(
    "--head",
    "heads",
    "VERSION:HEX",
    "A head of the bundle that you know from elsewhere; repeat for more.",
)
@force_option
def audit(
    match: str | None,
    html: str | None,
    brief: bool,
    viewer: Viewer,
    tournament: str | None,
    heads: Sequence[str],
    force: bool,
) -> None:
    r"""Audit a match or a tournament: recount everything.

    Checks the chain, legality, chance, outcomes, accounts and pieces, each contribution to each
    conflict, points and result, deals and promises, clocks, snapshots and submitters. For a
    running match it reads only what a spectator (or a seat, --as) may know.

    \b
        hegemon audit MATCH
        hegemon audit match.hgm --json
        hegemon audit match.hgm --html audit.html
        hegemon audit --tournament ID

    Exit codes: 0 nothing is wrong, 1 there is no such match or tournament, 4 something is
    wrong, 5 made by rules that are not known here.
    """
    if (match is None) is (tournament is None):
        raise UnreadableInput("name a match, a bundle, or --tournament ID")
    if html is not None:
        check_can_write(html, "--html", force=force)
    if tournament is not None:
        _tournament(tournament, html)
        return
    from replays.audit.report import report_audit

    assert match is not None, "the caller has checked it"
    found = _file(match, heads) if is_file(match) else _audit_stored_match(match, viewer)
    _print(found, report_audit(found), html, brief=brief)
    if html is not None and not wants_json():
        show_text(f"{html}  {found.verdict}, {found.events} events")
    _check(match, found)


def _file(name: str, heads: Sequence[str]) -> Audit:
    from replays.audit.auditor import ServiceRecords, audit_file

    if is_given("viewer"):
        raise UnreadableInput("a bundle holds what its viewer may know: leave out --as")
    anchors = dict(collect_heads(name, heads))
    path = Path(name)
    with Progress("audited", path.stat().st_size) as progress, Watched(path, progress) as file:
        check_magic(file, name)
        return audit_file(file, ruleset, ServiceRecords(anchors=anchors))


def _audit_stored_match(name: str, viewer: Viewer) -> Audit:
    from services.jobs.audits import audit_of, eyes_for

    history = history_for(name, viewer)
    eyes = viewer if is_given("viewer") else eyes_for(history)
    with Progress("audited", history.tip.version) as progress:
        return audit_of(around().store, history, eyes, progress)


def _tournament(tournament: str, html: str | None) -> None:
    from services.jobs.tournament_audits import check_is_there, tournament_audit
    from services.jobs.tournament_report import report_tournament

    store = around().store
    try:
        check_is_there(store, tournament)
    except Unavailable:
        message = f"there are no tournaments in {settings_of().data}: its matches are files"
        raise Failure(message) from None
    with Progress("matches") as progress:
        found: TournamentAudit = tournament_audit(store, tournament, progress=progress)
    size = _print(found, report_tournament(found), html)
    if html is not None:
        say(f"{html}  {format_count(len(found.matches), 'match', 'matches')}, {size:,} bytes")
    if found.verdict != "ok":
        raise Tampered(f"the tournament {tournament} does not match its book and logs")


def _print(
    found: msgspec.Struct, report: ReportPage, html: str | None, *, brief: bool = False
) -> int:
    """Writes the page, or prints the document or the report; returns the size of the page."""
    from replays.audit.document import pack_document
    from replays.report.text import text

    size = 0 if html is None else write_page(report, html)
    if wants_json():
        click.echo(pack_document(found).decode(), nl=False)
    elif html is None:
        show_text(text(report, whole=not brief).rstrip("\n"))
    return size


def _check(name: str, found: Audit) -> None:
    """Ends the command with a failure if something is wrong or could not be checked."""
    if found.failed or found.verdict in (Verdict.INVALID.value, Verdict.DIVERGED.value):
        why = "; ".join(f"{check.name}: {check.said}" for check in found.failed[:1])
        said = found.verdict if not why else f"{found.verdict}: {why}"
        raise Tampered(f"{name} is {said}")
    if found.verdict == Verdict.INCOMPLETE.value:
        unchecked = next(check for check in found.checks if check.status == "not checked")
        raise RulesUnknown(f"{name} could not be audited here: {unchecked.said}")


COMMANDS = (audit,)
