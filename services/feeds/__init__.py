"""The feeds of the ledger: read in one place, for everyone who follows them.

reader.py   Feeds: positions, contents, damage, and feeds that have gone back
hub.py      wakes those who watch or tend matches
lag.py      how far the projections are behind
"""
