"""Cells of CSV that a spreadsheet shows and does not reckon."""

from __future__ import annotations

from typing import Any, Final

# A program that shows tables takes a text that begins with one of these for a formula.
FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe_cell(cell: Any) -> Any:
    """Returns a cell; a text that looks like a formula gets a quote in front."""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULAS):
        return f"'{cell}"
    return cell
