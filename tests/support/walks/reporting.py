"""The page about the walks, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .counting import GAME, GROUPS, KERNEL, PARTS, REST, Counted, File

SHOWN: Final = 3  # functions of a file
CALLED: Final = {KERNEL: "kernel", PARTS: "parts", GAME: "the game", REST: "the rest"}

# Before the house was put in order (version 0.1.0), counted by the same trace; the web server's own
# part of a request, two files, came later and is in the figures of today.
BEFORE: Final = {1: 39, 2: 79, 3: 39, 4: 66}

INTRO: Final = """# Walks

How many of the project's own files does one thing go through? We trace four walks in a real
`hegemon up` (walk 3: a real command) and count each file under `ledger/`, `services/` and
`replays/` of which the walk enters a function. Code that runs while a module is imported does not
count. `python -m tests.support.walks --write` writes this page.

**The rule.** Before a walk we watch the same processes for {idle} s without asking anything. A
file counts if a thread enters a function that the same thread did not enter in that idle time. So
idle loops, heartbeats and leases count nothing, and the work that such a loop is given counts. A
process or thread that begins with the walk has no idle time: everything it enters counts. Requests
are not logged (`HEGEMON_LOG=quiet`), and nobody reads the metrics.

**The end of a walk.** The service has done the same before, so parts that are made on first use
exist. Walk 1 is the web process, until the thread that answered 201 has finished. Walk 2 is all
processes, until everything that the decision sets off has finished ({after} s after the viewer has
the event). The viewer is the opponent, signed in. Walk 3 is one process, from start to end. Walk 4
is all processes, until the answer is sent.

**Groups.** The kernel is `ledger/kernel/`, parts are `ledger/parts/`, the game is the folder named
after it; the rest is everything else. The rest is the figure to look at.
"""


def as_markdown(
    run: Sequence[Counted], times: int, differ: Sequence[str], idle: float, after: float
) -> str:
    """The page."""
    parts = [INTRO.format(idle=round(idle), after=round(after)), table_of(run)]
    if differ:
        parts.append("Runs differ:\n\n" + "".join(f"- {line}\n" for line in differ))
    elif times > 1:
        parts.append(f"{times} runs, each over a new data folder, entered the same files.\n")
    parts += [section_of(one) for one in run]
    return "\n".join(parts)


def table_of(run: Sequence[Counted]) -> str:
    """The counts."""
    lines = [
        "| walk | the rest | before | kernel | parts | the game | idle loops enter anyway |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in run:
        rest, kernel, parts, game = (len(one.of(it)) for it in (REST, KERNEL, PARTS, GAME))
        name = f"{one.walk.number}. {one.walk.name} ({one.walk.game})"
        before, idle = BEFORE[one.walk.number], one.idle_anyway
        figures = f"**{rest}** | {before} | {kernel} | {parts} | {game} | {idle}"
        lines.append(f"| {name} | {figures} |")
    return "\n".join(lines) + "\n"


def section_of(one: Counted) -> str:
    """A walk: its files in the order of their first entry."""
    counts = ", ".join(f"{CALLED[group]} {len(one.of(group))}" for group in GROUPS)
    title = one.walk.name.removeprefix("a ").removeprefix("an ")
    lines = [f"## {one.walk.number}. {title[0].upper()}{title[1:]}", "", f"Files: {counts}."]
    if len(one.processes) > 1:
        each = ", ".join(f"{name} {one.entered_in(name)}" for name in one.processes)
        lines += ["", f"Of the rest each process enters: {each}."]
    if (both := one.with_projector) is not None:
        lines += ["", f"Web and projector together, without those who only listen: {both}."]
    if one.idle_only:
        names = ", ".join(f"`{path}`" for path in one.idle_only)
        lines += ["", f"Not counted, for no more of them is entered than when idle: {names}."]
    lines += ["", "| | file | group | in | entered first |", "|---|---|---|---|---|"]
    lines += [row_of(number, file) for number, file in enumerate(one.files, 1)]
    return "\n".join(lines) + "\n"


def row_of(number: int, file: File) -> str:
    """A file's row."""
    shown = [name for name in file.functions if "<" not in name.rpartition(".")[2]]
    first = ", ".join(f"`{name}`" for name in (shown or file.functions)[:SHOWN])
    more = len(file.functions) - min(SHOWN, len(shown or file.functions))
    said = f"{first} and {more} more" if more else first
    processes = ", ".join(file.processes)
    return f"| {number} | `{file.path}` | {CALLED[file.group]} | {processes} | {said} |"
