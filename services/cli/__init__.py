"""The command line: everything a tool does, on matches in the store or on bundle files.

The exit codes stand in exits.py.
"""

from __future__ import annotations

from .commands import main

__all__ = ["main"]
