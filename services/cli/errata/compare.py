"""Commands that compare two sets of rules: diff, bisect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.refusals import Refused
from ledger.log.read.history import History
from replays.reproject.change import Change
from replays.reproject.comparison import (
    ComparedEvent,
    Comparison,
    FirstDifference,
    Half,
    compare_changes,
    find_divergence,
    find_log_difference,
)
from replays.reproject.projection import BrokenFold
from replays.reproject.text import first_lines, result_text
from replays.reproject.verdicts import Divergence
from replays.story.sentences import seat_text
from services.cli.support.exits import DIFFERS, DONE, Failure
from services.cli.support.output import show
from services.cli.support.params import as_json_option, as_option, several, together
from services.cli.support.sources import (
    folding,
    history_for,
    history_of,
    position_at,
    version_of,
)

from .reproject import change_of

# `--a` and `--b`, and `--reading` for readings laid over the second edition.
sides_options = together(
    click.option("--a", metavar="NAME", help="An edition; else the one it was played under."),
    click.option("--b", metavar="NAME", help="Another edition; else the one it was played under."),
    several(
        "--reading",
        "readings",
        "NAME=VALUE",
        "A change for the second side, as in `reproject`. May be given several times.",
    ),
)


def _sides(
    history: History, a: str | None, b: str | None, readings: Sequence[str]
) -> tuple[Change, Change]:
    position_at(history)  # a log that cannot be folded as it was played is at fault itself
    rules = history.rules
    return change_of(rules, edition=a), change_of(rules, edition=b, readings=readings)


@contextmanager
def _projecting(history: History) -> Iterator[None]:
    """Turns a broken fold into a failure: other rules may meet positions not meant for them."""
    try:
        yield
    except BrokenFold as reason:
        raise Failure(f"{history.match} cannot be folded under these rules: {reason}") from None


@click.command()
@click.argument("match", metavar="MATCH|FILE")
@sides_options
@click.option("--at", metavar="N", type=int, help="Only this event, and the positions after it.")
@as_option()
@as_json_option
def diff(
    match: str,
    at: int | None,
    viewer: Viewer,
    **sides: Any,
) -> int:
    r"""Show a match under two editions side by side.

    Lists the events with other results, the scores, and the differences between the positions.
    Exit code 8: there is a difference.

    \b
        hegemon diff MATCH --a printed --b err.03
        hegemon diff match.hgm --b e2 --at 17
    """
    history = history_for(match, viewer)
    first, second = _sides(history, **sides)
    version = version_of(history, at)
    short = history if at is None else history.up_to(version)
    with _projecting(history):
        found = compare_changes(short, first, second, viewer=viewer, cut=at is not None)
    wanted = [one for one in found.lines if at == one.version or (at is None and not one.same)]
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(found, lines=tuple(wanted)))
    show(plain, "\n".join(_diff_lines(found, wanted)))
    apart = found.first is not None or found.positions or found.accounts
    return DIFFERS if apart else DONE


def _diff_lines(found: Comparison, wanted: Sequence[ComparedEvent]) -> Iterator[str]:
    yield f"{found.match} after event {found.at}: a is {found.a.named}, b is {found.b.named}"
    if found.first is None:
        yield "  no event differs"
    else:
        yield from first_lines(found.first)
    yield f"  result a: {result_text(found.result_a)}"
    yield f"  result b: {result_text(found.result_b)}"
    for line in wanted:
        where = "not in the log" if line.version is None else f"event {line.version}"
        yield f"{where}, {line.question or 'the start'} {seat_text(line.seat)}".rstrip()
        if line.same and line.a is not None:
            yield from _half_lines("=", line.a)
        else:
            for name, half in (("a", line.a), ("b", line.b)):
                yield from _half_lines(name, half)
    for currency, accounts in found.accounts.items():
        for account, (was, now) in accounts.items():
            yield f"  {currency} of {account}: {was} | {now}"
    for path, old, new in found.positions:
        yield f"  {path}: {old} | {new}"


def _half_lines(name: str, half: Half | None) -> Iterator[str]:
    if half is None:
        yield f"  {name}: nothing"
        return
    for sentence in half.sentences or ("-",):
        shown = "" if half.verdict == "applied" else f"({half.verdict}) "
        yield f"  {name}: {shown}{sentence}"


@click.command()
@click.argument("match", metavar="MATCH|FILE")
@sides_options
@as_json_option
def bisect(match: str, **sides: Any) -> int:
    r"""Find the first event at which two editions differ, and why.

    Without an edition or reading it compares two builds: the one that wrote the log, which
    committed to the facts of every event, and this one. Exit code 8: they differ.

    \b
        hegemon bisect MATCH --b err.04
        hegemon bisect match.hgm
    """
    history = history_of(match)
    at: int | None
    first: Divergence | None = None
    refusal: Refused | None = None
    if sides == {"a": None, "b": None, "readings": ()}:
        with folding(history):
            found = find_log_difference(history)
        at = None if found is None else found.version
        lines = [] if found is None else [_describe_difference(found)]
        refusal = None if found is None else found.refusal
    else:
        changes = _sides(history, **sides)
        with _projecting(history):
            first = find_divergence(history, *changes)
        at = None if first is None else first.version
        lines = [] if first is None else list(first_lines(first))
    same = f"{history.match}: no event of {history.tip.version} differs"
    text = "\n".join([f"{history.match}: differs at event {at}", *lines]) if at else same
    plain = {"match": history.match, "version": at, "first": msgspec.to_builtins(first)}
    if refusal is not None:
        plain["refusal"] = refusal.as_plain()
    show(plain, text)
    return DIFFERS if at else DONE


def _describe_difference(found: FirstDifference) -> str:
    if found.refusal is not None:
        return f"  event {found.version} is refused here: {found.refusal}"
    return f"  event {found.version} gives other facts here than its log"


COMMANDS: tuple[click.Command, ...] = (diff, bisect)
