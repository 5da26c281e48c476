"""Commands about disputes: file, list, investigate and rule; and the operations ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import click
import msgspec

from ledger.club import table as tables
from ledger.kernel.audience import Viewer
from ledger.log.format.acts import Remedy, Ruled
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from ledger.log.stores.files import FileStore
from services.cli.support.exits import UnreadableInput
from services.cli.support.output import Progress, say, show
from services.cli.support.params import (
    TextType,
    as_json_option,
    as_option,
    force_option,
    html_option,
    is_given,
    several,
)
from services.cli.support.sources import (
    around,
    check_seat,
    check_viewer,
    folding,
    history_of,
    is_file,
    load_history,
)
from services.cli.support.writing import check_can_write, write_page

from .replay import print_whole

if TYPE_CHECKING:
    from services.matches.cache import OpenMatch
    from services.matches.disputes import Dispute

ORGANIZER = Submitter(role="organizer")
WORDS_MAX = 2_000
FINDINGS = ("upheld", "dismissed", "void")


@contextmanager
def _open_match(match: str) -> Iterator[OpenMatch]:
    """Opens a match with its table's book. Refuses a store in files, which keeps no books."""
    from services.matches.cache import MatchCache

    store = around().store
    load_history(around(), match)  # refuses what there is not
    if isinstance(store, FileStore):
        raise tables.make_refusal("no_table", {"match": match[:80]})
    with MatchCache(store).opened(match) as opened:
        yield opened


def _plain(match: str, one: Dispute) -> dict[str, Any]:
    return {
        "match": match,
        "dispute": one.name,
        "version": one.version,
        "from": one.act.first,
        "to": one.act.last,
        "rulings": [
            {"version": ruling.version, **msgspec.to_builtins(ruling.act)} for ruling in one.rulings
        ],
    }


def _text(one: Dispute) -> str:
    lines = [f"{one.name}  events {one.act.first} to {one.act.last}, filed with {one.version}"]
    for ruling in one.rulings:
        act = ruling.act
        cited = f" ({', '.join(act.rules)})" if act.rules else ""
        remedy = "" if act.remedy is None else f"; remedy: {_remedy_text(act.remedy)}"
        lines.append(f"  {act.finding} with event {ruling.version}: {act.reason}{cited}{remedy}")
    return "\n".join(lines if one.rulings else [*lines, "  waits for a ruling"])


def _remedy_text(remedy: Remedy) -> str:
    parts = [remedy.kind, str(remedy.version or ""), remedy.text]
    return " ".join(part for part in parts if part)


@click.command()
@click.argument("match", required=False, metavar="[MATCH|FILE]")
@click.option("--rule", metavar="RULE-ID", help="Only disputes with a ruling that cites this rule.")
@as_json_option
def disputes(match: str | None, rule: str | None) -> None:
    r"""List the disputes of a match, or of all, and their rulings.

    Claims are kept outside the log; the dossier has them. --rule finds earlier rulings that rest
    on a rule. With --json one JSON object a line.

    \b
        hegemon disputes MATCH
        hegemon disputes --rule deal.non-binding
    """
    from services.matches.disputes import disputes_in

    for history in _histories(match):
        for one in disputes_in(history, tables.MatchTable()):
            if rule is None or any(rule in ruling.act.rules for ruling in one.rulings):
                where = "" if match else f"{history.match}  "
                show(_plain(history.match, one), f"{where}{_text(one)}")


def _histories(match: str | None) -> Iterator[History]:
    if match is not None:
        yield history_of(match)
        return
    world = around()
    for name in world.store.matches():
        yield load_history(world, name)


@click.command()
@click.argument("match")
@click.option(
    "--words",
    metavar="TEXT",
    required=True,
    type=TextType(WORDS_MAX, 1),
    help="The claim. The parties and the organizer can read it.",
)
@click.option("--first", metavar="N", type=int, help="The first event of the claim.")
@click.option("--last", metavar="N", type=int, help="The last event of the claim; else the first.")
@click.option("--deal", metavar="ID", default="", help="The deal of the claim.")
@click.option(
    "--conflict", metavar="N", type=int, default=0, help="The event with which a conflict began."
)
@click.option(
    "--seat", metavar="N", type=int, help="The seat that files the claim; else the organizer."
)
@several("--party", "parties", "N", "A seat that the claim concerns.", type=int)
@click.option("--pause", is_flag=True, help="Pause the match until the ruling.")
@as_json_option
def dispute(
    match: str,
    words: str,
    seat: int | None,
    parties: Sequence[int],
    pause: bool,
    **about: Any,
) -> None:
    r"""File a dispute about events, a deal or a conflict.

    Prints the dispute's name and freezes the evidence: `hegemon dossier` shows it.

    \b
        hegemon dispute MATCH --deal s1/1 --words "we had a truce" --seat 0
        hegemon dispute MATCH --first 12 --last 14 --words "the die fell twice"
    """
    from services.matches.disputes import Subject, dispute_of, file_claim, pause_for

    by = ORGANIZER if seat is None else Submitter(role="seat", seat=seat)
    with _open_match(match) as opened:
        for one in (*parties, *(() if seat is None else (seat,))):
            check_seat(opened.history, one)
        subject = Subject(words, **about, parties=tuple(parties))
        found = file_claim(opened, subject, by, seat, opened.good)
        if pause:
            pause_for(opened, found.name, ORGANIZER)
        found = dispute_of(opened.history, opened.table, found.name)
    show(_plain(match, found), found.name)


@click.command()
@click.argument("match")
@click.argument("dispute", metavar="DISPUTE")
@as_option(all_eyes=True, help="The viewer: a party's seat, spectator or all (the default).")
@html_option
@force_option
def dossier(
    match: str,
    dispute: str,
    viewer: Viewer | Literal["all"],
    html: str | None,
    force: bool,
) -> None:
    r"""Assemble the evidence for a dispute.

    Prints the document as JSON, always the same bytes for the same reader. This command reads the
    server's disk, so it can show everything; no ledger records its use.

    \b
        hegemon dossier MATCH d1 --as 0
        hegemon dossier MATCH d1 --html dossier.html
    """
    from replays.dossier.builder import dossier_of
    from replays.dossier.document import name_of, pack_dossier
    from replays.dossier.report import report_dossier
    from services.jobs.dossiers import evidence_of
    from services.matches.disputes import claim_of, dispute_of

    if is_file(match):
        message = "a bundle has no book of its table, which holds the claim: name a match"
        raise UnreadableInput(message)
    if html is not None:
        check_can_write(html, "--html", force=force)
    eyes = viewer if is_given("viewer") else "all"
    with _open_match(match) as opened, folding(opened.history), Progress("events") as progress:
        check_viewer(opened.history, eyes)
        consents = claim_of(dispute_of(opened.history, opened.table, dispute)).consents
        evidence = evidence_of(opened.store, match, dispute, consents)
        found = dossier_of(opened.history, evidence, eyes, progress)
    text = pack_dossier(found)
    if html is None:
        print_whole(text.decode().rstrip("\n"))
        return
    size = write_page(report_dossier(found, name_of(text)), html)
    say(f"{html}  {size:,} bytes, {name_of(text)}")


def _payment(context: click.Context, param: click.Parameter, value: str | None) -> Any:
    """Parses `FROM:TO:AMOUNT`."""
    if value is None:
        return None
    parts = value.split(":")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        message = f"{value[:40]!r} is not FROM:TO:AMOUNT, as in 1:0:3"
        raise click.BadParameter(message, context, param)
    return tuple(int(part[:9]) for part in parts)


@click.command()
@click.argument("match")
@click.argument("dispute", metavar="DISPUTE")
@click.argument("finding", type=click.Choice(FINDINGS), metavar="upheld|dismissed|void")
@click.option(
    "--reason",
    metavar="TEXT",
    required=True,
    type=TextType(least=1),
    help="The reason. Everybody can read it.",
)
@several("--rule", "rules", "RULE-ID", "A rule that the ruling cites.")
@click.option("--rewind", metavar="N", type=int, help="Remedy: play goes on after this event.")
@click.option("--pay", metavar="FROM:TO:N", callback=_payment, help="Remedy: a seat pays another.")
@click.option("--annul", metavar="DEAL", help="Remedy: the promises of a deal are void.")
@click.option("--edition", metavar="NAME", help="Remedy: another edition from here on.")
@click.option("--note", metavar="TEXT", type=TextType(least=1), help="Remedy: only a note.")
@as_json_option
def rule(
    match: str,
    dispute: str,
    finding: Literal["upheld", "dismissed", "void"],
    reason: str,
    rules: Sequence[str],
    rewind: int | None,
    pay: tuple[int, int, int] | None,
    annul: str | None,
    edition: str | None,
    note: str | None,
) -> None:
    r"""Rule on a dispute, and carry out what the ruling orders.

    The log gets the ruling and the remedy together, or neither.

    \b
        hegemon rule MATCH d1 upheld --reason "a truce is a truce" --rule deal.audit --rewind 236
        hegemon rule MATCH d1 dismissed --reason "the table agreed"
    """
    from services.matches.disputes import OrganizerFinding, rule_on, transfer

    given: list[Remedy] = []
    if rewind is not None:
        given.append(Remedy(kind="rewind", version=rewind))
    if pay is not None:
        given.append(transfer(*pay))
    for kind, text in (("annul-deal", annul), ("edition", edition), ("note", note)):
        if text is not None:
            given.append(Remedy(kind=kind, text=text))  # type: ignore[arg-type] # one of its kinds
    if len(given) > 1:
        raise UnreadableInput("a ruling has one remedy")
    if finding == "dismissed" and given and note is None:
        raise UnreadableInput("a dismissed claim can only have a note as its remedy")
    act = Ruled(
        dispute=dispute,
        finding=finding,
        reason=reason,
        rules=tuple(dict.fromkeys(rules)),
        remedy=given[0] if given else None,
    )
    seat, to, amount = pay or (None, None, 0)
    with _open_match(match) as opened:
        found = rule_on(opened, OrganizerFinding(act, seat, to, amount), ORGANIZER)
    show(_plain(match, found), _text(found))


@click.command()
@click.argument("match")
@as_json_option
def operations(match: str) -> None:
    r"""List what officials did to a match, and who looked into it.

    Lists rulings, rewinds, editions, seats, pauses, decisions made in place of a seat, results,
    and every look at everything in the match.

    \b
        hegemon operations MATCH
    """
    from services.matches.operations import operations_of

    with _open_match(match) as opened:
        for one in operations_of(opened, None):
            where = f"event {one.version}" if one.version else ""
            text = f"{one.kind:9} {where:11} {one.by:18} {one.said}".rstrip()
            show(one._asdict() | {"version": one.version or 0}, text)


COMMANDS = (disputes, dispute, dossier, rule, operations)
