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

_ID: Final = r"`(?:[a-z0-9_]+(?:[.-][a-z0-9_-]+)*|LD[0-9]+)`"
# In a docstring; what has neither dot nor dash in it is a field.
_CITED: Final = re.compile(r"`([a-z0-9_]+(?:[.-][a-z0-9_-]+)+|LD[0-9]+)`")
# The beginning of a sentence about one or more rules: "`a`, `b` and `c` level 1: ..."
_LEVELS: Final = r" levels? [0-9](?: and [0-9])?"
_LEAD: Final = re.compile(rf"(?:{_ID}(?:, and |, | and ))*{_ID}(?:{_LEVELS})?: ")
_BRACKETED: Final = re.compile(rf" \({_ID}(?:, {_ID})*\)")
_ENDS: Final = re.compile(r"(?<=[.;]) ")


def package_of(rules: Ruleset) -> str:
    """Returns the package that holds all chapters of a game; parts of several games lie outside."""
    kinds = [kind for kind in (*rules.agenda, *rules.facts) if kind not in KERNEL_FACTS]
    modules = [kind.__module__ for kind in kinds]
    parents = [name.split(".")[:-1] for name in modules if not name.startswith("ledger.parts.")]
    shared = takewhile(lambda names: len(set(names)) == 1, zip(*parents, strict=False))
    return ".".join(names[0] for names in shared)


def paragraphs(rules: Ruleset) -> list[dict[str, str]]:
    """Returns every rule that the ruleset cites: id, class, text and chapter.

    First the rules that its classes cite first, then all others, the readings and the errata.
    """
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
    listed = {rule for rule, *_ in found}
    for rule, cited in _find_citations(package).items():
        if rule not in listed:
            found.append((rule, cited.name, words_of(rules, rule), cited.chapter))
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
    name: str = ""  # of the class or function whose docstring it is


@cache
def _find_citations(package: str) -> Mapping[str, Cited]:
    found: dict[str, Cited] = {}
    begins: set[str] = set()
    names = sorted(name for name in sys.modules if name.startswith(f"{package}."))
    for module in (package, *names):
        for name, doc in _docs(sys.modules[module]):
            for part in doc.split("\n\n"):
                text = " ".join(part.split())
                led = {rule for lead in _LEAD.findall(text) for rule in _CITED.findall(lead)}
                for rule in _CITED.findall(text):
                    if rule not in found or rule in led - begins:
                        found[rule] = Cited(rule, text, module.removeprefix(f"{package}."), name)
                begins |= led
    return found


def _docs(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yields the docstrings of a chapter's classes, methods and functions, with their names."""
    for name, one in vars(module).items():
        if getattr(one, "__module__", "") != module.__name__:
            continue
        if isinstance(one, type):
            yield name, inspect.cleandoc(one.__doc__ or "")
            for part in vars(one).values():
                function = getattr(part, "__func__", part)
                if isinstance(function, FunctionType):
                    yield name, inspect.cleandoc(function.__doc__ or "")
        elif isinstance(one, FunctionType):
            yield name, inspect.cleandoc(one.__doc__ or "")


def list_cited_rules(rules: Ruleset) -> Mapping[str, Cited]:
    """Returns every rule id that the game's code, readings or errata cite, with its text."""
    errata = {one.id: Cited(one.id, one.text, "errata") for one in rules.errata}
    readings = {one.rule: Cited(one.rule, one.why, "readings") for one in rules.readings.values()}
    return {**readings, **_find_citations(package_of(rules)), **errata}


def words_of(rules: Ruleset, rule: str) -> str:
    """Returns what the rules say of a rule: the sentence of the class that cites it first, or else
    of the docstring, reading or erratum that cites it.
    """
    records = (*rules.agenda, *rules.decisions, *rules.facts)
    kind = next((one for one in records if rule and rule_of(one) == rule), None)
    if kind is not None:
        text = sentence_about(rule, inspect.getdoc(kind) or "")
    else:
        cited = list_cited_rules(rules).get(rule)
        text = "" if cited is None else sentence_about(rule, cited.text)
    return text[:1].upper() + text[1:] + ("." if text[-1:].isalnum() else "")


def sentence_about(rule: str, doc: str) -> str:
    """Returns what a docstring says of a rule: the text after its id and before the next one.

    "`a`, `b` level 1: text" is about `a` and `b`. Of a docstring that only names the rule in a
    sentence, it is that sentence; of "text (`a`)", the text; of one that does not name it, all.
    """
    texts = [" ".join(part.split()) for part in doc.split("\n\n")]
    for text in texts:
        for lead in _LEAD.finditer(text):
            if f"`{rule}`" in lead[0]:
                return _plain(_LEAD.split(text[lead.end() :])[0])
    naming = next((text for text in texts if f"`{rule}`" in text), texts[0])
    if naming.startswith(f"`{rule}`"):
        return _plain(naming.removeprefix(f"`{rule}`"))
    said = next((one for one in _ENDS.split(naming) if f"`{rule}`" in one), naming)
    return _plain(_LEAD.sub("", said).partition(f" (`{rule}`")[0])


def _plain(said: str) -> str:
    """Returns a text without the ids that stand in brackets in it."""
    return _BRACKETED.sub("", said).strip(":;, ")


def rules_of_class(kind: type[Any]) -> list[str]:
    return list(dict.fromkeys(_CITED.findall(kind.__doc__ or "")))
