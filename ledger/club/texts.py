"""Texts that people write: names, titles, reasons, talk. One look at what may stand in them.

A letter is fit to be shown if it can be printed. Control characters are not, nor are those that
cannot be seen or turn the direction of what follows: with them a text looks like another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any


def is_shown(text: str) -> bool:
    """Whether all of a text can be seen; spaces of any width, and breaks between lines, are."""
    return text.isprintable() or all(
        letter.isprintable() or letter == "\n" or unicodedata.category(letter) == "Zs"
        for letter in text
    )


def is_one_line(text: str) -> bool:
    """Whether it is a name or a title: on one line, with plain spaces, and none at its ends."""
    return text.isprintable() and text == text.strip()


def cleaned(text: str) -> str:
    """A text without what cannot be seen."""
    return "".join(letter for letter in text if is_shown(letter)).strip()


def all_shown(value: Any) -> bool:
    """Whether every text in a value that came as JSON can be seen: keys, too."""
    if isinstance(value, str):
        return is_shown(value)
    if isinstance(value, Mapping):
        return all(all_shown(name) and all_shown(one) for name, one in value.items())
    return all(map(all_shown, value)) if isinstance(value, list | tuple) else True
