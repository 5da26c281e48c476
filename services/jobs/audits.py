"""The jobs that audit a match, and a tournament from the audits of its matches.

A result's name covers everything the audit depends on: the log up to its head, the
viewpoint and the program. Each match of a tournament is its own short job, and all workers
share them. A match done stays done if a worker dies.
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
from .results import DAY, PASSING_SECONDS, ResultStore, name_of

KIND: Final = "audit"
OF_TOURNAMENT: Final = "tournament_audit"
SERVICE: Final = "service"  # a viewer: as the match's own service has it audited


class WantedAudit(msgspec.Struct, frozen=True, kw_only=True):
    """The audit of a match, by everything it depends on."""

    match: str
    version: int  # the last event that is looked at
    head: str
    viewer: str  # as an address names it: spectator, a seat's number, all; or the service
    program: str = ""

    @property
    def name(self) -> str:
        return name_of(KIND, msgspec.to_builtins(self))


class WantedOfTournament(msgspec.Struct, frozen=True, kw_only=True):
    """The report on a tournament, by everything it depends on: book and match audits."""

    tournament: str
    entry: int  # the last entry of its book
    head: str  # of that entry
    matches: tuple[WantedAudit, ...]
    program: str = ""

    @property
    def name(self) -> str:
        return name_of(OF_TOURNAMENT, msgspec.to_builtins(self))


def work(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Audits a match; the work of a job."""
    wanted = msgspec.convert(arguments, WantedAudit)
    shelf, seconds = ResultStore(server), _seconds(wanted.program)
    if shelf.packed(wanted.name) is not None:
        return  # another has made it in the meantime
    store = _store()
    try:
        shelf.put(wanted.name, packed(made(store, wanted, progress)), seconds)
    finally:
        store.line.close()


def work_on_tournament(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Audits a tournament from the stored audits of its matches; the work of a job."""
    wanted = msgspec.convert(arguments, WantedOfTournament)
    shelf, seconds = ResultStore(server), _seconds(wanted.program)
    if shelf.packed(wanted.name) is not None:
        return
    store = _store()
    try:
        made_now = packed(made_of_tournament(store, wanted, shelf, progress))
        shelf.put(wanted.name, made_now, seconds)
    finally:
        store.line.close()


def _seconds(asked_by: str) -> int:
    """Returns how long to keep a result: briefly while web and worker run different programs."""
    return DAY if asked_by == program() else PASSING_SECONDS


def _store() -> Any:
    from services.run.settings import read_settings
    from services.run.stores import told_store

    store = told_store(read_settings())
    assert store is not None, "a worker has a ledger"
    return store


def made(store: Store, wanted: WantedAudit, progress: Progress = lambda _, __: None) -> Audit:
    """Audits a match from its log."""
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
    shelf: ResultStore | None = None,
    progress: Progress = lambda _, __: None,
) -> TournamentAudit:
    """Returns the report on a tournament; audits here the matches without a stored audit."""
    by_match = {one.match: one for one in wanted.matches}

    def audit_match(match: str) -> Audit:
        one = by_match[match]
        found = None if shelf is None else shelf.packed(one.name)
        if found is None:
            return made(store, one)
        return msgspec.json.decode(gzip.decompress(found), type=Audit)

    return tournament_audit(store, wanted.tournament, audit_match, progress)


def wanted_of(store: Store, match: str) -> WantedAudit:
    """Returns the audit that the service requests for a match. `eyes_for` sets the viewpoint."""
    tip = store.tip(match)
    return WantedAudit(
        match=match,
        version=tip.version,
        head=tip.head.hex(),
        viewer=SERVICE,
        program=program(),
    )


def wanted_of_tournament(store: Store, tournament: str, entry: int, head: str) -> Any:
    """Returns the request for a report on a tournament as it is now."""
    _, matches = played_in(store, tournament)
    return WantedOfTournament(
        tournament=tournament,
        entry=entry,
        head=head,
        matches=tuple(wanted_of(store, one.match) for one in matches),
        program=program(),
    )
