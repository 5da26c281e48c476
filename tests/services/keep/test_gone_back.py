"""A server of the operator's own that has gone back: no process opens it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.keep.guard import GoneBack
from services.run.settings import Settings
from services.run.stores import open_store, standing_store
from tests.support.log.filling import witnessed
from tests.support.log.matches import PLAIN, played
from tests.support.servers import Server


def test_a_server_of_ones_own_that_has_gone_back_is_not_opened(ledger: Server, tmp_path: Path):
    connection = Connection(ledger.url)
    journal = played(PLAIN, store=RedisStore(connection))
    witnessed(connection, tmp_path / "segments")
    settings = Settings(data=tmp_path, redis_url=ledger.url, unsafe=True)
    with open_store(settings) as store:
        assert store.tip(journal.match_id) == journal.history.tip
    connection.call("FLUSHALL")
    with pytest.raises(GoneBack, match="restore --from-segments"), open_store(settings):
        pass
    with pytest.raises(GoneBack):
        standing_store(settings)
