"""The jobs that audit: a match, and a tournament out of the audits of its matches.

The name of a result has everything that the audit depends on: the log as far as it goes, through
whose eyes, and the program. A tournament's matches are jobs of their own, of a moment each, which
as many workers as there are do side by side; what is done stays done whatever becomes of a worker.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from redis import Redis

from ledger.games import ruleset
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from replays.audit.document import Audit, packed
from services.jobs.audit import TournamentAudit, audit_of, eyes_for, played_in, tournament_audit

from .names import Progress
from .replays import OtherLog, program, viewer_of
from .results import DAY, PASSING_SECONDS, Shelf, name_of

KIND: Final = "audit"
OF_TOURNAMENT: Final = "tournament_audit"
SERVICE: Final = "service"  # a viewer: as the match's own service has it audited


class WantedAudit(msgspec.Struct, frozen=True, kw_only=True):
    """The audit of a match, by everything that it depends on."""

    match: str
    version: int  # the last event that is looked at
    head: str
    viewer: str  # as an address names it: spectator, a seat's number, all; or the service
    program: str = ""

    @property
    def name(self) -> str:
        """Under which name it lies."""
        return name_of(KIND, msgspec.to_builtins(self))


class WantedOfTournament(msgspec.Struct, frozen=True, kw_only=True):
    """The report on a tournament: its book, and the audits of its matches."""

    tournament: str
    entry: int  # the last entry of its book
    head: str  # of that entry
    matches: tuple[WantedAudit, ...]
    program: str = ""

    @property
    def name(self) -> str:
        """Under which name it lies."""
        return name_of(OF_TOURNAMENT, msgspec.to_builtins(self))


def work(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """What a worker does for a match."""
    wanted = msgspec.convert(arguments, WantedAudit)
    shelf, seconds = Shelf(server), _seconds(wanted.program)
    if shelf.packed(wanted.name) is not None:
        return  # another has made it in the meantime
    store = _store()
    try:
        shelf.put(wanted.name, packed(made(store, wanted, progress)), seconds)
    finally:
        store.line.close()


def work_on_tournament(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """What a worker does for a tournament: it takes the audits that lie there."""
    wanted = msgspec.convert(arguments, WantedOfTournament)
    shelf, seconds = Shelf(server), _seconds(wanted.program)
    if shelf.packed(wanted.name) is not None:
        return
    store = _store()
    try:
        made_now = packed(made_of_tournament(store, wanted, shelf, progress))
        shelf.put(wanted.name, made_now, seconds)
    finally:
        store.line.close()


def _seconds(asked_by: str) -> int:
    """While web and worker differ, what is made lies there for a moment only."""
    return DAY if asked_by == program() else PASSING_SECONDS


def _store() -> Any:
    from services.run.settings import read_settings
    from services.run.stores import told_store

    store = told_store(read_settings())
    assert store is not None, "a worker has a ledger"
    return store


def made(store: Store, wanted: WantedAudit, progress: Progress = lambda _, __: None) -> Audit:
    """The audit of a match, from the log."""
    history = History.of(store, wanted.match, ruleset)
    last = wanted.version
    if history.tip.version < last or history.events[last - 1].head.hex() != wanted.head:
        raise OtherLog(f"event {last} of {wanted.match} is not what it was")
    if history.tip.version > last:
        history = history.up_to(last)
    own = wanted.viewer == SERVICE
    return audit_of(
        store, history, eyes_for(history) if own else viewer_of(wanted.viewer), progress
    )


def made_of_tournament(
    store: Store,
    wanted: WantedOfTournament,
    shelf: Shelf | None = None,
    progress: Progress = lambda _, __: None,
) -> TournamentAudit:
    """The report on a tournament; the audit of a match that does not lie there is made here."""
    by_match = {one.match: one for one in wanted.matches}

    def audit_match(match: str) -> Audit:
        one = by_match[match]
        found = None if shelf is None else shelf.packed(one.name)
        if found is None:
            return made(store, one)
        return msgspec.json.decode(gzip.decompress(found), type=Audit)

    return tournament_audit(store, wanted.tournament, audit_match, progress)


def wanted_of(store: Store, match: str) -> WantedAudit:
    """The audit of a match as its service has it made: `eyes_for` says through whose eyes."""
    tip = store.tip(match)
    return WantedAudit(
        match=match,
        version=tip.version,
        head=tip.head.hex(),
        viewer=SERVICE,
        program=program(),
    )


def wanted_of_tournament(store: Store, tournament: str, entry: int, head: str) -> Any:
    """The report on a tournament as it stands now."""
    _, matches = played_in(store, tournament)
    return WantedOfTournament(
        tournament=tournament,
        entry=entry,
        head=head,
        matches=tuple(wanted_of(store, one.match) for one in matches),
        program=program(),
    )
