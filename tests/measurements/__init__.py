"""Measurements that are published in docs/measurements, each by a command that makes it again."""
