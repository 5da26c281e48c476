"""Files and stores that are damaged, cut short or never were what they should be."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.cli.calls import READERS, WRITERS, Hegemon

HUGE = "9" * 10_000
DEEP = "[" * 5_000


@pytest.mark.parametrize(
    "command", ["verify", "import", "show", "tell", "options", "events", "fork"]
)
def test_a_bundle_cut_short_anywhere_is_refused(
    hegemon: Hegemon, table: Callable[..., list[str]], command: str
) -> None:
    table()
    held = Path("match.hgm").read_bytes()
    places = random.Random(command).sample(range(len(held)), 12)
    for place in (0, 1, 7, 8, 11, 12, 13, len(held) - 1, *places):
        Path("cut.hgm").write_bytes(held[:place])
        hegemon.fails(command, "cut.hgm")


@pytest.mark.parametrize("command", ["verify", "import"])
def test_a_bundle_with_a_byte_changed_anywhere_is_refused(
    hegemon: Hegemon, table: Callable[..., list[str]], command: str
) -> None:
    table()
    for path in changed(Path("match.hgm"), 40):
        hegemon.fails(command, path)


@pytest.mark.parametrize("command", ["show", "tell", "options", "events"])
def test_a_bundle_with_a_byte_changed_is_refused_or_read_as_it_was(
    hegemon: Hegemon, table: Callable[..., list[str]], command: str
) -> None:
    table()
    right = hegemon.done(command, "match.hgm").out
    for path in changed(Path("match.hgm"), 40):
        if hegemon(command, path).out != right:  # the closing record says the result once more
            hegemon.fails(command, path)


def changed(bundle: Path, count: int) -> Iterator[Path]:
    """The bundle with one bit of it flipped, each time another."""
    held = bundle.read_bytes()
    for place in random.Random(count).sample(range(len(held)), count):
        altered = bytearray(held)
        altered[place] ^= 1 << place % 8
        path = Path("changed.hgm")
        path.write_bytes(altered)
        yield path


def test_a_bundle_with_something_behind_it_is_refused(
    hegemon: Hegemon, table: Callable[..., list[str]]
) -> None:
    table()
    Path("cut.hgm").write_bytes(Path("match.hgm").read_bytes() + b"\0")
    for command in ("verify", "import", "show", "tell"):
        hegemon.fails(command, "cut.hgm")


@pytest.mark.parametrize("command", ["verify", "import", "enter", "show"])
@pytest.mark.parametrize("content", [b"\0", b"HEGEMON1\0\0\0\x01", b"1 mark cell=1\n", b"\x91"])
def test_ten_megabytes_of_anything_are_refused(
    hegemon: Hegemon, tmp_path: Path, command: str, content: bytes
) -> None:
    large = tmp_path / "large.hgm"
    large.write_bytes(content * (10_000_000 // len(content)))
    hegemon.fails(command, large)


OVERLAYS = {
    "no TOML": {"lines.toml": b"= ="},
    "not UTF-8": {"lines.toml": b"\xff"},
    "a NUL": {"lines.toml": b"a = 1\0"},
    "a huge number": {"lines.toml": f"a = {HUGE}".encode()},
    "deep": {"lines.toml": f"a = {DEEP}".encode()},
    "no table of this name": {"columns.toml": b"[a]\ncells = [0, 1, 2]"},
    "a row that is none": {"lines.toml": b"a = 1"},
    "a field too many": {"lines.toml": b"[a]\ncells = [0, 1, 2]\ncolour = 1"},
    "a field too few": {"lines.toml": b"[a]\n"},
    "a wrong type": {"lines.toml": b"[a]\ncells = 'abc'"},
    "a date": {"lines.toml": b"[a]\ncells = [1979-05-27, 1, 2]"},
    "NaN": {"lines.toml": b"[a]\ncells = [nan, 1, 2]"},
    "a key twice": {"lines.toml": b"[a]\ncells = [0, 1, 2]\n[a]\ncells = [0, 1, 2]"},
    "a large cell": {"lines.toml": b"[a]\ncells = [0, 1, 99999999999999999999]"},
    "a name not in UTF-8": {os.fsdecode(b"\xff.toml"): b"[a]\ncells = [0, 1, 2]"},
}


@pytest.mark.parametrize("what", OVERLAYS)
@pytest.mark.parametrize("command", ["new", "play"])
def test_an_overlay_that_does_not_fit_is_refused(
    hegemon: Hegemon, tmp_path: Path, what: str, command: str
) -> None:
    folder = tmp_path / "overlay"
    folder.mkdir()
    for name, content in OVERLAYS[what].items():
        (folder / name).write_bytes(content)
    hegemon.fails(command, "tictactoe", "--overlay", str(folder))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a byte of the log": lambda match: flipped(match / "log", 200),
    "the first byte of the log": lambda match: flipped(match / "log", 0),
    "the log is a folder": lambda match: ((match / "log").unlink(), (match / "log").mkdir()),
    "the log is text": lambda match: (match / "log").write_text("hello " * 100),
    "the log is another's": lambda match: (match / "log").write_bytes(
        next(one for one in match.parent.glob("*/log") if one.parent != match).read_bytes()
    ),
}
SECRETS: dict[str, Callable[[Path], object]] = {
    "no secrets": lambda match: (match / "kept" / "secrets").unlink(),
    "empty secrets": lambda match: (match / "kept" / "secrets").write_bytes(b""),
    "other secrets": lambda match: (match / "kept" / "secrets").write_bytes(b"\x93\1\2\3"),
    "deep secrets": lambda match: (match / "kept" / "secrets").write_bytes(b"\x91" * 5_000),
}


def flipped(path: Path, place: int) -> None:
    held = bytearray(path.read_bytes())
    held[place] ^= 1
    path.write_bytes(held)


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_log_is_said_to_be_and_is_left_as_it_is(
    hegemon: Hegemon, table: Callable[..., list[str]], what: str
) -> None:
    [match] = table("{m}")
    DAMAGES[what](hegemon.data / "matches" / match)
    hegemon.fails("matches")
    for command, *rest in (*READERS[:6], *WRITERS):
        hegemon.fails(command, match, *rest)


@pytest.mark.parametrize("what", SECRETS)
def test_a_match_whose_secrets_are_damaged_can_only_be_read(
    hegemon: Hegemon, table: Callable[..., list[str]], what: str
) -> None:
    [match] = table("{m}")
    SECRETS[what](hegemon.data / "matches" / match)
    for command, *rest in WRITERS:
        hegemon.fails(command, match, *rest)
    hegemon.done("show", match)
