"""docs/walks.md: the files of the project that four walks enter, from traces of real runs.

    python -m tests.support.walks               print the counts
    python -m tests.support.walks --write       ... and write docs/walks.md
    python -m tests.support.walks CHECKOUT      count in another checkout, such as an older one

It knows no file of the checkout: only the folders that it watches, the entry point of the command
(`[project.scripts]` of pyproject.toml), commands, and HTTP.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .club import Person, Table, Up, Watching, WentWrong
from .counting import Counted, Walk, Window, agreed, as_json, counted
from .reporting import as_markdown
from .tracing import Recorded, Trace

ROOT: Final = Path(__file__).resolve().parents[3]
PAGE: Final = ROOT / "docs" / "walks.md"
SETTLED_SECONDS: Final = 10.0  # so that nothing of what was asked before falls into a window
# More than the period of each loop, and less than the 15 s of a stream's heartbeat, which looks at
# the match as news does.
IDLE_SECONDS: Final = 11.0
AFTER_ANSWER_SECONDS: Final = 0.5  # so that the thread that answered comes to its end
AFTER_VIEWER_SECONDS: Final = 10.0  # so that all that a decision sets off comes to its end
DIFFERS: Final = 8  # the exit code of a re-projection that changes the result
READING: Final = "score.tie-first=4"
SMALL, LARGE = "tictactoe", "hegemonic"

ALONE, WATCHED = "idle", "idle with a viewer"
DECISION: Final = Window("decision", ALONE, frozenset({"web"}))
WALKS: Final = (
    Walk(1, "a decision, until it is acknowledged", SMALL, (DECISION,)),
    Walk(2, "the same, until a viewer has it", SMALL, (Window("watched", WATCHED), DECISION)),
    Walk(3, "`hegemon reproject FILE`", LARGE, (Window("reproject"),)),
    Walk(4, "an audit, until it is answered", LARGE, (Window("audit", WATCHED),)),
)


def packages_of(checkout: Path) -> str:
    """The folder with the packages that the project runs on: the newest that was installed."""
    home = Path(os.environ.get("HEGEMON_ENV") or checkout / ".hegemon")
    found = [path.parent for path in home.glob("env-*/flask") if ".tmp" not in path.parent.name]
    if not found:
        raise WentWrong(f"no packages in {home}: run `./hegemon --help` once, or set HEGEMON_ENV.")
    return str(max(found, key=lambda path: path.stat().st_mtime))


def command_of(checkout: Path) -> list[str]:
    """The project's command, run by this Python with `site`, so that the hook is loaded."""
    with (checkout / "pyproject.toml").open("rb") as file:
        module, _, function = tomllib.load(file)["project"]["scripts"]["hegemon"].partition(":")
    code = f"import sys; from {module} import {function} as main; sys.exit(main())"
    return [sys.executable, "-c", code]


def walk_decisions(trace: Trace, up: Up) -> Person:
    """Walks 1 and 2: one decision while nobody watches, and one that somebody sees."""
    ann = Person.entered(up.address, up.founding, "Ann", "read", "play", "organize")
    made = ann.asks("POST", "/api/v1/people", {"name": "Bob", "roles": ["player"]})[1]
    bob = Person.entered(up.address, made["link"], "", "read", "play")
    table = Table(SMALL, (ann, bob))
    table.ready().send()  # what is made when it is first asked for is there from now on
    table.ready().send()
    time.sleep(SETTLED_SECONDS)
    with trace.window(ALONE):
        time.sleep(IDLE_SECONDS)
    decision = table.ready()
    time.sleep(SETTLED_SECONDS)
    with trace.window("decision"):
        decision.send()
        time.sleep(AFTER_ANSWER_SECONDS)

    watched = Table(SMALL, (ann, bob))
    watched.ready().send()
    version = watched.ready().send()
    decision = watched.ready()
    time.sleep(SETTLED_SECONDS)
    watching = Watching(bob, watched, seat=1)
    watching.wait_for(version)
    time.sleep(AFTER_ANSWER_SECONDS)
    with trace.window(WATCHED):
        time.sleep(IDLE_SECONDS)
    with trace.window("watched"):
        watching.wait_for(decision.send())
        time.sleep(AFTER_VIEWER_SECONDS)
    return ann


def sample_of(person: Person, game: str) -> str:
    """The sample match of a game, which is finished."""
    found = person.asks("GET", "/api/v1/matches")[1]["matches"]
    for one in found:
        name = one["ruleset"].lower().replace("-", "")  # the list has the printed one
        if name == game and one["state"] == "finished":
            return str(one["id"])
    raise WentWrong(f"no finished match of {game} is there: {found}")


def audit(person: Person, match: str) -> None:
    """Ask for an audit, and again until it is there."""
    while person.asks("GET", f"/api/v1/matches/{match}/audit")[0] != 200:
        time.sleep(1.0)


def walk_audit(trace: Trace, person: Person, match: str) -> None:
    """Walk 4: an audit, in a service that has made another before."""
    audit(person, sample_of(person, SMALL))
    time.sleep(SETTLED_SECONDS)
    with trace.window("audit"):
        audit(person, match)
        time.sleep(AFTER_ANSWER_SECONDS)


def walk_reproject(
    trace: Trace, command: Sequence[str], environment: dict[str, str], bundle: Path
) -> None:
    """Walk 3: a bundle under another reading."""
    words = [*command, "reproject", str(bundle), "--reading", READING]
    with trace.window("reproject"):
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != DIFFERS:
        raise WentWrong(f"reproject ended with {done.returncode}: {done.stdout}{done.stderr}")


def traced(checkout: Path, packages: str) -> tuple[Recorded, dict[str, float]]:
    """All walks once, over a new data folder."""
    folder = Path(tempfile.mkdtemp(prefix="walks-"))
    try:
        trace = Trace(folder, checkout)
        environment = trace.environment(os.pathsep.join((str(checkout), packages)))
        environment |= {"HEGEMON_LOG": "quiet", "HEGEMON_DATA": str(folder / "data")}
        command = command_of(checkout)
        up = Up([*command, "up"], environment, folder / "up.log")
        try:
            ann = walk_decisions(trace, up)
            match = sample_of(ann, LARGE)
            walk_audit(trace, ann, match)
            with ann.opened("GET", f"/api/v1/matches/{match}/bundle") as answer:
                (folder / "sample.hgm").write_bytes(answer.read())
        finally:
            up.close()
        walk_reproject(trace, command, environment, folder / "sample.hgm")
        return trace.read(), trace.seconds
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Traces, counts, compares the runs, and prints or writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--write", action="store_true", help="write docs/walks.md")
    parser.add_argument("--json", type=Path, help="write the counts there, too")
    parser.add_argument("--times", type=int, default=2, help="so many runs, which must agree")
    parser.add_argument("--packages", help="the folder with the packages of the project")
    given = parser.parse_args()
    checkout = given.checkout.resolve()
    packages = given.packages or packages_of(checkout)
    runs: list[list[Counted]] = []
    seconds: dict[str, float] = {}
    for number in range(given.times):
        recorded, seconds = traced(checkout, packages)
        runs.append([counted(walk, recorded) for walk in WALKS])
        sizes = ", ".join(str(len(walk.rest)) for walk in runs[-1])
        sys.stderr.write(f"run {number + 1}: {sizes} files of the rest\n")
    differences = agreed(runs)
    page = as_markdown(runs[0], given.times, differences, IDLE_SECONDS, AFTER_VIEWER_SECONDS)
    if given.json:
        given.json.write_text(as_json(runs[0], seconds, differences), encoding="utf-8")
    if given.write:
        PAGE.write_text(page, encoding="utf-8")
    else:
        sys.stdout.write(page)
    for line in differences:
        sys.stderr.write(f"{line}\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
