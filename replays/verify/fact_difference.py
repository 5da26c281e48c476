"""Finds the first fact in which two folds of one event differ, and describes it for
people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

import msgspec

from ledger.kernel.records import Fact
from ledger.kernel.terms import facts_bytes

VALUE_MAX: Final = 60  # letters of a value that are shown


def first_fact_apart(stated: bytes, given: Sequence[Fact]) -> str:
    """Describes the first fact that differs from the stated one; "" if all are the same."""
    try:
        was = msgspec.msgpack.decode(stated)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "the stated facts cannot be read"
    if not isinstance(was, list):
        return "the stated value is not a list of facts"
    now = msgspec.msgpack.decode(facts_bytes(given))
    for place, (old, new) in enumerate(zip_longest(was, now), 1):
        if old != new:
            return f"fact {place}, {_difference(old, new)}"
    return ""


def _difference(old: Any, new: Any) -> str:
    if not isinstance(old, Mapping):
        return f"{_kind(new)}, is new: {_shorten_value(new)}" if old is None else "was not a fact"
    if new is None:
        return f"{_kind(old)}, is missing: {_shorten_value(old)}"
    if _kind(old) != _kind(new):
        return f"was {_kind(old)} and is {_kind(new)}"
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    told = (
        f"{n} was {_shorten_value(old.get(n))} and is {_shorten_value(new.get(n))}" for n in names
    )
    return f"{_kind(old)}: {'; '.join(told)}"


def _kind(fact: Mapping[str, Any]) -> str:
    return str(fact.get("type", "a fact without a name"))


def _shorten_value(value: Any) -> str:
    text = str(value)
    return text if len(text) <= VALUE_MAX else f"{text[: VALUE_MAX - 3]}..."
