"""The command that folds stored matches under other rules: reproject."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from ledger.games import GAMES, ruleset
from ledger.kernel.bots import BOTS
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.log.format.acts import Created
from ledger.log.format.bodies import ActBody, read_body
from ledger.log.format.published import Published
from ledger.log.read.bundle import SUFFIX, BadBundle, Header, read_records
from ledger.log.stores.protocol import DamagedLog
from ledger.log.write.lifecycle import make_refusal
from replays.reproject.change import Change, parse_change, with_errata
from replays.reproject.policies import Policies
from replays.reproject.report import RunRow, report_of
from replays.reproject.rule_use import index_in
from replays.reproject.text import verdict_line, verdict_text
from replays.reproject.verdicts import SAME
from services.cli.jobs import jobs_server
from services.cli.support.exits import (
    DIFFERS,
    DONE,
    Failure,
    Lacking,
    Tampered,
    UnreadableInput,
)
from services.cli.support.output import (
    Progress,
    format_count,
    json_line,
    printable,
    say,
    show_text,
    wants_json,
)
from services.cli.support.params import SecondsType, as_json_option, seed_option, several
from services.cli.support.rule_files import erratum_in, read_overlay
from services.cli.support.sources import around, is_file, load_history
from services.cli.support.words import pairs
from services.cli.support.writing import check_can_write
from services.jobs.reprojection.batches import (
    DAMAGED,
    MATCH_LIMIT_S,
    FileItem,
    LogItem,
    RunItem,
    RunTerms,
    UnreadableItem,
    log_of,
)
from services.jobs.reprojection.run import Fleet, LocalFleet, OtherRun, Run, Source

from .report import as_file, check_ending, earlier_report, show_report, standings_of

WORKERS_MAX: Final = 256
POLICIES: Final = {
    "illegal": ("stop", "skip", "default", "bot", "chance"),
    "missing": ("stop", "default", "bot", "chance"),
}


@click.command()
@click.argument("names", nargs=-1, metavar="[MATCH|FILE|DIR]...")
@click.option("--tournament", metavar="T", help="The matches of a tournament, and its standings.")
@click.option("--all", "whole", is_flag=True, help="Every match of the store.")
@click.option("--edition", metavar="NAME", help="The edition to fold under; else the match's own.")
@several(
    "--reading",
    "readings",
    "NAME=VALUE",
    "A reading, a figure by its name, or TABLE/ROW/CELL of the content; repeat for more.",
)
@click.option(
    "--overlay",
    metavar="DIR",
    help="A folder of TOML tables that change or add rows of the content.",
)
@several(
    "--erratum",
    "erratum_files",
    "FILE",
    "An erratum that an organizer has written, used as if published; repeat for more.",
)
@click.option(
    "--over-options", is_flag=True, help="Also override what matches chose for themselves."
)
@click.option(
    "--switch",
    metavar="N",
    type=click.IntRange(min=1),
    help="Only replace the edition that event N put in force.",
)
@several(
    "--policy",
    "policies",
    "WHICH=WHAT",
    "illegal=stop|skip|default|bot|chance, missing=stop|default|bot|chance.",
)
@click.option(
    "--bot",
    metavar="NAME",
    type=click.Choice(sorted(BOTS)),
    default="greedy",
    show_default=True,
    help="The bot that replaces decisions.",
)
@seed_option("The seed of bots, and of assumed dice and cards.", default=0)
@click.option(
    "--draws",
    metavar="N",
    type=click.IntRange(1, 10_000),
    default=10,
    show_default=True,
    help="The number of draws of the assumed dice, cards and decisions.",
)
@click.option("--full", is_flag=True, help="Fold every match from its first event.")
@click.option("--index", metavar="DIR", help="Store here which rules each match used.")
@click.option("--run", "folder", metavar="DIR", help="Store progress here, and continue from it.")
@click.option("--out", metavar="FILE", help="Write the table: .json, .csv or .txt.")
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(0, WORKERS_MAX),
    default=0,
    show_default=True,
    help="The number of worker processes; 0: work in this process.",
)
@click.option("--queue", is_flag=True, help="Let the service's workers do it.")
@click.option("--against", metavar="FILE", help="Show differences from an earlier .json.")
@click.option(
    "--match-limit",
    metavar="SECONDS",
    type=SecondsType(),
    default=MATCH_LIMIT_S,
    show_default=True,
    help="Stop a match that takes more work, and report it as an error.",
)
@as_json_option
def reproject(names: Sequence[str], whole: bool, **said: Any) -> int:
    r"""Fold stored matches under other rules, and say what becomes of them.

    Decisions are matched with the questions they answer. Nothing stored is changed. Policies
    decide what the log does not answer; missing dice come from disclosed keys or are assumed.
    With --json one JSON object a match.

    \b
        hegemon reproject MATCH --edition err.03
        hegemon reproject *.hgm --reading score.tie-first=4 --json
        hegemon reproject *.hgm --erratum club.toml
        hegemon reproject DIR --edition e2 --workers 4 --run RUN --out table.csv
    """
    league = said["tournament"]
    if league is not None:
        from services.jobs.tournament_audits import check_is_there, list_played

        check_is_there(around().store, league)
        names = (*names, *(played.match for played in list_played(around().store, league)[1]))
    found = _sources(names, whole=whole, full=said["full"])
    if not found:
        raise UnreadableInput("name a match, a bundle or a folder, or give --tournament or --all")
    rules, terms = _rules_and_terms(found, said)
    if said["out"] is not None:
        check_can_write(said["out"])
        check_ending(said["out"])
    sources = [source for source, game in found if game in (rules.name, "")]
    if not sources:
        raise UnreadableInput(f"the changes are for {rules.name}, but none of the matches is")
    earlier = None if said["against"] is None else earlier_report(said["against"])
    with _fleet(said["workers"], queue=said["queue"]) as fleet:
        rows = _run(sources, terms, rules, fleet, said["folder"])
    if league is not None or said["out"] is not None or earlier is not None or len(found) > 1:
        standings = None if league is None else standings_of(league, rows)
        report = report_of(
            rows, rules.name, rules.source, terms.change, terms.policies,
            tournament=league or "", standings=standings,
        )  # fmt: skip
        if said["out"] is not None:
            Path(said["out"]).write_text(as_file(rows, report, said["out"]), encoding="utf-8")
        if not wants_json():
            show_report(report, earlier, counts=len(found) > 1)
    if len(sources) < len(found):
        others = format_count(len(found) - len(sources), "match", "matches")
        say(f"left out, because they are of other games than {rules.name}: {others}")
    return _code(rows)


def _code(rows: Sequence[RunRow]) -> int:
    """Returns the exit code. Reports a match that could not be folded once more."""
    failed = [row for row in rows if row.verdict.verdict == "error"]
    if failed:
        first = failed[0]
        message = f"{first.source} could not be re-projected: {first.verdict.error}"
        if len(rows) > 1:
            message = f"{len(failed)} of {len(rows)} matches failed; {message}"
        elif first.verdict.error.startswith(DAMAGED):
            raise Tampered(message)
        raise Failure(message)
    return DONE if all(row.verdict.verdict in SAME for row in rows) else DIFFERS


# --- the matches ----------------------------------------------------------------------------------


def _sources(names: Sequence[str], *, whole: bool, full: bool) -> list[tuple[Source, str]]:
    """Returns the named matches, each with its game; the game is empty if it cannot be read."""
    found: dict[str, tuple[Source, str]] = {}
    find = partial(_find_stored_match, full=full)
    for name in names:
        if Path(name).is_dir():
            for path in map(str, sorted(Path(name).glob(f"*{SUFFIX}"))):
                found.setdefault(path, _read_isolated(_bundle, path))
        elif is_file(name):
            found.setdefault(name, _read_isolated(_bundle, name) if names[1:] else _bundle(name))
        else:
            found.setdefault(name, find(name))
    for name in around().store.matches() if whole else ():
        found.setdefault(name, _read_isolated(find, name))
    return list(found.values())


def _read_isolated(read: Callable[[str], tuple[Source, str]], name: str) -> tuple[Source, str]:
    """Records a match that cannot be read as trouble, so that it does not stop the others."""
    try:
        return read(name)
    except (UnreadableInput, DamagedLog, Refused, OSError) as reason:
        item = UnreadableItem(source=name, trouble=str(reason))
        return Source(name, "", lambda: item), ""


def _bundle(name: str) -> tuple[Source, str]:
    path = Path(name).absolute()
    with path.open("rb") as file:
        try:
            header = next(read_records(file))
        except BadBundle as reason:
            raise UnreadableInput(f"{name} is not a Hegemon bundle: {reason}") from None
        file.seek(0)
        mark = hashlib.file_digest(file, "sha256").hexdigest()
    assert isinstance(header, Header), "a bundle has its header first"
    return Source(name, mark, partial(FileItem, source=name, path=str(path))), header.ruleset


def _find_stored_match(name: str, *, full: bool) -> tuple[Source, str]:
    """Returns a match of the store. Until its turn only its first event is read."""
    store = around().store
    try:
        first = next(iter(store.events(name, 1, 1)), None)
    except ValueError:  # no name that any match could have
        first = None
    body = None if first is None else read_body(first.body)
    if not isinstance(body, ActBody) or not isinstance(body.act, Created):
        raise make_refusal("no_such_match", {"match": name[:80]})
    item = partial(_read_stored_item, name, full=full)
    return Source(name, store.tip(name).head.hex(), item), body.act.ruleset


def _read_stored_item(name: str, *, full: bool) -> RunItem:
    world = around()
    try:
        history = load_history(world, name)
    except (DamagedLog, Refused) as reason:
        return UnreadableItem(source=name, trouble=str(reason))
    index = None
    if not full:
        with suppress(Exception):  # whatever is wrong with it is for its verdict to say
            index = index_in(world.store, history)
    return LogItem(source=name, log=log_of(history, index))


# --- what is asked --------------------------------------------------------------------------------


def change_of(
    rules: Ruleset,
    *,
    edition: str | None,
    readings: Sequence[str] = (),
    overlay: str | None = None,
    over_options: bool = False,
    switch: int | None = None,
) -> Change:
    """Builds the change that the options describe, checked as far as possible without a match."""
    if edition is not None:
        rules.errata_of(edition)
    values, content = parse_change(rules, pairs(readings, "bad_value"))
    for table, rows in ({} if overlay is None else read_overlay(overlay)).items():
        content.setdefault(table, {}).update(
            {row: None if cells is None else dict(cells) for row, cells in rows.items()}
        )
    return Change(
        edition=edition,
        readings=values,
        content=content,
        over_options=over_options,
        switch=switch,
    )


def _rules_and_terms(
    found: Sequence[tuple[Source, str]], said: dict[str, Any]
) -> tuple[Ruleset, RunTerms]:
    """Returns the game that is meant, and what is asked of its matches."""
    written = [erratum_in(name) for name in said["erratum_files"]]
    rules = ruleset(written[0].ruleset) if written else _choose_game(found, said)
    if games := sorted({erratum.ruleset for erratum in written} - {rules.name}):
        raise UnreadableInput(f"the errata are of several games: {', '.join([rules.name, *games])}")
    terms = _terms(rules, said, written)
    for erratum in written:
        if erratum.scope == "from-now-on":
            say(f"{erratum.id} applies from now on: this shows what would have been; results stay")
    return rules, terms


def _choose_game(found: Sequence[tuple[Source, str]], said: dict[str, Any]) -> Ruleset:
    """Returns the first of the games found that knows the given options."""
    games = [ruleset(name) for name in dict.fromkeys(game for _, game in found if game)]
    for rules in games:
        with suppress(Refused):
            _change(rules, said)
            return rules
    return games[0] if games else ruleset(GAMES[0])


def _change(rules: Ruleset, said: dict[str, Any]) -> Change:
    asked = ("edition", "readings", "overlay", "over_options", "switch")
    return change_of(rules, **{name: said[name] for name in asked})


def _terms(rules: Ruleset, said: dict[str, Any], written: Sequence[Published]) -> RunTerms:
    change = _change(rules, said)
    if written:
        change = with_errata(change, written)
    chosen = pairs(said["policies"], "bad_value")
    for which, what in chosen.items():
        if what not in POLICIES.get(which, ()):
            known = "; ".join(f"{one}: {', '.join(whats)}" for one, whats in POLICIES.items())
            evidence = {"policy": f"{which}={what}"[:80], "known": known}
            raise Refused("bad_value", "", "There is no such policy.", evidence)
    drawn = {name: said[name] for name in ("bot", "seed", "draws")}
    policies = msgspec.convert({**chosen, **drawn}, Policies)
    return RunTerms(
        change=change,
        policies=policies,
        full=said["full"],
        limit_s=said["match_limit"],
        index=_folder(said["index"]),
    )


def _folder(name: str | None) -> str | None:
    """Creates a folder if necessary and returns its absolute path."""
    if name is None:
        return None
    Path(name).mkdir(parents=True, exist_ok=True)
    return str(Path(name).absolute())


# --- the run --------------------------------------------------------------------------------------


@contextmanager
def _fleet(workers: int, *, queue: bool) -> Iterator[Fleet]:
    """Yields this process, processes of this machine, or the workers of the service."""
    if not queue:
        if workers:
            from services.jobs.reprojection.fleet import Processes

            yield Processes(workers)
        else:
            yield LocalFleet()
        return
    from services.jobs.queue import JobQueue, workers_now
    from services.jobs.reprojection.queue_fleet import Queued

    with jobs_server() as server:
        if not workers_now(server):
            raise Lacking("no worker runs: start `hegemon up`, or python -m services.worker")
        yield Queued(JobQueue(server))


def _run(
    sources: Sequence[Source], terms: RunTerms, rules: Ruleset, fleet: Fleet, where: str | None
) -> list[RunRow]:
    folder = None if where is None else Path(where)
    with Progress("re-projected", len(sources)) as progress:
        counted = count(1)
        try:
            run = Run(terms, {rules.name: rules.source}, folder, lambda _: progress(next(counted)))
        except OtherRun as other:
            raise UnreadableInput(str(other)) from None
        rows = run.over(sources, fleet)
    for row in rows:
        if wants_json():
            click.echo(json_line({"source": row.source, **msgspec.to_builtins(row.verdict)}))
        elif len(sources) == 1:
            show_text(verdict_text(row))
        else:
            click.echo(printable(verdict_line(row)))
    return rows
