"""Writing files whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, TypeVar

from ledger.kernel.audience import Viewer
from ledger.log.format.redaction import Selection, write_redacted
from ledger.log.read.bundle import Record, write_bundle
from ledger.log.read.history import History
from replays.report.model import ReportPage

from .exits import UnreadableInput
from .sources import is_file

Written = TypeVar("Written")


def check_can_write(out: str, option: str = "--out", *, force: bool = True) -> None:
    """Refuses a file that could not be written, before any work is done for it.

    Without `force` it refuses to write over an existing file.
    """
    target = Path(out)
    if not out or target.is_dir() or not target.name:
        raise UnreadableInput(f"{option} needs the name of a file, but {out!r} is not one")
    if not target.parent.is_dir():
        raise UnreadableInput(f"{option} {out}: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise UnreadableInput(f"{option} {out}: {target.parent} cannot be written to")
    if target.exists() and not force:
        raise UnreadableInput(f"{option} {out} exists already: name another file, or use --force")


def check_not_read(match: str, out: str, option: str, loss: str) -> None:
    """Refuses to write over the bundle that is being read."""
    if is_file(match) and Path(out).exists() and Path(out).samefile(match):
        raise UnreadableInput(f"{option} {out} is the bundle that is being read: {loss}")


def write_file(history: History, out: str, viewer: Viewer | str) -> bytes:
    """Writes a bundle whole or not at all, and returns its address."""
    return _whole(out, lambda file: write_bundle(file, history, viewer))


def write_records(records: list[Record], choice: Selection, out: str) -> bytes:
    """Writes the chosen records of a bundle whole or not at all, and returns its address."""
    return _whole(out, lambda file: write_redacted(file, records, choice))


def write_bytes(content: bytes, out: str) -> None:
    _whole(out, lambda file: file.write(content))


def write_page(report: ReportPage, out: str) -> int:
    """Writes a report as a page, and returns its size."""
    from replays.report.html import page
    from services.matches.exports import static_text

    made = page(report, static_text)
    write_bytes(made, out)
    return len(made)


def _whole(out: str, write: Callable[[IO[bytes]], Written]) -> Written:
    target = Path(out)
    unfinished = target.with_name(f".{os.getpid()}.unfinished")
    try:
        with unfinished.open("wb") as file:
            done = write(file)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return done
