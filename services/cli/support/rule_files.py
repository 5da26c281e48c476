"""Files with a club's own rules: errata, and overlays of the content."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ledger.games import GAMES, ruleset
from ledger.log.format.published import Published
from replays.reproject.erratum_file import FILE_BYTES_MAX, BadErratum, read_erratum

from .exits import UnreadableInput
from .output import format_count, printable, say


def erratum_in(name: str) -> Published:
    """Reads the erratum in a file. Reports every mistake with its line."""
    with Path(name).open("rb") as file:
        packed = file.read(FILE_BYTES_MAX + 1)
    if len(packed) > FILE_BYTES_MAX:
        raise UnreadableInput(f"{name} is not an erratum: it has more than {FILE_BYTES_MAX} bytes")
    try:
        return read_erratum(packed.decode(), ruleset, GAMES)
    except UnicodeDecodeError:
        raise UnreadableInput(f"{name} is not an erratum: it is not UTF-8") from None
    except BadErratum as bad:
        for trouble in bad.troubles:
            say(printable(f"{name}: {trouble}"))
        mistakes = format_count(len(bad.troubles), "mistake", "mistakes")
        raise UnreadableInput(f"{name} is not an erratum: {mistakes}") from None


def read_overlay(folder: str) -> dict[str, Any]:
    """Reads a club's own content: one TOML file per table, rows and cells as printed."""
    files = sorted(Path(folder).glob("*.toml"))
    if not files:
        raise UnreadableInput(f"{folder} holds no TOML tables")
    try:
        tables = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in files}
    except (ValueError, RecursionError) as reason:
        raise UnreadableInput(f"the overlay in {folder} is not TOML: {reason}") from None
    for name, table in tables.items():
        for row, cells in table.items():
            if not isinstance(cells, dict):
                message = f"{folder}/{name}.toml: {row} is not a row: a row must be a table"
                raise UnreadableInput(message)
    return tables
