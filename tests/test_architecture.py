"""The shape of the tree: who imports whom, how long things are, and that nothing is forgotten."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ledger.games import GAMES, ruleset
from ledger.kernel.records import tag_of
from ledger.kernel.refusals import KERNEL_REFUSALS
from ledger.log.write.lifecycle import LOG_REFUSALS

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ledger", "replays", "services")
FILE_LINES_MAX = 500
FOLDER_MODULES_MAX = 20
FUNCTION_LINES_MAX = 70
FUNCTION_LINES_P95 = 30

# What processes, command line and web share; those never import one another.
ROOMS = ("feeds", "jobs", "keep", "matches", "run", "webhooks")
SHARED = tuple(f"services.{room}" for room in ROOMS)
PROCESSES = ("checkpointer", "courier", "projector", "steward", "worker")
# What each part may import of ours; more only where a row says so.
MAY_IMPORT = {
    "ledger/kernel": ("ledger.kernel",),
    "ledger/log": ("ledger.kernel", "ledger.log"),
    "ledger/parts": ("ledger.kernel", "ledger.parts"),
    "ledger/games": ("ledger.kernel", "ledger.parts", "ledger.games"),
    "ledger/anchors": ("ledger.log", "ledger.anchors"),
    "ledger/club": ("ledger.kernel", "ledger.log", "ledger.club"),
    "replays": ("ledger", "replays"),
    **{f"services/{room}": ("ledger", "replays", *SHARED) for room in ROOMS},
    **{
        f"services/{process}": ("ledger", "replays", *SHARED, f"services.{process}")
        for process in PROCESSES
    },
    "services/cli": ("ledger", "replays", *SHARED, "services.cli", "tests.benchmarks"),
    "services/web": ("ledger", "replays", *SHARED, "services.web"),
}
# I/O and the world have no place in kernel, rules and replays.
IMPURE = {
    "datetime", "flask", "os", "random", "redis", "rq", "secrets", "socket", "subprocess",
    "threading", "time", "urllib",
}  # fmt: skip
PURE = ("ledger/parts", "ledger/anchors", "ledger/club", "replays")
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "manager", "data", "misc", "common"}


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    package = ".".join(path.relative_to(ROOT).with_suffix("").parts[:-1])
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            prefix = ".".join(base) + "." if node.level else ""
            module = prefix + (node.module or "")
            yield module.rstrip(".")


@pytest.mark.parametrize("part", sorted(MAY_IMPORT))
def test_the_arrows_of_import_point_one_way(part: str) -> None:
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(part)
        for name in imports(path)
        if name.partition(".")[0] in (*PACKAGES, "tests") and not name.startswith(MAY_IMPORT[part])
    ]
    assert found == []


def test_games_never_import_each_other() -> None:
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for game in GAMES
        for path in sources(f"ledger/games/{game}")
        for name in imports(path)
        if name.startswith("ledger.games.")
        and not name.startswith((f"ledger.games.{game}", "ledger.games.packaging"))
    ]
    assert found == []


def test_kernel_rules_and_replays_do_no_io_and_draw_no_random_numbers() -> None:
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("ledger/kernel", "ledger/games", *PURE)
        for name in imports(path)
        if name.partition(".")[0] in IMPURE
    ]
    assert found == []


def test_parts_cite_no_rule_of_any_book() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in sources("ledger/parts")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef)
        and re.search(r"`[a-z0-9_]+\.[a-z0-9_-]+`", ast.get_docstring(node) or "")
    ]
    assert found == []


def test_files_are_short() -> None:
    found = {
        str(path.relative_to(ROOT)): lines
        for path in sources(*PACKAGES, "tests")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > FILE_LINES_MAX
    }
    assert found == {}


# --- rooms ----------------------------------------------------------------------------------------

ROOM_FILES = {"__init__", "__main__", "conftest"}


def folders() -> Iterator[tuple[str, list[str]]]:
    """Each folder with the names of its modules; of tests without what all of them begin with."""
    found: dict[Path, list[str]] = {}
    for path in sources(*PACKAGES, "tests"):
        if path.stem not in ROOM_FILES:
            found.setdefault(path.parent, []).append(path.stem.removeprefix("test_"))
    yield from ((str(folder.relative_to(ROOT)), names) for folder, names in found.items())


def test_a_folder_has_at_most_twenty_modules() -> None:
    found = {name: len(files) for name, files in folders() if len(files) > FOLDER_MODULES_MAX}
    assert found == {}


def test_three_files_with_one_prefix_are_a_folder() -> None:
    found = {
        f"{folder}/{prefix}_*"
        for folder, files in folders()
        for prefix, count in Counter(name.partition("_")[0] for name in files).items()
        if count > 2
    }
    assert found == set()


def test_no_file_repeats_the_name_of_its_folder() -> None:
    found = [
        f"{folder}/{name}"
        for folder, files in folders()
        for name in files
        if name.rstrip("s") == folder.rpartition("/")[2].rstrip("s")
    ]
    assert found == []


def test_every_part_of_services_has_a_row() -> None:
    parts = {path.relative_to(ROOT).parts[1] for path in sources("services")}
    rows = {name.partition("/")[2] for name in MAY_IMPORT if name.startswith("services/")}
    assert parts - rows == {"__init__.py", "bootstrap.py"}


def test_tests_mirror_the_tree() -> None:
    folders = {
        path.parent.relative_to(ROOT / "tests")
        for package in PACKAGES
        for path in (ROOT / "tests" / package).rglob("test_*.py")
    }
    assert [str(folder) for folder in sorted(folders) if not (ROOT / folder).is_dir()] == []


def functions() -> Iterator[tuple[str, int]]:
    for path in sources(*PACKAGES):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                yield f"{path.relative_to(ROOT)}:{node.name}", node.end_lineno - node.lineno + 1


def test_functions_are_short() -> None:
    lengths = dict(functions())
    assert {name: n for name, n in lengths.items() if n > FUNCTION_LINES_MAX} == {}
    ordered = sorted(lengths.values())
    assert ordered[int(len(ordered) * 0.95)] <= FUNCTION_LINES_P95


def test_modules_have_names_that_say_something() -> None:
    found = [path for path in sources(*PACKAGES, "tests") if path.stem in NAMES_THAT_SAY_NOTHING]
    assert found == []


def test_every_module_has_a_docstring() -> None:
    found = [
        str(path.relative_to(ROOT))
        for path in sources(*PACKAGES)
        if not ast.get_docstring(parsed(path))
    ]
    assert found == []


def test_every_refusal_code_is_documented() -> None:
    documented = (ROOT / "docs" / "refusals.md").read_text(encoding="utf-8")
    raised = set(KERNEL_REFUSALS) | set(LOG_REFUSALS) | set(codes_raised())
    assert sorted(code for code in raised if f"`{code}`" not in documented) == []


def test_every_documented_refusal_code_is_raised_somewhere() -> None:
    lines = (ROOT / "docs" / "refusals.md").read_text(encoding="utf-8").splitlines()
    documented = {line.split("`")[1] for line in lines if line.startswith("| `")}
    raised = set(KERNEL_REFUSALS) | set(LOG_REFUSALS) | set(codes_raised())
    assert sorted(documented - raised) == []


def codes_raised() -> Iterator[str]:
    """The first argument of every `Refused(...)` and `refused(...)` in the sources."""
    for path in sources(*PACKAGES):
        for node in ast.walk(parsed(path)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name | ast.Attribute)
                and called(node.func) in ("Refused", "make_refusal")
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                yield str(node.args[0].value)


def called(name: ast.Name | ast.Attribute) -> str:
    return name.id if isinstance(name, ast.Name) else name.attr


def test_rulesets_are_mirrored_by_tests() -> None:
    missing = [game for game in GAMES if not (ROOT / "tests/ledger/games" / game).is_dir()]
    assert missing == []


# --- games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_game_is_known_where_pages_are_made(game: str) -> None:
    rules = ruleset(game)
    records = {tag_of(kind) for kind in (*rules.facts, *rules.decisions)}
    quoted = {f"{quote}{tag}{quote}" for tag in records for quote in "\"'"}
    words = {game, rules.title, *quoted}
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in sorted((ROOT / "services" / "web").rglob("*"))
        if path.suffix in (".py", ".js", ".html", ".css") and "vendor" not in path.parts
        for text in (path.read_text(encoding="utf-8").casefold(),)
        for word in sorted(words)
        if word.casefold() in text
    ]
    assert found == []
