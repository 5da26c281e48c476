"""Verdicts and errata as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ledger.kernel.ruleset import Erratum, Result, Ruleset
from replays.reproject.report import RunRow
from replays.reproject.verdicts import Cause, Divergence, EventVerdict, MatchVerdict
from replays.story.sentences import seat_text

MARKED_SHOWN: Final = 12


def verdict_line(row: RunRow) -> str:
    verdict = row.verdict
    said = f"{row.source}: {verdict.verdict}"
    if verdict.error:
        return f"{said}: {verdict.error}"
    if verdict.first is not None:
        names = ", ".join(one.name for one in verdict.first.causes) or "no cause named"
        said += f", first at event {verdict.first.version} ({verdict.first.kind}; {names})"
    return said


def verdict_text(row: RunRow) -> str:
    """Returns a match's verdict with all details."""
    return "\n".join(_verdict_lines(row.source, row.verdict))


def _verdict_lines(source: str, verdict: MatchVerdict) -> Iterator[str]:
    yield f"{source}: {verdict.verdict} ({verdict.change.named})"
    if verdict.error:
        yield f"  {verdict.error}"
        return
    how = "proved from the rules that it used, not folded"
    if verdict.proved == "fold":
        how = f"folded after event {verdict.resumed}" if verdict.resumed else "folded whole"
    counts = ", ".join(f"{count} {name}" for name, count in verdict.events.items())
    yield f"  events: {counts}; {how}"
    for name in verdict.pinned:
        yield f"  {name} was chosen for this match and stays"
    if verdict.first is not None:
        yield from first_lines(verdict.first)
    yield f"  before: {result_text(verdict.before)}"
    yield f"  after:  {result_text(verdict.after)}"
    if verdict.stopped is not None:
        stop = verdict.stopped
        rule = f" [{stop.rule}]" if stop.rule else ""
        yield f"  stopped at {stop.question} of {seat_text(stop.seat)}: {stop.why}{rule}"
    if verdict.spread is not None:
        spread = verdict.spread
        won = ", ".join(f"{seats or 'nobody'} {n}" for seats, n in spread.winners.items())
        ended = f"{spread.ended} of {spread.draws} draws end; won by {won or 'nobody'}"
        yield f"  assumed {verdict.assumed} times; {ended}"
    yield from _render_marked(verdict)
    yield from _render_differences(verdict)


def _render_marked(verdict: MatchVerdict) -> Iterator[str]:
    for one in verdict.marked[:MARKED_SHOWN]:
        yield f"  {_describe_verdict(one)}"
    if len(verdict.marked) > MARKED_SHOWN:
        yield f"  ... and {len(verdict.marked) - MARKED_SHOWN} more (--json has all)"


def _render_differences(verdict: MatchVerdict) -> Iterator[str]:
    for currency, accounts in verdict.accounts.items():
        for account, (was, now) in accounts.items():
            yield f"  {currency} of {account}: {was} -> {now}"
    for path, old, new in verdict.positions:
        yield f"  {path}: {_short(old)} -> {_short(new)}"
    if verdict.positions_more:
        yield f"  ... and {verdict.positions_more} more"


def first_lines(first: Divergence) -> Iterator[str]:
    """Yields the first difference of two folds and its causes."""
    what = {
        "facts": "gives other facts",
        "illegal": "is refused",
        "order": f"is not asked yet; {first.asked} is",
        "missing": f"asks {first.asked}, which the log does not answer",
        "unasked": "is no longer asked",
    }[first.kind]
    rule = f" [{first.rule}]" if first.rule else ""
    where = f"event {first.version} ({first.question or 'the start'})"
    yield f"  first difference: {where} {what}{rule}"
    for cause in first.causes:
        yield f"    {'' if first.exact else 'perhaps '}{cause_text(cause)}"


def cause_text(cause: Cause) -> str:
    asked = cause.asked if cause.asked is not None else cause.asked_now
    rule = f" [{cause.rule}]" if cause.rule else ""
    errata = f" ({', '.join(cause.errata)})" if cause.errata else ""
    values = f"{_short(cause.before)} -> {_short(cause.after)}"
    if cause.kind == "rows":
        values = _rows_text(cause.before, cause.after)
    return f"{cause.kind} {cause.name}: {values}{rule}{errata}, first asked for at event {asked}"


def _rows_text(before: Sequence[str], after: Sequence[str]) -> str:
    gone = [f"without {row}" for row in before if row not in after]
    new = [f"with {row}" for row in after if row not in before]
    return ", ".join([*gone, *new]) or "in another order"


def _describe_verdict(one: EventVerdict) -> str:
    where = "not in the log" if one.version is None else f"event {one.version}"
    how = f" ({one.how})" if one.how else ""
    why = f": {one.code}" if one.code else ""
    rule = f" [{one.rule}]" if one.rule else ""
    shown = ", ".join(f"{name}={value}" for name, value in one.evidence.items())
    evidence = f" ({shown})" if shown else ""
    who = seat_text(one.seat)
    return f"{one.verdict}: {where}, {one.question} of {who}{how}{why}{rule}{evidence}"


def result_text(result: Result | None) -> str:
    if result is None:
        return "not ended"
    winners = " and ".join(seat_text(seat) for seat in result.winners) or "nobody"
    return f"{' : '.join(map(str, result.scores))}, {winners} ({result.reason})"


def _short(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def erratum_text(said: Mapping[str, Any]) -> str:
    lines = [f"{said['erratum']}  {said['date']}  {said['text']} ({said['source']})"]
    lines += [
        f"    reading {name}: {one['from']} -> {one['to']}"
        for name, one in said["readings"].items()
    ]
    for table, rows in said["content"].items():
        for row, cells in rows.items():
            what = (
                "taken away" if cells is None else ", ".join(f"{n}={v}" for n, v in cells.items())
            )
            lines.append(f"    {table}/{row}: {what}")
    lines += [f"    class {old} -> {new}" for old, new in said["classes"].items()]
    return "\n".join(lines)


def describe_erratum(rules: Ruleset, erratum: Erratum) -> dict[str, Any]:
    """An erratum with what it changes."""
    return {
        "erratum": erratum.id,
        "date": erratum.date,
        "text": erratum.text,
        "source": erratum.source,
        "readings": {
            name: {"from": rules.readings[name].value, "to": value}
            for name, value in erratum.readings.items()
        },
        "content": {table: dict(rows) for table, rows in erratum.content.items()},
        "classes": {old.__name__: new.__name__ for old, new in erratum.replaces.items()},
    }
