"""Jobs: some matches of one run, as bytes, and the work that they are.

Whoever runs them (processes here, a queue elsewhere) hands a worker one job and passes on what
comes back, match by match. A match that fails, or takes too long, is a verdict like others.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec

from ledger.kernel.refusals import Refused
from ledger.log.bundle import BadBundle, read_history
from ledger.log.chain import Event
from ledger.log.commitments import Opening
from ledger.log.history import History, RulesOf
from ledger.rules import ruleset
from replays.change import Change
from replays.judging import failed, proved, reproject
from replays.policies import Policies
from replays.touching import Index, index_of, read_index
from replays.verdicts import MatchVerdict
from replays.verify import Verdict, verify
from services.limits import OutOfTime, work_limit

MATCH_LIMIT_S: Final = 60.0  # of work for one match
DAMAGED: Final = "damaged: "  # how the error of a bundle begins that is not what it was


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What all jobs of a run have in common."""

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


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One match of a run: a bundle's path, or the log itself; or why it could not be read."""

    source: str
    path: str | None = None
    log: Log | None = None
    trouble: str = ""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Some matches of a run."""

    terms: Terms
    items: list[Item]


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """One match of a job."""

    source: str
    verdict: MatchVerdict
    seconds: float = 0.0


def log_of(history: History, index: Index | None = None) -> Log:
    """A history as bytes."""
    return Log(
        index=None if index is None else index.packed(),
        match=history.match,
        overlay=history.overlay,
        events=[(one.version, one.head, one.body) for one in history.events],
        openings=[(o.version, o.path, o.salt, o.plain) for o in history.openings.values()],
    )


def work(job: Job, rules_of: RulesOf = ruleset) -> Iterator[Done]:
    """Re-project the matches of a job, one by one."""
    for item in job.items:
        began = time.monotonic()
        verdict = _judged(item, job.terms, rules_of)
        yield Done(source=item.source, verdict=verdict, seconds=time.monotonic() - began)


def _judged(item: Item, terms: Terms, rules_of: RulesOf) -> MatchVerdict:
    history = History(item.source, rules_of)
    change, policies = terms.change, terms.policies
    try:
        with work_limit(terms.limit_s):
            if item.trouble:
                raise BadBundle(item.trouble)
            path, index = _kept_index(item, terms)
            if index is not None:
                verdict = proved(index, rules_of(index.ruleset), change, policies)
                if verdict is not None:
                    return verdict
            history = _read(item, rules_of)
            if index is None and path is not None and history.life.started:
                index = _keep_index(history, path)
            return reproject(history, change, policies, index)
    except OutOfTime as late:
        error = f"out_of_time: {late}"
    except Refused as refusal:
        error = str(refusal)
    except BadBundle as reason:
        error = f"{DAMAGED}{reason}"
    except MemoryError:
        error = "the machine has too little memory for this match"
    except Exception as reason:  # noqa: BLE001 - one match must not stop a run
        error = f"{type(reason).__name__}: {reason}"
    return failed(history, change, policies, error)


# --- reading --------------------------------------------------------------------------------------


def _read(item: Item, rules_of: RulesOf) -> History:
    if item.log is not None:
        return _unpacked(item.log, rules_of)
    assert item.path is not None, "an item is a file or a log"
    packed = Path(item.path).read_bytes()
    report = verify(BytesIO(packed), rules_of, fast=True)
    if Verdict(report.verdict) is Verdict.INVALID:
        failing = "; ".join(f"{one.name}: {one.detail}" for one in report.failed[:1])
        raise BadBundle(failing)
    return read_history(BytesIO(packed), rules_of)


def _unpacked(log: Log, rules_of: RulesOf) -> History:
    history = History(log.match, rules_of, log.overlay)
    history.know(Opening(*one) for one in log.openings)
    for one in log.events:
        history.add(Event(*one))
    return history


# --- indexes --------------------------------------------------------------------------------------


def _kept_index(item: Item, terms: Terms) -> tuple[Path | None, Index | None]:
    """The index of a match: its store's, or one kept in a folder; and where one is to be kept.

    It is kept under the hash of the very bytes that it is of: a bundle's, which were checked when
    it was made, or the log's head.
    """
    if terms.full:
        return None, None
    if item.log is not None and item.log.index is not None:
        index = read_index(item.log.index)
        return None, index if index is not None and index.head == item.log.events[-1][1] else None
    if terms.index is None:
        return None, None
    if item.log is not None:
        mark = hashlib.sha256(item.log.match.encode() + item.log.events[-1][1])
    else:
        assert item.path is not None, "an item is a file or a log"
        mark = hashlib.sha256(Path(item.path).read_bytes())
    path = Path(terms.index) / f"{mark.hexdigest()[:32]}.index"
    return path, read_index(path.read_bytes()) if path.is_file() else None


def _keep_index(history: History, path: Path) -> Index | None:
    """Make the index of a match, and keep it; a match that cannot be folded has none."""
    with suppress(Exception):  # what is wrong with it is for its verdict to say
        index = index_of(history)
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_bytes(index.packed())
        beside.replace(path)
        return index
    return None
