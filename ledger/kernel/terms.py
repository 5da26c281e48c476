"""Terms: the rules in force for one match, computed once and shared by all its folds.

The value in force of a reading or a cell is the match's option, else the match's overlay,
else the edition's errata, else as printed. The terms also read and write the bytes of a
match, because the classes of its agenda depend on the edition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar, Union, cast

import msgspec

from .content import Overlay, cells_that_differ, lay_over
from .lookup import PlainLookup, Use
from .match import Match
from .readings import Value, in_force
from .records import Decision, Fact, Question, Record, State, Step
from .refusals import BrokenRule, Refused
from .ruleset import PRINTED, Erratum, Ruleset

RecordT = TypeVar("RecordT", bound=Record)

# The fold treats each thing that a rule yields as one of these.
FACT, STEP, QUESTION, REPLACED = range(1, 5)

READINGS_OVERLAY = "readings"  # the name under which an overlay changes readings, not a table

# Map keys sorted, shortest forms: the same bytes as the log's canonical profile (tested).
_CANONICAL = msgspec.msgpack.Encoder(order="sorted")
_ROWS = msgspec.msgpack.Encoder()


class Terms:
    """A ruleset in one edition, with one match's options and overlay.

    `behind` are errata from outside the ruleset: they apply after those of the edition.
    """

    def __init__(
        self,
        rules: Ruleset,
        edition: str = PRINTED,
        options: Mapping[str, Value] | None = None,
        overlay: Overlay | None = None,
        behind: Sequence[Erratum] = (),
    ) -> None:
        self.rules = rules
        self.edition = edition
        self.options = dict(options or {})
        self.overlay = {} if overlay is None else overlay
        errata = self.errata = (*rules.errata_of(edition), *behind)
        for name in self.options:
            rules.check_option(name)
        laid_readings = readings_in(self.overlay)
        laid_content = {n: rows for n, rows in self.overlay.items() if n != READINGS_OVERLAY}
        self.values = in_force(
            rules.readings,
            *(erratum.readings for erratum in errata),
            laid_readings,
            self.options,
        )
        declared = {table.name: table for table in rules.tables}
        tables: Mapping[str, Any] = rules.content
        for layer in (*(erratum.content for erratum in errata), laid_content):
            tables = lay_over(tables, declared, layer)
        self.tables = tables
        self.replaced: dict[type[Record], type[Record]] = {}
        self.printed: dict[type[Record], type[Record]] = {}  # the printed class behind each
        for erratum in errata:
            for old, new in erratum.replaces.items():
                # A class replaced twice is found under its first name too.
                earlier = [was for was, now in self.replaced.items() if now is old]
                self.replaced |= dict.fromkeys([*earlier, old], new)
                self.printed[new] = self.printed.get(old, old)
        self._treatments: dict[type[Any], tuple[int, str]] = {}
        self.silent = PlainLookup(self.values, self.tables)
        if rules.fitting is not None:
            rules.fitting(self.silent)

    def current(self, kind: type[RecordT]) -> type[RecordT]:
        """Returns the class in force where the printed rules name `kind`."""
        return cast("type[RecordT]", self.replaced.get(kind, kind))

    def in_force(self, record: Any) -> Any:
        """Returns the record as the errata define it."""
        kind = self.replaced.get(type(record))
        return record if kind is None else kind(*msgspec.structs.astuple(record))

    def treatment(self, kind: type[Any]) -> tuple[int, str]:
        """Returns how the fold treats a record type, and its name in the rule-use index."""
        if kind not in self._treatments:
            self._treatments[kind] = self._treatment(kind)
        return self._treatments[kind]

    def _treatment(self, kind: type[Any]) -> tuple[int, str]:
        if kind in self.replaced:
            return REPLACED, kind.__name__
        name = self.printed.get(kind, kind).__name__
        if issubclass(kind, Fact):
            return FACT, name
        if issubclass(kind, Question):
            return QUESTION, name
        if issubclass(kind, Step | Decision):
            return STEP, name
        msg = f"a rule yielded a {name}: neither fact, step nor question"
        raise BrokenRule(msg)

    def open_match(self, seats: int) -> Match:
        """Returns a match at version 0: an empty table, the first step still to run."""
        self.rules.check_seats(seats)
        return self.match(0, self.rules.setup(seats), [self.in_force(self.rules.first)])

    def match(
        self, version: int, state: State, agenda: list[Any], used: Mapping[Use, int] | None = None
    ) -> Match:
        """Returns a match in this position; its rules look up these terms."""
        return Match(self, version, state, agenda, dict(used or {}))

    # --- bytes ---------------------------------------------------------------------------------

    @cached_property
    def decisions(self) -> tuple[type[Decision], ...]:
        return tuple(self.current(kind) for kind in self.rules.decisions)

    @cached_property
    def _snapshots(self) -> msgspec.msgpack.Decoder[Any]:
        agenda = tuple(self.current(kind) for kind in self.rules.agenda)
        entries = [("version", int), ("state", self.rules.state), ("agenda", list[Union[agenda]])]  # type: ignore[valid-type]  # noqa: UP007 - made at run time
        return msgspec.msgpack.Decoder(msgspec.defstruct("Snapshot", entries, array_like=True))

    @cached_property
    def reads_decision(self) -> Callable[[bytes], Decision]:
        return msgspec.msgpack.Decoder(Union[self.decisions]).decode  # noqa: UP007 - made at run time

    def snapshot(self, match: Match) -> bytes:
        """Returns a match as bytes: a cache, read again only under the same terms and source."""
        return _ROWS.encode((match.version, match.state, match.agenda))

    def restore(self, snapshot: bytes, used: Mapping[Use, int] | None = None) -> Match:
        held = self._snapshots.decode(snapshot)
        return self.match(held.version, held.state, held.agenda, used)

    def differences(self, other: Terms) -> frozenset[Use]:
        """Returns the rule uses for which the other terms differ from these."""
        readings = {
            ("reading", name) for name in self.values if self.values[name] != other.values[name]
        }
        cells: set[Use] = {
            (("rows", "row", "cell")[len(path) - 1], *path)
            for path in cells_that_differ(self.tables, other.tables)
        }
        kinds = set(self.printed.values()) | set(other.printed.values())
        classes = {
            ("record", kind.__name__)
            for kind in kinds
            if self.current(kind) is not other.current(kind)
        }
        return frozenset(readings | cells | classes)


def readings_in(overlay: Any) -> Mapping[str, Any]:
    """Returns the readings that an overlay changes: `[values]` of its table `readings`."""
    if not isinstance(overlay, Mapping):
        raise Refused("bad_value", "", "An overlay must be tables of rows of cells.")
    table = overlay.get(READINGS_OVERLAY, {})
    values = table.get("values", {}) if isinstance(table, Mapping) else None
    if not isinstance(values, Mapping) or set(table) - {"values"}:
        raise Refused("bad_value", "", "An overlay's readings must have one row, `values`.")
    return values


def facts_bytes(facts: Sequence[Fact]) -> bytes:
    """Returns the canonical bytes of a fold's facts; an event's outcome commits to them."""
    return _CANONICAL.encode(facts)


def decision_bytes(decision: Decision) -> bytes:
    return _CANONICAL.encode(decision)


def move_to_terms(match: Match, terms: Terms) -> Match:
    """Returns the same position under other terms, with the records in force there."""
    agenda: list[Any] = []
    for pending in match.agenda:
        printed = match.terms.printed.get(type(pending), type(pending))
        current = terms.current(printed)
        fields = msgspec.structs.astuple(pending)[: len(current.__struct_fields__)]
        agenda.append(current(*fields))
    return terms.match(match.version, match.state, agenda, match.used)
