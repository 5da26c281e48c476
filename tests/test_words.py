"""One word, one thing: what docs/words.md asks for, as far as a test can see it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("ledger", "replays", "services")

# Class names that stand for two things, and why.
TWICE: Final = {
    "Closed": "the act that closes a match; the store's answer to an append after it",
    "Conflict": "of the replay document, whose names are published; the store's answer to a race",
    "Deal": "of the replay document; of the parts from which games make their own",
    "Event": "of the log's format; of the replay document: both are published",
    "Part": "of a price, in the published schema of facts; of a total in the replay document",
    "Research": "a decision and a step of Hegemonic, both under the word of the rulebook",
    "Ruleset": "the rules of a game; their title page in the replay document",
    "Step": "a part of the sequence of play; of a deal in the replay document",
}
RIDDLE: Final = re.compile(
    r"(What|Who|Whoever|Whatever|Whose|Whom|Of|Whether|How|Where|Which|Nobody|Somebody)\b"
)
RULE_IDS: Final = re.compile(r"(`[^`]+`[,;]? ?)+[:.]? *")
PUBLISHED: Final = {"RunsApartShape"}  # in the OpenAPI document
OLD_WORDS: Final = {
    "apart", "beside", "chronicle", "desk", "door", "grounds", "pen", "pool", "recounting",
    "retelling", "scribe", "shelf", "ship", "telling", "touching", "trying",
}  # fmt: skip

EVERYDAY: Final = {"apart", "beside", "ship"}  # also plain words, in names of functions and fields


@cache
def trees() -> dict[Path, ast.Module]:
    return {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def game_of(path: Path) -> str:
    """The game whose folder a file is in; games are books of their own, with words of their own."""
    parts = path.relative_to(ROOT).parts
    return parts[2] if parts[:2] == ("ledger", "games") and len(parts) > 3 else ""


def public_classes() -> Iterator[tuple[str, str, Path]]:
    for path, tree in trees().items():
        for node in tree.body:
            # The name of a view is half an operationId, which is published.
            bases = {ast.unparse(base) for base in getattr(node, "bases", ())}
            if isinstance(node, ast.ClassDef) and node.name[0] != "_" and "MethodView" not in bases:
                yield game_of(path), node.name, path.relative_to(ROOT)


def test_a_public_class_name_stands_for_one_thing() -> None:
    places: dict[tuple[str, str], list[str]] = {}
    for game, name, path in public_classes():
        places.setdefault((game, name), []).append(str(path))
    found = {name: where for (_, name), where in places.items() if len(where) > 1}
    assert {name: where for name, where in found.items() if name not in TWICE} == {}


def comments(text: str, marks: str) -> Iterator[tuple[int, str]]:
    """The comments of a source that begin a line: the number of the first line, and its words.

    The second line of a comment does not begin it. `marks` is a pattern of what opens a comment.
    """
    within = False
    for number, line in enumerate(text.splitlines(), 1):
        words = re.match(rf"\s*(?:{marks}) *(.*)", line)
        if words is not None and words[1] and not within:
            yield number, words[1]
        within = words is not None and bool(words[1])


def sources() -> Iterator[tuple[Path, str]]:
    """The sources whose comments are looked at, and what opens a comment in them."""
    for path in trees():
        yield path, "#"
    static = ROOT / "services" / "web" / "static"
    for path in (*static.rglob("*.js"), *(ROOT / "docs").glob("*.mjs")):
        if "vendor" not in path.parts:
            yield path, r"//|/\*\*?|\*(?!/)"


def docstrings() -> Iterator[tuple[str, str]]:
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name = getattr(node, "name", "")
                yield f"{path.relative_to(ROOT)}:{name}", ast.get_docstring(node) or ""


def test_no_docstring_begins_with_a_riddle() -> None:
    found = [where for where, text in docstrings() if RIDDLE.match(RULE_IDS.sub("", text, count=1))]
    assert found == []


def test_no_comment_begins_with_a_riddle() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {words}"
        for path, marks in sources()
        for number, words in comments(path.read_text(encoding="utf-8"), marks)
        if RIDDLE.match(words)
    ]
    assert found == []


def test_old_words_do_not_come_back_as_names() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, tree in trees().items()
        for name in (
            path.stem,
            *(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)),
        )
        if {word.lower() for word in re.findall(r"[A-Z]?[a-z]+", name)} & OLD_WORDS
        and not game_of(path)  # the words of a printed game are its own
        and name not in PUBLISHED
    ]
    assert found == []


def names_in(tree: ast.Module) -> Iterator[str]:
    """The names of functions, parameters, attributes and variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_old_words_do_not_come_back_as_names_of_functions_attributes_and_files() -> None:
    old = OLD_WORDS - EVERYDAY
    names = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, tree in trees().items()
        if not game_of(path)
        for name in names_in(tree)
        if set(re.findall(r"[a-z]+", name.lower())) & old
    ]
    files = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.*"))
        if path.suffix in (".css", ".html", ".js", ".lua") and "vendor" not in path.parts
        if set(re.findall(r"[a-z]+", path.stem.lower())) & old
    ]
    assert names + files == []


def test_the_words_are_some_eighty_and_each_is_defined_once() -> None:
    text = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
    defined, _, _ = text.partition("## Not said any more")
    rows = re.findall(r"^\| ([a-z][^|]*) \|", defined, re.MULTILINE)
    words = [word.strip() for row in rows if row != "word" for word in row.split(",")]
    assert len(words) == len(set(words))
    assert 80 <= len(words) <= 120


FUNCTIONS_THAT_ARE_PARTICIPLES_MAX: Final = 220  # it may fall, never rise
IRREGULAR: Final = {
    "made", "said", "told", "shown", "found", "known", "held", "kept", "sent", "written", "drawn",
    "given", "taken", "begun", "done", "gone", "chosen", "broken", "seen", "hidden", "built",
    "bought", "brought", "caught", "dealt", "heard", "left", "lost", "paid", "won", "beside",
    "once", "apart", "otherwise", "anew", "here", "there", "lately", "soon", "ahead",
}  # fmt: skip


def test_functions_are_verbs() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and not any("property" in ast.unparse(mark) for mark in node.decorator_list)
        and (node.returns is None or ast.unparse(node.returns) != "bool")
        for word in (node.name.lstrip("_").partition("_")[0],)
        if word in IRREGULAR or (word.endswith("ed") and len(word) > 4 and word != "speed")
    ]
    assert len(found) <= FUNCTIONS_THAT_ARE_PARTICIPLES_MAX, "\n".join(found)
