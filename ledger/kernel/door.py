"""The doors through which rules ask for readings and content.

A fold asks through a `RecordingDoor`: what it asks for first at version n is noted with n, and is
this line's **rule-use index**. Everything else (options, views, scenes, bots) asks through a
`SilentDoor`. A refused attempt is taken back and leaves no note.

Recording must cost nothing once a value is known: a reading is kept in a dictionary after its
first use, and a row keeps each cell in its own `__dict__`, where plain attribute access finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol, TypeAlias, cast

from .content import Rows
from .refusals import BrokenRule

# ("reading", id) | ("cell", table, row, field) | ("row", table, row) | ("rows", table)
# | ("record", name of the printed class)
Use: TypeAlias = tuple[str, ...]


class Door(Protocol):
    """What a state asks through."""

    def reads(self, name: str) -> Any:
        """The value in force for a reading."""

    def table(self, name: str) -> Mapping[str, Any]:
        """The rows in force of a table."""


class SilentDoor:
    """Answers and records nothing."""

    def __init__(self, values: Mapping[str, Any], tables: Mapping[str, Rows]) -> None:
        self._values = values
        self._tables = tables

    def reads(self, name: str) -> Any:
        """The value in force for a reading."""
        if name not in self._values:
            msg = f"the rules ask for a reading that readings.toml does not list: {name}"
            raise BrokenRule(msg)
        return self._values[name]

    def table(self, name: str) -> Mapping[str, Any]:
        """The rows in force of a table."""
        if name not in self._tables:
            msg = f"the rules ask for a table that the ruleset does not have: {name}"
            raise BrokenRule(msg)
        return self._tables[name]


class ClosedDoor:
    """Answers nothing: for what must follow from the state alone."""

    def reads(self, name: str) -> Any:
        """No reading."""
        msg = f"the result of a match is decided by facts; it may not ask for {name}"
        raise BrokenRule(msg)

    def table(self, name: str) -> Mapping[str, Any]:
        """No table."""
        return cast("Mapping[str, Any]", self.reads(name))


CLOSED_DOOR: Final = ClosedDoor()


class RecordingDoor:
    """Answers, and notes each thing the first time it is asked for."""

    def __init__(self, silent: SilentDoor) -> None:
        self._silent = silent
        self._values: dict[str, Any] = {}
        self._tables: dict[str, _RecordingTable] = {}
        self._pending: list[tuple[Use, dict[Any, Any], Any]] = []

    def reads(self, name: str) -> Any:
        """The value in force for a reading."""
        try:
            return self._values[name]
        except KeyError:
            value = self._values[name] = self._silent.reads(name)
            self.note(("reading", name), self._values, name)
            return value

    def table(self, name: str) -> Mapping[str, Any]:
        """The rows in force of a table, as rows that note what is read of them."""
        try:
            return self._tables[name]
        except KeyError:
            table = self._tables[name] = _RecordingTable(self, name, self._silent.table(name))
            return table

    def note(self, use: Use, known: dict[Any, Any], key: Any) -> None:
        """Remember a first use until the attempt is settled, and where it is known from then on."""
        self._pending.append((use, known, key))

    def settle(self, used: dict[Use, int], version: int) -> None:
        """The attempt has been folded: its uses count from this version."""
        if self._pending:
            for use, _, _ in self._pending:
                used.setdefault(use, version)
            self._pending.clear()

    def take_back(self) -> None:
        """The attempt was refused: it never asked."""
        for _, known, key in self._pending:
            del known[key]
        self._pending.clear()


class _RecordingRow:
    """A row whose cells are noted when first read."""

    def __init__(self, door: RecordingDoor, table: str, row: Any) -> None:
        self.__dict__["_noted"] = (door, table, row)

    def __getattr__(self, field: str) -> Any:
        # Only reached the first time: afterwards the cell is an attribute of its own.
        door, table, row = self.__dict__["_noted"]
        if field not in row.__struct_fields__:
            raise AttributeError(f"a row of {table} has no cell {field}")
        value = self.__dict__[field] = getattr(row, field)
        door.note(("cell", table, row.id, field), self.__dict__, field)
        return value


class _RecordingTable(Mapping[str, Any]):
    """A table whose set of rows, and whose cells, are noted when first read."""

    def __init__(self, door: RecordingDoor, name: str, rows: Mapping[str, Any]) -> None:
        self._door = door
        self._name = name
        self._rows = {row_id: _RecordingRow(door, name, row) for row_id, row in rows.items()}
        self._noted: dict[str, bool] = {}
        self._asked: dict[object, bool] = {}

    def _note_set(self) -> None:
        if not self._noted:
            self._noted["set"] = True
            self._door.note(("rows", self._name), self._noted, "set")

    def __getitem__(self, row_id: str) -> Any:
        if row_id not in self._asked:
            self._note_row(row_id)
        return self._rows[row_id]

    def __contains__(self, row_id: object) -> bool:
        if row_id not in self._asked:
            self._note_row(str(row_id))
        return row_id in self._rows

    def _note_row(self, row_id: str) -> None:
        """That a row is there, or is not, is knowledge of its own."""
        self._asked[row_id] = True
        self._door.note(("row", self._name, row_id), self._asked, row_id)

    def __iter__(self) -> Iterator[str]:
        self._note_set()
        return iter(self._rows)

    def __len__(self) -> int:
        self._note_set()
        return len(self._rows)

    def values(self) -> Any:
        """The rows, in printed order."""
        if not self._noted:
            self._note_set()
        return self._rows.values()

    def items(self) -> Any:
        """The ids and rows, in printed order."""
        self._note_set()
        return self._rows.items()
