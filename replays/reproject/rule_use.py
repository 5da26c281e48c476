"""The index of rule use: decides from a line's recorded lookups what a change may affect.

The fold notes the first event that used a reading, a cell, a table's rows or a record type. If
nothing that a change alters was used, no event can come out differently, which is proved without
folding. Otherwise all events before the first such use are as they were, and the fold goes on from
the last position before it.

    stretches, Index.first_uses() ── find_first_touched() ──▶ the first event that may differ

An index belongs to one log (its head) under one source of the rules, and proves nothing about
others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from ledger.kernel.lookup import Use
from ledger.kernel.match import Match
from ledger.kernel.ruleset import Result, Ruleset
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store

from .change import Basis, Change, RulesUnder, basis_of, find_first_touched
from .projection import AsPlayed, PackedMatch

FORMAT: Final = 1


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a line used, with its stored positions and its result."""

    format: int
    match: str
    head: bytes
    ruleset: str
    source: str
    options: dict[str, int | bool | str]
    overlay: bytes
    editions: list[tuple[int, str]]
    answers: int  # on the line
    undone: int  # events that are not
    used: list[tuple[list[str], int]]
    held: list[tuple[int, str, bytes]]  # event, edition, position
    result: Result | None
    published: dict[str, tuple[bytes, ...]] = {}

    def of(self, history: History) -> bool:
        """Tells if the index belongs to this very log, under these very rules."""
        here = (FORMAT, history.match, history.tip.head, history.rules.source)
        return (self.format, self.match, self.head, self.source) == here

    def basis(self, rules: Ruleset) -> Basis | None:
        """Returns the basis of the line; None if the index belongs to other rules."""
        if (self.format, self.ruleset, self.source) != (FORMAT, rules.name, rules.source):
            return None
        return Basis(rules, self.options, self.overlay, self.editions, self.published)

    def first_uses(self) -> dict[Use, int]:
        return _uses(self.used)

    def before(self, version: int) -> PackedMatch | None:
        """Returns the last stored position before an event."""
        found = [one for one in self.held if one[0] < version]
        if not found:
            return None
        at, edition, held = found[-1]
        # Uses first noted up to that event.
        used = {use: first for use, first in self.first_uses().items() if first <= at}
        return PackedMatch(at, edition, held, used)

    def packed(self) -> bytes:
        return msgspec.msgpack.encode(self)


def may_be_touched(index: Index, rules: Ruleset, change: Change) -> bool | None:
    """Tells if a change could affect a match; None if its index proves nothing here."""
    basis = index.basis(rules)
    if basis is None:
        return None
    stretches = RulesUnder(basis, change).stretches()
    return find_first_touched(stretches, index.first_uses()) is not None


def read_index(packed: bytes) -> Index | None:
    """Decodes an index; None if it is unreadable, since it is only a cache."""
    try:
        return msgspec.msgpack.decode(packed, type=Index)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None


def index_of(history: History) -> Index:
    """Builds the index of a log by folding the line of its tip once."""
    return _index_of_fold(AsPlayed(history))


def _index_of_fold(played: AsPlayed) -> Index:
    return index_after(played.history, played.match, [one[:3] for one in played.held])


def index_after(
    history: History, match: Match | None, held: Sequence[tuple[int, str, bytes]] = ()
) -> Index:
    """Builds the index of a log from the match at its end; it may have no positions to resume
    from.
    """
    basis = basis_of(history)
    line = history.lines.line(history.tip.version)
    return Index(
        format=FORMAT,
        match=history.match,
        head=history.tip.head,
        ruleset=history.rules.name,
        source=history.rules.source,
        options=dict(basis.options),
        overlay=basis.overlay,
        editions=list(basis.editions),
        answers=sum(not isinstance(history.body(one), ActBody) for one in line),
        undone=len(history.lines.undone()),
        used=[] if match is None else sorted((list(use), n) for use, n in match.used.items()),
        held=list(held),
        result=None if match is None or not match.ended else match.result(),
        published=dict(basis.published),
    )


def index_in(store: Store, history: History) -> Index | None:
    """Builds the index of a log from its stored snapshots; None if there are none.

    It folds the events after the last snapshot, since no snapshot has their uses yet.
    """
    found = list(_snapshots(store, history))
    if not found:
        return None
    played = AsPlayed(history, start=found[0])
    index = _index_of_fold(played)
    held = {one.version: one[:3] for one in (*found, *played.held)}
    return msgspec.structs.replace(index, held=[held[version] for version in sorted(held)])


def _snapshots(store: Store, history: History) -> Iterator[PackedMatch]:
    """Yields the snapshots on the tip's line that belong to these rules, the last first."""
    line, source = set(history.lines.line(history.tip.version)), history.rules.source
    most = history.tip.version
    while most > 0:
        one = store.snapshot(history.match, most, None, source)
        if one is None:
            return
        if one.version in line and history.events[one.version - 1].head == one.head:
            used = msgspec.msgpack.decode(one.used, type=list[tuple[list[str], int]])
            yield PackedMatch(one.version, one.edition, one.held, _uses(used))
        most = one.version - 1


def _uses(plain: Iterable[tuple[Sequence[str], int]]) -> dict[Use, int]:
    return {tuple(use): first for use, first in plain}
