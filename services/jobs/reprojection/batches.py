"""Jobs: some matches of one run, as bytes, and the work on them.

A runner (processes here, or a queue) gives a worker one job and passes on its results,
match by match. A match that fails, or takes too long, gets a verdict like others.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from ledger.games import ruleset
from ledger.kernel.refusals import Refused
from ledger.log.format.chain import Event, Opening
from ledger.log.read.bundle import BadBundle, read_history
from ledger.log.read.history import OVERLAY, History, RulesOf
from ledger.log.stores.protocol import Store
from replays.reproject.change import Change
from replays.reproject.judge import describe_error, error_verdict_of, prove_unchanged, reproject
from replays.reproject.policies import Policies
from replays.reproject.rule_use import Index, index_in, index_of, read_index
from replays.reproject.verdicts import MatchVerdict
from replays.verify.verifier import Verdict, verify
from services.jobs.results import OtherLog, log_until
from services.run.cpu_limit import OutOfTime, work_limit

MATCH_LIMIT_S: Final = 60.0  # of work for one match
KILLED_AFTER: Final = 3.0  # times the limit, by the clock on the wall: no signal was heard
KILLED_AFTER_S: Final = 10.0  # and so many seconds more
TRIES: Final = 2  # of a match that takes its worker along
DIED: Final = "its worker died"
OUT_OF_TIME: Final = "out_of_time: "  # how the error of a match begins that took too long
KILLED: Final = f"{OUT_OF_TIME}it was killed"
DAMAGED: Final = "damaged: "  # how the error of a bundle begins that is not what it was


class RunTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms common to all jobs of a run."""

    change: Change
    policies: Policies
    full: bool = False
    limit_s: float = MATCH_LIMIT_S
    index: str | None = None  # a folder in which the matches' rule-use indexes are kept


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """A match as bytes, for a worker that has no store."""

    match: str
    overlay: bytes | None
    events: list[tuple[int, bytes, bytes]]
    openings: list[tuple[int, str, bytes, bytes]]
    index: bytes | None = None  # what its store knows of what it asked for


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A match in the ledger up to an event, for a worker that can read it there."""

    match: str
    version: int
    head: str


class _Item(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A match of a run."""

    source: str


class FileItem(_Item, frozen=True, kw_only=True, tag="file"):
    """A bundle on this machine's disk."""

    path: str


class BundleItem(_Item, frozen=True, kw_only=True, tag="bundle"):
    """A bundle, as its bytes."""

    bundle: bytes


class LogItem(_Item, frozen=True, kw_only=True, tag="log"):
    """A log, as its bytes."""

    log: Log


class StoredItem(_Item, frozen=True, kw_only=True, tag="stored"):
    """A log in the worker's ledger."""

    stored: Stored


class UnreadableItem(_Item, frozen=True, kw_only=True, tag="unreadable"):
    """A match that cannot be read, and why."""

    trouble: str


RunItem: TypeAlias = FileItem | BundleItem | LogItem | StoredItem | UnreadableItem


class Job(msgspec.Struct, frozen=True, kw_only=True):
    terms: RunTerms
    items: Sequence[RunItem]


class MatchDone(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    verdict: MatchVerdict
    seconds: float = 0.0


def log_of(history: History, index: Index | None = None) -> Log:
    return Log(
        index=None if index is None else index.packed(),
        match=history.match,
        overlay=history.overlay,
        events=[(one.version, one.head, one.body) for one in history.events],
        openings=[(o.version, o.path, o.salt, o.plain) for o in history.openings.values()],
    )


def patience_of(terms: RunTerms) -> float:
    """Returns the seconds after which a worker still at the same match is killed."""
    return terms.limit_s * KILLED_AFTER + KILLED_AFTER_S


def abandon_match(job: Job, item: RunItem, why: str) -> MatchDone:
    """Returns the error verdict of a match that is not tried again."""
    nothing = History(item.source, ruleset)
    return MatchDone(
        source=item.source,
        verdict=error_verdict_of(nothing, job.terms.change, job.terms.policies, why),
    )


def work(job: Job, rules_of: RulesOf = ruleset, store: Store | None = None) -> Iterator[MatchDone]:
    """Re-projects the matches of a job one by one."""
    for item in job.items:
        began = time.monotonic()
        verdict = _verdict_on(item, job.terms, rules_of, store)
        yield MatchDone(source=item.source, verdict=verdict, seconds=time.monotonic() - began)


def _verdict_on(
    item: RunItem, terms: RunTerms, rules_of: RulesOf, store: Store | None
) -> MatchVerdict:
    history = History(item.source, rules_of)
    change, policies = terms.change, terms.policies
    try:
        with work_limit(terms.limit_s):
            path, index = _find_index(item, terms)
            if index is not None:
                with suppress(Refused):  # a change that does not fit is told of with the log's head
                    verdict = prove_unchanged(index, rules_of(index.ruleset), change, policies)
                    if verdict is not None:
                        return verdict
            history = _read(item, rules_of, store)
            if isinstance(item, StoredItem) and store is not None and not terms.full:
                index = _index_in(store, history)
            if index is None and path is not None and history.life.started:
                index = _keep_index(history, path)
            return reproject(history, change, policies, index)
    except OutOfTime as late:
        error = f"{OUT_OF_TIME}{late}"
    except (BadBundle, OtherLog) as reason:
        error = f"{DAMAGED}{reason}"
    except MemoryError:
        error = "the machine has too little memory for this match"
    except Exception as reason:  # noqa: BLE001 - one match must not stop a run
        error = describe_error(reason)
    return error_verdict_of(history, change, policies, error)


# --- reading --------------------------------------------------------------------------------------


def _read(item: RunItem, rules_of: RulesOf, store: Store | None) -> History:
    match item:
        case UnreadableItem():
            raise BadBundle(item.trouble)
        case LogItem():
            return _unpack_log(item.log, rules_of)
        case StoredItem():
            assert store is not None, "whoever is told where a match lies can read it there"
            stored = item.stored
            history = History(stored.match, rules_of, store.kept(stored.match, OVERLAY))
            history.catch_up(store)  # without its secrets
            return log_until(history, stored.version, stored.head)
    packed = _bundle(item)
    report = verify(BytesIO(packed), rules_of, fast=True)
    if Verdict(report.verdict) is Verdict.INVALID:
        failing = "; ".join(f"{one.name}: {one.detail}" for one in report.failed[:1])
        raise BadBundle(failing)
    return read_history(BytesIO(packed), rules_of)


def _bundle(item: FileItem | BundleItem) -> bytes:
    return item.bundle if isinstance(item, BundleItem) else Path(item.path).read_bytes()


def embed_bundle(item: RunItem) -> RunItem:
    """Returns the item with its file's bytes, for a worker without this machine's files."""
    if not isinstance(item, FileItem):
        return item
    try:
        return BundleItem(source=item.source, bundle=_bundle(item))
    except OSError as reason:
        return UnreadableItem(source=item.source, trouble=str(reason))


def _index_in(store: Store, history: History) -> Index | None:
    """Returns a match's rule-use index from its snapshots, or None if it cannot be had."""
    if not history.life.started:
        return None
    try:
        return index_in(store, history)
    except Exception:  # noqa: BLE001 - what is wrong with it is for its verdict to say
        return None


def _unpack_log(log: Log, rules_of: RulesOf) -> History:
    history = History(log.match, rules_of, log.overlay)
    history.know(Opening(*one) for one in log.openings)
    for one in log.events:
        history.add(Event(*one))
    return history


# --- indexes --------------------------------------------------------------------------------------


def _find_index(item: RunItem, terms: RunTerms) -> tuple[Path | None, Index | None]:
    """Returns the path for keeping a match's index, and the index of its store or that path.

    The path has the hash of the exact bytes that the index describes: the bundle's, which were
    checked when it was made, or the log's head.
    """
    if terms.full or isinstance(item, StoredItem | UnreadableItem):
        return None, None
    if isinstance(item, LogItem) and item.log.index is not None:
        index = read_index(item.log.index)
        return None, index if index is not None and index.head == item.log.events[-1][1] else None
    if terms.index is None:
        return None, None
    if isinstance(item, LogItem):
        mark = hashlib.sha256(item.log.match.encode() + item.log.events[-1][1])
    else:
        mark = hashlib.sha256(_bundle(item))
    path = Path(terms.index) / f"{mark.hexdigest()[:32]}.index"
    return path, read_index(path.read_bytes()) if path.is_file() else None


def _keep_index(history: History, path: Path) -> Index | None:
    """Makes and keeps the index of a match; returns None if the match cannot be folded."""
    with suppress(Exception):  # what is wrong with it is for its verdict to say
        index = index_of(history)
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_bytes(index.packed())
        beside.replace(path)
        return index
    return None
