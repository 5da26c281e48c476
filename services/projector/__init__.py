"""The projector: reads what was written, folds it, and keeps what comes of it where it is found.

shards.py    one shard: its matches followed, parked where they cannot be folded
loop.py      all shards that this process has: feeds in, segments and projections out
__main__.py  the process

Snapshots, standings and rule-use indexes are written together with the position in the feed that
they stand for, under a lease. All of it can be had again from the log.
"""
