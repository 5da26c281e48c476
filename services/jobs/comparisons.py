"""The job that compares a match under two sets of rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from redis import Redis

from ledger.games import ruleset
from ledger.kernel.audience import ALL_SEATS
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from replays.reproject.change import Change
from replays.reproject.comparison_document import packed, side_by_side
from replays.reproject.policies import Policies

from .names import Progress
from .replays import ALL, OtherLog, program, viewer_of
from .results import DAY, PASSING_SECONDS, ResultStore, name_of

KIND: Final = "comparison"


class WantedComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison, by everything it depends on."""

    match: str
    version: int  # the last event that is looked at
    head: str
    viewer: str  # as an address names it: spectator, a seat's number, all
    a: Change
    b: Change
    policies: Policies
    at: int = 0  # 0: where the two first part
    program: str = ""

    @property
    def name(self) -> str:
        return name_of(KIND, msgspec.to_builtins(self))


def work(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Compares a match under two sets of rules; the work of a job."""
    from services.run.settings import read_settings
    from services.run.stores import told_store

    del progress
    wanted = msgspec.convert(arguments, WantedComparison)
    shelf = ResultStore(server)
    seconds = DAY if wanted.program == program() else PASSING_SECONDS
    if shelf.packed(wanted.name) is not None:
        return
    store = told_store(read_settings())
    assert store is not None, "a worker has a ledger"
    try:
        shelf.put(wanted.name, made(store, wanted), seconds)
    finally:
        store.line.close()
        store.cache.close()


def made(store: Store, wanted: WantedComparison) -> bytes:
    """Makes a comparison from the log."""
    history = History.of(store, wanted.match, ruleset)
    last = wanted.version
    if history.tip.version < last or history.events[last - 1].head.hex() != wanted.head:
        raise OtherLog(f"event {last} of {wanted.match} is not what it was")
    if history.tip.version > last:
        history = history.up_to(last)
    viewer = ALL_SEATS if wanted.viewer == ALL else viewer_of(wanted.viewer)
    assert viewer != "all", "all seats are a viewer of their own here"
    found = side_by_side(
        history, wanted.a, wanted.b, wanted.at or None, policies=wanted.policies, viewer=viewer
    )
    return packed(found)
