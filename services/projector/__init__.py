"""The projector reads and folds what was written, and stores the results.

    loop.py      all shards of this process: copies and projects in turns
    segments.py  copies feeds to segments
    shards.py    one shard: follows its matches, and parks those it cannot fold
    __main__.py  the process

Snapshots, standings and rule-use indexes are written under a lease, together with the feed
position they belong to. All of them can be rebuilt from the log. Segments are written
whether or not anything can be projected.
"""
