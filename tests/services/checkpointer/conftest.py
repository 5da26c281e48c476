"""A ledger whose segments are copied out by a projector, and a checkpointer behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.anchors.notes import Signer
from ledger.games import ruleset
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.witness import Witness
from services.checkpointer.loop import Checkpointer
from services.keep.heads.keys import signer_in
from services.keep.heads.tree import HEADS, TreeWriter
from services.projector.loop import Projector
from tests.support.servers import Server


@pytest.fixture
def store(ledger: Server) -> RedisStore:
    return RedisStore(Connection(ledger.url))


@pytest.fixture
def copied(store: RedisStore, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Has everything that is on the server in the segments."""
    projector = Projector(store, ruleset, Witness(tmp_path / "segments"))

    def copy() -> None:
        while projector.step(0):
            pass
        projector._copier.sync()

    yield copy
    projector.stop()


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return signer_in(tmp_path)


@pytest.fixture
def opened(
    store: RedisStore, tmp_path: Path, signer: Signer
) -> Iterator[Callable[..., Checkpointer]]:
    """Opens a checkpointer over the folder, as a process that starts would, the last one closed."""
    trees: list[TreeWriter] = []

    def open_it(clock: Callable[[], float] = lambda: 0.0, **said: bool) -> Checkpointer:
        while trees:
            trees.pop().close()
        trees.append(TreeWriter(tmp_path / HEADS))
        return Checkpointer(
            trees[-1], tmp_path / "segments", signer, store.connection, clock, **said
        )

    yield open_it
    while trees:
        trees.pop().close()
