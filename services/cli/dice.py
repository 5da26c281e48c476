"""`hegemon dice`: counts dice and draws in bundles and tests how even they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import click

from replays.verify.dice import Fall, plain
from replays.verify.fairness import DiceRow, Tally, together
from services.cli.support.exits import Failure
from services.cli.support.output import json_line, show
from services.cli.support.params import as_json_option
from services.cli.support.sources import verify_bundle

from .bundles import check_verdict

# Fair dice are outside of these once in 500 corpora.
P_MIN: Final = 0.001
P_MAX: Final = 0.999
COUNTS_SHOWN: Final = 20


@click.command()
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False),
)
@click.option(
    "--list", "listed", is_flag=True, help="Print the outcomes, one JSON object on each line."
)
@as_json_option
def dice(files: Sequence[str], listed: bool) -> None:
    r"""Count the dice and draws in bundles, and test how even they are.

    Each bundle is verified first. Dice are counted by domain and sides, draws by the number of
    cards left to draw. All lines of a match count, also undone ones. Chi-square is given where
    there are enough values.

    --list prints every answer of chance with the question behind it, and its key where that has
    been disclosed. docs/check-dice.mjs recomputes them without any of our code.

    \b
        hegemon dice *.hgm
        hegemon dice match.hgm --list > fallen.ndjson
    """
    tally = Tally()
    lines: list[str] = []

    def watch(fall: Fall) -> None:
        tally.take(fall)
        if listed:
            lines.append(json_line(plain(fall)))

    for file in files:
        check_verdict(file, verify_bundle(file, watch=watch))
    if listed:
        for line in lines:
            click.echo(line)
        return
    rows = tally.rows()
    said = _as_json(len(files), tally, rows)
    show(said, "\n".join(_text(said)))
    if rows and not P_MIN <= said["p"] <= P_MAX and any(row.enough for row in rows):
        raise Failure(f"the outcomes are less even than they should be: p is {said['p']:.2g}")


def _as_json(bundles: int, tally: Tally, rows: Sequence[DiceRow]) -> dict[str, Any]:
    chi_square, freedom, p = together(rows)
    return {
        "bundles": bundles,
        "answers": [
            {"domain": domain, "how": how, "count": count}
            for (domain, how), count in sorted(tally.how.items())
        ],
        "rows": [
            {
                "domain": row.domain,
                "kind": row.kind,
                "values": row.values,
                "counts": list(row.counts),
                "chi_square": round(row.chi_square, 4) if row.enough else None,
                "freedom": row.freedom,
                "p": round(row.p, 6) if row.enough else None,
            }
            for row in rows
        ],
        "chi_square": round(chi_square, 4),
        "freedom": freedom,
        "p": round(p, 6),
    }


def _text(said: dict[str, Any]) -> list[str]:
    answers = ", ".join(
        f"{one['domain']}: {one['count']:,} {one['how']}" for one in said["answers"]
    )
    bundles = "1 bundle" if said["bundles"] == 1 else f"{said['bundles']:,} bundles"
    lines = [f"{bundles} verified; {answers or 'no dice or cards'}"]
    if not said["rows"]:
        return lines
    head = f"{'domain':14} {'kind':14} {'values':>9} {'chi-square':>11} {'df':>4} {'p':>6}  counts"
    lines.append(head)
    for row in said["rows"]:
        counts = " ".join(map(str, row["counts"][:COUNTS_SHOWN]))
        more = " ..." if len(row["counts"]) > COUNTS_SHOWN else ""
        what = f"{row['domain']:14} {row['kind']:14} {row['values']:9,}"
        lines.append(f"{what} {_even(row)}  {counts}{more}")
    if said["freedom"]:
        lines.append(f"{'together':39} {_even(said)}")
    return lines


def _even(row: dict[str, Any]) -> str:
    if row["p"] is None:
        return f"{'-':>11} {'-':>4} {'-':>6}"
    return f"{row['chi_square']:11.2f} {row['freedom']:4} {row['p']:6.3f}"


COMMANDS = (dice,)
