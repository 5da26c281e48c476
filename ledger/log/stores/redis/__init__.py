"""The log on a Redis or Valkey server.

keys.py         shards, the names of all keys, and an event as one stream entry
connection.py   the one place that talks to redis-py: time-outs, no retries, raw replies
ledger.lua      the server's atomic steps: append, keep, ship
soundness.py    checks whether a server's settings would lose or evict events
store.py        RedisStore; it loads ledger.lua, and checks that it is the expected one
"""

from .store import RedisStore

__all__ = ["RedisStore"]
