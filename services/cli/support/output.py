"""What a command prints: sentences for people, JSON for tools, progress for whoever watches."""

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
LINE_MAX: Final = 2_000  # characters of a line on stderr: what was given may be of any length


def plainly(value: Any) -> Any:
    """Any of our values as JSON can hold it: bytes as hex, records as maps."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        tagged = {} if tag is None else {str(value.__struct_config__.tag_field): tag}
        return tagged | {name: plainly(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {str(key): plainly(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plainly(item) for item in value]
    return value


def json_line(value: Any) -> str:
    """One line of JSON, in ASCII: it is the same whatever the terminal is set to."""
    return json.dumps(plainly(value), separators=(",", ":"))


def printable(text: str) -> str:
    """A text on one line that cannot steer a terminal: what is no sign is shown as its escape.

    Titles and names come from whoever wrote the log.
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def show(value: Any, *, as_json: bool, text: str = "") -> None:
    """Print for a tool, or for a person."""
    if as_json:
        click.echo(json_line(value))
    else:
        click.echo("\n".join(printable(line) for line in text.split("\n")))


def say(line: str) -> None:
    """One line on stderr: why a command did not do what was asked."""
    clipped = line if len(line) <= LINE_MAX else f"{line[:LINE_MAX]}..."
    click.echo(f"hegemon: {printable(clipped)}", err=True)


class Progress:
    """A count on the terminal, where a person watches and it takes a while."""

    def __init__(self, what: str, whole: int | None = None) -> None:
        self._what = what
        self._whole = whole  # what it counts up to, where that is known
        self._watched = sys.stderr.isatty()
        self._next = time.monotonic() + PROGRESS_AFTER_S
        self._shown = False

    def __call__(self, count: int) -> None:
        """Say how far it is, now and then."""
        if self._watched and time.monotonic() > self._next:
            self._next = time.monotonic() + 0.1
            self._shown = True
            far = f"{count:,}" if not self._whole else f"{100 * count // self._whole} %"
            click.echo(f"\r\x1b[K{self._what}: {far}", err=True, nl=False)

    def __enter__(self) -> Self:
        """Begin to count."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Leave a clean line, also where it went wrong."""
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)


class Watched(io.BufferedReader):
    """A file that tells how far it has been read."""

    def __init__(self, path: Path, progress: Callable[[int], None]) -> None:
        super().__init__(io.FileIO(path))
        self._progress = progress
        self._far = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        found = super().read(size)
        self._far += len(found)
        self._progress(self._far)
        return found


def counted(count: int, one: str, many: str = "") -> str:
    """A number of things, as people say it."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
