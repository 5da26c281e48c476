"""A change of rules under which a stored match is folded again.

A change names a whole edition, single readings and rows of content, or both. Its readings and
content rank where an erratum's would: after the match's own options and overlay, before the
edition's values. So it answers "what if this had been published?", and does not affect a match
that has made its own choice. With `over_options` it overrides those choices too.

    Change ── RulesUnder(basis_of(history), change).stretches() ──▶ Terms, as they were and would be
    stretches, first uses ── find_first_touched() ──▶ the first event that may differ, or None
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from ledger.kernel.frozen import FrozenByName
from ledger.kernel.lookup import Use
from ledger.kernel.readings import Reading, Value
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Erratum, Ruleset
from ledger.kernel.terms import READINGS_OVERLAY, Terms
from ledger.log.format.acts import Created, EditionChanged
from ledger.log.format.published import Published
from ledger.log.read.history import History
from ledger.log.write.lifecycle import make_refusal

WHAT_IF: Final = "what-if"  # the name of the edition in which a change is the last erratum
TERMS_KEPT: Final = 64

Cells = dict[str, Any]


class Change(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """Rules to apply instead of the stored ones. An empty change alters nothing."""

    edition: str | None = None  # None: each event under the edition that it had
    readings: dict[str, Value] = {}  # noqa: RUF012 - msgspec copies it
    content: dict[str, dict[str, Cells | None]] = {}  # noqa: RUF012
    called: str = ""  # what readings and content are published as
    switch: int | None = None  # only what this event put in force: event 1, or a change of edition
    over_options: bool = False

    @property
    def named(self) -> str:
        """Returns a short name for tables."""
        said = [] if self.edition is None else [self.edition]
        if self.called:
            return ", ".join([*said, self.called])
        said += [f"{name}={_word(value)}" for name, value in sorted(self.readings.items())]
        said += [
            f"{table}/{row}/{cell}={_word(value)}"
            for table, rows in sorted(self.content.items())
            for row, cells in sorted(rows.items())
            for cell, value in sorted((cells or {"": "none"}).items())
        ]
        return ", ".join(said) or "as it was"


def _word(value: Any) -> str:
    """Formats a value as a user would type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_errata(change: Change, errata: Sequence[Published]) -> Change:
    """Adds errata to a change as if they had been published. Content that the change itself
    states overrides theirs.
    """
    readings: dict[str, Any] = {}
    content: dict[str, dict[str, Any]] = {}
    for one in errata:
        readings |= one.readings
        _lay(content, one.content)
    _lay(content, change.content)
    names = ", ".join(one.id for one in errata)
    alone = not (change.readings or change.content)
    return msgspec.structs.replace(
        change,
        readings={**readings, **change.readings},
        content=content,
        called=names if alone else "",
    )


def _lay(content: dict[str, dict[str, Any]], more: Any) -> None:
    for table, rows in more.items():
        here = content.setdefault(table, {})
        for row, cells in rows.items():
            here[row] = None if cells is None else {**(here.get(row) or {}), **cells}


class EditionStretch(NamedTuple):
    """A part of a line under one edition: its terms as they were, and as they would be."""

    first: int  # the event from which it holds
    own: Terms
    other: Terms


class Basis(NamedTuple):
    """Everything that decides which rules are in force on a line, and nothing about its play."""

    rules: Ruleset
    options: Mapping[str, Value]
    overlay: bytes
    editions: Sequence[tuple[int, str]]  # the events of the line that put one in force, and which
    # By edition: the published errata behind it, packed.
    published: Mapping[str, tuple[bytes, ...]] = MappingProxyType({})


def basis_of(history: History) -> Basis:
    """Returns the basis of the line that ends at the log's newest event."""
    overlay = _NOTHING
    if history.created.overlay is not None:
        history.read_overlay()  # checks that it is the one that event 1 names
        assert history.overlay is not None
        overlay = history.overlay
    editions: list[tuple[int, str]] = []
    published: dict[str, tuple[bytes, ...]] = {}
    for version in history.lines.line(history.tip.version):
        act = history.act(version)
        if isinstance(act, Created | EditionChanged):
            editions.append((version, act.edition))
            if behind := history.published_in(act.edition):
                published[act.edition] = tuple(one.packed for one in behind)
    return Basis(history.rules, history.created.options, overlay, editions, published)


class RulesUnder:
    """Computes the rules in force along the line of one match, as they were and under a
    change.
    """

    def __init__(self, basis: Basis, change: Change) -> None:
        self._basis = basis
        self._change = change
        known = [version for version, _ in basis.editions]
        if change.switch is not None and change.switch not in known:
            evidence = {"at": change.switch, "known": ", ".join(map(str, known))}
            raise make_refusal("no_such_event", evidence)

    def own(self, edition: str) -> Terms:
        """Returns the terms that were in force."""
        rules, options, overlay, _, published = self._basis
        behind = published.get(edition, ())
        return _terms(_ById(rules), edition, _frozen(options), overlay, behind)

    def other(self, act: int, edition: str) -> Terms:
        """Returns the terms that would replace the edition that an act put in force."""
        change = self._change
        rules, own_options, overlay, _, published = self._basis
        if change.switch not in (None, act) or change == Change():
            return self.own(edition)
        # Another edition takes the place of all that is in force, a reading stands behind it.
        edition = edition if change.edition is None else change.edition
        behind = published.get(edition, ())
        options: dict[str, Value] = dict(own_options)
        if change.over_options:
            options |= {n: v for n, v in change.readings.items() if is_option(rules, n)}
            overlay = msgspec.msgpack.encode(_lay_over(overlay, change, options), order="sorted")
        elif change.readings or change.content:
            packed = msgspec.msgpack.encode((change.readings, change.content), order="sorted")
            rules = _with_erratum(_ById(rules), edition, packed, behind)
            edition, behind = WHAT_IF, ()
        return _terms(_ById(rules), edition, _frozen(options), overlay, behind)

    def stretches(self) -> list[EditionStretch]:
        return [
            EditionStretch(version, self.own(edition), self.other(version, edition))
            for version, edition in self._basis.editions
        ]

    def pinned(self) -> list[str]:
        """Returns the readings of the change that the match has settled for itself."""
        if self._change.over_options:
            return []
        rules, options, overlay, *_ = self._basis
        laid = msgspec.msgpack.decode(overlay).get(READINGS_OVERLAY, {}).get("values", {})
        errata: Sequence[Erratum] = ()
        if self._change.edition is not None:
            errata = rules.errata_of(self._change.edition)
        flipped = {name for erratum in errata for name in erratum.readings}
        return sorted({*options, *laid} & (flipped | self._change.readings.keys()))


_NOTHING: Final = msgspec.msgpack.encode({})


def is_option(rules: Ruleset, name: str) -> bool:
    """Tells if a match may choose this reading when it is created."""
    return name in rules.readings and rules.readings[name].option


def _lay_over(overlay: bytes, change: Change, options: Mapping[str, Value]) -> dict[str, Any]:
    """Returns the match's overlay with the change applied over it."""
    laid: dict[str, Any] = msgspec.msgpack.decode(overlay)
    _lay(laid, change.content)
    others = {name: value for name, value in change.readings.items() if name not in options}
    if others:
        table = laid.setdefault(READINGS_OVERLAY, {})
        table["values"] = {**table.get("values", {}), **others}
    return laid


# --- terms, the same for all matches of a corpus --------------------------------------------------


def _frozen(options: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted(options.items()))


class _ById:
    """Makes a ruleset usable as a cache key, compared by identity."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.rules is self.rules


@lru_cache(maxsize=TERMS_KEPT)
def _with_erratum(key: _ById, edition: str, packed: bytes, behind: tuple[bytes, ...]) -> Ruleset:
    """Returns the ruleset with readings and content added as the last erratum of an edition."""
    rules = key.rules
    readings, content = msgspec.msgpack.decode(packed)
    for name in readings:
        if name not in rules.readings:
            evidence = {"reading": name[:80], "known": ", ".join(sorted(rules.readings))}
            raise Refused("unknown_reading", "", "", evidence)
    erratum = Erratum(
        id=WHAT_IF,
        date="",
        source="",
        text="What if.",
        readings=readings,
        content=content,
    )
    # The records were looked at when the ruleset was made; what the erratum changes is refused
    # where terms are made of it.
    other = copy(rules)
    other.__dict__.pop("editions", None)
    errata = (*rules.errata_of(edition), *map(_unpack_erratum, behind), erratum)
    object.__setattr__(other, "errata", errata)
    return other


def _unpack_erratum(packed: bytes) -> Erratum:
    return msgspec.msgpack.decode(packed, type=Published).erratum


@lru_cache(maxsize=TERMS_KEPT)
def _terms(
    key: _ById,
    edition: str,
    options: tuple[tuple[str, Value], ...],
    overlay: bytes,
    behind: tuple[bytes, ...],
) -> Terms:
    laid = msgspec.msgpack.decode(overlay)
    return Terms(key.rules, edition, dict(options), laid, [_unpack_erratum(one) for one in behind])


# --- what differs, and when it was used -----------------------------------------------------------


@lru_cache(maxsize=256)
def differences(own: Terms, other: Terms) -> frozenset[Use]:
    """Returns the differences of two terms. The cache works because matches played alike share
    terms.
    """
    return frozenset() if own is other else own.differences(other)


def find_first_touched(stretches: Sequence[EditionStretch], used: dict[Use, int]) -> int | None:
    """Returns the first event of a line that a change may have affected, or None.

    Only first uses are noted. If the edition changed on the way, something used before may have
    been used again after it, so the whole later stretch counts.
    """
    found = []
    for place, stretch in enumerate(stretches):
        later = stretches[place + 1].first if place + 1 < len(stretches) else None
        for use in differences(stretch.own, stretch.other):
            first = used.get(use)
            if first is not None and (later is None or first < later):
                found.append(max(first, stretch.first))
    return min(found, default=None)


def list_differences(stretches: Sequence[EditionStretch]) -> dict[Use, tuple[Any, Any]]:
    """Returns all differences anywhere on a line, with the old and the new value."""
    found: dict[Use, tuple[Any, Any]] = {}
    for own, other in dict.fromkeys((one.own, one.other) for one in stretches):
        for use in differences(own, other):
            found.setdefault(use, (value_of(own, use), value_of(other, use)))
    return found


def value_of(terms: Terms, use: Use) -> Any:
    """Returns the value in force for a use."""
    kind, *rest = use
    if kind == "reading":
        return terms.values[rest[0]]
    if kind == "record":
        printed = [*terms.printed.values(), *terms.replaced]
        known = next((one for one in printed if one.__name__ == rest[0]), None)
        return rest[0] if known is None else terms.current(known).__name__
    rows = terms.tables[rest[0]]
    if kind == "rows":
        return list(rows)
    row = rows.get(rest[1])
    if kind == "row":
        return None if row is None else msgspec.to_builtins(row)
    return None if row is None else msgspec.to_builtins(getattr(row, rest[2]))


# --- what a person types --------------------------------------------------------------------------


def parse_change(
    rules: Ruleset, said: Mapping[str, str]
) -> tuple[dict[str, Value], dict[str, dict[str, Cells | None]]]:
    """Parses values given by name: a reading, a row with one figure, or `table/row/cell`."""
    readings: dict[str, Value] = {}
    content: dict[str, dict[str, Any]] = {}
    for name, text in said.items():
        if name in rules.readings:
            readings[name] = rules.readings[name].parse(text)
        else:
            table, row, cell = _cell(rules, name)
            content.setdefault(table, {}).setdefault(row, {})[cell] = _parse_cell(name, text)
    return readings, content


def _cell(rules: Ruleset, name: str) -> tuple[str, str, str]:
    """Finds the content cell that a name means."""
    parts = name.split("/")
    if len(parts) == 3 and parts[0] in rules.content:
        return parts[0], parts[1], parts[2]
    found = [
        (table, name, cells[0])
        for table, rows in rules.content.items()
        if name in rows
        and len(cells := [one for one in rows[name].__struct_fields__ if one != "id"]) == 1
    ]
    if len(found) == 1:
        return found[0]
    known = ", ".join(sorted(rules.readings))
    evidence = {"reading": name[:80], "known": f"{known}; or TABLE/ROW/CELL of the content"}
    raise Refused("unknown_reading", "", "", evidence)


def _parse_cell(name: str, text: str) -> Any:
    """Parses a cell's value as a number or a truth value, else as text. The row's type decides
    in the end.
    """
    if text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    if not (digits.isdecimal() and digits.isascii()):
        return text
    number = Reading(id=name[:80], value=0, rule="", why="", range=(-(10**9), 10**9))
    return number.parse(text)
