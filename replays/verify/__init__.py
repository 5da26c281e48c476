"""Verification: whether a log is what it says."""
