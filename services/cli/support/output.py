"""Output of commands: sentences for people, JSON for tools, and progress."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

import click
import msgspec

PROGRESS_AFTER_S: Final = 0.5
JSON: Final = "hegemon.json"  # where the context has `--json`
LINE_MAX: Final = 2_000  # characters of a line on stderr: what was given may be of any length


def json_line(value: Any) -> str:
    """Returns one line of JSON in ASCII, so the terminal's encoding does not matter.

    Bytes are hex, and records are objects with all their fields, however they are stored.
    """
    return json.dumps(value, default=_plain, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """Returns what JSON knows for a value that it does not know."""
    if isinstance(value, bytes):
        return value.hex()
    if not isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value, builtin_types=(bytes,), str_keys=True)
    config = value.__struct_config__
    tagged = {} if config.tag is None else {str(config.tag_field): config.tag}
    return tagged | {name: getattr(value, name) for name in value.__struct_fields__}


def printable(text: str) -> str:
    """Escapes every unprintable character, so that a text cannot control the terminal.

    Titles and names come from the writer of the log.
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def wants_json() -> bool:
    """Tells whether the command was given `--json`."""
    return bool(click.get_current_context().meta.get(JSON))


def show(value: Any, text: str) -> None:
    """Prints the value where the command was given `--json`, else the text."""
    if wants_json():
        click.echo(json_line(value))
    else:
        show_text(text)


def show_text(text: str) -> None:
    click.echo("\n".join(printable(line) for line in text.split("\n")))


def say(line: str) -> None:
    """Prints one line on stderr: why a command failed."""
    clipped = line if len(line) <= LINE_MAX else f"{line[:LINE_MAX]}..."
    click.echo(f"hegemon: {printable(clipped)}", err=True)


class Progress:
    """A progress count on the terminal, shown if a person watches and it takes a while."""

    def __init__(self, what: str, whole: int | None = None) -> None:
        self._what = what
        self._whole = whole  # what it counts up to, where that is known
        self._watched = sys.stderr.isatty()
        self._next = time.monotonic() + PROGRESS_AFTER_S
        self._shown = False

    def __call__(self, count: int, _of: int = 0) -> None:
        """Shows the progress, at most every tenth of a second."""
        if self._watched and time.monotonic() > self._next:
            self._next = time.monotonic() + 0.1
            self._shown = True
            far = f"{count:,}" if not self._whole else f"{100 * count // self._whole} %"
            click.echo(f"\r\x1b[K{self._what}: {far}", err=True, nl=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        """Clears the progress line, also after an error."""
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)


class Watched(io.BufferedReader):
    """A file that reports how far it has been read."""

    def __init__(self, path: Path, progress: Callable[[int], None]) -> None:
        super().__init__(io.FileIO(path))
        self._progress = progress
        self._far = 0

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(size)
        self._far += len(found)
        self._progress(self._far)
        return found


def format_count(count: int, one: str, many: str = "") -> str:
    """Returns a count with its noun in singular or plural."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
