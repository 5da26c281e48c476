"""The command line as a process of its own: hash seeds, pipes, terminals, odd file names."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli.calls import Hegemon, one_line
from tests.support.starting import surroundings


def command(*words: object) -> list[str | bytes]:
    plain = [word if isinstance(word, bytes) else str(word) for word in words]
    return [sys.executable, "-m", "services.cli", *plain]


def run(*words: object, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command(*words), env=surroundings(**more), capture_output=True, timeout=60, check=False
    )


def test_a_seed_gives_the_same_bytes_under_two_hash_seeds(hegemon: Hegemon) -> None:
    made = []
    for number in ("1", "2"):
        ran = run("play", "tictactoe", "--seed", 9, "--out", number, PYTHONHASHSEED=number)
        assert (ran.returncode, ran.stderr) == (0, b"")
        made.append(Path(number).read_bytes())
    assert made[0] == made[1]
    hegemon.done("play", "tictactoe", "--seed", 9, "--out", "three")
    assert Path("three").read_bytes() == made[0]


def test_exit_codes_reach_whoever_called(hegemon: Hegemon) -> None:
    hegemon.done("play", "tictactoe", "--seed", 9, "--out", "match.hgm")
    assert run("verify", "match.hgm", "--anchored").returncode == 3
    assert run("verify", "missing.hgm").returncode == 2
    assert run("show", "nothing").returncode == 1


@pytest.mark.parametrize("name", [b"\xff\xfe", b"\xff\xfe.hgm", b"new\nline.hgm"])
def test_a_file_name_that_is_no_text_is_one_line_on_stderr(hegemon: Hegemon, name: bytes) -> None:
    for words in (("show",), ("verify",), ("play", "tictactoe", "--seed", 1, "--out")):
        ran = run(*words, name if words[0] != "play" else b"missing/" + name)
        assert ran.returncode in (1, 2)
        assert one_line(ran.stderr.decode())
        assert b"Traceback" not in ran.stderr


def test_a_bundle_of_any_name_can_be_written_and_read(hegemon: Hegemon) -> None:
    name = b"\xffname.hgm"
    assert run("play", "tictactoe", "--seed", 1, "--out", name).returncode == 0
    assert b"\\udcffname.hgm" in run("play", "tictactoe", "--seed", 1, "--out", name).stdout
    for as_json in ((), ("--json",)):
        assert run("verify", name, *as_json).returncode == 0


def test_a_terminal_without_our_letters_gets_escapes(hegemon: Hegemon) -> None:
    match = hegemon.new("--player", "Zo\u00eb")
    ran = run("tell", match, PYTHONIOENCODING="koi8-r")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert rb"Zo\xeb takes seat 0." in ran.stdout


def test_whoever_reads_may_stop_reading(hegemon: Hegemon) -> None:
    match = hegemon.played()
    with subprocess.Popen(
        command("events", match, "--as", "all"),
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        ran.stdout.close()
        assert (ran.wait(30), ran.stderr.read()) == (0, b"")


def test_ctrl_c_is_one_line_too(hegemon: Hegemon) -> None:
    os.mkfifo("pipe.hgm")
    with subprocess.Popen(
        command("show", "pipe.hgm"), env=surroundings(), stderr=subprocess.PIPE
    ) as ran:
        # The command has begun to read once the pipe has two ends.
        with Path("pipe.hgm").open("wb"):
            ran.send_signal(signal.SIGINT)
            assert ran.stderr is not None
            assert ran.stderr.read() == b"hegemon: stopped\n"
        assert ran.wait(30) == 130


def test_progress_is_for_a_person_who_watches(hegemon: Hegemon) -> None:
    try:
        main, terminal = pty.openpty()
    except OSError:
        pytest.skip("no terminal can be watched: this machine has no /dev/pts")
    words = command("play", "tictactoe", "--seed", 1, "--out", "match.hgm")
    code = (
        "import sys\nfrom services.cli import main\nfrom services.cli.support import output\n"
        "output.PROGRESS_AFTER_S = -1\nsys.exit(main())"
    )
    try:
        ran = subprocess.run(
            [sys.executable, "-c", code, *words[3:]],
            env=surroundings(),
            stdout=subprocess.PIPE,
            stderr=terminal,
            timeout=60,
            check=True,
        )
        watched = os.read(main, 100_000)
    finally:
        os.close(main)
        os.close(terminal)
    assert b"events played: 5" in watched
    assert watched.endswith(b"\r\x1b[K")
    assert b"\r" not in ran.stdout
