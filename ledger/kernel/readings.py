"""Readings: one value for each rule that the book leaves open, misprints or offers as an option.

`readings.toml` of a ruleset has a table for each:

    [opening]
    value = "turns"             # the printed or house value
    also = ["sealed"]           # the other values; or `range = [0, 9]` for a number
    option = true               # a match may choose it at creation, as a variant
    called = "First marks"      # its name in the form
    rule = "begin.opening"
    why = "..."

The value in force is the match's option, else the match's overlay, else the edition's, else
this.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import msgspec

from .refusals import Refused

Value: TypeAlias = int | bool | str

_INTEGER: Final = re.compile(r"-?[0-9]{1,15}")


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A parameter of the rules and the values that it may have."""

    id: str
    value: Value
    rule: str
    why: str
    also: tuple[Value, ...] = ()
    range: tuple[int, int] | None = None
    option: bool = False
    called: str = ""  # what people call it; from a file without it, its id

    def check(self, value: object) -> Value:
        """Returns `value` if this reading allows it, else refuses."""
        fits = type(value) is type(self.value)
        if fits and self.range is not None:
            low, high = self.range
            fits = isinstance(value, int) and low <= value <= high
        elif fits:
            fits = value == self.value or value in self.also
        if not fits:
            evidence = {"reading": self.id, "value": str(value)[:80], "values": self.values_text()}
            raise Refused("bad_value", self.rule, "The reading has no such value.", evidence)
        assert isinstance(value, int | bool | str)
        return value

    def values_text(self) -> str:
        """Returns its allowed values as text: `0..9` or `turns|sealed`."""
        if self.range is not None:
            return f"{self.range[0]}..{self.range[1]}"
        return "|".join(str(value) for value in (self.value, *self.also))

    def parse(self, text: str) -> Value:
        """Parses a value that a person typed."""
        if isinstance(self.value, bool):
            known = {"true": True, "yes": True, "false": False, "no": False}
            return self.check(known.get(text.lower(), text))
        if isinstance(self.value, int) and _INTEGER.fullmatch(text):
            return self.check(int(text))
        return self.check(text)


def read_readings(text: str) -> dict[str, Reading]:
    raw: dict[str, Any] = tomllib.loads(text)
    return {
        name: msgspec.convert({"id": name, "called": name, **row}, Reading)
        for name, row in raw.items()
    }


def in_force(printed: Mapping[str, Reading], *layers: Mapping[str, Any]) -> dict[str, Value]:
    """Returns the value of each reading: a later layer wins over an earlier one."""
    values: dict[str, Value] = {name: reading.value for name, reading in printed.items()}
    for layer in layers:
        for name, value in layer.items():
            if name not in printed:
                evidence = {"reading": name[:80], "known": ", ".join(sorted(printed))}
                raise Refused("unknown_reading", "", "", evidence)
            values[name] = printed[name].check(value)
    return values
