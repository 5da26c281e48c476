"""Starts and runs the processes."""

__version__ = "0.2.0"
