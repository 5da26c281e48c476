"""Content: the components of a game as tables of rows, read from TOML, with overlays applied.

A rule declares the table it reads once, with the record type of its rows, and asks the
state:

    LINES = Table("lines", Line)
    ...
    for line in LINES.of(board).values(): ...

Inside a fold, the first read of each cell and of a table's set of rows is recorded
(lookup.py). Content enters the state as row ids, never as copied figures.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, get_args, get_origin

import msgspec

from .frozen import FrozenByName
from .refusals import Refused

if TYPE_CHECKING:
    from .lookup import Lookup
    from .records import State

RowT = TypeVar("RowT", bound=msgspec.Struct)

Rows: TypeAlias = Mapping[str, msgspec.Struct]
# table -> row -> field -> value; a new row is added whole, None takes a row away
Overlay: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Any] | None]]


class Row(FrozenByName, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of content; its id is its key in the table."""

    id: str


class Table(Generic[RowT]):
    """A rule's declaration of a table that it reads."""

    def __init__(
        self, name: str, row: type[RowT], rules: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        said = [
            name for name, part in vars(row).items() if callable(part) or isinstance(part, property)
        ]
        if any(not word.startswith("__") for word in said):
            # The recorder would not see the cells that a method reads of its row.
            msg = f"a row is cells and nothing else: {row.__name__} has {said}"
            raise TypeError(msg)
        loose = [one.name for one in msgspec.structs.fields(row) if _can_change(one.type)]
        if loose:
            msg = f"a row is shared by all matches and cannot hold a list or a map: {loose}"
            raise TypeError(msg)
        self.name = name
        self.row = row
        self._rules = rules

    def rule_at(self, row: str = "", cell: str = "") -> str:
        """Returns the rule id of a cell, a row or the table.

        The keys of `rules`: a row's id, `/` and a cell for any row, `*` for any row, "" for the
        rest.
        """
        asked = (row, f"/{cell}", "*", "") if row else ("",)
        found = next((self._rules[one] for one in asked if one in self._rules), "")
        return found.replace("{row}", row)

    def of(self, state: State) -> Mapping[str, RowT]:
        rows: Mapping[str, RowT] = state.__dict__["lookup"].table(self.name)
        return rows

    def behind(self, lookup: Lookup) -> Mapping[str, RowT]:
        """Returns the rows in force, for scenes and sentences, which have a lookup and no state."""
        rows: Mapping[str, RowT] = lookup.table(self.name)
        return rows


def _can_change(hint: Any) -> bool:
    return get_origin(hint) in (list, dict, set) or any(map(_can_change, get_args(hint)))


def read_rows(text: str, table: Table[Any]) -> dict[str, msgspec.Struct]:
    """Returns the printed rows of one table, from its TOML text."""
    raw: dict[str, dict[str, Any]] = tomllib.loads(text)
    return {row_id: _row(table, row_id, cells) for row_id, cells in raw.items()}


def lay_over(
    tables: Mapping[str, Rows], declared: Mapping[str, Table[Any]], overlay: Overlay
) -> dict[str, dict[str, msgspec.Struct]]:
    """Returns the tables with an overlay's cells applied; refuses an overlay that does not fit."""
    laid = {name: dict(rows) for name, rows in tables.items()}
    for name, changes in _mapping(overlay, "an overlay").items():
        if name not in laid:
            raise Refused("bad_value", "", "The ruleset has no such table.", {"table": name})
        for row_id, cells in _mapping(changes, f"table {name}").items():
            if cells is None:
                laid[name].pop(row_id, None)
                continue
            printed = laid[name].get(row_id)
            base = {} if printed is None else msgspec.structs.asdict(printed)
            changed = base | dict(_mapping(cells, f"row {row_id} of {name}"))
            laid[name][row_id] = _row(declared[name], row_id, changed)
    return laid


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Refused("bad_value", "", f"This cell must hold {what}.")
    return value


def _row(table: Table[Any], row_id: str, cells: Mapping[str, Any]) -> msgspec.Struct:
    try:
        row: msgspec.Struct = msgspec.convert({**cells, "id": row_id}, table.row)
    except msgspec.ValidationError as reason:
        evidence = {"table": table.name, "row": row_id}
        raise Refused("bad_value", "", f"{reason}.", evidence) from None
    return row


def cells_that_differ(
    before: Mapping[str, Rows], after: Mapping[str, Rows]
) -> Iterator[tuple[str, ...]]:
    """Yields the differences by the names of a rule-use index.

    `(table,)` is a change of its rows or their order, `(table, row)` a row that only one side
    has, and `(table, row, field)` a changed cell.
    """
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, {}), after.get(name, {})
        if list(old) != list(new):
            yield (name,)
        yield from ((name, row_id) for row_id in sorted(old.keys() ^ new.keys()))
        for row_id in sorted(old.keys() & new.keys()):
            was = msgspec.structs.asdict(old[row_id])
            now = msgspec.structs.asdict(new[row_id])
            yield from ((name, row_id, field) for field in was if was[field] != now.get(field))
