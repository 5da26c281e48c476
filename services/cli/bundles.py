"""Commands about bundles: verify, export, import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.log.format.redaction import records_of
from ledger.log.read.bundle import Record, read_history
from ledger.log.read.history import History
from replays.verify.verifier import Report, Verdict
from services.cli.support.anchors import collect_heads
from services.cli.support.exits import NotAnchored, RulesUnknown, Tampered, UnreadableInput
from services.cli.support.output import show
from services.cli.support.params import as_json_option, as_option, several
from services.cli.support.sources import (
    around,
    folding,
    history_for,
    is_file,
    match_in,
    verify_bundle,
    why_not,
)
from services.cli.support.writing import check_can_write, check_not_read, write_file, write_records
from services.matches.trial import put

from .redaction import choice_of, choice_options, read_redacted

file_argument = click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))


@click.command(name="verify")
@file_argument
@click.option("--anchored", is_flag=True, help="Require an anchor: exit 3 without a head.")
@several("--head", "heads", "VERSION:HEX", "A head that you know from elsewhere; repeat for more.")
@several(
    "--receipt",
    "receipts",
    "FILE",
    "A file with a player's receipts, one on each line; needs --key.",
)
@several("--proof", "proofs", "FILE", "A proof that an event is under a signed head; needs --key.")
@click.option(
    "--key",
    metavar="NAME+ID+KEY",
    help="The service's key, as you know it from elsewhere (the service shows it at /heads/key).",
)
@click.option("--fast", is_flag=True, help="Check only the chain and the openings; do not fold.")
@as_json_option
def verify_command(
    file: str,
    anchored: bool,
    fast: bool,
    **evidence: Any,
) -> None:
    r"""Check a bundle from its first byte to its last.

    Checks the chain, the openings, and that the rules give every decision, die and result.

    Anyone can forge a whole log that is consistent in itself. Only evidence that left the service
    at the time shows that this is the original log: a head that was written down, a receipt that
    a player got for a decision, or a signed head with a proof that an event is under it. Without
    such evidence the best verdict is VALID, NOT ANCHORED.

    \b
        hegemon verify match.hgm
        hegemon verify match.hgm --anchored --head 12:e8061cc1...
        hegemon verify match.hgm --anchored --receipt mine.txt --key hegemon-5f0c...+...

    Exit codes: 0 valid, 3 not anchored although --anchored asks for it, 4 invalid or diverged
    from a known head, 5 made by rules that are not known here.
    """
    known = collect_heads(file, **evidence)
    report = verify_bundle(file, known, fast=fast)
    show(report, report_text(report))
    check_verdict(file, report)
    is_anchored = any(check.name == "anchor" and check.status == "ok" for check in report.checks)
    if anchored and not is_anchored:
        message = f"{file} is consistent, but no head known from elsewhere covers all of it"
        raise NotAnchored(message)


def check_verdict(file: str, report: Report) -> None:
    """Ends the command with a failure if a bundle is invalid or could not be checked."""
    verdict = Verdict(report.verdict)
    if verdict in (Verdict.INVALID, Verdict.DIVERGED):
        raise Tampered(f"{file} is {verdict.value}: {why_not(report)}")
    if verdict is Verdict.INCOMPLETE:
        unchecked = next(check for check in report.checks if check.status == "not checked")
        raise RulesUnknown(f"{file} could not be checked here: {unchecked.detail}")


def report_text(report: Report) -> str:
    """Returns the report for people: the verdict, then one line per check."""
    made = f", {report.origin}" if report.origin else ""
    what = f"{report.match} ({report.ruleset}{made}), " if report.match else ""
    lines = [f"{report.verdict}: {what}{report.events} events", f"  head {report.head}"]
    for check in report.checks:
        detail = f": {check.detail}" if check.detail else ""
        rule = f" [{check.rule}]" if check.rule else ""
        lines.append(f"  {check.name:9} {check.status}{detail}{rule}")
    return "\n".join(lines)


@click.command()
@click.argument("match", metavar="MATCH|FILE")
@click.option("--out", metavar="FILE", help="The file to write; else MATCH.hgm here.")
@as_option(
    all_eyes=True,
    help="The viewer: a seat's number, spectator (the default), or all (every opening).",
)
@choice_options
@as_json_option
def export(
    match: str,
    out: str | None,
    viewer: Viewer | str,
    shown: Sequence[str],
    disclosed: Sequence[str],
) -> None:
    r"""Write a match to a bundle, with what one viewer may have by now.

    The bundle of a closed match has what its policy discloses. Use `all` on a running match only
    if you own the store: it contains every secret. With --events or --disclose the copy shows
    only what was chosen, and still verifies with the same heads.

    \b
        hegemon export MATCH --out match.hgm
        hegemon export MATCH --as 0 --out mine.hgm
        hegemon export MATCH --as all --events 40-52 --disclose 44@2 --out turn.hgm
    """
    if out is None and is_file(match):
        raise UnreadableInput("to export a bundle again, name another file: --out FILE")
    choice = choice_of(shown, disclosed)
    target = f"{match}.hgm" if out is None else out
    if choice is None:
        history = history_for(match, viewer)
        _check_target(match, target)
        with folding(history):
            history.read_overlay()  # what is kept beside the log may have been changed
            name, address = history.match, write_file(history, target, viewer)
    else:
        records = read_redacted(match) or _records(history_for(match, viewer), viewer)
        _check_target(match, target)
        name, address = match_in(records), write_records(records, choice, target)
    said = {"match": name, "out": target, "sha256": address}
    show(said, f"{target}  sha256 {address.hex()}")


def _records(history: History, viewer: Viewer | str) -> list[Record]:
    with folding(history):
        history.read_overlay()
        return records_of(history, viewer)


def _check_target(match: str, target: str) -> None:
    check_can_write(target)
    check_not_read(match, target, "--out", "it would lose openings")


@click.command(name="import")
@file_argument
@as_json_option
def import_command(file: str) -> None:
    r"""Put a bundle into the store, if it verifies.

    The match can then be read and forked. If the store already has the match, the missing events
    are added; a match that this store writes itself accepts none from elsewhere.

    \b
        hegemon import match.hgm
    """
    report = verify_bundle(file)
    check_verdict(file, report)
    with Path(file).open("rb") as bundle:
        history = read_history(bundle, ruleset)
    try:
        new = put(around().store, history)
    except ValueError as reason:
        # an id that no store can have, or another overlay than the one that is kept
        raise UnreadableInput(f"{file} cannot be imported into the store: {reason}") from None
    said = {
        "match": history.match,
        "events": history.tip.version,
        "new": new,
        "verdict": report.verdict,
    }
    text = f"{history.match}: {history.tip.version} events, {new} of them new"
    show(said, text)


COMMANDS = (verify_command, import_command, export)
