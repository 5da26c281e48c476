"""Commands about the errata of a game and the edition of a match: errata, edition."""

from __future__ import annotations

from collections.abc import Sequence

import click
import msgspec

from ledger.games import GAMES, ruleset
from ledger.log.format.bodies import Submitter
from ledger.log.format.published import edition_name_of
from ledger.log.write.lifecycle import check_started
from replays.reproject.text import describe_erratum, erratum_text
from services.cli.support.exits import UnreadableInput
from services.cli.support.output import show
from services.cli.support.params import as_json_option, consent_option, reason_option, several
from services.cli.support.rule_files import erratum_in
from services.cli.support.sources import check_seat, journal_of


@click.command()
@click.argument("ruleset_name", metavar="RULESET", type=click.Choice(GAMES))
@click.option("--check", "file", metavar="FILE", help="Check an erratum that a person has written.")
@as_json_option
def errata(ruleset_name: str, file: str | None) -> None:
    r"""List the errata of a game: id, date, text, and what each changes.

    The id of an erratum also names the edition that has it and all earlier ones in force. --check
    looks at a file instead and prints every mistake with its line, or else the changes that it
    would make. With --json one JSON object a line.

    \b
        hegemon errata hegemonic
        hegemon errata hegemonic --check club.toml
    """
    if file is not None:
        check_erratum(ruleset_name, file)
        return
    rules = ruleset(ruleset_name)
    for erratum in rules.errata:
        said = describe_erratum(rules, erratum)
        show(said, erratum_text(said))


@click.command()
@click.argument("match")
@click.argument("name", metavar="[EDITION]", required=False)
@several(
    "--erratum", "files", "FILE", "An erratum of the club, added to the edition; repeat for more."
)
@reason_option
@consent_option
@click.option("--because", metavar="DISPUTE", default="", help="The dispute that this rules on.")
@as_json_option
def edition(
    match: str,
    name: str | None,
    files: Sequence[str],
    reason: str | None,
    consents: Sequence[int],
    because: str,
) -> None:
    r"""Put another edition in force in a running match.

    It holds from here on. Without EDITION the present one stays, and the errata of --erratum are
    added to it; the log carries them from then on. With --consent of every seat it is an
    agreement, else the organizer's ruling.

    \b
        hegemon edition MATCH err.03 --reason "as announced"
        hegemon edition MATCH --erratum club.toml --consent 0 --consent 1
    """
    if name is None and not files:
        raise UnreadableInput("name an edition, or an erratum with --erratum FILE")
    errata = [erratum_in(one) for one in files]
    journal = journal_of(match)
    for seat in consents:
        check_seat(journal.history, seat)
    agreed = journal.history.life.all_agree(consents)
    by = Submitter(role="service" if agreed else "organizer")
    if name is None:
        check_started(journal.history)
        name = journal.match().terms.edition
    why = reason or ("by agreement" if agreed else "by the organizer")
    journal.change_edition(name, by, why, consents, because=because, bringing=errata)
    now = journal.match().terms.edition
    said = {"match": match, "edition": now, "version": journal.history.tip.version}
    show(said, f"{match} goes on under {edition_name_of(now)}")


def check_erratum(ruleset_name: str, name: str) -> None:
    """Says whether a file is an erratum of the game, and what it changes."""
    found = erratum_in(name)
    if found.ruleset != ruleset_name:
        raise UnreadableInput(f"{name} is an erratum of {found.ruleset}, not of {ruleset_name}")
    rules = ruleset(ruleset_name)
    changes = [
        f"  {reading}: {rules.readings[reading].value} -> {value}"
        for reading, value in found.readings.items()
    ]
    for table, rows in found.content.items():
        for row, cells in rows.items():
            before = rules.content[table].get(row)
            if cells is None:
                changes.append(f"  {table}/{row} is taken away")
            for cell, value in (cells or {}).items():
                was = "new" if before is None else getattr(before, cell)
                changes.append(f"  {table}/{row}/{cell}: {was} -> {value}")
    head = f"{found.id} ({found.date}, {found.scope}) of {rules.title}: {found.text}"
    plain = {**msgspec.to_builtins(found), "mark": found.mark}
    show(plain, "\n".join([head, *changes]))
