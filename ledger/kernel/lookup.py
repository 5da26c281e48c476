"""Lookups: the objects through which rules read readings and content.

A fold reads through a `RecordingLookup`. It notes each thing with the version n at which it
was first read; these notes are the line's **rule-use index**. Everything else (options,
views, scenes, bots) reads through a `PlainLookup`. A refused attempt is taken back and
leaves no note.

Recording must cost nothing once a value is known. A reading is kept in a dictionary after
its first use. A row keeps each cell in its own `__dict__`, where plain attribute access
finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol, TypeAlias, cast

from .content import Rows
from .refusals import BrokenRule

# ("reading", id) | ("cell", table, row, field) | ("row", table, row) | ("rows", table)
# | ("record", name of the printed class)
Use: TypeAlias = tuple[str, ...]
Cells: TypeAlias = Mapping[str, tuple[Any, Use]]
# The uses that this attempt was first to note, and where each is known from then on.
Pending: TypeAlias = list[tuple[Use, dict[Any, Any], Any]]


class Lookup(Protocol):
    """The interface for readings and content."""

    def reads(self, name: str) -> Any:
        """Returns the value in force for a reading."""

    def table(self, name: str) -> Mapping[str, Any]:
        """Returns the rows in force of a table."""


class PlainLookup:
    """A lookup that records nothing."""

    def __init__(self, values: Mapping[str, Any], tables: Mapping[str, Rows]) -> None:
        self._values = values
        self._tables = tables
        self._cells: dict[str, Mapping[str, Cells]] = {}

    def reads(self, name: str) -> Any:
        if name not in self._values:
            msg = f"the rules ask for a reading that readings.toml does not list: {name}"
            raise BrokenRule(msg)
        return self._values[name]

    def table(self, name: str) -> Mapping[str, Any]:
        if name not in self._tables:
            msg = f"the rules ask for a table that the ruleset does not have: {name}"
            raise BrokenRule(msg)
        return self._tables[name]

    def cells(self, name: str) -> Mapping[str, Cells]:
        """Returns each cell's value and the name of its use; all matches share it."""
        if name not in self._cells:
            self._cells[name] = {
                row_id: {
                    field: (getattr(row, field), ("cell", name, row_id, field))
                    for field in row.__struct_fields__
                }
                for row_id, row in self.table(name).items()
            }
        return self._cells[name]


class NoLookup:
    """Refuses every lookup. Used where a result may depend on the state only."""

    def reads(self, name: str) -> Any:
        msg = f"the result of a match is decided by facts; it may not ask for {name}"
        raise BrokenRule(msg)

    def table(self, name: str) -> Mapping[str, Any]:
        return cast("Mapping[str, Any]", self.reads(name))


NO_LOOKUP: Final = NoLookup()


class RecordingLookup:
    """A lookup that notes each thing the first time it is read."""

    def __init__(self, silent: PlainLookup) -> None:
        self._silent = silent
        self._values: dict[str, Any] = {}
        self._tables: dict[str, _RecordingTable] = {}
        self.pending: Pending = []

    def reads(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            value = self._values[name] = self._silent.reads(name)
            self.note(("reading", name), self._values, name)
            return value

    def table(self, name: str) -> Mapping[str, Any]:
        """Returns the rows in force of a table, as rows that note which cells are read."""
        try:
            return self._tables[name]
        except KeyError:
            table = self._tables[name] = _RecordingTable(self, name, self._silent.cells(name))
            return table

    def note(self, use: Use, known: dict[Any, Any], key: Any) -> None:
        """Notes a first use until the attempt is settled, and where its value is kept."""
        self.pending.append((use, known, key))

    def settle(self, used: dict[Use, int], version: int) -> None:
        """Records the noted uses under this version, after the attempt was folded."""
        if self.pending:
            for use, _, _ in self.pending:
                used.setdefault(use, version)
            self.pending.clear()

    def take_back(self) -> None:
        """Forgets the noted uses, after the attempt was refused."""
        for _, known, key in self.pending:
            del known[key]
        self.pending.clear()


class _RecordingRow:
    """A row that notes each cell when it is first read."""

    def __init__(self, pending: Pending, cells: Cells) -> None:
        self.__dict__["_behind"] = (pending, cells)

    def __getattr__(self, field: str) -> Any:
        # Only reached the first time: afterwards the cell is an attribute of its own.
        own = self.__dict__
        pending, cells = own["_behind"]
        if field not in cells:
            raise AttributeError(f"the row has no cell {field}")
        value, use = cells[field]
        own[field] = value
        pending.append((use, own, field))
        return value


class _RecordingTable(Mapping[str, Any]):
    """A table that notes its set of rows, and their cells, when they are first read."""

    def __init__(self, lookup: RecordingLookup, name: str, rows: Mapping[str, Cells]) -> None:
        self._lookup = lookup
        self._name = name
        pending = lookup.pending
        self._rows = {row_id: _RecordingRow(pending, cells) for row_id, cells in rows.items()}
        self._noted: dict[str, bool] = {}
        self._asked: dict[object, bool] = {}

    def _note_set(self) -> None:
        if not self._noted:
            self._noted["set"] = True
            self._lookup.note(("rows", self._name), self._noted, "set")

    def __getitem__(self, row_id: str) -> Any:
        if row_id not in self._asked:
            self._note_row(row_id)
        return self._rows[row_id]

    def __contains__(self, row_id: object) -> bool:
        if row_id not in self._asked:
            self._note_row(str(row_id))
        return row_id in self._rows

    def _note_row(self, row_id: str) -> None:
        """Notes the lookup of a row: its presence or absence is a use of its own."""
        self._asked[row_id] = True
        self._lookup.note(("row", self._name, row_id), self._asked, row_id)

    def __iter__(self) -> Iterator[str]:
        self._note_set()
        return iter(self._rows)

    def __len__(self) -> int:
        self._note_set()
        return len(self._rows)

    def values(self) -> Any:
        if not self._noted:
            self._note_set()
        return self._rows.values()

    def items(self) -> Any:
        self._note_set()
        return self._rows.items()
