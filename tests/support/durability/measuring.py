"""The full sizes, one by one, and the page that tells of them.

python -m tests.support.durability.measuring kills|players|losses|replies|cuts [--seed N] [--write]

`--write` puts the result into docs/measurements/durability.md. What was done is kept in
.hegemon/durability/, so that a run that was broken off goes on where it was, with the same seed
and the same sources. Delete that folder to do it all again.
HEGEMON_TEST_SERVERS names more servers to run it on.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from services.run.settings import ROOT
from tests.support.servers import programs, running

from .breaking import CUT_REPLIES, Broken, broken
from .cutting import found_after, known_run, offsets
from .slowing import Loss, loss
from .storm import Storm, match_storm, storm

PAGE = ROOT / "docs" / "measurements" / "durability.md"
DONE = ROOT / ".hegemon" / "durability"
SEED = 20

ROUNDS, KILLS, EVENTS = 30, 10, 6_800  # of each: kills, and acknowledged events
PLAYED = 10, 10, 40  # rounds, kills, matches
CUTS = 2_000
CUT_ROUNDS = 4
OFFSETS = 300
DELAYS = (0, 50, 300, 1_000)
LOSSES = 8  # kills for each delay

Piece = TypeVar("Piece", bound=msgspec.Struct)


@dataclass(frozen=True)
class Run(Generic[Piece]):
    """All pieces of a long run, and how long they took together."""

    pieces: list[Piece]
    seconds: float

    def sum(self, *names: str) -> list[int]:
        """The sums of some of their figures."""
        return [sum(getattr(piece, name) for piece in self.pieces) for name in names]


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """One place at which the file was cut."""

    offset: int
    wrong: list[str]


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """One round of matches."""

    seed: str
    wrong: list[str]
    seen: dict[str, int]


def sources() -> str:
    """Returns a hash of the measured code; if it changes, measurements start anew."""
    folders = (ROOT / "ledger" / "log", ROOT / "tests" / "durability")
    paths = sorted(path for folder in folders for path in folder.rglob("*.*"))
    texts = [path.read_bytes() for path in paths if path.suffix in (".py", ".lua")]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:8]


def run(
    name: str, kind: type[Piece], keys: Sequence[Any], make: Callable[[Any, Path], Piece]
) -> Run[Piece]:
    """A long run, piece by piece; those that an earlier run has finished are not done again."""
    DONE.mkdir(parents=True, exist_ok=True)
    path = DONE / f"{name}-{sources()}.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    done = [msgspec.json.decode(line, type=tuple[float, kind]) for line in lines]  # type: ignore[valid-type]
    for number, key in list(enumerate(keys))[len(done) :]:
        folder, began = Path(tempfile.mkdtemp(prefix="hegemon-measure-")), time.monotonic()
        piece = make(key, folder)
        done.append((time.monotonic() - began, piece))
        shutil.rmtree(folder)
        with path.open("ab") as file:
            file.write(msgspec.json.encode(done[-1]) + b"\n")
        print(f"{name}: {number + 1} of {len(keys)} {piece}"[:300], flush=True)
    return Run([piece for _, piece in done], sum(seconds for seconds, _ in done))


def kills(server: str, seed: int) -> Run[Storm]:
    """300 kills of server and writers, and more than 200,000 acknowledged events."""

    def one(key: int, folder: Path) -> Storm:
        return storm(
            programs()[server], folder / "run", f"{seed}/{key}", kills=KILLS, events=EVENTS
        )

    return run(f"kills-{seed}-{server}", Storm, range(ROUNDS), one)


def players(server: str, seed: int) -> Run[Played]:
    """100 kills of server and bots that play real matches."""
    rounds, count, matches = PLAYED

    def one(key: int, folder: Path) -> Played:
        name, program = f"{seed}/{key}", programs()[server]
        wrong, seen = match_storm(program, folder / "run", name, kills=count, matches=matches)
        return Played(seed=name, wrong=wrong, seen=seen)

    return run(f"players-{seed}-{server}", Played, range(rounds), one)


def losses(server: str, seed: int) -> Run[Loss]:
    """Returns the costs of kills on slow disks, under both policies."""
    keys = [
        (policy, delay, number)
        for policy in ("everysec", "always")
        for delay in DELAYS
        for number in range(LOSSES)
    ]

    def one(key: tuple[str, int, int], folder: Path) -> Loss:
        policy, delay, number = key
        return loss(programs()[server], folder / "run", f"{seed}/{number}", policy, delay)

    return run(f"losses-{seed}-{server}", Loss, keys, one)


def replies(server: str, seed: int) -> Run[Broken]:
    """2,000 cut replies."""

    def one(key: int, folder: Path) -> Broken:
        with running(programs()[server], folder / "server") as started:
            return broken(
                started.url,
                folder / "notes",
                f"{seed}/{key}",
                CUT_REPLIES,
                cuts=CUTS // CUT_ROUNDS,
                only=b"FCALL",
            )

    return run(f"replies-{seed}-{server}", Broken, range(CUT_ROUNDS), one)


def cuts(server: str, seed: int) -> Run[Cut]:
    """The server's file cut at 300 places."""
    with tempfile.TemporaryDirectory() as place:
        known = known_run(programs()[server], Path(place) / "known", seed)

        def one(offset: int, folder: Path) -> Cut:
            wrong = found_after(known, programs()[server], folder / "cut", offset)
            return Cut(offset=offset, wrong=wrong)

        return run(f"cuts-{seed}-{server}", Cut, offsets(known, OFFSETS, seed), one)


# --- the page -------------------------------------------------------------------------------------

Rows = list[Sequence[Any]]


def table(header: str, rows: Rows) -> str:
    """A table of the page."""
    lines = [header, "|" + "---|" * (header.count("|") - 1)]
    for row in rows:
        cells = [f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f} min"


def tell_kills(found: dict[str, Run[Storm]]) -> str:
    rows: Rows = []
    for server, rounds in found.items():
        killed = sum((Counter(piece.killed) for piece in rounds.pieces), Counter[str]())
        writers = killed.total() - killed["server"] - killed["projector"]
        sums = rounds.sum("acknowledged", "operations", "conflicts", "unknown", "open")
        wrong = sum(len(piece.wrong) for piece in rounds.pieces)
        kills = [killed["server"], writers, killed["projector"]]
        rows.append([server, *kills, *sums, wrong, minutes(rounds.seconds)])
    return table(
        "| server | kills of the server | of writers | of the projector "
        "| events acknowledged | operations "
        "| conflicts | answers *unknown* | unknown to the end "
        "| lost, doubled, out of order | took |",
        rows,
    )


def tell_players(found: dict[str, Run[Played]]) -> str:
    rows: Rows = []
    for server, rounds in found.items():
        sums = [
            sum(piece.seen[name] for piece in rounds.pieces)
            for name in ("closed", "decisions", "unknown", "open")
        ]
        wrong = sum(len(piece.wrong) for piece in rounds.pieces)
        kills = PLAYED[1] * len(rounds.pieces)
        rows.append([server, kills, *sums, wrong, minutes(rounds.seconds)])
    return table(
        "| server | kills | matches | decisions acknowledged | answers *unknown* "
        "| unknown to the end | wrong | took |",
        rows,
    )


def tell_losses(found: dict[str, Run[Loss]]) -> str:
    rows: Rows = []
    for server, kills in found.items():
        for policy in ("everysec", "always"):
            for delay in DELAYS:
                these = [one for one in kills.pieces if (one.policy, one.delay) == (policy, delay)]
                gone = [one.lost for one in these]
                sums = [sum(one.acknowledged for one in these), sum(gone)]
                costly = f"{sum(map(bool, gone))} of {len(these)}"
                middle = int(statistics.median(gone))
                wrong = sum(len(one.wrong) for one in these)
                row = [server, policy, f"{delay} ms", *sums, costly, middle, max(gone), wrong]
                rows.append(row)
    return table(
        "| server | policy | fsync + | events acknowledged | of them lost | kills that cost some "
        "| median | worst kill | torn |",
        rows,
    )


def tell_replies(found: dict[str, Run[Broken]]) -> str:
    rows: Rows = []
    for server, rounds in found.items():
        storms = Run([piece.storm for piece in rounds.pieces], rounds.seconds)
        wrong = sum(len(piece.wrong) for piece in storms.pieces)
        operations, acknowledged, unanswered = storms.sum("operations", "acknowledged", "open")
        row = [server, *rounds.sum("cut"), operations, acknowledged, unanswered, wrong]
        rows.append([*row, minutes(rounds.seconds)])
    return table(
        "| server | replies cut | operations | events acknowledged | without a definite answer "
        "| doubled, lost, out of order | took |",
        rows,
    )


def tell_cuts(found: dict[str, Run[Cut]]) -> str:
    rows: Rows = []
    for server, places in found.items():
        wrong = sum(len(piece.wrong) for piece in places.pieces)
        rows.append([server, len(places.pieces), wrong, minutes(places.seconds)])
    return table("| server | places | not a prefix, or torn | took |", rows)


MEASURED: dict[str, tuple[Callable[[str, int], Run[Any]], Callable[[Any], str]]] = {
    "kills": (kills, tell_kills),
    "players": (players, tell_players),
    "losses": (losses, tell_losses),
    "replies": (replies, tell_replies),
    "cuts": (cuts, tell_cuts),
}


def put(what: str, text: str) -> None:
    """Put a table into its place on the page."""
    page = PAGE.read_text(encoding="utf-8")
    start, end = f"<!-- {what} -->\n", f"<!-- /{what} -->"
    before, rest = page.split(start)
    _, after = rest.split(end)
    PAGE.write_text(f"{before}{start}{text}\n{end}{after}", encoding="utf-8")


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.durability.measuring")
    parser.add_argument("what", choices=MEASURED)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(words)
    measure, tell = MEASURED[asked.what]
    found = {server: measure(server, asked.seed) for server in programs()}
    told = f"Seed {asked.seed}, {datetime.now(UTC):%Y-%m-%d}:\n\n{tell(found)}"
    print(told)
    if asked.write:
        put(asked.what, told)


if __name__ == "__main__":
    main(sys.argv[1:])
