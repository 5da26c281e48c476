"""The command line, for matches in the store and for bundle files.

support/exits.py has the exit codes.
"""

from __future__ import annotations

from .commands import main

__all__ = ["main"]
