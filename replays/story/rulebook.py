"""Paragraphs: the rules of a game by their ids, as its classes, readings and errata cite
them.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import takewhile
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from ledger.kernel.records import rule_of
from ledger.kernel.ruleset import KERNEL_FACTS, Ruleset

# In a docstring; what has neither dot nor dash in it is a field.
_CITED: Final = re.compile(r"`([a-z0-9_]+(?:[.-][a-z0-9_-]+)+|LD[0-9]+)`")
_NEXT: Final = re.compile(r"\s*`[a-z0-9.-]+`(?:, |: )")  # where another one begins


def package_of(rules: Ruleset) -> str:
    """Returns the package that holds all chapters of a game."""
    kinds = [kind for kind in (*rules.agenda, *rules.facts) if kind not in KERNEL_FACTS]
    parents = [kind.__module__.split(".")[:-1] for kind in kinds]
    shared = takewhile(lambda names: len(set(names)) == 1, zip(*parents, strict=False))
    return ".".join(names[0] for names in shared)


def paragraphs(rules: Ruleset) -> list[dict[str, str]]:
    """Returns every rule that a class of the ruleset cites: id, class, text and chapter."""
    replacing = [new for erratum in rules.errata for new in erratum.replaces.values()]
    package = package_of(rules)
    found = [
        (
            rule_of(kind),
            kind.__name__,
            " ".join((inspect.getdoc(kind) or "").split()),
            kind.__module__.removeprefix(f"{package}."),
        )
        for kind in (*rules.agenda, *rules.facts, *replacing)
        if rule_of(kind) and not kind.__module__.startswith("ledger.kernel")
    ]
    for reading in rules.readings.values():
        text = f"{reading.values_text()} (printed: {reading.value}). {reading.why}"
        found.append((reading.rule, f"reading {reading.id}", text, "readings"))
    for erratum in rules.errata:
        text = f"{erratum.text} ({erratum.date}, {erratum.source})"
        found.append((erratum.id, "erratum", text, "errata"))
    return [dict(zip(("rule", "class", "text", "chapter"), row, strict=True)) for row in found]


class Cited(NamedTuple):
    """The text that a game's docstring gives for a rule."""

    rule: str
    text: str
    chapter: str


@cache
def _find_citations(package: str) -> Mapping[str, Cited]:
    found: dict[str, Cited] = {}
    names = sorted(name for name in sys.modules if name.startswith(f"{package}."))
    for name in (package, *names):
        for doc in _docs(sys.modules[name]):
            for part in doc.split("\n\n"):
                for rule in _CITED.findall(part):
                    begins = f"`{rule}`: " in part
                    if rule not in found or (begins and f"`{rule}`: " not in found[rule].text):
                        text = " ".join(part.split())
                        found[rule] = Cited(rule, text, name.removeprefix(f"{package}."))
    return found


def _docs(module: ModuleType) -> Iterator[str]:
    """Yields the docstrings of a chapter's classes, methods and functions."""
    for one in vars(module).values():
        if getattr(one, "__module__", "") != module.__name__:
            continue
        if isinstance(one, type):
            yield inspect.cleandoc(one.__doc__ or "")
            for part in vars(one).values():
                function = getattr(part, "__func__", part)
                if isinstance(function, FunctionType):
                    yield inspect.cleandoc(function.__doc__ or "")
        elif isinstance(one, FunctionType):
            yield inspect.cleandoc(one.__doc__ or "")


def list_cited_rules(rules: Ruleset) -> Mapping[str, Cited]:
    """Returns every rule id that the game's code, readings or errata cite, with its text."""
    errata = {one.id: Cited(one.id, one.text, "errata") for one in rules.errata}
    readings = {one.rule: Cited(one.rule, one.why, "readings") for one in rules.readings.values()}
    return {**readings, **_find_citations(package_of(rules)), **errata}


def words_of(rules: Ruleset, rule: str) -> str:
    """Returns the text of the class that cites a rule first, or else the sentence that begins
    with it.
    """
    records = (*rules.agenda, *rules.decisions, *rules.facts)
    kind = next((one for one in records if rule and rule_of(one) == rule), None)
    if kind is not None:
        doc = (inspect.getdoc(kind) or "").split("\n\n")[0]
        text = " ".join(doc.split()).removeprefix(f"`{rule}`").lstrip(":, ")
    else:
        cited = list_cited_rules(rules).get(rule)
        text = "" if cited is None else _NEXT.split(cited.text.partition(f"`{rule}`: ")[2])[0]
    return text[:1].upper() + text[1:]


def rules_of_class(kind: type[Any]) -> list[str]:
    return list(dict.fromkeys(_CITED.findall(kind.__doc__ or "")))
