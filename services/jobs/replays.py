"""The job that makes replays: from a match to the document that pages, files and programs
read.

A replay's name covers everything it depends on: the log up to its head, the viewpoint, the
edition, the other viewpoints the requester may use, and the program itself. So a result
never changes, and equal requests share it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal, TypeAlias

import msgspec
from redis import Redis

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from services.run.settings import ROOT

from .names import Progress
from .results import DAY, PASSING_SECONDS, ResultStore, name_of

KIND: Final = "replay"
SPECTATOR: Final = "spectator"
ALL: Final = "all"
# Whatever stands in these may change what a replay says.
SOURCES: Final = ("ledger", "replays", "services/jobs")
GOING_ON_SECONDS: Final = 600

Form: TypeAlias = Literal["json", "ndjson", "txt", "csv", "deals"]


class OtherLog(Exception):
    """The log is not the one that was requested."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A replay, by everything it depends on."""

    match: str
    version: int  # the last event that is told
    head: str
    viewer: str  # as an address names it: spectator, a seat's number, all
    edition: str = ""  # empty: as it was played
    viewpoints: tuple[str, ...] = ()  # through which eyes the asker may look
    why_not: str = ""  # and why not through others
    form: Form = "json"
    over: bool = False  # nothing comes after that event
    program: str = ""

    @property
    def name(self) -> str:
        return name_of(KIND, msgspec.to_builtins(self))

    @property
    def seconds(self) -> int:
        """Returns how long to keep it: briefly for a running match, since each event makes
        another.
        """
        return DAY if self.over else GOING_ON_SECONDS


@cache
def program() -> str:
    """Returns the hash of all source files that make replays."""
    whole = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                whole.update(f"{path.relative_to(ROOT)}\0".encode())
                whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def work(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Makes a replay; the work of a job."""
    from services.run.settings import read_settings
    from services.run.stores import told_store

    wanted = msgspec.convert(arguments, Wanted)
    # While web and worker are of different versions, who asks gets what this one makes; and for a
    # moment only, for under its name another belongs.
    shelf = ResultStore(server)
    seconds = wanted.seconds if wanted.program == program() else PASSING_SECONDS
    if shelf.packed(wanted.name) is not None:
        return  # another has made it in the meantime
    store = told_store(read_settings())
    assert store is not None, "a worker has a ledger"
    try:
        shelf.put(wanted.name, made(store, wanted, progress), seconds)
    finally:
        store.line.close()
        store.cache.close()


def made(store: Store, wanted: Wanted, progress: Progress = lambda _, __: None) -> bytes:
    """Makes a replay from the log."""
    history = History.of(store, wanted.match, ruleset)
    last = wanted.version
    if history.tip.version < last or history.events[last - 1].head.hex() != wanted.head:
        raise OtherLog(f"event {last} of {wanted.match} is not what it was")
    if history.tip.version > last:
        history = history.up_to(last)
    return written(history, wanted, progress)


def written(history: History, wanted: Wanted, progress: Progress) -> bytes:
    """Writes a replay in the requested form, which may be its deals only."""
    if wanted.form == "deals":
        from replays.deals import statements

        return statements.packed(statements.deals_of(history, viewer_of(wanted.viewer), progress))
    from replays.document import structs
    from replays.document.builder import build

    replay = build(
        history,
        viewer_of(wanted.viewer),
        wanted.edition or None,
        viewpoints=wanted.viewpoints,
        why_not=wanted.why_not,
        progress=progress,
    )
    if wanted.form == "ndjson":
        return b"".join(structs.ndjson(replay))
    if wanted.form == "txt":
        from replays.document.report import text

        return text(replay).encode()
    if wanted.form == "csv":
        from replays.document.spreadsheet import csv

        return csv(replay).encode()
    return structs.packed(replay)


def viewer_of(word: str) -> Viewer | Literal["all"]:
    if word == ALL:
        return "all"
    return None if word == SPECTATOR else int(word)
