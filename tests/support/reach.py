"""Prints the test files that reach a changed module, by who imports whom.

    python -m tests.support.reach [--since REVISION]

Without a revision, a change is what git has not committed; in a clean checkout, the last commit.
Whatever is not Python counts for the package that it lies in: content, templates, scripts, pages.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from ledger.games import GAMES

ROOT: Final = Path(__file__).resolve().parents[2]
GAMES_FOLDER: Final = "ledger.games"
EVERY_GAME: Final = {"GAMES", "rulesets"}  # what imports these of it may use any game
PACKAGES: Final = ("ledger", "replays", "services", "tests")
# Documents and what is generated are read by these tests, which import nothing of them.
READERS: Final = {
    "docs": ("tests/docs", "tests/services/cli/support/test_documented.py"),
    "services/web/static": ("tests/browser",),
    "services/web/templates": ("tests/browser", "tests/services/web"),
}


def changed_files(since: str | None = None) -> list[str]:
    """Returns the changed files, relative to the checkout."""
    if since is None:
        since = "HEAD" if _git("status", "--porcelain") else "HEAD~1"
    return [
        *_git("diff", "--name-only", since),
        *_git("ls-files", "--others", "--exclude-standard"),
    ]


def _git(*words: str) -> list[str]:
    ran = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)
    return ran.stdout.splitlines()


def module_of(path: str) -> str:
    """Returns the dotted name of a Python file, or of the package that holds another file."""
    parts = Path(path).with_suffix("").parts
    if not path.endswith(".py"):
        while parts and not (ROOT.joinpath(*parts) / "__init__.py").exists():
            parts = parts[:-1]
    elif parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def imports_of(path: Path) -> Iterator[str]:
    """Yields every module that a file may import, as dotted names."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{name.name}" for name in node.names)
            if (
                package[0] == "tests"
                and module == GAMES_FOLDER
                and {name.name for name in node.names} & EVERY_GAME
            ):
                yield from (f"{GAMES_FOLDER}.{game}" for game in GAMES)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # Modules that are imported by name: games, jobs, processes, plugins of pytest.
            if package[0] == "tests" and node.value in GAMES:
                yield f"{GAMES_FOLDER}.{node.value}"
            yield from (
                word for word in node.value.replace(":", " ").split() if word.startswith(PACKAGES)
            )


@cache
def importers() -> Mapping[str, set[str]]:
    """Returns for each module the modules that import it."""
    files = {
        module_of(str(path.relative_to(ROOT))): path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    found: dict[str, set[str]] = {}
    for name, path in files.items():
        for used in {_known(used, files) for used in imports_of(path)}:
            found.setdefault(used, set()).add(name)
        # A game names its chapters in a text: its package imports whatever lies in it.
        if name.startswith(f"{GAMES_FOLDER}."):
            found.setdefault(name, set()).add(".".join(name.split(".")[:3]))
    return found


def _known(name: str, files: Mapping[str, Path]) -> str:
    """Returns the module that a dotted name lies in, or ""."""
    while name and name not in files:
        name = name.rpartition(".")[0]
    return name


def reaching(modules: Iterable[str]) -> set[str]:
    """Returns the modules, and every module that imports one of them, directly or not."""
    back = importers()
    found: set[str] = set()
    waiting = [module for module in modules if module]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += back.get(module, ())
            package = module.rpartition(".")[0]
            if module.endswith(".conftest"):
                folder = ROOT.joinpath(*package.split("."))
                waiting += [
                    module_of(str(path.relative_to(ROOT))) for path in folder.rglob("test_*.py")
                ]
    return found


def files_for(files: Iterable[str]) -> list[str]:
    """Returns the test files that the changed files concern."""
    files = list(files)
    chosen = {
        f"{name.replace('.', '/')}.py"
        for name in reaching(module_of(file) for file in files if file.startswith(PACKAGES))
        if name.rpartition(".")[2].startswith("test_")
    }
    for folder, readers in READERS.items():
        if any(file.startswith(folder) for file in files):
            chosen |= set(readers)
    if any(file.endswith(".py") for file in files):
        chosen.add("tests/test_architecture.py")
    return sorted(path for path in chosen if (ROOT / path).exists())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--since", help="a revision; else what is not committed")
    given = parser.parse_args()
    print("\n".join(files_for(changed_files(given.since))))


if __name__ == "__main__":
    sys.exit(main())
