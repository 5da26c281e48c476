"""The log on a Redis or Valkey server.

keys.py         shards, and what every key is called
entries.py      an event as one stream entry, and entries as events again
connection.py   the one place that talks to redis-py: time-outs, no retries, raw replies
ledger.lua      what the server does in one step: append, keep, ship
functions.py    puts it there, and checks that it is what it should be
soundness.py    whether a server's settings would lose or evict events
store.py        RedisStore
"""

from .store import RedisStore

__all__ = ["RedisStore"]
