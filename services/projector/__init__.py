"""The projector: reads what was written, folds it, and keeps what comes of it where it is found.

feeds.py     the feeds of several shards, read on; and whether they still say what they said
copying.py   feeds in, segments out
shards.py    one shard: its matches followed, parked where they cannot be folded
loop.py      all shards that this process has: copied and projected by turns
__main__.py  the process

Snapshots, standings and rule-use indexes are written together with the position in the feed that
they stand for, under a lease. All of it can be had again from the log. Segments are written
whether or not anything can be projected.
"""
