"""The hash of a game's source: code and content count, words do not."""

from __future__ import annotations

import io
import random
import shutil
import tokenize
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import ledger
from ledger.games import GAMES, packaging, ruleset
from ledger.games.packaging import LITERAL, code_of, hash_of, source_of
from ledger.kernel.ruleset import Erratum, Ruleset
from ledger.log.read.seek import snapshot_of
from ledger.log.write.journal import Journal
from replays.reproject.rule_use import index_of
from tests.support.log.matches import PLAIN, started, step

LEDGER = Path(str(ledger.__file__)).parent
CHANGED, UNCHANGED = True, False

ERRATUM = """
[[errata]]
id = "err.01"
date = "2026-01-01"
source = "house"
text = "It is so."
"""
CODE = '''"""A module."""

class Pays(Step):
    """`deal.caps`: so it is paid. `general.pay-first`: in full.

    At once, and by all.
    """

    rule = "deal.caps"  # so it says

    def run(self, table):
        """`deal.audit`: yields what is paid."""
        # first the price
        text = (
            "in full"
        )
        yield paid(table, 3, text)
'''


def errata_in(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Erratum, ...]:
    (folder / "errata.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(packaging, "files", lambda _: folder)
    return packaging.errata_of("a.game")


def test_a_game_may_have_no_errata_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert errata_in("# none so far\n", tmp_path, monkeypatch) == ()
    (found,) = errata_in(f"{ERRATUM}readings = {{ a = 1 }}\n", tmp_path, monkeypatch)
    assert (found.id, found.date, found.readings, found.content) == (
        "err.01", "2026-01-01", {"a": 1}, {},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('text = "It is so."', "", "text"),
        ('text = "It is so."', "text = 3", "text"),
        ('source = "house"', 'sauce = "house"', "sauce"),
        ('source = "house"', 'source = "house"\nreplaces.A = "B"', "replaces"),
        ('source = "house"', 'source = "house"\ncontent = 3', "content"),
        ('"2026-01-01"', "2026-01-01", "date"),
        ('"2026-01-01"', '"2026-02-30"', "no such day"),
        ('"2026-01-01"', '"20260101"', "year-month-day"),
        ('"2026-01-01"', '"soon"', "year-month-day"),
        ("[[errata]]", "[[errors]]", "errors"),
        ("[[errata]]", "[[errata", "line 2"),
    ],
)
def test_an_errata_file_that_is_wrong_is_refused_by_its_name(
    before: str, after: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(ValueError, match=reason) as refused:
        errata_in(ERRATUM.replace(before, after), tmp_path, monkeypatch)
    assert str(refused.value).startswith(f"{tmp_path}/errata.toml: ")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("game", GAMES)
def test_only_the_root_of_a_game_reads_its_files(game: str):
    # The source hash leaves the loader of files out, so no rule may depend on it.
    root = LEDGER / "games" / ruleset(game).name.replace("-", "_")
    readers = [path for path in root.rglob("*.py") if "games.packaging" in path.read_text("utf-8")]
    assert readers == [root / "__init__.py"]


def test_code_has_neither_docstrings_nor_comments_nor_blank_lines():
    assert code_of(CODE).split("\n") == [
        "class Pays(Step):",
        "    `deal.caps`",
        "    rule = \0",
        "    def run(self, table):",
        "        text = (",
        "            \0",
        "        )",
        "        yield paid(table, 3, text)",
        '"deal.caps"\0"in full"',
    ]
    for word in ("module", "first the price", "so it", "At once", "deal.audit", "general"):
        assert word not in code_of(CODE)


def test_it_counts_which_class_cites_a_rule():
    one = 'class A(B):\n    """`x`: so."""\nclass C(A):\n    def a(self): return 1\n'
    other = 'class A(B):\nclass C(A):\n    """`x`: so."""\n    def a(self): return 1\n'
    assert code_of(one) != code_of(other)


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("A module.", "The module.", UNCHANGED),
        ("# first the price", "# the price comes first\n        # and then the rest", UNCHANGED),
        ("  # so it says", "", UNCHANGED),
        ("so it is paid", "thus it is paid, by `all`", UNCHANGED),
        ("At once, and by all.", "At once.\n\n    By all.", UNCHANGED),
        ('        """`deal.audit`: yields what is paid."""\n', "", UNCHANGED),
        ("`deal.audit`: yields", "`deal.any`: returns", UNCHANGED),
        ("`general.pay-first`", "`general.caps`", UNCHANGED),  # not the rule of the class
        ("`deal.caps`", "`deal.any`", CHANGED),
        ('"""`deal.caps`: so it is paid.', '"""So it is paid.', CHANGED),
        ('rule = "deal.caps"', 'rule = "deal.any"', CHANGED),
        ('"in full"', '"in part"', CHANGED),
        ("3, text", "4, text", CHANGED),
        ("        yield", "    yield", CHANGED),
        ('rule = "deal.caps"', 'rule = "deal.caps # of all"', CHANGED),
    ],
)  # fmt: skip
def test_a_word_changes_nothing_and_a_rule_or_a_figure_does(old: str, new: str, changes: bool):
    assert CODE.count(old) == 1
    assert (code_of(CODE.replace(old, new)) != code_of(CODE)) is changes


@pytest.mark.parametrize(
    "source",
    [
        'words = (\n    """A text."""\n)',
        'words = \\\n"""A text."""',
        'say(\n    "more",\n    """A text."""\n)',
        'b"""A text."""',
        'f"""A text."""',
        '"""A text.""".strip()',
        '"""A text.""" """More."""',
    ],
)
def test_a_text_that_is_no_docstring_counts(source: str):
    assert code_of(source) != code_of(source.replace("A text.", "Another."))


def test_figures_and_the_order_of_rows_count_and_remarks_do_not():
    toml = "# cards\n[fleet]\ncost = 3  # CAPs\n\n[agent]\ncost = 2\n"
    plain = packaging._content_in(toml)
    assert packaging._content_in(toml.replace("# cards", "# all the cards")) == plain
    assert packaging._content_in(toml.replace("cost = 3", "cost = 4")) != plain
    assert packaging._content_in("[agent]\ncost = 2\n[fleet]\ncost = 3\n") != plain


@pytest.mark.skipif(hasattr(tokenize, "FSTRING_START"), reason="f-strings are split into tokens")
@pytest.mark.parametrize("folder", ["kernel", "parts", "games"])
def test_literals_and_comments_are_found_where_the_tokenizer_finds_them(folder: str):
    for path in (LEDGER / folder).rglob("*.py"):
        text = path.read_text("utf-8")
        tokens = [
            token.string.lstrip("rbfuRBFU") if token.type == tokenize.STRING else token.string
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type in (tokenize.STRING, tokenize.COMMENT)
        ]
        assert [literal[0] for literal in LITERAL.finditer(text)] == tokens, path


# --- on a copy ------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("kernel", "parts", "games"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(LEDGER / name, tmp_path / "ledger" / name, ignore=ignored)
    return tmp_path / "ledger"


def hashes(copy: Path) -> dict[str, str]:
    return {game: hash_of(copy, f"games/{game}") for game in GAMES}


def edit(path: Path, change: Callable[[str], str]) -> None:
    before = path.read_text("utf-8")
    assert change(before) != before
    path.write_text(change(before), encoding="utf-8")


def test_a_copy_has_the_hash_of_the_original(copy: Path):
    assert hashes(copy) == {game: source_of(f"ledger.games.{game}") for game in GAMES}
    assert hashes(copy) == {game: ruleset(game).source for game in GAMES}


EVERY_GAME = set(GAMES)


@pytest.mark.parametrize(
    ("part", "games"),
    [
        ("__init__", EVERY_GAME),
        ("sealed", {"hegemonic", "tictactoe"}),
        ("hexmap", {"hegemonic", "galactic_hegemony"}),
        ("seats", {"hegemonic", "tictactoe"}),
        ("abilities", {"hegemonic"}),
        ("text", EVERY_GAME),
        ("deals/__init__", {"hegemonic"}),
        ("deals/offers", {"hegemonic"}),
        ("deals/answers", {"hegemonic"}),
        ("deals/recount", {"hegemonic"}),
    ],
)
def test_a_part_counts_for_the_games_that_import_it(copy: Path, part: str, games: set[str]):
    before = hashes(copy)
    edit(copy / "parts" / f"{part}.py", lambda text: f"{text}# a remark\n")
    assert hashes(copy) == before
    edit(copy / "parts" / f"{part}.py", lambda text: f"{text}NEW = 1\n")
    changed = {game for game, source in hashes(copy).items() if source != before[game]}
    assert changed == games


def test_a_part_counts_that_a_part_imports_and_no_other(copy: Path):
    before = hashes(copy)
    (copy / "parts" / "hands.py").write_text("NEW = 1\n", encoding="utf-8")
    assert hashes(copy) == before
    edit(copy / "parts" / "graph.py", lambda text: f"{text}from .hands import NEW\n")
    first = hashes(copy)
    edit(copy / "parts" / "hands.py", lambda text: f"{text}NEWER = 2\n")
    assert hashes(copy)["hegemonic"] not in (first["hegemonic"], before["hegemonic"])
    assert hashes(copy)["tictactoe"] == before["tictactoe"]


def test_the_kernel_and_the_content_count(copy: Path):
    before = hashes(copy)
    content = copy / "games" / "hegemonic" / "content" / "tiles.toml"
    edit(content, lambda text: f"# a remark\n{text}")
    assert hashes(copy) == before
    edit(content, lambda text: text.replace("political = 3", "political = 4", 1))
    changed = {game for game, source in hashes(copy).items() if source != before[game]}
    assert changed == {"hegemonic"}
    edit(copy / "kernel" / "accounts.py", lambda text: f"{text}NEW = 1\n")
    assert all(source != before[game] for game, source in hashes(copy).items())


@pytest.mark.parametrize(("game", "believed"), [("hegemonic", False), ("tictactoe", True)])
def test_after_a_change_of_a_part_no_index_or_snapshot_of_its_games_is_believed(
    copy: Path, game: str, believed: bool
):
    journal = started(replace(PLAIN, ruleset=game))
    if game == "tictactoe":
        step(journal, random.Random(1))
    store, rules, version = journal.around.store, ruleset(game), journal.history.tip.version
    store.save(journal.match_id, snapshot_of(journal.match(), version, journal.history.tip.head))
    index = index_of(journal.history)
    assert (kept(journal, rules), index.basis(rules) is not None) == (True, True)
    edit(copy / "parts" / "deals" / "offers.py", lambda text: text.replace("< 2", "< 3"))
    later = replace(rules, source=hashes(copy)[game])
    assert (kept(journal, later), index.basis(later) is not None) == (believed, believed)


def kept(journal: Journal, rules: Ruleset) -> bool:
    """Whether a snapshot of the match is believed under these rules."""
    tip = journal.history.tip.version
    return journal.around.store.snapshot(journal.match_id, tip, None, rules.source) is not None
