"""Every rule that a refusal can cite is known to `hegemon rules`, with a text that can be read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from ledger.games import GAMES, ruleset
from replays.story.rulebook import list_cited_rules, paragraphs, words_of

LEDGER: Final = Path(__file__).resolve().parents[2] / "ledger"
ID: Final = re.compile(r"[a-z0-9_]+(?:[.-][a-z0-9_-]+)+")
FRAGMENT: Final = re.compile(
    r"[^A-Z0-9+-]|(And|But|Else|Nor|Or|Than|Unless)\b|So (are|do|does|is)\b"
)


@cache
def places_of_rules() -> dict[str, int]:
    """The functions of the ledger that take a rule, each with the place of that parameter."""
    found = {"Refused": 1}
    for path in LEDGER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names = [one.arg for one in node.args.args if one.arg not in ("self", "cls")]
                if "rule" in names and not node.name.startswith("__"):
                    found[node.name] = names.index("rule")
    return found


def rules_in(node: ast.AST) -> Iterator[str]:
    """The rules that a call passes on, or that an attribute of a class names."""
    values: list[ast.expr] = []
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        at = places_of_rules().get(name)
        if at is not None and at < len(node.args):
            values.append(node.args[at])
        values += [one.value for one in node.keywords if (one.arg or "").endswith("rule")]
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(ast.unparse(one).endswith("rule") for one in targets):
            values.append(node.value)
    for value in values:
        if isinstance(value, ast.Constant | ast.IfExp | ast.BoolOp):
            for part in ast.walk(value):
                is_text = isinstance(part, ast.Constant) and isinstance(part.value, str)
                if is_text and ID.fullmatch(part.value):
                    yield part.value


def rules_passed_on(game: str) -> set[str]:
    return {
        rule
        for path in (LEDGER / "games" / game).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for rule in rules_in(node)
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_a_refusal_can_cite_is_listed(game: str):
    rules = ruleset(game)
    listed = {row["rule"] for row in paragraphs(rules)}
    passed_on = rules_passed_on(game)
    assert len(passed_on) >= {"hegemonic": 90, "galactic_hegemony": 20}.get(game, 1)
    assert sorted(passed_on - listed) == []
    assert sorted(list_cited_rules(rules).keys() - listed) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_text_that_stands_by_itself(game: str):
    rules = ruleset(game)
    texts = {rule: words_of(rules, rule) for rule in list_cited_rules(rules)}
    assert {rule: text for rule, text in texts.items() if not stands_by_itself(text)} == {}


def stands_by_itself(text: str) -> bool:
    """Whether it is no piece of another sentence: words, from a beginning to a stop."""
    words = [word for word in text.split() if word[:1].isalnum()]
    ends = text.endswith((".", ".)"))
    return ends and len(words) > 1 and not FRAGMENT.match(text) and "`" not in text


@pytest.mark.parametrize("text", ["", "Or none.", ", at once.", "So does it.", "1.", "`a.b`, and"])
def test_a_fragment_is_seen(text: str):
    assert not stands_by_itself(text)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_another_game_are_not_listed(game: str):
    chapters = {one.chapter for one in list_cited_rules(ruleset(game)).values()}
    assert not [name for name in chapters if name.startswith(("games.", "kernel.", "ledger."))]
