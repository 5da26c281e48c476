"""The games, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset

GAMES = ("tictactoe", "galactic_hegemony", "hegemonic")


@cache
def ruleset(name: str) -> Ruleset:
    if name not in GAMES:
        evidence = {"ruleset": name[:80], "known": ", ".join(GAMES)}
        raise Refused("unknown_ruleset", "", "", evidence)
    rules: Ruleset = import_module(f"{__name__}.{name}").RULES
    assert rules.name == name, f"the ruleset in the folder {name} calls itself {rules.name}"
    return rules


def rulesets() -> Mapping[str, Ruleset]:
    return {name: ruleset(name) for name in GAMES}
