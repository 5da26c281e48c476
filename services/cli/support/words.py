"""Typed input: decisions as `TYPE field=value ...`, options as `name=value`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_origin, get_type_hints

from ledger.kernel.readings import Value
from ledger.kernel.records import CHANCE, CONTROL, Decision, Seat, tag_of
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset

SEAT_WORDS = {"chance": CHANCE, "control": CONTROL}


def pairs(words: Iterable[str], code: str = "malformed_decision") -> dict[str, str]:
    """Parses `name=value` words. Refuses a name given twice."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise Refused(code, "", "Give a value as name=value.", {"given": word[:80]})
        if name in found:
            raise Refused(code, "", "You gave a value twice.", {"name": name[:80]})
        if any("\ud800" <= sign <= "\udfff" for sign in word):
            raise Refused(code, "", "A value is not valid Unicode.", {"given": word[:80]})
        found[name] = value
    return found


def options_of(rules: Ruleset, words: Iterable[str]) -> tuple[tuple[str, Value], ...]:
    chosen: dict[str, Value] = {}
    for name, text in pairs(words, "bad_value").items():
        if name not in rules.readings:
            evidence = {"reading": name[:80], "known": ", ".join(sorted(rules.readings))}
            raise Refused("unknown_reading", "", "", evidence)
        try:
            chosen[name] = rules.readings[name].parse(text)
        except ValueError:  # "--5" and the like, which only look like numbers
            chosen[name] = rules.readings[name].check(text)
    return tuple(sorted(chosen.items()))


def seat_of(word: str) -> Seat:
    """Converts a word to a seat's number; also takes `chance` and `control`."""
    if word in SEAT_WORDS:
        return SEAT_WORDS[word]
    if word.isascii() and word.isdecimal() and len(word) < 4:
        return int(word)
    raise Refused("no_such_seat", "", "A seat is a number from 0.", {"seat": word[:80]})


def decision_of(rules: Ruleset, kind: str, words: Iterable[str]) -> Decision:
    """Parses a typed decision. The last word of its type is enough."""
    known = {tag_of(one): one for one in rules.decisions}
    matching = [tag for tag in known if tag == kind or tag.rpartition(".")[2] == kind]
    if len(matching) != 1:
        evidence = {"type": kind[:80], "known": ", ".join(sorted(known))}
        raise Refused("unknown_decision", "", "", evidence)
    hints = get_type_hints(known[matching[0]])
    plain: dict[str, Any] = {"type": matching[0]}
    for name, text in pairs(words).items():
        plain[name] = _value(hints.get(name, str), text)
    return rules.decision(plain)


def _value(hint: Any, text: str) -> Any:
    """Converts a text to the type of its field. The record itself refuses a wrong value."""
    if get_origin(hint) in (tuple, list):
        inner = get_args(hint)[0]
        return [_value(inner, part) for part in text.split(",")] if text else []
    wanted = get_args(hint) or (hint,)
    if type(None) in wanted and text in ("", "none"):
        return None
    if bool in wanted and text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    if int in wanted and digits.isascii() and digits.isdecimal():
        # Python reads integers of any length in quadratic time; the record refuses such ones.
        return int(text) if len(digits) <= 17 else 1 << 62
    return text


def format_decision(decision: Mapping[str, Any]) -> str:
    """Formats a decision, or its view, as it is typed."""
    fields = " ".join(
        f"{name}={_format_value(value)}" for name, value in decision.items() if name != "type"
    )
    return f"{decision['type']} {fields}".strip()


def _format_value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(_format_value(item) for item in value)
    return "none" if value is None else str(value)
