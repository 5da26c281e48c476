"""Writing bundle files: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ledger.kernel.audience import Viewer
from ledger.log.bundle import write_bundle
from ledger.log.history import History

from .exits import UnreadableInput


def check_can_write(out: str) -> None:
    """Refuse a file that could not be written, before any work is done for it."""
    target = Path(out)
    if not out or target.is_dir() or not target.name:
        message = f"--out needs the name of a file, and {out!r} is none"
        raise UnreadableInput(message)
    if not target.parent.is_dir():
        message = f"--out {out}: there is no folder {target.parent}"
        raise UnreadableInput(message)
    if not os.access(target.parent, os.W_OK):
        message = f"--out {out}: {target.parent} cannot be written to"
        raise UnreadableInput(message)


def write_file(history: History, out: str, viewer: Viewer | str) -> bytes:
    """Write a bundle so that it is there whole or not at all; its address."""
    target = Path(out)
    unfinished = target.with_name(f".{os.getpid()}.unfinished")
    try:
        with unfinished.open("wb") as file:
            address = write_bundle(file, history, viewer)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return address
