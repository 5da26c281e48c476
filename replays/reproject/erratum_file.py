"""Erratum files: the format in which an organizer writes an erratum, and its reader.

    id = "club.01"
    ruleset = "hegemonic"
    date = "2027-01-01"
    scope = "from-now-on"        # or "retroactive"
    text = "Players tied for first on a board get 4 points each."
    source = "Club meeting in December"         # may be left out

    [readings]
    "support.value" = "location-power"

    [content.figures."score.tie-first"]
    value = 4

For a content row that exists, only the named cells change; a new row must be complete.
`remove = ["lines/rising"]` removes rows. The reader reports every mistake with its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from ledger.club.texts import all_shown
from ledger.kernel.content import Table, lay_over
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.kernel.terms import Terms
from ledger.log.format.canonical import NotCanonical
from ledger.log.format.published import DATE_PATTERN, ID_PATTERN, SCOPES, TEXT_MAX, Published
from ledger.log.read.history import RulesOf

from .erratum_places import Path, places, too_much

NEEDED: Final = ("id", "ruleset", "date", "scope", "text")
KEYS: Final = (*NEEDED, "source", "readings", "content", "remove")
FILE_BYTES_MAX: Final = 1 << 16
KNOWN_SHOWN: Final = 12  # names that are listed where none is close
TROUBLES_MAX: Final = 50  # mistakes that are told; nobody mends more at once
LETTERS_SHOWN: Final = 80  # of what stands in the file
WHY_MAX: Final = 400  # letters of what the game or the log says of it
_SYNTAX: Final = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)")

_PLAIN: Final = (str, int, float, list, dict)


class Mistake(NamedTuple):
    """A mistake: its place, what is wrong, and what is expected instead."""

    line: int | None
    key: str
    wrong: str
    expected: str

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}, "
        return f"{where}{self.key}: {self.wrong}; expected: {self.expected}"


class BadErratum(ValueError):
    """Raised for a file that is no valid erratum; lists all its mistakes."""

    def __init__(self, troubles: list[Mistake]) -> None:
        super().__init__("\n".join(map(str, troubles)))
        self.troubles = troubles


def read_erratum(text: str, rules_of: RulesOf, games: Collection[str]) -> Published:
    """The erratum in a file; raises BadErratum with what is wrong, TROUBLES_MAX mistakes at most.

    A text that is none costs no more than in proportion to its length.
    """
    reader = _Reader(text, _plain(text), rules_of, games)
    troubles = list(islice(reader.troubles(), TROUBLES_MAX))
    if troubles:
        raise BadErratum(troubles)
    assert reader.found is not None, "nothing is wrong with it"
    return reader.found


def _plain(text: str) -> dict[str, Any]:
    """Parses a text as TOML; refuses a text that would cost more than its size."""
    if len(text.encode(errors="surrogatepass")) > FILE_BYTES_MAX:
        wrong = f"it has more than {FILE_BYTES_MAX} bytes"
        raise BadErratum([Mistake(None, "the file", wrong, "a shorter one")])
    if (much := too_much(text)) is not None:
        raise BadErratum([Mistake(much.line, "the file", much.wrong, much.expected)])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        found = _SYNTAX.fullmatch(str(reason))
        assert found is not None, "TOML says where"
        line = int(found[2]) if found[2] else len(text.splitlines())
        trouble = Mistake(line, "the file", _short(found[1], WHY_MAX), "TOML")
        raise BadErratum([trouble]) from None


class _Reader:
    """Checks every part of one file."""

    def __init__(
        self, text: str, plain: dict[str, Any], rules_of: RulesOf, games: Collection[str]
    ) -> None:
        self._plain = plain
        self._rules_of = rules_of
        self._games = games
        self._lines = places(text)
        self.found: Published | None = None

    def troubles(self) -> Iterator[Mistake]:
        """Yields every mistake, in the order of the keys above."""
        right = True
        for one in self._apart():
            right = False
            yield one
        if right:
            yield from self._together(self._rules_of(self._plain["ruleset"]))

    def _apart(self) -> Iterator[Mistake]:
        """Yields the mistakes that each part has by itself."""
        yield from self._keys()
        yield from self._header()
        game = self._plain.get("ruleset")
        if isinstance(game, str) and game in self._games:
            rules = self._rules_of(game)
            yield from self._own_id(rules)
            yield from self._readings(rules)
            yield from self._content(rules)

    def _trouble(self, path: Path, wrong: str, expected: str) -> Mistake:
        shown = next((path[:n] for n in range(len(path), 0, -1) if path[:n] in self._lines), ())
        return Mistake(self._lines.get(shown), ".".join(map(_short, path)), wrong, expected)

    # --- the head ------------------------------------------------------------------------------

    def _keys(self) -> Iterator[Mistake]:
        for name in sorted(self._plain.keys() - set(KEYS)):
            yield self._trouble((name,), "there is no such key", _one_of(name, KEYS))
        for name in NEEDED:
            if name not in self._plain:
                yield self._trouble((name,), "it is missing", HEADER[name][1])
        for name in sorted(self._plain.keys() & set(KEYS)):
            if not all_shown(self._plain[name]):
                wrong = "it has a letter that is invisible or changes the writing direction"
                yield self._trouble((name,), wrong, "printable letters")

    def _header(self) -> Iterator[Mistake]:
        for name, (fits, expected) in HEADER.items():
            value = self._plain.get(name, "")
            if name in self._plain and not (isinstance(value, str) and fits(value)):
                yield self._trouble((name,), f"it cannot be {_format_value(value)}", expected)
        game = self._plain.get("ruleset")
        if isinstance(game, str) and game and game not in self._games:
            wrong = f"there is no game {_format_value(game)}"
            yield self._trouble(("ruleset",), wrong, _one_of(game, self._games))

    def _own_id(self, rules: Ruleset) -> Iterator[Mistake]:
        if self._plain.get("id") in rules.editions:
            wrong = f"{self._plain['id']} is an edition of {rules.name} itself"
            yield self._trouble(("id",), wrong, "a name of the club's own, such as club.01")

    # --- what it changes -----------------------------------------------------------------------

    def _readings(self, rules: Ruleset) -> Iterator[Mistake]:
        readings = self._plain.get("readings", {})
        if not isinstance(readings, dict):
            yield self._trouble(("readings",), "it is no table", "[readings] with names and values")
            return
        for name, value in readings.items():
            path = ("readings", name)
            if name not in rules.readings:
                yield self._trouble(path, "there is no such reading", _one_of(name, rules.readings))
                continue
            try:
                rules.readings[name].check(value)
            except Refused:
                expected = rules.readings[name].values_text()
                if isinstance(rules.readings[name].value, bool):
                    expected = "true or false"
                yield self._trouble(path, f"it cannot be {_format_value(value)}", expected)

    def _content(self, rules: Ruleset) -> Iterator[Mistake]:
        content = self._plain.get("content", {})
        if not isinstance(content, dict):
            yield self._trouble(("content",), "it is no table", "[content.TABLE.ROW] with cells")
            return
        declared = {table.name: table for table in rules.tables}
        for name, rows in content.items():
            if name not in declared:
                wrong, expected = "there is no such table", _one_of(name, declared)
                yield self._trouble(("content", name), wrong, expected)
                continue
            if not isinstance(rows, dict):
                yield self._trouble(("content", name), "it has no rows", f"[content.{name}.ROW]")
                continue
            for row, cells in rows.items():
                yield from self._row(rules, declared[name], row, cells)
        yield from self._removed(rules)

    def _row(self, rules: Ruleset, table: Table[Any], row: str, cells: Any) -> Iterator[Mistake]:
        path = ("content", table.name, row)
        fields = [one for one in table.row.__struct_fields__ if one != "id"]
        if not isinstance(cells, dict) or not cells:
            yield self._trouble(path, "it has no cells", ", ".join(fields))
            return
        unknown = [one for one in cells if one not in fields]
        for cell in unknown:
            yield self._trouble((*path, cell), "the row has no such cell", _one_of(cell, fields))
        if unknown:
            return
        known = row in rules.content[table.name]
        for part in [{cell: cells[cell]} for cell in cells] if known else [cells]:
            try:
                lay_over(rules.content, {table.name: table}, {table.name: {row: part}})
            except Refused as refusal:
                near = _one_of(row, rules.content[table.name])
                missing = f"a whole row of {', '.join(fields)}; or a row that exists: {near}"
                expected = f"what {table.name} can hold" if known else missing
                where = (*path, *part) if known else path
                why = _short(refusal.message.rstrip("."), WHY_MAX)
                yield self._trouble(where, why, expected)

    def _removed(self, rules: Ruleset) -> Iterator[Mistake]:
        removed = self._plain.get("remove", [])
        expected = 'a list of rows, each as "TABLE/ROW"'
        if not isinstance(removed, list) or not all(isinstance(one, str) for one in removed):
            yield self._trouble(("remove",), "it is no list of rows", expected)
            return
        for one in removed:
            table, _, row = one.partition("/")
            if row not in rules.content.get(table, ()):
                near = _one_of(row, rules.content[table]) if table in rules.content else expected
                yield self._trouble(("remove",), f"there is no row {_format_value(one)}", near)
            elif row in _rows(self._plain.get("content", {}), table):
                yield self._trouble(("remove",), f"{one} is changed as well", "one of the two")

    def _together(self, rules: Ruleset) -> Iterator[Mistake]:
        """Checks the file as a whole: it must fit the game in each of its editions."""
        readings, content = self._plain.get("readings", {}), self._plain.get("content", {})
        laid: dict[str, dict[str, Any]] = {}
        for name, rows in content.items():
            laid[name] = dict(rows)
        for one in self._plain.get("remove", []):
            table, _, row = one.partition("/")
            laid.setdefault(table, {})[row] = None
        if not readings and not laid:
            expected = "[readings], [content.TABLE.ROW] or remove"
            yield Mistake(None, "the file", "it changes nothing", expected)
            return
        whole: dict[str, Any] = {"readings": readings, "content": laid}
        for name in (*NEEDED, "source"):
            if name in self._plain:
                whole[name] = self._plain[name]
        try:
            found = msgspec.convert(whole, Published)
            assert found.packed, "an erratum has bytes"
            for edition in rules.editions:
                Terms(rules, edition, behind=[found.erratum])
        except (NotCanonical, msgspec.ValidationError) as reason:
            yield Mistake(None, "the file", _why(reason), "numbers, true or false, texts and lists")
        except Refused as refusal:
            expected = f"something that {rules.title} allows"
            yield Mistake(None, "the file", _why(refusal), expected)
        else:
            self.found = found


# --- what is expected -----------------------------------------------------------------------------


def _is_date(text: str) -> bool:
    try:
        return re.fullmatch(DATE_PATTERN, text) is not None and bool(tomllib.loads(f"d = {text}"))
    except ValueError:
        return False


HEADER: Final[Mapping[str, tuple[Callable[[str], bool], str]]] = {
    "id": (
        lambda text: re.fullmatch(ID_PATTERN, text) is not None,
        "up to 40 small letters, digits, points and dashes, such as club.01",
    ),
    "ruleset": (bool, "the name of a game"),
    "date": (_is_date, 'a day that there is, such as "2027-01-31", in quotes'),
    "scope": (lambda text: text in SCOPES, " or ".join(SCOPES)),
    "text": (
        lambda text: 0 < len(text) <= TEXT_MAX,
        f"the rule in words, {TEXT_MAX} letters at most",
    ),
    "source": (lambda text: len(text) <= TEXT_MAX, "a text"),
}


def _one_of(name: str, known: Collection[str]) -> str:
    """Returns the known names closest to a wrong one, or some of them if none is close."""
    every = sorted(known)
    near = get_close_matches(str(name), every, n=3)
    if near:
        return " or ".join(near)
    more = len(every) - KNOWN_SHOWN
    return ", ".join(every[:KNOWN_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    # Any other value is a day or a time without quotes.
    return (repr(value) if isinstance(value, _PLAIN) else str(value))[:LETTERS_SHOWN]


def _short(text: str, most: int = LETTERS_SHOWN) -> str:
    """A name or a message, as far as it is told."""
    return text if len(text) <= most else f"{text[:most]}…"


def _why(reason: Exception) -> str:
    return _short(str(reason), WHY_MAX)


def _rows(content: Any, table: str) -> Collection[str]:
    """The rows of a table that the file says something of."""
    rows = content.get(table) if isinstance(content, dict) else None
    return rows if isinstance(rows, dict) else ()
