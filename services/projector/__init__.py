"""The projector reads and folds what was written, and stores the results.

feeds.py     reads the feeds of several shards, and checks that they have not gone back
copying.py   feeds to segments shards.py    one shard: follows its matches, and parks those
it cannot fold loop.py      all shards of this process: copies and projects in turns
__main__.py  the process

Snapshots, standings and rule-use indexes are written under a lease, together with the feed
position they belong to. All of them can be rebuilt from the log. Segments are written
whether or not anything can be projected.
"""
