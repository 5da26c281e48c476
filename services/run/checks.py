"""Runs the project's checks and tests: `./hegemon test` for all; with arguments, pytest only."""

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
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
AT_ONCE_MAX = 8  # each has servers and a browser of its own
NO_CHROMIUM = (
    "the tests in a browser (tests/browser) are skipped: no Chromium was found; "
    "`apt-get install chromium`, or name one in HEGEMON_CHROMIUM"
)


def chromium_path() -> str | None:
    """Returns the Chromium for browser tests, if this machine has one."""
    named = os.environ.get("HEGEMON_CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else CHROMIUMS)), None)


def stages(caches: Path) -> dict[str, list[str]]:
    """Returns the stages in order, each with the module and its arguments."""
    return {
        "ruff check": ["ruff", "check", "."],
        "ruff format": ["ruff", "format", "--check", "."],
        "mypy": ["mypy", "--strict"],
        "pytest": [*pytest(caches), "-n", str(side_by_side()), "-m", "not full and not alone"],
        # What is measured by the clock would measure the tests beside it.
        "pytest, one at a time": [*pytest(caches), "-m", "alone and not full"],
    }


def side_by_side() -> int:
    """Returns how many tests run at once: one per core, and at least two since some wait."""
    return max(2, min(AT_ONCE_MAX, os.cpu_count() or 1))


def pytest(caches: Path) -> list[str]:
    return ["pytest", "-o", f"cache_dir={caches / 'pytest'}"]


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    return subprocess.run(
        python("-m", *arguments), cwd=ROOT, env=environment, check=False
    ).returncode


def run_stages(caches: Path, environment: Mapping[str, str]) -> int:
    """Runs every stage, also after a failure, so that you see all problems at once."""
    failed = []
    if chromium_path() is None:
        print(f"== {NO_CHROMIUM}", flush=True)
    for name, arguments in stages(caches).items():
        print(f"== {name}: {' '.join(arguments)}", flush=True)
        began = time.monotonic()
        code = run(arguments, environment)
        verdict = "ok" if code == 0 else f"FAILED (exit code {code})"
        print(f"== {name}: {verdict}, {time.monotonic() - began:.1f} s", flush=True)
        if code:
            failed.append(name)
    print(f"== failed: {', '.join(failed)}" if failed else "== all stages ok", flush=True)
    return 1 if failed else 0


def run_tests(arguments: Sequence[str], home: Path) -> int:
    """Runs everything, or only pytest with the given arguments; returns the exit code."""
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
        return run_stages(caches, environment)
    code = run([*pytest(caches), *arguments], environment)
    return {0: 0, PYTEST_USAGE: 2}.get(code, 1)


if __name__ == "__main__":
    try:
        sys.exit(run_tests(sys.argv[1:], Path(os.environ.get("HEGEMON_ENV") or ROOT / ".hegemon")))
    except KeyboardInterrupt:
        sys.exit(130)
