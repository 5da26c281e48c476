"""Signed heads on disk: the key, the tree over all events, its tiles."""
