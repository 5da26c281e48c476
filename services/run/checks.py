"""Runs the project's checks and tests.

./hegemon test              the quick tier: lint, types, and every test that starts nothing
./hegemon test --changed    lint, types, and the tests that reach what changed
./hegemon test --all        everything at landing size
./hegemon test ARGUMENTS    pytest alone, with these arguments
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from services.run.children import python
from services.run.settings import ROOT

PYTEST_USAGE = 4
PYTEST_NOTHING = 5  # no test was chosen
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
AT_ONCE_MAX = 8  # each has servers and a browser of its own
NO_CHROMIUM = (
    "the tests in a browser (tests/browser) are skipped: no Chromium was found; "
    "`apt-get install chromium`, or name one in HEGEMON_CHROMIUM"
)
QUICK = "smoke or not (full or alone or long or server or process or browser)"
ALL, CHANGED = "--all", "--changed"
Stages = Mapping[str, list[str]]


def chromium_path() -> str | None:
    """Returns the Chromium for the tests in a browser, or None."""
    named = os.environ.get("HEGEMON_CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else CHROMIUMS)), None)


# The stages that run no test, each with the module and arguments that it runs.
LINT: Stages = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy", "--strict"],
}


def quick_stages(caches: Path) -> Stages:
    """Returns the stages of the quick tier."""
    return {**LINT, "pytest, quick": [*pytest(caches), "-n", side_by_side(), "-m", QUICK]}


def all_stages(caches: Path, paths: Sequence[str] = ()) -> Stages:
    """Returns the stages of everything at landing size; with paths, the tests of these files."""
    both = pytest(caches)
    return {
        **LINT,
        "pytest": [*both, "-n", side_by_side(), "-m", "not full and not alone", *paths],
        # Tests that measure time would also measure the tests beside them.
        "pytest, one at a time": [*both, "-m", "alone and not full", *paths],
    }


def side_by_side() -> str:
    """Returns how many tests run at once: one for each core, and two on one core, for some wait."""
    return str(max(2, min(AT_ONCE_MAX, os.cpu_count() or 1)))


def pytest(caches: Path) -> list[str]:
    """Returns the call of pytest without the choice of tests."""
    return ["pytest", "-o", f"cache_dir={caches / 'pytest'}"]


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs a module in the checkout and returns its exit code."""
    return subprocess.run(
        python("-m", *arguments), cwd=ROOT, env=environment, check=False
    ).returncode


def run_stages(stages: Stages, environment: Mapping[str, str]) -> int:
    """Runs every stage, also after one that failed, so that you see all failures at once."""
    failed = []
    if chromium_path() is None:
        print(f"== {NO_CHROMIUM}", flush=True)
    start = time.monotonic()
    for number, (name, arguments) in enumerate(stages.items(), 1):
        print(f"== {number} of {len(stages)}, {name}: {' '.join(arguments)}"[:300], flush=True)
        began = time.monotonic()
        code = run(arguments, environment)
        passed = code == 0 or (code == PYTEST_NOTHING and name.startswith("pytest"))
        verdict = "ok" if passed else f"FAILED (exit code {code})"
        print(f"== {name}: {verdict}, {time.monotonic() - began:.1f} s", flush=True)
        if not passed:
            failed.append(name)
    took = f"{time.monotonic() - start:.0f} s"
    if failed:
        print(f"== failed: {', '.join(failed)} ({took})", flush=True)
    else:
        print(f"== all stages ok ({took})", flush=True)
    return 1 if failed else 0


def find_changed_tests(environment: Mapping[str, str]) -> list[str]:
    """Returns the test files that reach a changed module."""
    found = subprocess.run(
        python("-m", "tests.support.reach"),
        cwd=ROOT,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return found.stdout.split()


def run_tests(arguments: Sequence[str], home: Path) -> int:
    """Runs the tier that the arguments name, or pytest with them; returns the exit code."""
    # The checkout may be read-only, so what the tools remember lies beside the environment. So does
    # our compiled code: the tests start hundreds of processes, and each would compile it anew.
    caches = home / "caches"
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPYCACHEPREFIX": str(caches / "compiled"),
        "MYPY_CACHE_DIR": str(caches / "mypy"),
        "RUFF_CACHE_DIR": str(caches / "ruff"),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(caches / "hypothesis"),
    }
    if not arguments:
        return run_stages(quick_stages(caches), environment)
    if list(arguments) == [ALL]:
        return run_stages(all_stages(caches), environment)
    if list(arguments) == [CHANGED]:
        paths = find_changed_tests(environment)
        stages = all_stages(caches, paths) if paths else LINT
        return run_stages(stages, environment)
    code = run([*pytest(caches), *arguments], environment)
    return {0: 0, PYTEST_USAGE: 2}.get(code, 1)


if __name__ == "__main__":
    try:
        sys.exit(run_tests(sys.argv[1:], Path(os.environ.get("HEGEMON_ENV") or ROOT / ".hegemon")))
    except KeyboardInterrupt:
        sys.exit(130)
