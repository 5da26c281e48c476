"""Checks text that people write: names, titles, reasons, chat messages.

A letter may be shown if it can be printed. Control characters may not, nor may invisible characters
or those that turn the direction of the following text: they make a text look like another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any


def is_shown(text: str) -> bool:
    """Tells if all of a text is visible; spaces of any width and line breaks count as visible."""
    return text.isprintable() or all(
        letter.isprintable() or letter == "\n" or unicodedata.category(letter) == "Zs"
        for letter in text
    )


def is_one_line(text: str) -> bool:
    """Tells if a text fits a name or title: one line, plain spaces, none at its ends."""
    return text.isprintable() and text == text.strip()


def clean_text(text: str) -> str:
    """Removes invisible characters from a text."""
    return "".join(letter for letter in text if is_shown(letter)).strip()


def all_shown(value: Any) -> bool:
    """Tells if every text in a JSON value is visible, including keys."""
    if isinstance(value, str):
        return is_shown(value)
    if isinstance(value, Mapping):
        return all(all_shown(name) and all_shown(one) for name, one in value.items())
    return all(map(all_shown, value)) if isinstance(value, list | tuple) else True
